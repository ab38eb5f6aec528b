"""The partition of the probability simplex into trigger sets, as a picture, with or without something over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from lossmith.analysis.facts import Facts
from lossmith.errors import BadInput
from lossmith.losses.named import LossLike, as_loss
from lossmith.losses.sampling import telling_labels
from lossmith.plot import interval, tetrahedron, triangle
from lossmith.plot.frame import axes_for, extents, framed, key_below, legend_below, legend_beside, write_title
from lossmith.plot.labels import SIZE, extent, pixels
from lossmith.plot.overlay import Overlay
from lossmith.plot.palette import fill
from lossmith.plot.scene import Scene, scene_of, shown

_SHAPES: dict[int, Any] = {2: interval, 3: triangle, 4: tetrahedron}


def trigger_sets(
    loss: LossLike,
    *,
    labels: Iterable[Any] | None = None,
    points: Iterable[object] | Mapping[Any, object] = (),
    ax: Any = None,
    title: str | None = None,
) -> Figure:
    """Draw where each prediction is optimal: for 2 labels an interval, for 3 a triangle, for 4 a tetrahedron.

    Of more labels it draws a cut: the distributions on two to four `labels` that are named, or on the three that
    `telling_labels` picks. Redundant predictions have no cell. `points` are distributions to be marked, or a mapping
    from names to them. The figure is new and as large as it needs to be, unless `ax` is given (for 4 labels one with
    projection="3d"). The loss is given as to `lm.analyze`.

    >>> from lossmith.losses import abstain
    >>> figure = trigger_sets(abstain(3), points={"even": ["1/3", "1/3", "1/3"]})
    >>> sorted({text.get_text() for text in figure.axes[0].texts})
    ['0', '1', '2', 'abstain', 'even']
    """
    matrix = as_loss(loss).matrix()
    if labels is None and matrix.n > max(_SHAPES):
        labels = telling_labels(matrix)
        title = title or f"a cut: only {', '.join(map(shown, labels))}"
    return picture(Facts(matrix if labels is None else matrix.restrict(labels=labels)), points, ax=ax, title=title)


def picture(
    facts: Facts,
    points: Iterable[object] | Mapping[Any, object] = (),
    overlay: Overlay | None = None,
    key: Sequence[tuple[Any, str]] = (),
    ax: Any = None,
    title: str | None = None,
) -> Figure:
    """Draw the cells of a loss, points, and what lies over them; `key` holds handles and what they mean."""
    loss = facts.loss
    if loss.n not in _SHAPES:
        raise BadInput(
            f"the loss has {loss.n} labels; pictures show 2, 3 or 4: choose some with loss.restrict(labels=[…])"
        )
    shape, projection = _SHAPES[loss.n], "3d" if loss.n == 4 else "rectilinear"
    scene = scene_of(facts, points, overlay)
    axes = axes_for(ax, shape.INCHES, projection, f"{loss.n} labels")
    whole = shape.draw(axes, scene)
    outer = extents(axes, [*axes.texts, *([] if loss.n == 4 else axes.lines)])  # lines in space are not yet on paper
    if title:
        write_title(axes, title, outer)
    legends = [] if whole else [_name_all(axes, scene, outer)]
    if key:
        key_below(axes, key, extents(axes, [*axes.texts, *legends]))
    return framed(axes, new=ax is None)


def _name_all(ax: Any, scene: Scene, outer: Any) -> Any:
    """Name every cell in a legend, below a bar, else to the right."""
    handles = [Patch(**{**fill(cell.prediction), "linewidth": 0.8}) for cell in scene.cells]
    if scene.loss.n != 2:
        return legend_beside(ax, handles, scene.names, outer)
    most = int(ax.bbox.width / (max(extent(ax, name)[0] for name in scene.names) + pixels(ax, 5 * SIZE)))
    rows = ceil(len(handles) / max(most, 1))
    return legend_below(ax, handles, scene.names, outer, ncols=ceil(len(handles) / rows))
