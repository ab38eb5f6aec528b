"""fig:loss-matrices: the four loss matrices, drawn as the figure has them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import lossmith as lm
from lossmith.losses.matrix import LossMatrix
from lossmith.paper.item import Item, Outcome, Picture, equal, outcome

HALF = Fraction(1, 2)
PAPER = {
    "(a) L⁰⁻¹, n = 3": ((0, 1, 1), (1, 0, 1), (1, 1, 0)),
    "(b) Lᵒʳᵈ, n = 3": ((0, 1, 2), (1, 0, 1), (2, 1, 0)),
    "(c) Lᴴᵃᵐ, r = 2": ((0, 1, 1, 2), (1, 0, 2, 1), (1, 2, 0, 1), (2, 1, 1, 0)),
    "(d) L⁽ˀ⁾, n = 3": ((0, 1, 1, HALF), (1, 0, 1, HALF), (1, 1, 0, HALF)),
}
CAPTION = (
    "Loss matrices corresponding to Examples 1–4: (a) L⁰⁻¹ for n = 3; (b) Lᵒʳᵈ for n = 3; (c) Lᴴᵃᵐ for r = 2 (n = 4); "
    "(d) L⁽ˀ⁾ for n = 3."
)


def _losses() -> list[LossMatrix]:
    return [lm.losses.zero_one(3), lm.losses.ordinal(3), lm.losses.hamming(2), lm.losses.abstain(3)]


def _compute() -> Outcome:
    found = [loss.entries for loss in _losses()]
    claims = [equal(name, PAPER[name], entries) for name, entries in zip(PAPER, found, strict=True)]
    alt = ". ".join(f"({letter}) rows {_spoken(loss)}" for letter, loss in zip("abcd", _losses(), strict=True))
    picture = Picture("fig-loss-matrices", _draw, CAPTION, f"Four loss matrices in brackets. {alt}.")
    return outcome("all four matrices", *claims, pictures=[picture])


def _spoken(loss: LossMatrix) -> str:
    return "; ".join(" ".join(map(str, row)) for row in loss.entries)


def _draw() -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 1.9))
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    left = 0.0
    for letter, loss in zip("abcd", _losses(), strict=True):
        _bracketed(ax, loss, left, f"({letter})")
        left += loss.k + 1.4
    ax.set(xlim=(-0.3, left - 1.1), ylim=(-3.2, 2.2), aspect="equal")
    return figure


def _bracketed(ax: Any, loss: LossMatrix, left: float, name: str) -> None:
    """Write the entries in rows around height 0, with brackets beside them and the name below all four."""
    top = loss.n / 2
    for y, row in enumerate(loss.entries):
        for t, entry in enumerate(row):
            text = "½" if entry == HALF else str(entry)
            ax.text(left + t + 0.5, top - y - 0.5, text, ha="center", va="center", size=13)
    for x, inwards in ((left - 0.05, 0.18), (left + loss.k + 0.05, -0.18)):
        ax.plot([x + inwards, x, x, x + inwards], [top, top, -top, -top], color="black", linewidth=1.3)
    ax.text(left + loss.k / 2, -2.7, name, ha="center", va="center", size=13)


ITEM = Item("fig:loss-matrices", "Loss matrices corresponding to Examples 1–4", CAPTION, _compute)
