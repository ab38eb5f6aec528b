"""eqn:rank-B: the rank of the factor B of the MAP loss, and the blocks of its proof."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from math import lcm

from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank
from lossmith.paper.item import Item, Outcome, at_least, equal, holds, outcome

STATEMENT = (
    "B_{(i,j),σ} = 1/max(σ(i), σ(j)) for i ≤ j has rank(B_r) ≥ rank(B_{r−1}) + r − 1, so rank(B) ≥ r(r − 1)/2. The "
    "block C has rank 1, and the columns σ^j of the block E have rank r − 1."
)


def _compute() -> Outcome:
    claims, ranks = [], {1: 1}
    for r in (2, 3, 4, 5, 6):
        rankings = list(permutations(range(1, r + 1)))
        ranks[r] = _rank(r, [(i, j) for i in range(r) for j in range(i, r)], rankings)
        claims.append(at_least(f"rank(B), r = {r}", r * (r - 1) // 2, ranks[r]))
        step = ranks[r] >= ranks[r - 1] + r - 1
        claims.append(holds(f"rank(B_{r}) ≥ rank(B_{r - 1}) + {r - 1}", step, f"{ranks[r]} ≥ {ranks[r - 1] + r - 1}"))
        last = [(i, r - 1) for i in range(r)]
        claims.append(equal(f"rank(C), r = {r}", 1, _rank(r, last, [s for s in rankings if s[-1] == r])))
        chosen = [next(s for s in rankings if s[j] == r and s[-1] == r - 1) for j in range(r - 1)]
        claims.append(equal(f"rank of the columns σ^j of E, r = {r}", r - 1, _rank(r, last, chosen)))
    return outcome("rank(B) = r(r + 1)/2 − 1 for r = 2 … 6; the blocks as in the proof", *claims)


def _rank(r: int, pairs: Iterable[tuple[int, int]], rankings: Iterable[tuple[int, ...]]) -> int:
    """The rank of the part of B with these pairs and rankings, times the least common multiple of 1, …, r."""
    scale, columns = lcm(*range(1, r + 1)), list(rankings)
    return rank(integer_matrix([[scale // max(s[i], s[j]) for s in columns] for i, j in pairs]))


ITEM = Item("eqn:rank-B", "Proof of prop:MAP-rank-lower-bound: the rank of B", STATEMENT, _compute)
