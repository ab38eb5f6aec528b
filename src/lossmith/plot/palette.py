"""How cells and dots are painted: colours that colour-blind readers can tell apart, then hatches."""

from __future__ import annotations

from typing import Any

INK = "0.12"

# Okabe and Ito's colours (https://jfly.uni-koeln.de/color), with grey for black: the lines and the text are black.
_OKABE_ITO = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#999999", "#0072B2", "#D55E00")
_HATCHES = (None, "////", "....", "\\\\\\\\", "xxxx", "----", "||||", "++++", "oooo")
_TINT = 0.25  # so much white is mixed in, for the text's sake

BORDER: dict[str, Any] = {"color": INK, "linewidth": 1.1, "solid_joinstyle": "round", "solid_capstyle": "round"}
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


def _tinted(colour: str) -> str:
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(x + _TINT * (255 - x)):02x}" for x in channels)
