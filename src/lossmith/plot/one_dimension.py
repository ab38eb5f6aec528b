"""A surrogate of one dimension as a picture: one curve per label, and below them the points that are ever optimal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import Calibrated
from lossmith.errors import BadInput
from lossmith.families import Family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.plot.frame import axes_for, extents, framed, key_below, legend_beside, write_title
from lossmith.plot.interval import in_a_row
from lossmith.plot.labels import beside, extent, pixels, wrapped
from lossmith.plot.palette import DOT, line
from lossmith.plot.placing import spread
from lossmith.plot.scene import shown
from lossmith.surrogates.named import as_surrogate
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.text.numbers import told_apart

INCHES = (4.6, 3.0)
_SMOOTH = (-3, 3)
_STEPS = 401
_CROWDED = 1.15  # more text than so many widths of the axes is left out
_BAR: dict[str, Any] = {"color": "black", "linewidth": 5, "solid_capstyle": "round"}


def curves(surrogate: Any, *, loss: LossLike = None, ax: Any = None, title: str | None = None) -> Figure:
    """Draw ψ_y(u) for every label y, of a surrogate of dimension 1.

    A dot or a bar at the axis marks each cell of a polyhedral surrogate: the u that are optimal for a set of
    distributions of full dimension. If the surrogate is calibrated for `loss`, the prediction at each is named too.
    Curves that are not polyhedral are drawn from u = −3 to 3, without cells. Both are given as to `lm.check`.

    >>> from lossmith.losses import ordinal
    >>> from lossmith.surrogates import absolute
    >>> figure = curves(absolute(3), loss=ordinal(3))
    >>> [line.get_xdata().tolist() for line in figure.axes[0].lines if line.get_marker() == "o"]
    [[1.0], [2.0], [3.0]]
    """
    loss = None if loss is None else as_loss(loss).matrix()
    if isinstance(surrogate, (str, Family)):
        surrogate = as_surrogate(surrogate, loss)
    if surrogate.dim != 1:
        raise BadInput(
            f"{surrogate.name} has dimension {surrogate.dim}; curves show dimension 1: "
            f"draw its cells with lm.plot.verdict(lm.check(surrogate, loss))"
        )
    if loss is not None and loss.n != surrogate.n:
        raise BadInput(f"{surrogate.name} has {surrogate.n} labels but {loss.name} has {loss.n}; give its own loss")
    grid, heights = _polygons(surrogate) if isinstance(surrogate, PolyhedralSurrogate) else _samples(surrogate)
    axes = axes_for(ax, INCHES, "rectilinear", "curves")
    axes.set(xlim=(grid[0], grid[-1]), ylim=(0, 1.05 * max(heights.max(), 1e-9)))
    axes.spines[["top", "right"]].set_visible(False)
    for y, curve in enumerate(heights.T):
        axes.plot(grid, curve, clip_on=False, zorder=3, **line(y))
    labels = range(surrogate.n) if loss is None else loss.labels
    legends = _name_curves(axes, heights[-1], [shown(label) for label in labels])
    key = _mark_cells(axes, surrogate, loss) if isinstance(surrogate, PolyhedralSurrogate) else []
    below = extents(axes, [*axes.texts, *axes.get_xticklabels()]).y0
    beside(axes, (0.5, below), "u", (0, -4), xycoords="axes fraction", va="top")
    if title:
        write_title(axes, title, extents(axes, axes.texts))
    if key:
        key_below(axes, key, extents(axes, [*axes.texts, *legends]))
    return framed(axes, new=ax is None)


def break_points(surrogate: PolyhedralSurrogate) -> list[Fraction]:
    """The points where a maximum passes from one piece to another, and the ends of the domain, exactly.

    >>> from lossmith.surrogates import epsilon_insensitive
    >>> [str(u) for u in break_points(epsilon_insensitive(2))]
    ['3/4', '5/4', '7/4', '9/4']
    """
    found = {-b / a for b, a in surrogate.domain.rows if a}
    for maximum in surrogate.maxima:
        for (b, a), (d, c) in combinations(maximum, 2):
            if a != c:
                u = (d - b) / (a - c)
                if b + a * u == max(e + f * u for e, f in maximum):
                    found.add(u)
    return sorted(u for u in found if surrogate.contains((u,)))


def _grid(surrogate: PolyhedralSurrogate) -> list[Fraction]:
    """The break points between two ends with some room, which stay in the domain."""
    breaks = break_points(surrogate) or [Fraction(0)]
    room = (breaks[-1] - breaks[0]) * Fraction(2, 5) or Fraction(1)
    ends = [u for u in (breaks[0] - room, breaks[-1] + room) if surrogate.contains((u,))]
    grid = sorted({*breaks, *ends})
    if len(grid) == 1:
        raise BadInput(f"the domain of {surrogate.name} is the point {grid[0]}; a curve needs more than one")
    return grid


def _polygons(surrogate: PolyhedralSurrogate) -> tuple[Any, Any]:
    grid = _grid(surrogate)
    return np.array(grid, dtype=float), np.array([surrogate((u,)) for u in grid], dtype=float)


def _samples(surrogate: Any) -> tuple[Any, Any]:
    grid = np.linspace(*_SMOOTH, _STEPS)
    return grid, np.asarray(surrogate.evaluate(grid[:, None]), dtype=float)


def _name_curves(ax: Any, ends: Sequence[float], names: Sequence[str]) -> list[Any]:
    """Write the names at the right ends of the curves, or in a legend if they are too many; the legend, if any."""
    names = [wrapped(name) for name in names]
    heights = [extent(ax, name)[1] for name in names]
    if sum(heights) > ax.bbox.height:
        handles = [Line2D([], [], **line(y)) for y in range(len(names))]
        return [legend_beside(ax, handles, names, extents(ax, ax.texts))]
    order = sorted(range(len(names)), key=lambda y: ends[y])
    at = [ax.transData.transform((0, ends[y]))[1] for y in order]
    for y, start, end in zip(order, at, spread(at, [heights[y] for y in order], 0), strict=True):
        shift = (8, (end - start) / pixels(ax, 1))
        beside(
            ax,
            (ax.get_xlim()[1], ends[y]),
            names[y],
            shift,
            ha="left",
            ma="left",
            color=line(y)["color"],
            weight="bold",
        )
    return []


def _mark_cells(ax: Any, surrogate: PolyhedralSurrogate, loss: LossMatrix | None) -> list[tuple[Any, str]]:
    """Mark at the axis where the cells are, with u and, if they have one, their decision; and say what it means."""
    cells, decisions = _cells(surrogate, loss)
    grid = _grid(surrogate)
    spans = [[u for u in grid if surrogate((u,)) == cell.z] for cell in cells]
    order = sorted(range(len(cells)), key=lambda k: spans[k])
    for low, high in ((spans[k][0], spans[k][-1]) for k in order):
        if low == high:
            ax.plot([float(low)], [0], clip_on=False, zorder=10, **DOT)
        else:
            ax.plot([float(low), float(high)], [0, 0], clip_on=False, zorder=10, **_BAR)
    texts = _where(surrogate, grid, [spans[k] for k in order])
    if decisions:
        names = [wrapped("→ " + decisions[k], 14) for k in order]
        texts = [f"{text}\n{name}" for text, name in zip(texts, names, strict=True)]
    if sum(extent(ax, text)[0] + pixels(ax, 4) for text in texts) < _CROWDED * ax.bbox.width:
        ax.set_xticks([])
        in_a_row(ax, [float(spans[k][0] + spans[k][-1]) / 2 for k in order], texts, 0, -9)
    return [(Line2D([], [], **DOT), _meaning(surrogate, loss, decided=bool(decisions)))]


def _cells(surrogate: PolyhedralSurrogate, loss: LossMatrix | None) -> tuple[Sequence[Any], list[str]]:
    """The cells of the surrogate, and the names of their predictions if it is calibrated for the loss."""
    if loss is not None:
        verdict = check(surrogate, loss)
        if isinstance(verdict, Calibrated):
            return verdict.cells, [shown(loss.predictions[cell.prediction]) for cell in verdict.cells]
    return positive_normal_sets(surrogate).cells, []


def _where(surrogate: PolyhedralSurrogate, grid: list[Fraction], spans: Sequence[Sequence[Fraction]]) -> list[str]:
    """Write each u, or the interval from one to another; the ends of the picture stand for infinity."""
    written = {u: text.replace("-", "−") for u, text in zip(grid, told_apart(grid), strict=True)}
    breaks = set(break_points(surrogate))
    texts = []
    for low, *_, high in ((span[0], *span) for span in spans):
        first, last = (written[u] if u in breaks else end for u, end in ((low, "−∞"), (high, "∞")))
        texts.append(first if low == high else f"{first} to {last}")
    return texts


def _meaning(surrogate: PolyhedralSurrogate, loss: LossMatrix | None, *, decided: bool) -> str:
    cells = f"on the axis: cells of {shown(surrogate.name)}"
    if loss is None:
        return cells
    return f"{cells}, with decisions" if decided else f"{cells}; not calibrated for {shown(loss.name)}"
