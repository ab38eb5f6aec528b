"""Names in pictures: what they look like, and how they are cut to the room there is."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from matplotlib.patheffects import Stroke
from matplotlib.text import Text

from lossmith.plot.palette import DOT, INK
from lossmith.plot.placing import Points, around, room_beside, room_in
from lossmith.plot.scene import Scene

SIZE = 10
CLEAR = 8  # points: so wide are the boxes by which lines are kept clear of text
_LONGEST = 12
_AIR = 1.5
_VERBATIM: dict[str, Any] = {"parse_math": False, "usetex": False}  # "$5 or $10" is a name, not a formula


def wrapped(name: str, width: int = 24) -> str:
    """Break a name into lines, none longer than `width` unless a word is."""
    return "\n".join(textwrap.wrap(name, max(width, 1), break_long_words=False, break_on_hyphens=False))


def short_names(names: Sequence[str]) -> list[str]:
    """Cut names to at most 12 characters each, if they can still be told apart.

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


def write(ax: Any, box: Any, text: str) -> None:
    """Write dark text with a white outline in the middle of a box of pixels."""
    place = ax.transData.inverted().transform((box.x0 + box.width / 2, box.y0 + box.height / 2))
    flat = getattr(ax, "text2D", ax.text)  # axes in space also have a plane, that of the paper
    style = {"size": SIZE, "ha": "center", "va": "center", "ma": "center", "zorder": 1000, **_VERBATIM}
    # A path effect turns letters into curves, so the white outline lies below text that has none.
    flat(*place, text, color="white", path_effects=[Stroke(linewidth=2.4, foreground="white")], **style)
    flat(*place, text, color=INK, **style)


def beside(ax: Any, place: Sequence[float], text: str, offset: tuple[float, float], **style: Any) -> Any:
    """Write text outside the cells, `offset` points away from a point given in data coordinates."""
    style = {"ha": "center", "va": "center", "ma": "center", "size": SIZE, **style, **_VERBATIM}
    return ax.annotate(text, place, offset, textcoords="offset points", annotation_clip=False, **style)


def extent(ax: Any, text: str) -> tuple[float, float]:
    """Measure the width and height of the text in pixels, with a little air."""
    box = Text(0, 0, text, size=SIZE, figure=ax.figure, **_VERBATIM).get_window_extent()
    return box.width + 2 * pixels(ax, _AIR), box.height + 2 * pixels(ax, _AIR)


def pixels(ax: Any, points: float) -> float:
    """Convert a length in points to pixels."""
    return float(points * ax.figure.dpi / 72)


def name_cells(
    ax: Any,
    scene: Scene,
    hulls: Sequence[Points],
    dots: Points,
    taken: Sequence[Any],
    in_front: Sequence[Sequence[Points]],
    lines: Sequence[Any] = (),
    few: int = 0,
) -> list[int]:
    """Write the cells' names into them and the points' names beside their dots; which cells lack a part of theirs.

    Names without room are cut, unless they are so `few` that they are left to whoever asks.

    All in pixels: the outlines of the cells, counter-clockwise; the dots; boxes to keep clear of; for each cell, the
    outlines of those that hide it; boxes along lines that a name crosses only if there is no other room for all of it.
    """
    size = pixels(ax, DOT["markersize"] + 2)
    boxes = [around(dot, size, size) for dot in dots]
    occupied = [*taken, *boxes]
    cells = list(zip(scene.names, scene.names, hulls, in_front, strict=True))
    found = _rooms(ax, cells, occupied, lines)
    if sum(each is None for each in found) > few:
        cells = list(zip(scene.names, short_names(scene.names), hulls, in_front, strict=True))
        found = _rooms(ax, cells, occupied, lines)
    for each in filter(None, found):
        write(ax, each[1], each[0])
        occupied.append(each[1])
    told = zip(scene.names, found, strict=True)
    lacking = [i for i, (name, each) in enumerate(told) if each is None or each[0].replace("\n", " ") != name]
    for name, dot in zip(scene.point_names, boxes, strict=False):  # a bar names its dots itself and passes none
        if name:
            box = room_beside(dot, *extent(ax, name), occupied, hulls, lines)
            write(ax, box, name)
            occupied.append(box)
    return lacking


def _rooms(
    ax: Any, cells: Sequence[tuple[str, str, Points, Sequence[Points]]], taken: Sequence[Any], lines: Sequence[Any]
) -> list[tuple[str, Any] | None]:
    """For each cell the text that has room in it, whole or short, and its box; one after the other."""
    occupied, found = list(taken), list[tuple[str, Any] | None]()
    for name, short, hull, hiding in cells:
        found.append(_fitted(ax, hull, name, short, occupied, hiding, lines))
        if found[-1] is not None:
            occupied.append(found[-1][1])
    return found


def _fitted(
    ax: Any,
    hull: Points,
    name: str,
    short: str,
    taken: Sequence[Any],
    in_front: Sequence[Points],
    lines: Sequence[Any],
) -> tuple[str, Any] | None:
    """Find room in a cell for its name, on one line or more, else cut; the text and the box it takes."""
    whole = (name, wrapped(name, len(name) * 2 // 3), wrapped(name, len(name) // 2))
    for texts in (whole, (short,)):
        for avoided in ([*taken, *lines], taken) if lines else (taken,):
            for text in dict.fromkeys(texts):
                box = room_in(hull, *extent(ax, text), avoided, in_front)
                if box is not None:
                    return text, box
    return None


def _head(name: str) -> str:
    return name[: _LONGEST - 1].rstrip() + "…"


def _both_ends(name: str) -> str:
    return name[:6].rstrip() + "…" + name[-5:].lstrip()
