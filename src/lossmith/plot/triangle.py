"""Three labels: the simplex as an equilateral triangle; at corner i label i is certain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np

from lossmith.geometry.edges import walls
from lossmith.geometry.polytope import Polytope
from lossmith.plot import flat
from lossmith.plot.labels import beside, extent, name_cells, pixels, wrapped
from lossmith.plot.palette import DOT
from lossmith.plot.placing import Points, along, centroid, in_order, spread
from lossmith.plot.scene import Scene

INCHES = (4.6, 4.6 * 3**0.5 / 2)
_FEW, _GAP = 4, 0.05  # cells without room for their names: these stand outside, with a line to each; so far away
CORNERS = np.array([(0.0, 0.0), (1.0, 0.0), (0.5, 3**0.5 / 2)])


def draw(ax: Any, scene: Scene) -> bool:
    """Draw the cells as polygons; whether each of them has room for its whole name."""
    ax.set(xlim=(0, 1), ylim=(0, CORNERS[2, 1]), aspect="equal")
    ax.set_axis_off()
    ax.apply_aspect()  # text is measured in pixels, which must not change any more
    outlines = [_outline(cell.polytope) for cell in scene.cells]
    over = scene.overlay
    regions = [_outline(region) for region in over.within]
    flat.paint(ax, scene, outlines, regions)
    borders = [np.array(wall, dtype=float) @ CORNERS for wall in walls(over.cells)]
    bad = None if over.bad is None else _outline(over.bad)
    lines = flat.draw_lines(ax, scene, outlines, CORNERS, borders, bad, regions)
    names = [
        beside(ax, corner, wrapped(name), (0, 7 * side), va="bottom" if side > 0 else "top", weight="bold")
        for name, corner, side in zip(scene.labels, CORNERS, (-1, -1, 1), strict=True)
    ]
    dots = scene.points @ CORNERS
    if len(dots):
        ax.plot(*dots.T, clip_on=False, zorder=10, **DOT)
    hulls = [ax.transData.transform(outline) for outline in outlines]
    taken = [name.get_window_extent() for name in names]
    few = 0 if len(dots) else _FEW
    lacking = name_cells(ax, scene, hulls, ax.transData.transform(dots), taken, [()] * len(hulls), lines, few)
    if len(lacking) > few:
        return False
    _tie(ax, [(scene.names[i], centroid(outlines[i])) for i in lacking])
    return True


def _tie(ax: Any, cells: Sequence[tuple[str, Points]]) -> None:
    """Write names outside the triangle, each with a line to the middle of its cell."""
    written = [text.get_window_extent() for text in ax.texts]
    sides: dict[int, list[tuple[float, float, str, Points]]] = {-1: [], 1: []}
    for name, middle in cells:
        reach = {side: np.array([_edge(side, middle[1]), middle[1]]) for side in sides}
        struck = {side: _struck(ax, np.array([middle, end]), written) for side, end in reach.items()}
        side = min(sides, key=lambda side: (struck[side], abs(reach[side][0] - middle[0])))
        height = extent(ax, wrapped(name))[1]
        place = max(float(ax.transData.transform(middle)[1]), float(ax.bbox.y0) + height / 2)
        sides[side].append((place, height, wrapped(name), middle))
    for side, row in sides.items():
        row.sort(key=lambda each: each[0])
        moved = spread([each[0] for each in row], [each[1] for each in row], pixels(ax, 3)) if row else []
        lift = max([0.0, *(float(ax.bbox.y0) + height / 2 - y for y, (_, height, *_) in zip(moved, row, strict=True))])
        for y, (_, _, text, middle) in zip(moved, row, strict=True):
            _lead(ax, side, y + lift, text, middle)


def _lead(ax: Any, side: int, y: float, text: str, middle: Points) -> None:
    """One name beside the triangle, at the height y in pixels, and its line."""
    up = float(ax.transData.inverted().transform((0, y))[1])
    start = np.array([_edge(side, min(up, CORNERS[2, 1])) + side * _GAP, up])
    line = {"color": mpl.rcParams["text.color"], "linewidth": 0.8, "marker": "o", "markersize": 2.4, "markevery": [1]}
    ax.plot(*np.array([start, middle]).T, clip_on=False, zorder=950, **line)
    beside(
        ax, start.tolist(), text, (3 * side, 0), ha="left" if side > 0 else "right", ma="left" if side > 0 else "right"
    )


def _edge(side: int, height: float) -> float:
    """Where the left or the right edge of the triangle is at that height."""
    inward = height / 3**0.5
    return inward if side < 0 else 1 - inward


def _struck(ax: Any, line: Points, boxes: Sequence[Any]) -> int:
    """How many of the boxes a line crosses."""
    path = along(ax.transData.transform(line), pixels(ax, 2))
    return sum(any(box.overlaps(each) for each in path) for box in boxes)


def _outline(polytope: Polytope) -> Points:
    return in_order(np.array(polytope.vertices, dtype=float) @ CORNERS)
