"""Cells by pivots are those that the enumeration finds, on random surrogates and on families with closed forms."""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from random import Random
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith.analysis.positive_normals import enumerated, finished, pivoted, positive_normal_set, positive_normal_sets
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.calibration.checking import check
from lossmith.errors import TooLarge
from lossmith.losses import zero_one
from lossmith.surrogates import crammer_singer, lee_lin_wahba, one_vs_one_hinge, weston_watkins
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from strategies import examples


def drawn(seed: int, n: int, dim: int, pieces: int, largest: int = 3, boxed: bool = False) -> PolyhedralSurrogate:
    """Pieces of small coefficients whose slopes have the mean 0; with a box around 0 or without."""
    random = Random(seed)
    terms = []
    for _ in range(n):
        slopes = [[random.randint(-largest, largest) for _ in range(dim)] for _ in range(pieces - 1)]
        slopes.append([-sum(column) for column in zip(*slopes, strict=True)])
        terms.append((tuple(tuple(map(Fraction, (random.randint(0, 4), *slope))) for slope in slopes),))
    sides = [[Fraction(sign * int(i == j)) for j in range(dim)] for i in range(dim) for sign in (1, -1)]
    box = tuple((Fraction(1, 2), *side) for side in sides) if boxed else ()
    return PolyhedralSurrogate(tuple(terms), dim, box, name=f"random number {seed}")


def assert_same(surrogate: PolyhedralSurrogate) -> None:
    found = pivoted(RiskMinimizer(surrogate))
    slow = finished(enumerated(RiskMinimizer(surrogate)))
    if found is None:  # too many ties
        return
    assert {cell.z: cell.polytope.rays for cell in found.cells} == {cell.z: cell.polytope.rays for cell in slow.cells}
    assert len(found.cells) == len(slow.cells)
    facets = {cell.z: cell.polytope.inequalities for cell in slow.cells}
    for cell in found.cells:
        assert surrogate(cell.u) == cell.z
        assert cell.polytope.inequalities == facets[cell.z]
    assert list(found.proofs) == list(found.vertices)
    for p, weights in found.proofs.items():
        assert_proof(surrogate, p, weights)
        assert weights.bound == slow.proofs[p].bound


def assert_proof(surrogate: PolyhedralSurrogate, p, weights) -> None:
    """No weight is negative, those of a maximum sum to its labels, and with multipliers the gradients vanish."""
    rows = surrogate.domain.rows
    assert all(weight > 0 for _, _, weight in weights.pieces)
    assert all(weight > 0 for i, weight in weights.domain if i < len(surrogate.inequalities))
    for g in range(len(surrogate.maxima)):
        total = sum(x * groups.count(g) for x, groups in zip(p, surrogate.groups, strict=True))
        assert sum(weight for h, _, weight in weights.pieces if h == g) == total
    used = [(surrogate.maxima[g][j], weight) for g, j, weight in weights.pieces]
    used += [(rows[i], -weight) for i, weight in weights.domain]
    sums = [sum(row[i] * weight for row, weight in used) for i in range(surrogate.dim + 1)]
    assert sums == [weights.bound, *[0] * surrogate.dim]


@examples(6)
@given(st.integers(0, 10**6), st.integers(3, 5), st.integers(1, 3), st.integers(4, 6), st.booleans())
def test_random_surrogates_have_the_cells_of_the_enumeration(seed, n, dim, pieces, boxed):
    assert_same(drawn(seed, n, dim, pieces, boxed=boxed))


@examples(8)
@given(st.integers(0, 10**6), st.integers(3, 4), st.integers(1, 3))
def test_surrogates_with_many_ties_have_the_cells_of_the_enumeration(seed, n, dim):
    assert_same(drawn(seed, n, dim, 5, largest=1))


@pytest.mark.parametrize("surrogate", [weston_watkins(4), lee_lin_wahba(6), drawn(1, 4, 3, 8)], ids=lambda s: s.name)
def test_families_have_the_cells_of_the_enumeration(surrogate):
    assert pivoted(RiskMinimizer(surrogate)) is not None
    assert_same(surrogate)


@pytest.mark.parametrize("n", [5, pytest.param(6, marks=pytest.mark.exhaustive)])
def test_one_vs_one_has_a_cell_for_each_order_of_the_labels(n):
    found = pivoted(RiskMinimizer(one_vs_one_hinge(n)))
    assert len(found.cells) == factorial(n)
    assert len(found.vertices) == 2**n - 1  # H = Σ 2 min{p_i, p_j}: the corners are constant on their support


def test_lee_lin_wahba_has_a_cell_for_each_label():
    n = 7
    found = pivoted(RiskMinimizer(lee_lin_wahba(n)))
    assert len(found.cells) == n
    assert len(found.vertices) == 2**n - 1


def test_surrogates_with_numbers_beyond_64_bits_are_enumerated():
    small, factor = drawn(3, 4, 2, 6), 10**14
    terms = tuple(
        tuple(tuple(tuple(x * factor for x in row) for row in pieces) for pieces in term) for term in small.terms
    )
    large = PolyhedralSurrogate(terms, 2, name="large")
    assert pivoted(RiskMinimizer(small)) is not None
    assert pivoted(RiskMinimizer(large)) is None
    cells = [{cell.polytope.rays for cell in positive_normal_sets(each).cells} for each in (small, large)]
    assert cells[0] == cells[1]


def test_surrogates_at_whose_vertices_most_pieces_are_equal_are_enumerated():
    assert pivoted(RiskMinimizer(crammer_singer(6))) is None
    assert len(positive_normal_sets(crammer_singer(6)).cells) == 7


def test_more_vertices_than_admitted_are_refused():
    with pytest.raises(TooLarge, match="98"):
        positive_normal_sets(weston_watkins(4), max_vertices=98)
    assert len(positive_normal_sets(weston_watkins(4), max_vertices=99).vertices) == 99


def test_a_verdict_does_not_depend_on_whether_there_are_pivots():
    surrogate, loss = one_vs_one_hinge(5), zero_one(5)
    usual = check(surrogate, loss)
    with mock.patch("lossmith.calibration.by_positive_normals.pivoted", return_value=None):
        slow = check(surrogate, loss)
    assert usual.status == slow.status == "calibrated"
    assert {(cell.z, cell.prediction) for cell in usual.cells} == {(cell.z, cell.prediction) for cell in slow.cells}


def test_what_a_minimizer_knows_does_not_change_the_set_at_a_point():
    surrogate = drawn(5, 4, 2, 6)
    minimizer = RiskMinimizer(surrogate)
    for cell in finished(enumerated(minimizer)).cells:
        assert positive_normal_set(surrogate, cell.u, minimizer=minimizer) == positive_normal_set(surrogate, cell.u)
