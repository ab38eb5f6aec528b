"""Exact counterexamples for smooth surrogates, from their tangents at one point.

At a rational u where the gradients of a convex ψ are rational, N(ψ(u)) = {p ∈ Δ : Σ_y p_y ∇ψ_y(u) = 0} is a polytope.
If no prediction serves all of it, ψ is not calibrated (`thm:condition-necessary`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from lossmith.calibration.proofs import better, certificate, reached, regions_asked
from lossmith.calibration.question import Question
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.certificates.certificate import Certificate, vector, weights
from lossmith.exact.vectors import cleared, rational_dot, unit_rows
from lossmith.geometry.double_description import extreme_rays
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.closures import tight
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares import are_squares

Slopes = Sequence[Sequence[Sequence[Fraction]]]  # for each label, the gradients that ψ_y has at u
IN_LOGS = ", scores in units of log 2"  # behind the name of a surrogate in a certificate
_DENOMINATORS = (1, 2, 4, 10, 100)
_MOST = 24  # gradients at a kink: the polytope may have very many corners


@dataclass(frozen=True)
class Tangents:
    """A proof from the tangents of a convex ψ at one u: weights on them that add up to 0, for each distribution."""

    theorem: ClassVar[str] = "tangents"
    slopes: tuple[tuple[tuple[Fraction, ...], ...], ...]
    points: tuple[tuple[tuple[int, int, Fraction], ...], ...]
    place: tuple[int, int] | None = None
    in_logs: tuple[Fraction, ...] | None = None  # u / log 2, where that is rational instead of u

    def __str__(self) -> str:
        return "The gradients at u are exact, and ψ is declared convex."

    @property
    def note(self) -> str:
        """What u is exactly, if it is no fraction."""
        return "" if self.in_logs is None else f"Exactly: u = ({', '.join(map(str, self.in_logs))}) log 2."

    def certificate(self, verdict: NotCalibrated) -> Certificate:
        """The tangents at u as pieces; the claim is accepted given that they are tangents.

        ψ(s log 2)/log 2 is calibrated, with a pred by cones, if and only if ψ is; its gradient at s is that of ψ at u.
        """
        u = [Fraction(x) for x in self.in_logs or verdict.u]
        surrogate, points = _as_squares(verdict) or self.written(verdict, u)
        evidence: dict[str, Any] = {"u": vector(u), "points": points}
        pred = regions_asked(verdict)
        if self.place is None or pred is None:
            evidence["better"] = better(verdict)
        else:
            evidence |= reached(verdict, pred, Polyhedron(len(u)), self.place, u)
        return certificate(verdict.status, verdict.loss, surrogate, evidence, pred, verdict.within)

    def written(self, verdict: NotCalibrated, u: Sequence[Fraction]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The surrogate by its tangents at u, and the first distributions of the verdict with their weights."""
        pieces = [[(-rational_dot(slope, u), *slope) for slope in each] for each in self.slopes]
        surrogate = {
            "dim": len(u),
            "terms": [[[vector(piece) for piece in each]] for each in pieces],
            "inequalities": [],
            "equations": [],
            "tangents": True,
            "name": verdict.surrogate.name + (IN_LOGS if self.in_logs else ""),
        }
        points = [
            weights(p, [(y, 0, j, w) for y, j, w in each], [], [])
            for p, each in zip(verdict.distributions, self.points, strict=False)
        ]
        return surrogate, points


def _as_squares(verdict: NotCalibrated) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    """The same of squares, whose risk is least at u = Σ w_y p_y a_y / Σ w_y p_y: nothing is given then."""
    surrogate = verdict.surrogate
    if not isinstance(surrogate, SmoothSurrogate) or surrogate.traits.mean is None:
        return None
    rows, scales = surrogate.traits.mean, surrogate.traits.scales
    if not are_squares(surrogate, rows, scales):
        return None
    section: dict[str, Any] = {"estimates": [vector(row) for row in rows], "theorem": "squares", "name": surrogate.name}
    return section | ({} if scales is None else {"weights": vector(scales)}), [
        {"p": vector(p)} for p in verdict.distributions
    ]


def by_tangents(question: Question, candidates: Iterable[Sequence[float]]) -> NotCalibrated | None:
    """Round each candidate u to rationals, and look whether some N(ψ(u)) is a counterexample."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate):
        return None
    tried = set()
    for candidate in candidates:
        for denominator in _DENOMINATORS:
            u = tuple(Fraction(round(x * denominator), denominator) for x in candidate)
            if u not in tried:
                tried.add(u)
                slopes = rational_slopes(surrogate, u)
                found = None if slopes is None else not_calibrated_at(question, u, slopes)
                if found is not None:
                    return found
    return None


def rational_slopes(surrogate: SmoothSurrogate, u: tuple[Fraction, ...], most: int = _MOST) -> Slopes | None:
    """For each label the gradients that ψ_y has at u, as far as they are known; None if there are more than `most`.

    None, too, if ψ is not declared convex.
    """
    if not surrogate.traits.convex:
        return None
    if surrogate.subgradients is not None:
        found = surrogate.subgradients(u)
        return found if found is not None and sum(map(len, found)) <= max(surrogate.n, most) else None
    return None if surrogate.exact_slope is None else [[row] for row in surrogate.exact_slope(u)]


def not_calibrated_at(question: Question, u: tuple[Fraction, ...], slopes: Slopes) -> NotCalibrated | None:
    """A counterexample at u, or None: N(ψ(u)) consists of the p for which weights on the gradients add up to 0."""
    places = [(y, j) for y, each in enumerate(slopes) for j in range(len(each))]
    size = len(places)
    gradients = [cleared([slopes[y][j][c] for y, j in places]) for c in range(len(u))]
    balanced = [tuple(sign * x for x in row) for row in gradients for sign in (1, -1)]
    polytopes = []
    for region in question.within or (None,):
        limits = [] if region is None else [tuple(row[y] for y, _ in places) for row in region.rows]
        rays = extreme_rays([*unit_rows(size), *balanced, *limits])
        polytopes.append([tuple(Fraction(x, sum(ray)) for x in ray) for ray in rays])
    for share in (4, 64, 1024, None):  # corners moved inside, as far as that leaves a counterexample
        answer = among(question, u, slopes, places, [w for corners in polytopes for w in _moved(corners, share)])
        if answer is not None:
            return answer
    return None


def _moved(corners: Sequence[tuple[Fraction, ...]], share: int | None) -> list[tuple[Fraction, ...]]:
    """The corners, each one `share`-th of the way towards their mean."""
    if share is None or not corners:
        return list(corners)
    middle = [sum(column, Fraction(0)) / len(corners) for column in zip(*corners, strict=True)]
    return [tuple(x + (m - x) / share for x, m in zip(corner, middle, strict=True)) for corner in corners]


def among(
    question: Question,
    u: tuple[Fraction, ...],
    slopes: Slopes,
    places: Sequence[tuple[int, int]],
    found: Sequence[tuple[Fraction, ...]],
) -> NotCalibrated | None:
    """A counterexample among distributions that are given by weights on the gradients."""
    loss, pred = question.loss, question.pred
    if isinstance(pred, Pred):
        pred = tight(pred, Polyhedron(pred.dim))
    points = [distribution(w, places, loss.n) for w in found]
    optimal = [set(loss.optimal_predictions(p)) for p in points]
    if isinstance(pred, Pred):
        spots = [(t, i) for t, pieces in enumerate(pred.regions) for i, piece in enumerate(pieces) if piece.contains(u)]
        wrong = [(spot, a) for spot in spots for a, best in enumerate(optimal) if spot[0] not in best]
        if not wrong:
            return None
        place, a = max(wrong, key=lambda item: loss.risk(points[item[1]])[item[0][0]] - min(loss.risk(points[item[1]])))
        proof = tangents(slopes, places, [found[a]], place)
        return NotCalibrated(question.surrogate, loss, u, (points[a],), proof, pred, question.within, place[0])
    left, chosen = set(range(loss.k)), list[int]()
    while left and points:
        best = min(range(len(points)), key=lambda a: len(left & optimal[a]))
        if left <= optimal[best]:
            return None
        chosen.append(best)
        left &= optimal[best]
    if not points:
        return None
    proof = tangents(slopes, places, [found[a] for a in chosen])
    distributions = tuple(points[a] for a in chosen)
    return NotCalibrated(question.surrogate, loss, u, distributions, proof, None, question.within)


def distribution(w: Sequence[Fraction], places: Sequence[tuple[int, int]], n: int) -> tuple[Fraction, ...]:
    """The probability of each label: the sum of the weights on its gradients."""
    p = [Fraction(0)] * n
    for (y, _), x in zip(places, w, strict=True):
        p[y] += x
    return tuple(p)


def tangents(
    slopes: Slopes,
    places: Sequence[tuple[int, int]],
    found: Sequence[Sequence[Fraction]],
    place: tuple[int, int] | None = None,
) -> Tangents:
    """The proof by these weights on the gradients."""
    rows = tuple(tuple(tuple(map(Fraction, slope)) for slope in each) for each in slopes)
    weighted = tuple(tuple((y, j, x) for (y, j), x in zip(places, w, strict=True) if x) for w in found)
    return Tangents(rows, weighted, place)
