"""The rule for surrogates of which only the order, the signs or the largest of the scores is known to tell something.

Such a surrogate is declared (`traits.Order`): where p·ψ is nearly least, scores compare as the means x = Σ_y p_y a_y
do. So a pred that makes just these comparisons is calibrated if t is optimal at every p whose x satisfies the rows of a
piece of t; and it is not if t is not optimal at some p where x satisfies all rows strictly, because nearly optimal u
are compared alike; such p are looked for near those that are found. What the scores mean beyond that is not known, so
other questions are declined. The theorems that stand behind the declarations, with proofs:
docs/beyond-the-paper.md. Strictly proper composite surrogates that are monotone tell the order, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from lossmith.calibration.counterexamples import normalised
from lossmith.calibration.estimates import EstimateProof, compares_two, decided_by_regions, estimate
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Verdict
from lossmith.calibration.within import lies_in
from lossmith.errors import BadInput
from lossmith.exact.vectors import cleared
from lossmith.geometry.polyhedron import Polyhedron, value
from lossmith.geometry.simplex import simplest_near
from lossmith.surrogates import preds
from lossmith.surrogates.pred import Pred, fitting
from lossmith.surrogates.smooth import Order, SmoothSurrogate

_MOST = 1_150  # comparisons in all regions: beyond, making a certificate or checking it takes minutes
_STEPS = 20  # towards a distribution without its ties
_WHY = {
    "order": "Where its risk is nearly least, the scores are in the order of the {}.",
    "signs": "Where its risk is nearly least, the scores have the signs of the {}.",
    "largest": "Where its risk is nearly least, the largest score belongs to the largest of the {}.",
    "smallest": "Where its risk is nearly least, the smallest score belongs to the smallest of the {}.",
    "first": "Where its risk is nearly least, the {count} largest scores belong to the {count} largest of the {}.",
}


def by_order(question: Question) -> Verdict | Declined:
    """Decide, or say why this rule does not apply."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate):
        return Declined()
    order = surrogate.traits.order or _of_probabilities(surrogate)
    if order is None:
        return Declined("the surrogate is not declared to order its scores as probabilities")
    if question.rule is preds.decide:
        return Declined("the scores tell an order, and no probabilities")
    if question.pred is not None:
        asked = question.regions
        assert asked is not None
        return _decided(question, surrogate, order, asked)
    for pred in _customary(question, surrogate, order):
        found = _decided(question, surrogate, order, pred)
        if isinstance(found, Calibrated):
            return replace(found, asked=None, found_pred=pred)
    return Declined("no prediction is known to be right wherever the scores compare alike")


def _decided(question: Question, surrogate: SmoothSurrogate, order: Order, pred: Pred) -> Verdict | Declined:
    if not all(_is_told(piece, order) for region in pred.regions for piece in region):
        return Declined(f"{pred.name} compares scores otherwise than they are known to tell something")
    comparisons = sum(len(piece.rows) for region in pred.regions for piece in region)
    if comparisons > _MOST and len(pred.regions) > surrogate.dim:
        return Declined(
            f"{pred.name} makes {comparisons:,} comparisons of scores, more than {_MOST:,} to prove in passing"
        )
    means = "means of the a_y"
    if all(sum(map(bool, row)) == 1 for row in order.rows):
        means = "probabilities" if len({max(row) for row in order.rows}) == 1 else "weighted probabilities"
    return decided_by_order(question, surrogate, order, pred, pred, _WHY[order.kind].format(means, count=order.count))


def decided_by_order(
    question: Question, surrogate: SmoothSurrogate, order: Order, pred: Pred, asked: Pred, why: str
) -> Verdict | Declined:
    """Whether a pred is right that makes just the comparisons of which the order tells something.

    `asked` is the same pred as it was asked about, perhaps of other scores.
    """
    proof = EstimateProof(order.theorem, order.rows, why, Polyhedron(order.dim))
    found = decided_by_regions(question, proof, pred, asked, surrogate.minimizer)
    if not isinstance(found, NotCalibrated):
        return found
    p = next((p for p in _near(found.distributions[0]) if _is_wrong(question, found, order, p)), None)
    refuted = found
    if p is None:
        return Declined(f"{pred.name} may be wrong where scores tie, and there the order tells nothing")
    if p != found.distributions[0]:
        p = normalised(simplest_near(cleared(p), lambda q: _is_wrong(question, refuted, order, normalised(q))))
        found = replace(found, distributions=(p,), u=surrogate.minimizer(p))
    return found


def _of_probabilities(surrogate: SmoothSurrogate) -> Order | None:
    """That of the probabilities, times their weights, if the scores are in it: where u_j ≥ u_i, q_i > q_j is not read.

    So if u_m with such scores have a risk that tends to the least one, what is read off them tends to p: p_i w_i is at
    most p_j w_j.
    """
    proper, n = surrogate.traits.proper, surrogate.n
    if proper is None or not proper.monotone:
        return None
    weights = proper.weights or (Fraction(1),) * n
    return Order("order", tuple(tuple(w * (i == y) for i in range(n)) for y, w in enumerate(weights)))


def _near(p: tuple[Fraction, ...]) -> Iterator[tuple[Fraction, ...]]:
    """The distribution, and others ever nearer to it with other ties."""
    yield p
    powers = [Fraction(2**y, 2 ** len(p) - 1) for y in range(len(p))]
    for share in (Fraction(1, 4**i) for i in range(2, 2 + _STEPS)):
        for other in (powers, powers[::-1]):
            yield tuple(x + (z - x) * share for x, z in zip(p, other, strict=True))


def _is_wrong(question: Question, found: NotCalibrated, order: Order, p: tuple[Fraction, ...]) -> bool:
    """Whether p refutes, too: its means lie in the same piece, they satisfy no row of a region with equality."""
    proof = found.proof
    assert isinstance(proof, EstimateProof)
    assert proof.regions is not None
    assert proof.place is not None
    t, i = proof.place
    x = estimate(order.rows, p)
    strict = all(value(row, x) for region in proof.regions.regions for piece in region for row in piece.rows)
    inside = strict and proof.regions.regions[t][i].contains(x) and lies_in(question.within, cleared(p))
    return inside and t not in question.loss.optimal_predictions(p)


def _is_told(piece: Polyhedron, order: Order) -> bool:
    """Whether the rows of a piece make only comparisons of which the order tells something."""
    rows = piece.rows
    if order.kind == "signs":
        return all(not row[0] and sum(map(bool, row[1:])) == 1 for row in rows)
    if not rows or not all(map(compares_two, rows)):
        return order.kind == "order" and not rows
    if order.kind == "order":
        return True
    k = {"largest": 1, "smallest": order.dim - 1}.get(order.kind, order.count)
    pairs = {tuple(next(i for i, x in enumerate(row) if x * sign > 0) for sign in (1, -1)) for row in rows}
    first, last = (len({*each}) for each in zip(*pairs, strict=True))
    return not piece.equations and (first, last, len(pairs)) == (k, order.dim - k, k * (order.dim - k))


def _customary(question: Question, surrogate: SmoothSurrogate, order: Order) -> Iterator[Pred]:
    """Preds to try where none is asked about: t where scores fall as its losses rise; and what the family names."""
    loss = question.loss
    made = []
    if order.kind != "signs" and surrogate.dim == loss.n:
        made.append(Pred("order", loss.n, tuple((_falling(column),) for column in zip(*loss.entries, strict=True))))
    names = () if surrogate.made_by is None else surrogate.made_by.preds
    for name in names:
        with suppress(BadInput):
            made.append(preds.rule_named(name)(surrogate, loss))
    for pred in made:
        if all(_is_told(piece, order) for region in pred.regions for piece in region):
            with suppress(BadInput):
                yield fitting(pred, surrogate, loss)


def _falling(column: tuple[Fraction, ...]) -> Polyhedron:
    """The u with u_i ≥ u_j wherever label i costs less than label j."""
    n = len(column)
    pairs = [(i, j) for i in range(n) for j in range(n) if column[i] < column[j]]
    rows = [tuple(Fraction((place == i + 1) - (place == j + 1)) for place in range(n + 1)) for i, j in pairs]
    return Polyhedron(n, tuple(rows))
