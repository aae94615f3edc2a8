"""The plates: the stack and its public top, the display, and what of them is hidden."""

import numpy as np

from azulejos.core.compiling import rule, tell

from ..encoding import DUE_FRONT, DUE_KIND, DUE_PLATE, KEEP, NO_KIND, NO_PLATE, UNDER, UNKNOWN
from ..lookups import KIND_MASKS
from ..tables import (
    JOKER,
    NUM_PLATES,
    OPEN_PLATES,
    OPENED,
    PLAYERS,
    SPECIAL,
)
from .record import bits_in, kind_of, plate_set


@rule
def fill_display(state):
    """Open plates up to three, then look at the back of the stack's top. True if a draw is awaited for it."""
    while state.stack_count > 0 and bits_in(state.display) < OPEN_PLATES:
        plate = np.int64(state.stack[0])
        if plate == UNKNOWN:
            state.due = DUE_PLATE
            return True
        lift_top(state)
        open_plate(state, plate)
    return look_at_top(state)


@rule
def open_plate(state, plate):
    tell(OPENED, plate, 0, 0, 0)
    state.display |= plate_set(plate)
    forget_place(state, plate)


@rule
def lift_top(state):
    """The top plate leaves the stack."""
    for k in range(1, state.stack_count):
        state.stack[k - 1] = state.stack[k]
    state.stack_count -= 1
    state.stack[state.stack_count] = NO_PLATE
    state.top = NO_KIND


@rule
def look_at_top(state):
    """The kind of the stack's top is public. True if it is yet to be drawn."""
    if state.stack_count > 0 and state.top == NO_KIND:
        if state.stack[0] == UNKNOWN:
            state.due = DUE_KIND
            return True
        state.top = kind_of(state.stack[0])
    return False


@rule
def forget_place(state, plate):
    """A plate that everybody sees is no longer among those that somebody knows."""
    for seat in range(PLAYERS):
        state.known[seat] &= ~plate_set(plate)


@rule
def kind_ways(state, kind):
    """Unseen plates of a kind, less those whose kind has been seen already."""
    return bits_in(state.unseen & KIND_MASKS[kind]) - state.hand_unseen[kind]


@rule
def plates_that_it_may_be(state):
    """A front is one of the unseen plates of the kind that the back shows, if the back has been seen."""
    kind = np.int64(state.top)
    if state.due == DUE_FRONT:
        kind = SPECIAL if state.hand_unseen[SPECIAL] > 0 else JOKER
    return np.int64(state.unseen) if kind == NO_KIND else state.unseen & KIND_MASKS[kind]


@rule
def hide(state, seat):
    """Blank the plates in the stack and the hand whose place the seat does not know (D-R6).

    They become unseen again, and are drawn when they are turned up: what a seat sees is a state that plays on.
    """
    for k in range(state.stack_count):
        plate = np.int64(state.stack[k])
        if plate != UNKNOWN and not state.known[seat] & plate_set(plate):
            state.stack[k] = UNKNOWN
            state.unseen |= plate_set(plate)
    for plate in range(NUM_PLATES):
        if state.hand & plate_set(plate) and not state.known[seat] & plate_set(plate):
            state.hand &= ~plate_set(plate)
            state.hand_unseen[kind_of(plate)] += 1
            state.unseen |= plate_set(plate)
    state.known[1 - seat] &= state.known[seat]
    if state.phase == KEEP or state.phase == UNDER:
        if state.hand_unseen[SPECIAL] + state.hand_unseen[JOKER] > 0:
            state.due = DUE_FRONT
