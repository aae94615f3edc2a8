"""Summer Pavilion as a game: its options, its data, and what makes a position possible."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from rich.console import RenderableType

from azulejos.core.game import Array, Event, Game, Option
from azulejos.core.hand import Pick, Preview, Step
from azulejos.core.state import State
from azulejos.drawing.scene import Look

from . import drawing, hand, judgement, kernels, notation, observation, terminal
from .tables import (
    COLOURED,
    COLOURS,
    EVENTS,
    FACTORIES,
    FIRST_SCORE,
    LEAST_SCORE,
    MOST_KEPT,
    MOST_PLAYERS,
    NUMBER_BONUS,
    ROUNDS,
    SIDES,
    STAR_NAMES,
    SUPPLY_SPACES,
    TILES_OF_A_COLOUR,
    TILES_OF_A_FACTORY,
)

RULES = notation.RULES


_PLACING = (
    "Placing: B6 fills number 6 of the blue star; B6+2 pays two tiles with wilds.\n"
    "C4R+1 lays red on 4 of the central star, C, and pays one tile with a wild.",
    "Placing: NW1B+1 lays blue on position 1 of the star at the top left and pays one\n"
    "tile with a wild. The other stars are NE, E, SE, SW, W and C, the central one.\n"
    "A free rhombus is drawn as position:number, so 1:3 is position 1 and costs 3.",
)


class Pavilion(Game):
    """Azul: Summer Pavilion for 2 to 4 players, on the coloured or the plain side of the board."""

    name = "pavilion"
    title = "Azul: Summer Pavilion"
    rules_version = 1
    options: ClassVar = (
        Option("players", (2, 3, 4), "how many play"),
        Option("side", SIDES, "plain: stars without colours, and other numbers"),
    )
    kernels = kernels
    judgement = judgement
    observation = observation
    events = EVENTS
    num_outcomes = len(COLOURS)

    def __init__(self, **chosen: Any) -> None:
        super().__init__(**chosen)
        self.players = self.chosen["players"]
        self.side = SIDES.index(self.chosen["side"])
        self.notation_help = (
            "Taking: 3B takes blue from factory 3, CB from the centre.\n"
            f"{_PLACING[self.side]}\n"
            "Supply: SB takes blue from it.\n"
            "Passing: pass; then KG keeps one green tile, and so on in the order PGOYBR.\n"
            "Colours: P purple, G green, O orange, Y yellow, B blue, R red."
        )
        self.num_actions = 1 + notation.join(notation.Keep(len(COLOURS) - 1), self.players, self.side)

    @property
    def option_codes(self) -> Array:
        return np.array([self.players, self.side], np.int64)

    # --- text ---

    def print_action(self, index: int) -> str:
        return notation.print_action(index, self.players, self.side)

    def parse_action(self, text: str) -> int:
        return notation.parse_action(text, self.players, self.side)

    def say_action(self, index: int) -> str:
        return notation.say_action(index, self.players, self.side)

    def path(self, index: int) -> tuple[str, ...]:
        return notation.path(index, self.players, self.side)

    def explain(self, state: State, index: int) -> str:
        return notation.explain(state.record, index)

    def say_event(self, event: Event) -> str | None:
        return notation.say_event(event, self.side)

    def print_draws(self, outcomes: Sequence[int]) -> str:
        return notation.print_draws(outcomes)

    def parse_draws(self, text: str) -> tuple[int, ...]:
        return notation.parse_draws(text)

    def explain_draw(self, state: State, drawn: int) -> str:
        if not state.awaits_draw:
            return "nothing is to be drawn here"
        record = state.record
        full = record.stock == SUPPLY_SPACES
        where = f"factory {1 + record.dealt // TILES_OF_A_FACTORY}" if full else "the supply"
        bag = notation.TILES.print_tiles(record.bag)
        return f"the bag has no {COLOURS[drawn]} tile left for {where}; it holds {bag}"

    def print_state(self, state: State) -> str:
        return notation.print_state(state.fields)

    @classmethod
    def parse_state(cls, text: str) -> tuple[Game, Array]:
        array = notation.parse_state(text)
        record = array[0]
        return cls(players=int(record.players), side=SIDES[record.plain]), array

    def show(self, state: State, names: Sequence[str]) -> RenderableType:
        return terminal.show(self, state, names)

    def draw(
        self,
        state: State,
        names: Sequence[str] = (),
        viewer: int | None = None,
        theme: str = "light",
        layout: str = "wide",
        styled: bool = True,
    ) -> str:
        return drawing.draw(state, Look.of(state, names, viewer, theme, layout, styled))

    # --- at a table ---

    def ask(self, state: State) -> str:
        return hand.ask(state)

    def picks(self, state: State, index: int) -> tuple[Pick, ...]:
        return hand.picks(state, index)

    def preview(self, state: State, index: int, projected: int) -> Preview:
        return hand.preview(self, state, index, projected)

    def notice(self, state: State) -> str:
        return hand.notice(state)

    def points_of(self, event: Event) -> tuple[str, int, int] | None:
        return hand.points_of(event)

    def steps(self, state: State, events: Sequence[Event]) -> list[Step]:
        return list(hand.steps(self, state, events))

    # --- results ---

    def round_of(self, state: State) -> int:
        return int(state.fields.round_no)

    def winners(self, state: State) -> tuple[int, ...]:
        """Most points; tied players share the victory."""
        scores = self.scores(state)
        return tuple(seat for seat in range(self.players) if scores[seat] == max(scores))

    # --- data ---

    def to_dict(self, state: State) -> dict[str, Any]:
        record = state.fields
        return {
            "game": self.name,
            **self.chosen,
            "round": int(record.round_no),
            "wild": COLOURS[RULES.wild_colour(record)],
            "phase": notation.PHASES[int(record.phase)],
            "seat": state.seat,
            "to_choose": int(record.picks),
            "start": int(record.start),
            "token_in_centre": bool(record.token),
            "supply": _counts(record.supply),
            "factories": [_counts(record.source[1 + k]) for k in range(FACTORIES[self.players])],
            "centre": _counts(record.source[kernels.CENTRE]),
            "bag": _counts(record.bag),
            "tower": _counts(record.tower),
            "boards": [self._board(record, seat) for seat in range(self.players)],
        }

    def _board(self, record: Any, seat: int) -> dict[str, Any]:
        keeping = record.phase == kernels.KEEP and record.seat == seat
        return {
            "score": int(record.score[seat]),
            "tiles": _counts(record.hand[seat]),
            "kept": _counts(record.kept) if keeping else {},
            "passed": bool(record.passed >> seat & 1),
            "stars": {
                name: [None if colour is None else COLOURS[colour] for colour in star]
                for name, star in zip(STAR_NAMES[self.side], notation.colours_on(record, seat), strict=True)
            },
        }

    def check(self, state: State) -> str | None:
        return next(_impossibilities(state.record, self), None)


def _counts(tiles: int) -> dict[str, int]:
    found = zip(COLOURS, notation.TILES.counts(tiles), strict=True)
    return {name: count for name, count in found if count}


def _impossibilities(record: Any, game: Pavilion) -> Iterator[str]:
    """Everything that is wrong with a position, in words."""
    if record.players != game.players or record.plain != game.side:
        yield "the options are not the game's"
    if not 1 <= record.round_no <= ROUNDS:
        yield f"there is no round {record.round_no}"
    for what, seat in (("seat", record.seat), ("start", record.start)):
        if not 0 <= seat < game.players:
            yield f"{what} {seat} does not exist: seats are 0 to {game.players - 1}"
    for seat in range(game.players):
        yield from _impossible_board(record, seat)
    for seat in range(game.players, MOST_PLAYERS):
        if any((record.filled[seat], record.open[seat], record.hand[seat], record.score[seat], *record.tile[seat])):
            yield f"seat {seat} does not play"
    yield from _impossible_tiles(record)
    yield from _impossible_round(record, game)
    yield from _impossible_phase(record, game)


def _impossible_board(record: Any, seat: int) -> Iterator[str]:
    if record.score[seat] < LEAST_SCORE:
        yield f"the score of seat {seat} is below {LEAST_SCORE}"
    most = FIRST_SCORE
    filled = int(record.filled[seat])
    for star, found in enumerate(notation.colours_on(record, seat)):
        colours = [colour for colour in found if colour is not None]
        where = f"the {STAR_NAMES[record.plain][star]} star of seat {seat}"
        if notation.has_colour(record.plain, star):
            if any(COLOURS[colour] != STAR_NAMES[COLOURED][star] for colour in colours):
                yield f"{where} has a tile of another colour"
        elif len(set(colours)) < len(colours) and not (record.plain and len(set(colours)) == 1):
            yield f"{where} has one of several colours twice"
        most += sum(range(1, len(colours) + 1))
        if record.phase == kernels.ENDED:
            most += int(RULES.star_bonus(RULES.ring_of(filled, star), int(record.tile[seat, star])))
    if record.phase == kernels.ENDED:
        most += sum(int(RULES.number_bonus(record.plain, filled, number)) for number in range(1, len(NUMBER_BONUS)))
    if record.score[seat] > most:
        yield f"the tiles of seat {seat} can have scored at most {most}"
    if record.filled[seat] != notation.filled(record, seat):
        yield f"the filled rhombi of seat {seat} are wrong"
    if record.open[seat] != notation.open_colours(record, seat):
        yield f"the colours that the stars of seat {seat} take are wrong"


def _impossible_tiles(record: Any) -> Iterator[str]:
    places = (*record.source, *record.hand, record.bag, record.tower, record.supply, record.kept)
    placed = [c for seat in range(record.players) for star in notation.colours_on(record, seat) for c in star]
    for colour, (name, *found) in enumerate(zip(COLOURS, *map(notation.TILES.counts, places), strict=True)):
        count = sum(found) + placed.count(colour)
        if count != TILES_OF_A_COLOUR:
            yield f"there are {count} {name} tiles; there must be {TILES_OF_A_COLOUR}"
    factories = FACTORIES[int(record.players)]
    sizes = [notation.TILES.total(tiles) for tiles in record.source[1 : 1 + factories]]
    if max(sizes) > TILES_OF_A_FACTORY:
        yield f"a factory holds more than {TILES_OF_A_FACTORY} tiles"
    if any(record.source[1 + factories :]):
        yield "there are tiles on factories that are not in play"
    if record.stock != notation.TILES.total(record.supply) or record.stock > SUPPLY_SPACES:
        yield f"the supply holds {record.stock} tiles; it has {SUPPLY_SPACES} spaces"
    if record.left != notation.tiles_left(record):
        yield "the number of tiles left to take is wrong"


def _impossible_round(record: Any, game: Pavilion) -> Iterator[str]:
    """What does not go together with the part of the round that is being played."""
    before = record.phase in (kernels.DEAL, kernels.TAKE)
    during = record.phase in (kernels.REFILL, kernels.DECORATE, kernels.BONUS, kernels.KEEP)
    if record.phase == kernels.DEAL and not record.token:
        yield "the start token lies in the centre during a deal"
    if not before and record.token:
        yield "the start token lies in the centre, but the taking is over"
    if not before and record.left:
        yield "tiles are left to take, but the taking is over"
    if record.passed and not during:
        yield "somebody has passed, but nobody is decorating"
    if record.passed >> game.players:
        yield "somebody has passed who does not play"
    if during and bool(record.passed >> record.seat & 1) != (record.phase == kernels.KEEP):
        yield f"seat {record.seat} cannot both go on and have passed"
    if record.phase in (kernels.DEAL, kernels.ENDED) and record.seat != record.start:
        yield "nobody is to act, so the seat is the start player's"
    if record.phase != kernels.DEAL and record.dealt:
        yield "tiles have been dealt outside a deal"
    if record.phase != kernels.KEEP and record.kept:
        yield "tiles are being kept, but nobody has passed"
    if record.phase not in (kernels.BONUS, kernels.KEEP) and record.picks:
        yield "there is nothing to choose"
    if record.phase in (kernels.TAKE, kernels.DECORATE, kernels.KEEP):
        if record.stock < SUPPLY_SPACES and (record.bag or record.tower):
            yield "the supply is not full, but there are tiles to fill it with"
    if before and record.round_no == 1 and (any(record.filled) or record.tower):
        yield "a tile has been placed or lost before the first decorating"
    for seat in range(game.players):
        done = record.phase in (kernels.DEAL, kernels.ENDED) or record.passed >> seat & 1
        if done and not (record.phase == kernels.KEEP and record.seat == seat):
            if notation.TILES.total(record.hand[seat]) > MOST_KEPT:
                yield f"seat {seat} has passed with more than {MOST_KEPT} tiles"


def _impossible_phase(record: Any, game: Pavilion) -> Iterator[str]:
    match int(record.phase):
        case kernels.DEAL:
            yield from _impossible_deal(record, game)
        case kernels.TAKE:
            yield from _impossible_taking(record, game)
        case kernels.BONUS:
            yield from _impossible_bonus(record)
        case kernels.KEEP:
            yield from _impossible_keeping(record)
        case kernels.REFILL if not record.bag or record.stock == SUPPLY_SPACES:
            yield "nothing can be laid on the supply here"
        case kernels.ENDED if record.round_no != ROUNDS:
            yield f"the game ends after round {ROUNDS}"


def _impossible_deal(record: Any, game: Pavilion) -> Iterator[str]:
    sizes = [notation.TILES.total(tiles) for tiles in record.source[1 : 1 + FACTORIES[game.players]]]
    full, part = divmod(sum(sizes), TILES_OF_A_FACTORY)
    if sizes != ([4] * full + [part] * (full < len(sizes)) + [0] * len(sizes))[: len(sizes)]:
        yield "factories are filled one after another"
    if record.dealt != sum(sizes):
        yield "the number of tiles dealt is wrong"
    if record.dealt and record.stock < SUPPLY_SPACES:
        yield "factories are filled after the supply"
    if record.source[kernels.CENTRE]:
        yield "the centre holds nothing but the start token during a deal"
    if not record.bag or full == len(sizes):
        yield "nothing can be dealt here"
    if record.round_no == 1 and (any(record.hand) or set(record.score[: game.players]) != {FIRST_SCORE}):
        yield f"everybody begins without tiles and with a score of {FIRST_SCORE}"


def _impossible_taking(record: Any, game: Pavilion) -> Iterator[str]:
    if not record.left:
        yield "no tile is left to take, but the taking goes on"
    if record.stock < SUPPLY_SPACES:
        yield "factories are filled after the supply"
    sizes = [notation.TILES.total(tiles) for tiles in record.source[1 : 1 + FACTORIES[game.players]]]
    for factory, size in enumerate(sizes):
        if size % TILES_OF_A_FACTORY and (record.bag or record.tower or any(sizes[factory + 1 :])):
            yield f"factory {factory + 1} holds {size} tiles, but there were more to fill it with"


def _impossible_bonus(record: Any) -> Iterator[str]:
    seat = int(record.seat)
    if not 1 <= record.picks < record.stock or RULES.is_single(RULES.colours_in(record.supply)):
        yield "the supply leaves nothing to choose"
    if not any(record.filled[seat] & border == border for border in kernels.BORDER):
        yield f"seat {seat} has surrounded nothing"


def _impossible_keeping(record: Any) -> Iterator[str]:
    if record.round_no == ROUNDS:
        yield "in the last round there is nothing to choose when passing"
    if record.picks != MOST_KEPT - notation.TILES.total(record.kept) or record.picks < 1:
        yield f"{MOST_KEPT} tiles are kept"
    elif RULES.is_single(RULES.keepable(record)):
        yield f"seat {record.seat} has no choice of tiles to keep"
