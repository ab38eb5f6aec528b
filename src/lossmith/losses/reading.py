"""Reading a loss matrix from Python values: nested lists, numpy arrays, data frames."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from lossmith.errors import BadLoss, BadNumber
from lossmith.exact.rational import as_rational
from lossmith.losses.files import check_orientation

Name: TypeAlias = Hashable


@dataclass(frozen=True)
class NamedTable:
    """A rectangular table whose rows and columns have names of their own; the cells are as given."""

    rows: Sequence[Sequence[object]]
    labels: tuple[Name, ...]
    predictions: tuple[Name, ...]


def named_table(entries: object, labels: Iterable[Name] | None, predictions: Iterable[Name] | None) -> NamedTable:
    """Bring entries and names together, and refuse what is no matrix or has names that do not fit."""
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
        raise BadLoss(f"the loss has only one row, {y_names[0]!r}; with one label there is nothing to learn")
    t_names = _names(column_names if predictions is None else predictions, len(rows[0]), "column", "prediction")
    return NamedTable(rows, y_names, t_names)


def rationals_of(table: NamedTable) -> list[list[Fraction]]:
    """The cells as rationals; an error names row and column."""
    return [
        [_rational(cell, label, prediction) for prediction, cell in zip(table.predictions, row, strict=True)]
        for label, row in zip(table.labels, table.rows, strict=True)
    ]


def losses_of(table: NamedTable) -> Sequence[Sequence[Fraction | int]]:
    """The cells as non-negative rationals."""
    if all(type(cell) is int and cell >= 0 for row in table.rows for cell in row):
        return table.rows  # type: ignore[return-value]
    losses = rationals_of(table)
    for label, row in zip(table.labels, losses, strict=True):
        for prediction, loss in zip(table.predictions, row, strict=True):
            if loss < 0:
                raise BadLoss(
                    f"the loss in row {label!r}, column {prediction!r} is {loss}, which is negative; if these are gains "
                    f"use from_gains, or add {-min(row)} to the row (a row shift changes no verdict)"
                )
    return losses


def plain(name: Name) -> Name:
    """numpy's scalars as the Python values they stand for.

    >>> plain("ill")
    'ill'
    """
    return name.item() if type(name).__module__ == "numpy" and hasattr(name, "item") else name


def _rows(entries: object) -> tuple[Sequence[Sequence[object]], Iterable[Name] | None, Iterable[Name] | None]:
    """The rows of whatever was given, and the names it brought with it."""
    if hasattr(entries, "index") and hasattr(entries, "columns") and hasattr(entries, "to_numpy"):  # a data frame
        check_orientation(
            f"{entries.index.name or ''} \\ {entries.columns.name or ''}", entries.index, entries.columns
        )
        return entries.to_numpy(dtype=object), list(entries.index), list(entries.columns)
    if hasattr(entries, "dtype") and hasattr(entries, "tolist") and hasattr(entries, "ndim"):  # a numpy array
        if entries.ndim != 2:
            raise BadLoss(f"the loss has {entries.ndim} dimensions; give a matrix, one row per label")
        # tolist() would widen narrow floats and so spoil their shortest decimals.
        exact = entries.dtype.kind != "f" or entries.dtype.itemsize == 8
        return entries.tolist() if exact else [list(row) for row in entries], None, None
    if isinstance(entries, (str, bytes, Mapping)) or not isinstance(entries, Iterable):
        hint = "; use LossMatrix.from_csv or from_json for a file" if isinstance(entries, str) else ""
        raise BadLoss(f"{entries!r} is not a matrix; give a list of rows, one per label{hint}")
    rows = list(entries)
    for position, row in enumerate(rows):
        if isinstance(row, (str, bytes, Mapping)) or not isinstance(row, Iterable):
            raise BadLoss(f"row {position} of the loss is {row!r}; give a list of rows, one per label")
    return [row if isinstance(row, (list, tuple)) else list(row) for row in rows], None, None


def _names(given: Iterable[Name] | None, size: int, side: str, what: str) -> tuple[Name, ...]:
    if given is None:
        return tuple(range(size))
    names = tuple(plain(each) for each in given)
    if len(names) != size:
        raise BadLoss(
            f"{len(names)} {what}s ({', '.join(map(repr, names[:6]))}{', …' if len(names) > 6 else ''}) were given for {size} {side}s; rows are true labels and columns are "
            f"predictions (did you pass the transpose?)"
        )
    seen: set[Name] = set()
    for name in names:
        if name in seen:
            raise BadLoss(f"the {what} {name!r} occurs twice; give every {what} its own name")
        seen.add(name)
    return names


def _rational(value: object, label: Name, prediction: Name) -> Fraction:
    try:
        return as_rational(value)
    except BadNumber as error:
        raise BadLoss(f"the entry in row {label!r}, column {prediction!r} {error}") from None


