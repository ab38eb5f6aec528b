"""app:calculations-pos-normals: A and B at u₄ for the Crammer–Singer surrogate, and what they give."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.fig_pos_normals import PAPER, POINTS
from lossmith.paper.item import Item, Outcome, equal, equal_sets, holds, outcome
from lossmith.paper.lem_condition_sufficient import Z
from lossmith.paper.lem_normal_computation import normals, same_hull, slopes

A = ((-1, -1, 1, 0, 1, 0), (1, 0, -1, -1, 0, 1), (0, 1, 0, 1, -1, -1))
B = ((1, 1, 0, 0, 0, 0), (0, 0, 1, 1, 0, 0), (0, 0, 0, 0, 1, 1))
SUBDIFFERENTIALS = (((-1, 1, 0), (-1, 0, 1)), ((1, -1, 0), (0, -1, 1)), ((1, 0, -1), (0, 1, -1)))


def _compute() -> Outcome:
    psi = lm.surrogates.crammer_singer(3)
    found = [lm.positive_normal_set(psi, u) for u in POINTS]
    claims = [equal("z₁, …, z₄", Z, tuple(each.z for each in found))]
    for y, (paper, active) in enumerate(zip(SUBDIFFERENTIALS, slopes(psi, POINTS[3]), strict=True), start=1):
        claims.append(equal(f"∂ψ{'₀₁₂₃'[y]}(u₄) is the hull of", sorted(paper), active))
    columns = tuple(w for group in SUBDIFFERENTIALS for w in group)
    claims.append(equal("A", A, tuple(zip(*columns, strict=True))))
    claims.append(holds("{Bq : q ∈ Null(A) ∩ Δ₆} is N(z₄)", same_hull(normals(A, B), found[3].polytope)))
    claims += [
        equal_sets(f"N(z{'₁₂₃₄'[i]})", words, rows, found[i].polytope) for i, (words, rows) in enumerate(PAPER.items())
    ]
    return outcome("z₁ … z₄, the subdifferentials at u₄, A, B, and the four sets", *claims)


ITEM = Item(
    "app:calculations-pos-normals",
    "Calculation of positive normal sets for fig:pos-normals",
    "z₁ = (0, 2, 2), z₂ = (2, 0, 2), z₃ = (2, 2, 0), z₄ = (1, 1, 1); the subdifferentials at u₄, A and B of "
    "lem:normal-computation, and N(z_1), …, N(z_4).",
    _compute,
)
