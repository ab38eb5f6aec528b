"""Tables of cases: a row each, with a column of probabilities for every label, and others that are kept as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadLoss, BadNumber, nearest
from lossmith.exact.rational import as_rational
from lossmith.losses.files import about
from lossmith.losses.numerals import plain_numbers
from lossmith.losses.ordering import listed
from lossmith.losses.probabilities import OFF
from lossmith.losses.reading import Name
from lossmith.losses.sources import read_cells

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Cases:
    """Probabilities in the order of the labels, and what else the table holds: names of columns, and their cells."""

    P: np.ndarray[Any, Any]
    kept: tuple[str, ...]
    others: tuple[tuple[str, ...], ...]


def read_cases(path: str | PathLike[str], labels: Sequence[Name], normalize: bool = False) -> Cases:
    """Read a table whose first row names its columns, one of them for each label, in any order.

    Every row must sum to 1, up to rounding, or with `normalize` is divided by its sum.
    """
    import numpy as np

    with about(path):
        delimiter, (head, *rows) = read_cells(path, "in every row give one cell for each of the named columns")
        if not rows:
            raise BadLoss("there is a header but no rows; give one row per case")
        places = _places(head, labels)
        others = [i for i in range(len(head)) if i not in places]
        cells = [[row[i] for i in places] for row in rows]
        numbers = plain_numbers(cells, range(1, 1 + len(rows)), labels, delimiter)
        P = np.array([_probabilities(row, number, labels) for number, row in enumerate(numbers, start=1)])
        sums = P.sum(axis=1)
        for number in np.flatnonzero((sums <= 0) if normalize else (abs(sums - 1) >= OFF))[:1]:
            hint = "" if normalize else "; if they are in proportion, --normalize divides every row by its sum"
            raise BadLoss(f"the probabilities in row {number + 1} sum to {sums[number]:.6g}, not to 1{hint}")
        kept = tuple(tuple(row[i] for i in others) for row in rows)
        return Cases(P / sums[:, None] if normalize else P, tuple(head[i] for i in others), kept)


def _places(head: Sequence[str], labels: Sequence[Name]) -> list[int]:
    """The column of each label, by its name as it is written."""
    names = [str(name) for name in head]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadLoss(f"two columns are called {twice!r}; give every column its own name")
    for label in labels:
        if str(label) not in names:
            raise BadLoss(
                f"no column is called {str(label)!r}, and the first row must name one for each of the labels "
                f"{listed(labels)}; {nearest(label, names)}"
            )
    return [names.index(str(label)) for label in labels]


def _probabilities(row: Sequence[object], number: int, labels: Sequence[Name]) -> list[float]:
    found = []
    for label, cell in zip(labels, row, strict=True):
        try:
            value = as_rational(cell)
        except BadNumber as error:
            raise BadLoss(f"the entry in row {number}, column {str(label)!r} {error}") from None
        if value < 0:
            raise BadLoss(f"the entry in row {number}, column {str(label)!r} is {cell}; probabilities are at least 0")
        found.append(float(value))
    return found
