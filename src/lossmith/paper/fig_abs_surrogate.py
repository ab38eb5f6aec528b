"""fig:abs-surrogate: the absolute surrogate, and its positive normal sets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import lossmith as lm
from lossmith.paper.exmp_pos_normals_abs_surrogate import POINTS
from lossmith.paper.fig_trigger_prob import ORDER, draw_cells
from lossmith.paper.item import Claim, Item, Outcome, Picture, equal, equal_sets, outcome

CAPTION = (
    "(a) The ‘absolute’ surrogate ψ : R → R₊³ (for n = 3), and (b) its positive normal sets at 3 points z_i = ψ(u_i) "
    "for u₁ = 1, u₂ = 2, u₃ = 3."
)


def surrogate_pictures(
    name: str, psi: lm.PolyhedralSurrogate, points: Sequence[Fraction | int], sets: dict[str, Any], title: str
) -> tuple[list[Claim], list[Picture]]:
    """What the two parts of the figure show, compared with the sets of the paper, and the pictures."""
    found = [lm.positive_normal_set(psi, [u]) for u in points]
    claims = [
        equal_sets(f"(b) N(z{'₁₂₃₄'[i]})", words, rows, found[i].polytope)
        for i, (words, rows) in enumerate(sets.items())
    ]
    cells = lm.trigger_sets(lm.LossMatrix(list(zip(*(each.z for each in found), strict=True))))
    drawn = tuple(cell.polytope.vertices for cell in cells)
    claims.append(equal("what is drawn in (b)", tuple(each.polytope.vertices for each in found), drawn))
    listed = "; ".join(f"N(z{'₁₂₃₄'[i]}) = {{p : {words}}}" for i, words in enumerate(sets))
    where = ", ".join(f"u{'₁₂₃₄'[i]} = {float(u):g}" for i, u in enumerate(points))
    parts = [
        Picture(
            f"fig-{name}-surrogate-a",
            partial(_draw_curves, psi, points, f"(a) {title}"),
            f"(a) {title}: ψ₁, ψ₂, ψ₃ over u, with {where} marked on the axis.",
            f"Three V-shaped curves over u, with their least points at 1, 2 and 3, and marks at {where}.",
        ),
        Picture(
            f"fig-{name}-surrogate-b",
            partial(draw_cells, [each.z for each in found], "N", "(b) positive normal sets", {}),
            f"(b) Its positive normal sets at z_i = ψ(u_i), {where}: {listed}.",
            f"The triangle of distributions over three labels, divided into {len(found)} cells: {listed}.",
        ),
    ]
    return claims, parts


def _draw_curves(psi: lm.PolyhedralSurrogate, points: Sequence[Fraction | int], title: str) -> Any:
    from matplotlib.text import Text

    names = [f"ψ{'₁₂₃'[y]}" for y in range(3)]
    decisions = [f"z{'₁₂₃₄'[i]}" for i in range(len(points))]
    embedded = lm.LossMatrix(list(zip(*(psi([u]) for u in points), strict=True)), names, decisions, "the z_i")
    figure = lm.plot.curves(psi, loss=embedded, title=title)
    for text in figure.findobj(Text):
        if text.get_text().startswith("on the axis"):
            text.set_text(f"on the axis: u₁, …, u{'₁₂₃₄'[len(points) - 1]}, where zᵢ = ψ(uᵢ)")
    return figure


def _compute() -> Outcome:
    claims, pictures = surrogate_pictures("abs", lm.surrogates.absolute(3), POINTS, ORDER, "‘absolute’ surrogate")
    return outcome("three sets, as described", *claims, pictures=pictures)


ITEM = Item("fig:abs-surrogate", "The ‘absolute’ surrogate and its positive normal sets", CAPTION, _compute)
