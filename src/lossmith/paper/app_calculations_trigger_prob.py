"""app:calculations-trigger-prob: the columns of the three losses, and the inequalities before they are simplified."""

from __future__ import annotations

from fractions import Fraction

from lossmith.exact.vectors import cleared, primitive
from lossmith.paper.fig_trigger_prob import losses
from lossmith.paper.item import Item, Outcome, equal, outcome

Vector = tuple[Fraction | int, ...]
HALF = Fraction(1, 2)
COLUMNS: dict[str, tuple[Vector, ...]] = {
    "a": ((0, 1, 1), (1, 0, 1), (1, 1, 0)),
    "b": ((0, 1, 2), (1, 0, 1), (2, 1, 0)),
    "c": ((0, 1, 1), (1, 0, 1), (1, 1, 0), (HALF, HALF, HALF)),
}
# p·ℓ_t ≤ p·ℓ_t′ as the appendix writes it, left side and right side, for the sets it works out, and t′ in order.
STEPS: dict[tuple[str, int], list[tuple[Vector, Vector]]] = {
    ("a", 1): [((0, 1, 1), (1, 0, 1)), ((0, 1, 1), (1, 1, 0))],
    ("b", 1): [((0, 1, 2), (1, 0, 1)), ((0, 1, 2), (2, 1, 0))],
    ("b", 2): [((1, 0, 1), (0, 1, 2)), ((1, 0, 1), (2, 1, 0))],
    ("c", 1): [((0, 1, 1), (1, 0, 1)), ((0, 1, 1), (1, 1, 0)), ((0, 1, 1), (HALF, HALF, HALF))],
    ("c", 4): [((HALF,) * 3, (0, 1, 1)), ((HALF,) * 3, (1, 0, 1)), ((HALF,) * 3, (1, 1, 0))],
}
NOTE = "In part (c) the last inequality of Q₄ is printed with ℓ₂ twice; ℓ₃ is meant, as the next line shows."


def _compute() -> Outcome:
    claims = []
    for part, loss in losses().items():
        found = tuple(loss.column(t) for t in range(loss.k))
        claims.append(equal(f"({part}) the columns ℓ_t", COLUMNS[part], found))
        for (where, t), steps in STEPS.items():
            if where == part:
                paper = tuple(_row(left, right) for left, right in steps)
                own = found[t - 1]
                rows = tuple(_row(own, other) for s, other in enumerate(found, start=1) if s != t)
                claims.append(equal(f"({part}) the rows of Q{'₀₁₂₃₄'[t]}, made primitive", paper, rows))
    return outcome("the columns, and the inequalities of the five sets that are worked out", *claims)


def _row(left: Vector, right: Vector) -> tuple[int, ...]:
    """p·left ≤ p·right as a primitive row a with a·p ≥ 0."""
    differences = [Fraction(b) - a for a, b in zip(left, right, strict=True)]
    return primitive(cleared(differences))


ITEM = Item(
    "app:calculations-trigger-prob",
    "Calculation of trigger probability sets for fig:trigger-prob",
    "The columns of L⁰⁻¹, Lᵒʳᵈ and L⁽ˀ⁾ for n = 3, and Q_t as p·ℓ_t ≤ p·ℓ_t′ for all t′.",
    _compute,
    NOTE,
)
