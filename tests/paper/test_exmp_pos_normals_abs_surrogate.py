"""exmp:pos-normals-abs-surrogate: |u − y| with three labels, at u = 1, 2, 3."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given

from lossmith.analysis.positive_normals import positive_normal_set, positive_normal_sets
from lossmith.calibration.checking import check
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import absolute
from strategies import distributions
from surrogates import second_opinion

HALF = Fraction(1, 2)
CORNER_1, CORNER_2, CORNER_3 = (1, 0, 0), (0, 1, 0), (0, 0, 1)
MIDPOINT_12, MIDPOINT_13, MIDPOINT_23 = (HALF, HALF, 0), (HALF, 0, HALF), (0, HALF, HALF)
P1_AT_LEAST_HALF, P3_AT_LEAST_HALF = (1, -1, -1), (-1, -1, 1)
P1_AT_MOST_HALF, P3_AT_MOST_HALF = (-1, 1, 1), (1, 1, -1)

# u, z = ψ(u), the facets a·p ≥ 0, the vertices, and the condition as the example prints it.
EXAMPLE = {
    "u1 = 1": (
        1,
        (0, 1, 2),
        {P1_AT_LEAST_HALF, (0, 1, 0), (0, 0, 1)},
        {CORNER_1, MIDPOINT_12, MIDPOINT_13},
        lambda p: p[0] >= HALF,
    ),
    "u2 = 2": (
        2,
        (1, 0, 1),
        {P1_AT_MOST_HALF, P3_AT_MOST_HALF, (1, 0, 0), (0, 0, 1)},
        {CORNER_2, MIDPOINT_12, MIDPOINT_13, MIDPOINT_23},
        lambda p: p[0] <= HALF and p[2] <= HALF,
    ),
    "u3 = 3": (
        3,
        (2, 1, 0),
        {P3_AT_LEAST_HALF, (1, 0, 0), (0, 1, 0)},
        {CORNER_3, MIDPOINT_13, MIDPOINT_23},
        lambda p: p[2] >= HALF,
    ),
}


@cache
def normals_at(u):
    return positive_normal_set(absolute(3), [u])


@pytest.mark.parametrize(("u", "z", "facets", "vertices", "condition"), EXAMPLE.values(), ids=EXAMPLE)
def test_the_positive_normal_set_is_that_of_the_example(u, z, facets, vertices, condition):
    normals = positive_normal_set(absolute(3), [u])
    assert normals.z == z
    assert set(normals.polytope.inequalities) == facets
    assert set(normals.polytope.vertices) == vertices


@pytest.mark.parametrize(("u", "z", "facets", "vertices", "condition"), EXAMPLE.values(), ids=EXAMPLE)
@given(p=distributions(3))
def test_the_positive_normal_set_holds_exactly_where_the_example_says(u, z, facets, vertices, condition, p):
    assert normals_at(u).polytope.contains(p) == condition(p)


def test_the_three_sets_of_the_example_are_all_that_have_full_dimension():
    cells = positive_normal_sets(absolute(3)).cells
    assert {cell.u: set(cell.polytope.vertices) for cell in cells} == {(u,): v for u, _, _, v, _ in EXAMPLE.values()}


def test_between_the_three_points_the_sets_are_flat():
    # At u = 3/2 the slopes are 1, −1, −1: optimal exactly if p₁ = p₂ + p₃.
    normals = positive_normal_set(absolute(3), ["3/2"])
    assert set(normals.polytope.vertices) == {MIDPOINT_12, MIDPOINT_13}
    assert normals.polytope.dim == 1


def test_the_subdifferentials_at_1_are_those_of_the_example():
    slopes = [{piece[1] for piece in second_opinion.active(maximum, (1,))} for (maximum,) in absolute(3).terms]
    assert slopes == [{1, -1}, {-1}, {-1}]


def test_it_is_calibrated_for_ordinal_loss_but_for_neither_zero_one_nor_abstain():
    assert check(absolute(3), ordinal(3)).status == "calibrated"
    assert check(absolute(3), zero_one(3)).status == "not calibrated"
    assert check(absolute(3), abstain(3)).status == "not calibrated"
