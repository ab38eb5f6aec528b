"""The rule that looks at u = 0, where a convex surrogate may have rational gradients, kinks or not.

There N(ψ(u)) = {p ∈ Δ : 0 ∈ Σ_y p_y ∂ψ_y(u)} is, or contains, a polytope that the gradients tell. If no prediction
serves all of it, or that of the pred does not, ψ is not calibrated (`thm:condition-necessary`). So kinks at equal
scores are found, which smoothing elsewhere does not remove.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from lossmith.calibration.by_tangents import Slopes, among, distribution, not_calibrated_at, rational_slopes
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.calibration.within import Distributions
from lossmith.exact.vectors import cleared, minus, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import decide
from lossmith.surrogates.smooth import SmoothSurrogate

_FEW = 24  # gradients: with more of them the polytope at u = 0 may have very many corners
_MOST = 2000


def by_gradients(question: Question) -> NotCalibrated | Declined:
    """Refute by the gradients at u = 0, or say why this rule does not apply."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate) or question.rule is decide:
        return Declined()
    u = (Fraction(0),) * surrogate.dim
    slopes = rational_slopes(surrogate, u, _MOST)
    if slopes is None:
        return Declined("its gradients at u = 0 are not known as rational numbers, or there are very many")
    asked = replace(question, pred=None if question.pred is None else question.regions)
    few = sum(map(len, slopes)) <= _FEW
    found = not_calibrated_at(asked, u, slopes) if few else _by_programs(asked, u, slopes)
    return found or Declined("u = 0 is optimal only for distributions that one decision serves")


def _by_programs(question: Question, u: tuple[Fraction, ...], slopes: Slopes) -> NotCalibrated | None:
    """The same without all corners: for each prediction, a distribution of the polytope at which it is not optimal.

    Weights on the gradients that add up to 0 are found by linear programs; one that serves several predictions ill
    spares the others.
    """
    loss, pred = question.loss, question.pred
    places = [(y, j) for y, each in enumerate(slopes) for j in range(len(each))]
    said = set(range(loss.k))
    if isinstance(pred, Pred):
        said = {t for t, pieces in enumerate(pred.regions) if any(piece.contains(u) for piece in pieces)}
    found = list[tuple[Fraction, ...]]()
    for t in sorted(said):
        if t in said:
            w = next(wrong(question, slopes, places, t), None)
            if w is None and not isinstance(pred, Pred):
                return None
            if w is not None:
                found.append(w)
                said &= set(loss.optimal_predictions(distribution(w, places, loss.n)))
    return among(question, u, slopes, places, found)


def wrong(
    question: Question, slopes: Slopes, places: Sequence[tuple[int, int]], t: int
) -> Iterator[tuple[Fraction, ...]]:
    """Weights on the gradients that add up to 0, where another prediction is better than t."""
    columns, size = question.loss.rational.integer_columns(), len(places)
    balanced = [(0, *cleared([slopes[y][j][c] for y, j in places])) for c in range(len(slopes[0][0]))]
    for part in question.within or (None,):
        limits = [(0, *row) for row in (*unit_rows(size), *_pulled(part, places))]
        for s in range(question.loss.k):
            gain = minus(columns[t], columns[s])
            best = maximize([gain[y] for y, _ in places], limits, [*balanced, (-1, *[1] * size)])
            if best is not None and best.value > 0:
                yield best.point


def _pulled(part: Distributions | None, places: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    return [] if part is None else [tuple(row[y] for y, _ in places) for row in part.rows]
