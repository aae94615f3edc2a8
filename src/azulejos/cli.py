"""The command `azulejos`."""

import argparse
import logging
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

import azulejos as az
from azulejos import bench, terminal
from azulejos.arena import commands as arena
from azulejos.arena.workers import processes
from azulejos.baselines import commands as baselines
from azulejos.core.errors import AzulejosError, OptionError
from azulejos.core.game import Game, Option
from azulejos.core.language import LANGUAGES, speaking, system_language
from azulejos.core.record import Record
from azulejos.core.registry import registered
from azulejos.drawing.film import gif
from azulejos.drawing.png import png
from azulejos.drawing.theme import THEMES
from azulejos.players import PLAYERS, Player, named, outside, player
from azulejos.puzzles import commands as puzzles
from azulejos.review import commands as reviewing
from azulejos.server.running import commands as server
from azulejos.warming import warm


def main(arguments: Sequence[str] | None = None) -> int:
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    importing = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    importing.add_argument(
        "--import",
        dest="modules",
        action="append",
        default=[],
        metavar="MODULE",
        help="import a module that registers a game or a player; it may be in the current folder",
    )
    try:
        first, arguments = importing.parse_known_args(arguments)
        outside.bring(first.modules, {})  # before the commands list what is registered
        return _run(arguments, importing)
    except (AzulejosError, OSError) as error:
        print(f"azulejos: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _run(arguments: Sequence[str], importing: argparse.ArgumentParser) -> int:
    parser = argparse.ArgumentParser(prog="azulejos", description=az.__doc__, parents=[importing])
    parser.add_argument("--version", action="version", version=f"azulejos {az.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    server.add(commands)
    _add_play(commands)
    _add_draw(commands)
    arena.add(commands)
    reviewing.add(commands)
    puzzles.add(commands)
    baselines.add(commands)
    _add_bench(commands)
    _add_compile(commands)
    chosen = parser.parse_args(arguments)
    result = chosen.run(chosen)
    assert isinstance(result, int)
    return result


def _add_game_options(parser: argparse.ArgumentParser, options: Sequence[Option]) -> None:
    for option in options:
        choices = " | ".join(map(str, option.choices))
        parser.add_argument(f"--{option.name}", metavar="VALUE", help=f"{option.about}: {choices} (default: the first)")


def _chosen_game(kind: type[Game], chosen: argparse.Namespace) -> Game:
    given = [(option.name, getattr(chosen, option.name)) for option in kind.options]
    return kind.read((name, text) for name, text in given if text is not None)


# --- play ---


def _add_play(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    play = commands.add_parser("play", help="play at the terminal", description="Play a game at the terminal.")
    by_game = play.add_subparsers(dest="game", metavar="GAME", required=True)
    for name, kind in registered().items():
        parser = by_game.add_parser(name, help=kind.title, description=f"Play {kind.title} at the terminal.")
        _add_game_options(parser, kind.options)
        seats = ", ".join(["person", *PLAYERS])
        parser.add_argument(
            "--seats",
            metavar="WHO,WHO",
            help=f"the player at each seat, from seat 0: {seats} (default: you against greedy players)",
        )
        parser.add_argument(
            "--program", action="append", default=[], metavar="NAME=COMMAND", help="an external player, for --seats"
        )
        parser.add_argument("--names", metavar="NAME,NAME", help="the players' names, from seat 0")
        parser.add_argument("--seed", type=int, help="of the deals and the computer players (default: random)")
        parser.add_argument("--first", type=int, metavar="SEAT", help="the start player (default: random)")
        parser.add_argument("--load", type=Path, metavar="FILE", help="continue a record")
        parser.add_argument("--save", type=Path, metavar="FILE", help="where to save the record")
        parser.add_argument(
            "--language", choices=LANGUAGES, metavar="LANGUAGE", help=f"{', '.join(LANGUAGES)} (default: the system's)"
        )
        parser.set_defaults(run=_play, kind=kind)


def _play(chosen: argparse.Namespace) -> int:
    outside.bring((), outside.read_programs(chosen.program))
    if chosen.load:
        record = Record.load(chosen.load)
        if not isinstance(record.game, chosen.kind):
            raise OptionError(f"{chosen.load} is a record of {record.game.title}, not of {chosen.kind.title}")
    else:
        game = _chosen_game(chosen.kind, chosen)
        record = Record(game.start(seed=chosen.seed, first=chosen.first), _names(chosen, game))
    players = _players(chosen.seats, record.game, chosen.seed)
    file = chosen.save or chosen.load or terminal.default_file(record.game.name)
    with speaking(chosen.language or system_language()):
        names = terminal.say_names(record.names, _seats(chosen.seats, record.game))
        terminal.TerminalTable(record, players, Console(), file, names).run()
    return 0


def _seats(text: str | None, game: Game) -> list[str]:
    seats = text.split(",") if text else ["person"] + ["greedy"] * (game.players - 1)
    if len(seats) != game.players:
        raise OptionError(f"--seats names {len(seats)} players for a game of {game.players}")
    for seat in seats:
        if seat != "person":
            player(seat.partition("@")[0])
    return seats


def _names(chosen: argparse.Namespace, game: Game) -> list[str]:
    if chosen.names:
        return [name.strip() for name in str(chosen.names).split(",")]
    seats = _seats(chosen.seats, game)
    return [f"player {seat + 1}" if who == "person" else who for seat, who in enumerate(seats)]


def _players(text: str | None, game: Game, seed: int | None) -> list[Player | None]:
    return [
        None if who == "person" else named(who, None if seed is None else (seed + seat) % 2**64)
        for seat, who in enumerate(_seats(text, game))
    ]


# --- draw ---


def _add_draw(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "draw",
        help="draw a position, or a record as an animation",
        description="Draw a position, or the last position of a record, as .svg or .png; a whole record as .gif.",
    )
    parser.add_argument("position", metavar="POSITION", help="a position as text, or a record as text or a file")
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="a .svg, .png or .gif file, or - to print the SVG"
    )
    parser.add_argument(
        "--seconds", type=float, default=0.8, metavar="SECONDS", help="time per position of a .gif (default: 0.8)"
    )
    parser.add_argument(
        "--width", type=int, metavar="PIXELS", help="width of a .png or .gif (default: 1280, or 390 with --phone)"
    )
    parser.add_argument(
        "--theme", choices=THEMES, default="light", help="auto follows the reader's system (default: light)"
    )
    parser.add_argument("--phone", action="store_true", help="the tall layout")
    parser.add_argument("--viewer", type=int, metavar="SEAT", help="the seat whose board comes first (default: 0)")
    parser.add_argument("--names", metavar="NAME,NAME", help="the players' names, from seat 0")
    parser.set_defaults(run=_draw)


def _draw(chosen: argparse.Namespace) -> int:
    suffix = Path(chosen.output).suffix.lower()
    if chosen.output != "-" and suffix not in (".svg", ".png", ".gif"):
        raise OptionError(f"-o {chosen.output}: a picture is a .svg, a .png or a .gif file")
    if chosen.width is not None and not 1 <= chosen.width <= 10_000:
        raise OptionError("--width is a number of pixels, at most 10000")
    names: Sequence[str] = ()
    if chosen.position.split(" ", 1)[0] in registered():
        states = [az.parse(chosen.position)]
    else:
        record = _record(chosen.position)
        states, names = list(record.states()), record.names
    if chosen.names:
        names = [name.strip() for name in chosen.names.split(",")]
    layout = "tall" if chosen.phone else "wide"
    how: dict[str, Any] = {"names": names, "viewer": chosen.viewer, "theme": chosen.theme, "layout": layout}
    if suffix == ".gif":
        Path(chosen.output).write_bytes(gif(states, chosen.seconds, chosen.width, **how))
        return 0
    picture = states[-1].game.draw(states[-1], **how)
    if chosen.output == "-":
        print(picture)
    elif suffix == ".png":
        Path(chosen.output).write_bytes(png(picture, chosen.width))
    else:
        Path(chosen.output).write_text(picture, encoding="utf-8")
    return 0


def _record(text: str) -> Record:
    """A record from its text or from a file."""
    if text.startswith("azulejos record "):
        return Record.parse(text)
    try:
        return Record.load(text)
    except OSError as error:
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        raise OptionError(
            f"{shown!r} is not a position, which begins with {', '.join(registered())}, nor a record, nor a file that "
            f"can be read ({error.strerror})"
        ) from None


# --- bench ---


def _add_bench(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("bench", help="measure the speed of the rules", description=bench.__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="which games (default: all)")
    parser.add_argument(
        "--seconds",
        type=float,
        default=2.0,
        metavar="SECONDS",
        help="per variant, on one core and again on all (default: 2)",
    )
    parser.add_argument("--players", type=int, metavar="N", help="only variants with N players (default: all)")
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON; - prints them instead of the table")
    parser.add_argument(
        "--envs", action="store_true", help="measure the environments instead, and those of other libraries"
    )
    parser.add_argument(
        "--wasm", action="store_true", help="measure the WebAssembly modules instead, beside native code; needs Node"
    )
    parser.set_defaults(run=_bench)


def _bench(chosen: argparse.Namespace) -> int:
    for name in chosen.games:
        az.make(name)  # says what there is if this is not
    if not 0 < chosen.seconds <= 3600:
        raise OptionError("--seconds is a number above 0, at most 3600")
    variants = [
        game
        for name, kind in registered().items()
        if not chosen.games or name in chosen.games
        for game in kind.variants()
        if chosen.players in (None, game.players)
    ]
    if not variants:
        raise OptionError(f"--players {chosen.players}: no such variant of {', '.join(chosen.games or registered())}")
    if chosen.envs:
        return _bench_envs(chosen, variants)
    if chosen.wasm:
        return _bench_wasm(chosen, variants)
    speeds = []
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("measuring", total=len(variants) * 5)
        for game in variants:
            options = ", ".join(f"{name} {value}" for name, value in game.chosen.items())
            progress.update(task, description=f"{game.name} ({options})")
            speeds.append(bench.measure(game, chosen.seconds, lambda: progress.advance(task)))
    if chosen.json != "-":
        Console().print(bench.table(speeds))
    if chosen.json:
        arena.write_json(bench.figures(speeds), chosen.json)
    return 0


def _bench_wasm(chosen: argparse.Namespace, variants: Sequence[Game]) -> int:
    from azulejos.wasm import speed

    speeds = [speed.measure(game, chosen.seconds) for game in variants]
    if chosen.json != "-":
        Console().print(speed.table(speeds))
    if chosen.json:
        arena.write_json({"speeds": [asdict(one) for one in speeds]}, chosen.json)
    return 0


def _bench_envs(chosen: argparse.Namespace, variants: Sequence[Game]) -> int:
    from azulejos.envs import measuring  # loads what learners need

    chosen_games = list({game.name: game for game in reversed(variants)}.values())[::-1]  # the first of each
    paces = []
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("measuring", total=len(chosen_games) + 1)
        for game in chosen_games:
            progress.update(task, description=game.name)
            paces += measuring.measure(game, chosen.seconds)
            progress.advance(task)
        progress.update(task, description="others")
        paces += measuring.peers(chosen.seconds)
        progress.advance(task)
    if chosen.json != "-":
        console = Console()
        console.print(measuring.table(paces))
        for line in measuring.comparisons(paces):
            console.print(line, highlight=False, soft_wrap=True)
    if chosen.json:
        arena.write_json(measuring.figures(paces), chosen.json)
    return 0


# --- compile ---


def _add_compile(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "compile",
        help="compile everything for this machine now",
        description="Compile the rules, the search and the batches of all games for this machine. Otherwise each is "
        "compiled when it is first used.",
    )
    parser.set_defaults(run=_compile)


def _compile(chosen: argparse.Namespace) -> int:
    with processes() as workers:
        longest_first = reversed(registered().items())
        jobs = {workers.submit(_warm, name): kind.title for name, kind in longest_first}
        for number, job in enumerate(as_completed(jobs), 1):
            job.result()
            print(f"{number} of {len(jobs)}: {jobs[job]}", flush=True)
    return 0


def _warm(name: str) -> None:
    warm(registered()[name]())


if __name__ == "__main__":
    sys.exit(main())
