"""Two labels: the simplex as the interval of the second label's probability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np

from lossmith.geometry.polytope import Polytope
from lossmith.plot import flat
from lossmith.plot.labels import beside, extent, name_cells, pixels, wrapped
from lossmith.plot.palette import DOT, INK, fill
from lossmith.plot.placing import Points, spread
from lossmith.plot.scene import Scene
from lossmith.text.numbers import probabilities

INCHES = (5.4, 0.55)
_NARROW = 4  # points; what is narrower gets a flag, lest its borders hide it
_FEW = 3  # cells without room for their names: these stand above, with a line to each
_BAR = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_REACH = 0.12  # so far the borders of a surrogate's cells reach out of the bar
_LEADER: dict[str, Any] = {"arrowstyle": "-", "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}


def draw(ax: Any, scene: Scene) -> bool:
    """Draw the cells as pieces of a bar; whether each of them has room for its whole name."""
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.set_axis_off()
    outlines = [_outline(cell.polytope) for cell in scene.cells]
    over = scene.overlay
    regions = [_outline(region) for region in over.within]
    flat.paint(ax, scene, outlines, regions)
    for cell, outline in zip(scene.cells, outlines, strict=True):
        if np.ptp(outline[:, 0]) * ax.bbox.width < pixels(ax, _NARROW):
            flag = {"marker": "v", "markersize": 8, "markerfacecolor": fill(cell.prediction)["facecolor"]}
            ax.plot(outline[:, 0].mean(), 1.12, color=INK, markeredgewidth=0.8, clip_on=False, **flag)
    ends = {vertex[1] for cell in over.cells for vertex in cell.vertices}
    borders = [np.array([(x, -_REACH), (x, 1 + _REACH)], dtype=float) for x in sorted(ends - {0, 1})]
    bad = None if over.bad is None else _outline(over.bad)
    lines = flat.draw_lines(ax, scene, outlines, np.array(_BAR), borders, bad, regions)
    for name, x, side in zip(scene.labels, (0, 1), ("right", "left"), strict=True):
        beside(ax, (x, 0.5), wrapped(name), (-8 if x == 0 else 8, 0), ha=side, weight="bold")
    numbered = [*over.within, *(cell.polytope for cell in scene.cells)]
    thresholds = sorted(ends.union(vertex[1] for polytope in numbered for vertex in polytope.vertices))
    in_a_row(ax, [float(x) for x in thresholds], probabilities(thresholds), 0, -9)
    beside(ax, (0.5, 0), f"P({scene.labels[1]})", (0, -26), va="top")
    if len(scene.points):
        ax.plot(scene.points[:, 1], np.ones(len(scene.points)), clip_on=False, zorder=900, **DOT)
    named = sorted((x, name) for x, name in zip(scene.points[:, 1], scene.point_names, strict=True) if name)
    in_a_row(ax, [x for x, _ in named], [name for _, name in named], 1, 11)
    hulls = [ax.transData.transform(outline) for outline in outlines]
    lacking = name_cells(ax, scene, hulls, np.empty((0, 2)), (), [()] * len(hulls), lines)
    if len(lacking) > _FEW or len(scene.points):
        return not lacking
    narrow = sorted((float(outlines[i][:, 0].mean()), scene.names[i]) for i in lacking)
    in_a_row(ax, [x for x, _ in narrow], [wrapped(name) for _, name in narrow], 1, 16)
    return True


def _outline(polytope: Polytope) -> Points:
    low, *_, high = sorted(float(vertex[1]) for vertex in [*polytope.vertices, polytope.vertices[-1]])
    return np.array([(low, 0), (high, 0), (high, 1), (low, 1)])


def in_a_row(ax: Any, places: Sequence[float], texts: Sequence[str], y: float, distance: float) -> None:
    """Write texts above or below the bar, each tied to its place by a line, moved sideways where they are crowded."""
    leader = {**_LEADER, "color": mpl.rcParams["text.color"]}
    at = [ax.transData.transform((x, y))[0] for x in places]
    moved = spread(at, [extent(ax, text)[0] for text in texts], pixels(ax, 4))
    for x, text, start, end in zip(places, texts, at, moved, strict=True):
        offset = ((end - start) / pixels(ax, 1), distance)
        beside(ax, (x, y), text, offset, va="bottom" if distance > 0 else "top", arrowprops=leader)
