"""Refutations at infinity: several ψ_y tend to their infima together, along one direction.

If ψ_y(m d) → inf ψ_y for all labels y of a set S, then for every p on S the risk p·ψ(m d) tends to Σ_y p_y inf ψ_y,
than which it is nowhere less. A pred that says t infinitely often along these u is calibrated only if t is optimal for
every p on S; that is, for each label of S alone. Margins φ(u_y) with Σ u = 0 are of this kind: what is consistent for
all p > 0 need not be where a label is impossible.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from lossmith.calibration.proofs import certificate, regions_asked
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
    said: int | None = None  # what a given pred says at all multiples of the u that is shown

    @property
    def note(self) -> str:
        """What else is to be said of the u that is shown."""
        shown = ", ".join(map(str, self.together.direction))
        return f"The least risk is only approached: along u = m·({shown}), the larger m the nearer."

    def certificate(self, verdict: NotCalibrated) -> Certificate:
        """That no pred will do, or not the given one, given that these labels are served together."""
        loss, pred = verdict.loss, None if self.said is None else regions_asked(verdict)
        dim = 1 if pred is None else verdict.surrogate.dim
        estimates = [["0" if y in self.together.labels else "1"] * dim for y in range(loss.n)]
        surrogate: dict[str, Any] = {"estimates": estimates, "theorem": "far out", "name": verdict.surrogate.name}
        best = [loss.optimal_predictions(p) for p in self.points]
        wrong = [next(i for i, each in enumerate(best) if t not in each) for t in range(loss.k)]
        evidence: dict[str, Any] = {
            "u": ["0"],
            "points": [{"p": vector(p)} for p in self.points],
            "better": [[t, i, best[i][0]] for t, i in enumerate(wrong)],
        }
        if pred is not None:
            (p,) = verdict.distributions
            better = loss.optimal_predictions(p)[0]
            u = vector(map(Fraction, map(str, verdict.u)))
            evidence = {"u": u, "points": [{"p": vector(p)}], "prediction": self.said, "better": better}
        return certificate(verdict.status, loss, surrogate, evidence, pred, verdict.within)


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


def _refuted(question: Question, surrogate: SmoothSurrogate, proof: FarOut) -> NotCalibrated | Declined:
    loss, direction = question.loss, proof.together.direction
    pred = None if question.pred is None or question.rule is decide else question.regions
    if pred is None:
        return NotCalibrated(surrogate, loss, _scaled(_FAR, direction), proof.points, proof, None, question.within)
    said = _said_far_out(pred, direction)
    if said is None:
        return Declined(f"{pred.name} says nothing far out along ({', '.join(map(str, direction))})")
    far = _FAR
    while _said_from(pred, _scaled(far, direction)) != said:
        far *= 2
    p = max((p for p in proof.points), key=lambda p: _excess(loss, p, said))
    known = replace(proof, said=said)
    return NotCalibrated(surrogate, loss, _scaled(far, direction), (p,), known, pred, question.within, said)


def _scaled(factor: int, direction: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """A multiple of the direction.

    >>> _scaled(2, (Fraction(1), Fraction(-1, 2)))
    (Fraction(2, 1), Fraction(-1, 1))
    """
    return tuple(factor * x for x in direction)


def _excess(loss: LossMatrix, p: tuple[Fraction, ...], t: int) -> Fraction:
    risks = loss.risk(p)
    result: Fraction = risks[t] - min(risks)
    return result


def _said_far_out(pred: Pred, direction: tuple[Fraction, ...]) -> int | None:
    """What the pred says at m·d for all large m: each row is (slope, constant), compared in this order."""
    zero = Fraction(0)
    for t, region in enumerate(pred.regions):
        for piece in region:
            if all((rational_dot(row[1:], direction), row[0]) >= (zero, zero) for row in _one_sided(piece)):
                return t
    return None


def _said_from(pred: Pred, u: tuple[Fraction, ...]) -> int | None:
    """What the pred says at m·u for all m ≥ 1, where one row of each earlier piece excludes all of these."""
    for t, region in enumerate(pred.regions):
        for piece in region:
            ends = [(row[0] + slope, slope) for row in _one_sided(piece) for slope in [rational_dot(row[1:], u)]]
            if all(min(end) >= 0 for end in ends):
                return t
            if not any(at < 0 and slope <= 0 for at, slope in ends):
                return None  # it may hold at some of them
    return None


def _one_sided(piece: Polyhedron) -> list[tuple[Fraction, ...]]:
    """The rows of a piece as inequalities: an equation is two."""
    return [*piece.inequalities, *piece.equations, *(tuple(-x for x in row) for row in piece.equations)]
