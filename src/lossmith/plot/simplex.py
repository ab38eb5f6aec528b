"""The partition of the probability simplex into trigger sets, as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.transforms import Bbox

from lossmith.errors import BadInput
from lossmith.losses.matrix import LossMatrix
from lossmith.plot import interval, tetrahedron, triangle
from lossmith.plot.labels import SIZE, beside, extent, pixels, wrapped
from lossmith.plot.palette import fill
from lossmith.plot.scene import Scene, scene_of

_SHAPES: dict[int, Any] = {2: interval, 3: triangle, 4: tetrahedron}
_LEGEND_ROWS = 16
_MARGIN = 0.08  # inches


def trigger_sets(
    loss: LossMatrix,
    *,
    points: Iterable[object] | Mapping[Any, object] = (),
    ax: Any = None,
    title: str | None = None,
) -> Figure:
    """Draw where each prediction is optimal: for 2 labels an interval, for 3 a triangle, for 4 a tetrahedron.

    Redundant predictions have no cell. `points` are distributions to be marked, or a mapping from names to them. The
    figure is new and as large as it needs to be, unless `ax` is given (for 4 labels one with projection="3d").

    >>> from lossmith.losses import abstain
    >>> figure = trigger_sets(abstain(3), points={"even": ["1/3", "1/3", "1/3"]})
    >>> sorted({text.get_text() for text in figure.axes[0].texts})
    ['0', '1', '2', 'abstain', 'even']
    """
    if loss.n not in _SHAPES:
        raise BadInput(
            f"the loss has {loss.n} labels; pictures show 2, 3 or 4: choose some with loss.restrict(labels=[…])"
        )
    shape, space = _SHAPES[loss.n], loss.n == 4
    scene = scene_of(loss, points)
    if ax is not None:
        if (ax.name == "3d") != space:
            raise BadInput(f"ax has projection {ax.name!r}; {loss.n} labels need {'3d' if space else 'rectilinear'!r}")
        _compose(ax, shape, scene, title)
        figure: Figure = ax.figure.canvas.figure  # the whole one, if the axes belong to a part of it
        return figure
    figure = Figure(figsize=shape.INCHES)
    figure.set_layout_engine("none")  # whatever the user's settings say: the axes fill the figure
    _compose(figure.add_axes((0, 0, 1, 1), projection="3d" if space else None), shape, scene, title)
    _enlarge(figure)
    return figure


def _compose(ax: Any, shape: Any, scene: Scene, title: str | None) -> None:
    whole = shape.draw(ax, scene)
    # What reaches out of the axes, measured in their width and height.
    drawn = [*ax.texts, *([] if scene.loss.n == 4 else ax.lines)]  # lines in space are not yet on the paper
    boxes = [ax.bbox, *(each.get_window_extent() for each in drawn)]
    outer = ax.transAxes.inverted().transform_bbox(Bbox.union(boxes))
    if title:
        beside(ax, (0.5, outer.y1), title, (0, 10), xycoords="axes fraction", va="bottom", size=SIZE + 2)
    if not whole:
        _legend(ax, scene, outer)


def _legend(ax: Any, scene: Scene, outer: Any) -> None:
    """Name every cell, below a bar, else to the right."""
    names = [wrapped(name, 40) for name in scene.names]
    if scene.loss.n == 2:
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, outer.y0 - pixels(ax, 8) / ax.bbox.height)}
        most = int(ax.bbox.width / (max(extent(ax, name)[0] for name in names) + pixels(ax, 5 * SIZE)))
        rows = ceil(len(names) / max(most, 1))
    else:
        place = {"loc": "center left", "bbox_to_anchor": (outer.x1 + pixels(ax, 10) / ax.bbox.width, 0.5)}
        rows = _LEGEND_ROWS
    legend = ax.legend(
        [Patch(**{**fill(cell.prediction), "linewidth": 0.8}) for cell in scene.cells],
        [str(k) for k in range(len(names))],
        **place,
        ncols=ceil(len(names) / rows),
        borderaxespad=0,
        frameon=False,
        fontsize=SIZE,
        handlelength=1.6,
        handleheight=1.2,
    )
    # Names are put in afterwards: matplotlib leaves out those that begin with an underscore and typesets $…$.
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=name, parse_math=False, usetex=False)


def _enlarge(figure: Figure) -> None:
    """Make the figure just large enough for what reaches out of its axes, which keep their size."""
    figure.draw_without_rendering()
    width, height = figure.get_size_inches()
    box = figure.get_tightbbox().padded(_MARGIN)
    figure.set_size_inches(box.width, box.height)
    figure.axes[0].set_position((-box.x0 / box.width, -box.y0 / box.height, width / box.width, height / box.height))
