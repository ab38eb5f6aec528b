"""Tables of losses: which row and column holds the names, and which side is the truth; every doubt is an error."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from os import PathLike

from lossmith.errors import BadLoss
from lossmith.losses.delimited import FORMULA, cell, cells_of, delimiters_of
from lossmith.losses.files import Table, read_text, write_text
from lossmith.losses.numerals import is_number, plain_numbers

CORNER = "truth \\ decision"
_TRUTH = {"truth", "true", "actual", "observed", "reference", "gold"}
_DECISION = {"prediction", "predictions", "predicted", "predict", "pred", "decision", "decisions", "decide", "decided"}
_DECISION |= {"action", "actions", "guess", "guessed", "estimate", "estimated"}
_NAME_ALL = f"name every row and every column, and write '{CORNER}' in the corner"
_EACH_ROW = f"in every row give one cell for the label and one per prediction, and '{CORNER}' above the labels"


def read_table(path: str | PathLike[str]) -> Table:
    """Read a table separated by commas, semicolons or tabs; in a .tsv file only by tabs."""
    return table_of_text(read_text(path), delimiters_of(path))


def table_of_text(text: str, delimiters: str) -> Table:
    """The table that a text holds."""
    delimiter, rows = cells_of(text, delimiters, _EACH_ROW)
    return table_of(rows, delimiter)


def table_of(rows: Sequence[Sequence[str]], delimiter: str | None) -> Table:
    """The table that cells make, with names or, where the corner is a number, without any."""
    if is_number(rows[0][0]):
        _refuse_counting(rows)
        return Table(plain_numbers(rows, range(len(rows)), range(len(rows[0])), delimiter))
    (corner, *predictions), *body = rows
    labels = [row[0] for row in body]
    if not labels:
        raise BadLoss("there is a header but no rows; give one row per true label")
    rows_called, _, columns_called = re.sub(r"[/|,;:]", r"\\", corner).partition("\\")
    check_orientation(rows_called, columns_called, labels, predictions)
    number = next((name for name in (*predictions, *labels) if is_number(name)), None)
    if number is not None and not _surely_a_corner(corner, predictions[0]):
        raise BadLoss(
            f"in the first row or column {number!r} could be a name or a loss; {_NAME_ALL}, or give numbers alone"
        )
    y_names, t_names = names_of(labels), names_of(predictions)
    return Table(plain_numbers([row[1:] for row in body], y_names, t_names, delimiter), y_names, t_names)


def write_table(
    path: str | PathLike[str], labels: Sequence[object], predictions: Sequence[object], rows: Sequence[Sequence[str]]
) -> None:
    """Write a table; tabs if the path ends in .tsv, else commas."""
    delimiter = delimiters_of(path)[0]
    lines = [[CORNER, *map(cell, predictions)], *([cell(y), *row] for y, row in zip(labels, rows, strict=True))]
    write_text(path, "".join(delimiter.join(line) + "\n" for line in lines))


def names_of(texts: Sequence[str]) -> list[Hashable]:
    """Read names; digits of one width, some with a 0 in front, are codes: then 100 is text, like 001.

    >>> names_of(["000", "011", "100"]), names_of(["007", "8"])
    (['000', '011', '100'], ['007', 8])
    """
    digits = all(re.fullmatch("[0-9]{2,}", text) for text in texts)
    coded = digits and len({*map(len, texts)}) == 1 and any(text.startswith("0") for text in texts)
    return [text if coded else name_of(text) for text in texts]


def name_of(text: str) -> Hashable:
    """Read a name; one that is written like an integer is one, so that it meets the integers in y.

    >>> name_of("7"), name_of("007")
    (7, '007')
    """
    text = str(text)
    if text.startswith("'") and FORMULA.match(text):  # the apostrophe of `cell`
        return text[1:]
    return int(text) if re.fullmatch(r"0|-?[1-9][0-9]{0,99}", text) else text


def check_orientation(
    rows_called: str, columns_called: str, labels: Iterable[object], predictions: Iterable[object]
) -> None:
    """Refuse a table whose corner, or else whose names, say that its rows are decisions or its columns the truth."""
    rows, columns = _side(rows_called), _side(columns_called)
    if rows is None and columns is None:
        y_names, t_names = [str(each) for each in labels], [str(each) for each in predictions]
        rows, columns = _side_of_all(y_names), _side_of_all(t_names)
        rows_called, columns_called = ", ".join(y_names[:2]), ", ".join(t_names[:2])
    if (rows == "decision" and columns != "decision") or (columns == "truth" and rows != "truth"):
        side, called = ("rows", rows_called) if rows == "decision" else ("columns", columns_called)
        raise BadLoss(
            f"the table looks like the transpose: its {side} are called {called.strip()!r}; rows must be the truth and "
            f"columns the decisions: swap them, or call the rows 'truth' if that is what they are"
        )


def _side(text: str) -> str | None:
    """Tell what a corner says of its side, in any spelling such as y_true or PredictedClass."""
    return {"y": "truth", "t": "decision"}.get(text.strip().lower()) or _first_side(_words(text))


def _side_of_all(names: Iterable[str]) -> str | None:
    """Tell what names say that all begin with such a word: pred_a, pred_b."""
    sides = {_first_side(_words(name)[:1]) for name in names}
    return sides.pop() if len(sides) == 1 else None


def _first_side(words: Iterable[str]) -> str | None:
    return next(("truth" if word in _TRUTH else "decision" for word in words if word in _TRUTH | _DECISION), None)


def _surely_a_corner(corner: str, prediction: str) -> bool:
    """Whether the corner cannot be a name itself, nor the blank above row numbers that pandas has put there."""
    words = _words(corner)
    if not corner:
        return {"truth", "label", "labels"}.isdisjoint(_words(prediction))
    return "truth" in words or not (_TRUTH.isdisjoint(words) or _DECISION.isdisjoint(words))


def _words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)]


def _refuse_counting(rows: Sequence[Sequence[str]]) -> None:
    """Refuse numbers without names whose first row or column counts 0, 1, 2, … and so may be the names.

    They are losses where being right costs nothing, as in |y − t|.
    """
    if len(rows) == len(rows[0]) and all(row[y] == "0" for y, row in enumerate(rows)):
        return
    for what, side in (("row", list(rows[0])), ("column", [row[0] for row in rows])):
        if side in ([str(start + i) for i in range(len(side))] for start in (0, 1)):
            raise BadLoss(f"the first {what}, {', '.join(side)}, could hold names or losses; {_NAME_ALL}")
