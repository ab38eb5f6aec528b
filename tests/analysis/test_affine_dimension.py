"""Affine dimension and rank of loss matrices."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

import reference
from lossmith import LossMatrix, affdim
from lossmith.analysis.affine_dimension import rank
from lossmith.losses import abstain, cost_sensitive_binary, hamming, ordinal, top_k, zero_one
from strategies import loss_rows, low_rank_rows


@given(loss_rows(max_n=5, max_k=6))
def test_affdim_is_the_rank_of_the_differences_of_columns(rows):
    assert affdim(LossMatrix(rows)) == reference.affdim(rows)


@given(loss_rows(max_n=5, max_k=6))
def test_rank_is_the_rank_by_elimination_over_fractions(rows):
    assert rank(LossMatrix(rows)) == reference.rank(rows)


@given(low_rank_rows(max_n=6, max_k=6))
def test_affdim_and_rank_of_low_rank_matrices_are_right(rows):
    assert (affdim(LossMatrix(rows)), rank(LossMatrix(rows))) == (reference.affdim(rows), reference.rank(rows))


@given(loss_rows())
def test_affdim_is_the_rank_or_one_less(rows):
    assert rank(LossMatrix(rows)) - affdim(LossMatrix(rows)) in (0, 1)


@pytest.mark.parametrize("n", [2, 3, 10, 60])
def test_zero_one_loss_has_affdim_n_minus_1_and_rank_n(n):
    assert (affdim(zero_one(n)), rank(zero_one(n))) == (n - 1, n)


@pytest.mark.parametrize("n", [2, 3, 10, 60])
def test_ordinal_loss_has_affdim_n_minus_1_and_rank_n(n):
    assert (affdim(ordinal(n)), rank(ordinal(n))) == (n - 1, n)


@pytest.mark.parametrize("n", [3, 10, 60])
def test_squared_ordinal_loss_has_affdim_2_and_rank_3(n):
    # (y − t)² = y² − 2yt + t²: beyond the part that depends on y alone, the columns are −2ty + t²1.
    assert (affdim(ordinal(n, power=2)), rank(ordinal(n, power=2))) == (2, 3)


@pytest.mark.parametrize("r", [1, 2, 5, 8])
def test_hamming_loss_has_affdim_r_and_rank_r_plus_1(r):
    assert (affdim(hamming(r)), rank(hamming(r))) == (r, r + 1)


@pytest.mark.parametrize("n", [3, 4, 10, 60])
@pytest.mark.parametrize("cost", ["1/2", "1/3"])
def test_abstain_loss_has_affdim_n(n, cost):
    # The mean of the 0-1 columns is (n−1)/n everywhere; abstaining costs something else, so it adds a dimension.
    assert (affdim(abstain(n, cost)), rank(abstain(n, cost))) == (n, n)


def test_abstaining_at_the_price_of_a_fair_guess_adds_no_dimension():
    assert affdim(abstain(2, "1/2")) == 1
    assert affdim(abstain(5, "4/5")) == 4


@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 3), (8, 2)])
def test_top_k_loss_has_affdim_n_minus_1(n, k):
    assert affdim(top_k(n, k)) == n - 1


@pytest.mark.parametrize("c", ["1/6", "1/2", 0.99])
def test_two_labels_with_two_prices_have_affdim_1(c):
    assert affdim(cost_sensitive_binary(c)) == 1


def test_a_constant_matrix_has_affdim_0():
    assert affdim(LossMatrix([[3, 3], [5, 5]])) == 0
    assert affdim(LossMatrix([[0], [0]])) == 0


def test_differences_too_small_for_floats_count():
    assert affdim(LossMatrix([[1, 1 + Fraction(1, 10**40)], [1, 1]])) == 1
