"""The rule for surrogates that are quadratic on pieces: what is right on the way to u may be wrong at its end.

Where ψ is quadratic on a segment from u to u′ its gradients are affine there: (1 − c) g + c h at (1 − c)u + cu′, for
0 < c ≤ 1. *If weights v on the g and w on the h have Σ v g = Σ w h = Σ (v h + w g) = 0, then p(c) = (1 − c) p + c q,
for p and q the sums of the weights of each label, lies in N(ψ) there for all c.* So if each prediction is not optimal
at some p ∈ N(ψ(u)), or not at p(c) for any c, then no pred is calibrated: near u it must say what is optimal on the
way, and what is optimal at the end (docs/beyond-the-paper.md). For each single u one prediction may serve all of
N(ψ(u)). Such u are looked for at 0, and where the risk is least if all labels are equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import ClassVar

from lossmith.calibration.by_gradients import wrong
from lossmith.calibration.by_tangents import Slopes, Tangents, distribution, rational_slopes, tangents
from lossmith.calibration.proofs import certificate
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.certificates.certificate import Certificate, vector
from lossmith.exact.vectors import cleared, minus, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.surrogates.smooth import SmoothSurrogate

Weights = tuple[Fraction, ...]
_FEW = 5  # dimensions, in which all corners of the cube are tried; in more of them only the axes
_MOST = 100  # gradients, all of which are in each linear program
_FEWER = 3  # in which both signs are tried at once
_LENGTH = Fraction(1, 2)
_DENOMINATORS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Segment:
    """The far end of a segment from u, and the gradients of each label: at u, as limits, and at the far end."""

    end: tuple[Fraction, ...]
    near: Slopes
    far: Slopes

    @property
    def places(self) -> list[tuple[int, int]]:
        """The label and the number of each gradient."""
        return [(y, j) for y, each in enumerate(self.near) for j in range(len(each))]


@dataclass(frozen=True)
class Way:
    """A proof: what is optimal at u, by tangents; and weights on the gradients of the segment, at both ends."""

    theorem: ClassVar[str] = "along"
    tangents: Tangents
    segment: Segment
    weights: tuple[tuple[Weights, Weights], ...]
    better: tuple[tuple[int, int], ...]  # for each prediction, a distribution and a prediction that is better there

    def __str__(self) -> str:
        return "The gradients on the way to u are exact, and ψ is declared convex and quadratic there."

    @property
    def start(self) -> tuple[Fraction, ...]:
        """Where, instead of at u, the surrogate is optimal for all but the first of the distributions."""
        return self.segment.end

    @property
    def note(self) -> str:
        """Why that is a counterexample."""
        return (
            "All the way from v to u it is optimal for distributions with the same best decisions as at v: a pred that "
            "is right on the way is wrong for the first distribution, as near to u as one likes."
        )

    def certificate(self, verdict: NotCalibrated) -> Certificate:
        """The tangents at u, and those on the way; the claim is accepted given that they are such."""
        u = [Fraction(x) for x in verdict.u]
        surrogate, points = self.tangents.written(verdict, u)
        places, n = self.segment.places, verdict.loss.n
        surrogate["along"] = [
            [[vector(g), vector(h)] for g, h in zip(*both, strict=True)]
            for both in zip(self.segment.near, self.segment.far, strict=True)
        ]
        along = [
            {
                "p": [vector(distribution(w, places, n)) for w in both],
                "weights": [[y, j, str(v), str(w)] for (y, j), v, w in zip(places, *both, strict=True) if v or w],
            }
            for both in self.weights
        ]
        better = [[t, i, s] for t, (i, s) in enumerate(self.better)]
        evidence = {"u": vector(u), "points": points, "better": better, "along": along}
        return certificate(verdict.status, verdict.loss, surrogate, evidence, None, None)


def by_segments(question: Question) -> NotCalibrated | Declined:
    """Refute by gradients on the way to a point, or say why this rule does not apply."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate) or question.pred is not None or question.within is not None:
        return Declined()
    if surrogate.along is None or not surrogate.traits.convex:
        return Declined()  # points of a segment, however many, would not tell what is between them
    for u in dict.fromkeys(_ends(surrogate)):
        found = _at(question, surrogate, u)
        if found is not None:
            return found
    return Declined("on the ways that were tried one decision serves all")


def _ends(surrogate: SmoothSurrogate) -> Iterator[tuple[Fraction, ...]]:
    """Points that may be optimal for much: 0, and what is optimal if all labels are equally likely, rounded."""
    yield (Fraction(0),) * surrogate.dim
    middle = surrogate.minimizer([Fraction(1, surrogate.n)] * surrogate.n)
    yield from (tuple(Fraction(round(x * d), d) for x in middle) for d in _DENOMINATORS)


def _at(question: Question, surrogate: SmoothSurrogate, u: tuple[Fraction, ...]) -> NotCalibrated | None:
    """A counterexample on the ways to u."""
    slopes = rational_slopes(surrogate, u, _MOST)
    if slopes is None:
        return None
    places = [(y, j) for y, each in enumerate(slopes) for j in range(len(each))]
    first = [next(wrong(question, slopes, places, t), None) for t in range(question.loss.k)]
    left = [t for t, w in enumerate(first) if w is None]
    if not left or len(left) == len(first):
        return None  # no decision serves u itself, which other rules see; or all do
    for segment in _segments(surrogate, u):
        found = [each for t in left for each in [_along(question, segment, t)] if each is not None]
        if len(found) == len(left):
            return _refuted(question, u, slopes, first, segment, found)
    return None


def _segments(surrogate: SmoothSurrogate, u: tuple[Fraction, ...]) -> Iterator[Segment]:
    """Segments from u, as far as the surrogate is quadratic on them."""
    assert surrogate.along is not None
    dim = surrogate.dim
    corners = unit_rows(dim)
    if dim <= _FEW:
        corners = [*product((0, 1), repeat=dim), *(each for each in product((0, 1, -1), repeat=dim) if dim <= _FEWER)]
    for corner in dict.fromkeys(each for each in corners if any(each)):
        for sign in (1, -1):
            found = surrogate.along(u, tuple(sign * x * _LENGTH for x in corner))
            if found is not None and sum(map(len, found[1])) <= _MOST:
                yield Segment(*found)


def _along(question: Question, segment: Segment, t: int) -> tuple[Weights, Weights, int] | None:
    """Weights at both ends, and a prediction that is better than t on all of the way, but for its end 0."""
    columns, places = question.loss.rational.integer_columns(), segment.places
    size = len(places)
    ends = (segment.near, segment.far)
    near, far = ([[each[y][j][c] for y, j in places] for c in range(len(segment.end))] for each in ends)
    none = [Fraction(0)] * size
    balanced = [[*g, *none] for g in near] + [[*none, *h] for h in far]
    balanced += [[*h, *g] for g, h in zip(near, far, strict=True)]
    equations = [(0, *cleared(row)) for row in balanced] + [
        (-1, *[1] * size, *[0] * size),
        (-1, *[0] * size, *[1] * size),
    ]
    for s in range(question.loss.k):
        gain = minus(columns[t], columns[s])
        gains = [gain[y] for y, _ in places]
        limits = [*((0, *row) for row in unit_rows(2 * size)), (0, *gains, *[0] * size)]
        best = maximize([*[0] * size, *gains], limits, equations)
        if best is not None and best.value > 0:
            return best.point[:size], best.point[size:], s
    return None


def _refuted(
    question: Question,
    u: tuple[Fraction, ...],
    slopes: Slopes,
    first: Sequence[Weights | None],
    segment: Segment,
    found: Sequence[tuple[Weights, Weights, int]],
) -> NotCalibrated:
    """The counterexample: at the mean of what rules out the other predictions at 0, those that are left are better."""
    loss = question.loss
    places = [(y, j) for y, each in enumerate(slopes) for j in range(len(each))]
    others = [w for w in first if w is not None]
    middle = tuple(sum(column, Fraction(0)) / len(others) for column in zip(*others, strict=True))
    left = [t for t, w in enumerate(first) if w is None]
    better = [
        (0, left[0]) if w is not None else (1 + left.index(t), found[left.index(t)][2]) for t, w in enumerate(first)
    ]
    points = (distribution(middle, places, loss.n), *(distribution(w, segment.places, loss.n) for _, w, _ in found))
    ways = tuple((v, w) for v, w, _ in found)
    proof = Way(tangents(slopes, places, [middle]), segment, ways, tuple(better))
    return NotCalibrated(question.surrogate, loss, u, points, proof)
