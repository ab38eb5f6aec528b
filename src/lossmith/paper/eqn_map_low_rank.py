"""eqn:MAP-low-rank: four ways to write the MAP loss."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import lossmith as lm
from lossmith.paper.item import Item, Outcome, holds, outcome

STATEMENT = (
    "ℓ(y, σ) = 1 − (1/‖y‖₁) Σ_{i : y_i = 1} (1/σ(i)) Σ_{j ≤ σ(i)} y_{σ⁻¹(j)} = … = "
    "1 − (1/‖y‖₁) Σ_i Σ_{j ≤ i} y_i y_j / max(σ(i), σ(j))."
)


def forms(y: tuple[int, ...], sigma: tuple[int, ...]) -> list[Fraction]:
    """The four right hand sides; sigma[i − 1] is the position σ(i), from 1.

    >>> [str(x) for x in forms((1, 0), (2, 1))]
    ['1/2', '1/2', '1/2', '1/2']
    """
    r = len(y)
    place = dict(zip(range(1, r + 1), sigma, strict=True))
    at = {position: document for document, position in place.items()}
    relevant = dict(zip(range(1, r + 1), y, strict=True))
    above = {i: sum(relevant[at[j]] for j in range(1, place[i] + 1)) for i in place}
    sums = [
        sum((Fraction(above[i], place[i]) for i in place if relevant[i] == 1), Fraction(0)),
        sum((Fraction(relevant[i] * above[i], place[i]) for i in place), Fraction(0)),
        sum((Fraction(relevant[at[i]] * relevant[at[j]], i) for i in place for j in range(1, i + 1)), Fraction(0)),
        sum(
            (Fraction(relevant[i] * relevant[j], max(place[i], place[j])) for i in place for j in range(1, i + 1)),
            Fraction(0),
        ),
    ]
    return [1 - each / sum(y) for each in sums]


def _compute() -> Outcome:
    claims = []
    for r in (2, 3, 4):
        loss = lm.losses.mean_average_precision(r)
        pairs = [(y, s) for y in product((0, 1), repeat=r) if any(y) for s in permutations(range(1, r + 1))]
        values = [(*forms(y, s), loss.loss(y, tuple(i - 1 for i in s))) for y, s in pairs]
        agree = all(len(set(each)) == 1 for each in values)
        claims.append(holds(f"the four forms and the library agree, r = {r}", agree, f"all {len(pairs)} pairs y, σ"))
    return outcome("the four forms and the library's loss agree for all y and σ, r = 2, 3, 4", *claims)


ITEM = Item("eqn:MAP-low-rank", "The MAP loss has low rank", STATEMENT, _compute)
