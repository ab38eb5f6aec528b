"""fig:necess-cond-illus: a positive normal set that meets the interiors of two trigger sets, computed and drawn."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.geometry.polytope import Polytope
from lossmith.paper.fig_trigger_prob import CORNERS
from lossmith.paper.item import Item, Outcome, Picture, equal, holds, outcome

CAPTION = (
    "Visual proof of thm:condition-necessary. If the positive normal set N(z) at some z meets the interiors of two "
    "trigger sets, say Q₁ and Q₂, then ψ cannot be L-calibrated."
)
Q1, Q2 = (Fraction(9, 20), Fraction(8, 20), Fraction(3, 20)), (Fraction(1, 5), Fraction(7, 10), Fraction(1, 10))


def _compute() -> Outcome:
    # An instance of the illustration: (|u − y| − ¼)₊ at u = 1.75 and 0-1 loss; N(z) meets Q₁ and Q₂ but not inside Q₃.
    psi, loss = lm.surrogates.epsilon_insensitive(3, "1/4"), lm.losses.zero_one(3)
    normals = lm.positive_normal_set(psi, ["7/4"]).polytope
    third = lm.trigger_sets(loss)[2].polytope
    middle = [sum(column, Fraction(0)) / len(normals.vertices) for column in zip(*normals.vertices, strict=True)]
    alt = (
        "The triangle of distributions with the cells Q₁, Q₂, Q₃ of 0-1 loss in colours. A hatched triangle, N(z), "
        "lies across the border of Q₁ and Q₂; it holds a point q₁ in Q₁ and a point q₂ in Q₂."
    )
    return outcome(
        "an instance: the ε-insensitive surrogate at u = 1.75 and 0-1 loss",
        equal("the only best decision at q₁ ∈ N(z)", (1,), _best(loss, Q1)),
        equal("the only best decision at q₂ ∈ N(z)", (2,), _best(loss, Q2)),
        holds("q₁, q₂ ∈ N(z)", normals.contains(Q1) and normals.contains(Q2)),
        holds("the middle of N(z) is not in Q₃", not third.contains(middle)),
        equal("so ψ is", "not calibrated", lm.check(psi, loss).status),
        pictures=[Picture("fig-necess-cond-illus", partial(_draw, normals), CAPTION, alt)],
    )


def _best(loss: lm.LossMatrix, p: tuple[Fraction, ...]) -> tuple[int, ...]:
    return tuple(t + 1 for t in loss.optimal_predictions(p))


def _draw(normals: Polytope) -> Any:
    from matplotlib.patches import Patch

    from lossmith.plot.overlay import Overlay
    from lossmith.plot.palette import HATCHED
    from lossmith.plot.simplex import picture

    loss = lm.LossMatrix(lm.losses.zero_one(3).entries, CORNERS, ["Q₁", "Q₂", "Q₃"])
    key = [(Patch(**{**HATCHED, "linewidth": 2}), "hatched: the positive normal set N(z)")]
    return picture(Facts(loss), {"q₁": Q1, "q₂": Q2}, Overlay((normals,), normals), key)


ITEM = Item("fig:necess-cond-illus", "Visual proof of thm:condition-necessary", CAPTION, _compute)
