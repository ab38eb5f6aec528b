"""lem:normal-computation: N(ψ(u)) = {Bq : q ∈ Null(A) ∩ Δ_s}, by enumerating the corners of Null(A) ∩ Δ_s."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import lossmith as lm
from lossmith.exact.vectors import rational_dot, unit_rows
from lossmith.geometry.double_description import extreme_rays
from lossmith.geometry.polytope import Polytope
from lossmith.paper.item import Item, Outcome, holds, outcome

Matrix = Sequence[Sequence[int]]
STATEMENT = (
    "If ∂ψ_y(u) = conv{w_1^y, …} for all y, let A hold all w as columns and B say which label each belongs to. Then "
    "N(ψ(u)) = {Bq : q ∈ Null(A) ∩ Δ_s}."
)
NOTE = (
    "At the boundary of a C that is smaller than R^d the subdifferentials are unbounded, and the lemma does not "
    "apply as it stands; there the normals of C join A, with no label attached, as in the library."
)


def slopes(psi: lm.PolyhedralSurrogate, u: Sequence[Fraction | int]) -> list[list[tuple[int, ...]]]:
    """For each label the gradients of the pieces of ψ_y that are active at u, where ψ_y is one maximum."""
    found = []
    for (maximum,) in psi.terms:
        values = [row[0] + rational_dot(row[1:], u) for row in maximum]
        active = [row[1:] for row, value in zip(maximum, values, strict=True) if value == max(values)]
        found.append(sorted({tuple(map(int, row)) for row in active}))
    return found


def normals(A: Matrix, B: Matrix) -> set[tuple[Fraction, ...]]:
    """Points whose hull is {Bq : q ∈ Null(A) ∩ Δ_s}: the images of the corners of Null(A) ∩ Δ_s."""
    size = len(A[0])
    rows = [*unit_rows(size), *map(tuple, A), *(tuple(-x for x in row) for row in A)]
    corners = [[Fraction(x, sum(ray)) for x in ray] for ray in extreme_rays(rows)]
    return {tuple(rational_dot(row, q) for row in B) for q in corners}


def same_hull(points: set[tuple[Fraction, ...]], polytope: Polytope) -> bool:
    """Whether the polytope is the hull of the points: it holds them, and its vertices are among them."""
    return all(polytope.contains(p) for p in points) and points >= set(polytope.vertices)


def _compute() -> Outcome:
    half = Fraction(1, 2)
    cases: list[tuple[lm.PolyhedralSurrogate, list[tuple[Fraction | int, ...]]]] = [
        (lm.surrogates.crammer_singer(3), [(1, 0, 0), (0, 0, 0), (half, 0, 0), (1, 1, 0)]),
        (lm.surrogates.absolute(3), [(1,), (2,), (Fraction(5, 2),)]),
        (lm.surrogates.epsilon_insensitive(3), [(Fraction(5, 4),), (Fraction(7, 4),), (2,)]),
    ]
    claims = []
    for psi, points in cases:
        agree = True
        for u in points:
            groups = slopes(psi, u)
            columns = [(y, w) for y, group in enumerate(groups) for w in group]
            A = [[w[i] for _, w in columns] for i in range(psi.dim)]
            B = [[int(y == label) for y, _ in columns] for label in range(psi.n)]
            agree = agree and same_hull(normals(A, B), lm.positive_normal_set(psi, u).polytope)
        claims.append(holds(f"the lemma gives N(ψ(u)), {psi.name}", agree, f"at {len(points)} points u"))
    return outcome("the lemma carried out literally gives the computed sets at 10 points u", *claims)


ITEM = Item("lem:normal-computation", "Computation of positive normal sets", STATEMENT, _compute, NOTE)
