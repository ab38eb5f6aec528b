"""eqn:psi-risk: the ψ-risk of a surrogate model, on a distribution with three instances."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import lossmith as lm
from lossmith.exact.vectors import rational_dot
from lossmith.paper.eqn_ell_risk import CONDITIONALS, MASSES
from lossmith.paper.item import Item, Outcome, holds, outcome

STATEMENT = "er[f] = E_{(X,Y)}[ψ(Y, f(X))] = E_X[p(X)·ψ(f(X))]: the ψ-risk of f : X → C."


def _compute() -> Outcome:
    chance = Random(1)
    claims = []
    for psi in (lm.surrogates.crammer_singer(3), lm.surrogates.absolute(3)):
        agree = True
        for _ in range(50):
            model = [psi([Fraction(chance.randint(-30, 30), 10) for _ in range(psi.dim)]) for _ in MASSES]
            by_pairs = sum(
                (MASSES[x] * CONDITIONALS[x][y] * model[x][y] for x, y in product(range(3), repeat=2)), Fraction(0)
            )
            by_x = sum((MASSES[x] * rational_dot(CONDITIONALS[x], model[x]) for x in range(3)), Fraction(0))
            agree = agree and by_pairs == by_x
        claims.append(holds(f"the two forms agree, {psi.name}", agree, "for each of 50 models drawn at random"))
    return outcome("both forms agree for 50 models drawn at random", *claims)


ITEM = Item("eqn:psi-risk", "The ψ-risk", STATEMENT, _compute)
