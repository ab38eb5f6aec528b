"""Loss matrices: rows are true labels, columns are predictions (the decisions one can take)."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput, BadNumber
from lossmith.exact.matrix import RationalMatrix, integer_rows
from lossmith.exact.rank import column_affdim
from lossmith.exact.rational import RationalLike, as_rational
from lossmith.families import Member
from lossmith.losses import files
from lossmith.losses.ordering import distribution, index, is_sorted, listed, rows_of_columns, told_by_model
from lossmith.losses.protocol import MAX_ENTRIES
from lossmith.losses.reading import Name, array_of, losses_of, named_table, plain, rationals_of
from lossmith.text.names import one_line

if TYPE_CHECKING:
    import numpy as np

    from lossmith.losses.factored import FactoredLoss

ORIENTATION = "truth ↓ decision →"


@dataclass(frozen=True, init=False)
class LossMatrix(Member):
    """The n × k matrix of losses; `entries[y][t]` is what predicting t costs when y is true.

    Rows are true labels and columns are predictions, always: orientation is never guessed. Entries are non-negative
    rationals; floats mean their shortest decimal, text may be "1/3". Two losses are equal if their entries and names
    are; `name` is only for print, and `written_from` is the loss by factors whose labels and predictions these are.

    >>> loss = LossMatrix([[0, 1], ["1/2", 0]], labels=["well", "ill"], predictions=["wait", "treat"])
    >>> print(loss)
    truth ↓ decision →  wait  treat
    well                   0      1
    ill                  1/2      0
    >>> loss.entries[1][0]
    Fraction(1, 2)
    """

    rational: RationalMatrix
    labels: tuple[Name, ...]
    predictions: tuple[Name, ...]
    name: str = field(compare=False)
    written_from: FactoredLoss | None = field(default=None, compare=False)

    def __init__(
        self,
        entries: object,
        labels: Iterable[Name] | None = None,
        predictions: Iterable[Name] | None = None,
        name: str | None = None,
    ) -> None:
        table = named_table(entries, labels, predictions)
        object.__setattr__(self, "rational", RationalMatrix.from_rows(losses_of(table)))
        object.__setattr__(self, "labels", table.labels)
        object.__setattr__(self, "predictions", table.predictions)
        object.__setattr__(self, "name", one_line(name or "loss"))

    def __deepcopy__(self, memo: object) -> LossMatrix:
        return self  # nothing in it can change

    # Other ways in.

    @classmethod
    def from_function(
        cls,
        function: Callable[[Any, Any], object],
        labels: Iterable[Name],
        predictions: Iterable[Name] | None = None,
        name: str | None = None,
    ) -> LossMatrix:
        """Make the matrix of function(label, prediction); the predictions are the labels unless given.

        >>> LossMatrix.from_function(lambda y, t: abs(y - t), labels=[1, 2, 3]).entries[0][2]
        Fraction(2, 1)
        """
        labels = tuple(map(plain, labels))  # numpy's integers would overflow in the function
        predictions = labels if predictions is None else tuple(map(plain, predictions))
        return cls([[function(y, t) for t in predictions] for y in labels], labels, predictions, name)

    @classmethod
    def from_exact(
        cls,
        matrix: RationalMatrix,
        labels: Iterable[Name],
        predictions: Iterable[Name],
        name: str,
        written_from: FactoredLoss | None = None,
    ) -> LossMatrix:
        """Take a matrix of rationals and its names as they are: for families that multiply factors."""
        loss = cls.__new__(cls)
        object.__setattr__(loss, "rational", matrix)
        object.__setattr__(loss, "labels", tuple(labels))
        object.__setattr__(loss, "predictions", tuple(predictions))
        object.__setattr__(loss, "name", name)
        object.__setattr__(loss, "written_from", written_from)
        return loss

    @classmethod
    def from_gains(
        cls,
        gains: object,
        labels: Iterable[Name] | None = None,
        predictions: Iterable[Name] | None = None,
        name: str | None = None,
    ) -> LossMatrix:
        """Make the loss of gaining less than one could: in each row, the best gain minus the gain.

        Gains may be negative. Adding a constant to a row changes no verdict.

        >>> LossMatrix.from_gains([[5, -2], [0, 3]]).entries[0]
        (Fraction(0, 1), Fraction(7, 1))
        """
        table = named_table(gains, labels, predictions)
        losses = [[max(row) - gain for gain in row] for row in rationals_of(table)]
        return cls(losses, table.labels, table.predictions, name)

    @classmethod
    def from_csv(cls, path: str | PathLike[str], name: str | None = None) -> LossMatrix:
        """Read a table separated by commas, semicolons or tabs: predictions in the first row, labels before each row.

        Names lose the spaces around them, and are integers if they are written like integers; an apostrophe before
        =, +, - or @, which keeps spreadsheets from executing the name, is no part of it. A file of numbers alone has
        no names. What could be read in two ways is refused; the word "truth" in the corner settles most doubts.
        """
        with files.about(path):
            table = files.read_table(path)
            return cls(table.entries, table.labels, table.predictions, name or Path(path).stem)

    @classmethod
    def from_json(cls, path: str | PathLike[str], name: str | None = None) -> LossMatrix:
        """Read what `to_json` writes, or a plain list of rows; numbers are read as they are written, not as floats."""
        with files.about(path):
            table = files.read_json(path)
            return cls(table.entries, table.labels, table.predictions, name or table.name or Path(path).stem)

    # Ways out.

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write the table that `from_csv` reads; names that a spreadsheet would execute, such as =1+1, as '=1+1."""
        rows = [[str(entry) for entry in row] for row in self.entries]
        files.write_table(path, self.labels, self.predictions, rows)

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """Return the matrix as JSON text, entries as "a/b"; also write it to `path` if given."""
        rows = [[str(entry) for entry in row] for row in self.entries]
        return files.write_json(path, self.labels, self.predictions, rows, self.name)

    # What it holds.

    @property
    def n(self) -> int:
        """The number of labels (rows)."""
        return len(self.labels)

    @property
    def k(self) -> int:
        """The number of predictions (columns)."""
        return len(self.predictions)

    @property
    def affdim(self) -> int:
        """The dimension of the affine hull of the columns."""
        return column_affdim(self.rational.numerators)

    @property
    def factored(self) -> None:
        """None: it is written down."""

    def matrix(self, limit: int = MAX_ENTRIES) -> LossMatrix:
        """The loss itself: what is written down needs no `limit`."""
        return self

    @cached_property
    def entries(self) -> tuple[tuple[Fraction, ...], ...]:
        """The entries as fractions, row by row."""
        return self.rational.rows()

    def column(self, t: int) -> tuple[Fraction, ...]:
        """Return ℓ_t, what prediction t costs under each label."""
        return tuple(row[t] for row in self.entries)

    def risk(self, p: Sequence[RationalLike]) -> tuple[Fraction, ...]:
        """Return the expected loss p·ℓ_t of every prediction t under the distribution p, exactly.

        A list or tuple has its entries in the order of the rows; a series names them; an array is taken where
        sorting the labels would not change their order.

        >>> LossMatrix([[0, 1], [5, 0]]).risk(["9/10", "1/10"])
        (Fraction(1, 2), Fraction(9, 10))
        """
        return self.rational.mean(distribution(p, self.labels))

    def bayes_risk(self, p: Sequence[RationalLike]) -> Fraction:
        """Return H_L(p) = min_t p·ℓ_t, the least expected loss that any prediction attains; p as in `risk`."""
        return min(self.risk(p))

    def optimal_predictions(self, p: Sequence[RationalLike]) -> tuple[int, ...]:
        """Return the indices of the predictions whose expected loss under p is least, exactly, in increasing order.

        >>> LossMatrix([[0, 1], [1, 0]]).optimal_predictions(["1/2", "1/2"])
        (0, 1)
        """
        risks = self.risk(p)
        least = min(risks)
        return tuple(t for t, risk in enumerate(risks) if risk == least)

    def decide(self, P: Any, X: object = None, *, classes: Iterable[Name] | None = None) -> Any:
        """Turn predicted probabilities into decisions of least expected loss, by name (floats; ties: the first).

        `decide(model, X)` asks a fitted classifier, whose `classes_` tell which column is which. `decide(P, classes=…)`
        takes a table as `predict_proba` returns it, one row per case (a single row gives a single decision), and a data
        frame brings the names of its columns. A table without names is taken only if the labels are 0 … n−1 or stand
        in sorted order, as text and as numbers. Every label needs its column, by the very name: "1" is not 1.

        >>> loss = LossMatrix([[0, 1], [5, 0]], labels=["well", "ill"], predictions=["wait", "treat"])
        >>> loss.decide([[0.9, 0.1], [0.7, 0.3]], classes=["well", "ill"]).tolist()
        ['wait', 'treat']
        """
        if hasattr(P, "predict_proba") or hasattr(P, "predict"):
            if classes is not None:
                raise BadInput("classes are given beside a model, which has its own; write decide(model, X)")
            P, classes = told_by_model(P, X)
        elif X is not None:
            raise BadInput("P is no model, so X means nothing; write decide(P, classes=…) or decide(model, X)")
        order = None if classes is None else rows_of_columns(P, self.labels, classes)
        table, single = self._table(P)
        chosen = (table @ self._costs[order or rows_of_columns(P, self.labels, None)]).argmin(axis=1)
        return self.predictions[chosen[0]] if single else self._prediction_array[chosen]

    def best(self, P: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The index of the decision of least expected loss for each row of P, in the order of the labels; in floats."""
        chosen: np.ndarray[Any, Any] = (P @ self._costs).argmin(axis=1)
        return chosen

    # Other losses made from this one.

    def restrict(self, labels: Iterable[Name] | None = None, predictions: Iterable[Name] | None = None) -> LossMatrix:
        """Keep some labels and some predictions, given by name, in the order given.

        >>> LossMatrix([[0, 1, 2], [1, 0, 1], [2, 1, 0]]).restrict(labels=[0, 2]).n
        2
        """
        rows = [index(self.labels, each, "label") for each in (self.labels if labels is None else labels)]
        columns = [
            index(self.predictions, each, "prediction")
            for each in (self.predictions if predictions is None else predictions)
        ]
        entries = [[self.entries[y][t] for t in columns] for y in rows]
        return self._with(entries, [self.labels[y] for y in rows], [self.predictions[t] for t in columns])

    def scale_rows(self, factors: Sequence[RationalLike] | Mapping[Any, RationalLike]) -> LossMatrix:
        """Multiply each row by a positive factor; a mapping names labels, the others keep factor 1.

        This is what class weights do. It moves the cells (p lies in a new cell if s∘p, normalised, lay in the old one)
        and leaves CCdim unchanged.

        >>> LossMatrix([[0, 1], [1, 0]]).scale_rows({1: 5}).entries[1]
        (Fraction(5, 1), Fraction(0, 1))
        """
        read = self._per_label(factors, 1, "factor")
        for label, factor in zip(self.labels, read, strict=True):
            if factor <= 0:
                raise BadInput(f"the factor of row {label!r} is {factor}; row factors must be positive")
        rows = [[factor * entry for entry in row] for factor, row in zip(read, self.entries, strict=True)]
        return self._with(rows, self.labels, self.predictions)

    def shift_rows(self, offsets: Sequence[RationalLike] | Mapping[Any, RationalLike]) -> LossMatrix:
        """Add a constant to each row; a mapping names labels, the others keep offset 0. Changes no verdict.

        >>> LossMatrix([[0, 1], [3, 2]]).shift_rows({1: -2}).entries[1]
        (Fraction(1, 1), Fraction(0, 1))
        """
        read = self._per_label(offsets, 0, "offset")
        rows = [[offset + entry for entry in row] for offset, row in zip(read, self.entries, strict=True)]
        return self._with(rows, self.labels, self.predictions)

    # Print.

    def __str__(self) -> str:
        return "\n".join(aligned(self.shown_rows()))

    def __repr__(self) -> str:
        return f"LossMatrix({self.name!r}: {self.n} labels × {self.k} predictions)"

    def _repr_html_(self) -> str:
        (corner, *names), *rows = self.shown_rows()
        header = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in names)
        body = "".join(
            f"<tr><th scope='row' style='text-align:left'>{html.escape(row[0])}</th>"
            + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
            + "</tr>"
            for row in rows
        )
        caption = f"<caption>{html.escape(self.name)}: {self.n} labels × {self.k} predictions</caption>"
        return f"<table>{caption}<thead><tr><th>{corner}</th>{header}</tr></thead><tbody>{body}</tbody></table>"

    def shown_rows(self) -> list[list[str]]:
        """The matrix as text, with a row and a column of names; the middle of a large one is left out."""
        shown = [[ORIENTATION, *_shortened(self.predictions)]]
        for y in _places(self.n):
            row = ["…"] * len(shown[0]) if y is None else [f"{self.labels[y]}", *_shortened(self.rational.row(y))]
            shown.append(row)
        return shown

    def _with(self, entries: object, labels: Iterable[Name], predictions: Iterable[Name]) -> LossMatrix:
        """Other entries for labels and predictions that are among these."""
        loss = LossMatrix(entries, labels, predictions, self.name)
        object.__setattr__(loss, "written_from", self.written_from)
        return loss

    @cached_property
    def _costs(self) -> np.ndarray[Any, Any]:
        """The numerators, halved until they fit into floats: what is decided does not depend on the unit."""
        import numpy as np

        rows = integer_rows(self.rational.numerators)
        unit = 2 ** max(0, max(map(max, rows)).bit_length() - 900)
        return np.array([[entry / unit for entry in row] for row in rows])

    @cached_property
    def _prediction_array(self) -> np.ndarray[Any, Any]:
        return array_of(self.predictions)

    def _table(self, P: object) -> tuple[np.ndarray[Any, Any], bool]:
        """Rows of probabilities as floats, and whether P was a single one."""
        import numpy as np

        try:
            given = np.asarray(P, dtype=float)
        except (TypeError, ValueError):
            raise BadInput("P is not a table of numbers; give one row of probabilities per case") from None
        rows = np.atleast_2d(given)
        if rows.ndim != 2 or rows.shape[1] != self.n:
            raise BadInput(
                f"P has shape {given.shape}; it needs one column for each of the {self.n} labels {listed(self.labels)}"
            )
        bad = np.flatnonzero(~((rows >= 0).all(axis=1) & (abs(rows.sum(axis=1) - 1) < 1e-3)))
        if bad.size:
            shown = listed([float(f"{x:.4g}") for x in rows[bad[0]]])
            raise BadInput(f"row {bad[0]} of P is {shown}; probabilities are at least 0 and sum to 1")
        return rows, given.ndim < 2

    def _per_label(
        self, values: Sequence[RationalLike] | Mapping[Any, RationalLike], default: int, what: str
    ) -> list[Fraction]:
        if hasattr(values, "to_dict"):  # a series brings the names of the labels
            values = values.to_dict()
        if not isinstance(values, Mapping):
            if hasattr(values, "dtype") and not is_sorted(self.labels):
                raise BadInput(
                    f"the {what}s do not say whose they are, and sorting the labels {listed(self.labels)} changes "
                    f"their order; give a mapping {{label: {what}}}, or a list in the order of the rows"
                )
            values = list(values)
            if len(values) != self.n:
                raise BadInput(f"{len(values)} {what}s were given for {self.n} rows; give one {what} per label")
            values = dict(zip(self.labels, values, strict=True))
        read = [Fraction(default)] * self.n
        for label, value in values.items():
            try:
                read[index(self.labels, label, "label")] = as_rational(value)
            except BadNumber as error:
                raise BadInput(f"the {what} of row {label!r} {error}") from None
        return read


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
