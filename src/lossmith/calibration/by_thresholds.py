"""The rule for sums of functions of single scores: whether a score exceeds a threshold is told by one slope.

Let ψ_y(u) = Σ_i ψ_yi(u_i) be bounded below and convex, as it is always of one score, f = p·ψ, and x = −∂_i f(τ) where
u_i = τ. Let a pred compare single scores with thresholds at which the slopes exist. Then cl R_t is a union of boxes
whose ends are thresholds or infinite. *The infimum of f over a box is inf f if and only if x ≥ 0 at its lower and x ≤ 0
at its upper ends*: f is a sum over the scores, and a convex function of one score has its infimum in an interval
exactly if it does not rise at the lower end, nor fall at the upper end. So the pred is calibrated if and only if t is
optimal for all p with these signs, for every box of t: linear programs, if the slopes are rational.

A certificate that the pred is right names the theorem on signs, for the scores u_i − τ and a_y = −∂_i ψ_y(τ). One that
it is wrong has a p where no x is 0; or where some must be 0, tangents at a rational u in the box, if one is found.

Without a pred thresholds are looked for: for one score where the slopes of the labels are in the proportion of ℓ_t −
ℓ_s, for neighbours s and t in the order of the predictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from lossmith.calibration.by_order import decided_by_order
from lossmith.calibration.by_tangents import Slopes, not_calibrated_at, rational_slopes
from lossmith.calibration.estimates import EstimateProof, estimate, wrong_places
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Verdict
from lossmith.errors import BadInput
from lossmith.exact.vectors import minus
from lossmith.geometry.covering import Gap, covering
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates import preds
from lossmith.surrogates.closures import tight
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds_of_grades import nearest
from lossmith.surrogates.smooth import Order, SmoothSurrogate

Threshold = tuple[int, Fraction]  # the number of a score, and what it is compared with
_DENOMINATORS = (1, 2, 4, 10, 100)
_FAR, _STRETCHES = 64, 100  # how far thresholds are looked for, and how many changes of pieces on the way
_WHY = "Where its risk is nearly least, each score is on that side of a threshold on which the risk falls."


def by_thresholds(question: Question) -> Verdict | Declined:
    """Decide, or say why this rule does not apply."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate) or question.rule is preds.decide:
        return Declined()
    if not surrogate.traits.convex or not (surrogate.dim == 1 or surrogate.traits.separate):
        return Declined()
    if question.regions is not None:
        return _decided(question, surrogate, question.regions)
    for pred in _customary(question, surrogate):
        found = _decided(question, surrogate, pred)
        if isinstance(found, Calibrated):
            return replace(found, asked=None, found_pred=pred)
    return Declined("no thresholds of its scores were found that decide rightly")


def _decided(question: Question, surrogate: SmoothSurrogate, pred: Pred) -> Verdict | Declined:
    rows = [row for region in pred.regions for piece in region for row in piece.rows]
    if any(sum(map(bool, row[1:])) != 1 for row in rows):
        return Declined(f"{pred.name} compares scores with each other, and not with thresholds")
    thresholds = sorted({_threshold(row) for row in rows})
    slopes = [_slopes(surrogate, each) for each in thresholds]
    known = [each for each in slopes if each is not None]
    if len(known) < len(slopes):
        return Declined(f"at a threshold of {pred.name} its slopes are not known as rational numbers, or it has a kink")
    if not thresholds:
        return Declined()
    if surrogate.dim == 1:  # tangents at a threshold rest on less, and show an exact u
        at = ((tau, [[[x]] for x in each]) for (_, tau), each in zip(thresholds, known, strict=True))
        exact = (not_calibrated_at(replace(question, pred=pred), (tau,), slopes) for tau, slopes in at)
        found = next((each for each in exact if each is not None), None)
        if found is not None:
            return found
    moved = replace(pred, dim=len(thresholds), regions=_moved(pred, thresholds))
    if isinstance(covering(Polyhedron(moved.dim), [piece for region in moved.regions for piece in region]), Gap):
        return Declined(f"{pred.name} says something only as thresholds are in order")
    order = Order("signs", tuple(tuple(-x for x in each) for each in zip(*known, strict=True)))
    verdict = decided_by_order(question, surrogate, order, moved, pred, _WHY)
    if isinstance(verdict, Declined):
        return _refuted_at_a_tie(question, surrogate, order, moved, pred, thresholds) or verdict
    return verdict


def _refuted_at_a_tie(
    question: Question,
    surrogate: SmoothSurrogate,
    order: Order,
    moved: Pred,
    pred: Pred,
    thresholds: Sequence[Threshold],
) -> NotCalibrated | None:
    """Return a counterexample at a rational u in the closure of a box of t, or None if none is found.

    A score at one of whose thresholds x is 0 is least there; the others are rounded from a u that is nearly optimal.
    """
    asked = replace(question, pred=pred)
    known = EstimateProof(order.theorem, order.rows, _WHY, Polyhedron(order.dim))
    for _, _, p, _ in wrong_places(question, known, tight(moved, known.domain)):
        x = estimate(order.rows, p)
        least = {i: tau for (i, tau), slope in zip(thresholds, x, strict=True) if not slope}
        near = surrogate.minimizer(p)
        for denominator in _DENOMINATORS:
            rounded = (Fraction(round(z * denominator), denominator) for z in near)
            u = tuple(least.get(i, z) for i, z in enumerate(rounded))
            slopes = _gradients(surrogate, u)
            found = None if slopes is None else not_calibrated_at(asked, u, slopes)
            if found is not None:
                return found
    return None


def _threshold(row: Sequence[Fraction]) -> Threshold:
    i = next(i for i, x in enumerate(row[1:]) if x)
    return i, -row[0] / row[i + 1]


def _slopes(surrogate: SmoothSurrogate, threshold: Threshold) -> list[Fraction] | None:
    """The slope of each label along the score, where it equals the threshold; None if one is not known."""
    i, tau = threshold
    u = tuple(tau if j == i else Fraction(0) for j in range(surrogate.dim))
    slopes = [{row[i] for row in each} for each in _gradients(surrogate, u) or ()]
    return [Fraction(x) for (x,) in slopes] if slopes and all(len(each) == 1 for each in slopes) else None


def _gradients(surrogate: SmoothSurrogate, u: tuple[Fraction, ...]) -> Slopes | None:
    """The gradients at u, if they are known as rational numbers; at 0 logarithms do not matter."""
    found = rational_slopes(surrogate, u)
    return surrogate.at_logs(u) if found is None and not any(u) and surrogate.at_logs is not None else found


def _moved(pred: Pred, thresholds: Sequence[Threshold]) -> tuple[tuple[Polyhedron, ...], ...]:
    """The regions with a score u_i − τ for each threshold."""

    def signed(row: Sequence[Fraction]) -> tuple[Fraction, ...]:
        found = _threshold(row)
        return (Fraction(0), *(row[1 + found[0]] * (each == found) for each in thresholds))

    return tuple(
        tuple(
            Polyhedron(len(thresholds), tuple(map(signed, piece.inequalities)), tuple(map(signed, piece.equations)))
            for piece in region
        )
        for region in pred.regions
    )


def _customary(question: Question, surrogate: SmoothSurrogate) -> Iterator[Pred]:
    """Preds to try where none is asked about: by sign, the nearest label, and thresholds that are solved for."""
    for rule in (preds.sign, nearest):
        with suppress(BadInput):
            yield rule(surrogate, question.loss)
    order = question.facts.order
    if surrogate.dim == 1 and order is not None and len(order) > 1:
        columns = question.loss.rational.integer_columns()
        found = [_where_proportional(surrogate, minus(columns[t], columns[s])) for s, t in pairwise(order)]
        places = [each for each in found if each is not None]
        if len(places) == len(found) and len({sign for _, sign in places}) == 1:
            yield _between(order if places[0][1] else order[::-1], sorted(tau for tau, _ in places), question.loss.k)


def _where_proportional(surrogate: SmoothSurrogate, target: Sequence[int]) -> tuple[Fraction, bool] | None:
    """A u at which the slopes of the labels are a multiple of the target, other than 0, and whether it is positive."""
    pairs = list(combinations(range(surrogate.n), 2))
    for low, high, *slopes in _stretches(surrogate):
        near, far = ([g[y] * target[z] - g[z] * target[y] for y, z in pairs] for g in slopes)
        shares = {a / (a - b) if a != b else Fraction(2) for a, b in zip(near, far, strict=True) if a or b}
        share = min(shares, default=Fraction(1, 2))
        at = [a + share * (b - a) for a, b in zip(*slopes, strict=True)]
        sign = sum((x * w for x, w in zip(at, target, strict=True)), Fraction(0))
        if len(shares) < 2 and 0 <= share <= 1 and sign:
            return low + share * (high - low), sign > 0
    return None


def _stretches(surrogate: SmoothSurrogate) -> Iterator[tuple[Any, ...]]:
    """Stretches of the line on which the slopes of all labels are affine: their ends, and the slopes there."""
    for way in (Fraction(_FAR), Fraction(-_FAR)):
        u = Fraction(0)
        for _ in range(_STRETCHES if surrogate.along is not None else 0):
            assert surrogate.along is not None
            found = surrogate.along((u,), (way,))
            if found is None or abs(u) >= _FAR or any(len(each) > 1 for each in found[1]):
                break
            (end,), *slopes = found
            yield u, end, *([each[0][0] for each in both] for both in slopes)
            u = end


def _between(order: Sequence[int], thresholds: Sequence[Fraction], k: int) -> Pred:
    """The pred that goes through the predictions in this order as the score exceeds one threshold after the other."""
    one = Fraction(1)
    regions: list[tuple[Polyhedron, ...]] = [()] * k
    cuts = [None, *thresholds, None]
    for t, (low, high) in zip(order, pairwise(cuts), strict=True):
        rows = [] if low is None else [(-low, one)]
        rows += [] if high is None else [(high, -one)]
        regions[t] = (Polyhedron(1, tuple(rows)),)
    return Pred("thresholds", 1, tuple(regions))
