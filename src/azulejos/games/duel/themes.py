"""What a puzzle of Duel is about."""

from collections.abc import Iterator, Mapping, Sequence

from azulejos.core.events import Event
from azulejos.core.language import N_

START, CHIPS, PLATES = N_("start tile"), N_("chips"), N_("plates")
SPILL, SACRIFICE, TABLET = N_("spill"), N_("sacrifice"), N_("tablet")
THEMES = {START: "start-tile", CHIPS: "chips", PLATES: "plates", SPILL: "spill", SACRIFICE: "broken", TABLET: "tablets"}


def themes(told: Sequence[Event], other: Sequence[Event], gained: Mapping[tuple[bool, str], float]) -> Iterator[str]:
    kinds, other_kinds = ({event.kind for event in events} for events in (told, other))
    if ("start tile" in kinds) != ("start tile" in other_kinds):
        yield START
    if {"chip", "spend"} & kinds:
        yield CHIPS
    if {"plate", "blind", "look", "keep", "lay"} & kinds:
        yield PLATES
    if "break" in kinds and "line" not in kinds:
        yield SACRIFICE
    if gained.get((True, "penalty"), 0) >= 2 or gained.get((False, "penalty"), 0) <= -2:
        yield SPILL
    if any((points if own else -points) >= 2 for (own, key), points in gained.items() if key.startswith("side")):
        yield TABLET
