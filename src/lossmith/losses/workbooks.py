"""Sheets of Excel, as cells of text; openpyxl is loaded here and nowhere else."""

from __future__ import annotations

import io
import warnings
from os import PathLike
from typing import Any
from zipfile import BadZipFile

from lossmith.errors import BadLoss, NotInstalled, nearest
from lossmith.losses.delimited import trimmed
from lossmith.losses.files import read_bytes
from lossmith.losses.numerals import Exact


def read_sheet(path: str | PathLike[str], sheet: str | None = None) -> list[list[str]]:
    """The cells of a sheet, or of the only one that holds something; every row as long as the first."""
    book = _opened(path)
    try:
        if sheet is not None and sheet not in book.sheetnames:
            raise BadLoss(f"there is no sheet {sheet!r}; {nearest(sheet, book.sheetnames)}")
        names = book.sheetnames if sheet is None else [sheet]
        found = {name: _cells(book[name]) for name in names if hasattr(book[name], "iter_rows")}
    finally:
        book.close()
    filled = {name: rows for name, rows in found.items() if rows}
    if not filled:
        raise BadLoss("there is nothing in it; give a header of predictions, then one row per true label")
    if len(filled) > 1:
        first, second = list(filled)[:2]
        raise BadLoss(f"several sheets hold something, {first!r} and {second!r}; name one, {path}:{first}")
    return next(iter(filled.values()))


def _opened(path: str | PathLike[str]) -> Any:
    content = read_bytes(path)
    try:
        import openpyxl
    except ImportError:
        raise NotInstalled("reading .xlsx needs openpyxl; pip install openpyxl, or save the sheet as .csv") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and extensions that hold no cells
            return openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (BadZipFile, KeyError, OSError, ValueError, SyntaxError, TypeError) as error:
        raise BadLoss(f"this is no workbook that openpyxl reads: {error}; save the sheet as .csv") from None


def _cells(sheet: Any) -> list[list[str]]:
    sheet.reset_dimensions()  # other programs write wrong ones
    rows = trimmed([_text(value) for value in row] for row in sheet.iter_rows(values_only=True))
    width = max(map(len, rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows]


def _text(value: Any) -> str:
    """The text of a cell; a number in the shortest spelling that means it."""
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Exact(int(value) if float(value).is_integer() else repr(value))
    return str(value)
