"""Three labels: the simplex as an equilateral triangle; at corner i label i is certain."""

from __future__ import annotations

from typing import Any

import numpy as np

from lossmith.geometry.polytope import Polytope
from lossmith.plot import flat
from lossmith.plot.labels import beside, name_cells, wrapped
from lossmith.plot.overlay import walls
from lossmith.plot.palette import DOT
from lossmith.plot.placing import Points, in_order
from lossmith.plot.scene import Scene

INCHES = (4.6, 4.6 * 3**0.5 / 2)
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
    return not name_cells(ax, scene, hulls, ax.transData.transform(dots), taken, [()] * len(hulls), lines)


def _outline(polytope: Polytope) -> Points:
    return in_order(np.array(polytope.vertices, dtype=float) @ CORNERS)
