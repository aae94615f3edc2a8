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
from .modules import path
from .retargeting import Export, add_section, export, flat, link

NODES, EDGES, TRANSPOSITIONS = 100_000, 2_000_000, 1 << 18  # of a search in a browser: 58 megabytes at most
DEEPEST = 64  # actions in a row that can be counted
TEMPLATES = (*playing.ENTRY_POINTS, tree.simulate, deepening.deepen, deepening.follow)
SEARCH = ("simulate", "deepen", "follow")
FILLED = (*Network._fields, "parameters", "option_codes")  # arrays that have values from the start


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


def build(kind: type[Game]) -> bytes:
    """The module of a game, for all its variants."""
    game = kind()
    given = samples(game)
    exports = [export(name, function, given[name]) for name, function in functions(game).items()]
    about, values = description(kind, exports)
    about["fingerprint"] = current_fingerprint(kind)
    module = add_section(link(exports), "azulejos", json.dumps(about, separators=(",", ":")).encode())
    return add_section(module, "azulejos.values", values)


def current_fingerprint(kind: type[Game]) -> str:
    """A hash of the source that a game's module is made from, and of all values in it."""
    about, values = description(kind, [])
    source = fingerprint(functions(kind()).values())
    return hashlib.sha256(json.dumps([source, about]).encode() + values).hexdigest()[:16]


def description(kind: type[Game], exports: list[Export]) -> tuple[dict[str, Any], bytes]:
    """What JavaScript must know about a module, and the values that some of its arrays have from the start."""
    game, values, types = kind(), bytearray(), dict[str, Any]()
    return {
        "game": kind.name,
        "functions": {
            each.name: [[part.name, part.dimensions is None] for part in each.parameters] for each in exports
        },
        "variants": [_variant(variant, values, types) for variant in kind.variants()],
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
    }, bytes(values)


def _variant(game: Game, values: bytearray, types: dict[str, Any]) -> dict[str, Any]:
    """A variant's options, and its arrays: the number in `memory` of each, by function and parameter.

    In `memory`: type, shape, where in `values` its first values are or None, and the number of the array that it shares
    its memory with or None.
    """
    memory: list[tuple[str, list[int], int | None, int | None]] = []
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    places: dict[int, int] = {}

    def number(name: str, array: Any) -> int:
        address = array.__array_interface__["data"][0]
        key = address, array.shape
        if key not in numbers:
            first = None
            if name in FILLED:
                first = values.find(array.tobytes())
                if first < 0:
                    first = len(values)
                    values.extend(array.tobytes())
            numbers[key] = len(memory)
            memory.append((_type(array.dtype, types), list(array.shape), first, places.get(address)))
            places.setdefault(address, numbers[key])
        return numbers[key]

    given = samples(game)
    return {
        "options": game.chosen_texts,
        "searches": SEARCH if search.deepens(game, game.judgement, given["simulate"]["m"].parameters) else SEARCH[:1],
        "arrays": {
            name: {part: number(part, value) for part, value in flat(arguments) if isinstance(value, np.ndarray)}
            for name, arguments in given.items()
        },
        "memory": memory,
    }


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
        module = build(registered()[name])
        path(name).write_bytes(module)
        print(f"{name}: {len(module):,} bytes, gzipped {len(gzip.compress(module)):,}")


if __name__ == "__main__":
    main()
