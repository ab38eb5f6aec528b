"""Surrogates of which a theorem tells where the risk is nearly least: decisions about their estimates are polyhedral.

Each label y has a row a_y, and x = Σ_y p_y a_y is the *estimate* that belongs to p. The theorem says that wherever the
risk tends to the least one, what the surrogate reads off u tends to x.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any

from lossmith.calibration.proofs import better, certificate
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Verdict
from lossmith.calibration.within import Region
from lossmith.certificates.certificate import Certificate, vector
from lossmith.errors import TooLarge
from lossmith.exact.rational import over_common_denominator
from lossmith.geometry.double_description import Row
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.regions import Pred
from lossmith.surrogates.smooth import SmoothSurrogate

Rows = tuple[tuple[Fraction, ...], ...]
_MOST_LABELS = 12


@dataclass(frozen=True)
class Question:
    """Whether a smooth surrogate is calibrated for a loss, with this pred (None: with some) on these distributions."""

    surrogate: SmoothSurrogate
    loss: LossMatrix
    pred: object
    within: tuple[Region, ...] | None


@dataclass(frozen=True)
class Known:
    """A proof that rests on a theorem: which one, the rows a_y, and why the loss is (not) decided by the estimate.

    `affine[t]` is (c, x) with ℓ_t − ℓ_0 = c + a_y·x; or `regions` is a pred on estimates, right or wrong as claimed,
    wrong at piece `place`.
    """

    theorem: str
    rows: Rows
    why: str
    affine: Rows | None = None
    regions: Pred | None = None
    place: tuple[int, int] | None = None
    scales: tuple[Fraction, ...] | None = None

    def __str__(self) -> str:
        return self.why

    def certificate(self, verdict: Calibrated | NotCalibrated) -> Certificate:
        """The theorem is named; what rests on arithmetic is in the evidence."""
        evidence: dict[str, Any] = {}
        if isinstance(verdict, Calibrated) and self.regions is not None and verdict.loss.n > _MOST_LABELS:
            raise TooLarge(
                f"a certificate that {self.regions.name} is right is checked at up to 2^n vertices; such are made for "
                f"up to {_MOST_LABELS} labels, and {verdict.loss.name} has {verdict.loss.n}"
            )
        if isinstance(verdict, NotCalibrated):
            points = [{"p": vector(p)} for p in verdict.distributions]
            u = estimate(self.rows, verdict.distributions[0], self.scales)
            evidence = {"u": vector(u), "points": points}
            if self.place is None:
                evidence["better"] = better(verdict)
            else:
                best = verdict.loss.optimal_predictions(verdict.distributions[0])[0]
                evidence |= {"prediction": self.place[0], "piece": self.place[1], "better": best}
        elif self.regions is None:
            assert self.affine is not None
            evidence["affine"] = [vector(row) for row in self.affine]
        surrogate: dict[str, Any] = {
            "estimates": [vector(row) for row in self.rows],
            "theorem": self.theorem,
            "name": verdict.surrogate.name,
        }
        if self.scales is not None:
            surrogate["weights"] = vector(self.scales)
        return certificate(verdict.status, verdict.loss, surrogate, evidence, self.regions, verdict.within)


def estimate(rows: Rows, p: Sequence[Fraction], scales: tuple[Fraction, ...] | None = None) -> tuple[Fraction, ...]:
    """Σ_y p_y a_y, or with scales Σ_y w_y p_y a_y / Σ_y w_y p_y."""
    q = list(p) if scales is None else [x * w for x, w in zip(p, scales, strict=True)]
    total = sum(q, Fraction(0))
    return tuple(sum(map(mul, q, column), Fraction(0)) / total for column in zip(*rows, strict=True))


def decided_by_regions(
    question: Question,
    theorem: str,
    rows: Rows,
    regions: Pred,
    why: str,
    given: Any,
    reached: Callable[[Sequence[Fraction]], tuple[Fraction | float, ...]],
    scales: tuple[Fraction, ...] | None = None,
) -> Verdict:
    """Whether a pred on estimates is right: calibrated if and only if t is optimal wherever the closed region of t is.

    ⇐: where the risk tends to the least one the estimates tend to that of p, which therefore lies in the closed region
    of whatever is predicted infinitely often. ⇒: estimates in the region of t tend to that of p. The distributions with
    estimates in a piece are a polytope, on which a linear program compares t with every other. `reached(p)` is a u that
    is (nearly) optimal at p, for print; `given` is the pred that was asked about.
    """
    loss = question.loss
    for t, region in enumerate(regions.regions):
        for i, piece in enumerate(region):
            for part in question.within or (None,):
                limits = _limits(piece, rows, scales, part, loss.n)
                worst = _wrong(loss, t, limits)
                if worst is not None:
                    p = _inside(loss, t, worst, limits)
                    proof = Known(theorem, rows, why, regions=regions, place=(t, i), scales=scales)
                    return NotCalibrated(question.surrogate, loss, reached(p), (p,), proof, given, question.within, t)
    proof = Known(theorem, rows, why, regions=regions, scales=scales)
    return Calibrated(question.surrogate, loss, (), proof, given, question.within)


def _limits(
    piece: Polyhedron, rows: Rows, scales: tuple[Fraction, ...] | None, part: Region | None, n: int
) -> list[Row]:
    """The rows c with c·p ≥ 0 for the distributions, of a part, whose estimates lie in a piece."""
    weights = scales or (Fraction(1),) * n
    pulled = [_pulled(row, rows, weights) for row in (*piece.inequalities, *piece.equations)]
    both = [tuple(-x for x in row) for row in pulled[len(piece.inequalities) :]]
    simplex = [tuple(int(y == x) for x in range(n)) for y in range(n)]
    return [*(simplex if part is None else part.rows), *pulled, *both]


def _wrong(loss: LossMatrix, t: int, limits: Sequence[Row]) -> tuple[Fraction, ...] | None:
    """A distribution within the limits at which t costs most too much, compared with one other; None if t is optimal.

    Where ℓ_s − ℓ_t, less a multiple of one limit, is nowhere negative, no program need be solved.
    """
    columns, n = loss.matrix.integer_columns(), loss.n
    best: tuple[Fraction, tuple[Fraction, ...]] | None = None
    for s in range(loss.k):
        gain = [b - a for a, b in zip(columns[t], columns[s], strict=True)]
        if min(gain) >= 0 or any(_exceeds(gain, row) for row in limits[n:]):
            continue
        found = maximize([-x for x in gain], [(0, *row) for row in limits], [(-1, *[1] * n)])
        if found is not None and found.value > 0 and (best is None or found.value > best[0]):
            best = (found.value, found.point)
    return None if best is None else best[1]


def _exceeds(gain: Sequence[int], row: Row) -> bool:
    """Whether gain ≥ λ·row for some λ ≥ 0, coordinate by coordinate, where gain is somewhere negative."""
    if any(g < 0 and r >= 0 for g, r in zip(gain, row, strict=True)):
        return False
    least = max(Fraction(g, r) for g, r in zip(gain, row, strict=True) if r < 0)
    return all(g >= least * r for g, r in zip(gain, row, strict=True))


def _inside(loss: LossMatrix, t: int, worst: tuple[Fraction, ...], limits: Sequence[Row]) -> tuple[Fraction, ...]:
    """The worst distribution, moved into the polytope as far as prediction t stays wrong."""
    n = loss.n
    inner = Polyhedron(
        n, tuple((Fraction(0), *map(Fraction, row)) for row in limits), ((Fraction(-1), *[Fraction(1)] * n),)
    ).inner_point
    assert inner is not None
    share = 4
    while True:
        p = tuple(x + (m - x) / share for x, m in zip(worst, inner, strict=True))
        risks = loss.risk(p)
        if risks[t] > min(risks):
            return p
        share *= 4


def _pulled(row: Sequence[Fraction], rows: Rows, weights: Sequence[Fraction]) -> Row:
    """b + a·x as an integer row in p, up to a positive factor, where x is the estimate of p."""
    entries = [(i, x) for i, x in enumerate(row[1:]) if x]
    values = [w * sum((x * a[i] for i, x in entries if a[i]), row[0]) for a, w in zip(rows, weights, strict=True)]
    return tuple(over_common_denominator(values)[0])
