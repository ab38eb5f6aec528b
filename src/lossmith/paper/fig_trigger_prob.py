"""fig:trigger-prob: the trigger probability sets of 0-1, ordinal and abstain loss for three labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import lossmith as lm
from lossmith.paper.item import Item, Outcome, Picture, equal_sets, outcome

# The sets as the figure prints them, and as rows a with a·p ≥ 0 where Σ p = 1: p₁ ≥ ½ is p₁ − p₂ − p₃ ≥ 0.
MOST = {
    "p₁ ≥ max(p₂, p₃)": [(1, -1, 0), (1, 0, -1)],
    "p₂ ≥ max(p₁, p₃)": [(-1, 1, 0), (0, 1, -1)],
    "p₃ ≥ max(p₁, p₂)": [(-1, 0, 1), (0, -1, 1)],
}
HALVES = {"p₁ ≥ ½": [(1, -1, -1)], "p₂ ≥ ½": [(-1, 1, -1)], "p₃ ≥ ½": [(-1, -1, 1)]}
ORDER = {
    "p₁ ≥ ½": [(1, -1, -1)],
    "p₁ ≤ ½, p₃ ≤ ½": [(-1, 1, 1), (1, 1, -1)],
    "p₃ ≥ ½": [(-1, -1, 1)],
}
NO_HALF = {"max(p₁, p₂, p₃) ≤ ½": [(-1, 1, 1), (1, -1, 1), (1, 1, -1)]}
PAPER = {"a": MOST, "b": ORDER, "c": {**HALVES, **NO_HALF}}
NAMES = {"a": "0-1 loss L⁰⁻¹", "b": "ordinal regression loss Lᵒʳᵈ", "c": "‘abstain’ loss L⁽ˀ⁾"}
STATEMENT = "The sets Q_t of (a) 0-1 loss, (b) ordinal regression loss, (c) ‘abstain’ loss, all for n = 3."

CORNERS = ("(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)")
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
# The middles of the sides, and in which direction their names stand.
MIDDLES: dict[str, tuple[Fraction | int, ...]] = {
    "(½, ½, 0)": (HALF, HALF, 0),
    "(½, 0, ½)": (HALF, 0, HALF),
    "(0, ½, ½)": (0, HALF, HALF),
}
BESIDE: tuple[dict[str, Any], ...] = (
    {"offset": (0, -6), "va": "top"},
    {"offset": (-7, 0), "ha": "right"},
    {"offset": (7, 0), "ha": "left"},
)
CENTRE = {"(⅓, ⅓, ⅓)": (THIRD, THIRD, THIRD)}


def losses() -> dict[str, lm.LossMatrix]:
    """The losses of the three parts."""
    return {"a": lm.losses.zero_one(3), "b": lm.losses.ordinal(3), "c": lm.losses.abstain(3)}


def _compute() -> Outcome:
    claims, pictures = [], []
    for part, loss in losses().items():
        cells = lm.trigger_sets(loss)
        for i, (cell, (words, rows)) in enumerate(zip(cells, PAPER[part].items(), strict=True), start=1):
            claims.append(equal_sets(f"({part}) Q{'₀₁₂₃₄'[i]}", words, rows, cell.polytope))
        sets = "; ".join(f"Q{'₀₁₂₃₄'[i]} = {{p : {words}}}" for i, words in enumerate(PAPER[part], start=1))
        columns = [loss.column(t) for t in range(loss.k)]
        draw = partial(draw_cells, columns, "Q", f"({part}) {NAMES[part]}", CENTRE if part == "a" else {})
        alt = f"The triangle of distributions over three labels, divided into {len(cells)} cells: {sets}."
        caption = f"({part}) Trigger probability sets for {NAMES[part]}, n = 3: {sets}."
        pictures.append(Picture(f"fig-trigger-prob-{part}", draw, caption, alt))
    return outcome("3 + 3 + 4 sets, as printed", *claims, pictures=pictures)


def draw_cells(
    columns: Sequence[Sequence[Fraction]], letter: str, title: str, points: Mapping[str, Sequence[Fraction]]
) -> Any:
    """Draw the cells {p : p·z_i is least} of points z_1, z_2, …, named Q₁ or N(z₁), and so on, and the middles."""
    from lossmith.plot.labels import beside
    from lossmith.plot.palette import DOT
    from lossmith.plot.triangle import CORNERS as PLACES

    pattern = {"Q": "Q{}", "N": "N(z{})"}[letter]
    names = [pattern.format("₀₁₂₃₄"[i]) for i in range(1, len(columns) + 1)]
    rows = list(zip(*columns, strict=True))
    figure = lm.plot.trigger_sets(lm.LossMatrix(rows, CORNERS, names), points=points, title=title)
    ax = figure.axes[0]
    for (name, p), style in zip(MIDDLES.items(), BESIDE, strict=True):
        place = ([float(x) for x in p] @ PLACES).tolist()
        ax.plot(*place, clip_on=False, zorder=10, **DOT)
        beside(ax, place, name, **style)
    return figure


ITEM = Item("fig:trigger-prob", "Trigger probability sets for n = 3", STATEMENT, _compute)
