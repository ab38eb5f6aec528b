"""Surrogates with inequalities in their domain, made ready for linear models, which cannot keep to a polyhedron.

Each inequality b + a·u ≥ 0 of C becomes a penalty K (−b − a·u)_+, added to every ψ_y. For K large enough the minimisers
are those of ψ on C (the risks are polyhedral, so the penalty is exact), and `check` proves that the new surrogate is
calibrated; K is doubled until it does.
"""

from __future__ import annotations

from fractions import Fraction

from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import Calibrated, Verdict
from lossmith.errors import BadSurrogate
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

_DOUBLINGS = 30


def penalized(surrogate: PolyhedralSurrogate, loss: LossMatrix, pred: object = None) -> Verdict:
    """The verdict on the surrogate with penalties in place of its inequalities; not calibrated only if itself is not.

    >>> from lossmith.constructions.linear import linear
    >>> from lossmith.losses import zero_one
    >>> from lossmith.analysis.facts import Facts
    >>> made = linear(Facts(zero_one(3))).surrogate
    >>> verdict = penalized(made, zero_one(3))
    >>> len(made.inequalities), len(verdict.surrogate.inequalities), verdict.status
    (3, 0, 'calibrated')
    """
    if not surrogate.inequalities:
        return check(surrogate, loss, pred)
    own = check(surrogate, loss)
    if not isinstance(own, Calibrated):
        return own
    weight = max(abs(x) for terms in surrogate.terms for maximum in terms for piece in maximum for x in piece[1:])
    for _ in range(_DOUBLINGS):
        try:
            verdict = check(_with_penalties(surrogate, weight), loss, pred)
        except BadSurrogate:  # negative somewhere outside C: the penalty is too small there
            verdict = own
        if verdict is not own and (isinstance(verdict, Calibrated) or pred is not None):
            return verdict
        weight *= 2
    raise BadSurrogate(f"no penalty up to {weight} makes {surrogate.name} calibrated beyond its domain")


def _with_penalties(surrogate: PolyhedralSurrogate, weight: Fraction) -> PolyhedralSurrogate:
    nothing = (Fraction(0),) * (surrogate.dim + 1)
    penalties = tuple((nothing, tuple(-weight * x for x in row)) for row in surrogate.inequalities)
    terms = tuple((*each, *penalties) for each in surrogate.terms)
    return PolyhedralSurrogate(
        terms, surrogate.dim, (), surrogate.equations, name=f"{surrogate.name} with penalties of weight {weight}"
    )
