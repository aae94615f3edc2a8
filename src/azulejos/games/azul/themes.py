"""What a puzzle of Azul is about."""

from collections.abc import Iterator, Mapping, Sequence

from azulejos.core.events import Event
from azulejos.core.language import N_

START, SPILL, SACRIFICE, BONUS = (N_("start marker"), N_("spill"), N_("sacrifice"), N_("bonus"))
THEMES = {START: "marker", SPILL: "spill", SACRIFICE: "floor", BONUS: "bonuses"}
BONUSES = ("row bonus", "column bonus", "colour bonus")


def themes(told: Sequence[Event], other: Sequence[Event], gained: Mapping[tuple[bool, str], float]) -> Iterator[str]:
    kinds, other_kinds = ({event.kind for event in events} for events in (told, other))
    if ("marker" in kinds) != ("marker" in other_kinds):
        yield START
    if "floor" in kinds and "line" not in kinds:
        yield SACRIFICE
    if gained.get((True, "penalty"), 0) >= 2 or gained.get((False, "penalty"), 0) <= -2:
        yield SPILL
    if any(
        (points if own else -points) >= 2
        for (own, key), points in gained.items()
        if key in BONUSES or key.startswith(("column", "colour"))
    ):
        yield BONUS
