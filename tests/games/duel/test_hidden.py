"""What a seat may know (D-R6, and pitfall 10): its own plates under the stack, and not the other's."""

import random
from typing import Any

import numpy as np
import pytest

import azulejos as az
from azulejos.games.duel import encoding
from azulejos.games.duel.tables import NUM_PLATES, PLATES_OF_A_KIND

from .positions import position
from .test_rules import LAID_OUT, act, fresh


def put_back(fronts: str, keep: str, *under: str) -> az.State:
    """Seat 0 has drawn two special plates and a joker plate, kept one and put the others back; seat 1 is next."""
    state = act(stack="s9").play("draw", "top-s").play("draw", "top-j").play("draw", "top-s").play("stop", fronts)
    state = state.play(f"plate-{keep}")
    for plate in under:
        state = state.play(f"under-{plate}")
    return state.play("lay-1nw")


ONE_WAY = put_back("sKYB sBTR jTYK", "sKYB", "sBTR")
OTHER_ORDER = put_back("sKYB sBTR jTYK", "sKYB", "jTYK")
OTHER_PLATES = put_back("sKYB sRKY jRTK", "sKYB", "jRTK")


def in_round_3(seat: int, stack: str) -> az.State:
    display = "sTYK sRTK sKBR"
    return position(f"seat {seat}", fresh(), fresh(), factories=LAID_OUT, display=display, stack=stack, round_no=3)


def same_view(one: az.State, other: az.State, seat: int) -> bool:
    """Byte for byte, and in text and legal actions too."""
    a, b = one.view(seat), other.view(seat)
    same = a.array().tobytes() == b.array().tobytes()
    assert same == (a == b) == (str(a) == str(b))
    if same:
        assert a.actions == b.actions
    return same


def test_d_r6_states_that_differ_only_in_what_a_seat_cannot_know_look_the_same_to_it() -> None:
    assert len({ONE_WAY, OTHER_ORDER, OTHER_PLATES}) == 3
    assert ONE_WAY.seat == 1
    for other in (OTHER_ORDER, OTHER_PLATES):
        assert same_view(ONE_WAY, other, 1)
        assert not same_view(ONE_WAY, other, 0)
        assert other.view(1).actions == other.actions


def test_pitfall_10_a_seat_keeps_its_own_plates_in_view() -> None:
    assert ONE_WAY.view(0) == ONE_WAY
    assert ONE_WAY.view(0).to_dict()["stack"]["plates"] == [None] * 6 + ["sBTR", "jTYK"]
    assert ONE_WAY.view(1).to_dict()["stack"]["plates"] == [None] * 8
    assert "sBTR" not in str(ONE_WAY.view(1))


def test_each_seat_knows_only_the_plates_that_it_put_back() -> None:
    state = act(stack="s7,jTYK:0,sKYB:1")
    assert state.view(0).to_dict()["stack"]["plates"][7:] == ["jTYK", None]
    assert state.view(1).to_dict()["stack"]["plates"][7:] == [None, "sKYB"]


def test_the_kind_of_the_top_is_public() -> None:
    state = in_round_3(0, "jTYK:0,sKYB:0,3")
    assert state.view(1).to_dict()["stack"] == {"top": "joker", "plates": [None] * 5}
    assert state.view(1).play("1B2").seat == 0


def test_fronts_are_seen_by_the_drawer_only_and_by_nobody_before_the_stop() -> None:
    drawing = act(stack="s9").play("draw", "top-j").play("draw", "top-s")
    assert drawing.view(0) == drawing.view(1) == drawing
    one, other = drawing.play("stop", "sKYB jTYK"), drawing.play("stop", "sBTR jRTK")
    assert one.view(0) == one
    assert same_view(one, other, 1)
    assert one.view(1).to_dict()["hand_unseen"] == {"special": 1, "joker": 1}


def test_a_plate_that_a_seat_does_not_know_is_drawn_when_it_is_turned_up() -> None:
    """So a view is a state that plays on; what may come up is what the seat has not seen."""
    drawing = act(stack="s9").play("draw", "top-j").play("draw", "top-s")
    view = drawing.play("stop", "sKYB jTYK").view(1)
    assert view.awaits_draw
    may_be = {view.game.print_draws([drawn]) for drawn in view.chances()}
    assert may_be == {"sKYB", "sBTR", "sRKY", "sBKT", "sTBY", "sYRB"}
    assert view.deal("sBTR jRTK").seat == 0


def test_plates_that_a_seat_put_back_are_known_to_it_in_the_other_s_hand() -> None:
    state = in_round_3(1, "jTYK:0,4")
    drawing = state.play("draw", "top-s")
    assert drawing.view(0).to_dict()["hand"] == ["jTYK"]
    assert drawing.view(1).to_dict()["hand"] == []
    assert drawing.view(1).to_dict()["hand_unseen"] == {"special": 0, "joker": 1}
    stopped = drawing.play("draw", "top-s").play("stop", "sKYB")
    assert stopped.view(1).to_dict()["hand"] == ["sKYB", "jTYK"]
    assert stopped.view(0).to_dict()["hand"] == ["jTYK"]
    assert stopped.view(0).to_dict()["hand_unseen"] == {"special": 1, "joker": 0}
    kept = stopped.play("plate-sKYB")  # one plate goes back, so its place is no secret
    assert kept.view(0).to_dict()["stack"]["plates"][-1] == "jTYK"


def test_in_which_of_several_places_the_other_put_a_plate_is_not_known() -> None:
    state = in_round_3(1, "jTYK:0,4")
    state = state.play("draw", "top-s").play("draw", "top-s").play("draw", "top-s").play("stop", "sKYB sBTR")
    one = state.play("plate-sKYB").play("under-jTYK")
    other = state.play("plate-sKYB").play("under-sBTR")
    assert one != other
    assert same_view(one, other, 0)
    assert one.view(0).to_dict()["stack"]["plates"] == [None] * 4


def test_what_is_turned_up_is_known_to_all() -> None:
    state = position(
        "deal awaits plate",
        fresh(),
        fresh(),
        round_no=4,
        stack="s2,jTYK:1,sKYB:0",
        factories="-/1 -/-/? -/-/? -/-/? -/-/?",
    ).deal("sTYK sRTK BYRKT BBYR KKTT RRRR BYKT")
    assert state.view(0) == state
    assert state.view(1).to_dict()["display"] == ["sTYK", "sRTK", "jTYK"]
    assert "jTYK:" not in str(state)


def test_views_of_seats_that_do_not_exist() -> None:
    with pytest.raises(az.OptionError, match="seat 2 does not exist"):
        ONE_WAY.view(2)


# --- over random games ---


def random_states(seed: int, moves: int) -> list[az.State]:
    """Positions of a game in which plates are often drawn from the stack."""
    chooser = random.Random(seed)
    state, states = az.make("duel").start(seed=seed), []
    for _ in range(moves):
        if state.over:
            break
        draw = "draw" in state.actions and chooser.random() < 0.8
        state = state.play("draw" if draw else chooser.choice(list(state.actions)))
        states.append(state)
    return states


def shuffle_hidden(state: az.State, seat: int, chooser: random.Random) -> az.State:
    """Another state that the seat could be in: what it cannot know is drawn anew."""
    array, view = state.array(), state.view(seat).record
    record: Any = array[0]
    pool = [plate for plate in range(NUM_PLATES) if view.unseen >> plate & 1]
    chooser.shuffle(pool)

    def draw(kind: int | None) -> int:
        plate = next(plate for plate in pool if kind is None or plate // PLATES_OF_A_KIND == kind)
        pool.remove(plate)
        return plate

    other, known = 1 - seat, int(view.known[1 - seat])
    hidden = [plate for plate in range(NUM_PLATES) if record.hand & ~view.hand & 1 << plate]
    record.hand = view.hand
    for plate in hidden:
        drawn = draw(plate // PLATES_OF_A_KIND)
        record.hand |= 1 << drawn
        known |= (int(state.record.known[other]) >> plate & 1) << drawn
    for k in range(int(record.stack_count)):
        if record.stack[k] != view.stack[k]:
            record.stack[k] = draw(int(record.top) if k == 0 else None)
            known |= 1 << int(record.stack[k])
    record.known[other] = known
    record.unseen = sum(1 << plate for plate in pool)
    return az.State(state.game, array)


def kinds_left(state: az.State) -> bool:
    """Are there plates enough of the kinds whose backs have been seen?"""
    return state.game.check(state) is None


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_hidden_a_seat_sees_the_same(seed: int) -> None:
    chooser = random.Random(seed)
    different = 0
    for state in random_states(seed, 90)[::3]:
        for seat in range(2):
            try:
                other = shuffle_hidden(state, seat, chooser)
            except StopIteration:  # the plates drawn first leave none of a kind that is needed
                continue
            if not kinds_left(other):
                continue
            different += other != state
            assert same_view(state, other, seat)
            if state.seat == seat:
                assert other.actions == state.actions == state.view(seat).actions
    assert different > 5


@pytest.mark.parametrize("seed", range(4))
def test_views_are_possible_positions_that_have_text_and_play_to_the_end(seed: int) -> None:
    for number, state in enumerate(random_states(seed, 80)):
        for seat in range(2):
            view = state.view(seat)
            assert view.view(seat) == view
            assert view.array().dtype == np.dtype(state.game.kernels.STATE)
            if number % 8 == 0:
                assert az.parse(str(view)) == view
                assert state.game.check(view) is None
    array = state.view(0).array()
    keys, out = np.array([seed], np.uint64), state.game.actions_buffer()
    if state.view(0).awaits_draw:
        array = state.view(0).deal(seed=seed).array()
    finished = 0
    for _ in range(300):
        finished += state.game.entry_points.wander(array, 0, state.game.option_codes, keys, out, 1)
        if finished:
            break
    assert finished == 1
    assert state.game.check(az.State(state.game, array)) is None


def test_phases_in_which_something_is_hidden_are_all_met() -> None:
    phases = {int(state.record.phase) for seed in range(4) for state in random_states(seed, 60)}
    assert {encoding.DRAWING, encoding.KEEP, encoding.UNDER, encoding.LAY} <= phases
