"""Loss matrices in files: CSV, TSV and JSON, read only where they can be read in one way."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import tempfile
import warnings
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO

from lossmith.errors import BadLoss, BadNumber, nearest
from lossmith.exact.rational import as_rational

CORNER = "truth \\ decision"
_TRUTH = re.compile(r"truth|true|actual|label|observed|reference|target|class|\by\b", re.IGNORECASE)
_DECISION = re.compile(r"predict|predicted|pred|decision|decide|action|guess|estimate|\bt\b", re.IGNORECASE)
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_JSON_KEYS = ("entries", "labels", "predictions", "name", "rows")


@dataclass(frozen=True)
class Table:
    """What a file holds, not yet read as numbers."""

    entries: list[list[object]]
    labels: list[Hashable] | None = None
    predictions: list[Hashable] | None = None
    name: str | None = None


def stem(path: str | PathLike[str]) -> str:
    """The file's name without folder and ending."""
    return Path(path).stem


def read_table(path: str | PathLike[str]) -> Table:
    """Read a table separated by commas, semicolons or tabs."""
    text = read_text(path)
    delimiter, rows = _split(text, path)
    if any(_is_number(cell) for cell in rows[0][:1]):  # a number in the corner: no names at all
        return Table([list(row) for row in rows])
    corner, *predictions = rows[0]
    labels = [row[0] for row in rows[1:]]
    if not labels:
        raise BadLoss(f"{path} has a header but no rows; give one row per true label")
    if corner.strip() and not (_TRUTH.search(corner) or _DECISION.search(corner)) and all(map(_is_number, labels)):
        raise BadLoss(
            f"{path}: the first column, {corner!r}, could hold labels or losses; name the labels in the first column "
            f"and write {CORNER!r} in the corner"
        )
    check_orientation(corner, labels, predictions, str(path))
    entries: list[list[object]] = [[_decimal_comma(cell, delimiter, path) for cell in row[1:]] for row in rows[1:]]
    return Table(entries, [_name(each) for each in labels], [_name(each) for each in predictions])


def read_json(path: str | PathLike[str]) -> Table:
    """Read {"labels": …, "predictions": …, "entries": …} or a plain list of rows."""
    try:
        # Decimals stay text on the way in: a float would already have been rounded.
        content = json.loads(read_text(path), parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        raise BadLoss(f"{path} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise BadLoss(f"{path} is nested too deeply to be a loss matrix") from None
    if isinstance(content, list):
        return Table(content)
    if not isinstance(content, dict) or "entries" not in content:
        raise BadLoss(f'{path} holds no loss matrix; write a list of rows, or an object with "entries"')
    for key in content:
        if key not in _JSON_KEYS:
            raise BadLoss(f"{path} has the unknown key {key!r}; {nearest(key, _JSON_KEYS)}")
    if content.get("rows", "truth") != "truth":
        raise BadLoss(f'{path} says "rows": {content["rows"]!r}; rows must be the truth: transpose the matrix')
    for key in ("labels", "predictions"):
        names = content.get(key)
        if names is not None and not (isinstance(names, list) and all(isinstance(x, (str, int)) for x in names)):
            raise BadLoss(f"{path}: {key!r} must be a list of names")
    if not isinstance(content["entries"], list):
        raise BadLoss(f"{path}: 'entries' must be a list of rows")
    name = content.get("name")
    return Table(content["entries"], content.get("labels"), content.get("predictions"), str(name) if name else None)


def write_table(
    path: str | PathLike[str], labels: Sequence[object], predictions: Sequence[object], rows: Sequence[Sequence[str]]
) -> None:
    """Write a table; tabs if the path ends in .tsv, else commas."""
    delimiter = "\t" if str(path).endswith(".tsv") else ","
    with replacing(path) as stream, io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
        writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        writer.writerow([CORNER, *predictions])
        writer.writerows([label, *row] for label, row in zip(labels, rows, strict=True))


def write_json(
    path: str | PathLike[str] | None,
    labels: Sequence[object],
    predictions: Sequence[object],
    rows: Sequence[Sequence[str]],
    name: str,
) -> str:
    """The JSON text of a loss, one row a line; also written to `path` if given."""
    for each in (*labels, *predictions):
        if not isinstance(each, (str, int)):
            raise BadLoss(f"{each!r} cannot be a name in JSON; rename it with text or an integer first")
    lines = ",\n".join("    " + json.dumps(list(row)) for row in rows)
    head = "".join(
        f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},\n"
        for key, value in (("name", name), ("rows", "truth"), ("labels", list(labels)), ("predictions", list(predictions)))
    )
    text = f'{{\n{head}  "entries": [\n{lines}\n  ]\n}}\n'
    if path is not None:
        with replacing(path) as stream:
            stream.write(text.encode())
    return text


@contextlib.contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of `path` only once it is written whole."""
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise BadLoss(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file: UTF-8 with or without a mark, UTF-16 with one, or Western European letters of Windows."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadLoss(f"cannot read {path}: {error.strerror}") from None
    if not content.strip():
        raise BadLoss(f"{path} is empty; give a header of predictions, then one row per true label")
    try:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            return content.decode("utf-16")
        if b"\0" in content:
            raise BadLoss(f"{path} is not a text file; save the matrix as CSV, TSV or JSON")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    with contextlib.suppress(UnicodeDecodeError):
        text = content.decode("cp1252")
        if all(character.isascii() or character.isalpha() for character in text):
            warnings.warn(f"{path} is not UTF-8; its letters were read as Windows-1252", stacklevel=2)
            return text
    raise BadLoss(f"{path} is not UTF-8, and its encoding cannot be told; save it as UTF-8")


def check_orientation(
    corner: str, labels: Iterable[object], predictions: Iterable[object], source: str = "the table"
) -> None:
    """Refuse a table whose corner, or whose names, say that its rows are decisions."""
    truth, decision = _TRUTH.search(corner), _DECISION.search(corner)
    swapped_corner = decision is not None and (truth is None or decision.start() < truth.start())
    rows, columns = [str(each) for each in labels], [str(each) for each in predictions]
    swapped_names = all(map(_says_decision, rows)) and all(map(_says_truth, columns))
    if swapped_corner or swapped_names:
        evidence = f"its corner says {corner.strip()!r}" if swapped_corner else f"a row is called {rows[0]!r}"
        raise BadLoss(
            f"{source} looks like the transpose, {evidence}; rows must be the truth and columns the decisions: "
            f"swap rows and columns"
        )


def _says_decision(name: str) -> bool:
    return re.match(r"(?i)(pred(icted|iction|ict)?|decision|decide|action)\b|pred_", name) is not None


def _says_truth(name: str) -> bool:
    return re.match(r"(?i)(true|truth|actual|label)\b|(true|actual)_", name) is not None


def _split(text: str, path: str | PathLike[str]) -> tuple[str, list[list[str]]]:
    """Find the delimiter that makes a table of the text: every row of one length, at least two columns."""
    tables: dict[str, list[list[str]]] = {}
    for delimiter in _DELIMITERS:
        try:
            rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(map(str.strip, row))]
        except csv.Error as error:
            raise BadLoss(f"{path} cannot be read as a table: {error}") from None
        tables[delimiter] = [[cell.strip() for cell in row] for row in rows]
    even = {d: rows for d, rows in tables.items() if len(rows[0]) > 1 and len({len(row) for row in rows}) == 1}
    if len(even) > 1:
        even = {d: rows for d, rows in even.items() if all(_is_number(c, d) for row in rows[1:] for c in row[1:])} or even
    if len(even) == 1:
        return next(iter(even.items()))
    if len(even) > 1:
        ways = " or ".join(_DELIMITERS[each] for each in even)
        raise BadLoss(f"{path} could be separated by {ways}; use only one of them")
    delimiter = max(tables, key=lambda d: len(tables[d][0]))
    rows = tables[delimiter]
    if max(map(len, rows)) == 1:
        raise BadLoss(f"{path} has only one column; separate the columns by commas, semicolons or tabs")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(rows[0]):
            raise BadLoss(
                f"{path}: row {number} ({row[0]!r}) has {len(row)} cells but the header has {len(rows[0])}; "
                f"give one cell per prediction, after the label"
            )
    raise BadLoss(f"{path} cannot be read as a table")


def _is_number(cell: str, delimiter: str = ",") -> bool:
    try:
        as_rational(cell.replace(",", ".") if delimiter != "," else cell)
    except BadNumber:
        return False
    return True


def _decimal_comma(cell: str, delimiter: str, path: str | PathLike[str]) -> str:
    """Read 0,5 as 0.5 where commas do not separate cells; 1,000 could be a thousand, so it is refused."""
    if delimiter == "," or not re.fullmatch(r"[+-]?[0-9]+,[0-9]+", cell):
        return cell
    if re.fullmatch(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}", cell):
        raise BadLoss(f"{path}: {cell!r} could be {cell.replace(',', '.')} or {cell.replace(',', '')}; write it without comma")
    return cell.replace(",", ".")


def _name(text: str) -> Hashable:
    """A name that is written like an integer is one, so that it meets the integers in y."""
    return int(text) if re.fullmatch(r"0|-?[1-9][0-9]{0,17}", text) else text
