"""The rule for argmax of p_y/π_y^τ with irrational weights, as of `logit_adjusted_softmax`: it is right for no loss.

No loss, that is, for which there is something to choose. **Theorem.** *Let L be rational, π and τ rational, and some
(π_i/π_j)^τ irrational. Argmax, which says prediction c(y) where p_y/π_y^τ is the largest, is calibrated if and only if
the columns c(0), …, c(n − 1) are all equal, and no column is anywhere better than they are.*
*Proof.* ⇐: what is said is always optimal. ⇒: Where p_i/π_i^τ = p_j/π_j^τ exceeds all others, c(i) and c(j) must both
be optimal. These p contain an open part of a hyperplane whose normal has two entries, other than 0, with an irrational
ratio; so ℓ_c(i) − ℓ_c(j), which is rational, vanishes. Every other label has an irrational ratio to i or to j, so that
its column is the same, too. Some c(y) is said at every p; if a column is better there, it is not optimal. ∎

So for some t and s, p·(ℓ_s − ℓ_t) < 0 at some p where t is said: at a corner of {p : p_j ≤ x_j p_t}, for rational x_j
next below (π_j/π_t)^τ. If argmax were right, so would be the pred that says t in there, and elsewhere what is best; and
that is refuted by the rule for proper composites. These are exact comparisons of powers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.calibration.estimates import EstimateProof, decided_by_regions, probabilities
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Verdict
from lossmith.exact.vectors import minus, rational_dot, unit_rows
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import preds
from lossmith.surrogates.families.logit_adjusted_softmax import adjustment, root_of_power, whole_root
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.smooth import SmoothSurrogate

_WHY = (
    "It is strictly proper composite, and the largest score is that of the largest p_y/π_y^τ. Some of these weights "
    "have an irrational ratio, so that what is optimal cannot change where argmax does."
)


def by_irrational_weights(question: Question) -> Verdict | Declined:
    """Refute, or say why this rule does not apply."""
    surrogate, loss = question.surrogate, question.loss
    given = adjustment(surrogate) if isinstance(surrogate, SmoothSurrogate) else None
    if given is None or question.rule is preds.decide:
        return Declined()
    asked, (prior, tau) = question.regions, given
    if asked is None or not preds.is_argmax(asked, surrogate, loss):
        return Declined()
    chosen = {loss.column(t) for t, region in enumerate(asked.regions) if region}
    always = all(x == min(row) for column in chosen for x, row in zip(column, loss.entries, strict=True))
    if (len(chosen) == 1 and always) or all(root_of_power(x / prior[0], tau) for x in prior):
        return Declined()
    if question.within is not None:
        return Declined("irrational weights are compared for all distributions only")
    assert isinstance(surrogate, SmoothSurrogate)
    units = tuple(tuple(map(Fraction, row)) for row in unit_rows(loss.n))
    proof = EstimateProof("proper composite", units, _WHY, probabilities(loss.n))
    places = [next(t for t, each in enumerate(asked.regions) if each and each[0].contains(unit)) for unit in units]
    return decided_by_regions(question, proof, _wrong(question, prior, tau, places), asked, surrogate.minimizer)


def _wrong(question: Question, prior: tuple[Fraction, ...], tau: Fraction, places: list[int]) -> Pred:
    """A pred that says a prediction in a part of where argmax does, at one p wrongly; elsewhere what is best."""
    columns = question.loss.rational.integer_columns()
    digits = 4
    while True:
        for label, t in enumerate(places):
            bounds = [_below(x / prior[label], tau, digits) for x in prior]
            for column in columns if min(bounds) else ():
                gain = minus(column, columns[t])
                corner = [x if j == label or d < 0 else Fraction(0) for j, (x, d) in enumerate(zip(bounds, gain))]
                if rational_dot(corner, gain) < 0:
                    return _said(question.loss, label, t, bounds)
        digits *= 2


def _below(x: Fraction, tau: Fraction, digits: int) -> Fraction:
    """The largest number with so many binary digits that is at most x^τ.

    >>> _below(Fraction(2), Fraction(1, 2), 4), _below(Fraction(1), Fraction(1, 2), 4)
    (Fraction(11, 8), Fraction(1, 1))
    """
    power, b = x**tau.numerator, tau.denominator
    return Fraction(whole_root((power.numerator << digits * b) // power.denominator, b), 1 << digits)


def _said(loss: LossMatrix, label: int, t: int, bounds: Sequence[Fraction]) -> Pred:
    """t where p_j is at most x_j p_label for all j; beyond, what is optimal."""
    columns, n = loss.rational.integer_columns(), loss.n
    inside = [[x * (i == label) - (i == j) for i in range(n)] for j, x in enumerate(bounds) if j != label]
    best = [[minus(other, own) for other in columns if other != own] for own in columns]
    regions = [
        tuple(_cone([*rows, [-x for x in wall]]) for wall in inside) if s != t else (_cone(inside), _cone(rows))
        for s, rows in enumerate(best)
    ]
    return Pred(f"argmax where it surely says {loss.predictions[t]}, else decide", n, tuple(regions))


def _cone(rows: Sequence[Sequence[Fraction | int]]) -> Polyhedron:
    return Polyhedron(len(rows[0]), tuple((Fraction(0), *map(Fraction, row)) for row in rows))
