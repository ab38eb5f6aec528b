"""Intervals of costs: what is above, below, and in both, by the definition at every point that could tell."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from lossmith.analysis.cost_interval import Interval

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
