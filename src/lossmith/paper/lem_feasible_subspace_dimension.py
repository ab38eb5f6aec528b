"""lem:feasible-subspace-dimension: μ_Q(p) is the nullity of the rows that are tight at p."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import lossmith as lm
from lossmith.exact.vectors import dot, rational_dot
from lossmith.geometry.polytope import Polytope
from lossmith.paper.item import Item, Outcome, holds, outcome

STATEMENT = (
    "Let Q = {q : A¹q ≤ b¹, A²q ≤ b², A³q = b³}, p ∈ Q with A¹p = b¹ and A²p < b². Then μ_Q(p) = nullity of A¹ and A³ "
    "together; in essence it is the dimension of the smallest face of Q that holds p."
)


def _compute() -> Outcome:
    chance = Random(6)
    claims = []
    for loss in (lm.losses.zero_one(3), lm.losses.zero_one(4), lm.losses.ordinal(4), lm.losses.abstain(4)):
        agree, count = True, 0
        for cell in lm.trigger_sets(loss, reduced=False):
            corners = cell.polytope.vertices
            for _ in range(12):
                chosen = chance.sample(corners, chance.randint(1, min(4, len(corners))))
                p = tuple(sum(column, Fraction(0)) / len(chosen) for column in zip(*chosen, strict=True))
                agree = agree and lm.feasible_subspace_dimension(cell.polytope, p) == _smallest_face(cell.polytope, p)
                count += 1
        claims.append(holds(f"nullity = dimension of the smallest face, {loss.name}", agree, f"at {count} points"))
    return outcome(
        "equal to the dimension of the smallest face at points drawn at random from the trigger sets", *claims
    )


def _smallest_face(polytope: Polytope, p: tuple[Fraction, ...]) -> int:
    """The dimension of the hull of the vertices that lie on every facet that p lies on."""
    tight = [row for row in polytope.inequalities if rational_dot(row, p) == 0]
    on = tuple(ray for ray in polytope.rays if all(dot(row, ray) == 0 for row in tight))
    return Polytope(on, polytope.valid).dim


ITEM = Item("lem:feasible-subspace-dimension", "How to compute the feasible subspace dimension", STATEMENT, _compute)
