"""Calibration functions: how much regret of the surrogate it takes for a regret of the loss."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lossmith.answers.regretting import Regret
from lossmith.errors import BadInput
from lossmith.plot.frame import axes_for, extents, framed, legend_below, write_title
from lossmith.plot.labels import SIZE
from lossmith.plot.palette import line

INCHES = (4.8, 3.2)
_STEPS = 201
_THICKER = 0.9  # points, than the curve that comes next
_ROOM = 0.04
_HULL: dict[str, Any] = {"linestyle": (0, (4, 2.2)), "linewidth": 1.2}


def regret(*studies: Regret, ax: Any = None, title: str | None = None) -> Figure:
    """Draw the calibration functions of several surrogates for one loss.

    At a jump the dot is what δ is, and the ring what it tends to; it ends at the largest regret. Where δ is not convex,
    its hull is dashed. Where bounds alone are known, the curve is what δ is at least. Later curves are thinner, so that
    those below them show.

    >>> from lossmith.answers.regretting import regret as regret_of
    >>> from lossmith.losses import zero_one
    >>> figure = regret(regret_of("lee-lin-wahba", zero_one(3)), regret_of("softmax", zero_one(3)))
    >>> figure.axes[0].get_xlabel()
    'regret of the loss, ε'
    """
    if not studies or not all(isinstance(each, Regret) for each in studies):
        raise BadInput("a picture is drawn of lm.regret(surrogate, loss); write lm.plot.regret(lm.regret(…), …)")
    if len({each.loss for each in studies}) > 1:
        raise BadInput("these regrets are of different losses; draw those of one loss in a picture")
    new, handles, names = ax is None, [], []
    ax = axes_for(ax, INCHES, "rectilinear", "calibration functions")
    for number, each in enumerate(studies):
        paint = {**line(number), "linestyle": "solid", "linewidth": 2 + _THICKER * (len(studies) - 1 - number)}
        (_exact if each.regions is not None else _bound)(ax, each, paint)
        handles.append(Line2D([], [], **paint))
        known = "" if each.regions is not None else ", at least" if each.upper is not None else ", not calibrated"
        names.append(f"{each.surrogate.name}, {each.pred.name}{known}")
    if any(each.regions is not None and not each.calibration_function.convex for each in studies):
        handles.append(Line2D([], [], color="0.3", **_HULL))
        names.append("convex hull, for averages")
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=-_ROOM * ax.get_ylim()[1])  # what is 0 lies above the axis
    ax.set_xlabel("regret of the loss, ε", size=SIZE)
    ax.set_ylabel("least regret of the surrogate, δ(ε)", size=SIZE)
    ax.tick_params(labelsize=SIZE - 1)
    ax.spines[["top", "right"]].set_visible(False)
    ax.figure.canvas.figure.draw_without_rendering()  # labels move below the numbers
    outer = extents(ax, [ax.xaxis.label, ax.yaxis.label])
    legend_below(ax, handles, names, outer)
    if title is None:
        title = f"What a regret for {studies[0].loss.name} takes"
    if title:
        write_title(ax, title, outer)
    return framed(ax, new=new)


def _exact(ax: Any, study: Regret, paint: dict[str, Any]) -> None:
    delta, dot = study.calibration_function, {"linestyle": "none", "marker": "o", "markersize": 6, "clip_on": False}
    colour = paint["color"]
    run: list[tuple[float, float]] = []
    for epsilon, value, right in delta.breakpoints:
        run.append((float(epsilon), float(value)))
        if value != right:
            ax.plot(*zip(*run, strict=True), clip_on=False, solid_joinstyle="round", **paint)
            ax.plot(*run[-1], color=colour, zorder=4, **dot)
            run = [(float(epsilon), float(right))]
            if right < inf:
                ax.plot(*run[-1], color=colour, markerfacecolor="white", zorder=4, **dot)
    if not delta.convex:
        points = np.array(study.hull.points, dtype=float)
        ax.plot(*points.T, color=colour, **_HULL)


def _bound(ax: Any, study: Regret, paint: dict[str, Any]) -> None:
    if study.upper is None or not study.upper.factor:
        return
    largest = max(float(max(row) - min(row)) for row in study.loss.entries)
    grid = np.linspace(0, largest, _STEPS)
    ax.plot(grid, grid ** (2 if study.upper.root else 1) / float(study.upper.above), clip_on=False, **paint)
