"""Reading a loss matrix from Python values: nested lists, numpy arrays, data frames."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadLoss, BadNumber, NotInstalled
from lossmith.exact.rational import LARGEST, as_rational, quoted
from lossmith.losses.numerals import plain_numbers
from lossmith.losses.tables import check_orientation
from lossmith.text.names import printable

if TYPE_CHECKING:
    import numpy as np

Name: TypeAlias = Hashable


@dataclass(frozen=True)
class NamedTable:
    """A rectangular table whose rows and columns have names of their own; the cells are as given."""

    rows: Sequence[Sequence[object]]
    labels: tuple[Name, ...]
    predictions: tuple[Name, ...]


def named_table(entries: object, labels: Iterable[Name] | None, predictions: Iterable[Name] | None) -> NamedTable:
    """Bring entries and names together, and refuse what is no matrix or has names that do not fit.

    Decisions without names of their own are called like the labels where these are given and as many.
    """
    rows, row_names, column_names = _rows(entries)
    if len(rows) == 0 or len(rows[0]) == 0:
        raise BadLoss("the loss matrix is empty; give one row per label and one column per prediction")
    y_names = _names(row_names if labels is None else labels, len(rows), "row", "label")
    for label, row in zip(y_names, rows, strict=True):
        if len(row) != len(rows[0]):
            raise BadLoss(
                f"row {label!r} has {len(row)} entries but row {y_names[0]!r} has {len(rows[0])}; "
                f"every label needs one entry per prediction"
            )
    if len(rows) == 1:
        raise BadLoss(f"the loss has only one row, {y_names[0]!r}; give at least two labels")
    if predictions is None:
        alike = column_names is None and labels is not None and len(rows) == len(rows[0])
        predictions = y_names if alike else column_names  # in a square the decisions are the labels
    t_names = _names(predictions, len(rows[0]), "column", "prediction")
    return NamedTable(rows, y_names, t_names)


def rationals_of(table: NamedTable) -> list[list[Fraction]]:
    """Read the cells as rationals, text also as people write numbers; an error names row and column."""
    rows = table.rows
    try:
        return [[as_rational(cell) for cell in row] for row in rows]
    except BadNumber:
        pass
    rows = plain_numbers(rows, table.labels, table.predictions)
    return [
        [_rational(cell, label, prediction) for prediction, cell in zip(table.predictions, row, strict=True)]
        for label, row in zip(table.labels, rows, strict=True)
    ]


def losses_of(table: NamedTable) -> Sequence[Sequence[Fraction | int]]:
    """Read the cells as non-negative rationals."""
    if all(type(cell) is int and 0 <= cell <= LARGEST for row in table.rows for cell in row):
        return table.rows  # type: ignore[return-value]
    losses = rationals_of(table)
    for label, row in zip(table.labels, losses, strict=True):
        for prediction, loss in zip(table.predictions, row, strict=True):
            if loss < 0:
                raise BadLoss(
                    f"the loss in row {label!r}, column {prediction!r} is {loss}, which is negative; if these are "
                    f"gains use from_gains (--gains), or add {-min(row)} to the row (a row shift changes no verdict)"
                )
    return losses


def plain(name: Any) -> Any:
    """Turn numpy's scalars into the Python values they stand for.

    >>> plain("ill")
    'ill'
    """
    return name.item() if type(name).__module__ == "numpy" and getattr(name, "ndim", 1) == 0 else name


def array_of(names: Sequence[Name]) -> np.ndarray[Any, Any]:
    """Put names into an array that does not change them: numpy would make text of 0 beside "abstain".

    >>> array_of((0, "abstain"))
    array([0, 'abstain'], dtype=object)
    """
    import numpy as np

    kinds = {str if isinstance(name, str) else type(name) for name in names}
    alike = len(kinds) == 1 and isinstance(names[0], (str, int))
    return np.array(names) if alike else np.fromiter(names, dtype=object, count=len(names))


def frame_of(entries: np.ndarray[Any, Any], labels: Sequence[Name], predictions: Sequence[Name]) -> Any:
    """The entries as a data frame of pandas, which `named_table` reads back."""
    try:
        import pandas as pd
    except ImportError:
        raise NotInstalled("to_frame needs pandas; pip install pandas, or use to_numpy") from None
    frame = pd.DataFrame(entries, index=array_of(labels), columns=array_of(predictions))
    return frame.rename_axis(index="truth", columns="decision")


def _rows(entries: object) -> tuple[Sequence[Sequence[object]], Iterable[Name] | None, Iterable[Name] | None]:
    """Take the rows of whatever was given, and the names it brought with it."""
    if hasattr(entries, "columns"):
        return _rows_of_frame(entries)
    if hasattr(entries, "dtype") and hasattr(entries, "ndim"):
        if entries.ndim != 2:
            raise BadLoss(f"the loss has {entries.ndim} dimensions; give a matrix, one row per label")
        return _cells(entries), None, None
    if not _is_list(entries):
        hint = "; use LossMatrix.from_file for a file" if isinstance(entries, (str, PathLike)) else ""
        raise BadLoss(f"{quoted(entries)} is not a matrix; give a list of rows, one per label{hint}")
    rows: list[Any] = list(entries)  # type: ignore[call-overload]
    for position, row in enumerate(rows):
        if not _is_list(row):
            raise BadLoss(f"row {position} of the loss is {quoted(row)}; give a list of rows, one per label")
    return [row if isinstance(row, (list, tuple)) else list(row) for row in rows], None, None


def _rows_of_frame(frame: Any) -> tuple[Sequence[Sequence[object]], Iterable[Name], Iterable[Name] | None]:
    if not (hasattr(frame, "iloc") and hasattr(frame, "index")):  # others iterate over their columns
        raise BadLoss(
            f"a {type(frame).__name__} has no names for its rows; give a pandas data frame, or a list of rows"
        )
    check_orientation(str(frame.index.name or ""), str(frame.columns.name or ""), frame.index, frame.columns)
    columns = [_cells(frame.iloc[:, t].to_numpy()) for t in range(len(frame.columns))]
    counted = type(frame.columns).__name__ == "RangeIndex" and list(frame.columns) == list(range(len(columns)))
    return list(zip(*columns, strict=True)), list(frame.index), None if counted else list(frame.columns)


def _cells(array: Any) -> list[Any]:
    """Take the cells of an array; tolist() would widen narrow floats and so spoil their shortest decimals."""
    if not hasattr(array.dtype, "kind"):  # a tensor
        import numpy as np

        array = np.asarray(array)
    if array.dtype.kind != "f" or array.dtype.itemsize == 8:
        return list(array.tolist())
    return list(array) if array.ndim == 1 else [list(row) for row in array]


def _is_list(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, Set))


def _names(given: Iterable[Name] | None, size: int, side: str, what: str) -> tuple[Name, ...]:
    if given is None:
        return tuple(range(size))
    if not _is_list(given):
        raise BadLoss(f"the {what}s are {quoted(given)}; give a list of names")
    names = tuple(printable(plain(each)) for each in given)
    if len(names) != size:
        shown = ", ".join(map(repr, names[:6])) + (", …" if len(names) > 6 else "")
        raise BadLoss(
            f"{len(names)} {what}s ({shown}) were given for {size} {side}s; rows are true labels and columns are "
            f"predictions (did you pass the transpose?)"
        )
    seen: set[Name] = set()
    for position, name in enumerate(names):
        text = str(name).strip()
        if name is None or text == "" or (text in ("nan", "<NA>", "NaT") and not isinstance(name, str)):
            raise BadLoss(f"the {what} of {side} {position} is missing; give every {what} its own name")
        if not isinstance(name, Hashable):
            raise BadLoss(f"the {what} {quoted(name)} cannot be a name; use text or an integer")
        if name in seen or text in seen:  # 1 and "1" would look the same in print and in a file
            raise BadLoss(f"the {what} {name!r} occurs twice; give every {what} its own name")
        seen |= {name, text}
    return names


def _rational(value: object, label: Name, prediction: Name) -> Fraction:
    try:
        return as_rational(value)
    except BadNumber as error:
        raise BadLoss(f"the entry in row {label!r}, column {prediction!r} {error}") from None
