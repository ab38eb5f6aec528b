"""Redundant predictions: those that are nowhere the only optimal one, each with the reason.

By linear programming duality t is redundant exactly if some mixture of other predictions is never worse:
Σ_s λ_s ℓ_s ≤ ℓ_t for weights λ ≥ 0 that sum to 1. The weights are the reason, and anyone can check them.

Which predictions are kept does not depend on the order of the tests: among distinct columns, those that are the only
optimum at some p. No test can drop these, as they beat every mixture of others at p. And they are enough: at almost
every p one column alone is optimal, so they attain the least risk at almost every p, by continuity at every p, and by
duality a mixture of them is never worse than any other column.

They are found in the manner of Clarkson (1994): t is compared with those known to be kept, and where it beats them all,
at some p, the best of all columns at p is kept as well. Of several that are best at p the first in lexicographic order
is the only optimum at p + εe₁ + ε²e₂ + …, normalised, for every small ε > 0.

Most are settled before that, without a program: those that are best at a corner, and those that alone are best where
the labels under which they cost little are likely.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import gt
from typing import TYPE_CHECKING, TypeAlias

from lossmith.exact.matrix import IntegerMatrix, entries, integer_matrix
from lossmith.exact.solve import solve
from lossmith.exact.vectors import Row, cleared, minus, unit_rows
from lossmith.geometry.double_description import Progress
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix
from lossmith.text.numbers import written

if TYPE_CHECKING:
    from lossmith.geometry.float_lp import LowestOf

Mixture: TypeAlias = tuple[tuple[int, Fraction], ...]

FEW = 50  # predictions, up to which the best mixture is shown; with more, any


@dataclass(frozen=True)
class Redundant:
    """A prediction that is nowhere strictly optimal, and a mixture of kept predictions that is never worse."""

    prediction: int
    mixture: Mixture
    duplicate: bool

    def explain(self, loss: LossMatrix) -> str:
        """The reason in words, with the names of the loss."""
        name = loss.predictions[self.prediction]
        if self.duplicate:
            return f"{name} costs the same as {loss.predictions[self.mixture[0][0]]} under every label"
        if len(self.mixture) == 1:
            return f"{name} is dominated: {loss.predictions[self.mixture[0][0]]} never costs more"
        mixed = " + ".join(f"{written(weight)} {loss.predictions[s]}" for s, weight in self.mixture[:6])
        mixed += f" + … ({len(self.mixture)} in all)" if len(self.mixture) > 6 else ""
        return f"{name} is never strictly optimal: the mixture {mixed} never costs more"


def redundant_predictions(
    loss: LossMatrix, kept: Sequence[int] | None = None, *, progress: Progress | None = None
) -> tuple[Redundant, ...]:
    """The predictions that the analysis goes on without, each with its reason.

    `kept` are the others, when they are known already, as from `trigger_sets`; of equal columns the first is kept.

    >>> loss = LossMatrix([[0, 2, 4], [4, 2, 0]], predictions=["left", "middle", "right"])
    >>> [each.explain(loss) for each in redundant_predictions(loss)]
    ['middle is never strictly optimal: the mixture 0.5 left + 0.5 right never costs more']
    """
    columns = loss.rational.integer_columns()
    chosen = _needed(columns, progress) if kept is None else sorted(kept)
    first = {columns[s]: s for s in chosen}
    known = _Polygon(columns, chosen) if loss.n == 2 else _Kept(columns, chosen)
    needed, reasons = set(chosen), list[Redundant]()
    for t in range(loss.k):
        if t in needed:
            continue
        if columns[t] in first:
            reasons.append(Redundant(t, ((first[columns[t]], Fraction(1)),), duplicate=True))
            continue
        mixture = known.mixture(t)
        if mixture is None:
            raise AssertionError(f"prediction {t} was dropped, but no mixture of the kept ones replaces it")
        reasons.append(Redundant(t, mixture, duplicate=False))
    return tuple(reasons)


def needed_predictions(loss: LossMatrix, *, progress: Progress | None = None) -> tuple[int, ...]:
    """The predictions that are not redundant, in increasing order.

    >>> needed_predictions(LossMatrix([[0, 2, 4, 0], [4, 2, 0, 4]]))
    (0, 2)
    """
    return tuple(_needed(loss.rational.integer_columns(), progress))


def _needed(columns: Sequence[Row], progress: Progress | None) -> list[int]:
    first = {columns[t]: t for t in reversed(range(len(columns)))}
    if len(columns[0]) == 2:
        corners = _corners(sorted(first))
        if progress is not None:
            progress(len(first), len(first))
        return sorted(first[column] for column in corners)
    known = _Kept(columns, [*_best_at_corners(first)], sorted(first.values()))
    if len(first) > len(known.members):
        known.add_alone()
    for done, t in enumerate(sorted(first.values(), key=lambda t: sum(columns[t])), start=1):
        known.settle(t)
        if progress is not None:
            progress(done, len(first))
    return sorted(known.members)


def _best_at_corners(first: Mapping[Row, int]) -> list[int]:
    """The best column for each label, of several the first in lexicographic order."""
    best = []
    for row in zip(*first, strict=True):
        least = min(row)
        best.append(min(column for column, x in zip(first, row, strict=True) if x == least))
    return list(dict.fromkeys(first[column] for column in best))


def _corners(points: Sequence[Row]) -> list[Row]:
    """The corners of {x : x ≥ a mixture of the points} in the plane, from left to right; the points are sorted."""
    found: list[Row] = []
    for x, y in points:
        if found and y >= found[-1][1]:
            continue
        # The last corner goes if it lies on or above the line from the one before to the new point.
        while len(found) > 1:
            (a, b), (c, d) = found[-2:]
            if (c - a) * (y - b) > (d - b) * (x - a):
                break
            found.pop()
        found.append((x, y))
    return found


class _Polygon:
    """Kept predictions for two labels: the corners of a polygon in the plane."""

    def __init__(self, columns: Sequence[Row], kept: Sequence[int]) -> None:
        self._columns = columns
        self._kept = sorted(kept, key=lambda s: columns[s])
        self._left = [columns[s][0] for s in self._kept]
        self._right = [-columns[s][1] for s in self._kept]  # as sorted as the others

    def mixture(self, t: int) -> Mixture | None:
        """One or two corners whose mixture costs at most ℓ_t, or None."""
        x, y = self._columns[t]
        start, end = bisect_left(self._right, -y), bisect_right(self._left, x)
        if start < end:  # these never cost more; of a few of them, the first in the matrix
            return ((min(self._kept[start : min(end, start + 100)]), Fraction(1)),)
        if not end or end == len(self._kept):
            return None
        s, r = self._kept[end - 1 : end + 1]
        (a, b), (c, d) = self._columns[s], self._columns[r]
        share = Fraction(x - a, c - a)
        if b + share * (d - b) > y:
            return None
        return tuple(sorted(((s, 1 - share), (r, share))))


class _Kept:
    """Predictions that are known to be kept, and what can be told of others by them: floats guess, integers decide."""

    def __init__(self, columns: Sequence[Row], kept: Sequence[int], distinct: Sequence[int] = ()) -> None:
        self._columns, self._distinct = columns, distinct
        self._order: list[int] = []
        self._programmed = 0  # how many of them the program knows
        self.members: set[int] = set()
        for s in kept:
            self._add(s)

    def settle(self, t: int) -> None:
        """Find out whether t is kept, and keep what is better on the way."""
        while t not in self.members and self._dominating(t) is None:
            guess = self._guessed_distribution(t)
            best = None if guess is None else self._best_at(guess)
            if best is None or best in self.members:
                if self._guessed_mixture(t) is not None:
                    return
                p = self._better_at(t)
                if p is None:
                    return
                best = self._best_at(p)
            self._add(best)

    def mixture(self, t: int) -> Mixture | None:
        """A mixture of kept predictions that costs at most ℓ_t under every label: one of them, if that is enough."""
        single = self._dominating(t)
        if single is not None:
            return ((single, Fraction(1)),)
        if len(self._columns) <= FEW:
            return self._exact_mixture(t)
        self._guessed_distribution(t)
        return self._guessed_mixture(t) or self._exact_mixture(t)

    def add_alone(self) -> None:
        """Add those that alone are best at p with p_y ∝ (1 − x)⁶, where x is their cost under y, scaled to 0 … 1.

        The power settled the most of random columns (measured).
        """
        from lossmith.geometry.least_columns import alone_at  # loads numpy

        def weights(column: Row) -> list[int]:
            scaled = zip(column, self._lows, self._ranges, strict=True)
            return [(16 - 16 * (x - low) // width) ** 6 for x, low, width in scaled]

        for s in alone_at([self._columns[t] for t in self._distinct], weights):
            if self._distinct[s] not in self.members:
                self._add(self._distinct[s])

    def _add(self, s: int) -> None:
        self.members.add(s)
        self._order.append(s)

    def _dominating(self, t: int) -> int | None:
        """The first kept prediction that never costs more than t."""
        column = self._columns[t]
        return next((s for s in self._order if not any(map(gt, self._columns[s], column))), None)

    def _best_at(self, p: Sequence[int]) -> int:
        """The best of all predictions at integer weights p, and of several the first in lexicographic order."""
        values = entries(integer_matrix([p]) * self._table)
        least = min(values)
        return min((t for t, value in zip(self._distinct, values) if value == least), key=self._columns.__getitem__)

    def _guessed_distribution(self, t: int) -> list[int] | None:
        """Integer weights at which t seems to be better than those kept, by as much as can be; None if at none."""
        while self._programmed < len(self._order):
            self._lowest.add(self._scaled(self._order[self._programmed]))
            self._programmed += 1
        p, lead = self._lowest.against(self._scaled(t))
        if lead < -1e-9:
            return None
        widest = max(self._ranges)
        return [round(max(0.0, x) * 2**40) * widest // width for x, width in zip(p, self._ranges, strict=True)]

    def _guessed_mixture(self, t: int) -> Mixture | None:
        """The mixture on the basis of the last guess, if it is one and never costs more than t.

        With Σ λ_s ℓ_s = ℓ_t + γ at the labels in the basis, and Σ λ = 1; nowhere may it exceed ℓ_t.
        """
        rows, labels = self._lowest.basis()
        chosen = [self._order[i] for i in rows]
        if len(chosen) != len(labels) or not chosen:
            return None
        table = [[*(self._columns[s][y] for s in chosen), -1] for y in labels]
        right = [self._columns[t][y] for y in labels]
        solved = solve([*table, [1] * len(chosen) + [0]], [*right, 1])
        return None if solved is None else self._checked(t, chosen, solved[:-1])

    def _exact_mixture(self, t: int) -> Mixture | None:
        """Of all mixtures that never cost more than t the one that saves most in total, by an exact program."""
        columns, others = self._columns, self._order
        gains = [minus(columns[t], columns[s]) for s in others]
        never_worse = [(0, *row) for row in zip(*gains, strict=True)]
        weights = [(0, *row) for row in unit_rows(len(others))]
        best = maximize([sum(gain) for gain in gains], [*never_worse, *weights], [(-1, *[1] * len(others))])
        return None if best is None else self._checked(t, others, best.point)

    def _checked(self, t: int, chosen: Sequence[int], weights: Sequence[Fraction]) -> Mixture | None:
        """The mixture, if these are weights and it never costs more than t."""
        if min(weights) < 0 or sum(weights) != 1:
            return None
        mixed = [(s, weight) for s, weight in zip(chosen, weights, strict=True) if weight]
        for y, limit in enumerate(self._columns[t]):
            if sum((weight * self._columns[s][y] for s, weight in mixed), Fraction(0)) > limit:
                return None
        return tuple(sorted(mixed))

    def _better_at(self, t: int) -> Row | None:
        """Integer weights at which t is better than all kept predictions, by an exact program; None if at none."""
        columns, n = self._columns, len(self._columns[t])
        margins = [(0, *minus(columns[s], columns[t]), -1) for s in self._order]
        positive = [(0, *row, 0) for row in unit_rows(n)]
        best = maximize([0] * n + [1], [*margins, *positive, (1, *[0] * n, -1)], [(-1, *[1] * n, 0)])
        if best is None or best.value <= 0:
            return None
        return cleared(best.point[:n])

    def _scaled(self, t: int) -> list[float]:
        """ℓ_t, each label shifted and scaled to between 0 and 1: the same mixtures are never worse."""
        return [(x - low) / width for x, low, width in zip(self._columns[t], self._lows, self._ranges, strict=True)]

    @cached_property
    def _lows(self) -> list[int]:
        return [min(row) for row in zip(*self._columns, strict=True)]

    @cached_property
    def _ranges(self) -> list[int]:
        return [max(1, max(row) - min(row)) for row in zip(*self._columns, strict=True)]

    @cached_property
    def _table(self) -> IntegerMatrix:
        return integer_matrix([self._columns[t] for t in self._distinct]).transpose()

    @cached_property
    def _lowest(self) -> LowestOf:
        from lossmith.geometry.float_lp import LowestOf  # loads numpy and HiGHS

        return LowestOf(len(self._columns[0]))
