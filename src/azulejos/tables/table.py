"""The table: an immutable value. `obey` turns a command into a progress: the old table, the new one, and the events."""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from azulejos.core.action import Action
from azulejos.core.chance import SealedChance
from azulejos.core.errors import AzulejosError, Reason, Refusal
from azulejos.core.game import Game
from azulejos.core.language import N_, _, say_error
from azulejos.core.record import Record
from azulejos.core.registry import restore
from azulejos.core.seal import Seal, check_nonce
from azulejos.core.state import Outcome, State

from . import commands as c
from . import events as e
from .events import Chair

COMPUTER = "computer"  # the visitor who plays for every seat that a computer player holds
LONGEST_NAME = 40
SUBSTITUTE = "regular"  # the computer player that plays for somebody who is away
LATER = "later"  # in the place of a nonce that a visitor has announced
MOST_EVENTS = 1000  # after which a table only lets its game come to an end
TOO_LONG = 3000  # the same, after which it is closed: the rules of Azul let two people play for ever


class Phase(StrEnum):
    OPEN = "open"  # seats are still free
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"  # by the host


_NOT_NOW = {
    Phase.OPEN: N_("the game has not begun yet"),
    Phase.PLAYING: N_("the game is still going on"),
    Phase.OVER: N_("the game is over"),
    Phase.CLOSED: N_("the table is closed"),
}


class Seat(NamedTuple):
    """A seat at the table. `player`: the computer player that plays for it, or "". `owner`: its visitor, or "".
    `nonce`: what the visitor adds to the seed; LATER if the game waits for it, or "". `away`: does the computer player
    only play until the owner is back?"""

    name: str = ""
    owner: str = ""
    player: str = ""
    invitation: str = ""
    nonce: str = ""
    away: bool = False

    @property
    def taken(self) -> bool:
        return bool(self.owner or self.player)

    @property
    def person(self) -> bool:
        """Does a person decide here?"""
        return bool(self.owner and not self.player)


@dataclass(frozen=True)
class Takeback:
    """A takeback that a seat has asked for, and the seats that have agreed so far."""

    seat: int
    actions: int
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Handover:
    """A computer player that is to take a seat, as the seat `by` asked, and the seats that have agreed so far."""

    seat: int
    player: str
    by: int
    agreed: frozenset[int] = frozenset()


class Progress(NamedTuple):
    """The result of a command: the table before, the table after, and the events between them."""

    before: "Table"
    after: "Table"
    events: tuple[e.Event, ...]


@dataclass(frozen=True)
class Table:
    """A live game. Immutable: `obey` returns a progress with another table, or raises a refusal."""

    id: str
    game: Game
    seats: tuple[Seat, ...]
    seed: str
    public: bool = False
    number: int = 1  # of the last event, from 1
    position: int = 0  # the number of the event that led to the position on the table; 0 before the game begins
    states: tuple[State, ...] = ()  # every position so far, one more than there are actions
    actions: tuple[Action, ...] = ()
    place: int = 0  # in the seed's stream of chance, where the next deal begins
    nonces: tuple[str, ...] = ()  # what each seat added to the seed; empty if nobody did
    places: tuple[int, ...] = ()  # the same for every position so far, before the deal that led to it
    date: str = ""
    closed: str = ""  # why, if it was
    resigned: int | None = None  # the seat that did, or that was away for too long
    claimed: bool = False  # was it away?
    claim_after: int = 0  # seconds of absence after which the win of a game of two can be claimed; 0: never
    takeback: Takeback | None = None
    handover: Handover | None = None
    rematch: frozenset[int] = frozenset()
    freed: frozenset[str] = frozenset()  # visitors whose seat was freed: they need an invitation to sit here again
    next_table: str = ""
    previous: str = ""  # the table of the game before
    host: str = ""  # the visitor who opened the table
    last_play: tuple[int, int, str] | None = None  # the position that the last action was played in, its seat, its text

    # --- looking ---

    @cached_property
    def phase(self) -> Phase:
        if self.closed:
            return Phase.CLOSED
        if not self.states:
            return Phase.OPEN
        return Phase.OVER if self.outcome else Phase.PLAYING

    @property
    def state(self) -> State:
        """The position on the table."""
        return self.states[-1]

    @cached_property
    def acted(self) -> frozenset[int | None]:
        """The seats that have played anything."""
        return frozenset([state.seat for state in self.states[:-1]])

    @cached_property
    def turn(self) -> int | None:
        """The seat that is to act."""
        return self.state.seat if self.phase is Phase.PLAYING else None

    @property
    def names(self) -> tuple[str, ...]:
        """The names for a record: people's own names, computer players' names."""
        return tuple(seat.name or seat.player or f"player {number + 1}" for number, seat in enumerate(self.seats))

    @property
    def record(self) -> Record:
        """The game so far as a record; with its seed once the game is over."""
        over = self.resigned is not None or self.state.over
        record = Record(self.states[0], self.names, self.date or None, self._seal if over else None)
        for action, after in zip(self.actions, self.states[1:], strict=True):
            record.play(action, after.drawn or None)
        if self.resigned is not None:
            record.resign(self.resigned, away=self.claimed)
        return record

    @cached_property
    def outcome(self) -> Outcome | None:
        if not self.states:
            return None
        return self.record.outcome if self.resigned is not None else self.state.outcome

    @property
    def _seal(self) -> Seal:
        """The positions in the seed's stream at which the deals of the record begin."""
        dealt = zip(self.states, self.places, strict=True)
        return Seal(self.seed, tuple(place for state, place in dealt if state.drawn), self.nonces)

    @cached_property
    def commitment(self) -> str:
        """The hash of the seed, published before the first action; the seed is published at the end."""
        return Seal(self.seed, ()).hash

    @property
    def _chance(self) -> SealedChance:
        return Seal(self.seed, (), self.nonces).at(self.place)

    def seats_of(self, visitor: str) -> tuple[int, ...]:
        return tuple([number for number, seat in enumerate(self.seats) if visitor and seat.owner == visitor])

    def seen(self, position: int, visitor_seats: Sequence[int]) -> State:
        """The `position`-th state as a visitor may see it: the view of the seats that the visitor holds."""
        state = self.states[position]
        if self.outcome or not self.game.hides():
            return state
        if state.seat is not None and state.seat in visitor_seats:
            return state.view(state.seat)
        if visitor_seats:
            return state.view(visitor_seats[0])
        for seat in range(self.game.players):
            state = state.view(seat)
        return state

    # --- from events ---

    @staticmethod
    def opened(identifier: str, event: e.Opened) -> "Table":
        """The table after its first event."""
        game = restore(event.game, event.options)
        seats = tuple(
            Seat(chair.name, chair.owner, chair.player, chair.invitation, chair.nonce) for chair in event.chairs
        )
        host = event.host or next((chair.owner for chair in event.chairs if chair.owner), "")
        table = Table(identifier, game, seats, event.seed, event.public, date=event.date, host=host)
        if event.claim_after:
            table = replace(table, claim_after=event.claim_after)
        return replace(table, previous=event.previous) if event.previous else table

    @staticmethod
    def from_events(identifier: str, events: Iterable[e.Event]) -> "Table":
        """The table after all events of its log."""
        first, *rest = events
        assert isinstance(first, e.Opened)
        table = Table.opened(identifier, first)
        for event in rest:
            table = table.after(event)
        return table

    def after(self, event: e.Event) -> "Table":
        """The table after one more event. Unchecked: `obey` has checked it."""
        table = replace(self, number=self.number + 1)
        match event:
            case e.Sat(seat, name, owner, nonce):
                return table._with_seat(seat, Seat(name, owner, nonce=nonce))._unasked(seat)
            case e.NonceAdded(seat, nonce):
                return table._with_seat(seat, self.seats[seat]._replace(nonce=nonce))
            case e.Left(seat, invitation, freed):
                if freed:
                    table = replace(table, freed=self.freed | {self.seats[seat].owner})
                return table._with_seat(seat, Seat(self.seats[seat].name, invitation=invitation))._unasked(seat)
            case e.HandedOver(seat, player, away):
                held = self.seats[seat]._replace(player=player, invitation="", nonce="", away=away)
                return table._with_seat(seat, held)._unasked(seat)
            case e.HandOverAsked(seat, player, by):
                return replace(table, handover=Handover(seat, player, by))
            case e.HandOverAgreed(seat):
                assert self.handover
                return replace(table, handover=replace(self.handover, agreed=self.handover.agreed | {seat}))
            case e.HandOverDeclined():
                return replace(table, handover=None)
            case e.Begun(first, draws, place, nonces):
                start = self.game.lay_out(first).deal(draws)
                begun = replace(table, states=(start,), places=(0,), place=place, position=table.number)
                return replace(begun, nonces=nonces) if nonces else begun
            case e.Played(seat, text, draws, place):
                action = self.game.action(text)
                return self._played(seat, action, place, self.state.play(action, draws or None))
            case e.TakebackAsked(seat, actions):
                return replace(table, takeback=Takeback(seat, actions))
            case e.TakebackAgreed(seat):
                assert self.takeback
                return replace(table, takeback=replace(self.takeback, agreed=self.takeback.agreed | {seat}))
            case e.TakebackDeclined():
                return replace(table, takeback=None)
            case e.TakenBack(actions, place):
                return replace(
                    table,
                    place=self.place if place < 0 else place,
                    states=self.states[:-actions],
                    actions=self.actions[:-actions],
                    places=self.places[:-actions],
                    takeback=None,
                    position=table.number,
                    last_play=None,
                )
            case e.Resigned(seat):
                return replace(table, resigned=seat, takeback=None, handover=None, position=table.number)
            case e.WinClaimed(seat):
                over = replace(table, resigned=1 - seat, claimed=True, position=table.number)
                return replace(over, takeback=None, handover=None)
            case e.RematchAsked(seat):
                return replace(table, rematch=self.rematch | {seat})
            case e.Rematched(identifier):
                return replace(table, next_table=identifier)
            case e.Closed(reason):
                return replace(table, closed=reason, takeback=None, handover=None)
            case e.Reopened():
                return replace(table, closed="")
        raise AssertionError(f"{event} is not an event of a table")

    def _with_seat(self, number: int, seat: Seat) -> "Table":
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def _unasked(self, seat: int) -> "Table":
        """Without the question who takes the seat: it is settled, or the one who asked has gone. Somebody new at a seat
        has agreed to nothing."""
        asked = self.handover
        if not asked:
            return self
        stays = None if seat in (asked.seat, asked.by) else replace(asked, agreed=asked.agreed - {seat})
        return replace(self, handover=stays)

    def _played(self, seat: int, action: Action, place: int, after: State) -> "Table":
        """The table after an action that led to the state `after`. Faster than `replace`: this runs for every move."""
        if self.actions:
            self.states[-2].forget()  # the last one is still told of
        fields = vars(self).copy()
        fields["phase"] = Phase.OVER if after.over else Phase.PLAYING
        fields["turn"] = after.seat
        fields["acted"] = self.acted | {seat}
        fields["outcome"] = after.outcome
        fields["states"] = (*self.states, after)
        fields["actions"] = (*self.actions, action)
        fields["places"] = (*self.places, self.place)
        fields["place"] = place
        fields["takeback"] = None
        if self.handover and (self.handover.by == seat or after.over):  # who asked plays on
            fields["handover"] = None
        fields["last_play"] = self.position, seat, str(action)
        fields["number"] = fields["position"] = self.number + 1
        table = object.__new__(Table)
        vars(table).update(fields)
        return table

    # --- obeying ---

    @staticmethod
    def open(
        identifier: str,
        game: Game,
        chairs: Sequence[Chair],
        seed: str,
        public: bool = False,
        date: str = "",
        previous: str = "",
        host: str = "",
        claim_after: int = 0,
    ) -> "Progress":
        """Open a table; if every seat is taken, the game begins. `seed`: 64 random hexadecimal digits. `host`: the
        visitor who opens it. `claim_after`: seconds of absence after which a win can be claimed, where two play."""
        if len(chairs) != game.players:
            raise Refusal(Reason.UNKNOWN, _("the number of seats is not that of the players"))
        for chair in chairs:
            if chair.name:
                checked_name(chair.name)
            if chair.player:
                _checked_player(chair.player)
        claim_after = claim_after if game.players == 2 else 0
        first = e.Opened(
            game.name, game.chosen_texts, tuple(chairs), seed, public, date, previous, host, max(0, claim_after)
        )
        table = Table.opened(identifier, first)
        progress = Progress(table, table, (first,))
        return _begun(progress)

    def obey(self, command: c.Command, visitor: str, away: frozenset[int] = frozenset(), word: str = "") -> Progress:
        """The progress of a visitor's command; or raise a refusal.

        `away`: seats whose owners have not been seen for a while; for a claim, as long as the table says. `word`: a
        fresh random word, where one is needed for a new invitation or a new table.
        """
        if not 0 <= command.seat < len(self.seats):
            raise Refusal(Reason.UNKNOWN, _("there is no seat {number}").format(number=command.seat))
        if self.number >= MOST_EVENTS and not isinstance(command, (c.Play, c.Resign, c.ClaimWin, c.AskRematch)):
            raise Refusal(Reason.TOO_MANY, _("too much has happened at this table; play the game to its end"))
        match command:
            case c.Sit():
                return self._sit(command, visitor)
            case c.HandOver():
                return self._hand_over(command, visitor, away)
            case c.FreeSeat():
                return self._free_seat(command, visitor, word)
        self._check_owner(command.seat, visitor)
        match command:
            case c.Play():
                return self._play(command)
            case c.AddNonce():
                return self._add_nonce(command)
            case c.Resign():
                return self._resign(command)
            case c.Leave():
                return self._leave(command, word)
            case c.ClaimWin():
                return self._claim_win(command, away)
            case c.AskTakeback():
                return self._ask_takeback(command)
            case c.AskRematch():
                return self._ask_rematch(command, word)
            case c.AnswerTakeback():
                return self._answer_takeback(command)
            case c.AnswerHandOver():
                return self._answer_hand_over(command)
        raise Refusal(Reason.MALFORMED, _("this is no command that a table knows"))

    def _did(self, *events: e.Event) -> Progress:
        after = self
        for event in events:
            after = after.after(event)
        return Progress(self, after, events)

    def _check_owner(self, number: int, visitor: str) -> None:
        seat = self.seats[number]
        if visitor == COMPUTER and seat.player:
            return
        if not seat.owner or not hmac.compare_digest(seat.owner, visitor):
            raise Refusal(Reason.NOT_YOURS, _("this seat is not yours"))
        if seat.player:
            raise Refusal(Reason.NOT_YOURS, _("a computer player plays for you; sit down again first"))

    def _check_phase(self, *phases: Phase) -> None:
        if self.phase not in phases:
            raise Refusal(Reason.NOT_NOW, _(_NOT_NOW[self.phase]))

    # --- seats ---

    def _sit(self, command: c.Sit, visitor: str) -> Progress:
        self._check_phase(Phase.PLAYING, Phase.OPEN)
        seat = self.seats[command.seat]
        mine = seat.owner == visitor
        name = seat.name if mine and not command.name else checked_name(command.name)
        if seat.taken and not (mine and seat.player):
            raise Refusal(Reason.TAKEN, _("this seat is taken"))
        if not mine and self.seats_of(visitor) and (self.public or visitor != self.host):
            raise Refusal(Reason.TAKEN, _("you sit at this table already"))
        invited = mine or hmac.compare_digest(command.invitation.encode(), seat.invitation.encode())
        if not invited and not (self.public and not seat.taken and visitor not in self.freed):
            raise Refusal(Reason.NOT_INVITED, _("an invitation is needed for this seat; each works once"))
        if name and name in (other.name for number, other in enumerate(self.seats) if number != command.seat):
            raise Refusal(Reason.TAKEN, _("somebody here is called {name} already").format(name=name))
        nonce = _checked_nonce(command.nonce) if self.phase is Phase.OPEN and command.nonce else ""
        return _begun(self._did(e.Sat(command.seat, name, visitor, nonce)))

    def _add_nonce(self, command: c.AddNonce) -> Progress:
        if self.seats[command.seat].nonce == command.nonce:
            return Progress(self, self, ())  # a repeated request
        self._check_phase(Phase.OPEN)
        if self.seats[command.seat].nonce != LATER:
            raise Refusal(Reason.NOT_NOW, _("this seat has no nonce to add"))
        return _begun(self._did(e.NonceAdded(command.seat, _checked_nonce(command.nonce))))

    def _begin(self) -> Progress:
        """The start player and the first deal come from the table's seed and from what the visitors added."""
        nonces = tuple(seat.nonce for seat in self.seats)
        nonces = nonces if any(nonces) else ()
        first, chance = Seal(self.seed, (), nonces).at(0).below(self.game.players)
        start = self.game.lay_out(first).deal(seed=chance)
        return self._did(e.Begun(first, start.drawn, (start.chance or chance).key, nonces))

    def close(self, reason: str) -> Progress:
        """Close the table, in any phase. For the host, not for visitors."""
        self._check_phase(Phase.OPEN, Phase.PLAYING, Phase.OVER)
        return self._did(e.Closed(reason))

    def reopen(self) -> Progress:
        """Undo closing: not a command of a visitor."""
        self._check_phase(Phase.CLOSED)
        return self._did(e.Reopened())

    def _leave(self, command: c.Leave, word: str) -> Progress:
        self._check_phase(Phase.PLAYING, Phase.OPEN)
        return self._did(e.Left(command.seat, word))

    def _hand_over(self, command: c.HandOver, visitor: str, away: frozenset[int]) -> Progress:
        self._check_phase(Phase.PLAYING, Phase.OPEN)
        seat = self.seats[command.seat]
        if not self.seats_of(visitor):
            raise Refusal(Reason.NOT_YOURS, _("only those who sit at the table can hand a seat over"))
        if seat.player or (seat.owner and command.seat not in away and seat.owner != visitor):
            raise Refusal(Reason.TAKEN, _("this seat is taken"))
        if seat.owner and seat.owner != visitor:
            if command.player != SUBSTITUTE:
                words = _("for somebody who is away only {player} plays, until they are back")
                raise Refusal(Reason.UNKNOWN, words.format(player=SUBSTITUTE))
            return _begun(self._did(e.HandedOver(command.seat, SUBSTITUTE, away=True)))
        player = _checked_player(command.player)
        by = command.seat if seat.owner else self.seats_of(visitor)[0]
        asked = Progress(self, self, ())
        if self.handover:
            if (self.handover.seat, self.handover.player, self.handover.by) != (command.seat, player, by):
                raise Refusal(Reason.NOT_NOW, _("somebody asks for that already"))
        elif self.asks_others(command.seat, player, visitor):
            asked = self._did(e.HandOverAsked(command.seat, player, by))
        else:
            return _begun(self._did(e.HandedOver(command.seat, player)))
        return _then(asked, asked.after._hand_over_if_agreed())

    def asks_others(self, seat: int, player: str, visitor: str) -> bool:
        """Have other people a say in whether a computer player takes a seat? Not before the game begins if the seat is
        free and the host asks, nor in the game if the seat was left and the usual substitute takes it."""
        if not self.seats[seat].owner and (visitor == self.host if self.phase is Phase.OPEN else player == SUBSTITUTE):
            return False
        return any(other.owner not in ("", visitor) for other in self.seats)

    def _answer_hand_over(self, command: c.AnswerHandOver) -> Progress:
        asked = self.handover
        if not asked or self.seats[command.seat].owner == self.seats[asked.by].owner:
            raise Refusal(Reason.NOT_NOW, _("nobody asks you to let a computer player play"))
        if not command.agree:
            return self._did(e.HandOverDeclined(command.seat))
        if command.seat in asked.agreed:
            return Progress(self, self, ())
        agreed = self._did(e.HandOverAgreed(command.seat))
        return _then(agreed, agreed.after._hand_over_if_agreed())

    def _hand_over_if_agreed(self) -> Progress:
        """Let the computer player play once all other people have agreed, absent ones too."""
        assert self.handover
        asked = self.handover
        agreed = {self.seats[seat].owner for seat in (*asked.agreed, asked.by)}
        if {seat.owner for seat in self.seats if seat.owner} <= agreed:
            return _begun(self._did(e.HandedOver(asked.seat, asked.player)))
        return Progress(self, self, ())

    def _free_seat(self, command: c.FreeSeat, visitor: str, word: str) -> Progress:
        self._check_phase(Phase.PLAYING, Phase.OPEN)
        seat = self.seats[command.seat]
        if not visitor or visitor != self.host:
            raise Refusal(Reason.NOT_YOURS, _("only the one who opened the table can free a seat"))
        if not seat.person or seat.owner == visitor or command.seat in self.acted:
            raise Refusal(Reason.TAKEN, _("this seat is taken"))
        return self._did(e.Left(command.seat, word, freed=True))

    # --- playing ---

    def _play(self, command: c.Play) -> Progress:
        if command.position != self.position:
            if self.last_play == (command.position, command.seat, command.action):
                return Progress(self, self, ())  # a repeated request: playing is idempotent
            raise Refusal(Reason.STALE, _("the table has moved on; look at the position again"))
        self._check_phase(Phase.PLAYING)
        if command.seat != self.turn:
            raise Refusal(Reason.NOT_YOUR_TURN, _("it is not your turn"))
        try:
            action = self.game.action(command.action)
        except AzulejosError as error:
            raise Refusal(Reason.UNKNOWN, say_error(error)) from error
        try:
            after = self.state.play(action)
        except AzulejosError as error:
            raise Refusal(Reason.ILLEGAL, say_error(error)) from error
        place = self.place
        if after.awaits_draw:
            after = after.deal(seed=self._chance)
            place = after.chance.key if after.chance else place
        event = e.Played(command.seat, str(action), after.drawn, place)
        after = after.with_chance(None)  # the view does not carry the generator
        played = self._played(command.seat, action, place, after)
        if played.number % TOO_LONG or after.over:
            return Progress(self, played, (event,))
        closed = e.Closed(N_("this game has become too long; open a new table"))
        return Progress(self, played.after(closed), (event, closed))

    def _resign(self, command: c.Resign) -> Progress:
        self._check_phase(Phase.PLAYING)
        if self.game.players != 2:
            raise Refusal(Reason.NOT_NOW, _("only a game of two can be resigned; leave the seat instead"))
        return self._did(e.Resigned(command.seat))

    def _claim_win(self, command: c.ClaimWin, away: frozenset[int]) -> Progress:
        self._check_phase(Phase.PLAYING)
        other = 1 - command.seat
        if (
            not self.claim_after
            or not self.seats[other].person
            or self.seats[other].owner == self.seats[command.seat].owner
        ):
            raise Refusal(Reason.NOT_NOW, _("there is no win to claim at this table"))
        if self.turn != other or other not in away:
            raise Refusal(Reason.NOT_NOW, _("the other has not been away for long enough in their turn"))
        return self._did(e.WinClaimed(command.seat))

    # --- takeback by agreement ---

    def _ask_takeback(self, command: c.AskTakeback) -> Progress:
        self._check_phase(Phase.PLAYING)  # not when it is over: with the seed, everybody knows what would be dealt
        if self.takeback:
            raise Refusal(Reason.NOT_NOW, _("somebody asks for that already"))
        back = next((n for n in range(1, len(self.states)) if self.states[-1 - n].seat == command.seat), None)
        if back is None:
            raise Refusal(Reason.NOT_NOW, _("there is nothing to take back yet"))
        asked = self._did(e.TakebackAsked(command.seat, back))
        return _then(asked, asked.after._take_back_if_agreed())

    def _answer_takeback(self, command: c.AnswerTakeback) -> Progress:
        if not self.takeback:
            raise Refusal(Reason.NOT_NOW, _("nobody asks to take anything back"))
        if not command.agree:
            return self._did(e.TakebackDeclined(command.seat))
        if command.seat in self.takeback.agreed:
            return Progress(self, self, ())
        agreed = self._did(e.TakebackAgreed(command.seat))
        return _then(agreed, agreed.after._take_back_if_agreed())

    def _take_back_if_agreed(self) -> Progress:
        """Take back once all other people have agreed; several seats of one visitor are one person."""
        assert self.takeback
        agreed = {self.seats[seat].owner for seat in (*self.takeback.agreed, self.takeback.seat)}
        if {seat.owner for seat in self.seats if seat.owner} <= agreed:  # absent ones too
            back = self.takeback.actions
            return self._did(e.TakenBack(back, self.places[-back]))
        return Progress(self, self, ())

    # --- another game ---

    def _ask_rematch(self, command: c.AskRematch, word: str) -> Progress:
        self._check_phase(Phase.OVER)
        if self.next_table:
            return Progress(self, self, ())
        if command.seat in self.rematch:
            return Progress(self, self, ())
        asked = self._did(e.RematchAsked(command.seat))
        wanted = {self.seats[seat].owner for seat in asked.after.rematch}
        if {seat.owner for seat in self.seats if seat.person} <= wanted:
            return _then(asked, asked.after._did(e.Rematched(word)))
        return asked

    def open_rematch(self, seed: str, date: str = "") -> Progress:
        """The table of the next game: the same people, each moved on by one seat."""
        added = self.nonces or ("",) * len(self.seats)
        chairs = [
            Chair(player=seat.player)  # not in the name of somebody who is away
            if seat.player
            else Chair(seat.name, seat.owner, "", seat.invitation, LATER if nonce and seat.owner else "")
            for seat, nonce in zip(self.seats, added, strict=True)
        ]
        moved = [*chairs[-1:], *chairs[:-1]]
        opened = (self.next_table, self.game, moved, seed, self.public, date, self.id, self.host, self.claim_after)
        return Table.open(*opened)


def _begun(progress: Progress) -> Progress:
    """With the beginning of the game, if every seat is taken and no nonce is waited for."""
    table = progress.after
    if table.phase is Phase.OPEN and all(seat.taken and seat.nonce != LATER for seat in table.seats):
        return _then(progress, table._begin())
    return progress


def _checked_nonce(nonce: str) -> str:
    if nonce != LATER:
        try:
            check_nonce(nonce)
        except AzulejosError as error:
            raise Refusal(Reason.MALFORMED, say_error(error)) from error
    return nonce


def _then(first: Progress, second: Progress) -> Progress:
    return Progress(first.before, second.after, first.events + second.events)


def checked_name(name: str) -> str:
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        words = _("a name is one line of at most {most} characters, without spaces around it")
        raise Refusal(Reason.MALFORMED, words.format(most=LONGEST_NAME))
    return name


def _checked_player(player: str) -> str:
    from azulejos.players import PLAYERS  # needs NumPy, which a table of people does without

    if player not in PLAYERS:
        words = _("there is no computer player {player!r}; there are {players}")
        raise Refusal(Reason.UNKNOWN, words.format(player=player, players=", ".join(PLAYERS)))
    return player
