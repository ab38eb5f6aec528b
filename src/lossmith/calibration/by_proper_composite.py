"""The rule for strictly proper composite surrogates, such as softmax cross-entropy.

p·ψ is nearly least only where the probabilities read off u are nearly p (Vernet, Williamson & Reid 2011; for
`lem:surrogate-universal` directly). So for every loss, "decide": argmin_t p(u)·ℓ_t, is calibrated. A pred that is
another function of p(u), such as argmax, is calibrated if and only if t is optimal at every p in the closure of
{p(u) : it says t}: a part of Δ, or, where each probability is read off its own score, of the cube. Where p(u) tells p
only at optimal u (`converse`), "decide" alone is known to be right.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from lossmith.calibration.estimates import EstimateProof, Rows, cube, decided_by_regions, probabilities
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, Verdict
from lossmith.exact.vectors import fractions, minus, unit_rows
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import preds
from lossmith.surrogates.closures import tight
from lossmith.surrogates.pred import AnyPred, Decide, Pred
from lossmith.surrogates.preds import Named
from lossmith.surrogates.smooth import ProperComposite, SmoothSurrogate
from lossmith.surrogates.squares import are_squares


def by_proper_composite(question: Question) -> Verdict | Declined:
    """Decide, or say why this rule does not apply."""
    surrogate, loss = question.surrogate, question.loss
    if not isinstance(surrogate, SmoothSurrogate):
        return Declined()
    if surrogate.traits.proper is None:
        return Declined("the surrogate is not declared strictly proper composite")
    units: Rows = tuple(tuple(map(Fraction, row)) for row in unit_rows(loss.n))
    both, separate = surrogate.traits.proper.converse, surrogate.traits.proper.separate
    shape = "It is strictly proper composite: where" if both else "Where"
    why = f"{shape} its risk is nearly least, it tells the probabilities."
    theorem = "proper composite" if both and not separate else "told"  # separate ones need not lie in Δ
    proof = EstimateProof(theorem, units, why, probabilities(loss.n))
    if question.pred is None or question.rule is preds.decide:
        columns = loss.rational.integer_columns()
        affine = fractions([(0, *minus(column, columns[0])) for column in columns], loss.rational.denominator)
        decide = Decide(surrogate, affine, "probabilities")
        why = f"{why} Decide by the least expected loss: loss.decide(model, X), or this verdict's decide(U)."
        asked = None if question.pred is None else decide
        return Calibrated(surrogate, loss, (), replace(proof, why=why, affine=affine), asked, question.within, decide)
    if not both:
        return Declined("the probabilities can be read off optimal scores, and others may be read as the same")
    regions = _on_probabilities(question, surrogate, surrogate.traits.proper)
    if isinstance(regions, Declined):
        return regions
    given: AnyPred | None
    if surrogate.dim == loss.n:
        given = question.regions
    else:  # argmax of probabilities that are not the scores
        given = Decide(surrogate, tuple((Fraction(0), *(-x for x in row)) for row in units), "probabilities", "argmax")
    assert given is not None
    if separate:  # near optimal u they tell p, but elsewhere they fill the cube
        proof = replace(proof, theorem="mean", domain=cube(loss.n), scales=surrogate.traits.proper.weights)
    elif surrogate.dim < loss.n and are_squares(surrogate, tuple(row[:-1] for row in units)):
        rows, free = tuple(row[:-1] for row in units), Polyhedron(surrogate.dim)
        proof, regions = replace(proof, theorem="squares", rows=rows, domain=free), _without_the_last(regions)
    elif surrogate.traits.mean is not None and surrogate.traits.reading is None:  # u itself tells them, in Δ or not
        proof = replace(proof, theorem="mean", domain=Polyhedron(loss.n, (), proof.domain.equations))
    return decided_by_regions(question, proof, regions, given, surrogate.minimizer)


def _on_probabilities(question: Question, surrogate: SmoothSurrogate, proper: ProperComposite) -> Pred | Declined:
    """The pred as regions of probabilities, or why it is not known as such."""
    loss, pred = question.loss, question.pred
    scores = _Probabilities(surrogate.name, loss.n)
    if isinstance(pred, Pred):
        if surrogate.dim != loss.n or not preds.is_argmax(pred, surrogate, loss):
            return Declined("the pred is given by regions of u, and what it says of the probabilities is not known")
        return _argmax(scores, surrogate, loss, proper)
    assert pred is not None
    match pred.rule:
        case preds.argmax:
            return _argmax(scores, surrogate, loss, proper)
        case preds.ArgmaxGap(tau):
            made = pred.rule(scores, loss)  # refuses what does not fit
            if tau or not proper.monotone:
                return Declined(
                    f"scores that differ by {tau} are not known to mean anything rational for the probabilities"
                )
            return _renamed(_reweighted(made, None if proper.separate else proper.weights), pred)
        case preds.ArgmaxThreshold(tau):
            pred.rule(scores, loss)
            least = proper.threshold(tau) if proper.threshold else None
            if least is None:
                return Declined(f"a score of {tau} is not known to mean a rational probability")
            regions = preds.ArgmaxThreshold(least)(scores, loss)
            if not proper.separate and tight(regions, probabilities(loss.n)).regions != regions.regions:
                return Declined(f"scores of at most {tau} mean probabilities at the edge of those that there are")
            return _renamed(regions, pred)
    return Declined(f"{pred.kind} is not known as a function of the probabilities")


def _argmax(
    scores: _Probabilities, surrogate: SmoothSurrogate, loss: LossMatrix, proper: ProperComposite
) -> Pred | Declined:
    if surrogate.dim == loss.n and not proper.monotone:
        return Declined("the surrogate's scores are not declared to be in the order of the probabilities")
    return _reweighted(preds.argmax(scores, loss), None if proper.separate else proper.weights)


class _Probabilities:
    """One score per label: its probability."""

    def __init__(self, name: str, n: int) -> None:
        self.name, self.n, self.dim, self.domain = name, n, n, Polyhedron(n)


def _reweighted(pred: Pred, weights: tuple[Fraction, ...] | None) -> Pred:
    """The same rows for scores w_y p_y; without weights, for p_y."""
    if weights is None:
        return pred

    def rows(each: tuple[tuple[Fraction, ...], ...]) -> tuple[tuple[Fraction, ...], ...]:
        return tuple((row[0], *(w * x for w, x in zip(weights, row[1:], strict=True))) for row in each)

    regions = tuple(
        tuple(Polyhedron(piece.dim, rows(piece.inequalities), rows(piece.equations)) for piece in region)
        for region in pred.regions
    )
    return replace(pred, regions=regions)


def _without_the_last(pred: Pred) -> Pred:
    """The same rows for all probabilities but the last, which is what they leave to 1.

    >>> from lossmith.losses import zero_one
    >>> argmax = preds.argmax(_Probabilities("pair", 2), zero_one(2))
    >>> [[str(x) for x in row] for row in _without_the_last(argmax).regions[0][0].rows]
    [['-1', '2']]
    """

    def rows(each: tuple[tuple[Fraction, ...], ...]) -> tuple[tuple[Fraction, ...], ...]:
        return tuple((row[0] + row[-1], *(x - row[-1] for x in row[1:-1])) for row in each)

    regions = tuple(
        tuple(Polyhedron(piece.dim - 1, rows(piece.inequalities), rows(piece.equations)) for piece in region)
        for region in pred.regions
    )
    return replace(pred, dim=pred.dim - 1, regions=regions)


def _renamed(pred: Pred, asked: Named) -> Pred:
    return replace(pred, name=asked.text)
