"""thm:ccdim-lower-bound: CCdim(L) ≥ ‖p‖₀ − μ − 1, at distributions drawn at random, and its sharp form."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import lossmith as lm
from lossmith.paper.item import Item, Outcome, holds, outcome

STATEMENT = "CCdim(L) ≥ ‖p‖₀ − μ(p) − 1 for every p ∈ Q_t, where μ is the feasible subspace dimension of Q_t at p."
NOTE = "The bound is affdim(L[S, T]) exactly, where S is the support of p and T the predictions that are optimal at p."
# CCdim as the paper (0-1, ordinal) or its Hamming example with the equaliser has it.
KNOWN = {
    "zero-one": (lm.losses.zero_one(4), 3),
    "ordinal": (lm.losses.ordinal(4), 1),
    "hamming": (lm.losses.hamming(2), 2),
}


def _compute() -> Outcome:
    chance = Random(7)
    claims = []
    for loss, dimension in KNOWN.values():
        cells = lm.trigger_sets(loss, reduced=False)
        corners = sorted({p for cell in cells for p in cell.polytope.vertices})
        valid, sharp, best = True, True, 0
        for _ in range(60):
            chosen = chance.sample(corners, chance.randint(1, 3))
            p = tuple(sum(column, Fraction(0)) / len(chosen) for column in zip(*chosen, strict=True))
            support, optimal = [y for y, x in enumerate(p) if x], loss.optimal_predictions(p)
            bounds = {
                len(support) - lm.feasible_subspace_dimension(cell.polytope, p) - 1
                for cell in cells
                if cell.prediction in optimal
            }
            part = loss.restrict(
                labels=[loss.labels[y] for y in support] if len(support) > 1 else None,
                predictions=[loss.predictions[t] for t in optimal],
            )
            best, valid = max(best, *bounds), valid and max(bounds) <= dimension
            sharp = sharp and (len(support) == 1 or max(bounds) == lm.affdim(part))
        claims.append(holds(f"no bound exceeds CCdim = {dimension}, {loss.name}", valid, f"the best of 60 is {best}"))
        claims.append(holds(f"the bound is affdim(L[S, T]), {loss.name}", sharp, "at each of them"))
    return outcome("at 180 distributions never above CCdim, and equal to affdim(L[S, T])", *claims)


ITEM = Item("thm:ccdim-lower-bound", "CCdim(L) ≥ ‖p‖₀ − μ(p) − 1", STATEMENT, _compute, NOTE)
