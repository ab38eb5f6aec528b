"""exmp:pos-normals-eps-surrogate: (|u − y| − ε)₊ with three labels and ε = 1/4, at u = 1.25, 1.75, 2.25, 2.75."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given

from lossmith.analysis.positive_normals import positive_normal_set, positive_normal_sets
from lossmith.calibration.checking import check
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import absolute, epsilon_insensitive
from strategies import distributions, rationals
from surrogates import second_opinion

HALF = Fraction(1, 2)
CORNER_1, CORNER_2, CORNER_3 = (1, 0, 0), (0, 1, 0), (0, 0, 1)
MIDPOINT_12, MIDPOINT_13, MIDPOINT_23 = (HALF, HALF, 0), (HALF, 0, HALF), (0, HALF, HALF)
P1_AT_LEAST_HALF, P3_AT_LEAST_HALF = (1, -1, -1), (-1, -1, 1)
P1_AT_MOST_HALF, P3_AT_MOST_HALF = (-1, 1, 1), (1, 1, -1)
P1_AT_LEAST_P3, P3_AT_LEAST_P1 = (1, 0, -1), (-1, 0, 1)

# u, z = ψ(u), the facets a·p ≥ 0, the vertices, and the condition as the example prints it.
EXAMPLE = {
    "u1 = 1.25": (
        1.25,
        (0, HALF, Fraction(3, 2)),
        {P1_AT_LEAST_HALF, (0, 1, 0), (0, 0, 1)},
        {CORNER_1, MIDPOINT_12, MIDPOINT_13},
        lambda p: p[0] >= HALF,
    ),
    "u2 = 1.75": (
        1.75,
        (HALF, 0, 1),
        {P1_AT_LEAST_P3, P1_AT_MOST_HALF, (0, 0, 1)},
        {CORNER_2, MIDPOINT_12, MIDPOINT_13},
        lambda p: p[0] >= p[2] and p[0] <= HALF,
    ),
    "u3 = 2.25": (
        2.25,
        (1, 0, HALF),
        {P3_AT_LEAST_P1, P3_AT_MOST_HALF, (1, 0, 0)},
        {CORNER_2, MIDPOINT_23, MIDPOINT_13},
        lambda p: p[0] <= p[2] and p[2] <= HALF,
    ),
    "u4 = 2.75": (
        2.75,
        (Fraction(3, 2), HALF, 0),
        {P3_AT_LEAST_HALF, (1, 0, 0), (0, 1, 0)},
        {CORNER_3, MIDPOINT_13, MIDPOINT_23},
        lambda p: p[2] >= HALF,
    ),
}


@cache
def normals_at(u):
    return positive_normal_set(epsilon_insensitive(3, "1/4"), [u])


@pytest.mark.parametrize(("u", "z", "facets", "vertices", "condition"), EXAMPLE.values(), ids=EXAMPLE)
def test_the_positive_normal_set_is_that_of_the_example(u, z, facets, vertices, condition):
    normals = positive_normal_set(epsilon_insensitive(3, "1/4"), [u])
    assert normals.z == z
    assert set(normals.polytope.inequalities) == facets
    assert set(normals.polytope.vertices) == vertices


@pytest.mark.parametrize(("u", "z", "facets", "vertices", "condition"), EXAMPLE.values(), ids=EXAMPLE)
@given(p=distributions(3))
def test_the_positive_normal_set_holds_exactly_where_the_example_says(u, z, facets, vertices, condition, p):
    assert normals_at(u).polytope.contains(p) == condition(p)


def test_the_four_sets_of_the_example_are_all_that_have_full_dimension():
    cells = positive_normal_sets(epsilon_insensitive(3, "1/4")).cells
    expected = {(Fraction(u),): vertices for u, _, _, vertices, _ in EXAMPLE.values()}
    assert {cell.u: set(cell.polytope.vertices) for cell in cells} == expected


@given(eps=rationals(0, 1, 9).filter(lambda eps: 0 < eps < HALF))
def test_similar_computations_hold_for_every_tolerance_below_one_half(eps):
    cells = positive_normal_sets(epsilon_insensitive(3, eps)).cells
    points = (1 + eps, 2 - eps, 2 + eps, 3 - eps)
    expected = {(u,): vertices for u, (_, _, _, vertices, _) in zip(points, EXAMPLE.values())}
    assert {cell.u: set(cell.polytope.vertices) for cell in cells} == expected


def test_the_subdifferentials_are_those_of_the_example():
    terms = epsilon_insensitive(3, "1/4").terms
    at_u1 = [{p[1] for p in second_opinion.active(maximum, (Fraction(5, 4),))} for (maximum,) in terms]
    at_u2 = [{p[1] for p in second_opinion.active(maximum, (Fraction(7, 4),))} for (maximum,) in terms]
    assert at_u1 == [{0, 1}, {-1}, {-1}]
    assert at_u2 == [{1}, {-1, 0}, {-1}]


def test_without_tolerance_it_has_the_sets_of_the_absolute_surrogate():
    first, second = (positive_normal_sets(each).cells for each in (epsilon_insensitive(3, 0), absolute(3)))
    assert {cell.u: cell.polytope for cell in first} == {cell.u: cell.polytope for cell in second}


def test_it_is_calibrated_for_ordinal_loss_but_for_neither_zero_one_nor_abstain():
    surrogate = epsilon_insensitive(3, "1/4")
    assert check(surrogate, ordinal(3)).status == "calibrated"
    assert check(surrogate, zero_one(3)).status == "not calibrated"
    assert check(surrogate, abstain(3)).status == "not calibrated"
