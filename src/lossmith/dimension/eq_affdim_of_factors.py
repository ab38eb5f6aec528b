"""CCdim(L) = affdim(L) for L[y, t] = offset(y) + scale(y) · a(y)·b(t), at any size.

Neither offsets nor positive scales of rows change CCdim. From above (`thm:ccdim-upper-bound`): the columns span no more
dimensions than the b(t), which is m minus the number of independent functionals that are constant on them. From below:
if Σ w_y a(y), for weights w > 0 on some labels S, is such a functional, then all predictions are optimal at the
distribution with these weights, and `thm:ccdim-lower-bound` in its sharp form gives affdim(L[S, T]) for any T. Few
labels and few predictions are enough, and the certificate lists only those.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import mul
from typing import Any

from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound
from lossmith.dimension.eq_affdim_of_equalizer import paper_form
from lossmith.errors import TooLarge
from lossmith.exact.matrix import RationalMatrix, integer_matrix, integer_rows
from lossmith.exact.rank import common_modulus
from lossmith.exact.vectors import minus
from lossmith.families import count
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.ranking.ranking_loss import RankingLoss

MAX_NUMBERS = 5_000_000  # in the predictions and labels that are listed, and in the minor


@dataclass(frozen=True)
class Factors:
    """What the factors of the loss show, from above or from below."""

    loss: RankingLoss
    told: FactoredLoss | None = None  # what it is about, if it differs in offsets and positive scales of rows

    def certificate(self, bound: Bound) -> Certificate:
        """The reason *factor*, which needs no evidence but the family, or the reasons *symmetry* and *minor*."""
        loss, told = self.loss, self.told or self.loss
        inputs = {"value": bound.value, "loss": {"family": told.family, **told.parameters, "name": told.name}}
        if bound.side == "upper":
            return Certificate.of("ccdim at most", inputs, {})
        _fits(loss, loss.affdim**2, "its minor")
        span, number = loss.span, {y: i for i, y in enumerate(loss.equalizer)}
        scales = {y: loss.row(y)[1] for y in number}
        evidence: dict[str, Any] = {
            "labels": [loss.plain_label(y) for y in number],
            # For the loss without its scales: the weight of a row is the probability times the scale.
            "weights": [str(p * scales[y]) for y, p in loss.equalizer.items()],
            "base": list(span.base),
            "columns": [list(t) for t in span.others],
            "rows": [[[number[y], str(c)] for y, c in row] for row in span.rows],
            "modulus": common_modulus([_minor(loss)]),
        }
        return Certificate.of("ccdim at least", inputs, evidence)


def eq_affdim_of_factors(loss: RankingLoss) -> list[Bound]:
    """Both bounds, and what the paper concludes from the same distribution; only the upper one without an equaliser.

    >>> from lossmith.losses import mean_average_precision
    >>> [f"{each.side} {each.value}" for each in eq_affdim_of_factors(mean_average_precision(4))]
    ['upper 8', 'lower 8', 'lower 7']
    """
    above = min(loss.m - len(loss.constants), loss.n - 1)
    same = {0: "no combination", 1: "one combination"}.get(len(loss.constants), f"{len(loss.constants)} combinations")
    why = f"{loss.m} factors, and {same} of them the same for all predictions"
    upper = Bound("upper", above, "affdim (thm:ccdim-upper-bound)", why, loss, Factors(loss))
    _fits(loss, loss.m * max(loss.r, len(next(loss.each_label()))), "its labels and predictions")
    below = len(loss.span.others)
    if not below:
        return [upper]
    why = f"at a p on {len(loss.equalizer)} labels all decisions are optimal, of affine dimension {below}"
    lower = Bound("lower", below, "equaliser (cor:col-perm)", why, loss, Factors(loss))
    return [upper, lower, paper_form(lower)]


def _fits(loss: RankingLoss, size: int, what: str) -> None:
    if size > MAX_NUMBERS:
        raise TooLarge(
            f"a lower bound for {loss.name} would have {count(size)} numbers in {what}, more than {MAX_NUMBERS:,}; "
            f"lm.affdim is {loss.affdim:,}, and the same claim for fewer documents can be certified"
        )


def _minor(loss: RankingLoss) -> Any:
    """The differences b(t) − b(base), one row per prediction, times the combinations of the a(y)."""
    span = loss.span
    left = {y: loss.row(y)[2] for y in loss.equalizer}
    rows = [  # mostly integers, and half a million sums
        [sum(map(mul, weights, column)) for column in zip(*(left[y] for y in labels), strict=True)]
        for labels, weights in (zip(*row, strict=True) for row in span.rows)
    ]
    base, *others = integer_rows(
        RationalMatrix.from_rows([loss.factors(t) for t in (span.base, *span.others)]).numerators
    )
    changes = integer_matrix([minus(column, base) for column in others])
    return changes * RationalMatrix.from_rows(rows).numerators.transpose()
