"""A game's WebAssembly module: its rules and its search, with what JavaScript must know to call them."""

import argparse
import gzip
import hashlib
import json
from typing import Any

import numpy as np

from azulejos.core import entry_points as playing
from azulejos.core.compiling import bind
from azulejos.core.game import Game
from azulejos.core.network import Network
from azulejos.core.registry import registered
from azulejos.players import deepening, levels, search, tree

from .fingerprint import fingerprint
from .modules import WEB, path
from .retargeting import Export, add_section, export, flat, link

NODES, EDGES, TRANSPOSITIONS = 100_000, 2_000_000, 1 << 18  # of a search in a browser: 58 megabytes at most
DEEPEST = 64  # actions in a row that can be counted
TEMPLATES = (*playing.ENTRY_POINTS, tree.simulate, deepening.deepen, deepening.follow)
SEARCH = ("simulate", "deepen", "follow")
FILLED = ("parameters", "option_codes")  # arrays that have values from the start, besides those of the network


def functions(game: Game) -> dict[str, Any]:
    """The exported functions of a game by name, to be compiled."""
    names, rules, _ = search.names_and_rules(game.kernels, game.judgement, game.name)
    bound = bind([*rules, *playing.RULES, *deepening.RULES, *TEMPLATES], (), names, game.name)
    return {template.__name__: bound[template.__name__] for template in TEMPLATES}


def samples(game: Game) -> dict[str, dict[str, Any]]:
    """An argument for each parameter of each function; arrays have the shapes that they will have in a browser."""
    one = search.Tree(game, game.judgement, np.uint64(0), NODES, EDGES)
    deep = search.Deepening(one, game.judgement, TRANSPOSITIONS)
    states: dict[str, Any] = {"states": game.empty(1), "i": 0}
    out, codes, keys = game.actions_buffer(), game.option_codes, np.zeros(1, np.uint64)
    room = DEEPEST + 1
    return {
        "lay_out": {**states, "option_codes": codes, "first": 0},
        "whose_turn": states,
        "list_actions": {**states, "out": out},
        "do_action": {**states, "action": 0},
        "count_ways": {**states, "counts": np.zeros(game.num_outcomes, np.int64)},
        "do_draw": {**states, "drawn": 0},
        "project": {**states, "seat": 0},
        "try_actions": {**states, "scratch": game.empty(1), "out": out, "values": np.zeros(game.num_actions, np.int64)},
        "wander": {**states, "option_codes": codes, "keys": keys, "out": out, "moves": 0},
        "count_sequences": {
            "stack": game.empty(room),
            "outs": np.zeros((room, len(out)), np.int16),
            "at": np.zeros(room, np.int64),
            "ends": np.zeros(room, np.int64),
            "depth": 0,
        },
        "simulate": {"m": one.memory, "simulations": 0},
        "deepen": {"m": deep.memory, "nodes": 0},
        "follow": {"m": deep.memory, "action": 0, "line": np.zeros(deepening.DEEPEST, np.int64)},
    }


def build(kind: type[Game]) -> tuple[bytes, dict[str, bytes]]:
    """The module of a game, for all its variants; and their networks, by the names of their files."""
    game = kind()
    given = samples(game)
    exports = [export(name, function, given[name]) for name, function in functions(game).items()]
    about, values, networks = description(kind, exports)
    about["fingerprint"] = current_fingerprint(kind)
    module = add_section(link(exports), "azulejos", json.dumps(about, separators=(",", ":")).encode())
    return add_section(module, "azulejos.values", values), networks


def current_fingerprint(kind: type[Game]) -> str:
    """A hash of the source that a game's module is made from, and of all values in it."""
    about, values, _networks = description(kind, [])
    source = fingerprint(functions(kind()).values())
    return hashlib.sha256(json.dumps([source, about]).encode() + values).hexdigest()[:16]


def description(kind: type[Game], exports: list[Export]) -> tuple[dict[str, Any], bytes, dict[str, bytes]]:
    """What JavaScript must know about a module, the values that some of its arrays have from the start, and the
    networks by the names of their files, which contain a hash."""
    game, values, networks, types = kind(), bytearray(), dict[str, bytes](), dict[str, Any]()
    about = {
        "game": kind.name,
        "functions": {
            each.name: [[part.name, part.dimensions is None] for part in each.parameters] for each in exports
        },
        "variants": [_variant(variant, values, networks, types) for variant in kind.variants()],
        "types": types,
        "search": {
            "few": search.FEW,
            "parts": search.PARTS,
            "far": search.FAR,
            "surely": search.SURELY,
            "whole": deepening.WHOLE,
            "first_depth": deepening.FIRST,
        },
        "levels": {
            level.name: {
                "simulations": level.within(game).simulations,
                "width": level.within(game).width,
                "patience": levels.PATIENCE,
            }
            for level in levels.LEVELS
        },
        "rows_of_others": getattr(game.judgement, "ROWS_OF_OTHERS", ()),
    }
    return about, bytes(values), networks


def _variant(game: Game, values: bytearray, networks: dict[str, bytes], types: dict[str, Any]) -> dict[str, Any]:
    """A variant's options, the file of its network, and its arrays: the number in `memory` of each, by function and
    parameter.

    In `memory`: type, shape, where its first values are or None, whether that is in the network instead of in `values`,
    and the number of the array that it shares its memory with or None.
    """
    memory: list[tuple[str, list[int], int | None, bool, int | None]] = []
    network = bytearray()
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    places: dict[int, int] = {}

    def number(name: str, array: Any) -> int:
        address = array.__array_interface__["data"][0]
        key = address, array.shape
        if key not in numbers:
            first, learnt = None, name in Network._fields
            if learnt or name in FILLED:
                first = _placed(array.tobytes(), network if learnt else values)
            numbers[key] = len(memory)
            memory.append((_type(array.dtype, types), list(array.shape), first, learnt, places.get(address)))
            places.setdefault(address, numbers[key])
        return numbers[key]

    given = samples(game)
    arrays = {
        name: {part: number(part, value) for part, value in flat(arguments) if isinstance(value, np.ndarray)}
        for name, arguments in given.items()
    }
    file = f"{game.name}-{hashlib.sha256(network).hexdigest()[:8]}.network"
    networks[file] = bytes(network)
    return {
        "options": game.chosen_texts,
        "network": file,
        "searches": SEARCH if search.deepens(game, game.judgement, given["simulate"]["m"].parameters) else SEARCH[:1],
        "arrays": arrays,
        "memory": memory,
    }


def _placed(part: bytes, whole: bytearray) -> int:
    """Where a part is in the whole; it is added if it is not there."""
    first = whole.find(part)
    if first < 0:
        first = len(whole)
        whole.extend(part)
    return first


def _type(dtype: Any, types: dict[str, Any]) -> str:
    """A short name of a type; records are described in `types`: their size, and where each number in them is."""
    if dtype.fields is None:
        return str(dtype.str[1:])
    about = {
        "size": dtype.itemsize,
        "fields": {name: [at, of.str[1:]] for name, (of, at, *_) in dtype.fields.items() if not of.shape},
    }
    known = next((name for name, other in types.items() if other == about), None)
    name = known or f"record{len(types)}"
    types[name] = about
    return name


def main() -> None:
    parser = argparse.ArgumentParser(description="Build WebAssembly modules.")
    parser.add_argument("games", nargs="*", default=list(registered()), help="by name (default: all)")
    for name in parser.parse_args().games:
        module, networks = build(registered()[name])
        for old in WEB.glob(f"{name}-*.network"):
            old.unlink()
        for file, contents in {path(name).name: module, **networks}.items():
            (WEB / file).write_bytes(contents)
            print(f"{file}: {len(contents):,} bytes, gzipped {len(gzip.compress(contents)):,}")


if __name__ == "__main__":
    main()
