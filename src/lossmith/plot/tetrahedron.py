"""Four labels: the simplex as a regular tetrahedron, its cells pulled apart so that inner ones can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import cos, radians, sin
from typing import Any

import matplotlib as mpl
import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from mpl_toolkits.mplot3d.proj3d import proj_transform

from lossmith.analysis.trigger_probabilities import TriggerSet
from lossmith.exact.vectors import Row, rational_dot
from lossmith.geometry.edges import Edge, Vertex, edges, walls
from lossmith.geometry.polytope import Polytope
from lossmith.plot.labels import CLEAR, beside, name_cells, pixels, wrapped
from lossmith.plot.overlay import Overlay
from lossmith.plot.palette import BORDER, DASHED, DOT, INK, REGION, WARNED, fill
from lossmith.plot.placing import Points, along, convex_hull, in_order
from lossmith.plot.scene import Scene

INCHES = (4.6, 4.6)
CORNERS = np.array([(8**0.5, 0, -1), (-(2**0.5), 6**0.5, -1), (-(2**0.5), -(6**0.5), -1), (0, 0, 3)]) / 3
ELEVATION, AZIMUTH = 20, -15
_UP, _AROUND = radians(ELEVATION), radians(AZIMUTH)
TO_EYE = np.array([cos(_UP) * cos(_AROUND), cos(_UP) * sin(_AROUND), sin(_UP)])
SHRUNK = 0.82  # each cell towards its own centre: as if all were moved apart, yet each stays where it is optimal


def draw(ax: Any, scene: Scene) -> bool:
    """Draw the cells as translucent bodies, the nearest last; False, for they always need a legend."""
    _look(ax)
    order = from_far_to_near(scene)
    for near, k in enumerate(order):
        paint = {**fill(scene.cells[k].prediction), "edgecolor": INK, "linewidth": 0.8}
        ax.add_collection3d(Poly3DCollection(faces(scene.cells[k]), alpha=0.6, zorder=10 + near, **paint))
    for edge in combinations(range(4), 2):
        # The face opposite to a corner is turned away if the corner is on the eye's side; an edge lies on two faces.
        hidden = all(CORNERS[k] @ TO_EYE > 0 for k in range(4) if k not in edge)
        line = {
            **BORDER,
            "color": mpl.rcParams["text.color"],
            "linestyle": ":" if hidden else "-",
            "zorder": 5 if hidden else 500,
        }
        ax.plot(*CORNERS[list(edge)].T, clip_on=False, **line)
    corners = _on_paper(ax, CORNERS)
    names = []
    for name, corner in zip(scene.labels, corners, strict=True):
        away = corner - corners.mean(axis=0)
        x, y = away / abs(away).max()
        sides = {"ha": "center" if abs(x) < 0.5 else "left" if x > 0 else "right", "va": "bottom" if y > 0 else "top"}
        names.append(beside(ax, corner, wrapped(name), (7 * x, 7 * y), weight="bold", **sides))
    _draw_over(ax, scene.overlay)
    dots = scene.points @ CORNERS
    if len(dots):
        ax.plot(*dots.T, clip_on=False, zorder=900, **DOT)
    to_pixels = ax.transData.transform
    bodies = [_shrunk(scene.vertices(cell) @ CORNERS) for cell in scene.cells]
    hulls = [convex_hull(to_pixels(_on_paper(ax, body))) for body in bodies]
    in_front = [[hulls[j] for j in order[order.index(k) + 1 :]] for k in range(len(hulls))]
    thick = [] if scene.overlay.bad is None else edges(scene.overlay.bad)
    ends = [*map(_place, thick), *(CORNERS[list(edge)] for edge in combinations(range(4), 2))]
    lines = [box for line in ends for box in along(to_pixels(_on_paper(ax, line)), pixels(ax, CLEAR))]
    taken = [name.get_window_extent() for name in names]
    name_cells(ax, scene, hulls, to_pixels(_on_paper(ax, dots)), taken, in_front, lines)
    return False


def _draw_over(ax: Any, overlay: Overlay) -> None:
    """Draw the edges of a surrogate's cells, of the bad one among them, and of the regions, where they are."""
    for edge in walls(overlay.cells):
        ax.plot(*_place(edge).T, clip_on=False, zorder=600, **DASHED)
    for region in overlay.within:
        for edge in edges(region):
            ax.plot(*_place(edge).T, clip_on=False, zorder=610, **REGION)
    if overlay.bad is not None:
        seen = set(edges_in_sight(overlay.bad))
        for edge in edges(overlay.bad):
            style = WARNED if edge in seen else {**WARNED, "linewidth": 1.2}
            ax.plot(*_place(edge).T, clip_on=False, zorder=620, **style)


def edges_in_sight(polytope: Polytope) -> list[Edge]:
    """The edges that the polytope itself does not hide: those on a facet that faces the eye."""
    # Up to a factor, a step towards the eye changes p by CORNERS @ TO_EYE; through a facet it leaves the polytope.
    towards = CORNERS @ TO_EYE
    facing = [row for row in polytope.inequalities if np.array(row, dtype=float) @ towards <= 0]
    return [edge for edge in edges(polytope) if any(_on(row, edge[0]) and _on(row, edge[1]) for row in facing)]


def faces(cell: TriggerSet) -> list[Points]:
    """Return the faces of a shrunken cell, each the corners of a polygon in order."""
    vertices = cell.polytope.vertices
    places = _shrunk(np.array(vertices, dtype=float) @ CORNERS)
    tight = [[_on(row, vertex) for vertex in vertices] for row in cell.polytope.inequalities]
    return [in_order(places[np.array(face)]) for face in tight]


def from_far_to_near(scene: Scene) -> list[int]:
    """Sort the cells such that none is hidden by one before it, as painters do.

    Along a line of sight the least risk is concave, so the line meets the cells in the order of falling slopes.
    """
    away = [Fraction(float(x)) for x in -CORNERS @ TO_EYE]  # losses may be beyond all floats
    slopes = [rational_dot(away, scene.loss.column(cell.prediction)) for cell in scene.cells]
    return sorted(range(len(slopes)), key=slopes.__getitem__)


def _look(ax: Any) -> None:
    """Turn the axes so that the tetrahedron is seen from the eye and fills them."""
    ax.set_proj_type("ortho")
    ax.view_init(ELEVATION, AZIMUTH)
    ax.set_axis_off()
    ax.disable_mouse_rotation()  # names lie on the paper and would not turn
    ax.computed_zorder = False
    paper = np.array([(-sin(_AROUND), cos(_AROUND), 0), np.cross(TO_EYE, (-sin(_AROUND), cos(_AROUND), 0))])
    across = CORNERS @ paper.T
    middle = (across.min(axis=0) + across.max(axis=0)) / 2 @ paper
    ax.set(**{f"{axis}lim": (x - 1, x + 1) for axis, x in zip("xyz", middle, strict=True)})
    ax.set_box_aspect((1, 1, 1))
    ax.apply_aspect()
    seen = ax.transData.transform(_on_paper(ax, CORNERS))
    ax.set_box_aspect((1, 1, 1), zoom=ax.bbox.width / np.ptp(seen, axis=0).max())


def _on(row: Row, vertex: Vertex) -> bool:
    return rational_dot(row, vertex) == 0


def _place(vertices: Sequence[Vertex]) -> Points:
    return np.array(vertices, dtype=float) @ CORNERS


def _shrunk(body: Points) -> Points:
    centre = body.mean(axis=0)
    return np.asarray(centre + SHRUNK * (body - centre))


def _on_paper(ax: Any, places: Points) -> Points:
    return np.column_stack(proj_transform(*places.T, ax.get_proj())[:2])
