"""Redundant predictions: those that are nowhere the only optimal one, each with the reason.

By linear programming duality t is redundant exactly if some mixture of other predictions is never worse:
Σ_s λ_s ℓ_s ≤ ℓ_t for weights λ ≥ 0 that sum to 1. The weights are the reason, and anyone can check them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from lossmith.geometry.double_description import Progress
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix


@dataclass(frozen=True)
class Redundant:
    """A prediction that is nowhere strictly optimal, and a mixture of kept predictions that is never worse."""

    prediction: int
    mixture: tuple[tuple[int, Fraction], ...]
    duplicate: bool

    def explain(self, loss: LossMatrix) -> str:
        """The reason in words, with the names of the loss."""
        name = loss.predictions[self.prediction]
        if self.duplicate:
            return f"{name} costs the same as {loss.predictions[self.mixture[0][0]]} under every label"
        if len(self.mixture) == 1:
            return f"{name} is dominated: {loss.predictions[self.mixture[0][0]]} never costs more"
        mixed = " + ".join(f"{weight} {loss.predictions[s]}" for s, weight in self.mixture[:6])
        mixed += f" + … ({len(self.mixture)} in all)" if len(self.mixture) > 6 else ""
        return f"{name} is never strictly optimal: the mixture {mixed} never costs more"


def redundant_predictions(
    loss: LossMatrix, kept: Sequence[int] | None = None, *, progress: Progress | None = None
) -> tuple[Redundant, ...]:
    """The predictions that the analysis goes on without, each with its reason.

    `kept` are the others, when they are known already, as from `trigger_sets`; of equal columns the first is kept.

    >>> loss = LossMatrix([[0, 2, 4], [4, 2, 0]], predictions=["left", "middle", "right"])
    >>> [each.explain(loss) for each in redundant_predictions(loss)]
    ['middle is never strictly optimal: the mixture 1/2 left + 1/2 right never costs more']
    """
    columns = loss.matrix.integer_columns()
    if kept is None:
        kept = _kept(columns, progress)
    dropped = [t for t in range(loss.k) if t not in set(kept)]
    return tuple(_reason(columns, t, kept) for t in dropped)


def _kept(columns: Sequence[Sequence[int]], progress: Progress | None) -> list[int]:
    """Drop predictions one at a time, last first, against those still kept."""
    kept = list(range(len(columns)))
    strict = _strict_somewhere_at_a_corner(columns)
    for t in reversed(range(len(columns))):
        if progress is not None:
            progress(len(columns) - t, len(columns))
        others = [s for s in kept if s != t]
        if t in strict or not others or _strict_at_a_guess(columns, t, others):
            continue
        if _mixture(columns, t, others) is not None:
            kept = others
    return kept


def _strict_somewhere_at_a_corner(columns: Sequence[Sequence[int]]) -> set[int]:
    """Predictions that are the only cheapest one under some label: no program need be solved for them."""
    found = set()
    for row in zip(*columns, strict=True):
        least = min(row)
        if row.count(least) == 1:
            found.add(row.index(least))
    return found


def _strict_at_a_guess(columns: Sequence[Sequence[int]], t: int, others: Sequence[int]) -> bool:
    """Whether t is the only optimum at the distribution that a floating-point program guesses, tested in integers."""
    from lossmith.geometry.float_lp import guess_maximum

    n = len(columns[t])
    margins = [(0, *(a - b for a, b in zip(columns[s], columns[t], strict=True)), -1) for s in others]
    probabilities = [(0, *(int(y == z) for z in range(n)), 0) for y in range(n)]
    guess = guess_maximum([0] * n + [1], [*margins, *probabilities], [(-1, *[1] * n, 0)])
    if guess is None:
        return False
    p = [max(0, round(x * 2**40)) for x in guess.point[:n]]
    return all(sum(map(mul, margin[1:-1], p)) > 0 for margin in margins)


def _reason(columns: Sequence[Sequence[int]], t: int, kept: Sequence[int]) -> Redundant:
    for s in kept:
        if columns[s] == columns[t]:
            return Redundant(t, ((s, Fraction(1)),), duplicate=True)
    for s in kept:
        if all(a <= b for a, b in zip(columns[s], columns[t], strict=True)):
            return Redundant(t, ((s, Fraction(1)),), duplicate=False)
    mixture = _mixture(columns, t, kept)
    if mixture is None:
        raise AssertionError(f"prediction {t} was dropped, but no mixture of the kept ones replaces it")
    return Redundant(t, mixture, duplicate=False)


def _mixture(
    columns: Sequence[Sequence[int]], t: int, others: Sequence[int]
) -> tuple[tuple[int, Fraction], ...] | None:
    """Weights on the others whose mixture costs at most ℓ_t under every label, or None; checked before they leave."""
    gains = [[a - b for a, b in zip(columns[t], columns[s], strict=True)] for s in others]
    never_worse = [(0, *row) for row in zip(*gains, strict=True)]
    weights = [(0, *(int(i == j) for j in range(len(others)))) for i in range(len(others))]
    best = maximize([sum(gain) for gain in gains], [*never_worse, *weights], [(-1, *[1] * len(others))])
    if best is None:
        return None
    if any(sum(map(mul, row[1:], best.point), Fraction(0)) < 0 for row in never_worse):
        raise AssertionError("the linear program returned weights that do not dominate")
    return tuple((s, weight) for s, weight in zip(others, best.point, strict=True) if weight)
