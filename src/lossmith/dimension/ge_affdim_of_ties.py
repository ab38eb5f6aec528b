"""CCdim(L) ≥ affdim(L[S, T]) for labels S and predictions T that tie, of a loss on sets of tags, at any size.

As in `eq_affdim_of_factors`, but only some predictions are optimal at the distribution: the checker computes the least
risk of all 2^r itself. On the factors that occur in the labels, those alike for all of T added up, F in all, let the
a(y) have rank R, and the differences of the b(t) rank C. Then the products have rank R + C − F at least (Sylvester),
and `thm:ccdim-lower-bound` in its sharp form gives this bound. From above CCdim(L) ≤ affdim(L), one less where the
differences of the columns span a positive vector (`lt_affdim_of_positive_vector`): by Gordan's theorem they do exactly
if no distribution makes all predictions tie, and a functional that is constant on all b(t) tells which could.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound
from lossmith.errors import TooLarge
from lossmith.losses.sets.set_loss import TiedSetLoss

MAX_WORK = 33_000_000  # of the checker, which accepts no more than 200 million steps: half a minute


@dataclass(frozen=True)
class TiedSets:
    """What the loss shows, from above or from below."""

    loss: TiedSetLoss

    def certificate(self, bound: Bound) -> Certificate:
        """From above the family is enough; from below labels, and predictions that tie and are independent."""
        loss = self.loss
        inputs = {"value": bound.value, "loss": {"family": loss.family, **loss.parameters, "name": loss.name}}
        if bound.side == "upper":
            return Certificate.of("ccdim at most", inputs, {})
        if loss.work > MAX_WORK:
            raise TooLarge(
                f"to compare the predictions that show CCdim ≥ {loss.floor:,} for {loss.name} is more than the checker "
                f"does for a certificate; take the bound without it, or certify that of fewer tags"
            )
        ties, number = loss.ties, {y: i for i, y in enumerate(loss.ties.weights)}
        evidence: dict[str, Any] = {
            "labels": ["".join(map(str, y)) for y in number],
            "weights": [str(w) for w in ties.weights.values()],
            "predictions": ["".join(map(str, t)) for t in ties.predictions],
            "columns": [list(pair) for pair in ties.columns],
            "rows": [[[number[y], str(c)] for y, c in row] for row in ties.rows],
            "modulus": ties.modulus,
        }
        return Certificate.of("ccdim at least", inputs, evidence)


def ge_affdim_of_ties(loss: TiedSetLoss) -> list[Bound]:
    """Both bounds.

    >>> from lossmith.losses import f_measure
    >>> [f"{each.side} {each.value}" for each in ge_affdim_of_ties(f_measure(10))]
    ['upper 90', 'lower 36']
    """
    same = {0: "no combination", 1: "one combination"}[len(loss.constants)]
    why = f"{loss.m} factors, and {same} of them the same for all predictions"
    theorem = "affdim (thm:ccdim-upper-bound)"
    if loss.ceiling < loss.affdim:
        theorem, why = "affdim − 1", f"{why}, of both signs: the differences of the columns span a positive vector"
    upper = Bound("upper", loss.ceiling, theorem, why, loss, TiedSets(loss))
    tied = f"at some p {loss.tied}, of affine dimension {loss.floor}"
    return [upper, Bound("lower", loss.floor, "feasible subspace (thm:ccdim-lower-bound)", tied, loss, TiedSets(loss))]
