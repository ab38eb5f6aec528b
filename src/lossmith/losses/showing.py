"""A table of losses in print: aligned columns, the middle of a large one left out; the same in HTML."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

ORIENTATION = "truth ↓ decision →"


def abridged(
    labels: Sequence[object], predictions: Sequence[object], row: Callable[[int], Sequence[object]]
) -> list[list[str]]:
    """The entries as text, with a row and a column of names.

    >>> abridged(["a"], range(20), lambda y: range(20))[1][-3:]
    ['9', '…', '19']
    """
    shown = [[ORIENTATION, *_shortened(predictions)]]
    for y in _places(len(labels)):
        shown.append(["…"] * len(shown[0]) if y is None else [f"{labels[y]}", *_shortened(row(y))])
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


def _shortened(names: Sequence[object]) -> list[str]:
    """Show names on one line each; the middle of a long list is left out."""
    return ["…" if i is None else f"{names[i]}" for i in _places(len(names))]


def _places(size: int, most: int = 12) -> list[int | None]:
    return [*range(size)] if size <= most else [*range(most - 2), None, size - 1]
