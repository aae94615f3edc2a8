"""What a puzzle of Summer Pavilion is about."""

from collections.abc import Iterator, Mapping, Sequence

from azulejos.core.events import Event
from azulejos.core.language import N_

START, WILD, PAYMENT, SUPPLY, KEEPING, STAR, NUMBER = (
    N_("start token"),
    N_("wild tile"),
    N_("payment"),
    N_("supply"),
    N_("keeping"),
    N_("star"),
    N_("number"),
)
THEMES = {
    START: "token",
    WILD: "taking-wild",
    PAYMENT: "paying",
    SUPPLY: "supply",
    KEEPING: "passing",
    STAR: "stars",
    NUMBER: "numbers",
}


def themes(told: Sequence[Event], other: Sequence[Event], gained: Mapping[tuple[bool, str], float]) -> Iterator[str]:
    kinds, other_kinds = ({event.kind for event in events} for events in (told, other))
    if ("token" in kinds) != ("token" in other_kinds):
        yield START
    if ("wild" in kinds) != ("wild" in other_kinds):
        yield WILD
    spaces = [{(event.star, event.position) for event in events if event.kind == "place"} for events in (told, other)]
    if spaces[0] and spaces[0] == spaces[1]:
        yield PAYMENT
    if any(event.kind == "supply" and event.chosen for event in told) or "ornament" in kinds - other_kinds:
        yield SUPPLY
    if ("pass" in kinds) != ("pass" in other_kinds) or any(event.kind == "keep" and event.chosen for event in told):
        yield KEEPING
    if max(gained.get((True, "star bonus"), 0), -gained.get((False, "star bonus"), 0)) > 0:
        yield STAR
    if max(gained.get((True, "number bonus"), 0), -gained.get((False, "number bonus"), 0)) > 0:
        yield NUMBER
