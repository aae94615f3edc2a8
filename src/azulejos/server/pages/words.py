"""The texts of the page's scripts, in the current language."""

import json
from collections.abc import Iterable

from markupsafe import Markup

from azulejos.core.game import Game
from azulejos.core.language import N_, _
from azulejos.core.registry import registered

TEXTS = (
    N_("This is no file with progress."),
    N_("Puzzles: {n} solved"),
    N_("{game} · lessons {done} of {all}"),
    N_("{title} · go on with lesson {number}"),
    N_("Solve a puzzle"),
    N_("That is allowed, but the lesson asks for something else. Look at the marks."),
    N_("Once more from lesson 1"),
    N_("Look at the marks: the lesson asks for something else."),
    N_("Go on with lesson {number}"),
    N_("Analysis"),
    N_("Delete from here"),
    N_("Delete it all? Once more to be sure"),
    N_("Draw"),
    N_("Draw at random"),
    N_("Start over"),
    N_("Take off"),
    N_("The first position"),
    N_("There is no record here. A table has one when its game is over."),
    N_("the score that is expected after this line"),
    N_("{n} simulations"),
    N_("{tried} of {count} tried, {found} found at once"),
    N_("{tried} of {count} tried"),
    N_("Your rating: {rating} ± {deviation}. Days in a row: {days}."),
    N_("You have tried all of these puzzles."),
    N_("Try again."),
    N_("Themes"),
    N_("The best is: {words}"),
    N_("Solved to the end of the round."),
    N_("It is your turn: find the best action."),
    N_("All puzzles"),
    N_("Agree"),
    N_("Ask the people at the table for a link. You can watch the game from here."),
    N_("Better: {words}"),
    N_("Cancel"),
    N_("Claim the win"),
    N_("Close"),
    N_("… and {n} simple moves more"),
    N_("Best move"),
    N_("Better"),
    N_("By the end of the round: {points}"),
    N_("Compiling the rules, once on this machine…"),
    N_("Confirm"),
    N_("Connecting…"),
    N_("Connection lost; trying again…"),
    N_("Copied"),
    N_("Copy the link"),
    N_("Decline"),
    N_("Exact: every line to the end of the round was searched."),
    N_("Find a better move"),
    N_("Free the seat"),
    N_("Give the seat to a computer player"),
    N_("Invite a friend by this link:"),
    N_("Learn from your mistakes ({n})"),
    N_("Move {number}: {name}, {words}"),
    N_("Next position"),
    N_("Nothing better was found."),
    N_("Leave the seat? Once more to be sure"),
    N_("Play again"),
    N_("Played"),
    N_("Let a computer player stand in"),
    N_("Position {number} of {total}"),
    N_("Replay"),
    N_("Resign? Once more to be sure"),
    N_("Review"),
    N_("Right: {words}"),
    N_("Round {round}"),
    N_("Rules"),
    N_("Share…"),
    N_("Show the answer"),
    N_("Sit down"),
    N_("Take my seat back"),
    N_("The game is over: {result}"),
    N_("The link as a QR code"),
    N_("The next game"),
    N_("The server does not answer. Try again."),
    N_("The win chance after each move"),
    N_("Thinking…"),
    N_("This invitation has been used."),
    N_("This record cannot be read: {message}"),
    N_("Try it yourself"),
    N_("Worst move"),
    N_("You are watching"),
    N_("You have no invitation for a seat here."),
    N_("You ask to let {player} play on"),
    N_("You ask to take back"),
    N_("Your move was not made: {message}"),
    N_("Your name"),
    N_("Your turn"),
    N_("accuracy"),
    N_("all opponents"),
    N_("away"),
    N_("error rate"),
    N_("luck"),
    N_("luck in points"),
    N_("score"),
    N_("it is not your turn"),
    N_("{name} asks to let {player} play on"),
    N_("{name} asks to take back"),
    N_("{name} is away"),
    N_("{name} played {words}."),
    N_("{n} games, mean error rate {percent} %, mean luck {luck} %"),
    N_("without computer players"),
    N_("{seconds} s"),
    N_("{what}: {how}"),
    N_("{words} gives away {loss}. Try again."),
    N_("{words}: win chance {chance}"),
    N_("Round {round} is scored"),
    N_("Share"),
    N_("Link copied"),
    N_("Save the record"),
    N_("Pause"),
    N_("Play by itself"),
    N_("Press and hold anything to see what it is."),
    N_("Rest the pointer on anything to see what it is."),
    N_("Your move is kept until the connection is back: {words}"),
    N_("Your move was lost: {words}. {why}"),
    N_("this is an earlier position"),
    N_("win chance {chance}"),
)


def words() -> Markup:
    """The texts as JSON that is safe inside a page."""
    return inside({text: _(text) for text in TEXTS})


def objects(kinds: Iterable[type[Game]]) -> Markup:
    """What lies on the tables of games, as JSON that is safe inside a page: places, what they do, where it is told."""
    return inside(
        {kind.name: [[thing.places, _(thing.words), thing.anchor] for thing in kind.objects()] for kind in kinds}
    )


def courses() -> Markup:
    """The games that have lessons, their titles and the lessons' names, as JSON that is safe inside a page."""
    return inside(
        [
            [kind.name, _(kind.title), [lesson.name for lesson in kind.lessons()]]
            for kind in registered().values()
            if kind.lessons()
        ]
    )


def inside(data: object) -> Markup:
    """Data as JSON that is safe inside a page."""
    text = json.dumps(data, ensure_ascii=True)
    return Markup(text.replace("<", "\\u003c").replace("&", "\\u0026"))
