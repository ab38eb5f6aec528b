"""Predicted probabilities against what was observed: on the diagonal, they are what they say."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from lossmith.errors import BadInput
from lossmith.plot.frame import axes_for, extents, framed, legend_below, write_title
from lossmith.plot.labels import SIZE
from lossmith.plot.palette import line
from lossmith.text.numbers import counted

INCHES = (3.4, 3.4)
_MOST = 10  # curves that can be told apart


def reliability(shown: Any, *, ax: Any = None, title: str | None = None) -> Figure:
    """Draw what `lm.learn.reliability` returns: a curve for each label, with 95 % intervals, but for ten at most.

    Of two labels it is the second, which tells both.

    >>> from sklearn.dummy import DummyClassifier
    >>> from lossmith.learn import reliability as measured
    >>> model = DummyClassifier(strategy="prior").fit([[0]] * 4, [0, 0, 0, 1])
    >>> reliability(measured(model, [[0]] * 10, [0, 1] * 5)).axes[0].get_ylabel()
    'share that is so'
    """
    if not hasattr(shown, "curves"):
        raise BadInput(f"{type(shown).__name__} has no curves; give what lm.learn.reliability returns")
    new = ax is None
    ax = axes_for(ax, INCHES, "rectilinear", "reliability curves")
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, zorder=0)
    drawn = shown.curves[1:] if len(shown.curves) == 2 else shown.curves[:_MOST]  # of two, one tells both
    handles = []
    for number, curve in enumerate(drawn):
        paint = line(number)
        ax.vlines(curve.predicted, curve.low, curve.high, color=paint["color"], linewidth=1)
        handles += ax.plot(curve.predicted, curve.observed, marker="o", markersize=4, clip_on=False, **paint)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.set_xlabel("predicted probability", size=SIZE)
    ax.set_ylabel("share that is so", size=SIZE)
    ax.tick_params(labelsize=SIZE - 1)
    ax.spines[["top", "right"]].set_visible(False)
    ax.figure.canvas.figure.draw_without_rendering()
    outer = extents(ax, [ax.xaxis.label, ax.yaxis.label])
    names = [str(curve.label) for curve in drawn]
    if len(shown.curves) > _MOST:
        handles += ax.plot([], [], linestyle="none")
        names.append(f"{counted(len(shown.curves) - _MOST, 'more label')}: not drawn")
    legend_below(ax, handles, names, outer)
    if title:
        write_title(ax, title, outer)
    return framed(ax, new=new)
