"""Refutations at infinity: several ψ_y tend to their infima together, along one direction.

If ψ_y(m d) → inf ψ_y for all labels y of a set S, then for every p on S the risk p·ψ(m d) tends to Σ_y p_y inf ψ_y,
than which it is nowhere less. A pred that says t infinitely often along these u is calibrated only if t is optimal for
every p on S; that is, for each label of S alone. Margins φ(u_y) with Σ u = 0 are of this kind: what is consistent for
all p > 0 need not be where a label is impossible.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lossmith.calibration.proofs import certificate
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.calibration.within import lies_in
from lossmith.certificates.certificate import Certificate, vector
from lossmith.exact.vectors import cleared, rational_dot
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import decide
from lossmith.surrogates.smooth import SmoothSurrogate, Together

_FAR = 100  # the u that is shown is this multiple of the direction


@dataclass(frozen=True)
class FarOut:
    """The labels whose ψ_y tend to their infima together, and distributions on them that no prediction serves."""

    together: Together
    points: tuple[tuple[Fraction, ...], ...]

    @property
    def note(self) -> str:
        """What else is to be said of the u that is shown."""
        shown = ", ".join(map(str, self.together.direction))
        return f"The least risk is only approached: along u = m·({shown}), the larger m the nearer."

    def certificate(self, verdict: NotCalibrated) -> Certificate:
        """That no pred will do, given that these labels are served together."""
        loss, estimates = verdict.loss, [["1"] for _ in range(verdict.loss.n)]
        for y in self.together.labels:
            estimates[y] = ["0"]
        surrogate: dict[str, Any] = {"estimates": estimates, "theorem": "far out", "name": verdict.surrogate.name}
        best = [loss.optimal_predictions(p) for p in self.points]
        wrong = [next(i for i, each in enumerate(best) if t not in each) for t in range(loss.k)]
        evidence = {
            "u": ["0"],
            "points": [{"p": vector(p)} for p in self.points],
            "better": [[t, i, best[i][0]] for t, i in enumerate(wrong)],
        }
        return certificate(verdict.status, loss, surrogate, evidence, None, verdict.within)


def by_far_out(question: Question) -> NotCalibrated | Declined:
    """Refute, or say why this rule does not apply."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate) or not surrogate.traits.together:
        return Declined()
    for together in surrogate.traits.together:
        points = _points(question, together)
        if points is not None:
            return _refuted(question, surrogate, FarOut(together, points))
    return Declined("labels that are served together far out have a decision in common")


def _points(question: Question, together: Together) -> tuple[tuple[Fraction, ...], ...] | None:
    """Distributions on the labels that no single prediction serves; all labels of the set possible, if that will do."""
    loss, labels = question.loss, together.labels
    for share in (Fraction(1, 4), Fraction(1, 64), Fraction(0)):
        even = share / len(labels)
        points = tuple(tuple((1 - share) * (y == own) + even * (y in labels) for y in range(loss.n)) for own in labels)
        inside = [p for p in points if lies_in(question.within, cleared(p))]
        best = [set(loss.optimal_predictions(p)) for p in inside]
        if inside and not set.intersection(*best):
            return tuple(inside)
    return None


def _refuted(question: Question, surrogate: SmoothSurrogate, proof: FarOut) -> NotCalibrated:
    loss, u = question.loss, tuple(_FAR * x for x in proof.together.direction)
    pred = None if question.pred is None or question.rule is decide else question.regions
    if pred is None:
        return NotCalibrated(surrogate, loss, u, proof.points, proof, None, question.within)
    said = _said_far_out(pred, proof.together.direction)
    p = max((p for p in proof.points), key=lambda p: _excess(loss, p, said))
    return NotCalibrated(surrogate, loss, u, (p,), proof, pred, question.within, said)


def _excess(loss: LossMatrix, p: tuple[Fraction, ...], t: int) -> Fraction:
    risks = loss.risk(p)
    result: Fraction = risks[t] - min(risks)
    return result


def _said_far_out(pred: Pred, direction: tuple[Fraction, ...]) -> int:
    """What the pred says at m·d for all large m."""
    return next(t for t, region in enumerate(pred.regions) if any(_holds(piece, direction) for piece in region))


def _holds(piece: Polyhedron, direction: tuple[Fraction, ...]) -> bool:
    """Whether m·d lies in the piece for all large m: each row is (slope, constant), compared in this order."""
    zero = Fraction(0)
    above = all((rational_dot(row[1:], direction), row[0]) >= (zero, zero) for row in piece.inequalities)
    return above and not any(row[0] or rational_dot(row[1:], direction) for row in piece.equations)
