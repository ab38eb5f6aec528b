"""eqn:ell-risk: the L-risk of a model, on a distribution with three instances."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import lossmith as lm
from lossmith.paper.item import Item, Outcome, holds, outcome

# P(X = x), and p(x), the distribution of the label given x: D on three instances and three labels.
MASSES = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
CONDITIONALS = (
    (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)),
    (Fraction(2, 5), Fraction(1, 4), Fraction(7, 20)),
    (Fraction(1, 10), Fraction(3, 10), Fraction(3, 5)),
)
STATEMENT = "er[h] = E_{(X,Y)}[ℓ_{Y,h(X)}] = E_X[p(X)·ℓ_{h(X)}]: the L-risk of h : X → [k]."


def risk(loss: lm.LossMatrix, model: tuple[int, ...]) -> Fraction:
    """E_X[p(X)·ℓ_h(X)] for h(x) = model[x]."""
    pairs = zip(MASSES, CONDITIONALS, model, strict=True)
    return sum((mass * loss.risk(p)[t] for mass, p, t in pairs), Fraction(0))


def _compute() -> Outcome:
    claims = []
    for loss in (lm.losses.zero_one(3), lm.losses.ordinal(3), lm.losses.abstain(3)):
        models = list(product(range(loss.k), repeat=3))
        by_pairs = [
            sum(
                (MASSES[x] * CONDITIONALS[x][y] * loss.entries[y][model[x]] for x, y in product(range(3), repeat=2)),
                Fraction(0),
            )
            for model in models
        ]
        agree = by_pairs == [risk(loss, model) for model in models]
        claims.append(holds(f"the two forms agree, {loss.name}", agree, f"for each of {len(models)} models"))
    return outcome("both forms agree for every model on three instances", *claims)


ITEM = Item("eqn:ell-risk", "The L-risk", STATEMENT, _compute)
