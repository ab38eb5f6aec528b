"""Preds that name grades, or intervals of them: `nearest` to the score, or by where it `cuts` the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from lossmith.errors import BadInput
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.number_lists import Numbers, rising, spelled
from lossmith.surrogates.pred import Pred, Scores
from lossmith.surrogates.score_regions import half_space


def nearest(surrogate: Scores, loss: LossMatrix) -> Pred:
    """The prediction whose centre, 1 … k, is nearest to the one score, of equally near ones the first.

    Two scores are the ends of an interval, and the predictions are the intervals of the n grades.
    """
    if surrogate.dim == 2:
        return Pred("nearest", 2, tuple(_intervals(surrogate, loss)), nearest)
    if surrogate.dim != 1:
        raise BadInput(
            f"nearest takes one score, but {surrogate.name} has dimension {surrogate.dim}; use it with absolute or "
            f"epsilon-insensitive"
        )
    return Pred("nearest", 1, _between([Fraction(2 * t + 3, 2) for t in range(loss.k - 1)]), nearest)


@dataclass(frozen=True)
class Cuts:
    """The rule of `cuts`, with its thresholds."""

    at: tuple[Fraction, ...]

    @property
    def name(self) -> str:
        """As it is written."""
        return f"cuts:at={spelled(self.at)}"

    def __call__(self, surrogate: Scores, loss: LossMatrix) -> Pred:
        """The pred for this surrogate and loss."""
        if surrogate.dim != 1 or loss.k != len(self.at) + 1:
            raise BadInput(
                f"{self.name} decides between {len(self.at) + 1} predictions with one score; {surrogate.name} has "
                f"dimension {surrogate.dim} and {loss.name} has {loss.k} predictions"
            )
        return Pred(self.name, 1, _between(self.at), self)


def cuts(at: Numbers) -> Cuts:
    """As many steps up as thresholds lie below the one score.

    With thresholds 3/2, 5/2, … it is `nearest`.
    """
    return Cuts(rising("cuts", at))


def _between(thresholds: Sequence[Fraction]) -> tuple[tuple[Polyhedron, ...], ...]:
    """The regions of the line that the thresholds cut it into."""
    above = [(), *(((-b, Fraction(1)),) for b in thresholds)]
    below = [*(((b, Fraction(-1)),) for b in thresholds), ()]
    return tuple((Polyhedron(1, (*low, *high)),) for low, high in zip(above, below, strict=True))


def _intervals(surrogate: Scores, loss: LossMatrix) -> list[tuple[Polyhedron, ...]]:
    """The regions of intervals of grades 1 … n, each where its ends are nearest to the two scores, in either order."""
    grades = loss.n
    if grades * (grades + 1) // 2 != loss.k:
        raise BadInput(
            f"nearest with two scores, the dimension of {surrogate.name}, decides between the n(n + 1)/2 intervals of "
            f"n grades; {loss.name} has {grades} labels and {loss.k} predictions"
        )

    def near(score: int, grade: int) -> list[tuple[Fraction, ...]]:
        above = [half_space(2, {score: 1}, -Fraction(2 * grade + 1, 2))] if grade > 0 else []
        below = [half_space(2, {score: -1}, Fraction(2 * grade + 3, 2))] if grade < grades - 1 else []
        return above + below

    intervals = combinations_with_replacement(range(grades), 2)
    ends = [[(a, b)] if a == b else [(a, b), (b, a)] for a, b in intervals]
    return [tuple(Polyhedron(2, (*near(0, a), *near(1, b))) for a, b in each) for each in ends]
