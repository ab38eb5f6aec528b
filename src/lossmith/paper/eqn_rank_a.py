"""eqn:rank-A: the rank of the factor A of the MAP loss: it has full column rank."""

from __future__ import annotations

from itertools import product

from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank
from lossmith.paper.item import Item, Outcome, at_least, outcome

STATEMENT = "A_{y,(i,j)} = y_i y_j / ‖y‖₁ for i ≤ j has rank(A) ≥ r(r + 1)/2 − 1."
NOTE = "The columns are independent: the vectors y with one or two ones make a square part of A that is invertible."


def _compute() -> Outcome:
    claims = []
    for r in (2, 3, 4, 5, 6):
        # Without the factor 1/‖y‖₁ of row y, which does not change the rank.
        table = [[y[i] * y[j] for i in range(r) for j in range(i, r)] for y in product((0, 1), repeat=r) if any(y)]
        claims.append(at_least(f"rank(A), r = {r}", r * (r + 1) // 2 - 1, rank(integer_matrix(table))))
    return outcome("rank(A) = r(r + 1)/2, all columns, for r = 2 … 6", *claims)


ITEM = Item("eqn:rank-A", "Proof of prop:MAP-rank-lower-bound: the rank of A", STATEMENT, _compute, NOTE)
