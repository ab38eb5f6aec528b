"""thm:condition-necessary-sequence: positive normal sets at sequences, also at some that do not converge.

Let z_m = ψ(u_m), where the u_m run in turn through finitely many fixed points and rays v + m·g. On a ray ψ is affine
in m from some m₀ on, z_m = a + m·b. If p·z_m converges then p·b = 0, so p ∈ N({z_m}) iff p ∈ N(z_m) for all m ≥ m₀:
N({z_m}) is the intersection of N at the fixed points and at two points of each ray.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import lossmith as lm
from lossmith.geometry.double_description import extreme_rays
from lossmith.paper.item import Item, Outcome, equal, holds, outcome

HALF = Fraction(1, 2)
STATEMENT = "If ψ is L-calibrated then for all sequences {z_m} in S_ψ there is a t with N({z_m}) ⊆ Q_t."
# Sequences for Crammer–Singer, n = 3: the points whose positive normal sets are intersected, and the corners by hand.
SEQUENCES: tuple[tuple[str, list[Sequence[int]], list[tuple[Fraction | int, ...]]], ...] = (
    (
        "z₁, z₄, z₁, z₄, …",  # p·z₁ = 2(p₂ + p₃) is p·z₄ = 1 iff p₁ = ½
        [(1, 0, 0), (0, 0, 0)],
        [(HALF, 0, HALF), (HALF, HALF, 0)],
    ),
    (
        "z₁, ψ(2, 0, 0), z₁, ψ(4, 0, 0), z₁, ψ(6, 0, 0), …",  # ψ(m, 0, 0) = (0, 1 + m, 1 + m): only p₁ = 1 converges
        [(1, 0, 0), (2, 0, 0), (4, 0, 0)],
        [(1, 0, 0)],
    ),
    (
        "ψ(1, 0, 0), ψ(0, 2, 0), ψ(3, 0, 0), ψ(0, 4, 0), …",  # p·z_m converges for no p
        [(1, 0, 0), (3, 0, 0), (0, 2, 0), (0, 4, 0)],
        [],
    ),
)


def _compute() -> Outcome:
    psi = lm.surrogates.crammer_singer(3)
    losses = [
        loss for loss in (lm.losses.abstain(3), lm.losses.ordinal(3)) if lm.check(psi, loss).status == "calibrated"
    ]
    claims = [equal("losses for which ψ is calibrated", 2, len(losses))]
    for name, points, paper in SEQUENCES:
        rows = [row for u in points for row in lm.positive_normal_set(psi, u).polytope.valid]
        corners = sorted(tuple(Fraction(x, sum(ray)) for x in ray) for ray in extreme_rays(rows))
        claims.append(equal(f"N at {name}", paper or "empty", corners or "empty"))
        for loss in losses:
            cells = lm.trigger_sets(loss)
            inside = [t for t, cell in enumerate(cells) if all(cell.polytope.contains(p) for p in corners)]
            claims.append(holds(f"it lies in a trigger set of {loss.name}", bool(inside)))
    return outcome("three sequences that do not converge, for Crammer–Singer with abstain and ordinal loss", *claims)


ITEM = Item("thm:condition-necessary-sequence", "Necessary condition at sequences", STATEMENT, _compute)
