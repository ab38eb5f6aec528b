"""How cells and dots are painted: colours that colour-blind readers can tell apart, then hatches."""

from __future__ import annotations

from typing import Any

INK = "0.12"

# Okabe and Ito's colours (https://jfly.uni-koeln.de/color), with grey for black: the lines and the text are black.
_OKABE_ITO = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#999999", "#0072B2", "#D55E00")
# On white, without yellow; each with a dash of its own, for those who see no colour.
_LINES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", INK)
_DASHES = ("solid", (0, (6, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (6, 2, 1, 2, 1, 2)))
_HATCHES = (None, "////", "....", "\\\\\\\\", "xxxx", "----", "||||", "++++", "oooo")
_TINT = 0.25  # so much white is mixed in, for the text's sake
_PALE = 0.75

BORDER: dict[str, Any] = {"color": INK, "linewidth": 1.1, "solid_joinstyle": "round", "solid_capstyle": "round"}
# Over the cells of a loss lie those of a surrogate: the former then have pale borders, which dark dashes cross.
SEAM: dict[str, Any] = {**BORDER, "color": "white", "linewidth": 1.8}
DASHED: dict[str, Any] = {"color": INK, "linewidth": 1.5, "linestyle": (0, (4, 2.2)), "dash_capstyle": "butt"}
WARNING = "#B00020"  # darker than every colour of a cell, so that it needs no hue to be seen
WARNED: dict[str, Any] = {"color": WARNING, "linewidth": 3.2, "solid_joinstyle": "round", "solid_capstyle": "round"}
HATCHED: dict[str, Any] = {"facecolor": "none", "edgecolor": WARNING, "hatch": "///", "linewidth": 0}
REGION: dict[str, Any] = {**BORDER, "linewidth": 2.2}
DOT: dict[str, Any] = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 7,
    "markerfacecolor": "black",
    "markeredgecolor": "white",
    "markeredgewidth": 1.4,
}


def fill(prediction: int) -> dict[str, Any]:
    """Choose the paint of a cell: a decision keeps it from picture to picture, and 72 of them can be told apart.

    >>> fill(0)["facecolor"] == fill(8)["facecolor"], fill(0)["hatch"] == fill(8)["hatch"]
    (True, False)
    """
    hatches, colour = divmod(prediction, len(_OKABE_ITO))
    return {
        "facecolor": _tinted(_OKABE_ITO[colour]),
        "hatch": _HATCHES[hatches % len(_HATCHES)],
        "edgecolor": "0.35",  # the colour of the hatch; borders are drawn apart
        "linewidth": 0,
    }


def line(label: int) -> dict[str, Any]:
    """Choose the paint of the curve of a label: 35 of them can be told apart.

    >>> line(0)["color"] == line(7)["color"], line(0)["linestyle"] == line(7)["linestyle"]
    (True, False)
    """
    return {"color": _LINES[label % len(_LINES)], "linestyle": _DASHES[label % len(_DASHES)], "linewidth": 2}


def pale(prediction: int) -> dict[str, Any]:
    """Choose the paint of what lies outside the region in question: a hint of the colour of the cell."""
    paint = fill(prediction)
    return {**paint, "facecolor": _tinted(paint["facecolor"], _PALE), "edgecolor": "0.8"}


def _tinted(colour: str, white: float = _TINT) -> str:
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(x + white * (255 - x)):02x}" for x in channels)
