"""The rule for mean surrogates: p·ψ is minimised exactly at u = Σ_y p_y a_y, as for ‖u − a_y‖².

**Calibrated for some pred if and only if every difference ℓ_t − ℓ_s of kept columns lies in span(columns of A, 1).**
⇐: p·(ℓ_t − ℓ_s) is then affine in Aᵀp, and the excess risk is bounded away from 0 for u away from Aᵀp. ⇒: at a point p
inside the facet between neighbouring Q_s and Q_t, a v with vᵀA = 0, v·1 = 0 and v·(ℓ_t − ℓ_s) ≠ 0 moves within
N(ψ(u)) = {p : Aᵀp = u} from inside Q_s to inside Q_t, against `thm:condition-necessary`; and neighbours connect all
kept columns. Where a label has the weight 0, nothing is told of how likely it is. With a given pred, regions of u are
regions of the estimate Aᵀp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations as pairs
from itertools import permutations

from lossmith.analysis.winning import kind_of_pair
from lossmith.calibration.estimates import (
    EstimateProof,
    compares_two,
    costs_by_estimates,
    cube,
    decided_by_regions,
    estimate,
)
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Verdict
from lossmith.exact.solve import annihilator
from lossmith.exact.vectors import minus, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import preds
from lossmith.surrogates.pred import Decide, Pred
from lossmith.surrogates.smooth import Reading, SmoothSurrogate
from lossmith.surrogates.squares import are_squares

_WHY = "Its risk is nearly least only where it tells the mean of the a_y, weighted by the labels' probabilities."


def by_mean(question: Question) -> Verdict | Declined:
    """Decide, or say why this rule does not apply."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate):
        return Declined()
    if surrogate.traits.mean is None:
        return Declined("the surrogate is not declared to be minimised at a mean Σ p_y a_y")
    rows, scales = surrogate.traits.mean, surrogate.traits.scales
    theorem = "squares" if are_squares(surrogate, rows, scales) else "mean"
    proof = EstimateProof(theorem, rows, _WHY, _domain(surrogate), scales=scales)
    if question.pred is None or question.rule is preds.decide:
        return _by_costs(question, surrogate, proof)
    if question.rule is preds.argmax and surrogate.traits.proper is not None:
        return Declined("argmax of the probabilities is for the rule of proper composites")
    pred = question.regions
    assert pred is not None
    reading = surrogate.traits.reading
    regions = pred if reading is None else _on_means(pred, reading)
    if regions is None:
        return Declined(f"{pred.name} is not known as a function of the means")
    return decided_by_regions(question, proof, regions, pred, partial(_optimal, surrogate, proof))


def _by_costs(question: Question, surrogate: SmoothSurrogate, proof: EstimateProof) -> Verdict | Declined:
    """Whether the mean tells the costs of the kept predictions, up to what they have in common."""
    loss, kept = question.loss, question.facts.kept
    columns: list[Sequence[Fraction]] = [[Fraction(1)] * loss.n, *zip(*proof.rows, strict=True)]
    affine = costs_by_estimates(loss, proof.rows, proof.scales, kept[0])
    used = set(kept)
    decide = Decide(surrogate, tuple([x if t in used else None for t, x in enumerate(affine)]), "means")
    if all(affine[t] is not None for t in kept):
        return _calibrated(question, proof, kept, affine, decide)
    if question.within is not None:
        return Declined(
            "the estimate does not decide the loss on all distributions, and on a part of them the rule is silent"
        )
    if proof.scales is not None and not all(proof.scales):
        return _with_nothing_known(question, surrogate, proof, decide)
    if proof.scales is not None:  # w_y ψ_y at p is ψ_y at the normalised w∘p, and so is the loss with rows divided by w
        loss = loss.scale_rows([1 / w for w in proof.scales])
    apart: set[object] = set()  # kinds of pairs that are no neighbours, which depends on no scale of the rows
    for s, t in pairs(kept, 2):
        kind = kind_of_pair(question.facts, s, t)
        v = None if kind in apart else annihilator(columns, minus(loss.column(t), loss.column(s)))
        if v is not None:
            p = _between(loss, s, t, kept)
            if p is not None:
                return _not_calibrated(question, surrogate, proof, p, v, decide)
            apart.add(kind)
    raise AssertionError("kept columns that differ outside the span have neighbours that do")


def _with_nothing_known(
    question: Question, surrogate: SmoothSurrogate, proof: EstimateProof, decide: Decide
) -> Verdict | Declined:
    """A label y, and one of weight 0 or rarely y: the estimate is a_y for both; what is best may differ."""
    loss, scales = question.loss, proof.scales or ()
    units = tuple(tuple(map(Fraction, row)) for row in unit_rows(loss.n))
    for y, z in permutations(range(loss.n), 2):
        apart = not {*loss.optimal_predictions(units[y])} & {*loss.optimal_predictions(units[z])}
        if scales[y] and not scales[z] and apart:
            rarely = Fraction(1, 4)
            while True:
                p = tuple(rarely * a + (1 - rarely) * b for a, b in zip(units[y], units[z], strict=True))
                if not {*loss.optimal_predictions(units[y])} & {*loss.optimal_predictions(p)}:
                    break
                rarely /= 4
            u, asked = _optimal(surrogate, proof, units[y]), None if question.pred is None else decide
            return NotCalibrated(surrogate, loss, u, (units[y], p), proof, asked)
    return Declined("the estimate does not decide the loss, and of some labels it knows nothing")


def _calibrated(
    question: Question,
    proof: EstimateProof,
    kept: Sequence[int],
    affine: Sequence[tuple[Fraction, ...] | None],
    decide: Decide,
) -> Verdict:
    surrogate, loss = question.surrogate, question.loss
    known = tuple([each for each in affine if each is not None])
    if len(known) == loss.k:
        relative = known if kept[0] == 0 else tuple(minus(each, known[0]) for each in known)
        proof = replace(proof, why=f"{_WHY} It tells what each decision costs.", affine=relative)
    else:
        regions: list[tuple[Polyhedron, ...]] = [()] * loss.k
        for t in kept:
            others = [affine[s] or () for s in kept if s != t]
            lower = [minus(other, affine[t] or ()) for other in others]
            regions[t] = (Polyhedron(surrogate.dim, tuple(lower)),)
        pred = Pred(decide.name, surrogate.dim, tuple(regions))
        proof = replace(proof, why=f"{_WHY} It tells which decision is best.", regions=pred)
    asked = None if question.pred is None else decide
    return Calibrated(surrogate, loss, (), proof, asked, question.within, decide)


def _optimal(surrogate: SmoothSurrogate, proof: EstimateProof, p: Sequence[Fraction]) -> tuple[Fraction | float, ...]:
    if surrogate.traits.reading is not None:
        return surrogate.minimizer(p)
    return estimate(proof.rows, p, proof.scales)


def _on_means(pred: Pred, reading: Reading) -> Pred | None:
    """A pred that looks only at what the reading keeps, as regions of the means: scores against τ, or their order."""
    regions = []
    for region in pred.regions:
        pieces = []
        for piece in region:
            moved = [_on_mean(row, reading) for row in piece.rows]
            kept = tuple([row for row in moved if row is not None])
            if len(kept) < len(moved):
                return None
            size = len(piece.inequalities)
            pieces.append(Polyhedron(piece.dim, kept[:size], kept[size:]))
        regions.append(tuple(pieces))
    return replace(pred, regions=tuple(regions))


def _on_mean(row: tuple[Fraction, ...], reading: Reading) -> tuple[Fraction, ...] | None:
    """u_i ≥ τ as mean i ≥ q, and u_i ≥ u_j as mean i ≥ mean j, where that is what is read off; else None."""
    entries = [x for x in row[1:] if x]
    if reading.threshold is not None and len(entries) == 1:
        q = reading.threshold(-row[0] / entries[0])
        return None if q is None else (-entries[0] * q, *row[1:])
    return row if reading.ordered and compares_two(row) else None


def _domain(surrogate: SmoothSurrogate) -> Polyhedron:
    """What can be read off u: u itself, so anything; or what the reading says."""
    reading = surrogate.traits.reading
    return Polyhedron(surrogate.dim) if reading is None else reading.domain or cube(surrogate.dim)


def _between(loss: LossMatrix, s: int, t: int, kept: Sequence[int]) -> tuple[Fraction, ...] | None:
    """A distribution p > 0 at which of the kept predictions s and t alone are optimal; None if there is none."""
    columns = loss.rational.integer_columns()
    n = loss.n
    apart = [(0, *minus(columns[r], columns[s]), -1) for r in kept if r not in (s, t)]
    positive = [(0, *row, -1) for row in unit_rows(n)]
    equal = (0, *minus(columns[t], columns[s]), 0)
    best = maximize([0] * n + [1], [*apart, *positive], [equal, (-1, *[1] * n, 0)])
    return best.point[:n] if best is not None and best.value > 0 else None


def _not_calibrated(
    question: Question,
    surrogate: SmoothSurrogate,
    proof: EstimateProof,
    p: Sequence[Fraction],
    v: Sequence[int],
    decide: Decide,
) -> NotCalibrated:
    """Two distributions p ± εv with the same estimate and no optimal prediction in common."""
    loss = question.loss
    scales = proof.scales or (Fraction(1),) * loss.n
    step = min(x / abs(d) for x, d in zip(p, v, strict=True) if d) / 2
    while True:
        moved = [[x + sign * step * d for x, d in zip(p, v, strict=True)] for sign in (1, -1)]
        pair = tuple(_divided(each, scales) for each in moved)
        if not set(loss.optimal_predictions(pair[0])) & set(loss.optimal_predictions(pair[1])):
            break
        step /= 2
    u = _optimal(surrogate, proof, pair[0])
    return NotCalibrated(surrogate, loss, u, pair, proof, None if question.pred is None else decide)


def _divided(p: Sequence[Fraction], scales: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The distribution proportional to p_y / w_y."""
    parts = [x / w for x, w in zip(p, scales, strict=True)]
    return tuple(x / sum(parts) for x in parts)
