"""Where there is room for text: boxes in polygons, beside dots, and side by side. Lengths are pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from matplotlib.transforms import Bbox

Points: TypeAlias = npt.NDArray[np.float64]

_DIRECTIONS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)])


def room_in(
    hull: Points, width: float, height: float, taken: Iterable[Any] = (), in_front: Iterable[Points] = ()
) -> Any:
    """Find the box of that size within a convex polygon whose centre is nearest to the polygon's centroid, or None.

    It overlaps no box `taken`, and none of its corners and middles lies in a polygon `in_front`.

    >>> square = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])
    >>> room_in(square, 4, 2)
    Bbox([[3.0, 4.0], [7.0, 6.0]])
    >>> room_in(square, 11, 2) is None
    True
    """
    low, high = hull.min(axis=0), hull.max(axis=0)
    if (high - low < (width, height)).any():
        return None
    centre = centroid(hull)
    across, up = np.meshgrid(*np.linspace(low, high, 41).T)
    places = np.vstack([centre, np.column_stack([across.ravel(), up.ravel()])])
    fits = _within(places, hull, width, height)
    for box in taken:
        gap = abs(places - (box.x0 + box.width / 2, box.y0 + box.height / 2))
        fits &= (gap >= ((box.width + width) / 2, (box.height + height) / 2)).any(axis=1)
    for other in in_front:
        for rim in _DIRECTIONS * (width / 2, height / 2):
            fits &= ~_within(places + rim, other)
    if not fits.any():
        return None
    free = places[fits]
    return around(free[((free - centre) ** 2).sum(axis=1).argmin()], width, height)


def room_beside(
    dot: Any, width: float, height: float, taken: Sequence[Any], hulls: Sequence[Points], lines: Sequence[Any] = ()
) -> Any:
    """Find the box of that size beside the box of a dot that overlaps those `taken` least, then crosses fewest hulls.

    Of these it is the one that overlaps boxes of `lines` least.

    >>> room_beside(around(np.zeros(2), 2, 2), 4, 2, taken=[around(np.array([3.0, 0.0]), 1, 1)], hulls=[])
    Bbox([[-5.0, -1.0], [-1.0, 1.0]])
    """
    middle = np.array([dot.x0 + dot.x1, dot.y0 + dot.y1]) / 2
    away = np.array([width + dot.width, height + dot.height]) / 2
    places = middle + away * _DIRECTIONS * np.where(_DIRECTIONS.all(axis=1, keepdims=True), 0.8, 1)
    boxes = [around(place, width, height) for place in places]
    overlaps = [sum(_overlap(box, other) for other in taken) for box in boxes]
    rims = places[:, None] + _DIRECTIONS * (width / 2, height / 2)
    inside = [[_within(rim, hull) for hull in hulls] for rim in rims]
    crossed = [sum(bool(x.any() and not x.all()) for x in rim) for rim in inside]
    struck = [sum(_overlap(box, other) for other in lines) for box in boxes]
    return boxes[min(range(len(boxes)), key=lambda k: (overlaps[k], crossed[k] + (struck[k] > 0), struck[k]))]


def centroid(hull: Points) -> Points:
    """Return the centroid of a polygon, or the mean of its corners if it has no area.

    >>> centroid(np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])).round(9).tolist()
    [1.0, 1.0]
    """
    start = hull[0]  # areas of slivers far from the origin would cancel
    first, second = hull[1:-1] - start, hull[2:] - start
    areas = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    total = areas.sum()
    return np.asarray(start + areas @ (first + second) / (3 * total) if total else hull.mean(axis=0))


def around(place: Points, width: float, height: float) -> Any:
    """Return the box of that size with its centre there."""
    return Bbox.from_bounds(float(place[0] - width / 2), float(place[1] - height / 2), width, height)


def along(line: Points, size: float) -> list[Any]:
    """Return boxes of that size which cover a line, for text to keep clear of.

    >>> [float(box.x0) for box in along(np.array([[0.0, 0.0], [2.0, 0.0]]), 2)]
    [-1.0, 0.0, 1.0]
    """
    start, end = line
    steps = int(np.linalg.norm(end - start) * 2 / size) + 1
    return [around(place, size, size) for place in np.linspace(start, end, max(steps, 2))]


def in_order(corners: Points) -> Points:
    """Sort the corners of a convex polygon, in the plane or in space, around it.

    In the plane that is counter-clockwise.

    >>> in_order(np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])).tolist()
    [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    """
    spokes = corners - corners.mean(axis=0)
    axes = np.eye(2) if corners.shape[1] == 2 else np.linalg.svd(spokes)[2][:2]
    across, up = axes @ spokes.T
    return np.asarray(corners[np.arctan2(up, across).argsort(kind="stable")])


def convex_hull(points: Points) -> Points:
    """Return the outline of points in the plane, counter-clockwise.

    >>> convex_hull(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [1.0, 2.0]])).tolist()
    [[0.0, 0.0], [2.0, 0.0], [1.0, 2.0]]
    """
    ordered = points[np.lexsort(points.T[::-1])]
    chains = []
    for half in (ordered, ordered[::-1]):
        chain: list[Points] = []
        for point in half:
            while len(chain) > 1 and np.linalg.det([chain[-1] - chain[-2], point - chain[-1]]) <= 0:
                chain.pop()
            chain.append(point)
        chains += chain[:-1]
    return np.array(chains)


def spread(targets: Sequence[float], widths: Sequence[float], gap: float) -> list[float]:
    """Place boxes in a row, in the order given and `gap` apart, as near to their increasing targets as can be.

    >>> spread([0, 10, 11], [4, 4, 4], gap=1)
    [0.0, 8.0, 13.0]
    """
    # The box at k stands at least that far from the first one.
    offsets = [sum(widths[:k]) + (widths[k] - widths[0]) / 2 + k * gap for k in range(len(widths))]
    # Boxes that push each other form a block, whose mean displacement is 0 (least squares).
    blocks: list[list[float]] = []
    for target, offset in zip(targets, offsets, strict=True):
        blocks.append([target - offset])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    places = [np.mean(block) for block in blocks for _ in block]
    return [float(place + offset) for place, offset in zip(places, offsets, strict=True)]


def _within(places: Points, hull: Points, width: float = 0, height: float = 0) -> npt.NDArray[np.bool_]:
    """Whether the box of that size with its centre there lies in the polygon, for each place."""
    edges = np.roll(hull, -1, axis=0) - hull
    normals = np.column_stack([-edges[:, 1], edges[:, 0]])
    # It does if the centre lies within each edge by as much as the box reaches towards the edge.
    reach = abs(normals) @ (width / 2, height / 2)
    return np.asarray((places @ normals.T - (hull * normals).sum(axis=1) >= reach).all(axis=1))


def _overlap(first: Any, second: Any) -> float:
    common = Bbox.intersection(first, second)
    return 0.0 if common is None else float(common.width * common.height)
