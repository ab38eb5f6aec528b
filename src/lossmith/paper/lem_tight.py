"""lem:tight: where a p > 0 makes all risks equal, μ ≤ n − affdim; in fact one less."""

from __future__ import annotations

from fractions import Fraction

import lossmith as lm
from lossmith.paper.item import Item, Outcome, at_most, holds, outcome

STATEMENT = "If p > 0 has p·ℓ_t = c for all t, then μ(p) ≤ n − affdim(L) for every Q_t."
NOTE = (
    "The rank in the proof is affdim(L) + 1: p annihilates the differences of columns but not the row of ones, which "
    "is therefore independent of them. So μ(p) = n − affdim(L) − 1, and what follows gains one."
)
# Losses with a p > 0 that makes all risks equal: the uniform one where columns are permutations of each other.
CASES: tuple[tuple[lm.LossMatrix, tuple[Fraction, ...]], ...] = (
    (lm.losses.zero_one(4), (Fraction(1, 4),) * 4),
    (lm.losses.hamming(2), (Fraction(1, 4),) * 4),
    (lm.losses.top_k(4, 2), (Fraction(1, 4),) * 4),
    # p ∝ (1/a, 1/b, 1/c) for ℓ(y, t) = a_y 1(t ≠ y).
    (
        lm.LossMatrix([[0, 1, 1], [2, 0, 2], [4, 4, 0]], name="a_y 1(t ≠ y), a = (1, 2, 4)"),
        (Fraction(4, 7), Fraction(2, 7), Fraction(1, 7)),
    ),
)


def _compute() -> Outcome:
    claims = []
    for loss, p in CASES:
        claims.append(holds(f"all risks are equal at p, {loss.name}", len(set(loss.risk(p))) == 1))
        found = {lm.feasible_subspace_dimension(cell.polytope, p) for cell in lm.trigger_sets(loss, reduced=False)}
        claims.append(at_most(f"the largest μ(p), {loss.name}", loss.n - lm.affdim(loss), max(found)))
    return outcome("μ = n − affdim − 1 for four losses, one less than the bound", *claims)


ITEM = Item("lem:tight", "The feasible subspace dimension where all risks are equal", STATEMENT, _compute, NOTE)
