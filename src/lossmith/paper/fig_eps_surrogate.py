"""fig:eps-surrogate: the ε-insensitive surrogate, and its positive normal sets."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.exmp_pos_normals_eps_surrogate import POINTS, SETS
from lossmith.paper.fig_abs_surrogate import surrogate_pictures
from lossmith.paper.item import Item, Outcome, outcome

CAPTION = (
    "(a) The ‘ε-insensitive’ surrogate ψ : R → R₊³ for ε = 0.25 (and n = 3), and (b) its positive normal sets at 4 "
    "points z_i = ψ(u_i) for u₁ = 1.25, u₂ = 1.75, u₃ = 2.25, u₄ = 2.75."
)


def _compute() -> Outcome:
    psi = lm.surrogates.epsilon_insensitive(3, "1/4")
    claims, pictures = surrogate_pictures("eps", psi, POINTS, SETS, "‘ε-insensitive’ surrogate, ε = 0.25")
    return outcome("four sets, as described", *claims, pictures=pictures)


ITEM = Item("fig:eps-surrogate", "The ‘ε-insensitive’ surrogate and its positive normal sets", CAPTION, _compute)
