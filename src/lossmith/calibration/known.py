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

from lossmith.calibration.by_positive_normals import mean, towards
from lossmith.calibration.proofs import better, certificate
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Verdict
from lossmith.calibration.within import Region
from lossmith.certificates.certificate import Certificate, vector
from lossmith.exact.rational import over_common_denominator
from lossmith.geometry.double_description import Row, extreme_rays
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.preds import Pred
from lossmith.surrogates.smooth import SmoothSurrogate

Rows = tuple[tuple[Fraction, ...], ...]


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

    def __str__(self) -> str:
        return self.why

    def certificate(self, verdict: Calibrated | NotCalibrated) -> Certificate:
        """The theorem is named; what rests on arithmetic is in the evidence."""
        evidence: dict[str, Any] = {}
        if isinstance(verdict, NotCalibrated):
            points = [{"p": vector(p)} for p in verdict.distributions]
            evidence = {"u": vector(estimate(self.rows, verdict.distributions[0])), "points": points}
            if self.place is None:
                evidence["better"] = better(verdict)
            else:
                best = verdict.loss.optimal_predictions(verdict.distributions[0])[0]
                evidence |= {"prediction": self.place[0], "piece": self.place[1], "better": best}
        elif self.regions is None:
            assert self.affine is not None
            evidence["affine"] = [vector(row) for row in self.affine]
        surrogate = {
            "estimates": [vector(row) for row in self.rows],
            "theorem": self.theorem,
            "name": verdict.surrogate.name,
        }
        return certificate(verdict.status, verdict.loss, surrogate, evidence, self.regions, verdict.within)


def estimate(rows: Rows, p: Sequence[Fraction | int]) -> tuple[Fraction, ...]:
    """Σ_y p_y a_y."""
    return tuple(sum(map(mul, p, column), Fraction(0)) for column in zip(*rows, strict=True))


def decided_by_regions(
    question: Question,
    theorem: str,
    rows: Rows,
    regions: Pred,
    why: str,
    given: Any,
    reached: Callable[[Sequence[Fraction]], tuple[Fraction | float, ...]],
) -> Verdict:
    """Whether a pred on estimates is right: calibrated if and only if t is optimal wherever the closed region of t is.

    ⇐: where the risk tends to the least one the estimates tend to that of p, which therefore lies in the closed region
    of whatever is predicted infinitely often. ⇒: estimates in the region of t tend to that of p. The distributions with
    estimates in a piece are a polytope, and Q_t is convex, so its vertices decide. `reached(p)` is a u that is (nearly)
    optimal at p, for print; `given` is the pred that was asked about.
    """
    loss, columns = question.loss, question.loss.matrix.integer_columns()
    simplex = [tuple(int(y == x) for x in range(loss.n)) for y in range(loss.n)]
    for t, region in enumerate(regions.regions):
        for i, piece in enumerate(region):
            pulled = [_pulled(row, rows) for row in (*piece.inequalities, *piece.equations)]
            pulled += [tuple(-x for x in row) for row in pulled[len(piece.inequalities) :]]
            for part in question.within or (None,):
                points = extreme_rays([*(simplex if part is None else part.rows), *pulled])
                costs = [[sum(map(mul, p, column)) for column in columns] for p in points]
                excess = [Fraction(each[t] - min(each), sum(p)) for p, each in zip(points, costs, strict=True)]
                if not any(excess):
                    continue
                p = _inside(loss, t, points[excess.index(max(excess))], mean(points))
                proof = Known(theorem, rows, why, regions=regions, place=(t, i))
                return NotCalibrated(question.surrogate, loss, reached(p), (p,), proof, given, question.within, t)
    proof = Known(theorem, rows, why, regions=regions)
    return Calibrated(question.surrogate, loss, (), proof, given, question.within)


def _inside(loss: LossMatrix, t: int, worst: Row, middle: Row) -> tuple[Fraction, ...]:
    """The worst vertex, moved into the polytope as far as prediction t stays wrong."""
    share = 4
    while True:
        moved = towards(worst, middle, share)
        p = tuple(Fraction(x, sum(moved)) for x in moved)
        risks = loss.risk(p)
        if risks[t] > min(risks):
            return p
        share *= 4


def _pulled(row: Sequence[Fraction], rows: Rows) -> Row:
    """b + a·x as an integer row in p, where x is the estimate of p."""
    values = [row[0] + sum(map(mul, row[1:], a), Fraction(0)) for a in rows]
    return tuple(over_common_denominator(values)[0])
