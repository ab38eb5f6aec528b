"""fig:pos-normals and its calculation, app:calculations-pos-normals: Crammer–Singer with three labels, at four points.

The paper's inequalities are homogenised with p₁ + p₂ + p₃ = 1: p₁ ≥ 1/2 says p₁ − p₂ − p₃ ≥ 0, and implies p₁ ≥ 0.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given

from lossmith.analysis.positive_normals import positive_normal_set, positive_normal_sets
from lossmith.surrogates import crammer_singer
from strategies import distributions
from surrogates import second_opinion

HALF = Fraction(1, 2)
CORNER_1, CORNER_2, CORNER_3 = (1, 0, 0), (0, 1, 0), (0, 0, 1)
MIDPOINT_12, MIDPOINT_13, MIDPOINT_23 = (HALF, HALF, 0), (HALF, 0, HALF), (0, HALF, HALF)

# u, z = ψ(u), the facets a·p ≥ 0, the vertices, and the condition as the figure prints it.
FIGURE = {
    "z1": (
        (1, 0, 0),
        (0, 2, 2),
        {(1, -1, -1), (0, 1, 0), (0, 0, 1)},
        {CORNER_1, MIDPOINT_12, MIDPOINT_13},
        lambda p: p[0] >= HALF,
    ),
    "z2": (
        (0, 1, 0),
        (2, 0, 2),
        {(-1, 1, -1), (1, 0, 0), (0, 0, 1)},
        {CORNER_2, MIDPOINT_12, MIDPOINT_23},
        lambda p: p[1] >= HALF,
    ),
    "z3": (
        (0, 0, 1),
        (2, 2, 0),
        {(-1, -1, 1), (1, 0, 0), (0, 1, 0)},
        {CORNER_3, MIDPOINT_13, MIDPOINT_23},
        lambda p: p[2] >= HALF,
    ),
    "z4": (
        (0, 0, 0),
        (1, 1, 1),
        {(-1, 1, 1), (1, -1, 1), (1, 1, -1)},
        {MIDPOINT_12, MIDPOINT_13, MIDPOINT_23},
        lambda p: max(p) <= HALF,
    ),
}


@cache
def normals_at(u):
    return positive_normal_set(crammer_singer(3), u)


@pytest.mark.parametrize(("u", "z", "facets", "vertices", "condition"), FIGURE.values(), ids=FIGURE)
def test_the_positive_normal_set_has_the_inequalities_and_the_vertices_of_the_figure(u, z, facets, vertices, condition):
    normals = positive_normal_set(crammer_singer(3), u)
    assert normals.u == u
    assert normals.z == z
    assert set(normals.polytope.inequalities) == facets
    assert set(normals.polytope.vertices) == vertices
    assert normals.polytope.dim == 2


@pytest.mark.parametrize(("u", "z", "facets", "vertices", "condition"), FIGURE.values(), ids=FIGURE)
@given(p=distributions(3))
def test_the_positive_normal_set_holds_exactly_where_the_figure_says(u, z, facets, vertices, condition, p):
    assert normals_at(u).polytope.contains(p) == condition(p)


def test_the_four_sets_of_the_figure_are_all_that_have_full_dimension():
    cells = positive_normal_sets(crammer_singer(3)).cells
    assert {cell.z: set(cell.polytope.vertices) for cell in cells} == {z: v for _, z, _, v, _ in FIGURE.values()}
    assert {cell.z: set(cell.polytope.inequalities) for cell in cells} == {z: f for _, z, f, _, _ in FIGURE.values()}


def test_the_gradients_at_zero_are_those_of_the_appendix():
    # ∂ψ₁(0) = conv((−1, 1, 0), (−1, 0, 1)), and so on.
    terms = crammer_singer(3).terms
    gradients = [{piece[1:] for piece in second_opinion.active(maximum, (0, 0, 0))} for (maximum,) in terms]
    assert gradients == [
        {(-1, 1, 0), (-1, 0, 1)},
        {(1, -1, 0), (0, -1, 1)},
        {(1, 0, -1), (0, 1, -1)},
    ]
