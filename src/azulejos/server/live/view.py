"""A table as one visitor may see it, in one language: nothing that they may not know gets past here."""

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from azulejos.core.game import Game
from azulejos.core.hand import Pick, Preview, Step
from azulejos.core.language import N_, _, language, ngettext, say_of
from azulejos.core.state import State
from azulejos.drawing.scene import Picture
from azulejos.drawing.words import say_scores
from azulejos.players.names import say_player
from azulejos.tables import LATER, Allowed, Event, Phase, Progress, Seat, Table, allowed
from azulejos.tables import events as e

from . import advice, lone
from .messages import AskHint, Choice, HandoverView, LastMove, Line, May, Now, SeatView, TakebackView, Told
from .names import say_seat, say_seat_of, say_seats

_encode = msgspec.json.Encoder().encode
_ASK_HINT = str(AskHint.__struct_config__.tag)
Texts = tuple[str, ...]  # what a picture is made of, in order


class Lens(NamedTuple):
    """How a page wants its pictures: a layout of `scene.LAYOUTS`; "light", "dark" or "auto"."""

    layout: str
    theme: str


class Presence(NamedTuple):
    """Which seats' owners are connected, which have been away for so long that others may hand their seat over, how
    many visitors watch, and against which seats the win can be claimed."""

    here: frozenset[int]
    away: frozenset[int]
    watching: int = 0
    overdue: frozenset[int] = frozenset()


# --- the table now ---


def now(table: Table, visitor: str, presence: Presence, lens: Lens | None, shown: dict[str, Any] | None = None) -> Now:
    """`shown`: the picture, or what changed in it, as fields of `Now`. With it the position is not told as data; as
    text only where there are hints, which need it."""
    mine, turn, phase = table.seats_of(visitor), table.turn, table.phase
    hints = turn in mine and not table.seats[turn].player and advice.allowed(table, visitor)
    can = _may(allowed(table, visitor, presence.away, presence.overdue), turn if hints else None)
    return Now(
        number=table.number,
        position=table.position,
        phase=phase,
        game=table.game.name,
        options=table.game.chosen_texts,
        seats=_seats(table.seats, mine, presence.here, presence.away, language()),
        turn=turn,
        status=_status(table, mine),
        commitment=table.commitment,
        can=can,
        takeback=_takeback(table, mine),
        handover=_handover(table),
        claim_after=table.claim_after,
        claim=say_claim(table.claim_after) if lens and table.claim_after else "",
        can_take_back=turn is not None and not table.acted.isdisjoint(mine),
        can_ask_hint=hints,
        rematch=sorted(table.rematch),
        next_table=table.next_table,
        previous_table=table.previous,
        public=table.public,
        watching=presence.watching,
        people=list(_people(table, mine, presence)) if lens else [],
        seed=table.seed if table.outcome else "",
        nonces=list(table.nonces) if table.outcome else [],
        view=lone.position_for(table, turn) if lens and hints else "",
        **_position(table, mine, lens, shown, hints),
    )


@lru_cache(1 << 10)
def _may(commands: Sequence[Allowed], hinted: int | None) -> list[May]:
    """`hinted`: the seat that may ask for hints. Kept, because it seldom changes."""
    found = [May(command.type, command.seat) for command in commands]
    return found if hinted is None else [*found, May(_ASK_HINT, hinted)]


def _position(
    table: Table, mine: Sequence[int], lens: Lens | None, shown: dict[str, Any] | None, hints: bool
) -> dict[str, Any]:
    """The part of `Now` that is about the position."""
    if not table.states:
        return {}
    state = table.seen(-1, mine)
    fields = _facts(state) | (shown or {})
    if shown is None:
        fields["state"] = _data(state)
    if shown is None or hints:
        fields["text"] = str(state)
    if table.turn in mine:
        fields["actions"] = state.actions.texts
    if lens:
        fields |= _at_the_board(table, state, mine)
        if shown is None:
            fields["board"] = "".join(_board(table, state, mine, lens))
    if table.outcome:
        fields["winners"] = list(table.outcome.winners)
        fields["result"] = say_result(table, mine)
        fields["tally"] = _tally(table, table.number, language())
    return fields


def _at_the_board(table: Table, state: State, mine: Sequence[int]) -> dict[str, Any]:
    """What goes with a picture."""
    fields: dict[str, Any] = {"last": say_last(table, mine)}
    if table.phase is Phase.PLAYING:
        fields["notice"] = _notice(state, language())
    if table.turn in mine:
        fields["ask"] = table.game.ask(state)
        fields["closed"] = table.game.closed(state)
        fields["choices"] = _choices(state, language())
    return fields


def choices(state: State) -> Iterator[Choice]:
    """What the seat that acts may do; what is picked together instead of the actions that begin it."""
    game, together = state.game, state.game.together(state)
    for several in together:
        first, *then = [str(game.action(index)) for index in several.actions]
        shown = Preview(several.words, several.projected)
        yield Choice(first, several.words, list(several.picks), shown, then, any_order=True)
    begun = {several.actions[0] for several in together}
    scored = zip(game.options_of(state), game.rules.try_actions(state.position), strict=True)
    for index, ((picks, preview), projected) in zip(state.actions.indices, scored, strict=True):
        if index not in begun:
            yield _choice(state, index, picks.it, msgspec.structs.replace(preview.it, projected=projected))


def _choice(state: State, index: int, picks: Sequence[Pick], preview: Preview) -> Choice:
    game = state.game
    ways = [list(way) for way in game.other_picks(state, index)]
    return Choice(game.texts[index], _say_action(game, index, language()), list(picks), preview, ways=ways)


@lru_cache(256)
def _choices(state: State, language: str) -> msgspec.Raw:
    """The choices as they are sent; kept, because several look at them. The words are in a language."""
    game, together = state.game, state.game.together(state)
    if together:
        return msgspec.Raw(_encode(list(choices(state))))
    sent = list[bytes]()
    scored = zip(state.actions.indices, game.options_of(state), game.rules.try_actions(state.position), strict=True)
    for index, (picks, preview), projected in scored:
        if not picks.before:
            text = _encode(_choice(state, index, picks.it, _GAP))
            picks.before, picks.after = _halves(text + b",", b'"preview":', b"?")
        if not preview.before:
            preview.before, preview.after = _halves(_encode(preview.it), b'"projected":', b"0")
        sent += (picks.before, preview.before, b"%d" % projected, preview.after, picks.after)
    return msgspec.Raw(b"[%b]" % b"".join(sent)[:-1])


_GAP: Any = msgspec.Raw(b"?")


def _halves(text: bytes, before: bytes, gap: bytes) -> tuple[bytes, bytes]:
    """JSON around a gap."""
    first, _gap, last = text.partition(before + gap)
    return first + before, last


MOST_TOLD = 3  # actions of one turn, in a line


def say_last(table: Table, mine: Sequence[int]) -> LastMove | None:
    """What the last seat to act did with its last actions in a row, and what that gave it."""
    states, most = table.states, min(len(table.actions), MOST_TOLD)
    if not most:
        return None
    before, after, count = states[-2], states[-1], 1
    seat = before.seat
    assert seat is not None
    while count < most and states[-2 - count].seat == seat and states[-2 - count].round == before.round:
        count += 1
    open_, words, places, gain = seat in mine or table.phase is Phase.OVER, list[str](), list[str](), 0
    for k in range(count, 0, -1):
        index = table.actions[-k].index
        hidden = None if open_ else table.game.secret(index)
        said, touched, points = _done(states[-1 - k], index, states[-k], language())
        words.append(hidden or said)
        places += [] if hidden else touched
        gain += points
    line = say_of(say_seat(table, seat, mine), " · ".join(words))
    if after.round == before.round and not after.over:
        line += f" ({signed(gain)})" if gain else ""
    else:
        gained = zip(before.scores, after.scores, strict=True)
        each = (f"{say_seat(table, k, mine)} {signed(new - old)}" for k, (old, new) in enumerate(gained))
        line += " · " + _("round {round}: {points}").format(round=before.round, points=", ".join(each))
    return LastMove(line, seat, places)


@lru_cache(256)
def _done(state: State, action: int, after: State, language: str) -> tuple[str, list[str], int]:
    """What an action did in words, the places that it touched, and what it gave; kept, because several are told."""
    game = state.game
    places = [pick.place for pick in game.picks(state, action)]
    return game.say_move(state, action), places, game.gain(state, action, after)


def signed(points: int) -> str:
    """Points with their sign."""
    return f"{'+' if points >= 0 else '−'}{abs(points)}"


@lru_cache(64)
def _facts(state: State) -> dict[str, Any]:
    """What a position says to everybody who sees it; kept, because several do."""
    return {"round": state.round, "scores": list(state.scores), "projected": list(state.projected)}


@lru_cache(64)
def _notice(state: State, language: str) -> str:
    """Kept, because several see it; the words are in a language."""
    return state.game.notice(state)


@lru_cache(64)
def _data(state: State) -> msgspec.Raw:
    """A position's data as they are sent."""
    return msgspec.Raw(_encode(state.to_dict()))


def _steps(state: State, action: int, draws: tuple[int, ...], after: State) -> list[Step]:
    """What an action led to."""
    found = None if draws else state.game.steps_to(state, action, after)
    return state.game.steps(state, state.game.story(state, action, draws)) if found is None else found


def picture(table: Table, visitor: str, lens: Lens) -> Texts:
    """What a visitor sees now; nothing before the game begins."""
    mine = table.seats_of(visitor)
    return _board(table, table.seen(-1, mine), mine, lens) if table.states else ()


def _board(table: Table, state: State, mine: Sequence[int], lens: Lens) -> Texts:
    """The picture of a position, the visitor's own board first."""
    viewer = state.seat if state.seat is not None and state.seat in mine else mine[0] if mine else 0
    return draw(state, tuple(say_seats(table, mine)), viewer, lens, language())


@lru_cache(256)
def draw(state: State, names: tuple[str, ...], viewer: int, lens: Lens, language: str) -> Texts:
    """A picture, drawn once for all who look through the same lens; the words are in a language."""
    how = {"names": names, "viewer": viewer, "theme": lens.theme, "layout": lens.layout, "styled": False}
    drawn = state.game.picture(state, **how)
    return drawn.texts if isinstance(drawn, Picture) else (str(drawn),)


@lru_cache(1 << 12)
def _seats(
    seats: tuple[Seat, ...], mine: tuple[int, ...], here: frozenset[int], away: frozenset[int], language: str
) -> list[SeatView]:
    """Kept, because they seldom change; the words are in a language."""
    return [
        SeatView(
            name=say_seat_of(seats, number, mine),
            who=_who(seat),
            player=seat.player,
            yours=number in mine,
            here=number in here,
            away=number in away,
            invitation=seat.invitation if mine and not seat.taken else None,
        )
        for number, seat in enumerate(seats)
    ]


def _people(table: Table, mine: Sequence[int], presence: Presence) -> Iterator[str]:
    """What everybody at the table should know of the others: who is away, who watches, who wants to play again."""
    for number, seat in enumerate(table.seats):
        if seat.person and number not in mine and number not in presence.here and table.phase is not Phase.OVER:
            yield _("{name} is away").format(name=say_seat(table, number, mine))
    if not mine:
        yield _("You are watching")
    elif presence.watching:
        watching = ngettext("{n} person is watching", "{n} people are watching", presence.watching)
        yield watching.format(n=presence.watching)
    for number in sorted(table.rematch) if not table.next_table else ():
        you = tuple(mine) == (number,)
        words = _("You want to play again") if you else _("{name} wants to play again")
        yield words.format(name=say_seat(table, number, mine))


def _nobody(seat: Seat) -> bool:
    """Is a seat free, and was it never anybody's by name?"""
    return not (seat.player or seat.owner or seat.name)


def _who(seat: Seat) -> str:
    return "computer" if seat.player else "person" if seat.owner else "open"


def _takeback(table: Table, mine: Sequence[int]) -> TakebackView | None:
    asked = table.takeback
    if not asked:
        return None
    settled = {table.seats[seat].owner for seat in (*asked.agreed, asked.seat)}
    waiting = [seat for seat in mine if table.seats[seat].owner not in settled]
    return TakebackView(asked.seat, asked.actions, waiting[:1])


def _handover(table: Table) -> HandoverView | None:
    asked = table.handover
    return HandoverView(asked.seat, asked.player, asked.by, say_player(asked.player)) if asked else None


def say_claim(seconds: int) -> str:
    """After which absence the win can be claimed, in words."""
    words = _("If somebody is away for {time} in their own turn, the other can claim the win.")
    return words.format(time=say_time(seconds))


def say_time(seconds: int) -> str:
    """A time in whole minutes or hours."""
    minutes = -(-seconds // 60)
    if minutes >= 120:
        return ngettext("{n} hour", "{n} hours", minutes // 60).format(n=minutes // 60)
    return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)


def _status(table: Table, mine: Sequence[int]) -> str:
    """Whose turn it is and what is asked, in one line."""
    turn = table.turn
    if table.phase is Phase.OPEN or (turn is not None and _nobody(table.seats[turn])):
        free = sum(not seat.taken or seat.nonce == LATER for seat in table.seats)
        return ngettext("Waiting for {n} player", "Waiting for {n} players", free).format(n=free)
    if table.phase is Phase.CLOSED:
        return say_closed(table)
    if turn is None:
        return say_result(table, mine)
    name = say_seat(table, turn, mine)
    if turn in mine and not table.seats[turn].player:
        ask = table.game.ask(table.state)
        if len(mine) == 1:
            return _("Your turn: {ask}").format(ask=ask)
        return _("{name}: {ask}").format(name=name, ask=ask)
    if table.seats[turn].player:
        return _("{name} is thinking").format(name=name)
    if not table.seats[turn].owner:
        return _("The seat of {name} is free").format(name=name)
    return _("It is the turn of {name}").format(name=name)


def say_closed(table: Table) -> str:
    """Why a table was closed: a reason of the server's own is translated, one of the host's is what the host wrote."""
    return _("This table is closed: {reason}").format(reason=_(table.closed))


def say_result(table: Table, mine: Sequence[int]) -> str:
    outcome = table.outcome
    assert outcome
    names = [say_seat(table, seat, mine) for seat in outcome.winners]
    scores = say_scores(outcome)
    if table.resigned is not None:
        loser, winner = say_seat(table, table.resigned, mine), ", ".join(names)
        if table.claimed:
            if tuple(mine) == (table.resigned,):
                return _("You were away for too long; {winner} wins").format(winner=winner)
            if tuple(mine) == outcome.winners:
                return _("{loser} was away for too long; you win").format(loser=loser)
            return _("{loser} was away for too long; {winner} wins").format(loser=loser, winner=winner)
        if tuple(mine) == (table.resigned,):
            return _("You resigned; {winner} wins").format(winner=winner)
        if tuple(mine) == outcome.winners:
            return _("{loser} resigned; you win").format(loser=loser)
        return _("{loser} resigned; {winner} wins").format(loser=loser, winner=winner)
    if len(mine) == 1 and outcome.winners == tuple(mine):
        return _("You win, {scores}").format(scores=scores)
    if len(names) == 1:
        return _("{name} wins, {scores}").format(name=names[0], scores=scores)
    return _("{names} share the victory, {scores}").format(names=", ".join(names), scores=scores)


@lru_cache(32)
def _tally(table: Table, number: int, language: str) -> list[Line]:
    """Kept, because several look at it; the words are in a language."""
    return list(tally(table))


def tally(table: Table) -> Iterator[Line]:
    """Where everybody's points came from."""
    game, sums = table.game, dict[str, list[int]]()
    start = table.states[0].scores
    if any(start):
        sums[_("at the start")] = list(start)
    for before, action, after in zip(table.states, table.actions, table.states[1:], strict=False):
        for event in game.story(before, action, after.drawn):
            found = game.points_of(event)
            if found:
                words, seat, points = found
                sums.setdefault(words, [0] * game.players)[seat] += points
    for kind, by_seat in sums.items():
        yield Line(kind, by_seat)


# --- what happened ---


class Detail(Enum):
    """How closely a play is told: not at all, step by step in words, or with the tiles' ways to be shown as well."""

    PLAIN = 0
    WORDS = 1
    WAYS = 2


def told(progress: Progress, visitor: str, detail: Detail = Detail.WAYS) -> list[Told]:
    """Events as a visitor may be told of them."""
    mine = progress.after.seats_of(visitor)
    before = progress.before
    result: list[Told] = []
    for number, event in enumerate(progress.events, 1):
        if isinstance(event, e.Opened):
            result.append(Told(1, "opened", _("The table is set")))
            continue
        after = progress.after if number == len(progress.events) else before.after(event)
        gone = isinstance(event, e.Left) and before.seats[event.seat].owner == visitor
        result.append(_tell(before, event, after, mine, detail, gone))
        before = after
    return result


def since(known: Table | None, table: Table, events: Sequence[Event]) -> Progress:
    """What has happened at a table since it was known; None: from its beginning."""
    if known is None:
        first = events[0]
        assert isinstance(first, e.Opened)
        known = Table.opened(table.id, first)
    return Progress(known, table, tuple(events))


def history(table: Table, events: Sequence[Event], visitor: str, detail: Detail = Detail.WORDS) -> list[Told]:
    """All that has happened at a table, for visitors who come later."""
    return told(since(None, table, events), visitor, detail)


def _tell_play(before: Table, event: e.Played, after: Table, mine: Sequence[int], detail: Detail) -> Told:
    action, open_ = after.actions[-1].index, event.seat in mine or after.phase is Phase.OVER
    hidden = "" if open_ else before.game.secret(action) or ""
    numbers = after.number, len(after.actions)
    return _told_play(before.state, action, event, after.state, *numbers, hidden, detail, language())


@lru_cache(256)
def _told_play(
    before: State,
    action: int,
    event: e.Played,
    after: State,
    number: int,
    actions: int,
    hidden: str,
    detail: Detail,
    language: str,
) -> Told:
    """Kept, because several are told of it; the words are in a language."""
    game = before.game
    steps = _steps(before, action, event.draws, after) if detail.value else []
    if detail is Detail.WORDS:
        steps = [Step(step.words, step.seat) for step in steps if step.words]
    said = _say_action(game, action, language) if detail is Detail.PLAIN else _done(before, action, after, language)[0]
    return Told(
        number=number,
        kind="played",
        words=hidden or said,
        seat=event.seat,
        action="…" if hidden else event.action,
        steps=steps,
        round=after.round,
        scores=list(after.scores),
        actions=actions,
    )


@lru_cache(1 << 11)
def _say_action(game: Game, action: int, language: str) -> str:
    """Kept, because there are few; the words are in a language."""
    return game.say_action(action)


_DID: dict[type[Event], tuple[str, str]] = {  # what is said to the visitor who did it, and to others
    e.Sat: (N_("You sit down"), N_("{name} sits down")),
    e.NonceAdded: (N_("You mix chance of your own into the draws"), N_("{name} mixes chance into the draws")),
    e.Left: (N_("You leave"), N_("{name} leaves")),
    e.TakebackAsked: (N_("You ask to take back"), N_("{name} asks to take back")),
    e.TakebackAgreed: (N_("You agree"), N_("{name} agrees")),
    e.TakebackDeclined: (N_("You decline"), N_("{name} declines")),
    e.HandOverAgreed: (N_("You agree"), N_("{name} agrees")),
    e.HandOverDeclined: (N_("You decline"), N_("{name} declines")),
    e.WinClaimed: (N_("You claim the win"), N_("{name} claims the win")),
    e.Resigned: (N_("You resign"), N_("{name} resigns")),
    e.RematchAsked: (N_("You want to play again"), N_("{name} wants to play again")),
}


def _tell(before: Table, event: Event, after: Table, mine: Sequence[int], detail: Detail, gone: bool) -> Told:
    """`gone`: it is the visitor who leaves."""
    if isinstance(event, e.Played):
        return _tell_play(before, event, after, mine, detail)
    kind = str(type(event).__struct_config__.tag)
    seat: int | None = getattr(event, "seat", None)
    left = isinstance(event, e.Left)
    name = say_seat(before if left else after, seat, mine) if seat is not None else ""
    you = gone if left else tuple(mine) == (seat,)
    common: dict[str, Any] = {
        "number": after.number,
        "kind": kind,
        "seat": seat,
        "round": after.state.round if after.states else 0,
        "scores": list(after.state.scores) if after.states else [],
        "actions": len(after.actions),
    }
    match event:
        case _ if type(event) in _DID:
            yours, theirs = _DID[type(event)]
            words = _(yours if you else theirs)
        case e.HandedOver():
            words = _("{name} plays on")
        case e.HandOverAsked():
            you = tuple(mine) == (event.by,)
            words = _("You ask to let {player} play on") if you else _("{name} asks to let {player} play on")
            name = say_seat(after, event.by, mine)
        case e.Begun():
            words, name = _("Start player: {name}"), say_seat(after, event.first, mine)
        case e.TakenBack():
            words = ngettext("{n} action is taken back", "{n} actions are taken back", event.actions)
        case e.Closed():
            words = _("The table is closed")
        case e.Reopened():
            words = _("The table is open again")
        case _:
            words = _("The next game is at another table")
    player = say_player(event.player) if isinstance(event, e.HandOverAsked) else ""
    return Told(words=words.format(name=name, n=getattr(event, "actions", 0), player=player), **common)
