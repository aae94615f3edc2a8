"""Labels of places and things for screen readers. `game`: whose words for colours are used."""

from collections.abc import Mapping

from azulejos.core.language import _, ngettext
from azulejos.core.state import Outcome


def say_tiles(colour: str, count: int, game: str) -> str:
    """Tiles of one colour."""
    tiles = ngettext("{n} tile", "{n} tiles", count).format(n=count)
    return _("{colour}: {tiles}").format(colour=_(colour, game), tiles=tiles)


def say_held(place: str, counts: Mapping[str, int], game: str) -> str:
    """A place and the tiles of several colours that lie there."""
    tiles = ", ".join(f"{_(colour, game)} {count}" for colour, count in counts.items()) or _("empty")
    return _("{place}: {tiles}").format(place=place, tiles=tiles)


def say_place(place: str, tile: str | None, game: str) -> str:
    """A place for one tile."""
    return _("{place}: {tiles}").format(place=place, tiles=_("empty") if tile is None else _(tile, game))


def say_factory(number: int) -> str:
    return _("factory {number}").format(number=number)


def say_line(line: int, game: str) -> str:
    return _("line {line}", game).format(line=line)


def say_space(place: str, number: int) -> str:
    """One space of several, by its number."""
    return _("{place}, space {number}").format(place=place, number=number)


def say_row_column(row: int, column: int, game: str) -> str:
    return _("row {row}, column {column}", game).format(row=row, column=column)


def say_player(seat: int) -> str:
    """A player without a name."""
    return _("player {number}").format(number=seat + 1)


def say_score(score: int) -> str:
    return ngettext("{n} point", "{n} points", score).format(n=score)


def say_scores(outcome: Outcome) -> str:
    """All scores, the winners' first."""
    others = sorted((score for seat, score in enumerate(outcome.scores) if seat not in outcome.winners), reverse=True)
    return "\u00a0: ".join(map(str, [*(outcome.scores[seat] for seat in outcome.winners), *others]))


def say_projected(score: int) -> str:
    return _("{score} if the round ended now").format(score=score)


def say_round(number: int) -> str:
    return _("Round {number}").format(number=number)


def say_board(name: str, score: int, turn: bool, winner: bool) -> str:
    text = _("board of {name}: {points}").format(name=name, points=say_score(score))
    if turn:
        text += ", " + _("to play")
    if winner:
        text += ", " + _("winner")
    return text
