"""Excess losses on growing samples: one curve for each way to train, with its confidence band."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from lossmith.answers.demonstration import Demonstration
from lossmith.plot.frame import extents, framed, legend_below, write_title
from lossmith.plot.labels import SIZE
from lossmith.plot.palette import line

INCHES = (5.2, 3.0)
_BAND = 0.18
_ROOM = 0.04


def demonstration(shown: Demonstration, *, ax: Any = None, title: str | None = None) -> Figure:
    """Draw what each way to train loses more than necessary, as the samples grow; bands are 95% intervals of the means.

    >>> from lossmith.calibration.checking import check
    >>> from lossmith.answers.demonstration import demonstrate
    >>> from lossmith.losses import ordinal
    >>> from lossmith.surrogates import softmax
    >>> shown = demonstrate(check(softmax(3), ordinal(3), pred="argmax"), sizes=[10, 1000], repetitions=5)
    >>> figure = demonstration(shown)
    >>> figure.axes[0].get_xlabel()
    'training examples'
    """
    new = ax is None
    if new:
        figure = Figure(figsize=INCHES)
        figure.set_layout_engine("none")
        ax = figure.add_axes((0, 0, 1, 1))
    handles = []
    for number, curve in enumerate(shown.curves, start=1):
        means, widths = np.array(curve.means), np.array(curve.widths)
        paint = line(number % len(shown.curves))  # the design keeps its paint from picture to picture
        ax.fill_between(
            shown.sizes, np.maximum(means - widths, 0), means + widths, color=paint["color"], alpha=_BAND, linewidth=0
        )
        handles += ax.plot(shown.sizes, means, marker="o", markersize=4, clip_on=False, **paint)
    ax.set_xscale("log")
    ax.set_xlabel("training examples", size=SIZE)
    ax.set_ylabel("excess loss per case", size=SIZE)
    ax.set_ylim(bottom=-_ROOM * ax.get_ylim()[1])  # what is 0 lies above the axis
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.tick_params(labelsize=SIZE - 1)
    ax.spines[["top", "right"]].set_visible(False)
    ax.figure.canvas.figure.draw_without_rendering()  # labels move below the numbers
    outer = extents(ax, [ax.xaxis.label, ax.yaxis.label])
    legend_below(ax, handles, [curve.name for curve in shown.curves], outer)
    if title is None:
        verdict = shown.verdict
        title = f"{verdict.surrogate.name} for {verdict.loss.name}"
    if title:
        write_title(ax, title, outer)
    return framed(ax, new=new)
