"""A band is where the boundary of two decisions runs while a cost moves."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith import LossMatrix
from lossmith.analysis.band import bands
from lossmith.losses import zero_one
from strategies import distributions, loss_rows, rationals


def expected(rows, p, y, t, x):
    """The expected cost of each decision at p with x as entry (y, t)."""
    changed = [[x if (i, j) == (y, t) else cost for j, cost in enumerate(row)] for i, row in enumerate(rows)]
    return [sum(q * row[s] for q, row in zip(p, changed, strict=True)) for s in range(len(rows[0]))]


@given(loss_rows(), st.data())
def test_a_band_holds_the_points_whose_decision_changes(rows, data):
    loss = LossMatrix(rows)
    y, t = data.draw(st.integers(0, loss.n - 1)), data.draw(st.integers(0, loss.k - 1))
    low, high = sorted(data.draw(st.tuples(rationals(-2), rationals(-2))))
    found = {band.prediction: band for band in bands(loss, y, t, low, high)}
    for _ in range(5):
        p = data.draw(distributions(loss.n))
        before, after = expected(rows, p, y, t, low), expected(rows, p, y, t, high)
        for s, band in found.items():
            if band.polytope.contains(p):
                assert before[t] == min(before)
                assert after[s] == min(after)
        best = [s for s in range(loss.k) if after[s] == min(after)]
        if before.count(min(before)) == 1 and before[t] == min(before) and len(best) == 1 and best != [t]:
            assert [s for s, band in found.items() if band.polytope.contains(p)] == best


@given(loss_rows(), st.data())
def test_a_band_begins_and_ends_where_two_decisions_cost_the_same(rows, data):
    loss = LossMatrix(rows)
    y, t = data.draw(st.integers(0, loss.n - 1)), data.draw(st.integers(0, loss.k - 1))
    low, high = sorted(data.draw(st.tuples(rationals(), rationals())))
    for band in bands(loss, y, t, low, high):
        for x, row in ((low, band.low), (high, band.high)):
            for p in band.wall(row):
                costs = expected(rows, p, y, t, x)
                assert costs[t] == costs[band.prediction] == min(costs)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_decision_whose_right_answer_becomes_a_wrong_one_gives_its_whole_cell_away(n):
    """With 1 in place of the 0 it is never better than another; by symmetry each of the others gets the same part."""
    found = bands(zero_one(n), 0, 0, Fraction(0), Fraction(1))
    assert [band.prediction for band in found] == list(range(1, n))
    assert {band.share for band in found} == {Fraction(1, n * (n - 1))}


def test_the_share_of_an_interval_is_its_length():
    (band,) = bands(LossMatrix([[0, 5], [200, 5]]), 1, 0, Fraction(100), Fraction(400))
    assert sorted(p[1] for p in band.polytope.vertices) == [Fraction(5, 400), Fraction(5, 100)]
    assert band.share == Fraction(5, 100) - Fraction(5, 400)


def test_nothing_is_swept_where_nothing_moves():
    dear = LossMatrix([[0, 1, 9], [1, 0, 9]])
    assert bands(dear, 0, 2, Fraction(8), Fraction(10)) == ()
    assert bands(dear, 0, 1, Fraction(1), Fraction(1)) == ()
    assert bands(LossMatrix([[1], [2]]), 0, 0, Fraction(0), Fraction(2)) == ()
    twins = LossMatrix([[0, 0], [1, 1]])  # at the low end a tie everywhere
    assert bands(twins, 0, 0, Fraction(0), Fraction(1)) == ()
