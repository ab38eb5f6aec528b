"""eqn:ell-risk-opt: the optimal L-risk is the expected least risk, on a distribution with three instances."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import lossmith as lm
from lossmith.paper.eqn_ell_risk import CONDITIONALS, MASSES, risk
from lossmith.paper.item import Item, Outcome, equal, outcome

STATEMENT = "inf over all h : X → [k] of er[h] = E_X[min_t p(X)·ℓ_t]."


def _compute() -> Outcome:
    claims = []
    for loss in (lm.losses.zero_one(3), lm.losses.ordinal(3), lm.losses.abstain(3)):
        least = min(risk(loss, model) for model in product(range(loss.k), repeat=3))
        expected = sum((mass * loss.bayes_risk(p) for mass, p in zip(MASSES, CONDITIONALS, strict=True)), Fraction(0))
        claims.append(equal(f"least of {loss.k}³ models, {loss.name}", least, expected))
    return outcome("the best of all models has the expected least risk", *claims)


ITEM = Item("eqn:ell-risk-opt", "The optimal L-risk", STATEMENT, _compute)
