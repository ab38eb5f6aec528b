"""def:calibration: the definition contains those of binary 0-1 classification and of Scott's cost-sensitive one."""

from __future__ import annotations

from fractions import Fraction

import lossmith as lm
from lossmith.paper.item import Claim, Item, Outcome, equal, holds, outcome

STATEMENT = (
    "ψ is (L, P)-calibrated if for some pred, for all p ∈ P, the infimum of p·ψ(u) over the u with pred(u) not "
    "optimal is greater than over all u. With n = k = 2 and pred = sign this is the calibration of Bartlett et al. "
    "for 0-1 loss, where p ≠ ½ matters, and that of Scott (2012) for L^c, where p ≠ c does."
)
COSTS = (Fraction(1, 6), Fraction(1, 2), Fraction(3, 5))


def _compute() -> Outcome:
    # In the paper p is the probability of label 1 and u > 0 decides for it: here that is label 0, and decision 0.
    hinge = _weighted_hinge(Fraction(1, 2))
    claims = [equal("hinge, 0-1 loss, sign", "calibrated", _by_sign(hinge, lm.losses.zero_one(2)))]
    for c in COSTS:
        loss = lm.LossMatrix([[0, 1 - c], [c, 0]], name=f"L^c, c = {c}")
        claims.append(holds(f"the best decision changes at p = c = {c}", _threshold(loss) == c))
        claims.append(equal(f"hinge weighted by c = {c}, sign", "calibrated", _by_sign(_weighted_hinge(c), loss)))
        if c != Fraction(1, 2):
            claims.append(equal(f"plain hinge, c = {c}", "not calibrated", lm.check(hinge, loss).status))
    claims += _by_definition()
    return outcome("hinge with sign: 0-1; hinge weighted by c: L^c, with threshold c; the plain hinge is not", *claims)


def _weighted_hinge(c: Fraction) -> lm.PolyhedralSurrogate:
    """((1 − c)(1 − u)₊, c(1 + u)₊)."""
    return lm.PolyhedralSurrogate.from_function(
        lambda y, u: (1 - c) * lm.pos(1 - u[0]) if y == 0 else c * lm.pos(1 + u[0]), n=2, dim=1, name=f"hinge({c})"
    )


def _by_sign(psi: lm.PolyhedralSurrogate, loss: lm.LossMatrix) -> str:
    sign = lm.Pred.from_regions([lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]], dim=1)
    return lm.check(psi, loss, pred=sign).status


def _threshold(loss: lm.LossMatrix) -> Fraction:
    first, second = (cell.polytope.vertices for cell in lm.trigger_sets(loss))
    (common,) = set(first) & set(second)
    return common[0]


def _by_definition() -> list[Claim]:
    """The two infima of the definition for the hinge with sign, from its closed form, for p on a grid.

    Over u ≤ 0 (wrong if p > ½) the least risk is that at u = 0, which is 1; over all u it is 2 min(p, 1 − p).
    """
    hinge = lm.PolyhedralSurrogate.from_function(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, name="hinge")
    wrong = lm.PolyhedralSurrogate.from_function(
        lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, domain=lambda u: [u[0] <= 0], name="hinge, u ≤ 0"
    )
    grid = [Fraction(i, 20) for i in range(11, 21)]
    found = [(wrong.bayes_risk([p, 1 - p]), hinge.bayes_risk([p, 1 - p])) for p in grid]
    agree = found == [(Fraction(1), 2 * (1 - p)) for p in grid]
    return [holds("infimum over sign(u) ≠ sign(p − ½) = 1 > 2(1 − p)", agree, "for p = 11/20, …, 1")]


ITEM = Item("def:calibration", "(L, P)-calibration; binary and cost-sensitive loss", STATEMENT, _compute)
