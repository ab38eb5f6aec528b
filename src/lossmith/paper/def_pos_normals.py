"""def:pos-normals: the definition over the corners of S_ψ, and at sequences that converge."""

from __future__ import annotations

from fractions import Fraction

import lossmith as lm
from lossmith.exact.vectors import rational_dot
from lossmith.paper.def_trigger_prob import grid
from lossmith.paper.item import Item, Outcome, holds, outcome, shown
from lossmith.paper.lem_condition_sufficient import Z

STATEMENT = (
    "N(z) = {p ∈ Δ_n : p·z = inf over z′ ∈ S_ψ of p·z′}; for a sequence, N({z_m}) has lim p·z_m instead of p·z. If "
    "z_m → z then N({z_m}) = N(z). Inside S_ψ the set is empty."
)


def _compute() -> Outcome:
    psi = lm.surrogates.crammer_singer(3)
    points = list(grid(3, 12))
    agree = True
    for z, u in zip(Z, ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)), strict=True):
        normals = lm.positive_normal_set(psi, u).polytope
        for p in points:
            # S_ψ lies above the hull of the four z (lem:condition-sufficient), so the infimum is the least of these.
            least = min(rational_dot(p, corner) for corner in Z)
            agree = agree and normals.contains(p) == (rational_dot(p, z) == least)
    # (2, 2, 2), the mean of three ψ(u), exceeds z₄ in every coordinate: p·z > p·z₄ for all p.
    far = [psi([2 * int(i == y) for i in range(3)]) for y in range(3)]
    inside = tuple(sum(column, Fraction(0)) / 3 for column in zip(*far, strict=True))
    # u_m = (1/m, 0, 0) → 0: p·ψ(u_m) is 1 + (p₂ + p₃ − p₁)/m, so its limit is p·z₄ for every p.
    limits = all(
        psi([Fraction(1, m), 0, 0]) == (1 - Fraction(1, m), 1 + Fraction(1, m), 1 + Fraction(1, m))
        for m in range(1, 50)
    )
    return outcome(
        f"Crammer–Singer, n = 3: at {len(points)} distributions on a grid, at z₁ … z₄, inside, and for z_m → z₄",
        holds("p ∈ N(z_i) iff p·z_i is least among z₁ … z₄", agree, f"at {len(points)} distributions on a grid"),
        holds(
            "N(z) is empty inside S_ψ",
            all(a > b for a, b in zip(inside, Z[3], strict=True)),
            f"z = {shown(inside)} > z₄",
        ),
        holds("ψ(1/m, 0, 0) = (1 − 1/m, 1 + 1/m, 1 + 1/m) → z₄", limits, "for m = 1 … 49; so N({z_m}) = N(z₄)"),
    )


ITEM = Item("def:pos-normals", "Positive normal sets", STATEMENT, _compute)
