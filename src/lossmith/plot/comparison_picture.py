"""What ways to decide cost: a dot with its interval for each, and a line for one who knows the truth."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from lossmith.errors import BadInput
from lossmith.plot.frame import axes_for, extents, framed, write_title
from lossmith.plot.labels import SIZE, beside
from lossmith.plot.palette import DOT, INK, line

INCHES = (4.2, 0.3)  # the height is that of one row


def comparison(shown: Any, *, ax: Any = None, title: str | None = None) -> Figure:
    """Draw what `lm.learn.compare` returns: mean costs with 95 % intervals of their distance from the cheapest.

    >>> from sklearn.datasets import load_iris
    >>> from lossmith.learn import compare
    >>> X, y = load_iris(return_X_y=True)
    >>> comparison(compare("zero_one:n=3", None, X, y, cv=2)).axes[0].get_xlabel().splitlines()
    ['cost per example', 'lines: 95 % intervals of the distance from the cheapest']
    """
    if not hasattr(shown, "practices"):
        raise BadInput(f"{type(shown).__name__} has no practices; give what lm.learn.compare returns")
    new = ax is None
    ax = axes_for(ax, (INCHES[0], INCHES[1] * (len(shown.practices) + 1)), "rectilinear", "comparisons")
    names = []
    for place, each in enumerate(shown.practices):
        _, width = shown.difference(each.name, shown.best.name)
        ax.plot([each.mean - width, each.mean + width], [place, place], color=line(0)["color"], linewidth=2)
        ax.plot(each.mean, place, **{**DOT, "markersize": 5, "markeredgewidth": 0})
        names.append(beside(ax, (0, place), each.name, (-8, 0), xycoords=ax.get_yaxis_transform(), ha="right"))
    ax.axvline(shown.oracle, color=INK, linewidth=1, linestyle=(0, (4, 2)))
    beside(ax, (shown.oracle, 1), "knows the truth", (4, 0), xycoords=ax.get_xaxis_transform(), ha="left", va="top")
    ax.set_ylim(len(shown.practices) - 0.4, -0.9)  # the cheapest on top, with room for the words
    ax.set_yticks([])
    ax.set_xlabel("cost per example\nlines: 95 % intervals of the distance from the cheapest", size=SIZE)
    ax.tick_params(labelsize=SIZE - 1)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.figure.canvas.figure.draw_without_rendering()
    outer = extents(ax, [ax.xaxis.label, *names])
    if title is None:
        title = shown.name
    if title:
        write_title(ax, title, outer)
    return framed(ax, new=new)
