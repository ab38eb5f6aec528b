"""Surrogates of which a theorem tells where the risk is nearly least: decisions about their estimates are polyhedral.

Each label y has a row a_y, and x = Σ_y p_y a_y is the *estimate* that belongs to p. The theorem says that the risk
tends to the least one if and only if what the surrogate reads off u tends to x. What can be read off lies in a
polyhedron X, and takes all values in its relative interior.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from lossmith.calibration.by_probes import probes
from lossmith.calibration.counterexamples import FEW_LABELS, excess, normalised, optimal
from lossmith.calibration.proofs import better, certificate, cover, reached
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Verdict
from lossmith.calibration.within import Distributions, lies_in
from lossmith.certificates.certificate import Certificate, vector
from lossmith.errors import TooLarge
from lossmith.exact.solve import combinations
from lossmith.exact.vectors import Row, cleared, combined, minus, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polyhedron import Polyhedron, value
from lossmith.geometry.simplex import simplest_near
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.closures import forced, tight
from lossmith.surrogates.pred import AnyPred, Pred

Rows = tuple[tuple[Fraction, ...], ...]
_MOST_LABELS = 12


@dataclass(frozen=True)
class EstimateProof:
    """A proof that rests on a theorem: which one, the rows a_y, and why the loss is (not) decided by the estimate.

    `affine[t]` is (c, x) with ℓ_t − ℓ_0 = c + a_y·x; or `regions` is a tight pred on estimates, right or wrong as
    claimed, wrong at piece `place`. `domain` is X.
    """

    theorem: str  # one that the checker knows
    rows: Rows
    why: str
    domain: Polyhedron
    affine: Rows | None = None
    regions: Pred | None = None
    place: tuple[int, int] | None = None
    scales: tuple[Fraction, ...] | None = None

    def __str__(self) -> str:
        return self.why

    def certificate(self, verdict: Calibrated | NotCalibrated) -> Certificate:
        """The theorem is named; what rests on arithmetic is in the evidence."""
        evidence: dict[str, Any] = {}
        cuts = self.regions is not None and any(piece.rows for _, _, piece in _pieces(self.regions))
        if isinstance(verdict, Calibrated) and cuts and verdict.loss.n > _MOST_LABELS:
            assert self.regions is not None
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
                assert self.regions is not None
                evidence |= reached(verdict, self.regions, self.domain, self.place, u)
        elif self.regions is None:
            assert self.affine is not None
            evidence["affine"] = [vector(row) for row in self.affine]
        else:
            evidence["cover"] = cover(self.regions, self.domain)
        surrogate: dict[str, Any] = {
            "estimates": [vector(row) for row in self.rows],
            "theorem": self.theorem,
            "name": verdict.surrogate.name,
        }
        if self.scales is not None:
            surrogate["weights"] = vector(self.scales)
        if self.theorem == "mean" and self.domain.inequalities:
            surrogate["inequalities"] = [vector(row) for row in self.domain.inequalities]
        if self.theorem == "mean" and self.domain.equations:
            surrogate["equations"] = [vector(row) for row in self.domain.equations]
        return certificate(verdict.status, verdict.loss, surrogate, evidence, self.regions, verdict.within)


def estimate(rows: Rows, p: Sequence[Fraction], scales: tuple[Fraction, ...] | None = None) -> tuple[Fraction, ...]:
    """Σ_y p_y a_y, or with scales Σ_y w_y p_y a_y / Σ_y w_y p_y."""
    q = list(p) if scales is None else [x * w for x, w in zip(p, scales, strict=True)]
    total = sum(q, Fraction(0))
    return tuple(x / total for x in combined(q, rows))


def costs_by_estimates(
    loss: LossMatrix, rows: Rows, scales: Sequence[Fraction] | None, first: int
) -> list[tuple[Fraction, ...] | None]:
    """For each t a (c, b) with ℓ_t − ℓ_first = c + a_y·b for all y, or with scales w_y (c + a_y·b); or None."""
    columns: list[Sequence[Fraction]] = [[Fraction(1)] * loss.n, *zip(*rows, strict=True)]
    numerators = loss.rational.integer_columns()
    differences = [minus(column, numerators[first]) for column in numerators]
    if scales is not None:
        columns = [[w * x for w, x in zip(scales, column, strict=True)] for column in columns]
    return combinations(columns, differences, loss.rational.denominator)


def probabilities(n: int) -> Polyhedron:
    """X = Δ: all distributions."""
    positive = tuple((Fraction(0), *map(Fraction, row)) for row in unit_rows(n))
    return Polyhedron(n, positive, ((Fraction(-1), *[Fraction(1)] * n),))


def cube(size: int) -> Polyhedron:
    """X = [0, 1]^size: numbers that are read off separately."""
    units = unit_rows(size)
    below = [(1, *(-x for x in unit)) for unit in units]
    return Polyhedron(size, tuple(tuple(map(Fraction, row)) for row in (*((0, *unit) for unit in units), *below)))


def compares_two(row: Sequence[Fraction]) -> bool:
    """Whether the row b + a·x is a multiple of x_i − x_j.

    >>> compares_two((0, 2, 0, -2)), compares_two((1, 2, 0, -2)), compares_two((0, 1, 0, -2))
    (True, False, False)
    """
    entries = [x for x in row[1:] if x]
    return not row[0] and len(entries) == 2 and not sum(entries)


def decided_by_regions(
    question: Question,
    known: EstimateProof,
    regions: Pred,
    asked: AnyPred,
    reached: Callable[[Sequence[Fraction]], tuple[Fraction | float, ...]],
) -> Verdict | Declined:
    """Whether a pred on estimates is right: calibrated if and only if t is optimal wherever the closure of its part is.

    The part R_t of X is where pred says t, after ties are broken. ⇐: where the risk tends to the least one the
    estimates tend to that of p, which therefore lies in cl R_t for whatever t is predicted infinitely often. ⇒:
    estimates in R_t tend to that of p. The distributions with estimates in a piece are a polytope, on which a linear
    program compares t with every other. `reached(p)` is a u that is (nearly) optimal at p, for print; `asked` is the
    pred that was asked about. Whether estimates on the edge of X are ever read off is not known: where that matters,
    the answer is why nothing is decided.
    """
    quick = _probed(question, known, regions, asked, reached)
    if quick is not None:
        return quick
    said, loss = tight(regions, known.domain), question.loss
    proof = replace(known, regions=said)
    wrong = None
    for wrong in wrong_places(question, known, said):
        if _inside_domain(known.domain, said.regions[wrong[0]][wrong[1]]):
            break
    if wrong is None:
        ties = _spoiled_by_ties(question, known, regions, said)
        return Calibrated(question.surrogate, loss, (), proof, asked, question.within, ties=ties)
    t, i, worst, limits = wrong
    if not _inside_domain(known.domain, said.regions[t][i]):
        return Declined(
            f"{regions.name} says {loss.predictions[t]} only for estimates at the edge of what can be read off"
        )
    p = _inside(loss, t, worst, limits)
    own = next(wrong_places(question, known, forced(regions, known.domain)), None)
    ties = _RESTS if own is None else ""
    return NotCalibrated(
        question.surrogate, loss, reached(p), (p,), replace(proof, place=(t, i)), asked, question.within, t, ties
    )


def _probed(
    question: Question,
    known: EstimateProof,
    regions: Pred,
    asked: AnyPred,
    reached: Callable[[Sequence[Fraction]], tuple[Fraction | float, ...]],
) -> NotCalibrated | None:
    """A counterexample beside a wall between cells of the loss, inside the part where the pred says one thing alone.

    Where there are few labels all pieces are soon compared, and the worst p is found.
    """
    columns, loss = question.facts.columns, question.loss
    if loss.n <= FEW_LABELS:
        return None

    def wrong(p: Row) -> tuple[int, int] | None:
        """The prediction and the number of the piece in whose interior the estimate of p lies, if it is not optimal."""
        if not lies_in(question.within, p):
            return None
        x = estimate(known.rows, normalised(p), known.scales)
        held = [(t, i, piece) for t, i, piece in _pieces(regions) if piece.contains(x)]
        if len(held) != 1 or held[0][2].equations or optimal(columns, p) >> held[0][0] & 1:
            return None
        return held[0][:2] if all(value(row, x) > 0 for row in held[0][2].inequalities) else None

    for p in probes(question):
        place = wrong(p)
        if place is not None:
            t, cost = place[0], excess(columns, p)
            shown = simplest_near(p, lambda q: 2 * excess(columns, q) >= cost and wrong(q) == place)  # noqa: B023
            chosen, proof = normalised(shown), replace(known, regions=regions, place=place)
            return NotCalibrated(question.surrogate, loss, reached(chosen), (chosen,), proof, asked, question.within, t)
    return None


def _pieces(pred: Pred) -> Iterator[tuple[int, int, Polyhedron]]:
    return ((t, i, piece) for t, region in enumerate(pred.regions) for i, piece in enumerate(region))


def _spoiled_by_ties(question: Question, known: EstimateProof, regions: Pred, said: Pred) -> str:
    """What to say of a calibrated pair if it would not be with ties broken otherwise."""
    changed = tuple(
        tuple(piece for piece in region if piece not in kept)
        for region, kept in zip(regions.regions, said.regions, strict=True)
    )
    spoiled = next(wrong_places(question, known, replace(regions, regions=changed)), None)
    return "" if spoiled is None else _SPOILED.format(question.loss.predictions[spoiled[0]], question.loss.name)


_RESTS = "This rests on how ties are broken: where several regions contain u, other choices may be calibrated."
_SPOILED = "This rests on how ties are broken: {} instead, where several regions meet, would not be optimal for {}."


def wrong_places(
    question: Question, known: EstimateProof, pred: Pred
) -> Iterator[tuple[int, int, tuple[Fraction, ...], list[Row]]]:
    """Pieces, by prediction and number, with a distribution at which the prediction is wrong, and what limits it."""
    for t, region in enumerate(pred.regions):
        for i, piece in enumerate(region):
            for part in question.within or (None,):
                limits = _limits(piece, known.rows, known.scales, part, question.loss.n)
                worst = _wrong(question.loss, t, limits)
                if worst is not None:
                    yield t, i, worst, limits


def _inside_domain(domain: Polyhedron, piece: Polyhedron) -> bool:
    """Whether the piece meets the relative interior of the domain."""
    inner = domain.meet(piece).inner_point
    assert inner is not None
    return all(value(row, inner) > 0 for row in domain.inequalities)


def _limits(
    piece: Polyhedron, rows: Rows, scales: tuple[Fraction, ...] | None, part: Distributions | None, n: int
) -> list[Row]:
    """The rows c with c·p ≥ 0 for the distributions, of a part, whose estimates lie in a piece."""
    weights = scales or (Fraction(1),) * n
    pulled = [_pulled(row, rows, weights) for row in piece.rows]
    both = [tuple(-x for x in row) for row in pulled[len(piece.inequalities) :]]
    return [*(unit_rows(n) if part is None else part.rows), *pulled, *both]


def _wrong(loss: LossMatrix, t: int, limits: Sequence[Row]) -> tuple[Fraction, ...] | None:
    """A distribution within the limits at which t costs most too much, compared with one other; None if t is optimal.

    Where ℓ_s − ℓ_t, less a multiple of one limit, is nowhere negative, no program need be solved.
    """
    columns, n = loss.rational.integer_columns(), loss.n
    best: tuple[Fraction, tuple[Fraction, ...]] | None = None
    for s in range(loss.k):
        gain = minus(columns[s], columns[t])
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
    return cleared(values)
