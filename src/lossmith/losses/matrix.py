"""Loss matrices: rows are true labels, columns are predictions (the decisions one can take)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput, TooLarge
from lossmith.exact.matrix import RationalMatrix, integer_rows
from lossmith.exact.rank import column_affdim
from lossmith.exact.rational import RationalLike
from lossmith.families import Member
from lossmith.losses import files, tables
from lossmith.losses.cost_arrays import cost_arrays, expected_costs
from lossmith.losses.ordering import distribution, index, per_label, rows_of_columns
from lossmith.losses.probabilities import is_batch, probability_rows, told_probabilities
from lossmith.losses.protocol import MAX_ENTRIES
from lossmith.losses.reading import Name, array_of, frame_of, losses_of, named_table, plain, rationals_of
from lossmith.losses.renaming import part_of, renamed
from lossmith.losses.showing import MOST_SHOWN, abridged, as_html, fitted
from lossmith.losses.sources import read_file, stem
from lossmith.text.names import one_line
from lossmith.text.numbers import counted

if TYPE_CHECKING:
    import numpy as np

    from lossmith.losses.factored import FactoredLoss


@dataclass(frozen=True, init=False)
class LossMatrix(Member):
    """The n × k matrix of losses; `entries[y][t]` is what predicting t costs when y is true.

    Rows are true labels and columns are predictions, always: orientation is never guessed. Entries are non-negative
    rationals; floats mean their shortest decimal, text may be "1/3" or "$1,200.50". Where only the labels of a square
    matrix are named, the decisions are called like them. Two losses are equal if their entries and names are; `name` is
    only for print, and `written_from` is the loss by factors whose labels and predictions these are.

    >>> loss = LossMatrix([[0, 1], ["1/2", 0]], labels=["well", "ill"], predictions=["wait", "treat"])
    >>> print(loss)
    truth ↓ decision →  wait  treat
    well                   0      1
    ill                  0.5      0
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

        Gains are what `LossMatrix` takes, or a file as in `from_file`; they may be negative. Adding a constant to a row
        changes no verdict.

        >>> LossMatrix.from_gains([[5, -2], [0, 3]]).entries[0]
        (Fraction(0, 1), Fraction(7, 1))
        """
        if isinstance(gains, (str, PathLike)):
            with files.about(gains):
                table = read_file(gains)
                labels = table.labels if labels is None else labels
                predictions = table.predictions if predictions is None else predictions
                return cls.from_gains(table.entries, labels, predictions, name or table.name or stem(gains))
        given = named_table(gains, labels, predictions)
        losses = [[max(row) - gain for gain in row] for row in rationals_of(given)]
        return cls(losses, given.labels, given.predictions, name)

    @classmethod
    def from_file(cls, path: str | PathLike[str], name: str | None = None) -> LossMatrix:
        """Read a .csv, .tsv, .txt, .json or (with openpyxl) .xlsx file; "-" is the standard input.

        "costs.xlsx:Sheet1" names a sheet. Tables are read as in `from_csv`, JSON as in `from_json`.
        """
        with files.about(path):
            table = read_file(path)
            return cls(table.entries, table.labels, table.predictions, name or table.name or stem(path))

    @classmethod
    def from_csv(cls, path: str | PathLike[str], name: str | None = None) -> LossMatrix:
        """Read a table separated by commas, semicolons or tabs: predictions in the first row, labels before each row.

        Names lose the spaces around them, and are integers if they are written like integers; an apostrophe before
        =, +, - or @, which keeps spreadsheets from executing the name, is no part of it. A file of numbers alone has
        no names. Numbers may be amounts, $1,200.50 or 1.200,50 €, or all per cent. Lines that begin with # are
        comments. What could be read in two ways is refused; the word "truth" in the corner settles most doubts.
        """
        with files.about(path):
            table = tables.read_table(path)
            return cls(table.entries, table.labels, table.predictions, name or stem(path))

    @classmethod
    def from_json(cls, path: str | PathLike[str], name: str | None = None) -> LossMatrix:
        """Read what `to_json` writes, or a plain list of rows; numbers are read as they are written, not as floats."""
        with files.about(path):
            table = files.read_json(path)
            return cls(table.entries, table.labels, table.predictions, name or table.name or stem(path))

    # Ways out.

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write the table that `from_csv` reads; names that a spreadsheet would execute, such as =1+1, as '=1+1."""
        rows = [[str(entry) for entry in row] for row in self.entries]
        tables.write_table(path, self.labels, self.predictions, rows)

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """Return the matrix as JSON text, entries as "a/b"; also write it to `path` if given."""
        rows = [[str(entry) for entry in row] for row in self.entries]
        return files.write_json(path, self.labels, self.predictions, rows, self.name)

    def to_numpy(self, dtype: Any = float) -> np.ndarray[Any, Any]:
        """The entries as a new array of floats, or with `dtype=object` of fractions.

        >>> LossMatrix([[0, "1/4"], [1, 0]]).to_numpy().tolist()
        [[0.0, 0.25], [1.0, 0.0]]
        """
        import numpy as np

        try:
            return np.array(self.entries, dtype=object).astype(dtype)
        except OverflowError:
            raise TooLarge(f"{self.name} has entries beyond the range of {dtype}; use dtype=object") from None

    def to_frame(self, dtype: Any = float) -> Any:
        """The entries as a data frame of pandas, with the names; `dtype` as in `to_numpy`."""
        return frame_of(self.to_numpy(dtype), self.labels, self.predictions)

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

    def risk(self, p: Any, *, classes: Iterable[Name] | None = None) -> Any:
        """Return the expected loss p·ℓ_t of every prediction t under the distribution p, exactly.

        A list or tuple has its entries in the order of the rows; a series or a mapping names them; an array is taken
        where sorting the labels would not change their order. Several rows, or a data frame, give an array of floats, a
        row for each; which column is which is told as in `decide`.

        >>> LossMatrix([[0, 1], [5, 0]]).risk(["9/10", "1/10"])
        (Fraction(1, 2), Fraction(9, 10))
        >>> LossMatrix([[0, 1], [5, 0]]).risk([[0.5, 0.5], [1, 0]]).tolist()
        [[2.5, 0.5], [0.0, 1.0]]
        """
        if is_batch(p):
            order = rows_of_columns(p, self.labels, classes)
            return probability_rows(p, self.labels)[0] @ self.to_numpy()[order]
        if classes is not None:
            raise BadInput("classes name the columns of several rows; write risk([p], classes=…), or p as a series")
        return self._exact_risk(p)

    def bayes_risk(self, p: Any, *, classes: Iterable[Name] | None = None) -> Any:
        """Return H_L(p) = min_t p·ℓ_t, the least expected loss that any prediction attains; p as in `risk`."""
        return self.risk(p, classes=classes).min(axis=1) if is_batch(p) else min(self._exact_risk(p))

    def optimal_predictions(self, p: Sequence[RationalLike]) -> tuple[int, ...]:
        """Return the indices of the predictions whose expected loss under p is least, exactly, in increasing order.

        >>> LossMatrix([[0, 1], [1, 0]]).optimal_predictions(["1/2", "1/2"])
        (0, 1)
        """
        risks = self._exact_risk(p)
        least = min(risks)
        return tuple(t for t, risk in enumerate(risks) if risk == least)

    def decide(self, P: Any, X: object = None, *, classes: Iterable[Name] | None = None, costs: Any = None) -> Any:
        """Turn predicted probabilities into decisions of least expected loss, by name (floats; ties: the first).

        `decide(model, X)` asks a fitted classifier, whose `classes_` tell which column is which. `decide(P, classes=…)`
        takes a table as `predict_proba` returns it, one row per case (a single row gives a single decision), and a data
        frame brings the names of its columns. A table without names is taken only if the labels are 0 … n−1 or stand
        in sorted order, as text and as numbers. Every label needs its column, by the very name: "1" is not 1.

        `costs` that differ from case to case replace those of the matrix, in its order: an array m × n × k, a function
        of a row of X, or rows of numbers, arrays of m numbers and text about the columns of X, as in `ExampleCosts`.

        >>> loss = LossMatrix([[0, 1], [5, 0]], labels=["well", "ill"], predictions=["wait", "treat"])
        >>> loss.decide([[0.9, 0.1], [0.7, 0.3]], classes=["well", "ill"]).tolist()
        ['wait', 'treat']
        >>> loss.decide([[0.9, 0.1], [0.7, 0.3]], classes=["well", "ill"], costs=[[0, 1], [[50, 2], 0]]).tolist()
        ['treat', 'wait']
        """
        table, order, single = told_probabilities(P, X, self.labels, classes, bare=costs is None)
        if costs is None:
            chosen = (table @ self._costs[order]).argmin(axis=1)
        else:
            chosen = expected_costs(table, cost_arrays(costs, self, X, len(table))[:, order]).argmin(axis=1)
        return self.predictions[chosen[0]] if single else self._prediction_array[chosen]

    def best(self, P: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The index of the decision of least expected loss for each row of P, in the order of the labels; in floats."""
        chosen: np.ndarray[Any, Any] = (P @ self._costs).argmin(axis=1)
        return chosen

    # Other losses made from this one.

    def restrict(
        self,
        labels: Iterable[Name] | None = None,
        predictions: Iterable[Name] | None = None,
        name: str | None = None,
    ) -> LossMatrix:
        """Keep some labels and some predictions, given by name, in the order given.

        >>> LossMatrix([[0, 1, 2], [1, 0, 1], [2, 1, 0]]).restrict(labels=[0, 2])
        LossMatrix('loss on 2 of 3 labels': 2 labels × 3 predictions)
        """
        rows = [index(self.labels, each, "label") for each in (self.labels if labels is None else labels)]
        columns = [
            index(self.predictions, each, "prediction")
            for each in (self.predictions if predictions is None else predictions)
        ]
        entries = [[self.entries[y][t] for t in columns] for y in rows]
        name = name or self.name + part_of("on", rows, self.n, "labels") + part_of("with", columns, self.k, "decisions")
        return self._with(entries, [self.labels[y] for y in rows], [self.predictions[t] for t in columns], name)

    def scale_rows(
        self, factors: Sequence[RationalLike] | Mapping[Any, RationalLike], name: str | None = None
    ) -> LossMatrix:
        """Multiply each row by a positive factor; a mapping names labels, the others keep factor 1.

        This is what class weights do. It moves the cells (p lies in a new cell if s∘p, normalised, lay in the old one)
        and leaves CCdim unchanged.

        >>> LossMatrix([[0, 1], [1, 0]]).scale_rows({1: 5}).entries[1]
        (Fraction(5, 1), Fraction(0, 1))
        """
        read = per_label(factors, self.labels, 1, "factor")
        for label, factor in zip(self.labels, read, strict=True):
            if factor <= 0:
                raise BadInput(f"the factor of row {label!r} is {factor}; row factors must be positive")
        rows = [[factor * entry for entry in row] for factor, row in zip(read, self.entries, strict=True)]
        changed = " with scaled rows" if set(read) != {1} else ""
        return self._with(rows, self.labels, self.predictions, name or self.name + changed)

    def shift_rows(
        self, offsets: Sequence[RationalLike] | Mapping[Any, RationalLike], name: str | None = None
    ) -> LossMatrix:
        """Add a constant to each row; a mapping names labels, the others keep offset 0. Changes no verdict.

        >>> LossMatrix([[0, 1], [3, 2]]).shift_rows({1: -2}).entries[1]
        (Fraction(1, 1), Fraction(0, 1))
        """
        read = per_label(offsets, self.labels, 0, "offset")
        rows = [[offset + entry for entry in row] for offset, row in zip(read, self.entries, strict=True)]
        changed = " with shifted rows" if set(read) != {0} else ""
        return self._with(rows, self.labels, self.predictions, name or self.name + changed)

    def rename(self, labels: Any = None, predictions: Any = None, name: str | None = None) -> LossMatrix:
        """The same loss with other names: lists in the order of the matrix, or mappings from old names to new ones.

        Where the decisions are the labels and only the labels get new names, so do the decisions.

        >>> LossMatrix([[0, 1], [1, 0]]).rename(labels=["ham", "spam"]).predictions
        ('ham', 'spam')
        """
        y_names, t_names = renamed(self.labels, labels, "label"), renamed(self.predictions, predictions, "prediction")
        if predictions is None and self.predictions == self.labels:
            t_names = y_names
        return self._with(self.entries, y_names, t_names, name or self.name)

    # Print.

    def __str__(self) -> str:
        return "\n".join(fitted(self.shown_rows, range(MOST_SHOWN, 2, -1)))

    def __repr__(self) -> str:
        return f"LossMatrix({self.name!r}: {self._size})"

    def _repr_html_(self) -> str:
        return as_html(self.shown_rows(), f"{self.name}: {self._size}")

    @property
    def _size(self) -> str:
        return f"{counted(self.n, 'label')} × {counted(self.k, 'prediction')}"

    def shown_rows(self, most: int = MOST_SHOWN) -> list[list[str]]:
        """The matrix as text, with a row and a column of names; the middle of a large one is left out."""
        return abridged(self.labels, self.predictions, self.rational.row, most)

    def _with(self, entries: object, labels: Iterable[Name], predictions: Iterable[Name], name: str) -> LossMatrix:
        """Other entries, or names, for labels and predictions that are among these."""
        loss = LossMatrix(entries, labels, predictions, name)
        object.__setattr__(loss, "written_from", self.written_from)
        return loss

    def _exact_risk(self, p: Any) -> tuple[Fraction, ...]:
        return self.rational.mean(distribution(p, self.labels))

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
