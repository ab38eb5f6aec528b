"""Cells parted by commas, semicolons or tabs: a text taken apart in the only way that makes a table, and written."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from os import PathLike
from pathlib import Path

from lossmith.errors import BadLoss
from lossmith.losses.numerals import Exact, is_number

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
# Spreadsheets execute a cell that begins with one of these, also in full width; an apostrophe before it makes it text.
FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠]|'*[\t\r\n]")


def delimiters_of(path: str | PathLike[str]) -> str:
    """What may part the cells of a file: in a .tsv file only tabs."""
    return "\t" if Path(path).suffix.lower() == ".tsv" else "".join(DELIMITERS)


def cells_of(text: str, delimiters: str, each_row: str) -> tuple[str, list[list[str]]]:
    """Find the delimiter that makes a table of the text: every row of one length, at least two columns.

    Lines that begin with # are comments. `each_row` says what every row should hold, for the error.

    >>> cells_of("# in euros" + chr(10) + "truth;a" + chr(10) + "x;1,5", ",;", "one cell per prediction")
    (';', [['truth', 'a'], ['x', '1,5']])
    """
    text, comments = without_comments(text)
    tables: dict[str, list[list[str]]] = {}
    problem = None
    for delimiter in delimiters:
        try:
            tables[delimiter] = trimmed(_parted(text, delimiter))
        except csv.Error as error:
            problem = error
    even = {d: rows for d, rows in tables.items() if rows and len(rows[0]) > 1 and len({*map(len, rows)}) == 1}
    if len(even) > 1:
        even = {d: rows for d, rows in even.items() if not _holds_delimiters(rows, d)} or even
    if len(even) > 1:
        ways = " or ".join(DELIMITERS[each] for each in even)
        raise BadLoss(f"the columns could be separated by {ways}; use only one of them")
    if even:
        delimiter, rows = next(iter(even.items()))
        _refuse_rows_as_comments(comments, delimiter, rows[0])
        return delimiter, rows
    if problem:
        raise BadLoss(f"the cells cannot be told apart: {problem}; put a quote at both ends of a cell, or none")
    raise _uneven(tables, each_row)


def without_comments(text: str) -> tuple[str, list[str]]:
    """The text without the lines that begin with #, and these; not within quotes, and not where # is all of a cell.

    >>> without_comments("#a" + chr(10) + "#,b" + chr(10) + "c,d")
    ('#,b\\nc,d', ['#a'])
    """
    kept, comments, quoted = [], [], False
    for line in io.StringIO(text, newline="") if "#" in text else [text]:
        if not quoted and re.match(r" *#(?!\s*[,;\t])", line):
            comments.append(line.strip())
            continue
        quoted ^= line.count('"') % 2 == 1
        kept.append(line)
    return "".join(kept), comments


def trimmed(cells: Iterable[Sequence[str]]) -> list[list[str]]:
    """The rows and columns that hold something: Excel leaves empty ones behind."""
    lines = [[cell if isinstance(cell, Exact) else cell.strip() for cell in line] for line in cells]
    width = max((column for line in lines for column, cell in enumerate(["all", *line]) if cell), default=0)
    return [line[:width] for line in lines if any(line)]


def cell(value: object) -> str:
    """Write a cell: in quotes where any delimiter could split it, after an apostrophe where text looks like a formula.

    >>> cell(-1), cell("-1"), cell("'-1"), cell(" '-1"), cell("'tis"), cell("#1")
    ('-1', "'-1", "''-1", "''-1", "'tis", '"#1"')
    """
    text = str(value)
    if not isinstance(value, int):
        # Spaces around a name are lost; what they leave must not look guarded, nor lose its guard.
        text = text if FORMULA.match(text) and FORMULA.match(text.rstrip()) else text.strip()
        text = "'" + text if FORMULA.match(text) else text
    return verbatim(text)


def verbatim(text: str) -> str:
    """The text as a cell, in quotes where it needs them.

    >>> verbatim("a;b")
    '"a;b"'
    """
    if "\0" in text:
        raise BadLoss(f"{text!r} cannot stand in a table; rename it, or use to_json")
    return '"' + text.replace('"', '""') + '"' if re.search('[,;\t\r\n"]|^ *#', text) else text


def _parted(text: str, delimiter: str) -> list[list[str]]:
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    return list(lines)


def _holds_delimiters(rows: Sequence[Sequence[str]], delimiter: str) -> bool:
    others = set(DELIMITERS) - {delimiter}
    return any(others & set(cell) and not is_number(cell) for row in rows for cell in row)


def _refuse_rows_as_comments(comments: Sequence[str], delimiter: str, first: Sequence[str]) -> None:
    """A line that begins with # may also be a row of numbers, or the header of a table that has no other."""
    headless = all(map(is_number, first[1:]))
    for line in comments:
        try:
            [cells] = trimmed(_parted(line, delimiter)) or [[]]
        except (csv.Error, ValueError):
            continue  # a comment, with a quote of its own
        if len(cells) == len(first) and (headless or all(map(is_number, cells[1:]))):
            raise BadLoss(
                f"the line {line[:60]!r} could be a comment or a row; leave it out, or put quotes around {cells[0]!r}"
            )


def _uneven(tables: dict[str, list[list[str]]], each_row: str) -> BadLoss:
    """Why no delimiter makes a table, by the one that parts most."""
    delimiter, rows = max(tables.items(), key=lambda table: max(map(len, table[1]), default=0))
    if not rows:
        return BadLoss("there is nothing but comments; give a header of predictions, then one row per true label")
    if max(map(len, rows)) == 1:
        return BadLoss("there is only one column; separate the columns by commas, semicolons or tabs")
    number, row = next((i, row) for i, row in enumerate(rows, start=1) if len(row) != len(rows[0]))
    joined = (",".join(pair) for pair in pairwise(row))
    thousands = next((each for each in joined if re.fullmatch(r"\D?[1-9]\d{0,2},\d{3}", each)), "")
    hint = f"; if {thousands} is one number, put it in quotes" if delimiter == "," and thousands else ""
    counted = f"row {number} ({row[0]!r}) has {len(row)} cells but the first row has {len(rows[0])}"
    return BadLoss(f"{counted}; {each_row}{hint}")
