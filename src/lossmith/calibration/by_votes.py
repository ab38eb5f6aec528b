"""The rule for votes: a score for each pair of predictions, and whichever wins most pairs is predicted.

Of k predictions votes have 2^(k(k−1)/2) regions, which nobody enumerates beyond five. One look at every pair is enough:

**Theorem.** *Let ψ have a score u_c for each pair c = (i, j), i < j, and let rows a_y be such that for every p, with
x = Σ_y p_y a_y, the risk p·ψ over the u with u_c ≤ 0 stays above the least one where x_c > 0, and over those with
u_c ≥ 0 where x_c < 0. If for every c the a_yc are a positive multiple of ℓ_j − ℓ_i, or ℓ_i = ℓ_j, votes are calibrated
for L, however ties are broken.* *Proof.* Let p·ψ(u_m) tend to the least risk, T be the optimal predictions at p, i ∈ T
and j ∉ T. x_c has the sign of p·(ℓ_j − ℓ_i) > 0 (the other one, if j < i), so that for large m i has the vote against
j. So i has at least k − |T| votes, those against predictions that are not in T, which have at most k − |T| − 1. ∎

The rows are declared for smooth surrogates (`traits.Order`, "signs"). A polyhedral ψ on R^d whose maxima depend on one
score each is a sum of convex functions of single scores; if these are differentiable at 0, a_yc = −∂ψ_y/∂u_c(0) do:
where x_c > 0 the part of p·ψ with u_c falls at 0, and for u_c ≤ 0 it is at least what it is at 0.

Otherwise votes may be wrong, and are shown to be at a p where no x_c vanishes, so that all nearly optimal u have the
signs of x, and a prediction that is not optimal wins. Such a p is looked for near walls between cells of the loss; if
none is found, nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from lossmith.analysis.risk_minimizer import Minimum, RiskMinimizer
from lossmith.calibration.by_probes import probes
from lossmith.calibration.counterexamples import excess, normalised, optimal
from lossmith.calibration.estimates import estimate
from lossmith.calibration.proofs import certificate, polyhedral, weighted
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Verdict
from lossmith.certificates.certificate import Certificate, vector
from lossmith.exact.vectors import Row, minus
from lossmith.geometry.simplex import simplest_near
from lossmith.surrogates import preds
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.votes import Votes

FEWEST = 5  # predictions, from which votes are counted: fewer have at most 64 regions
_MANY = 6  # from which votes answer for some pred: the cells of 15 scores and more are many
_CLOSE = 1000  # times as much weight as on a distribution without ties
Rows = tuple[tuple[Fraction, ...], ...]


def by_votes(question: Question) -> Verdict | Declined:
    """Decide for votes of many predictions, or say why this rule does not apply."""
    surrogate, loss = question.surrogate, question.loss
    votes = Votes(loss.k)
    asked = question.pred is not None
    if asked and question.rule is not preds.votes:
        return Declined()
    if question.within is not None or loss.k < (FEWEST if asked else _MANY) or surrogate.dim != votes.dim:
        return Declined()
    rows = signs_told(surrogate)
    if rows is None:
        return Declined("the sign of a score is not known to tell which of two decisions costs less")
    if all(_tells(rows, c, loss.column(i), loss.column(j)) for c, (i, j) in enumerate(combinations(range(loss.k), 2))):
        proof = VotesProof(rows)
        return Calibrated(surrogate, loss, (), proof, votes if asked else None, found_pred=votes)
    if not asked:
        return Declined("scores do not tell of every two decisions which one costs less")
    return _refuted(question, votes, rows) or Declined("no distribution was found at which votes are wrong")


def signs_told(surrogate: object) -> Rows | None:
    """Rows a_y such that the scores have the signs of their means where the risk is nearly least; None if not known.

    >>> from lossmith.surrogates import one_vs_one_hinge
    >>> [[str(x) for x in row] for row in signs_told(one_vs_one_hinge(3))]
    [['1', '1', '0'], ['-1', '0', '1'], ['0', '-1', '-1']]
    """
    if isinstance(surrogate, SmoothSurrogate):
        order = surrogate.traits.order
        return order.rows if order is not None and order.kind == "signs" else None
    if not isinstance(surrogate, PolyhedralSurrogate) or surrogate.domain.rows:
        return None
    found = []
    for maxima in surrogate.terms:
        row = [Fraction(0)] * surrogate.dim
        for pieces in maxima:
            used = {c for piece in pieces for c, x in enumerate(piece[1:]) if x}
            largest = max(piece[0] for piece in pieces)
            slopes = {piece[1:] for piece in pieces if piece[0] == largest}
            if len(used) > 1 or len(slopes) > 1:
                return None
            for c in used:
                row[c] -= next(iter(slopes))[c]
                if not min(piece[c + 1] for piece in pieces) <= 0 <= max(piece[c + 1] for piece in pieces):
                    return None  # it falls without end, and only another stops it: the checker does not go into that
        found.append(tuple(row))
    return tuple(found)


def _tells(rows: Rows, c: int, first: Sequence[Fraction], second: Sequence[Fraction]) -> bool:
    """Whether the a_yc are a positive multiple of what the second prediction costs more than the first."""
    more = minus(second, first)
    ratios = {row[c] / cost if cost else None for row, cost in zip(rows, more, strict=True) if cost or row[c]}
    return not any(more) or (len(ratios) == 1 and all(ratio is not None and ratio > 0 for ratio in ratios))


def _refuted(question: Question, votes: Votes, rows: Rows) -> NotCalibrated | None:
    """A distribution at which votes are won by a prediction that is not optimal."""
    surrogate, columns = question.surrogate, question.facts.columns

    def wrong(p: Row) -> int | None:
        """The prediction that wins, if it is not optimal, wherever the risk is nearly least: no mean vanishes."""
        x = estimate(rows, normalised(p))
        t = votes(x)
        return t if all(x) and not optimal(columns, p) >> t & 1 else None

    for probe in probes(question):
        for p in _near(probe):
            won = wrong(p)
            if won is not None:
                cost = excess(columns, p)
                shown = simplest_near(p, lambda q: 2 * excess(columns, q) >= cost and wrong(q) == won)  # noqa: B023
                proof, at = VotesProof(rows, shown), normalised(shown)
                u = surrogate.minimizer(at) if isinstance(surrogate, SmoothSurrogate) else _optimum(surrogate, shown).u
                return NotCalibrated(surrogate, question.loss, u, (at,), proof, votes, prediction=won)
    return None


def _near(p: Row) -> Iterator[Row]:
    """The distribution, and one beside it that has no impossible labels."""
    yield p
    yield tuple(_CLOSE * x + (y + 1) for y, x in enumerate(p))


def _optimum(surrogate: PolyhedralSurrogate, p: Row) -> Minimum:
    return RiskMinimizer(surrogate).at(p)


@dataclass(frozen=True)
class VotesProof:
    """The rows a_y that tell signs, and the p at which votes are wrong, if they are."""

    theorem: ClassVar[str] = "signs"
    rows: Rows
    p: Row | None = None

    def __str__(self) -> str:
        return (
            "Where its risk is nearly least, each score tells which of two decisions costs less: what costs least wins "
            "against all that costs more, and so has more votes."
        )

    def certificate(self, verdict: Calibrated | NotCalibrated) -> Certificate:
        """That every score tells what it should, the checker sees by itself; of a refutation, where votes are wrong."""
        psi, evidence = verdict.surrogate, dict[str, Any]()
        surrogate: dict[str, Any] = {
            "estimates": [vector(row) for row in self.rows],
            "theorem": "signs",
            "name": psi.name,
        }
        if self.p is not None:
            p = normalised(self.p)
            evidence = {"u": vector(estimate(self.rows, p)), "points": [{"p": vector(p)}]}
            evidence["better"] = verdict.loss.optimal_predictions(p)[0]
        if isinstance(psi, PolyhedralSurrogate):
            surrogate = polyhedral(psi)
            if self.p is not None:
                best = _optimum(psi, self.p)
                evidence |= {"u": vector(best.u), "points": [weighted(psi, self.p, best.weights)]}
        return certificate(verdict.status, verdict.loss, surrogate, evidence, Votes(verdict.loss.k), None)
