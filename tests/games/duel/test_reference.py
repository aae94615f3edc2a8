"""Random games, followed by a second, plain reading of the rules over the data of `to_dict`, without bits or tables."""

import random
from typing import Any

import pytest

import azulejos as az
from azulejos.games.duel.tables import COLOURS, LETTERS, SIDES

LETTER = dict(zip(COLOURS, LETTERS, strict=True))
CORNERS = [(0, 0), (0, 1), (1, 1), (1, 0)]
Grid = dict[tuple[int, int], str]


def grids(board: dict[str, Any]) -> tuple[Grid, Grid]:
    """The slots of a dome and the tiles on it, by row and column."""
    slots: Grid = {}
    tiles: Grid = {}
    for number, square in enumerate(board["dome"]):
        for (down, right), slot, tile in zip(CORNERS, square["slots"], square["tiles"], strict=True) if square else ():
            place = 2 * (number // 3) + down, 2 * (number % 3) + right
            slots[place] = slot
            if tile:
                tiles[place] = tile
    return slots, tiles


def legal_turns(data: dict[str, Any]) -> set[str]:
    """What the seat to act may do in the acquisition."""
    board = data["boards"][data["seat"]]
    sources = {"L": set(data["large_factory"]["sun"]), "M": set(data["large_factory"]["moon"])}
    for number, factory in enumerate(data["factories"], 1):
        sources[str(number)] = set(factory["sun"])
        sources["M"] |= set(factory["moon"][-1:])
    found = set()
    for source, colours in sources.items():
        for colour in colours:
            found.add(f"{source}{LETTER[colour]}-")
            for number, line in enumerate(board["lines"], 1):
                if line["tiles"] < number and line["colour"] in (None, colour):
                    found.add(f"{source}{LETTER[colour]}{number}")
    for number, factory in enumerate(data["factories"], 1):
        if factory["chip"] not in (None, "face down") and board["chips_taken"] < 2:
            found.add(f"chip-{number}")
    if board["tokens"]:
        found |= {f"plate-{plate}" for plate in data["display"]}
        if data["stack"]["plates"] and (board["score"] or not data["display"]):
            found.add("draw")
    return found


def run(tiles: Grid, row: int, column: int, down: int, right: int) -> int:
    """How many tiles lie in an unbroken line through a place."""
    length = 1
    for way in (1, -1):
        step = way
        while (row + step * down, column + step * right) in tiles:
            length += 1
            step += way
    return length


def points(tiles: Grid, row: int, column: int) -> int:
    runs = [run(tiles, row, column, 0, 1), run(tiles, row, column, 1, 0)]
    return sum(length for length in runs if length > 1) or 1


def tablet(board: dict[str, Any], side: str) -> int:
    slots, tiles = grids(board)
    six = range(6)
    keys = {name: [place for place, slot in slots.items() if slot == name] for name in ("joker", "special")}
    rows = [[tiles.get((row, column)) for column in six] for row in six]
    match side:
        case "rows":
            return 3 * sum(all(row) for row in rows)
        case "columns":
            return 7 * sum(all(row[column] for row in rows) for column in six)
        case "diagonals":
            return 10 * (all(rows[k][k] for k in six) + all(rows[k][5 - k] for k in six))
        case "jokers":
            return 2 * len(keys["joker"]) if all(place in tiles for place in keys["joker"]) else 0
        case "colours":
            return 4 * sum(len({tile for tile in row if tile}) >= 5 for row in rows)
        case "ring":
            return sum(1 for row, column in tiles if row in (0, 5) or column in (0, 5))
        case "corners":
            full = [all(square["tiles"]) if square else False for square in board["dome"]]
            return 3 * (full[0] + full[2]) + 8 * (full[6] + full[8])
        case _:
            return -3 * sum(place not in tiles for place in keys["special"])


def follow(before: dict[str, Any], events: list[az.Event]) -> None:
    """Every tile goes where it may and scores what it should; each special tile comes when its plate is full."""
    domes = [grids(board) for board in before["boards"]]
    for event in events:
        if event.kind == "lay":
            return  # a plate more, so the slots are not those of before
        if event.kind == "tile":
            slots, tiles = domes[event.seat]
            place, line = (event.row, event.column), before["boards"][event.seat]["lines"][event.row]
            assert place not in tiles
            assert slots[place] in (line["colour"], "joker")
            tiles[place] = line["colour"]
            assert event.points == points(tiles, *place)
            plate = [(place[0] // 2 * 2 + down, place[1] // 2 * 2 + right) for down, right in CORNERS]
            missing = [corner for corner in plate if corner not in tiles]
            expects_special = [slots[corner] for corner in missing] == ["special"]
            after = events[events.index(event) + 1 :]
            assert (bool(after) and after[0].kind == "special") == expects_special
        elif event.kind == "special":
            domes[event.seat][1][event.row, event.column] = "special"
            assert event.points == event.row + 1


@pytest.mark.parametrize("seed", range(8))
def test_a_random_game_by_a_second_reading_of_the_rules(seed: int) -> None:
    chooser = random.Random(seed)
    game = az.make("duel", tablets=4)
    state = game.start(seed=seed)
    while not state.over:
        data, legal = state.to_dict(), set(map(str, state.actions))
        if data["phase"] == "acquisition":
            assert legal == legal_turns(data)
        wise = [text for text in sorted(legal) if not text.endswith("-") and text not in ("draw", "leave")]
        action = chooser.choice(wise or sorted(legal))  # breaks little, so that domes fill
        after = state.play(action)
        events = game.story(state, action, after.drawn)
        follow(data, events)
        if after.over:
            final = after.to_dict()
            for event in events:
                if event.kind == "bonus":
                    assert event.points == tablet(final["boards"][event.seat], SIDES[event.side])
            assert sum(event.kind == "bonus" for event in events) == 8
        state = after
    assert sum(len(grids(board)[1]) for board in state.to_dict()["boards"]) > 8
