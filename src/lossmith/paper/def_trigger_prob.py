"""def:trigger-prob: both forms of the definition, at all distributions on a grid."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import lossmith as lm
from lossmith.exact.vectors import rational_dot
from lossmith.paper.item import Item, Outcome, holds, outcome

STATEMENT = "Q_t = {p ∈ Δ_n : p·(ℓ_t − ℓ_t′) ≤ 0 for all t′} = {p ∈ Δ_n : t ∈ argmin p·ℓ_t′}."


def grid(n: int, steps: int) -> Iterator[tuple[Fraction, ...]]:
    """All distributions over n labels whose probabilities are multiples of 1/steps.

    >>> len(list(grid(3, 4)))
    15
    """
    if n == 1:
        yield (Fraction(1),)
        return
    for i in range(steps + 1):
        for rest in grid(n - 1, steps - i) if i < steps else [(Fraction(0),) * (n - 1)]:
            yield (Fraction(i, steps), *(x * (steps - i) / steps for x in rest))


def _compute() -> Outcome:
    claims = []
    for loss in (lm.losses.zero_one(3), lm.losses.ordinal(3), lm.losses.abstain(3), lm.losses.hamming(2)):
        points = list(grid(loss.n, 12 if loss.n == 3 else 6))
        columns = [loss.column(t) for t in range(loss.k)]
        agree = True
        for cell in lm.trigger_sets(loss):
            own = columns[cell.prediction]
            for p in points:
                first = all(sum(x * (a - b) for x, a, b in zip(p, own, other, strict=True)) <= 0 for other in columns)
                risks = [rational_dot(p, column) for column in columns]
                second = risks[cell.prediction] == min(risks)
                agree = agree and first == second == cell.polytope.contains(p)
        claims.append(holds(f"both forms describe the cells, {loss.name}", agree, f"at {len(points)} distributions"))
    return outcome("both forms describe the computed cells at all distributions on a grid", *claims)


ITEM = Item("def:trigger-prob", "Trigger probability sets", STATEMENT, _compute)
