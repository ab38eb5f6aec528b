"""Where tables come from: files by their ending, sheets of Excel, or the standard input."""

from __future__ import annotations

import os
import re
from os import PathLike
from pathlib import Path

from lossmith.errors import BadLoss, UnknownName
from lossmith.losses import files
from lossmith.losses.delimited import DELIMITERS, cells_of, delimiters_of
from lossmith.losses.files import STANDARD_INPUT, Table
from lossmith.losses.tables import table_of, table_of_text

_DELIMITED, _JSON, _EXCEL = (".csv", ".tsv", ".txt"), (".json",), (".xlsx", ".xlsm")
ENDINGS = ".csv, .tsv, .txt, .json or .xlsx"
_SHEET = re.compile(r"(?P<path>.*\.xls[xm]):(?P<sheet>[^:]+)", re.IGNORECASE)


def is_file(text: str) -> bool:
    """Whether a word names a file, or the standard input, rather than a family.

    >>> is_file("costs.csv"), is_file("costs.xlsx:Sheet1"), is_file("hierarchical:tree=animals.json")
    (True, True, False)
    """
    known = Path(text).suffix.lower() in files.READ
    return text == STANDARD_INPUT or os.path.exists(text) or bool(_SHEET.fullmatch(text)) or (known and ":" not in text)


def read_file(path: str | PathLike[str]) -> Table:
    """Read the table that a file holds; from the standard input, JSON if it begins like that."""
    ending, (book, sheet) = Path(path).suffix.lower(), _sheet(path)
    if path == STANDARD_INPUT:
        return table_in(files.read_text(path))
    if ending in _DELIMITED:
        return table_of_text(files.read_text(path), delimiters_of(path))
    if ending in _JSON:
        return files.table_of_json(files.parse_json(files.read_text(path)))
    if sheet or ending in _EXCEL:
        from lossmith.losses.workbooks import read_sheet

        return table_of(read_sheet(book, sheet), None)
    raise UnknownName(f"{str(path)!r} is no {ENDINGS} file; save the loss matrix as one of these")


def table_in(text: str) -> Table:
    """The table that a text holds: JSON if it begins like that, else cells parted by commas, semicolons or tabs."""
    is_json = text.lstrip()[:1] in ("{", "[")
    return files.table_of_json(files.parse_json(text)) if is_json else table_of_text(text, "".join(DELIMITERS))


def read_cells(path: str | PathLike[str], each_row: str) -> tuple[str | None, list[list[str]]]:
    """The cells of a table that is no loss, with the sign between them; `each_row` says what a row should hold."""
    ending, (book, sheet) = Path(path).suffix.lower(), _sheet(path)
    if sheet or ending in _EXCEL:
        from lossmith.losses.workbooks import read_sheet

        return None, read_sheet(book, sheet)
    if path != STANDARD_INPUT and ending not in _DELIMITED:
        raise BadLoss("this is no .csv, .tsv, .txt or .xlsx file; save the table as one of these")
    return cells_of(files.read_text(path), delimiters_of(path), each_row)


def stem(path: str | PathLike[str]) -> str:
    """What a loss is called that was read from a file.

    >>> stem("costs.csv"), stem("costs.xlsx:Sheet1"), stem("-")
    ('costs', 'costs', 'loss')
    """
    return "loss" if path == STANDARD_INPUT else Path(_sheet(path)[0]).stem


def _sheet(path: str | PathLike[str]) -> tuple[str | PathLike[str], str | None]:
    """The workbook and the sheet that "costs.xlsx:Sheet1" names."""
    found = _SHEET.fullmatch(os.fspath(path))
    return (path, None) if found is None or os.path.exists(path) else (found["path"], found["sheet"])
