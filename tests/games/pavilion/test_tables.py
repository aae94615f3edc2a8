"""Summer Pavilion's tables, checked against each other and against the shape of the board."""

from collections import Counter
from itertools import combinations
from math import cos, dist, pi, sin

import numpy as np
import pytest

from azulejos.games.pavilion import kernels, lookups
from azulejos.games.pavilion.tables import (
    BORDERS,
    CENTRAL,
    COLOURED,
    COLOURS,
    DIRECTIONS,
    FITTING,
    LETTERS,
    NUMBER_BONUS,
    NUMBERS,
    ORNAMENT_TILES,
    ORNAMENTS,
    PLAIN,
    POINTS,
    POSITION_AT,
    SIDES,
    STAR_BONUS,
    STAR_COLOURS,
    STAR_LETTERS,
    STAR_NAMES,
    STARS,
    TILES_OF_A_COLOUR,
)

Rhombus = tuple[int, int]
Point = tuple[float, float]

# The board as it is drawn, with rhombi of side 1. Outer stars clockwise from the top left, angles in degrees.
STAR_ANGLES = (120, 60, 0, 300, 240, 180)
DIRECTION_ANGLES = dict(zip(DIRECTIONS, (90, 30, 330, 270, 210, 150), strict=True))


def at(distance: float, degrees: float, start: Point = (0.0, 0.0)) -> Point:
    angle = degrees * pi / 180
    return round(start[0] + distance * cos(angle), 6) + 0.0, round(start[1] + distance * sin(angle), 6) + 0.0


def centre_of(star: int) -> Point:
    return (0.0, 0.0) if star == CENTRAL else at(3, STAR_ANGLES[star])


def direction_of(star: int, position: int) -> float:
    return DIRECTION_ANGLES[DIRECTIONS[POSITION_AT[star].index(position)]]


def tip(star: int, position: int) -> Point:
    """A rhombus with angles of 60° and side 1 is √3 long."""
    return at(3**0.5, direction_of(star, position), centre_of(star))


RHOMBI = [(star, position) for star in range(STARS) for position in range(POINTS)]


def gaps() -> set[frozenset[Rhombus]]:
    """Between two stars side by side: the rhombi of both that reach the points in which their tips touch."""
    found = set()
    for one, other in combinations(range(STARS), 2):
        if abs(dist(centre_of(one), centre_of(other)) - 3) < 1e-6:
            touching = {tip(one, p) for p in range(POINTS)} & {tip(other, p) for p in range(POINTS)}
            assert len(touching) == 2
            found.add(frozenset(r for r in RHOMBI if r[0] in (one, other) and tip(*r) in touching))
    return found


def notches() -> set[frozenset[Rhombus]]:
    """At the outside of each outer star: the two rhombi on either side of the line from the middle of the board."""
    return {
        frozenset(
            (star, p)
            for p in range(POINTS)
            if (direction_of(star, p) - STAR_ANGLES[star] + 180) % 360 - 180 in (-30, 30)
        )
        for star in range(CENTRAL)
    }


def test_positions_run_clockwise_in_every_star() -> None:
    for star in range(STARS):
        assert sorted(POSITION_AT[star]) == list(range(POINTS))
        for here, following in zip(POSITION_AT[star], (*POSITION_AT[star][1:], POSITION_AT[star][0]), strict=True):
            assert following == (here + 1) % POINTS


def test_the_tips_of_three_stars_touch_in_six_points() -> None:
    tips = Counter(tip(*rhombus) for rhombus in RHOMBI)
    assert sorted(tips.values()) == [1] * 12 + [2] * 6 + [3] * 6


def test_ornaments_lie_in_the_twelve_gaps_and_six_notches_of_the_board() -> None:
    around = {frozenset(border) for border in BORDERS}
    assert len(BORDERS) == len(around) == 18
    assert around == gaps() | notches()
    kinds = [{frozenset(border) for border in BORDERS[6 * kind : 6 * kind + 6]} for kind in range(3)]
    assert kinds[ORNAMENTS.index("window")] == notches()
    assert kinds[ORNAMENTS.index("pillar")] == {gap for gap in gaps() if any(star == CENTRAL for star, _ in gap)}
    assert kinds[ORNAMENTS.index("statue")] == {gap for gap in gaps() if all(star != CENTRAL for star, _ in gap)}


def test_each_ornament_belongs_to_its_star() -> None:
    for ornament, border in enumerate(BORDERS):
        kind, star = divmod(ornament, CENTRAL)
        other = {"pillar": CENTRAL, "statue": (star + 1) % CENTRAL, "window": star}[ORNAMENTS[kind]]
        assert {rhombus[0] for rhombus in border} == {star, other}


def test_every_rhombus_borders_one_or_two_ornaments() -> None:
    borders = Counter(rhombus for border in BORDERS for rhombus in border)
    assert set(borders) == set(RHOMBI)
    for star, position in RHOMBI:
        expected = 2 if star == CENTRAL or position in (1, 2) else 1
        assert borders[star, position] == expected
        listed = [int(ornament) for ornament in lookups.ORNAMENTS_AT[star, position] if ornament < len(BORDERS)]
        assert listed == [k for k, border in enumerate(BORDERS) if (star, position) in border]


def test_ornaments_give_36_tiles_in_all() -> None:
    assert dict(zip(ORNAMENTS, ORNAMENT_TILES, strict=True)) == {"pillar": 1, "statue": 2, "window": 3}
    assert lookups.BONUS_TILES.sum() == 36


def test_tiles_and_wilds() -> None:
    assert len(COLOURS) * TILES_OF_A_COLOUR == 132
    assert COLOURS == ("purple", "green", "orange", "yellow", "blue", "red"), "wild in rounds 1 to 6"
    assert tuple(LETTERS) == tuple(colour[0].upper() for colour in COLOURS)


def test_numbers_of_the_coloured_side_are_the_positions() -> None:
    assert NUMBERS[COLOURED].tolist() == [[1, 2, 3, 4, 5, 6]] * 7
    assert Counter(NUMBERS[COLOURED].ravel().tolist()) == dict.fromkeys(range(1, 7), 7)


def test_numbers_of_the_plain_side() -> None:
    assert NUMBERS[PLAIN, :CENTRAL].tolist() == [[3, 2, 1, 4, 5, 6]] * 6
    assert NUMBERS[PLAIN, CENTRAL].tolist() == [3] * 6
    assert Counter(NUMBERS[PLAIN].ravel().tolist()) == {1: 6, 2: 6, 3: 12, 4: 6, 5: 6, 6: 6}


def test_both_sides_cost_the_same_in_an_outer_star() -> None:
    assert (NUMBERS[:, :CENTRAL].sum(axis=2) == 21).all()


@pytest.mark.parametrize("side", [COLOURED, PLAIN])
def test_numbers_as_bits(side: int) -> None:
    for star, position in RHOMBI:
        bit = 1 << 6 * star + position
        assert [n for n in range(7) if lookups.WITH_NUMBER[side, n] & bit] == [NUMBERS[side, star, position]]


def test_bonuses() -> None:
    points = dict(zip((*COLOURS, "several"), STAR_BONUS.tolist(), strict=True))
    assert points == {"several": 12, "red": 14, "blue": 15, "yellow": 16, "orange": 17, "green": 18, "purple": 20}
    assert NUMBER_BONUS.tolist() == [0, 4, 8, 12, 16]


def test_stars_and_their_names() -> None:
    assert STAR_COLOURS == ("orange", "red", "blue", "yellow", "green", "purple")
    for side in range(len(SIDES)):
        assert len(set(STAR_NAMES[side])) == len(set(STAR_LETTERS[side])) == STARS
    for star, colour in enumerate(STAR_COLOURS):
        assert FITTING[COLOURED][star] == (COLOURS.index(colour),)
        assert STAR_LETTERS[COLOURED][star] == colour[0].upper()
    assert FITTING[COLOURED][CENTRAL] == tuple(range(6))
    assert set(FITTING[PLAIN]) == {tuple(range(6))}


def test_segments_of_every_ring() -> None:
    """Against a walk to both sides, ring by ring."""
    for ring in range(64):
        for position in range(6):
            length = 0
            if ring >> position & 1:
                walked = {position}
                for step in (1, -1):
                    there = (position + step) % 6
                    while ring >> there & 1 and there not in walked:
                        walked.add(there)
                        there = (there + step) % 6
                length = len(walked)
            assert lookups.SEGMENT[ring, position] == length


def test_placements_are_listed_once_each() -> None:
    assert lookups.PLACEMENTS == [6 * 21 + 6 * 21, 36 * 21 + 6 * 18]
    for side, count in enumerate(lookups.PLACEMENTS):
        listed = [tuple(row) for row in lookups.PLACEMENT[side, :count].tolist()]
        expected = {
            (star, position, colour, wilds)
            for star, position in RHOMBI
            for colour in FITTING[side][star]
            for wilds in range(NUMBERS[side, star, position])
        }
        assert len(listed) == len(set(listed))
        assert set(listed) == expected


def test_the_record_is_a_multiple_of_eight_bytes() -> None:
    assert kernels.STATE.itemsize == 272
    assert np.zeros(1, kernels.STATE).nbytes % 8 == 0
