"""What can be told of the cells of a loss without their vertices: where each prediction wins, and beside which.

Two cells share a facet exactly if at some p the two predictions are optimal and all others are not: where they tie, Δ
is cut in dimension n − 2, as neither of two kept predictions dominates the other, and near p all of the cut belongs to
both cells. Such p come almost free, as the breaks of the least risk along segments; linear programs settle the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, islice
from typing import TYPE_CHECKING

from lossmith.exact.vectors import Row, cleared, dot, minus, primitive, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.simplex import simplest_near

if TYPE_CHECKING:
    from lossmith.analysis.facts import Facts

_WORK = 4_000_000  # products of numbers that segments and programs may take
_DIGITS = 10**9


@dataclass(frozen=True)
class Winning:
    """A distribution at which one prediction is the only optimal one, and by how much: about as much as can be."""

    prediction: int
    p: tuple[Fraction, ...]
    margin: Fraction


def winning(facts: Facts) -> tuple[Winning, ...]:
    """For each kept prediction a simple distribution at which it wins, by nearly the largest margin there is.

    Floats guess where; the margin is exact.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.losses import zero_one
    >>> [tuple(map(str, (*each.p, each.margin))) for each in winning(Facts(zero_one(2)))]
    [('1', '0', '1'), ('0', '1', '1')]
    """
    from lossmith.geometry.float_lp import LargestMargins  # loads numpy and HiGHS

    columns = [facts.columns[t] for t in facts.kept]
    if len(columns) == 1:
        n = facts.loss.n
        return (Winning(facts.kept[0], (Fraction(1, n),) * n, Fraction(0)),)
    guesses, unit = LargestMargins(columns), facts.loss.rational.denominator
    found = []
    for i, t in enumerate(facts.kept):
        p = _integers(guesses.at(i))
        if _margin(columns, i, p) <= 0:  # floats were misled
            p = tuple(cleared(facts.alone(t)))
        shown = simplest_near(p, partial(_nearly, columns, i, _margin(columns, i, p)), keep=False)
        total = sum(shown)
        found.append(Winning(t, tuple(Fraction(x, total) for x in shown), _margin(columns, i, shown) / unit))
    return tuple(found)


def _nearly(columns: Sequence[Row], i: int, margin: Fraction, p: Row) -> bool:
    return _margin(columns, i, p) >= margin * Fraction(9, 10)


def _integers(p: Sequence[float]) -> Row:
    return tuple(round(max(0.0, x) * _DIGITS) for x in p)


def _margin(columns: Sequence[Row], i: int, p: Row) -> Fraction:
    """By how much column i is below all others at p, normalised."""
    risks = [dot(column, p) for column in columns]
    return Fraction(min(risk for j, risk in enumerate(risks) if j != i) - risks[i], sum(p))


@dataclass(frozen=True)
class Neighbours:
    """Pairs of kept predictions whose cells share a facet; `open` counts those of which that is not known."""

    pairs: tuple[tuple[int, int], ...]
    open: int = 0

    def of(self, t: int) -> tuple[int, ...]:
        """The predictions beside t, in increasing order."""
        return tuple(sorted(b if a == t else a for a, b in self.pairs if t in (a, b)))


def neighbours(facts: Facts) -> Neighbours:
    """Which cells share a facet, exactly: every pair that is listed does, and unless some are `open`, no other.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.losses import abstain
    >>> neighbours(Facts(abstain(3, cost="1/3"))).pairs
    ((0, 3), (1, 3), (2, 3))
    """
    columns = [facts.columns[t] for t in facts.kept]
    size, work = len(columns), facts.loss.n * len(columns)
    ends = [cleared(each.p) for each in facts.winning]
    found: set[tuple[int, int]] = set()
    for p, q in islice(combinations(ends, 2), _WORK // work):
        found |= {(min(s, t), max(s, t)) for _, s, t, alone in breaks(columns, p, q) if alone}
    left = [pair for pair in combinations(range(size), 2) if pair not in found]
    settled = min(len(left), _WORK // (20 * work))
    found |= {(s, t) for s, t in left[:settled] if _adjacent(columns, s, t)}
    pairs = tuple((facts.kept[s], facts.kept[t]) for s, t in sorted(found))
    return Neighbours(pairs, len(left) - settled)


def breaks(columns: Sequence[Row], p: Sequence[int], q: Sequence[int]) -> list[tuple[Row, int, int, bool]]:
    """Where the optimal column changes from p to q: the point, the ones before and after, and if no other is optimal.

    >>> breaks([(0, 1), (1, 0)], (3, 1), (0, 1))
    [((1, 1), 0, 1, True)]
    """
    start, end = sum(p), sum(q)
    first = [dot(column, p) * end for column in columns]
    last = [dot(column, q) * start for column in columns]
    now = min(range(len(columns)), key=lambda t: (first[t], last[t]))
    found: list[tuple[Row, int, int, bool]] = []
    while True:
        fall = last[now] - first[now]
        shares = {
            t: Fraction(first[t] - first[now], fall - last[t] + first[t])
            for t in range(len(columns))
            if last[t] - first[t] < fall
        }
        where = min(shares.values(), default=Fraction(1))
        if where >= 1:
            return found
        tied = [t for t, share in shares.items() if share == where]
        after = min(tied, key=lambda t: last[t] - first[t])
        a, b = where.denominator - where.numerator, where.numerator
        if b:
            same = sum(first[t] == first[now] and last[t] == last[now] for t in range(len(columns)))
            point = primitive([a * end * x + b * start * y for x, y in zip(p, q, strict=True)])
            found.append((point, now, after, len(tied) == 1 == same))
        now = after


def _adjacent(columns: Sequence[Row], s: int, t: int) -> bool:
    """Whether somewhere s and t alone are optimal."""
    n, own = len(columns[0]), columns[s]
    others = [(0, *minus(column, own), -1) for r, column in enumerate(columns) if r not in (s, t)]
    positive = [(0, *unit, 0) for unit in unit_rows(n)]
    tie = (0, *minus(columns[t], own), 0)
    best = maximize([0] * n + [1], [*others, *positive, (1, *[0] * n, -1)], [tie, (-1, *[1] * n, 0)])
    return best is not None and best.value > 0
