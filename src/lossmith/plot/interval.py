"""Two labels: the simplex as the interval of the second label's probability."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.patches import Polygon

from lossmith.plot.labels import beside, extent, name_cells, pixels, wrapped
from lossmith.plot.palette import BORDER, DOT, INK, fill
from lossmith.plot.room import spread
from lossmith.plot.scene import Scene

INCHES = (5.4, 0.55)
_NARROW = 4  # points; what is narrower gets a flag, lest its borders hide it
_LEADER: dict[str, Any] = {"arrowstyle": "-", "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}


def draw(ax: Any, scene: Scene) -> bool:
    """Draw the cells as pieces of a bar; whether each of them has room for its whole name."""
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.set_axis_off()
    outlines = []
    for cell in scene.cells:
        low, high = np.sort(scene.vertices(cell)[:, 1])
        outlines.append(np.array([(low, 0), (high, 0), (high, 1), (low, 1)]))
        ax.add_patch(Polygon(outlines[-1], clip_on=False, **fill(cell.prediction)))
        if (high - low) * ax.bbox.width < pixels(ax, _NARROW):
            flag = {"marker": "v", "markersize": 8, "markerfacecolor": fill(cell.prediction)["facecolor"]}
            ax.plot((low + high) / 2, 1.12, color=INK, markeredgewidth=0.8, clip_on=False, **flag)
    for outline in outlines:
        ax.plot(*np.vstack([outline, outline[:1]]).T, clip_on=False, **BORDER)
    for name, x, side in zip(scene.labels, (0, 1), ("right", "left"), strict=True):
        beside(ax, (x, 0.5), wrapped(name), (-8 if x == 0 else 8, 0), ha=side, weight="bold")
    thresholds = sorted({vertex[1] for cell in scene.cells for vertex in cell.polytope.vertices})
    _in_a_row(ax, [float(x) for x in thresholds], numbers(thresholds), 0, -9)
    beside(ax, (0.5, 0), f"P({scene.labels[1]})", (0, -26), va="top")
    if len(scene.points):
        ax.plot(scene.points[:, 1], np.ones(len(scene.points)), clip_on=False, zorder=900, **DOT)
    named = sorted((x, name) for x, name in zip(scene.points[:, 1], scene.point_names, strict=True) if name)
    _in_a_row(ax, [x for x, _ in named], [name for _, name in named], 1, 11)
    hulls = [ax.transData.transform(outline) for outline in outlines]
    return name_cells(ax, scene, hulls, np.empty((0, 2)), (), [()] * len(hulls))


def _in_a_row(ax: Any, places: Sequence[float], texts: Sequence[str], y: int, distance: float) -> None:
    """Write texts above or below the bar, each tied to its place by a line, moved sideways where they are crowded."""
    leader = {**_LEADER, "color": mpl.rcParams["text.color"]}
    at = [ax.transData.transform((x, y))[0] for x in places]
    moved = spread(at, [extent(ax, text)[0] for text in texts], pixels(ax, 4))
    for x, text, start, end in zip(places, texts, at, moved, strict=True):
        offset = ((end - start) / pixels(ax, 1), distance)
        beside(ax, (x, y), text, offset, va="bottom" if distance > 0 else "top", arrowprops=leader)


def numbers(values: Sequence[Fraction]) -> list[str]:
    """Write the values as fractions where these are short, else as decimals long enough to tell them apart.

    >>> numbers([Fraction(1, 6), Fraction(1234, 6789), Fraction(12341, 67891)])
    ['1/6', '0.18176', '0.18178']
    """
    for digits in range(4, 18):
        texts = [str(x) if x.denominator <= 100 else f"{float(x):.{digits}g}" for x in values]
        if len(set(texts)) == len(values):
            break
    return texts
