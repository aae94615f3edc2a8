"""A game: its options, and one method for each function of its modules."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from .action import Action
from .chance import Chance
from .errors import IllegalDraw, OptionError
from .events import Event, Events
from .fields import layout_of
from .hand import Closed, Offer, Pick, Preview, Prospect, Shared, Step, Thing, Together, read_things
from .language import _
from .lessons import Lesson, Tip, read_lessons, read_tips
from .modules import Modules
from .rules import Rules, rules_of
from .state import State
from .values import seat_of, whole

if TYPE_CHECKING:
    from numpy.random import Generator
    from rich.console import RenderableType

    from .compiled import Array


@dataclass(frozen=True)
class Option:
    """One option of a game: its name, the values it can have, the first of them by default."""

    name: str
    choices: tuple[Any, ...]
    about: str

    def check(self, value: Any) -> Any:
        """The value, if it is one of the choices."""
        for choice in self.choices:
            if value == choice and type(value) is type(choice):
                return choice
        allowed = ", ".join(map(repr, self.choices))
        raise OptionError(f"{self.name}={value!r} is not possible: {self.name} is one of {allowed}")

    def read(self, text: str) -> Any:
        """The value that `str(value)` wrote."""
        for choice in self.choices:
            if str(choice) == text:
                return choice
        return self.check(text)


class Game(ABC):
    """The rules of a game with their options. A value: games of the same name and options are equal.

    A game is a subclass with the class attributes below, `num_actions`, `winners`, and its modules, of which
    `core/modules.py` has the list. The methods here ask the modules.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    options: ClassVar[tuple[Option, ...]]
    modules: ClassVar[Modules]
    num_outcomes: ClassVar[int]  # outcomes of draws are the integers below it
    chosen: Mapping[str, Any]  # the options

    def __init__(self, **chosen: Any) -> None:
        names = [option.name for option in self.options]
        for name in chosen:
            if name not in names:
                raise OptionError(f"{self.name} has no option {name!r}; it has {', '.join(names)}")
        values = {option.name: option.check(chosen.get(option.name, option.choices[0])) for option in self.options}
        self.__dict__["chosen"] = MappingProxyType(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a game is a value: its {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a game is a value: its {name} cannot be deleted")

    @classmethod
    def read(cls, texts: Iterable[tuple[str, str]]) -> "Game":
        """The game with options by name, as `str(value)` writes them; those not given have their defaults."""
        options = {option.name: option for option in cls.options}
        return cls(**{name: options[name].read(text) if name in options else text for name, text in texts})

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.chosen.items())
        return f"azulejos.make({self.name!r}{options})"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Game) and self.name == other.name and self.chosen == other.chosen

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, *self.chosen.values()))

    def __reduce__(self) -> tuple[object, ...]:
        return _remake, (type(self), dict(self.chosen))  # nothing cached: strings hash differently in each process

    @cached_property
    def chosen_texts(self) -> dict[str, str]:
        """The options as text, as in records and logs. Do not modify."""
        return {name: str(value) for name, value in self.chosen.items()}

    @property
    def slug(self) -> str:
        """The game and its options as a file name."""
        words = " ".join([self.name, *map(str, self.chosen.values())])
        return "-".join("".join(letter if letter.isalnum() else " " for letter in words).split())

    @classmethod
    def variants(cls) -> "Iterator[Game]":
        """The game with every combination of its options, for tests, benchmarks and menus."""
        for values in product(*(option.choices for option in cls.options)):
            yield cls(**{option.name: value for option, value in zip(cls.options, values, strict=True)})

    # --- each game's own ---

    @property
    @abstractmethod
    def num_actions(self) -> int:
        """The number of actions, which are the integers below it."""

    @abstractmethod
    def winners(self, state: State) -> tuple[int, ...]:
        """The seats that have won a finished game, several if they share the victory."""

    @property
    def players(self) -> int:
        """How many play: the option of that name, unless a game says otherwise."""
        players = self.chosen["players"]
        assert isinstance(players, int)
        return players

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """The options as integers for `setup`, the number of players first.

        Unless a game says otherwise: an integer is itself, another value its place among the choices.
        """
        return tuple(
            value if isinstance(value, int) else option.choices.index(value)
            for option, value in zip(self.options, self.chosen.values(), strict=True)
        )

    # --- its rules ---

    @property
    def kernels(self) -> ModuleType:
        """The rules (see `core/kernels.py`)."""
        return self.modules.kernels

    @property
    def judgement(self) -> ModuleType | None:
        """The evaluation for the search (see `core/kernels.py`)."""
        found: ModuleType | None = self.modules.find("judgement", "WEIGHTS")
        return found

    @property
    def observation(self) -> ModuleType | None:
        """The observation spec and rules for environments (see `core/kernels.py`)."""
        found: ModuleType | None = self.modules.find("observation", "SPEC")
        return found

    @cached_property
    def rules(self) -> Rules:
        """The rules over positions as bytes. Unchecked: states ask them after checking."""
        return rules_of(self)

    # --- for code that works on arrays: players, environments, benchmarks ---

    @property
    def entry_points(self) -> SimpleNamespace:
        """The compiled functions over `(states, i, …)`. Unchecked."""
        found: SimpleNamespace = _compiled().bound(self.kernels, self.name)
        return found

    @property
    def option_codes(self) -> "Array":
        """The options as the kernels' `setup` takes them: int64 [number of options]."""
        found: Array = _compiled().option_codes(self)
        return found

    def empty(self, count: int = 1) -> "Array":
        """Room for `count` positions: [count] of the game's structured type, all zero."""
        found: Array = _compiled().empty(self, count)
        return found

    def actions_buffer(self) -> "Array":
        """Room for a list of legal actions: int16 [num_actions + 8]."""
        found: Array = _compiled().actions_buffer(self)
        return found

    def compile(self) -> None:
        """Compile the rules now, or load them from disk: otherwise that happens when they are first called."""
        _compiled().compile_entry_points(self)

    # --- playing ---

    def start(
        self,
        seed: "int | Generator | Chance | None" = None,
        first: int | None = None,
        draws: str | Sequence[int] | None = None,
    ) -> State:
        """A new game.

        `seed`: an integer, a NumPy generator or a `Chance`, from which everything that is drawn will be drawn; the
        system's entropy if None. `first`: the start player; drawn if None. `draws`: the first deal, as text or
        outcomes; then nothing is random unless a seed is given too.
        """
        chance = None if draws is not None and seed is None else Chance.of(seed)
        if first is None:
            if chance is None:
                first = 0
            else:
                first, chance = chance.below(self.players)
        waiting = self.lay_out(first)
        return waiting.with_chance(chance).deal(draws)

    def lay_out(self, first: int) -> State:
        """A new game before anything is drawn. `first`: the start player."""
        return State(self, self.rules.lay_out(seat_of(first, self.players, "first")))

    def action(self, action: Action | str | int) -> Action:
        """An action from its text or its integer."""
        if isinstance(action, Action):
            if action.game is not self and action.game != self:
                raise OptionError(f"{action} is an action of {action.game!r}, not of {self!r}")
            return action
        if isinstance(action, str):
            return Action(self, self.parse_action(action))
        index = whole(action, "action", "an Action, a text or an integer")
        if not 0 <= index < self.num_actions:
            raise OptionError(f"action {index} does not exist: actions of {self!r} are 0 to {self.num_actions - 1}")
        return Action(self, index)

    @property
    def texts(self) -> tuple[str, ...]:
        """All actions in the notation, by index."""
        return _texts(self)

    @property
    def events(self) -> Events:
        """The kinds of events that the rules tell."""
        return getattr(self.modules.find("tables"), "EVENTS", _NO_EVENTS)

    def story(self, state: State, action: Action | str | int | None, draws: Sequence[int] = ()) -> list[Event]:
        """The events of an action and the `draws` after it, in order; the state is not changed.

        The same rules run uncompiled, on plain integers.
        """
        index, event = None if action is None else self.action(action).index, self.events.event
        return [event(*told) for told in self.rules.story(state.position, index, draws)]

    # --- text ---

    @property
    def notation_help(self) -> str:
        """How actions are written, in a few lines, for the terminal's help."""
        found = self.modules.function("notation", "help")
        words: str = found(self) if found else getattr(self.modules.notation, "HELP", "")
        return words

    def print_action(self, index: int) -> str:
        """An action in the notation."""
        return self.modules.notation.print_action(self, index)

    def parse_action(self, text: str) -> int:
        """The inverse of print_action; TextError for anything else."""
        return self.modules.notation.parse_action(self, text)

    def say_action(self, index: int) -> str:
        """An action in words."""
        return self.modules.notation.say_action(self, index)

    def path(self, index: int) -> tuple[str, ...]:
        """The places that a player touches, in order."""
        return self.modules.notation.path(self, index)

    def explain(self, state: State, index: int) -> str:
        """Why an action that is not legal here is not, and what would be."""
        return self.modules.notation.explain(state, index)

    def say_event(self, event: Event) -> str | None:
        """An event in words; None where the action's own words are enough."""
        return self.modules.notation.say_event(self, event)

    def print_draws(self, outcomes: Sequence[int]) -> str:
        """Draws as text."""
        return self.modules.notation.print_draws(self, outcomes)

    def parse_draws(self, text: str) -> tuple[int, ...]:
        """The inverse of print_draws; TextError for anything else."""
        return self.modules.notation.parse_draws(self, text)

    def explain_draw(self, state: State, drawn: int) -> str:
        """Why an outcome cannot be drawn here."""
        if not state.awaits_draw:
            return "nothing is to be drawn here"
        return self.modules.notation.explain_draw(state, drawn)

    def print_state(self, state: State) -> str:
        """A position in one line, the game's name first."""
        return self.modules.position.print_state(state.fields)

    @classmethod
    def parse_state(cls, text: str) -> "tuple[Game, bytes]":
        """The inverse of print_state: the game and the position as bytes; TextError for anything else."""
        options, fields = cls.modules.position.parse_state(text)
        return cls(**options), layout_of(cls.modules.kernels).pack(fields)

    def to_dict(self, state: State) -> dict[str, Any]:
        """A position as plain data with the words of the rule page."""
        return {"game": self.name, **self.chosen, **self.modules.position.to_dict(state)}

    def check(self, state: State) -> str | None:
        """What is impossible about a position, or None: tiles, capacities, scores, and derived fields."""
        return next(iter(self.modules.possible.impossibilities(state.fields, self.codes)), None)

    def show(self, state: State, names: Sequence[str]) -> "RenderableType":
        """A position for the terminal, readable without colour. `names`: of the players, by seat."""
        return self.modules.terminal.show(state, names)

    def draw(
        self,
        state: State,
        names: Sequence[str] = (),
        viewer: int | None = None,
        theme: str = "light",
        layout: str = "wide",
        styled: bool = True,
    ) -> str:
        """A position as a self-contained SVG picture; `docs/drawing.md` has the ids of its places.

        `names`: of the players, by seat. `viewer`: the seat whose board comes first, seat 0 if None. `theme`: "light",
        "dark", or "auto" for the reader's system setting. `layout`: see docs/drawing.md. `styled`: False
        leaves out the picture's styles, for a page that has them (`azulejos.drawing.theme.stylesheet()`).
        """
        return str(self.picture(state, names=names, viewer=viewer, theme=theme, layout=layout, styled=styled))

    def picture(self, state: State, **how: Any) -> object:
        """The same before it is text: a `drawing.scene.Picture` where the game has its pictures in parts. `how`: all
        parameters of `draw`."""
        return self.modules.drawing.picture(state, **how)

    # --- at a table: for a page that knows no rule ---

    def ask(self, state: State) -> str:
        """The prompt for the seat to act."""
        found = self.modules.function("hand", "ask")
        return found(state) if found else _("choose what to do")

    def picks(self, state: State, index: int) -> tuple[Pick, ...]:
        """The picks of an action that is legal here; by default its path."""
        if found := self.modules.function("hand", "picks"):
            return tuple(found(state, index))
        words = self.say_action(index)
        return tuple(Pick(place, words) for place in self.path(index))

    def other_picks(self, state: State, index: int) -> list[tuple[Pick, ...]]:
        """Other picks that make the same action; by default none."""
        found = self.modules.function("hand", "other_picks")
        return list(found(state, index)) if found else []

    def together(self, state: State) -> list[Together]:
        """What may be picked in any order instead of action by action; by default nothing."""
        found = self.modules.function("hand", "together")
        return list(found(state)) if found else []

    def closed(self, state: State) -> list[Closed]:
        """Places that cannot be picked, and why; by default none."""
        found = self.modules.function("hand", "closed")
        return list(found(state)) if found else []

    def previews(self, state: State) -> list[Preview]:
        """The previews of all legal actions, in the order of `state.actions`."""
        found = zip(self.options_of(state), self.rules.try_actions(state.position), strict=True)
        return [replace(preview.it, projected=projected) for (_picks, preview), projected in found]

    def options_of(self, state: State) -> list[Offer]:
        """The picks and the preview of every legal action, in the order of `state.actions`; the projected scores are 0.

        By default what `picks` and `preview` say. A game that does it at once should return the same objects for the
        same picks of an action and the same previews: what is made of them is then made once.
        """
        if found := self.modules.function("hand", "options"):
            return list(found(state))
        indices = state.actions.indices
        return [(Shared(self.picks(state, index)), Shared(self.preview(state, index, 0))) for index in indices]

    def preview(self, state: State, index: int, projected: int) -> Preview:
        """The preview of a legal action, given its projected score; by default its events in words."""
        if found := self.modules.function("hand", "preview"):
            preview: Preview = found(state, index, projected)
            return preview
        told = [self.say_event(event) for event in self.story(state, index)]
        return Preview(" · ".join(words for words in told if words), projected)

    def say_move(self, state: State, index: int) -> str:
        """An action in a position, in words: how many tiles as well; by default the action's own words."""
        found = self.modules.function("hand", "say_move")
        return found(state, index) if found else self.say_action(index)

    def gain(self, state: State, index: int, after: State | None = None) -> int:
        """What a legal action gives the seat that acts; by default by how much it changes the projected score. `after`:
        the position that it led to, where that is known."""
        assert state.seat is not None
        if found := self.modules.function("hand", "gain"):
            points: int = found(state, index)
            return points
        if after is None or after.drawn:
            after = State(self, self.rules.play(state.position, index))
        return after.projected[state.seat] - state.projected[state.seat]

    def notice(self, state: State) -> str:
        """A remark about the position for everybody, such as that this is the last round."""
        found = self.modules.function("hand", "notice")
        return found(state) if found else ""

    def points_of(self, event: Event) -> tuple[str, int, int] | None:
        """What an event scored: the kind of points in words, the seat, and how many; None if nothing."""
        found = self.modules.function("hand", "points_of")
        return found(event) if found else None

    def prospects(self, state: State, seat: int) -> list[Prospect]:
        """What the position promises a seat besides its points; by default nothing."""
        found = self.modules.function("prospects", "prospects")
        return list(found(state, seat)) if found else []

    def effects(self, state: State, index: int) -> list[Prospect]:
        """What a legal action does at once, good or bad for the seat that acts; by default its events in words."""
        if found := self.modules.function("prospects", "effects"):
            return list(found(state, index))
        told = [(event.kind, self.say_event(event)) for event in self.story(state, index)]
        return [Prospect(kind, words, 1.0) for kind, words in told if words]

    def steps(self, state: State, events: Sequence[Event]) -> list[Step]:
        """The steps of an animation; by default one for each event, in words. Several events may be one step."""
        if found := self.modules.function("hand", "steps"):
            return list(found(state, events))
        return [Step(self.say_event(event), event.values.get("seat")) for event in events]

    def steps_to(self, state: State, index: int, after: State) -> list[Step] | None:
        """The same of an action that draws nothing, where it can be seen from the position after it; else None."""
        found = self.modules.function("hand", "steps_to")
        return found(state, index, after) if found else None

    # --- what a seat may know ---

    def secret(self, index: int) -> str | None:
        """The text that other seats get instead of a secret action; None if it is open."""
        found = self.modules.function("hand", "secret")
        return found(self, index) if found else None

    @classmethod
    def hides(cls) -> bool:
        """Does the game have hidden information?"""
        return cls.modules.function("kernels", "hide") is not None

    # --- what is said about the game to people ---

    @classmethod
    def sentence(cls) -> str:
        """The game in a sentence; by default its title."""
        return _(getattr(cls.modules.find("about"), "SENTENCE", cls.title))

    @classmethod
    def say_option(cls, name: str) -> str:
        """An option in words; by default its name."""
        words = getattr(cls.modules.find("about"), "OPTIONS", {}).get(name)
        return _(words) if words else name

    @classmethod
    def say_choice(cls, value: Any) -> str:
        """A value of an option in words; by default as it is written."""
        if found := cls.modules.function("about", "say_choice"):
            return str(found(value))
        words = getattr(cls.modules.find("about"), "CHOICES", {}).get(str(value))
        return _(words) if words else str(value)

    @classmethod
    def objects(cls) -> tuple[Thing, ...]:
        """What lies on the table, for people who ask what it is; of several that fit a place, the first is meant.

        From the file `objects.toml` in the game's folder; without one, nothing.
        """
        file = cls.modules.file("objects.toml")
        return read_things(file) if file else ()

    @classmethod
    @cache
    def lessons(cls) -> tuple[Lesson, ...]:
        """A guided first game, from the file `lessons.toml` in the game's folder; without one, nothing."""
        file = cls.modules.file("lessons.toml")
        return read_lessons(file) if file else ()

    @classmethod
    @cache
    def tips(cls) -> tuple[Tip, ...]:
        """What a coach says, from the file `tips.toml` in the game's folder; without one, nothing."""
        file = cls.modules.file("tips.toml")
        return read_tips(file) if file else ()

    def tip(self, state: State, index: int) -> tuple[Tip, Prospect] | None:
        """What a coach says of a legal action: the first of the tips that fits one of its effects, with that effect.

        Of the only action, nothing.
        """
        effects = self.effects(state, index) if self.tips() and len(state.actions) > 1 else []
        return next(((tip, effect) for tip in self.tips() for effect in effects if tip.fits(effect)), None)

    @classmethod
    def emblem(cls) -> str | None:
        """The game's emblem as SVG, if it has one."""
        found = cls.modules.function("about", "emblem")
        return found() if found else None

    @classmethod
    def example(cls) -> tuple[str, str] | None:
        """A position and an action in it that show the game, as text, if there are any."""
        return getattr(cls.modules.find("about"), "EXAMPLE", None)

    # --- results ---

    def round_of(self, state: State) -> int:
        """The number of the round, from 1."""
        round_no: int = state.fields.round_no
        return round_no

    def scores(self, state: State) -> tuple[int, ...]:
        """The scores by seat."""
        return tuple(state.fields.score[: self.players])

    # --- draws ---

    def refuse_draw(self, state: State, drawn: int) -> IllegalDraw:
        return IllegalDraw(self.explain_draw(state, drawn), str(state))

    def read_draws(self, draws: str | Sequence[int]) -> tuple[int, ...]:
        """Outcomes from their text, or as they are."""
        if isinstance(draws, str):
            return self.parse_draws(draws)
        if not isinstance(draws, Iterable):
            raise OptionError(f"draws={draws!r} is not possible: draws are a text, or integers")
        allowed = f"an integer from 0 to {self.num_outcomes - 1}"
        outcomes = tuple(whole(drawn, "draw", allowed) for drawn in draws)
        for drawn in outcomes:
            if not 0 <= drawn < self.num_outcomes:
                raise OptionError(f"draw={drawn} is not possible: draw is {allowed}")
        return outcomes


_NO_EVENTS = Events()


def _remake(kind: type[Game], chosen: dict[str, Any]) -> Game:
    return kind(**chosen)


@cache
def _texts(game: Game) -> tuple[str, ...]:
    return tuple(map(game.print_action, range(game.num_actions)))


def _compiled() -> ModuleType:
    """The module of the compiled rules, imported when it is first used: it needs NumPy and Numba."""
    from . import compiled

    return compiled
