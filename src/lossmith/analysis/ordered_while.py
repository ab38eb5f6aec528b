"""How far one entry of a loss can move until the predictions that are needed stand in another order, exactly.

Predictions r_1 … r_k, all needed, stand in this order along one number exactly if each j has a ρ > 0 with
v_j ≤ ρ v_{j+1}, where v_j = ℓ_{r_{j+1}} − ℓ_{r_j} (see `sections`). Let x be entry (y, t) and t = r_i. It occurs in
v_{i−1} and, with the other sign, in v_i, so in three of these conditions. In each the other labels leave an interval
of ρ, and the condition for y bounds x by a monotone function of ρ: its best value is that at an end of the interval.

For two labels nothing but the set matters: of two needed predictions that would exchange places one dominates the other
when they meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from lossmith.analysis.cost_interval import Interval
from lossmith.analysis.sections import ratios
from lossmith.exact.vectors import Row, minus

End: TypeAlias = tuple[Fraction | None, bool]  # a bound and whether it is attained; None for no bound


def ordered_while(columns: Sequence[Row], order: Sequence[int], y: int, t: int) -> Interval:
    """The values x of entry (y, t) for which `order` is one, as long as the same predictions are needed.

    >>> ordered_while([(0, 1, 2), (1, 0, 1), (2, 1, 0)], (0, 1, 2), 0, 2)
    Interval(low=Fraction(2, 1), high=None, low_included=True, high_included=False)
    """
    found = Interval()
    if t not in order:
        return found
    i, steps = order.index(t), [minus(columns[b], columns[a]) for a, b in pairwise(order)]
    now = columns[t][y]
    for j, (before, after) in enumerate(pairwise(steps)):
        if not i - 2 <= j <= i:
            continue
        span = ratios(before[:y] + before[y + 1 :], after[:y] + after[y + 1 :])
        assert span is not None  # it is an order now
        a, b = before[y], after[y]
        if j == i - 2:  # a ≤ ρ (x − c), where x − c is now b
            found = found.above(*_least(now - b, a, span))
        elif j == i - 1:  # x − c ≤ ρ (d − x), where these are now a and b
            found = found.below(*_between(now - a, now + b, span))
        else:  # d − x ≤ ρ b, where d − x is now a
            found = found.above(*_reached(now + a, b, span))
    return found


_Span: TypeAlias = tuple[Fraction, Fraction | None]  # of ρ; a lower end 0 and an upper end None are not attained


def _least(c: int, a: int, span: _Span) -> End:
    """The least c + a/ρ."""
    low, high = span
    if a > 0:
        return (Fraction(c), False) if high is None else (c + a / high, True)
    if a == 0:
        return Fraction(c), True
    return (None, False) if low == 0 else (c + a / low, True)


def _between(c: int, d: int, span: _Span) -> End:
    """The largest (c + ρd)/(1 + ρ)."""
    low, high = span
    if d > c:
        return (Fraction(d), False) if high is None else ((c + high * d) / (1 + high), True)
    if d == c:
        return Fraction(c), True
    return (Fraction(c), False) if low == 0 else ((c + low * d) / (1 + low), True)


def _reached(d: int, b: int, span: _Span) -> End:
    """The least d − ρb."""
    low, high = span
    if b > 0:
        return (None, False) if high is None else (d - high * b, True)
    if b == 0:
        return Fraction(d), True
    return (Fraction(d), False) if low == 0 else (d - low * b, True)
