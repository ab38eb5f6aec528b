"""What depends on the costs: thresholds with their bands for two labels, a tornado for more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FuncFormatter

from lossmith.answers.sensitive import Cost, Sensitivity
from lossmith.answers.sensitivity_text import decimal, while_text
from lossmith.answers.uncertain import SWING
from lossmith.errors import BadInput
from lossmith.plot.frame import extents, framed, legend_below, write_title
from lossmith.plot.interval import in_a_row
from lossmith.plot.labels import SIZE, beside, short_names
from lossmith.plot.palette import INK, fill
from lossmith.plot.scene import shown

_INCHES, _ROW = 5.4, 0.36  # the width, and the height of a row
_THICK = 0.62  # of a bar, where rows are 1 apart
_MOST_ROWS = 12
_NEAR_AN_END = 0.05  # thresholds nearer than this to 0 or 1 need another scale
_BAND: dict[str, Any] = {"facecolor": (1, 1, 1, 0.55), "edgecolor": INK, "hatch": "//////", "linewidth": 0.8}
_LOWER, _HIGHER = "#56B4E9", "#D55E00"


def sensitivity(study: Sensitivity, *, ax: Any = None, title: str | None = None) -> Figure:
    """Draw what depends on the costs.

    For two labels: where each decision is best now, and below it how far these thresholds can move if all costs are
    uncertain, exactly. For more: on which costs most depends, as the share of distributions, sampled, whose best
    decision changes if one cost is 20 % lower or higher, with the exact interval in which the useful decisions stay so.

    >>> from lossmith.answers.sensitive import sensitivity as study_of
    >>> from lossmith.losses import ordinal
    >>> figure = sensitivity(study_of(ordinal(3)))
    >>> figure.axes[0].get_xlabel()
    'distributions whose best decision changes (sampled)'
    """
    if not isinstance(study, Sensitivity):
        raise BadInput("a picture is drawn of lm.sensitivity(loss); write lm.plot.sensitivity(lm.sensitivity(loss))")
    two = bool(study.thresholds)
    rows = 1 + len(study.together) if two else min(_MOST_ROWS, len(study.costs))
    new = ax is None
    if new:
        figure = Figure(figsize=(_INCHES, _ROW * (rows + 0.6)))
        figure.set_layout_engine("none")
        ax = figure.add_axes((0, 0, 1, 1))
    ax.set_ylim(rows - 0.4, -0.6)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(labelsize=SIZE - 1)
    ax.tick_params(axis="y", length=0, labelsize=SIZE)
    handles, names = (_bands if two else _tornado)(ax, study)
    ax.figure.canvas.figure.draw_without_rendering()  # labels move below the numbers
    outer = extents(ax, [ax.xaxis.label, *ax.texts])
    legend_below(ax, handles, names, outer, ncols=min(4, len(handles)))
    if title is None:
        title = f"How much depends on the costs of {study.loss.name}"
    if title:
        write_title(ax, title, outer)
    return framed(ax, new=new)


def _bands(ax: Any, study: Sensitivity) -> tuple[list[Any], list[str]]:
    """Rows from now to the largest uncertainty; hatched is where either of two decisions may be best."""
    order = [study.thresholds[0].before, *(each.after for each in study.thresholds)]
    marks = [float(each.value) for each in study.thresholds]
    low, high = _scale(ax, marks)
    marks = [min(max(mark, low), high) for mark in marks]
    for row in range(1 + len(study.together)):
        for t, start, end in zip(order, [low, *marks], [*marks, high], strict=True):
            ax.add_patch(Rectangle((start, row - _THICK / 2), end - start, _THICK, **fill(t)))
        for each in study.thresholds if row else ():
            least, most = (min(max(float(x), low), high) for x in each.bands[row - 1])
            ax.add_patch(Rectangle((least, row - _THICK / 2), most - least, _THICK, **_BAND))
        for mark in marks:
            ax.plot([mark, mark], [row - _THICK / 2, row + _THICK / 2], color=INK, linewidth=1.6)
    in_a_row(ax, marks, [decimal(each.value, 3) for each in study.thresholds], -_THICK / 2, 5)
    labels = ["now", *(f"all ± {decimal(each.percent)} %" for each in study.together)]
    ax.set_yticks(range(len(labels)), labels)
    ax.set_xlabel(f"P({shown(study.loss.labels[1])})", size=SIZE, parse_math=False)
    names = short_names([shown(study.loss.predictions[t]) for t in order])
    return [*(Patch(**fill(t)) for t in order), Patch(**_BAND)], [*names, "either, by the true costs"]


def _scale(ax: Any, marks: Sequence[float]) -> tuple[float, float]:
    """From 0 to 1; if a threshold is near an end, stretched there."""
    low, high = 0.0, 1.0
    if min(marks) < _NEAR_AN_END or max(marks) > 1 - _NEAR_AN_END:
        ax.set_xscale("logit")
        edge = min(0.01, max(1e-9, min(min(x, 1 - x) for x in marks) / 5))
        low, high = edge, 1 - edge
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.12f}".rstrip("0").rstrip(".")))
        ax.xaxis.set_minor_formatter(FuncFormatter(lambda *_: ""))
    ax.set_xlim(low, high)
    return low, high


def _tornado(ax: Any, study: Sensitivity) -> tuple[list[Any], list[str]]:
    """A row for each cost, 20 % less to the left and 20 % more to the right."""
    costs = study.costs[:_MOST_ROWS]
    rows = np.arange(len(costs))
    ax.barh(rows, [-each.lower for each in costs], _THICK, color=_LOWER, edgecolor=INK, linewidth=0.8)
    ax.barh(rows, [each.higher for each in costs], _THICK, color=_HIGHER, edgecolor=INK, linewidth=0.8)
    ax.axvline(0, color=mpl.rcParams["text.color"], linewidth=1)
    reach = 1.1 * max((max(each.lower, each.higher) for each in costs), default=0) or 1.0
    ax.set_xlim(-reach, reach)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{abs(100 * x):g} %"))
    ax.set_yticks(rows, [_name(study, each) for each in costs])
    for text in ax.get_yticklabels():
        text.set(parse_math=False)
    ax.set_xlabel("distributions whose best decision changes (sampled)", size=SIZE)
    for row, each in enumerate(costs):
        beside(ax, (reach, row), while_text(each.useful, each.cost), (8, 0), ha="left")
    beside(ax, (reach, -1), "useful decisions stay (exact)", (8, 0), ha="left", weight="bold")
    sides = [Patch(facecolor=colour, edgecolor=INK) for colour in (_LOWER, _HIGHER)]
    return sides, [f"this cost {SWING} % lower", f"this cost {SWING} % higher"]


def _name(study: Sensitivity, each: Cost) -> str:
    loss = study.loss
    label, prediction = loss.labels[each.label], loss.predictions[each.prediction]
    names = [short_names([shown(name)])[0] for name in (label, prediction)]
    return f"{names[0]} → {names[1]}: {decimal(each.cost)}"
