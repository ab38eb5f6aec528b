"""Text in pictures: what a name looks like, how much room it takes, and where it finds it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from matplotlib.patheffects import Stroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from lossmith.plot.palette import INK

Points: TypeAlias = npt.NDArray[np.float64]

SIZE = 10
_LONGEST = 12
_CLEARANCE = 9  # pixels from the middle of a dot to its name
_DIRECTIONS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7), (-0.7, -0.7)])
_VERBATIM = {"parse_math": False, "usetex": False}  # "$5 or $10" is a name, not a formula


def shown(name: object) -> str:
    """The name on one line, without what no font can show.

    >>> shown("two\\nlines")
    'two lines'
    """
    return " ".join("".join(x if x.isprintable() else " " for x in str(name)).split())


def wrapped(name: str, width: int = 24) -> str:
    """The name on several lines, none much longer than `width`."""
    return "\n".join(textwrap.wrap(name, width, break_long_words=False)) or name


def short_names(names: Sequence[str]) -> list[str]:
    """The names, each cut to at most 12 characters if they can still be told apart.

    >>> short_names(["home", "intensive care unit"])
    ['home', 'intensive c…']
    >>> short_names(["refer to ward A", "refer to ward B"])
    ['refer…ard A', 'refer…ard B']
    """
    for cut in (_head, _both_ends):
        short = [name if len(name) <= _LONGEST else cut(name) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    return list(names)


def write(ax: Any, place: Sequence[float], text: str, **style: Any) -> Any:
    """Write dark text with a white outline at a point given in data coordinates."""
    # A path effect turns letters into outlines, so the white one lies below text that has none.
    style = {"size": SIZE, "ha": "center", "va": "center", "ma": "center", "zorder": 1000, **style, **_VERBATIM}
    ax.text(*place, text, color="white", path_effects=[Stroke(linewidth=2.4, foreground="white")], **style)
    return ax.text(*place, text, color=INK, **style)


def beside(ax: Any, place: Sequence[float], text: str, offset: tuple[float, float], **style: Any) -> Any:
    """Write text outside the cells, `offset` points away from a point given in data coordinates."""
    return ax.annotate(
        text, place, offset, textcoords="offset points", size=SIZE, annotation_clip=False, **style, **_VERBATIM
    )


def extent(ax: Any, text: str) -> tuple[float, float]:
    """The width and height of the text in pixels."""
    box = Text(0, 0, text, size=SIZE, figure=ax.figure, **_VERBATIM).get_window_extent()
    return box.width, box.height


def fitted(ax: Any, hull: Points, name: str, short: str, taken: Iterable[Any]) -> tuple[str, Any] | None:
    """The name, on one line or more, else its short form, with the box that it takes in a cell; None if none has room.

    `hull` is the cell's outline in pixels, counter-clockwise; the boxes `taken` are kept free.
    """
    for text in dict.fromkeys((name, wrapped(name, len(name) * 2 // 3), wrapped(name, len(name) // 2), short)):
        width, height = extent(ax, text)
        box = room_in(hull, width, height, taken)
        if box is not None:
            return text, box
    return None


def room_in(hull: Points, width: float, height: float, taken: Iterable[Any] = ()) -> Any:
    """The box of that size within a convex polygon whose centre is nearest to the polygon's centroid, or None.

    >>> square = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])
    >>> room_in(square, 4, 2).bounds
    (3.0, 4.0, 4.0, 2.0)
    >>> room_in(square, 11, 2) is None
    True
    """
    centre = centroid(hull)
    low, high = hull.min(axis=0), hull.max(axis=0)
    across, up = np.meshgrid(*np.linspace(low, high, 41).T)
    places = np.vstack([centre, np.column_stack([across.ravel(), up.ravel()])])
    edges = np.roll(hull, -1, axis=0) - hull
    normals = np.column_stack([-edges[:, 1], edges[:, 0]])
    # A box lies on the inner side of an edge if its centre does by as much as the box reaches towards the edge.
    reach = abs(normals) @ (width / 2, height / 2)
    fits = (places @ normals.T - (hull * normals).sum(axis=1) >= reach).all(axis=1)
    for box in taken:
        gap = abs(places - (box.x0 + box.width / 2, box.y0 + box.height / 2))
        fits &= (gap >= ((box.width + width) / 2, (box.height + height) / 2)).any(axis=1)
    if not fits.any():
        return None
    free = places[fits]
    return around(free[((free - centre) ** 2).sum(axis=1).argmin()], width, height)


def room_beside(dot: Points, width: float, height: float, taken: Iterable[Any]) -> Any:
    """The box of that size next to a dot that overlaps the boxes `taken` least; to the right if all are alike."""
    away = np.array([width, height]) / 2 + _CLEARANCE
    boxes = [around(dot + away * direction, width, height) for direction in _DIRECTIONS]
    return min(boxes, key=lambda box: sum(_overlap(box, other) for other in taken))


def centroid(hull: Points) -> Points:
    """The centroid of a polygon that has an area.

    >>> centroid(np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])).round(9).tolist()
    [1.0, 1.0]
    """
    start = hull[0]  # areas of slivers far from the origin would cancel
    first, second = hull[1:-1] - start, hull[2:] - start
    areas = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    return np.asarray(start + areas @ (first + second) / (3 * areas.sum()))


def around(place: Points, width: float, height: float) -> Any:
    """The box of that size with its centre there."""
    return Bbox.from_bounds(float(place[0] - width / 2), float(place[1] - height / 2), width, height)


def _overlap(first: Any, second: Any) -> float:
    common = Bbox.intersection(first, second)
    return 0.0 if common is None else float(common.width * common.height)


def _head(name: str) -> str:
    return name[: _LONGEST - 1].rstrip() + "…"


def _both_ends(name: str) -> str:
    return name[:6].rstrip() + "…" + name[-5:].lstrip()
