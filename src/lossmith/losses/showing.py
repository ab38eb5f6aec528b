"""A table of losses in print: aligned columns, the middle of a large one left out; the same in HTML."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from fractions import Fraction

from lossmith.text.names import cut
from lossmith.text.numbers import LONGEST, told_apart

ORIENTATION = "truth ↓ decision →"
MOST_SHOWN = 12  # rows and columns
_FEW, _LETTERS = 5, (24, 16, 8)  # columns that are shown in any case; letters of names that are cut


def abridged(
    labels: Sequence[object],
    predictions: Sequence[object],
    row: Callable[[int], Sequence[Fraction]],
    most: int = MOST_SHOWN,
) -> list[list[str]]:
    """The entries as text, with a row and a column of names; different numbers look different.

    >>> abridged(["a"], range(20), lambda y: [Fraction(t) for t in range(20)])[1][-3:]
    ['9', '…', '19']
    """
    columns, rows = _places(len(predictions), most), _places(len(labels), most)
    held = {y: row(y) for y in rows if y is not None}
    entries = iter(told_apart([line[t] for line in held.values() for t in columns if t is not None]))
    shown = [[ORIENTATION, *("…" if t is None else f"{predictions[t]}" for t in columns)]]
    for y in rows:
        cells = ["…" if y is None or t is None else next(entries) for t in columns]
        shown.append(["…" if y is None else f"{labels[y]}", *cells])
    return shown


def as_html(rows: Sequence[Sequence[str]], caption: str) -> str:
    """The table as HTML, with the names as headers."""
    (corner, *names), *body = rows
    header = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in names)
    lines = "".join(
        f"<tr><th scope='row' style='text-align:left'>{html.escape(row[0])}</th>"
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in body
    )
    head = f"<caption>{html.escape(caption)}</caption><thead><tr><th>{corner}</th>{header}</tr></thead>"
    return f"<table>{head}<tbody>{lines}</tbody></table>"


def fitted(rows_of: Callable[[int], Sequence[Sequence[str]]], sizes: Sequence[int]) -> list[str]:
    """A table in lines that fit on a screen: of the first of the sizes that does, if need be with names cut.

    Rather than most of the columns, letters of long names are left out.

    >>> fitted(lambda size: [["truth", "x" * 200], ["a", "1"]], [8])[0]
    'truth  xxxxxxxxxxxxxxx…xxxxxxxx'
    """
    first = [size for size in sizes if size >= _FEW] or sizes
    for letters, tried in ((None, first), *((each, sizes) for each in _LETTERS)):
        for size in tried:
            head, *body = rows_of(size)
            if letters is not None:
                head = [head[0], *(cut(name, letters) for name in head[1:])]
                body = [[cut(row[0], letters), *row[1:]] for row in body]
            lines = aligned([head, *body])
            if len(lines[0]) <= LONGEST:
                return lines
    return lines


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lay out a table in columns: the first one to the left, the others to the right.

    >>> aligned([["a", "1"], ["bc", "10"]])
    ['a    1', 'bc  10']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]).rstrip()
        for row in rows
    ]


def _places(size: int, most: int) -> list[int | None]:
    return [*range(size)] if size <= most else [*range(most - 2), None, size - 1]
