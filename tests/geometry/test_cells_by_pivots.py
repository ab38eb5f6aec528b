"""Cells by pivots, their cones and dictionaries: against one cone at a time, and against closed forms."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith.geometry.cells_by_pivots import cells_by_pivots
from lossmith.geometry.dictionaries import Unfit, VectorProgram, dictionary
from lossmith.geometry.double_description import extreme_rays
from lossmith.geometry.small_cones import rays_of_cones
from reference import dot


@st.composite
def families_of_cones(draw):
    n, size, count = draw(st.integers(2, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    row = st.lists(st.integers(-3, 3), min_size=n, max_size=n)
    rows = draw(st.lists(st.lists(row, min_size=size, max_size=size), min_size=count, max_size=count))
    used = draw(st.lists(st.lists(st.booleans(), min_size=size, max_size=size), min_size=count, max_size=count))
    return rows, used


@given(families_of_cones())
def test_the_rays_of_many_cones_are_those_of_each(family):
    rows, used = family
    n = len(rows[0][0])
    found = rays_of_cones(np.array(rows), np.array(used))
    assert list(found.owners) == sorted(found.owners)
    for cone, (own, chosen) in enumerate(zip(rows, used, strict=True)):
        cuts = [row for row, is_used in zip(own, chosen, strict=True) if is_used]
        units = [[int(i == j) for j in range(n)] for i in range(n)]
        rays = found.coordinates[found.owners == cone].tolist()
        assert sorted(map(tuple, rays)) == sorted(extreme_rays([*units, *cuts]))
        tight = found.tight(len(own))[found.owners == cone].tolist()
        expected = [[is_used and dot(row, ray) == 0 for row, is_used in zip(own, chosen)] for ray in rays]
        assert tight == expected


def test_a_cone_of_large_numbers_is_not_rounded_but_refused():
    with pytest.raises(Unfit):
        rays_of_cones(np.array([[[2**62, 1 - 2**62], [1 - 2**61, 2**61]]]), np.array([[True, True]]))


def boxes(sides, objectives):
    """0 ≤ x_i ≤ sides_i, and these objectives."""
    units = [[int(i == j) for j in range(len(sides))] for i in range(len(sides))]
    rows = [(0, *unit) for unit in units] + [
        (side, *(-x for x in unit)) for side, unit in zip(sides, units, strict=True)
    ]
    return VectorProgram(rows, 0, objectives, len(sides))


@given(st.data())
def test_a_dictionary_that_was_pivoted_is_that_of_its_basis(data):
    sides = data.draw(st.lists(st.integers(1, 5), min_size=2, max_size=3))
    size = len(sides)
    objectives = [data.draw(st.tuples(*[st.integers(-3, 3)] * size)) for _ in range(2)]
    skew = VectorProgram(
        [*boxes(sides, objectives).rows, (sum(sides), *data.draw(st.tuples(*[st.integers(-1, 1)] * size)))],
        0,
        objectives,
        size,
    )
    moved = dictionary(skew, list(range(size))).entered(np.array([data.draw(st.integers(0, size - 1))]))
    direct = dictionary(skew, moved.basis[0].tolist())
    over = (moved.denominators[0], direct.denominators[0])
    for one, other in ((moved.points, direct.points), (moved.values[:, :, 0], direct.values[:, :, 0])):
        assert [Fraction(int(x), int(over[0])) for x in one[0]] == [Fraction(int(x), int(over[1])) for x in other[0]]
    at = [moved.basis[0].tolist().index(k) for k in direct.basis[0]]
    assert (moved.slopes[0][:, at] * over[1] == direct.slopes[0] * over[0]).all()


def test_on_a_box_each_corner_has_the_distributions_of_its_signs():
    # x ∈ [0, 1]^m, objectives ±x_i: p·ψ falls in x_i where the weight of −x_i is the larger one.
    m = 3
    objectives = [tuple(sign * int(i == j) for j in range(m)) for i in range(m) for sign in (1, -1)]
    found = cells_by_pivots(boxes([1] * m, objectives), [0, 1, 2])
    assert sorted(x for x, _ in found.x) == [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    for (x, _), (z, _) in zip(found.x, found.z, strict=True):
        assert z == tuple(sign * x[i] for i in range(m) for sign in (1, -1))
    for p, (weights, bound, denominator) in zip(found.vertices, found.proofs, strict=True):
        assert bound == -sum(max(0, p[2 * i + 1] - p[2 * i]) for i in range(m)) * denominator
        assert all(weight > 0 for _, weight in weights)


def test_where_points_coincide_the_cells_are_those_without_shifts():
    # The pyramid x ≥ ±y, ±w over a square has a tip at which four rows meet in R^3; seen from above it is one cell.
    rows = [(0, 1, 1, 0), (0, 1, -1, 0), (0, 1, 0, 1), (0, 1, 0, -1)]
    objectives = [(2, 1, 0), (2, -1, 0), (2, 0, 1), (2, 0, -1)]
    found = cells_by_pivots(VectorProgram(rows, 0, objectives, 3), [0, 1, 2])
    assert found.z == [((0, 0, 0, 0), found.z[0][1])]
    assert found.vertices == [(0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 0, 0)]
    assert found.tight == [15]


def test_from_a_basis_that_is_no_vertex_nothing_is_found():
    program = VectorProgram([(0, 1), (2, -1), (-5, 1)], 0, [(1,), (-1,)], 1)  # no x has 5 ≤ x ≤ 2
    assert cells_by_pivots(program, [0]) is None
    assert cells_by_pivots(program, []) is None


def test_from_a_vertex_that_is_nowhere_the_best_nothing_is_found():
    assert cells_by_pivots(boxes([1, 1], [(1, 2), (2, 1)]), [2, 3]) is None  # (1, 1), but 0 is always better


def test_cones_that_are_cut_to_nothing_have_no_rays():
    found = rays_of_cones(np.array([[[-1, -1], [1, -1]]]), np.array([[True, True]]))
    assert len(found.owners) == 0


def test_more_rays_than_admitted_end_it():
    objectives = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    assert cells_by_pivots(boxes([1, 1], objectives), [0, 1], most=10) is None
    assert cells_by_pivots(boxes([1, 1], objectives), [0, 1], most=1000) is not None


def test_numbers_beyond_64_bits_end_it():
    assert cells_by_pivots(boxes([2**70, 1], [(1, 0), (-1, 1), (0, -1)]), [0, 1]) is None


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_cells_of_all_comparisons_are_the_orders(n):
    # min of Σ x_ij (p_i − p_j) over x_ij ∈ [0, 1]: linear where p is ordered, and the corners are 0 or 1.
    pairs = [(i, j) for i in range(n) for j in range(i)]
    objectives = [tuple(int(y == i) - int(y == j) for i, j in pairs) for y in range(n)]
    found = cells_by_pivots(boxes([1] * len(pairs), objectives), list(range(len(pairs))))
    assert len(found.z) == factorial(n)
    assert len(found.vertices) == 2**n - 1
    assert {x for p in found.vertices for x in p} == {0, 1}
