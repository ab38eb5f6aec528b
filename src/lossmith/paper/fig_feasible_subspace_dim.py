"""fig:feasible-subspace-dim: the feasible subspace dimension of a flat convex set at three points."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from typing import Any

import lossmith as lm
from lossmith.geometry.polytope import Polytope
from lossmith.paper.item import Item, Outcome, Picture, equal, outcome

CAPTION = (
    "Illustration of feasible subspace dimension μ_Q(p) of a 2-dimensional convex set Q at three points p = p¹, p², "
    "p³. Here μ_Q(p¹) = 2, μ_Q(p²) = 1, and μ_Q(p³) = 0."
)
# Points of Q₁ of 0-1 loss: inside, inside the edge p₁ = p₂, and at the corner where all three are equal.
POINTS = (
    (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)),
    (Fraction(5, 12), Fraction(5, 12), Fraction(1, 6)),
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)),
)
PAPER = (2, 1, 0)
PARTS = {"a": "Convex set Q", "b": "dim(F_Q(p¹) ∩ (−F_Q(p¹))) = 2", "c": "dim(F_Q(p²) ∩ (−F_Q(p²))) = 1"} | {
    "d": "dim(F_Q(p³) ∩ (−F_Q(p³))) = 0"
}
ALT = {
    "a": "A convex polygon Q with a point p¹ inside, p² on an edge and p³ at a corner.",
    "b": "The polygon Q with p¹ inside, from which arrows go in all directions: a plane.",
    "c": "The polygon Q with p² on an edge and a line through it along the edge.",
    "d": "The polygon Q with p³ at a corner; no line through it stays in Q on both sides.",
}


def _compute() -> Outcome:
    cell = lm.trigger_sets(lm.losses.zero_one(3))[0].polytope
    claims = [
        equal(f"μ_Q(p{'¹²³'[i]})", paper, lm.feasible_subspace_dimension(cell, p))
        for i, (p, paper) in enumerate(zip(POINTS, PAPER, strict=True))
    ]
    pictures = [
        Picture(f"fig-feasible-subspace-dim-{part}", partial(_draw, cell, part), f"({part}) {words}.", ALT[part])
        for part, words in PARTS.items()
    ]
    return outcome("2, 1 and 0, for Q = Q₁ of 0-1 loss, n = 3", *claims, pictures=pictures)


def _draw(cell: Polytope, part: str) -> Any:
    import numpy as np
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle, Polygon

    from lossmith.plot.labels import beside
    from lossmith.plot.palette import BORDER, DOT, INK, fill, line
    from lossmith.plot.placing import in_order
    from lossmith.plot.triangle import CORNERS

    outline = in_order(np.array(cell.vertices, dtype=float) @ CORNERS)
    places = np.array(POINTS, dtype=float) @ CORNERS
    figure = Figure(figsize=(3.4, 3.0))
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(-0.08, 0.68), ylim=(-0.12, 0.55), aspect="equal")
    ax.set_axis_off()
    ax.add_patch(Polygon(outline, clip_on=False, **fill(0)))
    ax.plot(*np.vstack([outline, outline[:1]]).T, **BORDER)
    beside(ax, (0.08, 0.055), "Q", (0, 0), size=13)
    accent = line(1)["color"]
    if part == "b":
        ax.add_patch(Circle(places[0], 0.1, facecolor="none", edgecolor=accent, linewidth=2, linestyle=(0, (5, 2))))
        for angle in np.arange(8) * np.pi / 4:
            tip = places[0] + 0.1 * np.array([np.cos(angle), np.sin(angle)])
            ax.annotate("", tip, places[0], arrowprops={"arrowstyle": "->", "color": accent, "linewidth": 1.4})
    if part == "c":
        reach = 0.13 * np.array([0, 1])  # the edge p₁ = p₂ is upright
        style = {"arrowstyle": "<->", "color": accent, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", places[1] + reach, places[1] - reach, arrowprops=style, annotation_clip=False)
    for i, place in enumerate(places):
        if part == "a" or part == "bcd"[i]:
            ax.plot(*place, clip_on=False, zorder=10, **DOT)
            offset, side = ((-9, -9), "right") if i == 0 and part == "a" else ((10, 4 if i < 2 else 8), "left")
            if part == "b":
                offset, side = (34, -26), "left"
            beside(ax, place, f"p{'¹²³'[i]}", offset, ha=side, size=12, color=INK)
    below: dict[str, Any] = {"ha": "center", "va": "center", "size": 10, "math_fontfamily": "dejavusans"}
    ax.text(0.3, -0.09, f"({part}) {_formula(part)}", clip_on=False, **below)
    return figure


def _formula(part: str) -> str:
    formula = re.sub(r"(\w+\(.*)", r"$\1$", PARTS[part]).replace("¹", "^1").replace("²", "^2").replace("³", "^3")
    return formula.replace("dim(", r"\mathrm{dim}(").replace("∩", r"\cap")


ITEM = Item("fig:feasible-subspace-dim", "Feasible subspace dimension", CAPTION, _compute)
