"""How far one entry of a loss can move until another set of predictions is needed, exactly.

Let L(x) be L with x ≥ 0 in place of entry (y, t). A prediction is *alone* at x if at some p it is better than every
prediction with another column. If t is alone at x, it is so at every smaller x, at the same p; if s ≠ t is, it is so at
every larger one. Both are open conditions, as Δ is compact. So t is alone on [0, x_t) and s on (x_s, ∞):

    x_t = max x  subject to  q·(ℓ_r − ℓ_t) ≥ 0 for all r ≠ t,
    x_s = min x  subject to  q·(ℓ_r − ℓ_s) ≥ 0 for all r ≠ s,

over q ≥ 0 with q_y = 1, in which x stands alone: one linear program each. That inequalities need not be strict is due
to convexity: if there is a point at which all are, such points lie as near as one likes to every point at which all
hold. For t there is one, with a negative x; for s, if it is alone at some x. By duality x_t is what the cheapest
mixture of others costs under y, of those that are never worse than t under another label.

Which predictions are kept changes at these ends only, and at an end itself nothing is alone that was alone on one side.
Only where ℓ_t(x) is equal to another column does it matter which of the two comes first: there it is computed anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf
from operator import mul
from typing import TYPE_CHECKING

from lossmith.analysis.cost_interval import Interval
from lossmith.analysis.facts import Facts
from lossmith.analysis.redundancy import needed_predictions
from lossmith.exact.matrix import RationalMatrix
from lossmith.exact.vectors import Row, cleared, minus, unit_row
from lossmith.geometry.linear_program import SMALL, Optimum, Unbounded, maximize
from lossmith.losses.matrix import LossMatrix

if TYPE_CHECKING:
    from lossmith.geometry.float_lp import LargestMargins

_DIGITS = 10**9


class _Spent(Exception):
    """No linear program is left."""


def with_cost(loss: LossMatrix, y: int, t: int, x: Fraction) -> LossMatrix:
    """The loss with x in place of entry (y, t).

    >>> with_cost(LossMatrix([[0, 1], [1, 0]]), 0, 1, Fraction(5)).entries[0]
    (Fraction(0, 1), Fraction(5, 1))
    """
    rows = [list(row) for row in loss.entries]
    rows[y][t] = x
    return LossMatrix.from_exact(RationalMatrix.from_rows(rows), loss.labels, loss.predictions, loss.name)


@dataclass(eq=False)
class UsefulWhile:
    """For each entry the costs for which the same predictions are kept; `work` is what linear programs may take.

    >>> from lossmith.losses import abstain
    >>> UsefulWhile(Facts(abstain(2, cost="1/3"))).interval(0, 2)
    Interval(low=Fraction(0, 1), high=Fraction(2, 3), low_included=False, high_included=False)
    """

    facts: Facts
    work: float = inf
    _free: dict[int, frozenset[int]] = field(default_factory=dict, init=False)
    _after: dict[int, list[int]] = field(default_factory=dict, init=False)
    _at_risk: dict[int, list[int]] = field(default_factory=dict, init=False)
    _points: dict[int, list[Row]] = field(default_factory=dict, init=False)

    def interval(self, y: int, t: int) -> Interval | None:
        """The costs x in place of entry (y, t) for which the predictions kept are those of now; None if work is out."""
        try:
            low, low_included = self._lower(y, t)
            high, high_included = self._upper(y, t)
        except _Spent:
            return None
        unit = self.facts.loss.rational.denominator
        low_included = self._settled(y, t, low, low_included)
        if high is None:
            return Interval(low / unit, None, low_included)
        high_included = self._settled(y, t, high, high_included)
        return Interval(low / unit, high / unit, low_included, high_included)

    def points(self, s: int) -> list[Row]:
        """Weights of labels at which the kept prediction s is best, or none if work is out."""
        try:
            self._faces(s)
        except _Spent:
            return []
        return self._points[s]

    def _lower(self, y: int, t: int) -> tuple[Fraction, bool]:
        columns, now = self.facts.columns, Fraction(self.facts.columns[t][y])
        if t not in self._kept:
            if t in self._copies:  # dearer by nothing: the least saving makes it the better one
                return now, True
            return max(Fraction(0), self._alone_below(y, t, self.facts.kept)), True
        low, included = Fraction(0), True
        risky = [(self._bound(y, t, s), s) for s in self._risky(y) if s != t]
        for bound, s in sorted(risky, reverse=True):
            if bound < low or (bound == low and not included):
                break
            others = [r for r in self._others(t) if r != s]
            if all(columns[r][y] > columns[s][y] for r in others):
                # At the corner of y only t can be better than s. If t is never dearer elsewhere, s is needed just for
                # that corner, while it is cheaper there; else it is needed beside the corner at the same costs, too.
                needed = not any(a > b for z, (a, b) in enumerate(zip(columns[t], columns[s])) if z != y)
                if needed or columns[s][y] == 0:
                    found = Fraction(columns[s][y] if needed else -1)
                else:
                    found = self._alone_above(y, t, s, others)
            else:
                found = self._alone_above(y, t, s, others)
            if found >= low:
                low, included = found, False
        return low, included

    def _upper(self, y: int, t: int) -> tuple[Fraction | None, bool]:
        if t not in self._kept:
            return None, False
        if t in self._twins:
            return Fraction(self.facts.columns[t][y]), True
        others = self._others(t)
        high = None if not others or y in self._faces(t) else self._last(y, t, others)
        included = False
        for s in self._waiting(t):
            found = self._alone_above(y, t, s, [r for r in others if r != s])
            if high is None or found < high:
                high, included = found, True
        return high, included

    # Linear programs: variables q_z for z ≠ y, then x as a part of the largest cost, lest guesses be off by its digits.

    def _last(self, y: int, t: int, others: Sequence[int]) -> Fraction | None:
        """x_t; None if there is no such end, as t is alone at some p with p_y = 0."""
        columns, n = self.facts.columns, self.facts.loss.n
        self._spend(n * len(others))
        if n > SMALL:  # a program without an end takes long
            gaps = [_without(minus(columns[r], columns[t]), y) for r in others]
            if self._beats(gaps):
                return None
        try:
            return self._alone_below(y, t, others)
        except Unbounded:
            return None

    def _alone_below(self, y: int, t: int, others: Sequence[int]) -> Fraction:
        """x_t; raises `Unbounded` if there is no such end."""
        columns, n = self.facts.columns, self.facts.loss.n
        self._spend(n * len(others))
        rows = [(columns[r][y], *_without(minus(columns[r], columns[t]), y), -self._largest) for r in others]
        best = self._maximize([0] * (n - 1) + [1], rows)
        assert best is not None
        return best.value * self._largest

    def _alone_above(self, y: int, t: int, s: int, others: Sequence[int]) -> Fraction:
        """x_s for s ≠ t, or some negative number if it is negative."""
        columns, n = self.facts.columns, self.facts.loss.n
        self._spend(n * (len(others) + 2))
        rows = [(columns[r][y] - columns[s][y], *_without(minus(columns[r], columns[s]), y), 0) for r in others]
        rows.append((-columns[s][y], *_without(minus(columns[t], columns[s]), y), self._largest))
        rows.append((1, *[0] * (n - 1), 1))
        best = self._maximize([0] * (n - 1) + [-1], rows)
        assert best is not None
        return -best.value * self._largest

    def _maximize(self, objective: Sequence[int], rows: Sequence[Row], equations: Sequence[Row] = ()) -> Optimum | None:
        """With all variables but the last at least 0."""
        size = len(objective)
        return maximize(objective, [*rows, *((0, *unit_row(j, size)) for j in range(size - 1))], equations)

    def _beats(self, gaps: Sequence[Row]) -> bool:
        """Whether some weights make all gaps positive: floats guess which, and if none seem to, a program decides."""
        from lossmith.geometry.float_lp import guess_maximum  # loads numpy and HiGHS

        size, margins = len(gaps[0]), [(0, *gap, -self._largest) for gap in gaps]
        objective, total = [0] * size + [1], [(-1, *[1] * size, 0)]
        guess = guess_maximum(objective, [*margins, *((0, *unit_row(j, size + 1)) for j in range(size))], total)
        if guess is not None:
            weights = _integers(guess.point[:size])
            if min(sum(map(mul, gap, weights)) for gap in gaps) > 0:
                return True
        best = self._maximize(objective, margins, total)
        return best is not None and best.value > 0

    # What needs no program.

    @cached_property
    def _largest(self) -> int:
        return max(map(max, self.facts.columns)) or 1

    @cached_property
    def _kept(self) -> frozenset[int]:
        return frozenset(self.facts.kept)

    @cached_property
    def _twins(self) -> frozenset[int]:
        """The kept predictions that have the same column as another."""
        return frozenset(each.mixture[0][0] for each in self.facts.redundant if each.duplicate)

    @cached_property
    def _dependent(self) -> dict[int, list[int]]:
        """For each kept t the redundant predictions that may be needed without it: t is in their mixture."""
        found: dict[int, list[int]] = {t: [] for t in self.facts.kept}
        for each in self.facts.redundant:
            for t, _ in each.mixture:
                found[t].append(each.prediction)
        return found

    def _others(self, t: int) -> list[int]:
        """Predictions besides t that are enough to tell whether something is better than all others."""
        return [s for s in self.facts.kept if s != t] + self._dependent.get(t, [])

    def _waiting(self, t: int) -> list[int]:
        """The redundant predictions that are kept as soon as t is gone, of equal ones the first."""
        if t not in self._after:
            first = {self.facts.columns[s]: s for s in reversed(self._dependent[t])}
            self._after[t] = [s for s in sorted(first.values()) if self._needed_without(t, s)]
        return self._after[t]

    def _needed_without(self, t: int, s: int) -> bool:
        columns, n = self.facts.columns, self.facts.loss.n
        self._spend(n * len(columns))
        others = [columns[r] for r in self._others(t) if columns[r] != columns[s]]
        margins = [(0, *minus(other, columns[s]), -self._largest) for other in others]
        best = self._maximize([0] * n + [1], [*margins, (1, *[0] * n, -1)], [(-1, *[1] * n, 0)])
        return best is not None and best.value > 0

    def _risky(self, y: int) -> list[int]:
        """The kept predictions that are not known to be alone somewhere on the face p_y = 0."""
        if y not in self._at_risk:
            self._at_risk[y] = [s for s in self.facts.kept if y not in self._faces(s)]
        return self._at_risk[y]

    @cached_property
    def _homes(self) -> dict[int, list[int]]:
        """For each kept prediction the labels at whose corners it is better than all others."""
        found: dict[int, list[int]] = {s: [] for s in self.facts.kept}
        for y, row in enumerate(zip(*(self.facts.columns[s] for s in self.facts.kept), strict=True)):
            least = min(row)
            if row.count(least) == 1:
                s = self.facts.kept[row.index(least)]
                if all(self.facts.columns[r][y] > least for r in self._dependent[s] if r not in self._copies):
                    found[s].append(y)
        return found

    @cached_property
    def _copies(self) -> frozenset[int]:
        """The redundant predictions with the column of a kept one."""
        return frozenset(each.prediction for each in self.facts.redundant if each.duplicate)

    def _faces(self, s: int) -> frozenset[int]:
        """Labels y such that s is alone at some p with p_y = 0: not all of them, but those found without a program."""
        if s not in self._free:
            n, homes = self.facts.loss.n, self._homes[s]
            self._points[s] = [unit_row(y, n) for y in homes]
            if len(self.facts.kept) == 1:
                free: frozenset[int] = frozenset()
            elif homes:
                free = frozenset(range(n)) - (frozenset(homes) if len(homes) == 1 else frozenset())
            else:
                free = self._thinned(s)
            self._free[s] = free
        return self._free[s]

    def _thinned(self, s: int) -> frozenset[int]:
        """The same for a prediction without a home: labels are taken from a p at which it is alone, one by one."""
        columns, n = self.facts.columns, self.facts.loss.n
        self._spend(n * len(columns) // 8, guess=True)
        gaps = [minus(column, columns[s]) for column in columns if column != columns[s]]
        start = self._alone(s, gaps)
        free, p, leads = set[int](), list(start), [sum(map(mul, gap, start)) for gap in gaps]
        at_first = leads
        for y in sorted(range(n), key=start.__getitem__):
            less = [lead - p[y] * gap[y] for lead, gap in zip(leads, gaps, strict=True)]
            if p[y] and min(less) > 0:
                p[y], leads = 0, less
            elif min(lead - start[y] * gap[y] for lead, gap in zip(at_first, gaps, strict=True)) > 0:
                free.add(y)
        self._points[s] += [start, tuple(p)]
        return frozenset(free.union(y for y in range(n) if not p[y]))

    def _alone(self, s: int, gaps: Sequence[Row]) -> Row:
        """Integer weights at which s is better than all others: floats guess, integers prove."""
        guess = _integers(self._margins.at(self.facts.kept.index(s)))
        if min(sum(map(mul, gap, guess)) for gap in gaps) > 0:
            return guess
        self._spend(self.facts.loss.n * len(gaps))
        return cleared(self.facts.alone(s))

    @cached_property
    def _margins(self) -> LargestMargins:
        from lossmith.geometry.float_lp import LargestMargins  # loads numpy and HiGHS

        return LargestMargins([self.facts.columns[t] for t in self.facts.kept])

    def _spend(self, work: int, *, guess: bool = False) -> None:
        """Take so much of the work that is left; proofs take more for longer numbers."""
        work *= 1 if guess else 1 + self._largest.bit_length() // 32
        if self.work < work:
            raise _Spent
        self.work -= work

    def _bound(self, y: int, t: int, s: int) -> Fraction:
        """A number that x_s does not exceed: at a p where s is best, how cheap t may become there."""
        columns, best = self.facts.columns, None
        lead = minus(columns[t], columns[s])
        for p in self._points[s]:
            if p[y]:
                found = columns[t][y] - Fraction(sum(map(mul, lead, p)), p[y])
                best = found if best is None else min(best, found)
        return Fraction(columns[t][y]) if best is None else best

    def _settled(self, y: int, t: int, end: Fraction, included: bool) -> bool:
        """Whether an end belongs to the interval, given that it does unless two columns are equal there."""
        columns = self.facts.columns
        for s, column in enumerate(columns):
            if s != t and column[y] == end and _without(column, y) == _without(columns[t], y):
                unit = self.facts.loss.rational.denominator
                return needed_predictions(with_cost(self.facts.loss, y, t, end / unit)) == self.facts.kept
        return included


def _integers(weights: Sequence[float]) -> Row:
    return tuple(round(max(0.0, x) * _DIGITS) for x in weights)


def _without(row: Row, y: int) -> Row:
    return row[:y] + row[y + 1 :]
