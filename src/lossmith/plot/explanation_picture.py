"""One decision explained: what each would be expected to cost, and which labels that cost comes from."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from lossmith.errors import BadInput
from lossmith.plot.frame import axes_for, extents, framed, legend_below, write_title
from lossmith.plot.labels import SIZE, beside
from lossmith.plot.palette import INK, fill

INCHES = (4.2, 0.34)  # the height is that of one bar


def explanation(shown: Any, *, ax: Any = None, title: str | None = None) -> Figure:
    """Draw what `model.explain(x)` returns: a bar of expected cost for each decision, divided by labels.

    >>> import numpy as np
    >>> from lossmith.learn.explanation import explained
    >>> shown = explained(np.array([0.8, 0.2]), np.array([[0.0, 5], [30, 5]]), ["legit", "fraud"], ["pay", "review"])
    >>> explanation(shown).axes[0].get_xlabel()
    'expected cost'
    """
    if not hasattr(shown, "expected"):
        raise BadInput(f"{type(shown).__name__} has no expected costs; give what model.explain(x) returns")
    new = ax is None
    ax = axes_for(ax, (INCHES[0], INCHES[1] * (len(shown.expected) + 1)), "rectilinear", "explanations")
    order = sorted(shown.expected, key=lambda name: shown.expected[name])
    handles = []
    ends = dict.fromkeys(order, 0.0)
    for number, label in enumerate(shown.parts):
        widths = [shown.parts[label][name] for name in order]
        paint = {**fill(number), "edgecolor": INK, "linewidth": 0.6}
        handles.append(ax.barh(range(len(order)), widths, left=[ends[name] for name in order], height=0.7, **paint))
        ends = {name: ends[name] + width for name, width in zip(order, widths, strict=True)}
    if not shown.parts:
        ax.barh(range(len(order)), [shown.expected[name] for name in order], height=0.7, **fill(0))
    names = []
    for place, name in enumerate(order):
        weight = "bold" if name == shown.decision else "normal"
        at = {"xycoords": ax.get_yaxis_transform(), "ha": "right", "weight": weight}
        names.append(beside(ax, (0, place), str(name), (-8, 0), **at))
    ax.set_ylim(len(order) - 0.5, -0.5)
    ax.set_yticks([])
    ax.set_xlabel("expected cost", size=SIZE)
    ax.tick_params(labelsize=SIZE - 1)
    ax.spines[["top", "right"]].set_visible(False)
    ax.figure.canvas.figure.draw_without_rendering()
    outer = extents(ax, [ax.xaxis.label, *names])
    if handles:
        told = [f"{label}, probability {p:.3f}" for label, p in shown.probabilities.items()]
        legend_below(ax, handles, told, outer)
    if title:
        write_title(ax, title, outer)
    return framed(ax, new=new)
