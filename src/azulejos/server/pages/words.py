"""The texts that the page's scripts say, in the current language."""

import json

from markupsafe import Markup

from azulejos.core.language import N_, _

TEXTS = (
    N_("Agree"),
    N_("Cancel"),
    N_("Close"),
    N_("Compiling the rules, once on this machine…"),
    N_("Confirm"),
    N_("Connecting…"),
    N_("Connection lost; trying again…"),
    N_("Copied"),
    N_("Copy the link"),
    N_("Decline"),
    N_("Give the seat to a computer player"),
    N_("Invite a friend by this link:"),
    N_("Play again"),
    N_("Position {number} of {total}"),
    N_("Replay"),
    N_("Resign"),
    N_("Resign? Once more to be sure"),
    N_("Round {round}"),
    N_("Sit down"),
    N_("Take my seat back"),
    N_("The game is over: {result}"),
    N_("The next game"),
    N_("Thinking…"),
    N_("This record cannot be read: {message}"),
    N_("You are watching"),
    N_("You ask to take back"),
    N_("Your move was not made: {message}"),
    N_("Your name"),
    N_("Your turn"),
    N_("away"),
    N_("score"),
    N_("{name} asks to take back"),
    N_("{seconds} s"),
    N_("{words}: win chance {chance}"),
)


def words() -> Markup:
    """As JSON that can stand inside a page."""
    text = json.dumps({text: _(text) for text in TEXTS}, ensure_ascii=True)
    return Markup(text.replace("<", "\\u003c").replace("&", "\\u0026"))
