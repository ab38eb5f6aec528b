"""What must not matter for calibration does not: the verdict stays the same."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.losses import abstain, hamming, ordinal, zero_one
from lossmith.surrogates import (
    absolute,
    all_threshold_hinge,
    binary_encoded,
    crammer_singer,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from strategies import examples, permutations, rationals, row_factors, row_offsets
from surrogates.random_surrogates import pairs

FAMILIES = (
    lambda: crammer_singer(3),
    lambda: weston_watkins(3),
    lambda: lee_lin_wahba(3),
    lambda: one_vs_all_hinge(3),
    lambda: absolute(4),
    lambda: binary_encoded(4),
    lambda: all_threshold_hinge(4),
)


@cache
def member(family):
    return family()


@st.composite
def known(draw):
    """A member of the catalogue, and a loss on its labels."""
    surrogate, loss = member(draw(st.sampled_from(FAMILIES))), draw(st.sampled_from([zero_one, abstain, ordinal]))
    return surrogate, loss(surrogate.n)


cases = known() | pairs()


def status(surrogate, rows) -> str:
    return check(surrogate, LossMatrix(rows)).status


def with_terms(surrogate, terms) -> PolyhedralSurrogate:
    return PolyhedralSurrogate(tuple(terms), surrogate.dim, surrogate.inequalities, surrogate.equations)


def times(factor, terms):
    return tuple(tuple(tuple(factor * x for x in piece) for piece in maximum) for maximum in terms)


def plus(constant, terms):
    first, *others = terms
    return (tuple((piece[0] + constant, *piece[1:]) for piece in first), *others)


@examples(6)
@given(cases, st.data())
def test_adding_a_constant_to_each_row_of_the_loss(case, data):
    surrogate, loss = case
    offsets = data.draw(row_offsets(loss.n))
    shifted = [[entry + offset for entry in row] for row, offset in zip(loss.entries, offsets)]
    assert status(surrogate, shifted) == status(surrogate, loss.entries)


@examples(6)
@given(cases, st.data())
def test_adding_a_constant_to_each_component_of_the_surrogate(case, data):
    surrogate, loss = case
    offsets = data.draw(row_offsets(loss.n))
    shifted = with_terms(surrogate, (plus(offset, terms) for offset, terms in zip(offsets, surrogate.terms)))
    assert status(shifted, loss.entries) == status(surrogate, loss.entries)


@examples(6)
@given(cases, rationals(0, 9).filter(bool), rationals(0, 9).filter(bool))
def test_scaling_the_loss_or_the_surrogate(case, of_loss, of_surrogate):
    surrogate, loss = case
    scaled_loss = [[of_loss * entry for entry in row] for row in loss.entries]
    scaled_surrogate = with_terms(surrogate, (times(of_surrogate, terms) for terms in surrogate.terms))
    assert status(scaled_surrogate, scaled_loss) == status(surrogate, loss.entries)


@examples(6)
@given(cases, st.data())
def test_scaling_the_rows_of_the_loss_and_the_components_of_the_surrogate_together(case, data):
    surrogate, loss = case
    factors = data.draw(row_factors(loss.n))
    rows = [[factor * entry for entry in row] for factor, row in zip(factors, loss.entries)]
    scaled = with_terms(surrogate, (times(factor, terms) for factor, terms in zip(factors, surrogate.terms)))
    assert status(scaled, rows) == status(surrogate, loss.entries)


@examples(6)
@given(cases, st.data())
def test_permuting_the_predictions(case, data):
    surrogate, loss = case
    order = data.draw(permutations(loss.k))
    assert status(surrogate, [[row[t] for t in order] for row in loss.entries]) == status(surrogate, loss.entries)


@examples(6)
@given(cases, st.data())
def test_permuting_the_labels_of_the_loss_and_the_surrogate_together(case, data):
    surrogate, loss = case
    order = data.draw(permutations(loss.n))
    moved = with_terms(surrogate, (surrogate.terms[y] for y in order))
    assert status(moved, [loss.entries[y] for y in order]) == status(surrogate, loss.entries)


@examples(6)
@given(cases, st.data())
def test_repeating_a_prediction(case, data):
    surrogate, loss = case
    t = data.draw(st.integers(0, loss.k - 1))
    assert status(surrogate, [[*row, row[t]] for row in loss.entries]) == status(surrogate, loss.entries)


@examples(6)
@given(cases, st.data())
def test_adding_a_prediction_that_is_never_better_than_another(case, data):
    surrogate, loss = case
    t = data.draw(st.integers(0, loss.k - 1))
    extra = data.draw(row_offsets(loss.n))
    dearer = [[*row, row[t] + more] for row, more in zip(loss.entries, extra)]
    assert status(surrogate, dearer) == status(surrogate, loss.entries)


@examples(6)
@given(cases, st.data())
def test_changing_the_coordinates_of_u(case, data):
    # u = Av + b with A invertible (unit lower triangular): pieces a·u + c become (Aᵀa)·v + (a·b + c).
    surrogate, loss = case
    dim = surrogate.dim
    number = st.integers(-2, 2).map(Fraction)
    A = [
        [Fraction(1) if i == j else data.draw(number) if j < i else Fraction(0) for j in range(dim)] for i in range(dim)
    ]
    b = [data.draw(number) for _ in range(dim)]

    def moved(row):
        constant = row[0] + sum(x * y for x, y in zip(row[1:], b))
        return (constant, *(sum(row[1 + i] * A[i][j] for i in range(dim)) for j in range(dim)))

    changed = PolyhedralSurrogate(
        tuple(tuple(tuple(map(moved, maximum)) for maximum in terms) for terms in surrogate.terms),
        dim,
        tuple(map(moved, surrogate.inequalities)),
        tuple(map(moved, surrogate.equations)),
    )
    assert status(changed, loss.entries) == status(surrogate, loss.entries)


@examples(4)
@given(cases)
def test_a_coordinate_that_nothing_uses(case):
    surrogate, loss = case
    wider = PolyhedralSurrogate(
        tuple(
            tuple(tuple((*piece, Fraction(0)) for piece in maximum) for maximum in terms) for terms in surrogate.terms
        ),
        surrogate.dim + 1,
        tuple((*row, Fraction(0)) for row in surrogate.inequalities),
        tuple((*row, Fraction(0)) for row in surrogate.equations),
    )
    assert status(wider, loss.entries) == status(surrogate, loss.entries)


@pytest.mark.parametrize("family", [crammer_singer, one_vs_all_hinge], ids=lambda each: each.name)
def test_row_scaling_one_side_only_does_matter(family):
    # Class weights on the loss alone move its cells away from those of the surrogate.
    surrogate = family(4)
    assert check(surrogate, abstain(4)).status == "calibrated"
    assert check(surrogate, abstain(4).scale_rows([1, 2, 3, 4])).status == "not calibrated"


def test_permuting_labels_on_one_side_only_does_matter():
    assert check(absolute(4), ordinal(4)).status == "calibrated"
    rows = ordinal(4).entries
    assert status(absolute(4), [rows[y] for y in (1, 0, 2, 3)]) == "not calibrated"


def test_names_of_labels_and_predictions_do_not_matter():
    loss = LossMatrix(hamming(2).entries, labels=list("abcd"), predictions=list("wxyz"), name="renamed")
    assert check(weston_watkins(4), loss).status == check(weston_watkins(4), hamming(2)).status
