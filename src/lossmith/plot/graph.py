"""Many labels: the decisions as dots on a circle, a line between two whose cells share a wall."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from lossmith.analysis.facts import Facts
from lossmith.errors import TooLarge
from lossmith.losses.named import LossLike, as_loss
from lossmith.losses.sampling import shares
from lossmith.plot.frame import axes_for, extents, framed, write_title
from lossmith.plot.labels import beside, short_names
from lossmith.plot.palette import INK, fill
from lossmith.plot.scene import shown

MOST_DECISIONS = 60
_INCHES = (4.6, 4.6)
_SMALLEST, _LARGEST = 40.0, 900.0  # areas of dots, in square points


def neighbours(loss: LossLike, *, ax: Any = None, title: str | None = None) -> Figure:
    """Draw which decisions border on which: a line joins two of them if both are best on a wall between their cells.

    For any number of labels and up to 60 decisions. The area of a dot grows with its share of all distributions, which
    is sampled; the lines are exact. `loss`, `ax` and `title` are as in `trigger_sets`.

    >>> from lossmith.losses import ordinal
    >>> figure = neighbours(ordinal(6))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['0', '1', '2', '3', '4', '5']
    """
    facts = Facts(as_loss(loss).matrix())
    kept = facts.kept
    if len(kept) > MOST_DECISIONS:
        raise TooLarge(
            f"{facts.loss.name} has {len(kept)} decisions that may be best, more than the {MOST_DECISIONS} that a "
            f"picture can show; choose some with loss.restrict(predictions=[…])"
        )
    axes = axes_for(ax, _INCHES, "rectilinear", "graphs")
    axes.set(xlim=(-1.12, 1.12), ylim=(-1.12, 1.12), aspect="equal")
    axes.set_axis_off()
    angles = [pi / 2 - 2 * pi * i / len(kept) for i in range(len(kept))]
    places = {t: (cos(angle), sin(angle)) for t, angle in zip(kept, angles, strict=True)}
    lines = [(places[s], places[t]) for s, t in facts.neighbours.pairs]
    faint = max(0.15, min(0.7, 40 / (len(lines) or 1)))
    axes.add_collection(LineCollection(lines, colors=INK, linewidths=0.9, alpha=faint, zorder=1))
    sizes = shares(facts.loss)
    for t, (x, y) in places.items():
        area = _SMALLEST + _LARGEST * sizes[t]
        axes.scatter([x], [y], s=area, zorder=2, **{**fill(t), "edgecolor": INK, "linewidth": 0.8})
    names = short_names([shown(facts.loss.predictions[t]) for t in kept])
    for name, t, angle in zip(names, kept, angles, strict=True):
        across, away = cos(angle), 4 + np.sqrt((_SMALLEST + _LARGEST * sizes[t]) / pi)
        side = "center" if abs(across) < 0.2 else "left" if across > 0 else "right"
        beside(axes, places[t], name, (away * across, away * sin(angle)), ha=side)
    if title:
        write_title(axes, title, extents(axes, axes.texts))
    return framed(axes, new=ax is None)
