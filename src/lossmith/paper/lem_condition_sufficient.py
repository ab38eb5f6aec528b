"""lem:condition-sufficient: every z ∈ S_ψ is a mixture of the z_j plus something that is not negative."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

import lossmith as lm
from lossmith.exact.vectors import over_common_denominator, rational_dot, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.paper.item import Item, Outcome, equal, holds, outcome

# ψ^{CS} at (1, 0, 0), (0, 1, 0), (0, 0, 1) and (0, 0, 0), from app:calculations-pos-normals.
Z = ((0, 2, 2), (2, 0, 2), (2, 2, 0), (1, 1, 1))
STATEMENT = (
    "If N(z_1), …, N(z_r) cover Δ_n and each lies in a trigger set, then every z ∈ S_ψ is z′ + z″ with "
    "z′ ∈ conv{z_1, …, z_r} and z″ ≥ 0."
)


def mixture_below(z: Sequence[Fraction], points: Sequence[Sequence[int]] = Z) -> tuple[Fraction, ...] | None:
    """Weights α ≥ 0 that sum to 1 with Σ α_j z_j ≤ z, by an exact linear program; None if there are none.

    >>> mixture_below([Fraction(1), Fraction(1), Fraction(2)])
    (Fraction(0, 1), Fraction(0, 1), Fraction(0, 1), Fraction(1, 1))
    """
    numerators, scale = over_common_denominator(z)
    size = len(points)
    below = [(top, *(-scale * point[y] for point in points)) for y, top in enumerate(numerators)]
    weights = [(0, *row) for row in unit_rows(size)]
    best = maximize([-sum(point) for point in points], [*below, *weights], [(-1, *[1] * size)])
    return None if best is None else best.point


def _compute() -> Outcome:
    chance = Random(4)
    psi = lm.surrogates.crammer_singer(3)
    drawn = [psi([Fraction(chance.randint(-30, 30), 10) for _ in range(3)]) for _ in range(100)]
    mixed = [tuple((a + 2 * b) / 3 for a, b in zip(first, second, strict=True)) for first, second in pairwise(drawn)]
    found = [(z, mixture_below(z)) for z in (*drawn, *mixed)]
    right = all(
        alpha is not None
        and min(alpha) >= 0
        and sum(alpha) == 1
        and all(rational_dot(alpha, column) <= z[y] for y, column in enumerate(zip(*Z, strict=True)))
        for z, alpha in found
    )
    without = mixture_below((Fraction(1), Fraction(1), Fraction(1)), Z[:3])
    return outcome(
        f"Crammer–Singer, n = 3: a mixture of z₁ … z₄ below each of {len(found)} points drawn at random",
        holds("every z drawn has a mixture of z₁ … z₄ below it", right, f"{len(found)} points, exactly"),
        equal("without z₄, whose set is then not covered, below (1, 1, 1)", None, without),
    )


ITEM = Item("lem:condition-sufficient", "The decomposition behind the sufficient condition", STATEMENT, _compute)
