"""fig:pos-normals: the positive normal sets of the Crammer–Singer surrogate at four points."""

from __future__ import annotations

from functools import partial

import lossmith as lm
from lossmith.paper.fig_trigger_prob import HALVES, NO_HALF, draw_cells
from lossmith.paper.item import Item, Outcome, Picture, equal, equal_sets, outcome

POINTS = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0))
PAPER = {**HALVES, **NO_HALF}
STATEMENT = (
    "Positive normal sets for the Crammer–Singer surrogate, n = 3, at z_i = ψ(u_i) for u₁ = (1, 0, 0), u₂ = (0, 1, 0), "
    "u₃ = (0, 0, 1), u₄ = (0, 0, 0): "
    + "; ".join(f"N(z{'₁₂₃₄'[i]}) = {{p : {words}}}" for i, words in enumerate(PAPER))
    + "."
)


def _compute() -> Outcome:
    psi = lm.surrogates.crammer_singer(3)
    found = [lm.positive_normal_set(psi, u) for u in POINTS]
    claims = [
        equal_sets(f"N(z{'₁₂₃₄'[i]})", words, rows, found[i].polytope) for i, (words, rows) in enumerate(PAPER.items())
    ]
    # The picture shows where p·z_i is least; these cells are the sets above.
    cells = lm.trigger_sets(lm.LossMatrix(list(zip(*(each.z for each in found), strict=True))))
    drawn = tuple(cell.polytope.vertices for cell in cells)
    claims.append(equal("what is drawn", tuple(each.polytope.vertices for each in found), drawn))
    draw = partial(draw_cells, [each.z for each in found], "N", "Crammer–Singer surrogate", {})
    alt = f"The triangle of distributions over three labels, divided into four cells. {STATEMENT}"
    picture = Picture("fig-pos-normals", draw, STATEMENT, alt)
    return outcome("four sets, as printed", *claims, pictures=[picture])


ITEM = Item("fig:pos-normals", "Positive normal sets of the Crammer–Singer surrogate", STATEMENT, _compute)
