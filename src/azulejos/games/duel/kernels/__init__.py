"""The rules of Azul Duel, in the core's names.

The order of the rule page is `preparing.py` (set-up, and what is laid out before each round), `acquiring.py` (phase 1),
`decorating.py` (phase 2) and `ending.py`; `plates.py` has the stack and what of it is hidden. Each rule calls what
follows from it, so a position is always left where something is to be chosen or drawn.
"""

import numpy as np

from azulejos.core.compiling import rule, tell
from azulejos.core.kernels import CHANCE, OVER

from ..encoding import (
    ACT,
    CHIP_ACTIONS,
    CHIP_DRAWS,
    COMPLETING,
    DRAW_ACTION,
    DRAWING,
    DUE_CHIP,
    DUE_FRONT,
    DUE_KIND,
    DUE_PLATE,
    DUE_SIDE,
    DUE_TILE,
    ENDED,
    KEEP,
    KIND_DRAWS,
    LAY,
    LAY_ACTIONS,
    LEAVE_ACTION,
    LINES,
    NOTHING,
    OPENING,
    PAY_ACTIONS,
    PILE,
    PILE_ACTIONS,
    PLATE_ACTIONS,
    PLATE_DRAWS,
    PREPARE,
    SIDE_DRAWS,
    SLOT,
    SLOT_ACTIONS,
    SPEND_ACTIONS,
    STOP_ACTION,
    UNDER,
    UNDER_ACTIONS,
)
from ..tables import (
    JOKER,
    MATCHING_PRICE,
    NUM_COLOURS,
    ROTATIONS,
    SIDE_DRAWN,
    SIZE,
    SPECIAL,
    TOP_SEEN,
)
from .acquiring import (
    draw_blind,
    draw_chip,
    draw_front,
    go_on_drawing,
    go_on_opening,
    keep,
    lay,
    legal_lays,
    legal_pile,
    legal_turns,
    list_plates,
    pile_up,
    put_back,
    stop_drawing,
    take,
    take_chip,
    take_plate,
)
from .decorating import (
    choose_payment,
    choose_slot,
    legal_chips,
    legal_payments,
    legal_slots,
    pay,
    projected,
)
from .plates import (
    hide,
    kind_ways,
    lift_top,
    open_plate,
    plates_that_it_may_be,
)
from .preparing import (
    draw_tile,
    prepare,
    setup,
    sides_left,
)
from .record import STATE, bits_in, chips_in, chips_of, colour_drawn, member, plate_set, tiles_in

__all__ = ["STATE", "apply", "draw", "hide", "legal", "outcome", "projected", "setup", "turn", "ways"]


@rule
def turn(state):
    if state.due != NOTHING:
        return CHANCE
    if state.phase == ENDED:
        return OVER
    return np.int64(state.seat)


@rule
def legal(state, out):
    phase = np.int64(state.phase)
    if phase == ACT:
        return legal_turns(state, out)
    if phase == LAY:
        return legal_lays(state, out)
    if phase == PILE:
        return legal_pile(state, out)
    if phase == OPENING:
        return list_plates(np.int64(state.display), PLATE_ACTIONS, out, 0)
    if phase == KEEP:
        return list_plates(np.int64(state.hand), PLATE_ACTIONS, out, 0)
    if phase == UNDER:
        return list_plates(np.int64(state.hand), UNDER_ACTIONS, out, 0)
    if phase == DRAWING:
        out[0] = DRAW_ACTION
        out[1] = STOP_ACTION
        return 2
    if phase == SLOT:
        return legal_slots(state, out)
    if phase == COMPLETING:
        return legal_payments(state, out)
    return legal_chips(state, out)


@rule
def apply(state, action):
    phase = np.int64(state.phase)
    if phase in (ACT, OPENING):
        if action < CHIP_ACTIONS:
            take(state, action // (NUM_COLOURS * LINES), action // LINES % NUM_COLOURS, action % LINES)
        elif action < PLATE_ACTIONS:
            take_chip(state, action - CHIP_ACTIONS + 1)
        elif action < DRAW_ACTION:
            take_plate(state, action - PLATE_ACTIONS)
        else:
            draw_blind(state)
    elif phase == LAY:
        lay(state, (action - LAY_ACTIONS) // ROTATIONS, (action - LAY_ACTIONS) % ROTATIONS)
    elif phase == PILE:
        pile_up(state, action - PILE_ACTIONS)
    elif phase == KEEP:
        keep(state, action - PLATE_ACTIONS)
    elif phase == UNDER:
        put_back(state, action - UNDER_ACTIONS)
    elif phase == DRAWING:
        if action == DRAW_ACTION:
            draw_blind(state)
        else:
            stop_drawing(state)
    elif phase == SLOT:
        choose_slot(state, (action - SLOT_ACTIONS) % SIZE)
    elif phase == COMPLETING:
        choose_payment(state, 0 if action == LEAVE_ACTION else action - SPEND_ACTIONS + MATCHING_PRICE)
    else:
        pay(state, action - PAY_ACTIONS)


@rule
def ways(state):
    """One way for each tile in the bag; for each chip, plate or side that it may be."""
    if state.due == DUE_TILE:
        return np.int64(tiles_in(state.bag))
    if state.due == DUE_CHIP:
        return chips_in(state.supply)
    if state.due == DUE_KIND:
        return kind_ways(state, SPECIAL) + kind_ways(state, JOKER)
    if state.due == DUE_SIDE:
        return bits_in(sides_left(state))
    return bits_in(plates_that_it_may_be(state))


@rule
def outcome(state, way):
    if state.due == DUE_TILE:
        return colour_drawn(state.bag, way)
    if state.due == DUE_CHIP:
        kind = 0
        while way >= chips_of(state.supply, kind):
            way -= chips_of(state.supply, kind)
            kind += 1
        return CHIP_DRAWS + kind
    if state.due == DUE_KIND:
        return KIND_DRAWS + (SPECIAL if way < kind_ways(state, SPECIAL) else JOKER)
    if state.due == DUE_SIDE:
        return SIDE_DRAWS + member(sides_left(state), way)
    return PLATE_DRAWS + member(plates_that_it_may_be(state), way)


@rule
def draw(state, drawn):
    due = np.int64(state.due)
    state.due = NOTHING
    if due == DUE_TILE:
        draw_tile(state, drawn)
    elif due == DUE_CHIP:
        draw_chip(state, drawn - CHIP_DRAWS)
    elif due == DUE_SIDE:
        tell(SIDE_DRAWN, drawn - SIDE_DRAWS, 0, 0, 0)
        state.tablets |= 1 << drawn - SIDE_DRAWS
        prepare(state)
    elif due == DUE_PLATE:
        state.unseen &= ~plate_set(drawn - PLATE_DRAWS)
        lift_top(state)
        open_plate(state, drawn - PLATE_DRAWS)
        go_on_filling(state)
    elif due == DUE_FRONT:
        draw_front(state, drawn - PLATE_DRAWS)
    else:
        tell(TOP_SEEN, drawn - KIND_DRAWS, 0, 0, 0)
        state.top = drawn - KIND_DRAWS
        if state.phase == DRAWING:
            go_on_drawing(state)
        else:
            go_on_filling(state)


@rule
def go_on_filling(state):
    if state.phase == PREPARE:
        prepare(state)
    else:
        go_on_opening(state)
