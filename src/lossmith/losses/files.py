"""Loss matrices in files: CSV, TSV and JSON, read only where they can be read in one way."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import warnings
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from lossmith.errors import BadLoss, BadNumber, nearest
from lossmith.exact.rational import as_rational
from lossmith.text.files import replacing

CORNER = "truth \\ decision"
_TRUTH = {"truth", "true", "actual", "observed", "reference", "gold"}
_DECISION = {"prediction", "predictions", "predicted", "predict", "pred", "decision", "decisions", "decide", "decided"}
_DECISION |= {"action", "actions", "guess", "guessed", "estimate", "estimated"}
_NAME_ALL = f"name every row and every column, and write '{CORNER}' in the corner"
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
# Spreadsheets execute a cell that begins with one of these, also in full width; an apostrophe before it makes it text.
_FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠]|'*[\t\r\n]")
_MOST_BYTES = 2**28  # of a file: more than 30 million entries
_JSON_KEYS = ("entries", "labels", "predictions", "name", "rows")


@dataclass(frozen=True)
class Table:
    """What a file holds, not yet read as numbers."""

    entries: list[list[object]]
    labels: list[Hashable] | None = None
    predictions: list[Hashable] | None = None
    name: str | None = None


class _Number(str):
    """A number of a JSON file as it is written there: a float would already have been rounded."""


@contextlib.contextmanager
def about(path: str | PathLike[str]) -> Iterator[None]:
    """Begin every error with the file that it is about."""
    try:
        yield
    except BadLoss as error:
        raise BadLoss(f"{_shown(path)}: {error}") from None


def read_table(path: str | PathLike[str]) -> Table:
    """Read a table separated by commas, semicolons or tabs; in a .tsv file only by tabs."""
    delimiter, rows = _split(read_text(path), "\t" if _is_tsv(path) else "".join(_DELIMITERS))
    if _is_number(rows[0][0], delimiter):  # a number in the corner: no names at all
        _refuse_counting(rows)
        return Table(_numbers(rows, delimiter, range(len(rows)), range(len(rows[0]))))
    (corner, *predictions), *body = rows
    labels = [row[0] for row in body]
    if not labels:
        raise BadLoss("there is a header but no rows; give one row per true label")
    rows_called, _, columns_called = re.sub(r"[/|,;:]", r"\\", corner).partition("\\")
    check_orientation(rows_called, columns_called, labels, predictions)
    number = next((name for name in (*predictions, *labels) if _is_number(name, delimiter)), None)
    if number is not None and not _surely_a_corner(corner, predictions[0]):
        raise BadLoss(
            f"in the first row and column, which begin with {corner!r} and {predictions[0]!r}, {number!r} could be "
            f"a name or a loss; {_NAME_ALL}"
        )
    y_names, t_names = [_name(each) for each in labels], [_name(each) for each in predictions]
    return Table(_numbers([row[1:] for row in body], delimiter, y_names, t_names), y_names, t_names)


def read_json(path: str | PathLike[str]) -> Table:
    """Read {"labels": …, "predictions": …, "entries": …} or a plain list of rows."""
    content = load_json(path)
    if isinstance(content, list):
        return Table(content)
    if not isinstance(content, dict) or not isinstance(content.get("entries"), list):
        raise BadLoss('there is no loss matrix; write a list of rows, or an object with "entries": a list of rows')
    for key in content:
        if key not in _JSON_KEYS:
            raise BadLoss(f"the key {key!r} is unknown; {nearest(key, _JSON_KEYS)}")
    if content.get("rows", "truth") != "truth":
        raise BadLoss(f'"rows" is {content["rows"]!r}; rows must be the truth: transpose the matrix')
    for key in ("labels", "predictions"):
        names = content.get(key)
        if names is not None and not (isinstance(names, list) and all(type(x) in (str, int, bool) for x in names)):
            raise BadLoss(f'"{key}" must be a list of names, each text or an integer')
    name = content.get("name")
    if name is not None and type(name) is not str:
        raise BadLoss(f'"name" is {name!r}; it must be text')
    return Table(content["entries"], content.get("labels"), content.get("predictions"), name)


def load_json(path: str | PathLike[str]) -> Any:
    """Read JSON in which no key is given twice; what is no integer stays text."""
    try:
        return json.loads(
            read_text(path),
            parse_int=lambda text: int(text) if len(text) < 4000 else _Number(text),
            parse_float=_Number,
            parse_constant=_Number,
            object_pairs_hook=_with_each_key_once,
        )
    except json.JSONDecodeError as error:
        raise BadLoss(f"this is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise BadLoss("the JSON is nested too deeply; write a list of rows") from None


def write_table(
    path: str | PathLike[str], labels: Sequence[object], predictions: Sequence[object], rows: Sequence[Sequence[str]]
) -> None:
    """Write a table; tabs if the path ends in .tsv, else commas."""
    delimiter = "\t" if _is_tsv(path) else ","
    lines = [[CORNER, *map(_cell, predictions)], *([_cell(y), *row] for y, row in zip(labels, rows, strict=True))]
    _write(path, "".join(delimiter.join(line) + "\n" for line in lines))


def write_json(
    path: str | PathLike[str] | None,
    labels: Sequence[object],
    predictions: Sequence[object],
    rows: Sequence[Sequence[str]],
    name: str,
) -> str:
    """Return the JSON text of a loss, one row a line; also write it to `path` if given."""
    for each in (*labels, *predictions):
        if not isinstance(each, (str, int)):
            raise BadLoss(f"{each!r} cannot be a name in JSON; rename it with text or an integer first")
    head = {"name": name, "rows": "truth", "labels": labels, "predictions": predictions}
    above = "".join(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},\n" for key, value in head.items())
    lines = ",\n".join("    " + json.dumps(list(row)) for row in rows)
    text = f'{{\n{above}  "entries": [\n{lines}\n  ]\n}}\n'
    if path is not None:
        _write(path, text)
    return text


def read_text(path: str | PathLike[str]) -> str:
    """Read the text of a file: UTF-8 with or without a mark, UTF-16 with one, or the letters of Windows-1252."""
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadLoss(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > _MOST_BYTES:
        raise BadLoss(f"the file is longer than {_MOST_BYTES:,} bytes; a loss matrix is not")
    utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = _decoded(content, "utf-16" if utf16 else "utf-8-sig")
    if text is None and not utf16:
        text = _decoded(content, "cp1252")
        if text and not all(character.isascii() or character.isalpha() for character in text):
            text = None
        if text:
            warnings.warn(f"{path} is not UTF-8; its letters were read as Windows-1252", stacklevel=4)
    if text is None:
        raise BadLoss("this is not text in UTF-8; save the matrix as CSV, TSV or JSON in UTF-8")
    if not "".join(text.split()).strip(',;"'):
        raise BadLoss("the file is empty; give a header of predictions, then one row per true label")
    return text


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


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


def _split(text: str, delimiters: Iterable[str]) -> tuple[str, list[list[str]]]:
    """Find the delimiter that makes a table of the text: every row of one length, at least two columns."""
    tables: dict[str, list[list[str]]] = {}
    problem = None
    for delimiter in delimiters:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
        try:
            cells = [[cell.strip() for cell in line] for line in lines]
        except csv.Error as error:
            problem = error
            continue
        width = max(column for line in cells for column, cell in enumerate(["all", *line]) if cell)
        tables[delimiter] = [line[:width] for line in cells if any(line)]  # Excel leaves empty rows and columns behind
    even = {d: rows for d, rows in tables.items() if len(rows[0]) > 1 and len({*map(len, rows)}) == 1}
    if len(even) > 1:
        even = {d: rows for d, rows in even.items() if not _holds_delimiters(rows, d)} or even
    if len(even) > 1:
        ways = " or ".join(_DELIMITERS[each] for each in even)
        raise BadLoss(f"the columns could be separated by {ways}; use only one of them")
    if even:
        return next(iter(even.items()))
    if problem:
        raise BadLoss(f"the cells cannot be told apart: {problem}; put a quote at both ends of a cell, or none")
    rows = max(tables.values(), key=lambda rows: max(map(len, rows)))
    if max(map(len, rows)) == 1:
        raise BadLoss("there is only one column; separate the columns by commas, semicolons or tabs")
    number, row = next((i, row) for i, row in enumerate(rows, start=1) if len(row) != len(rows[0]))
    raise BadLoss(
        f"row {number} ({row[0]!r}) has {len(row)} cells but the first row has {len(rows[0])}; "
        f"in every row give one cell for the label and one per prediction, and '{CORNER}' above the labels"
    )


def _holds_delimiters(rows: Sequence[Sequence[str]], delimiter: str) -> bool:
    others = set(_DELIMITERS) - {delimiter}
    return any(others & set(cell) and not _is_number(cell, delimiter) for row in rows for cell in row)


def _refuse_counting(rows: Sequence[Sequence[str]]) -> None:
    """Refuse numbers without names whose first row or column counts 0, 1, 2, … and so may be the names.

    They are losses where being right costs nothing, as in |y − t|.
    """
    if len(rows) == len(rows[0]) and all(row[y] == "0" for y, row in enumerate(rows)):
        return
    for what, side in (("row", list(rows[0])), ("column", [row[0] for row in rows])):
        if side in ([str(start + i) for i in range(len(side))] for start in (0, 1)):
            raise BadLoss(f"the first {what}, {', '.join(side)}, could hold names or losses; {_NAME_ALL}")


def _numbers(
    rows: Sequence[Sequence[str]], delimiter: str, labels: Iterable[object], predictions: Sequence[object]
) -> list[list[object]]:
    """Read 0,5 as 0.5 where commas do not separate cells; 1,000 could be a thousand, so it is refused."""
    if delimiter == ",":
        return [list(row) for row in rows]
    # Where semicolons separate, the decimal sign is likely a comma, and a point may mark the thousands.
    thousands = re.compile(
        r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}" if delimiter == ";" else r"[+-]?[1-9][0-9]{0,2},[0-9]{3}"
    )
    signs: dict[str, str] = {}
    for label, row in zip(labels, rows, strict=True):
        for prediction, cell in zip(predictions, row, strict=True):
            if thousands.fullmatch(cell):
                raise BadLoss(
                    f"the entry in row {label!r}, column {prediction!r} is {cell!r}, which could be {cell}0 or "
                    f"{re.sub('[.,]', '', cell)}; write one of these"
                )
            if _is_number(cell, delimiter):
                signs |= {sign: cell for sign in ",." if sign in cell}
    if len(signs) > 1:
        raise BadLoss(f"{signs[',']!r} has a decimal comma but {signs['.']!r} a decimal point; use one of them")
    return [[_with_point(cell) for cell in row] for row in rows]


def _is_number(cell: str, delimiter: str) -> bool:
    try:
        as_rational(cell if delimiter == "," else _with_point(cell))
    except BadNumber:
        return False
    return True


def _with_point(cell: str) -> str:
    return cell.replace(",", ".") if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", cell) else cell


def _name(text: str) -> Hashable:
    """Read a name; one that is written like an integer is one, so that it meets the integers in y."""
    if text.startswith("'") and _FORMULA.match(text):  # the apostrophe of `_cell`
        return text[1:]
    return int(text) if re.fullmatch(r"0|-?[1-9][0-9]{0,99}", text) else text


def _cell(value: object) -> str:
    """Write a cell: in quotes where any delimiter could split it, after an apostrophe where text looks like a formula.

    >>> _cell(-1), _cell("-1"), _cell("'-1"), _cell("'tis")
    ('-1', "'-1", "''-1", "'tis")
    """
    text = str(value)
    if not isinstance(value, int) and _FORMULA.match(text):
        text = "'" + text
    if "\0" in text:
        raise BadLoss(f"{text!r} cannot stand in a table; rename it, or use to_json")
    return '"' + text.replace('"', '""') + '"' if re.search('[,;\t\r\n"]', text) else text


def _write(path: str | PathLike[str], text: str) -> None:
    with replacing(path) as stream:
        stream.write(text.encode())


def _with_each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            raise BadLoss(f"the key {key!r} occurs twice; give it once")
        content[key] = value
    return content


def _is_tsv(path: str | PathLike[str]) -> bool:
    return Path(path).suffix.lower() == ".tsv"


def _shown(path: str | PathLike[str]) -> str:
    text = str(path)
    return text if text and text.isprintable() else repr(text)
