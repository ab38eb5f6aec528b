"""The rule that looks at u = 0, where a convex surrogate may have rational gradients, kinks or not.

There N(ψ(u)) = {p ∈ Δ : 0 ∈ Σ_y p_y ∂ψ_y(u)} is, or contains, a polytope that the gradients tell. If no prediction
serves all of it, or that of the pred does not, ψ is not calibrated (`thm:condition-necessary`). So kinks at equal
scores are found, which smoothing elsewhere does not remove.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from lossmith.calibration.by_tangents import not_calibrated_at, rational_slopes
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.surrogates.preds import decide
from lossmith.surrogates.smooth import SmoothSurrogate

_MOST = 24  # gradients: the polytope at u = 0 may have very many corners


def by_gradients(question: Question) -> NotCalibrated | Declined:
    """Refute by the gradients at u = 0, or say why this rule does not apply."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate):
        return Declined()
    if question.loss.n > _MOST or question.rule is decide:
        return Declined()
    u = (Fraction(0),) * surrogate.dim
    slopes = rational_slopes(surrogate, u)
    if slopes is None:
        return Declined("its gradients at u = 0 are not known as rational numbers")
    if sum(map(len, slopes)) > _MOST:
        return Declined(f"at u = 0 it has more than {_MOST} gradients")
    pred = None if question.pred is None else question.regions
    found = not_calibrated_at(replace(question, pred=pred), u, slopes)
    return found or Declined("u = 0 is optimal only for distributions that one decision serves")
