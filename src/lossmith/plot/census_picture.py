"""A census as bars: how many losses have which affdim, and how many of those which CCdim."""

from __future__ import annotations

from collections import Counter
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from lossmith.answers.small_losses import Census, SmallLoss
from lossmith.errors import BadInput
from lossmith.plot.frame import extents, framed, legend_below, write_title
from lossmith.plot.labels import SIZE, beside
from lossmith.plot.palette import INK, fill

_INCHES = (3.4, 2.6)
_WIDE = 0.7  # a bar, where bars are 1 apart


def census(found: Census, *, ax: Any = None, title: str | None = None) -> Figure:
    """Draw a bar for each affdim, as high as it has classes of losses, divided by CCdim; open ones are hatched.

    >>> from lossmith.answers.small_losses import census as census_of
    >>> figure = census(census_of(3, 3, (0, 1)))
    >>> [text.get_text() for text in figure.axes[0].texts][:3]
    ['13', '8', '2']
    """
    if not isinstance(found, Census):
        raise BadInput("a picture is drawn of a census; write lm.plot.census(lm.census(3, 4, (0, 2)))")
    new = ax is None
    if new:
        figure = Figure(figsize=_INCHES)
        figure.set_layout_engine("none")
        ax = figure.add_axes((0, 0, 1, 1))
    numbers = Counter((each.affdim, _kind(each)) for each in found.classes)
    kinds = sorted({kind for _, kind in numbers})
    heights: Counter[int] = Counter()
    for kind in kinds:
        for affdim in sorted({x for x, other in numbers if other == kind}):
            number = numbers[affdim, kind]
            ax.bar(affdim, number, _WIDE, bottom=heights[affdim], **_paint(kind))
            heights[affdim] += number
    for affdim, height in sorted(heights.items()):
        beside(ax, (affdim, height), f"{height:,}", (0, 3), va="bottom")
    ax.set_ylim(0, 1.1 * max(heights.values(), default=1))
    ax.set_xlabel("affdim", size=SIZE)
    ax.set_ylabel("classes of losses", size=SIZE)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=SIZE - 1)
    ax.figure.canvas.figure.draw_without_rendering()  # labels move below the numbers
    outer = extents(ax, [ax.xaxis.label, *ax.texts])
    legend_below(ax, [Patch(**_paint(kind)) for kind in kinds], [f"CCdim {each[-1]}" for each in kinds], outer, ncols=2)
    if title is None:
        title = f"{found.labels} labels, {found.decisions} decisions, {found.entries[0]}..{found.entries[1]}"
    if title:
        write_title(ax, title, outer)
    return framed(ax, new=new)


def _kind(each: SmallLoss) -> tuple[int, int, str]:
    return each.lower, each.upper, each.shown


def _paint(kind: tuple[int, int, str]) -> dict[str, Any]:
    """A colour for each CCdim; that of the lower bound, hatched, where the bounds differ."""
    lower, upper, _ = kind
    return {**fill(lower), "edgecolor": INK, "linewidth": 0.8, "hatch": None if lower == upper else "////"}
