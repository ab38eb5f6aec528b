"""Which cells touch: the decisions on a circle, a line between those that are both best somewhere on a wall."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import cos, pi, sin

from lossmith.exact.vectors import minus, primitive
from lossmith.losses.matrix import LossMatrix
from lossmith.plot.palette import fill

MOST_NODES = 40
_RADIUS, _DOT, _LETTER, _LONGEST = 130, 9, 8.2, 16


def boundary(loss: LossMatrix, s: int, t: int) -> tuple[int, ...]:
    """The row a with a·p = 0 where s and t cost the same, in small integers; s costs less where a·p > 0."""
    columns = loss.rational.integer_columns()
    return primitive(minus(columns[t], columns[s]))


def graph(loss: LossMatrix, order: Sequence[int], pairs: Sequence[tuple[int, int]]) -> str:
    """The picture as an element of HTML, readable without colour; the table beside it says the same in words."""
    names = [_short(f"{loss.predictions[t]}") for t in order]
    places = [_place(i, len(order)) for i in range(len(order))]
    margin = 2 * _DOT + _LETTER * max(map(len, names))
    width, height = 2 * (_RADIUS + margin), 2 * (_RADIUS + 3 * _DOT)
    lines = [(places[order.index(s)], places[order.index(t)]) for s, t in pairs]
    drawn = [
        *(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="#444"/>' for (a, b), (c, d) in lines),
        *(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}" fill="{fill(t)["facecolor"]}" stroke="#1a1a1a"/>'
            for t, (x, y) in zip(order, places, strict=True)
        ),
        *(_name(name, i, len(order)) for i, name in enumerate(names)),
    ]
    words = escape(f"Graph of {len(order)} decisions with {len(pairs)} lines between decisions whose cells touch")
    return (
        f'<svg role="img" aria-label="{words}" xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="{-width / 2:.0f} {-height / 2:.0f} {width:.0f} {height:.0f}" '
        f'font-family="system-ui, DejaVu Sans, sans-serif" font-size="14">\n' + "\n".join(drawn) + "\n</svg>"
    )


def _angle(i: int, count: int) -> float:
    return 2 * pi * i / count - pi / 2


def _place(i: int, count: int) -> tuple[float, float]:
    return _RADIUS * cos(_angle(i, count)), _RADIUS * sin(_angle(i, count))


def _name(name: str, i: int, count: int) -> str:
    """The name outside the circle, beside its dot."""
    x, y = cos(_angle(i, count)), sin(_angle(i, count))
    anchor = "middle" if abs(x) < 0.15 else "start" if x > 0 else "end"
    far = _RADIUS + 1.6 * _DOT
    down = 5 + (4 * y if anchor == "middle" else 0)
    return f'<text x="{far * x:.1f}" y="{far * y + down:.1f}" text-anchor="{anchor}">{escape(name)}</text>'


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
