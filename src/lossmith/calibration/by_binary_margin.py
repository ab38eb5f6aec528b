"""The rule for binary margins ψ_0(u) = φ(u), ψ_1(u) = φ(−u), φ convex (Bartlett, Jordan & McAuliffe 2006).

For losses whose cells meet at p = (1/2, 1/2), such as 0-1: with sign calibrated if and only if φ′(0) exists and is
negative; with some pred if and only if φ′(0) exists and is not 0. If φ is differentiable everywhere and φ′(0) ≠ 0, then
p_0 = φ′(−u) / (φ′(u) + φ′(−u)) wherever u is optimal, so u tells the probabilities: calibrated for every loss.
"""

from __future__ import annotations

from fractions import Fraction

from lossmith.calibration.by_tangents import not_calibrated_at
from lossmith.calibration.known import Known, Question, Rows, decided_by_regions, probabilities
from lossmith.calibration.verdicts import Calibrated, Verdict
from lossmith.exact.rational import as_rational
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.preds import sign
from lossmith.surrogates.regions import Decide, Pred

_UNITS: Rows = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
_HALVES = tuple(Polyhedron(2, ((Fraction(-s, 2), Fraction(s), Fraction(0)),)) for s in (1, -1))  # p_0 ≥ 1/2, p_0 ≤ 1/2


def by_binary_margin(question: Question) -> Verdict | str:
    """Decide, or say why this rule does not apply."""
    surrogate, margin, loss = question.surrogate, question.surrogate.traits.margin, question.loss
    if margin is None:
        return "the surrogate is not declared a binary margin φ(±u)"
    if not surrogate.traits.convex:
        return "φ is not declared convex"
    if question.pred not in (None, "sign", "decide"):
        return "of a binary margin only the sign is known to decide"
    if margin.slope_at_zero is None:
        return "φ′(0) does not exist, and its slopes from below and above are not declared"
    slopes = margin.slope_at_zero
    below, above = map(as_rational, slopes if isinstance(slopes, tuple) else (slopes, slopes))
    if isinstance(slopes, float) and 0 < abs(slopes) < 1e-6:
        return f"φ′(0) is measured as {slopes:.3g}, which may be rounding; declare slope_at_zero"
    pred = sign(surrogate, loss) if question.pred == "sign" else None
    if below != above or below == 0:  # at u = 0 the slopes of φ(u) are these, and those of φ(−u) their negatives
        asked = Question(surrogate, loss, pred, question.within)
        found = not_calibrated_at(asked, (Fraction(0),), [[[below], [above]], [[-above], [-below]]])
        return found or "u = 0 is optimal around p = (1/2, 1/2), but one decision serves all of these distributions"
    if pred is not None:
        why = f"φ′(0) = {below}, so that the sign of a nearly optimal u tells which label is likelier."
        regions = Pred(pred.name, 2, tuple((half,) for half in (_HALVES if below < 0 else _HALVES[::-1])))
        known = Known("binary margin", _UNITS, why, probabilities(2))
        return decided_by_regions(question, known, regions, pred, surrogate.minimizer)
    if margin.differentiable:
        first = loss.column(0)
        columns = [[a - b for a, b in zip(loss.column(t), first, strict=True)] for t in range(loss.k)]
        affine = tuple((Fraction(0), *column) for column in columns)
        why = "φ is differentiable and φ′(0) ≠ 0, so that a nearly optimal u tells the probabilities."
        proof = Known("proper composite", _UNITS, why, probabilities(2), affine)
        decide = Decide(surrogate, affine, "slopes")
        return Calibrated(surrogate, loss, (), proof, decide if question.pred else None, question.within, decide)
    if question.pred == "decide":
        return "φ is not differentiable everywhere, so that u does not tell the probabilities"
    sides = [set(loss.optimal_predictions(corner)) & set(loss.optimal_predictions(["1/2", "1/2"])) for corner in _UNITS]
    if not all(sides):
        return "φ is not differentiable everywhere, and the decisions do not change at p = (1/2, 1/2)"
    chosen = [min(side) for side in sides]
    regions = Pred(
        "sign", 2, tuple(tuple(h for h, c in zip(_HALVES, chosen, strict=True) if c == t) for t in range(loss.k))
    )
    why = f"φ′(0) = {below}, so that the sign of a nearly optimal u tells which label is likelier, and that decides."
    order = chosen if below < 0 else chosen[::-1]
    rays = [Polyhedron(1, ((Fraction(0), Fraction(s)),)) for s in (1, -1)]
    signs = Pred("sign", 1, tuple(tuple(r for r, c in zip(rays, order, strict=True) if c == t) for t in range(loss.k)))
    proof = Known("binary margin", _UNITS, why, probabilities(2), None, regions)
    return Calibrated(surrogate, loss, (), proof, None, question.within, signs)
