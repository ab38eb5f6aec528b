"""The frame of every picture: the figure it fills, its title, and legends whose names are taken as they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from typing import Any

from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.transforms import Bbox

from lossmith.errors import BadInput
from lossmith.plot.labels import SIZE, beside, pixels, wrapped

_LEGEND_ROWS = 16
_MARGIN = 0.08  # inches


def axes_for(ax: Any, inches: tuple[float, float], projection: str, what: str) -> Any:
    """Return the axes given, if they have the projection, else those of a new figure, which they fill."""
    if ax is None:
        figure = Figure(figsize=inches)
        figure.set_layout_engine("none")  # whatever the user's settings say: the axes fill the figure
        return figure.add_axes((0, 0, 1, 1), projection=projection)
    if ax.name != projection and "3d" in (ax.name, projection):
        raise BadInput(f"ax has projection {ax.name!r}; {what} need {projection!r}")
    return ax


def framed(ax: Any, *, new: bool) -> Figure:
    """Return the figure of the axes; a new one is made just large enough for what reaches out of them."""
    figure: Figure = ax.figure.canvas.figure  # the whole one, if the axes belong to a part of it
    if new:
        figure.draw_without_rendering()
        width, height = figure.get_size_inches()
        box = figure.get_tightbbox().padded(_MARGIN)
        figure.set_size_inches(box.width, box.height)
        ax.set_position((-box.x0 / box.width, -box.y0 / box.height, width / box.width, height / box.height))
    return figure


def extents(ax: Any, artists: Sequence[Any]) -> Any:
    """Measure the box around the axes and the artists, in parts of the axes' width and height."""
    boxes = [ax.bbox, *(each.get_window_extent() for each in artists)]
    return ax.transAxes.inverted().transform_bbox(Bbox.union(boxes))


def write_title(ax: Any, title: str, outer: Any) -> None:
    """Write the title above everything in the box `outer`."""
    beside(ax, (0.5, outer.y1), title, (0, 10), xycoords="axes fraction", va="bottom", size=SIZE + 2)


def legend_below(ax: Any, handles: Sequence[Any], names: Sequence[str], outer: Any, ncols: int = 1) -> Any:
    """Put a legend below everything in the box `outer`."""
    return _verbatim(ax.legend, handles, names, 40, **_below(ax, outer), ncols=ncols)


def legend_beside(ax: Any, handles: Sequence[Any], names: Sequence[str], outer: Any) -> Any:
    """Put a legend to the right of everything in the box `outer`."""
    place = {"loc": "center left", "bbox_to_anchor": (outer.x1 + pixels(ax, 10) / ax.bbox.width, 0.5)}
    return _verbatim(ax.legend, handles, names, 40, **place, ncols=ceil(len(names) / _LEGEND_ROWS))


def key_below(ax: Any, key: Sequence[tuple[Any, str]], outer: Any) -> None:
    """Explain signs below everything in the box `outer`; the axes may have a legend besides."""
    handles, meanings = zip(*key, strict=True)
    legend = _verbatim(partial(Legend, ax), handles, meanings, 72, **_below(ax, outer), handlelength=2.4)
    ax.add_artist(legend)
    legend.set_clip_on(False)  # else what lies outside the axes would not count when the figure is enlarged


def _below(ax: Any, outer: Any) -> dict[str, Any]:
    return {"loc": "upper center", "bbox_to_anchor": (0.5, outer.y0 - pixels(ax, 8) / ax.bbox.height)}


def _verbatim(make: Any, handles: Sequence[Any], names: Sequence[str], width: int, **style: Any) -> Any:
    shape = {"borderaxespad": 0, "frameon": False, "fontsize": SIZE, "handlelength": 1.6, "handleheight": 1.2}
    legend = make(handles, [str(k) for k in range(len(names))], **{**shape, **style})
    # Names are put in afterwards: matplotlib leaves out those that begin with an underscore and typesets $…$.
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=wrapped(name, width), parse_math=False, usetex=False)
    return legend
