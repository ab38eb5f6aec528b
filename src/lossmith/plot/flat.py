"""What a bar and a triangle have in common: cells as polygons on paper, and what a verdict lays over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.patches import Polygon
from matplotlib.path import Path

from lossmith.plot.labels import CLEAR, pixels
from lossmith.plot.palette import BORDER, DASHED, HATCHED, REGION, SEAM, WARNED, fill, pale
from lossmith.plot.placing import Points, along
from lossmith.plot.scene import Scene


def paint(ax: Any, scene: Scene, outlines: Sequence[Points], regions: Sequence[Points]) -> None:
    """Fill the cells with their colours; if there are regions, outside them a hint of colour is left."""
    for cell, outline in zip(scene.cells, outlines, strict=True):
        colours = (pale if regions else fill)(cell.prediction)
        ax.add_patch(Polygon(outline, clip_on=False, **colours))
    for region in regions:
        for cell, outline in zip(scene.cells, outlines, strict=True):
            ax.add_patch(Polygon(outline, clip_path=(Path(region), ax.transData), **fill(cell.prediction)))


def draw_lines(
    ax: Any,
    scene: Scene,
    outlines: Sequence[Points],
    simplex: Points,
    walls: Sequence[Points],
    bad: Points | None,
    regions: Sequence[Points],
) -> list[Any]:
    """Draw the borders of the cells and what lies over them; boxes of pixels along the lines that cross cells."""
    over = scene.overlay != type(scene.overlay)()
    for outline in outlines:
        _close(ax, outline, SEAM if over else BORDER)
    if not over:
        return []
    _close(ax, simplex, BORDER)
    for region in regions:
        _close(ax, region, REGION)
    if bad is not None:
        ax.add_patch(Polygon(bad, clip_on=False, zorder=2.1, **HATCHED))
        _close(ax, bad, {**WARNED, "zorder": 2.2})
    for wall in walls:
        ax.plot(*wall.T, clip_on=False, zorder=2.3, **DASHED)
    crossing = [*walls, *(edge for region in regions for edge in _sides(region))]
    return [box for line in crossing for box in along(ax.transData.transform(line), pixels(ax, CLEAR))]


def _sides(outline: Points) -> list[Points]:
    return [np.array(side) for side in zip(outline, np.roll(outline, -1, axis=0), strict=True)]


def _close(ax: Any, outline: Points, style: dict[str, Any]) -> None:
    ax.plot(*np.vstack([outline, outline[:1]]).T, clip_on=False, **style)
