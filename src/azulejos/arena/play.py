"""One game of a contest. A player that raises an error loses it."""

import time
from collections.abc import Sequence

from azulejos.core.record import Record
from azulejos.players import Player
from azulejos.players.program import Program

from .contest import Contest
from .result import BY_RULES, CUT_OFF, FAILED, Result


def play(contest: Contest, number: int) -> tuple[Result, str]:
    """Play a game of a contest; its result, and its record as text."""
    seats = contest.seats_of(number)
    entrants = [contest.entrants[who] for who in seats]
    start = contest.game.start(seed=contest.seed_of(contest.deal_of(number)))
    record = Record(start, [entrant.name for entrant in entrants])
    players = [entrant.sit_down(contest.seed_of(number, seat)) for seat, entrant in enumerate(entrants)]
    times: list[list[float]] = [[] for _ in seats]
    simulations = [0] * len(seats)
    ended, reason = BY_RULES, ""
    try:
        while record.outcome is None:
            seat = record.state.seat
            assert seat is not None
            if record.state.round > contest.most_rounds:
                ended, reason = CUT_OFF, f"cut off after {contest.most_rounds} rounds"
                record.end((), reason)
                break
            started = time.perf_counter()
            try:
                choice = players[seat].choose(record.state.view(seat), entrants[seat].limit)
                times[seat].append(round(time.perf_counter() - started, 5))
                simulations[seat] += choice.simulations
                record.play(choice.action)
            except Exception as error:
                ended, reason = FAILED, _one_line(f"{entrants[seat].name} failed: {error}")
                record.end(_best_of_others(record, seat), reason)
    finally:
        _dismiss(players)
    outcome = record.outcome
    assert outcome is not None
    result = Result(
        number,
        seats,
        outcome.scores,
        outcome.winners,
        ended,
        reason,
        min(record.state.round, contest.most_rounds),
        tuple(map(tuple, times)),
        tuple(simulations),
    )
    return result, str(record)


def _one_line(text: str) -> str:
    shown = " ".join(text.split())
    return "".join(letter if letter.isprintable() else "?" for letter in shown)[:300]


def _best_of_others(record: Record, seat: int) -> Sequence[int]:
    scores = {other: score for other, score in enumerate(record.state.scores) if other != seat}
    return [other for other, score in scores.items() if score == max(scores.values())]


def _dismiss(players: Sequence[Player]) -> None:
    for player in players:
        if isinstance(player, Program):
            player.close()
