"""A function of each score, weighted by what the prediction costs, where the scores sum to 0."""

from __future__ import annotations

from fractions import Fraction

from lossmith.families import Published, family
from lossmith.losses import zero_one
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.centred import centred
from lossmith.surrogates.curvatures import BENDS
from lossmith.surrogates.fitting import by_loss
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Order, Traits, TwoScores


def _size(loss: LossLike, phi: str = "exponential") -> tuple[int, int]:
    margin_named(phi)
    given = as_loss(loss)
    return given.n, given.k


@family(
    cite="B. Á. Pires, C. Szepesvári, M. Ghavamzadeh, Cost-sensitive multiclass classification risk bounds, ICML 2013",
    latex=r"\psi_y(u) = \sum_t L_{yt} \, \varphi(\bar u - u_t)",
    preds=("argmax",),
    small=({"loss": "zero-one:n=3"}, {"loss": "abstain:n=3", "phi": "squared-hinge"}, {"loss": "ordinal:n=4"}),
    size=_size,
    fits=by_loss("loss"),
    verdicts=(Published(zero_one, "CCC", "Pires, Szepesvári, Ghavamzadeh, ICML 2013"),),
    formless="each score meets the mean of all, so that the curvature is a full matrix",
)
def cost_weighted_loss(loss: LossLike, phi: str = "exponential") -> SmoothSurrogate:
    """Σ_t L_yt φ(ū − u_t) on R^k, a score for each prediction and ū their mean.

    The largest score belongs to the prediction with the least expected loss, for every L and p.

    >>> cost_weighted_loss("ordinal:n=3", "squared-hinge")([1, 0, -1])
    (1.0, 4.0, 9.0)
    """
    matrix, chosen = as_loss(loss).matrix(), margin_named(phi)
    zeros = ((Fraction(0),) * matrix.k,) * matrix.n
    costs = tuple(tuple(map(Fraction, row)) for row in matrix.entries)
    most = max(sum(sorted(row)[-2:], Fraction(0)) for row in costs)  # the largest L_yt + L_ys
    two = TwoScores(None, BENDS[chosen.name].moved * most, costs=costs)
    traits = Traits(order=Order("largest", tuple(tuple(-x for x in row) for row in costs)), two_scores=two)
    return centred(f"cost_weighted_loss({matrix.name}, phi={chosen.name})", zeros, costs, chosen, traits)
