"""The rule for strictly proper composite surrogates, such as softmax cross-entropy.

p·ψ is nearly least only where the probabilities read off u are nearly p (Vernet, Williamson & Reid 2011; for
`lem:surrogate-universal` directly). So for every loss, "decide": argmin_t p(u)·ℓ_t, is calibrated. A pred that is
another function of p(u), such as argmax, is calibrated if and only if t is optimal on the closure of {p : it says t}.
"""

from __future__ import annotations

from fractions import Fraction

from lossmith.calibration.known import Known, Question, Rows, decided_by_regions, probabilities
from lossmith.calibration.verdicts import Calibrated, Verdict
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.preds import argmax, argmax_gap, argmax_threshold, as_pred, rule_named
from lossmith.surrogates.regions import Decide, Pred
from lossmith.surrogates.smooth import ProperComposite

_THEOREM = "proper composite"


def by_proper_composite(question: Question) -> Verdict | str:
    """Decide, or say why this rule does not apply."""
    surrogate, loss, proper = question.surrogate, question.loss, question.surrogate.traits.proper
    if proper is None:
        return "the surrogate is not declared strictly proper composite"
    units: Rows = tuple(tuple(Fraction(int(x == y)) for x in range(loss.n)) for y in range(loss.n))
    why = "It is strictly proper composite: where its risk is nearly least, it tells the probabilities."
    if question.pred is None or question.pred == "decide":
        first = loss.column(0)
        differences = [[a - b for a, b in zip(loss.column(t), first, strict=True)] for t in range(loss.k)]
        affine = tuple((Fraction(0), *difference) for difference in differences)
        decide = Decide(surrogate, affine, "probabilities")
        why = f"{why} Decide by the least expected loss: loss.decide(model, X)."
        proof = Known(_THEOREM, units, why, probabilities(loss.n), affine)
        return Calibrated(surrogate, loss, (), proof, decide if question.pred else None, question.within, decide)
    regions = _on_probabilities(question.pred, question, proper)
    if isinstance(regions, str):
        return regions
    if surrogate.dim == loss.n:
        given: Pred | Decide = as_pred(question.pred, surrogate, loss)
    else:  # argmax of probabilities that are not the scores
        given = Decide(surrogate, tuple((Fraction(0), *(-x for x in row)) for row in units), "probabilities", "argmax")
    known = Known(_THEOREM, units, why, probabilities(loss.n))
    return decided_by_regions(question, known, regions, given, surrogate.minimizer)


def _on_probabilities(pred: object, question: Question, proper: ProperComposite) -> Pred | str:
    """The pred as regions of probabilities, or why it is not known as such."""
    surrogate, loss = question.surrogate, question.loss
    if not isinstance(pred, str):
        made = as_pred(pred, surrogate, loss)
        if surrogate.dim != loss.n or made.regions != argmax(surrogate, loss).regions:
            return "the pred is given by regions of u, and what it says of the probabilities is not known"
        pred = "argmax"
    rule_named(pred)  # refuses what is no name
    name, _, _ = (part.strip() for part in pred.replace("_", "-").partition(":"))
    weights = proper.weights or (Fraction(1),) * loss.n
    scores = _Probabilities(surrogate.name, loss.n)
    if name == "argmax":
        if surrogate.dim == loss.n and not proper.monotone:
            return "the surrogate's scores are not declared to be in the order of the probabilities"
        return _reweighted(argmax(scores, loss), weights)
    if name not in ("argmax-gap", "argmax-threshold"):
        return f"{name} is not known as a function of the probabilities"
    tau = Fraction(rule_named(pred)(scores, loss).name.rpartition("=")[2])
    if name == "argmax-gap":
        if tau or not proper.monotone:
            return f"scores that differ by {tau} are not known to mean anything rational for the probabilities"
        return _renamed(_reweighted(argmax_gap(0)(scores, loss), weights), pred)
    least = proper.threshold(tau) if proper.threshold else None
    if least is None:
        return f"a score of {tau} is not known to mean a rational probability"
    return _renamed(argmax_threshold(least)(scores, loss), pred)


class _Probabilities:
    """One score per label: its probability."""

    def __init__(self, name: str, n: int) -> None:
        self.name, self.n, self.dim = name, n, n


def _reweighted(pred: Pred, weights: tuple[Fraction, ...]) -> Pred:
    """The same rows for scores w_y p_y."""

    def rows(each: tuple[tuple[Fraction, ...], ...]) -> tuple[tuple[Fraction, ...], ...]:
        return tuple((row[0], *(w * x for w, x in zip(weights, row[1:], strict=True))) for row in each)

    regions = tuple(
        tuple(Polyhedron(piece.dim, rows(piece.inequalities), rows(piece.equations)) for piece in region)
        for region in pred.regions
    )
    return Pred(pred.name, pred.dim, regions)


def _renamed(pred: Pred, name: str) -> Pred:
    return Pred(name, pred.dim, pred.regions)
