"""The rule for binary margins ψ_0(u) = φ(u), ψ_1(u) = φ(−u), φ convex (Bartlett, Jordan & McAuliffe 2006).

For losses whose cells meet at p = (1/2, 1/2), such as 0-1: with sign calibrated if and only if φ′(0) exists and is
negative; with some pred if and only if φ′(0) exists and is not 0. If φ is differentiable everywhere and φ′(0) ≠ 0, then
p_0 = φ′(−u) / (φ′(u) + φ′(−u)) wherever u is optimal, so u tells the probabilities: calibrated for every loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from lossmith.calibration.by_tangents import not_calibrated_at
from lossmith.calibration.estimates import EstimateProof, Rows, decided_by_regions, probabilities
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, Verdict
from lossmith.exact.rational import as_rational
from lossmith.exact.vectors import minus
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.pred import Decide, Pred
from lossmith.surrogates.preds import decide, sign
from lossmith.surrogates.smooth import SmoothSurrogate

_UNITS: Rows = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
_HALVES = tuple(Polyhedron(2, ((Fraction(-s, 2), Fraction(s), Fraction(0)),)) for s in (1, -1))  # p_0 ≥ 1/2, p_0 ≤ 1/2


def by_binary_margin(question: Question) -> Verdict | Declined:
    """Decide, or say why this rule does not apply."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate):
        return Declined()
    margin, slopes = surrogate.traits.margin, _slopes(question, surrogate)
    if margin is None or isinstance(slopes, Declined):
        return slopes if isinstance(slopes, Declined) else Declined()
    below, above = slopes
    by_sign = sign(surrogate, question.loss) if question.rule is sign else None
    if below != above or below == 0:  # at u = 0 the slopes of φ(u) are these, and those of φ(−u) their negatives
        found = not_calibrated_at(
            replace(question, pred=by_sign), (Fraction(0),), [[[below], [above]], [[-above], [-below]]]
        )
        return found or Declined(
            "u = 0 is optimal around p = (1/2, 1/2), but one decision serves all of these distributions"
        )
    if by_sign is not None:
        why = f"φ′(0) = {below}, so that the sign of a nearly optimal u tells which label is likelier."
        regions = Pred(by_sign.name, 2, tuple((half,) for half in (_HALVES if below < 0 else _HALVES[::-1])))
        proof = EstimateProof("binary margin", _UNITS, why, probabilities(2))
        return decided_by_regions(question, proof, regions, by_sign, surrogate.minimizer)
    if margin.differentiable:
        return _by_probabilities(question, surrogate)
    if question.rule is decide:
        return Declined("φ is not differentiable everywhere, so that u does not tell the probabilities")
    return _by_some_sign(question, below)


def _slopes(question: Question, surrogate: SmoothSurrogate) -> tuple[Fraction, Fraction] | Declined:
    """The slopes of φ at 0 from below and above, or why the rule does not apply."""
    margin = surrogate.traits.margin
    if margin is None:
        return Declined("the surrogate is not declared a binary margin φ(±u)")
    if not surrogate.traits.convex:
        return Declined("φ is not declared convex")
    if question.pred is not None and question.rule not in (sign, decide):
        return Declined("of a binary margin only the sign is known to decide")
    if margin.slope_at_zero is None:
        return Declined("φ′(0) does not exist, and its slopes from below and above are not declared")
    slopes = margin.slope_at_zero
    if isinstance(slopes, float) and 0 < abs(slopes) < 1e-6:
        return Declined(f"φ′(0) is measured as {slopes:.3g}, which may be rounding; declare slope_at_zero")
    below, above = map(as_rational, slopes if isinstance(slopes, tuple) else (slopes, slopes))
    return below, above


def _by_probabilities(question: Question, surrogate: SmoothSurrogate) -> Calibrated:
    """u tells the probabilities: whatever the loss, the least expected one decides."""
    loss = question.loss
    first = loss.column(0)
    columns = [minus(loss.column(t), first) for t in range(loss.k)]
    affine = tuple((Fraction(0), *column) for column in columns)
    why = "φ is differentiable and φ′(0) ≠ 0, so that a nearly optimal u tells the probabilities."
    proof = EstimateProof("told", _UNITS, why, probabilities(2), affine)  # φ may rise again, and u tell nothing there
    by_loss = Decide(surrogate, affine, "slopes")
    asked = None if question.pred is None else by_loss
    return Calibrated(surrogate, loss, (), proof, asked, question.within, by_loss)


def _by_some_sign(question: Question, slope: Fraction) -> Calibrated | Declined:
    """The sign of u tells which label is likelier: one decision for each, if both are optimal at p = (1/2, 1/2)."""
    loss = question.loss
    sides = [set(loss.optimal_predictions(corner)) & set(loss.optimal_predictions(["1/2", "1/2"])) for corner in _UNITS]
    if not all(sides):
        return Declined("φ is not differentiable everywhere, and the decisions do not change at p = (1/2, 1/2)")
    chosen = [min(side) for side in sides]
    why = f"φ′(0) = {slope}, so that the sign of a nearly optimal u tells which label is likelier, and that decides."
    proof = EstimateProof("binary margin", _UNITS, why, probabilities(2), None, _by_sides(_HALVES, chosen, loss.k))
    rays = [Polyhedron(1, ((Fraction(0), Fraction(s)),)) for s in (1, -1)]
    signs = _by_sides(rays, chosen if slope < 0 else chosen[::-1], loss.k)
    return Calibrated(question.surrogate, loss, (), proof, None, question.within, signs)


def _by_sides(sides: Sequence[Polyhedron], chosen: Sequence[int], k: int) -> Pred:
    """The pred that makes the chosen prediction on each side."""
    regions = tuple(tuple(side for side, c in zip(sides, chosen, strict=True) if c == t) for t in range(k))
    return Pred("sign", sides[0].dim, regions)
