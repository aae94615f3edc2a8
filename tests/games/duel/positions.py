"""Positions of Azul Duel for the tests: what matters is said, the rest is filled in until all pieces are there."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import azulejos as az
from azulejos.games.duel.tables import CHIPS, LETTERS, PLATES, TILES_OF_A_COLOUR

NO_LINES = "-/-/-/-/-/-"
NOTHING_LEFT = "-/- -/-/- -/-/- -/-/- -/-/-"
LAST_CHIP = "-/1 -/-/- -/-/- -/-/- -/-/T"  # all that is left to take is the chip of factory 4


@dataclass
class Board:
    """A player's board. `dome`: the plates that matter, by square; others are added up to the number that must lie."""

    score: int = 20
    tokens: int = 0
    taken: int = 2
    lines: str = NO_LINES
    dome: Mapping[int, str] = field(default_factory=dict)
    broken: str = "-"
    chips: str = "-"


def position(
    turn: str,
    *boards: Board,
    factories: str = NOTHING_LEFT,
    round_no: int = 2,
    start: int = 0,
    display: str = "-",
    stack: str | None = None,
    hand: str = "-",
    tower: str = "-",
    tablets: str = "rows,columns,diagonals",
    bag: str | None = None,
) -> az.State:
    """A position whose bag is whatever is nowhere else, and whose stack, domes and unseen chips are filled up."""
    seats = [*boards, *[Board()] * (2 - len(boards))]
    domes = _domes(turn, seats, round_no, f"{turn} {display} {stack} {hand}")
    rest = [plate for plate in PLATES if plate not in _named(f"{turn} {display} {stack} {hand}", domes)]
    if stack is None:
        stack = f"{rest[0][0]}{len(rest) - _unseen(hand)}" if len(rest) > _unseen(hand) else "-"
    texts = [_print_board(board, dome) for board, dome in zip(seats, domes, strict=True)]
    bag = _print_counts(_bag(factories, tower, texts)) if bag is None else bag
    chips = _unseen_chips(factories, seats, round_no)
    head = f"duel {tablets} round {round_no} {turn} start {start}"
    return az.parse(" | ".join([head, display, stack, hand, factories, bag, tower, chips, *texts]))


def _domes(turn: str, seats: list[Board], round_no: int, elsewhere: str) -> list[dict[int, str]]:
    """Each seat's squares: those named, then as many others as the round asks for, first in rows without any named."""
    domes = [dict(board.dome) for board in seats]
    for seat, board in enumerate(seats):
        acting = turn.startswith(f"seat {seat} ") and re.search(r" (draws|looks|keeps|lays)", turn) is not None
        count = 1 + 2 * (round_no - 1) + (2 - board.tokens if round_no < 5 else 0) - acting
        rows = {(square - 1) // 3 for square in board.dome}
        for square in sorted(range(9, 0, -1), key=lambda square: (square - 1) // 3 in rows):
            if len(domes[seat]) < count and square not in domes[seat]:
                used = _named(elsewhere, domes)
                plate = next(plate for plate in reversed(PLATES) if plate not in used)
                domes[seat][square] = f"{plate[0]}{plate[1:].lower()}@nw"
    return domes


def _named(text: str, domes: list[dict[int, str]]) -> set[str]:
    """The plates that a text or a dome names."""
    laid = [square.split("@")[0] for dome in domes for square in dome.values()]
    names = {("s" if square[0] in "sS" else "j") + square[1:].upper() for square in laid}
    return names | set(re.findall(r"[sj][BYRKT]{3}", text))


def _unseen(hand: str) -> int:
    return sum(part in ("s", "j") for part in hand.split(","))


def _print_board(board: Board, dome: dict[int, str]) -> str:
    squares = [dome.get(square, ".") for square in range(1, 10)]
    rows = "/".join(",".join(squares[k : k + 3]) for k in (0, 3, 6))
    return f"{board.score} t{board.tokens} c{board.taken} {board.lines} {rows} {board.broken} {board.chips}"


def _counts(text: str) -> Counter[str]:
    return Counter({letter: int(number) for letter, number in re.findall(r"([BYRKT])(\d+)", text)})


def _bag(factories: str, tower: str, boards: list[str]) -> Counter[str]:
    tiles = Counter(dict.fromkeys(LETTERS, TILES_OF_A_COLOUR))
    tiles -= _counts(tower)
    for factory in factories.split():
        tiles -= Counter(letter for place in factory.split("/")[:2] for letter in place if letter in LETTERS)
    for board in boards:
        _, _, _, lines, dome, broken, _ = board.split()
        for line in lines.split("/"):
            tiles -= _counts(line)
        tiles -= _counts(broken)
        tiles -= Counter(letter for letter in dome if letter in LETTERS)
    return tiles


def _print_counts(tiles: Mapping[str, int]) -> str:
    return "".join(f"{letter}{tiles[letter]}" for letter in LETTERS if tiles.get(letter)) or "-"


def _chip_counts(text: str) -> Counter[str]:
    return Counter({kind: int(number) for kind, number in re.findall(r"([BYRKT]{1,2})(\d)", text)})


def _unseen_chips(factories: str, seats: list[Board], round_no: int) -> str:
    """As many chips as nobody can have seen, of the first kinds that are left."""
    on_factories = [factory.split("/")[2] for factory in factories.split()[1:]]
    left = Counter(dict.fromkeys(CHIPS, 2)) - Counter(on_factories)
    for board in seats:
        left -= _chip_counts(board.chips)
    count, text = 20 - 4 * round_no + on_factories.count("?"), ""
    for kind in CHIPS:
        number = min(left[kind], count)
        text += f"{kind}{number}" if number else ""
        count -= number
    return text or "-"


def full_boards(bag: Mapping[str, int], tower: Mapping[str, int], taken: int = 2) -> tuple[Board, Board]:
    """Two boards of round 2 that hold all other tiles, in lines that can be neither placed nor broken.

    Every slot on both domes is filled, and no row has three plates.
    """
    plates = iter(PLATES)
    domes: list[dict[int, str]] = [{}, {}]
    left = Counter(dict.fromkeys(LETTERS, TILES_OF_A_COLOUR))
    left.subtract(bag)
    left.subtract(tower)
    for dome in domes:
        for square in (1, 2, 4, 5, 7):
            plate = next(plates)
            left.subtract(plate[1:])
            key = "S"
            if plate[0] == "j":
                key = left.most_common(1)[0][0]
                left.subtract(key)
            dome[square] = f"{key}{plate[1:]}@nw"
    lines = [["-"] * 6, ["-"] * 6]
    for row in range(5, -1, -1):
        for seat in range(2):
            letter, number = left.most_common(1)[0]
            if number > 0:
                lines[seat][row] = f"{letter}{min(number, row + 1)}"
                left[letter] -= min(number, row + 1)
    assert not any(left.values()), left
    first, second = (Board(taken=taken, lines="/".join(lines[seat]), dome=domes[seat]) for seat in range(2))
    return first, second


def decorate(
    board: Board, other: Board | None = None, round_no: int = 2, **more: Any
) -> tuple[az.State, list[az.Event]]:
    """Seat 1 takes the last chip; then seat 0 decorates its board. The state reached, and what happened."""
    other = other or Board()
    other.taken = 1
    before = position("seat 1", board, other, factories=more.pop("factories", LAST_CHIP), round_no=round_no, **more)
    return before.play("chip-4"), before.game.story(before, "chip-4")


def of(events: list[az.Event], kind: str, seat: int | None = 0) -> list[tuple[int, ...]]:
    """The numbers of the events of a kind, the seat left out."""
    chosen = [event for event in events if event.kind == kind and event.values.get("seat") == seat]
    return [tuple(value for name, value in event.values.items() if name != "seat") for event in chosen]


def board(state: az.State, seat: int = 0) -> dict[str, Any]:
    result: dict[str, Any] = state.to_dict()["boards"][seat]
    return result
