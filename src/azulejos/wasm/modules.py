"""Where the games' WebAssembly modules are, and what they say about themselves."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WEB = Path(__file__).with_name("web")  # served as it is: scripts and modules


def path(game: str) -> Path:
    """The file of a game's module; a game from outside has none."""
    return WEB / f"{game}.wasm"


def described(module: bytes) -> dict[str, Any]:
    """The description in a module."""
    found: dict[str, Any] = json.loads(dict(sections(module))["azulejos"])
    return found


def sections(module: bytes) -> Iterator[tuple[str, bytes]]:
    """The custom sections of a module by name."""
    at = 8  # behind the magic number and the version
    while at < len(module):
        kind = module[at]
        size, at = _leb128(module, at + 1)
        if kind == 0:
            length, name = _leb128(module, at)
            yield module[name : name + length].decode(), module[name + length : at + size]
        at += size


def _leb128(module: bytes, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    number = shift = 0
    while True:
        byte = module[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at
