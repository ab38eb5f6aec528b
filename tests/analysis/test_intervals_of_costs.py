"""Intervals of costs: what is above, below, and in both, by the definition at every point that could tell."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from lossmith.analysis.cost_interval import Interval
from lossmith.analysis.facts import Facts
from lossmith.analysis.useful_while import UsefulWhile
from lossmith.losses.matrix import LossMatrix

ENDS = [Fraction(0), Fraction(1), Fraction(2)]
PLACES = [Fraction(x, 2) for x in range(7)]
INTERVALS = [
    Interval(low, high, low_included, high_included)
    for low, high in product(ENDS, [*ENDS, None])
    for low_included, high_included in product((False, True), repeat=2)
    if high is None or low < high
]


def holds(interval: Interval, x: Fraction) -> bool:
    above = x > interval.low or (x == interval.low and interval.low_included)
    return above and (interval.high is None or x < interval.high or (x == interval.high and interval.high_included))


def test_what_is_below_a_cost_is_below_it_and_in_the_interval():
    for interval, end, included in product(INTERVALS, ENDS, (False, True)):
        below = interval.below(end, included)
        for x in PLACES:
            expected = holds(interval, x) and (x < end or (x == end and included))
            assert holds(below, x) == expected, (interval, end, included, x)


def test_what_is_above_a_cost_is_above_it_and_in_the_interval():
    for interval, end, included in product(INTERVALS, ENDS, (False, True)):
        above = interval.above(end, included)
        for x in PLACES:
            expected = holds(interval, x) and (x > end or (x == end and included))
            assert holds(above, x) == expected, (interval, end, included, x)


def test_what_is_in_both_intervals_is_in_each():
    for one, other in product(INTERVALS, repeat=2):
        both = one.meet(other)
        assert [holds(both, x) for x in PLACES] == [holds(one, x) and holds(other, x) for x in PLACES], (one, other)


def test_without_an_end_nothing_is_taken_away():
    for interval in INTERVALS:
        assert interval.below(None, True) == interval == interval.above(None, True)


@pytest.mark.parametrize(
    ("rows", "y", "t"),
    [
        ([[0, 4, 4, 4], [6, 4, 2, 3], [4, 0, 6, 1], [5, 1, 4, 4]], 1, 0),
        ([[2, 4, 6, 2, 6], [6, 6, 4, 5, 6], [5, 2, 2, 5, 0]], 0, 2),
        ([[3, 6, 4, 3, 3], [2, 4, 6, 5, 4], [3, 6, 1, 6, 5], [6, 1, 0, 1, 2]], 0, 1),
    ],
    ids=str,
)
def test_predictions_are_kept_at_the_costs_in_the_interval_and_no_others(rows, y, t):
    """The largest of several lower ends counts: the first that is looked at is not the only one."""

    def kept(x: Fraction) -> tuple[int, ...]:
        changed = [[x if (i, j) == (y, t) else entry for j, entry in enumerate(row)] for i, row in enumerate(rows)]
        return Facts(LossMatrix(changed)).kept

    now = kept(Fraction(rows[y][t]))
    interval = UsefulWhile(Facts(LossMatrix(rows))).interval(y, t)
    places = {Fraction(x, 3) for x in range(21)} | {interval.low, interval.low + Fraction(1, 60)}
    assert [(x, x in interval) for x in sorted(places)] == [(x, kept(x) == now) for x in sorted(places)]
