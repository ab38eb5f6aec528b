"""Costs that differ from example to example: a matrix whose entries are numbers, or columns of the data."""

from __future__ import annotations

import ast
import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput, BadLoss, BadNumber, UnknownName, nearest
from lossmith.exact.rational import as_rational, quoted
from lossmith.losses.ordering import columns_named, index, listed
from lossmith.losses.reading import Name, named_table
from lossmith.text.names import one_line
from lossmith.text.numbers import counted

if TYPE_CHECKING:
    import numpy as np

    from lossmith.losses.matrix import LossMatrix

_SIGNS = {ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__"}
_WORDS = ("max", "min")


@dataclass(frozen=True, init=False)
class ExampleCosts:
    """What decision t costs when y is true, for each example: `entries[y][t]` is a number, or text about its columns.

    Text is the name of a column, or a sum, difference, product or quotient of columns and numbers, with max(…) and
    min(…): "amount", "0.2 * amount + 5". Rows are true labels and columns are decisions, as in `LossMatrix`, and costs
    are at least 0, too.

    >>> costs = ExampleCosts([[0, 5], ["amount", 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
    >>> print(costs)
    truth ↓ decision →     pay  review
    legit                    0       5
    fraud               amount       5
    >>> costs.at({"amount": [30, 800]})[:, 1].tolist()
    [[30.0, 5.0], [800.0, 5.0]]
    """

    entries: tuple[tuple[Fraction | str, ...], ...]
    labels: tuple[Name, ...]
    predictions: tuple[Name, ...]
    name: str = field(compare=False)

    def __init__(
        self,
        entries: object,
        labels: Iterable[Name] | None = None,
        predictions: Iterable[Name] | None = None,
        name: str | None = None,
    ) -> None:
        table = named_table(entries, labels, predictions)
        cells = [[_cell(cell, y, t) for t, cell in zip(table.predictions, row)] for y, row in _named(table)]
        object.__setattr__(self, "entries", tuple(map(tuple, cells)))
        object.__setattr__(self, "labels", table.labels)
        object.__setattr__(self, "predictions", table.predictions)
        object.__setattr__(self, "name", one_line(name or "costs"))

    @property
    def n(self) -> int:
        """The number of labels (rows)."""
        return len(self.labels)

    @property
    def k(self) -> int:
        """The number of decisions (columns)."""
        return len(self.predictions)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The entries that are text, once each, as they are written."""
        return tuple(dict.fromkeys(cell for row in self.entries for cell in row if isinstance(cell, str)))

    def at(self, X: Any) -> np.ndarray[Any, Any]:
        """The matrix of every example: an array m × n × k; X is a data frame, or a mapping from names to columns."""
        import numpy as np

        told = {text: _evaluated(text, X) for text in self.columns}
        costs = np.empty((len(next(iter(told.values()))) if told else _size(X), self.n, self.k))
        for y, row in enumerate(self.entries):
            for t, cell in enumerate(row):
                costs[:, y, t] = told[cell] if isinstance(cell, str) else float(cell)
        return checked(costs, self)

    def mean(self, X: Any) -> LossMatrix:
        """The loss matrix of the mean costs of the examples X: what is best where the examples cannot be told apart.

        >>> ExampleCosts([[0, 5], ["amount", 5]]).mean({"amount": [30, 800]}).entries[1][0]
        Fraction(415, 1)
        """
        from lossmith.losses.matrix import LossMatrix

        costs = self.at(X)
        if not len(costs):
            raise BadInput(f"X has no examples; the mean of {self.name} needs at least one")
        return LossMatrix(costs.mean(axis=0).tolist(), self.labels, self.predictions, f"mean of {self.name}")

    def decide(self, P: Any, X: Any = None, *, classes: Iterable[Name] | None = None) -> Any:
        """The decision of least expected cost for each example: `decide(model, X)`, or `decide(P, X, classes=…)`.

        P, classes and the names of the labels as in `LossMatrix.decide`; X has the columns that the costs need.

        >>> costs = ExampleCosts([[0, 5], ["amount", 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
        >>> P = [[0.9, 0.1], [0.9, 0.1]]
        >>> costs.decide(P, {"amount": [30, 800]}, classes=["legit", "fraud"]).tolist()
        ['pay', 'review']
        """
        from lossmith.losses.matrix import LossMatrix

        names = LossMatrix([[0] * self.k] * self.n, self.labels, self.predictions)
        return names.decide(P, X, classes=classes, costs=self)

    def __str__(self) -> str:
        from lossmith.losses.showing import aligned

        return "\n".join(aligned(self._shown()))

    def __repr__(self) -> str:
        size = f"{counted(self.n, 'label')} × {counted(self.k, 'prediction')}"
        return f"ExampleCosts({self.name!r}: {size}, by {listed(self.columns)})"

    def _repr_html_(self) -> str:
        rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in self._shown()]
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def _shown(self) -> list[list[str]]:
        from lossmith.losses.showing import ORIENTATION

        head = [ORIENTATION, *map(str, self.predictions)]
        return [head, *([f"{y}", *map(str, row)] for y, row in zip(self.labels, self.entries))]


def checked(costs: np.ndarray[Any, Any], named: Any) -> np.ndarray[Any, Any]:
    """The costs of examples, which are finite and at least 0; `named` has the labels and the predictions."""
    import numpy as np

    bad = np.argwhere(~((costs >= 0) & np.isfinite(costs)))
    if bad.size:
        i, y, t = bad[0]
        raise BadInput(
            f"example {i}: deciding {named.predictions[t]!r} when {named.labels[y]!r} holds costs {costs[i, y, t]:g}, "
            f"but costs are finite and at least 0 (gains: subtract each row from its largest gain)"
        )
    return costs


def at_columns(entries: Any, X: Any, m: int, named: Any) -> np.ndarray[Any, Any]:
    """An n × k table of numbers, of text about the columns of X, and of arrays with a number per example."""
    import numpy as np

    table = named_table(entries, named.labels, named.predictions)
    costs = np.empty((m, len(named.labels), len(named.predictions)))
    for y, row in enumerate(table.rows):
        for t, cell in enumerate(row):
            where = f"the cost of {named.predictions[t]!r} when {named.labels[y]!r} is true"
            values = _evaluated(cell, X) if isinstance(cell, str) and _number(cell) is None else cell
            try:
                column = np.asarray(_number(values) if isinstance(values, str) else values, dtype=float)
                costs[:, y, t] = column
            except (TypeError, ValueError):
                raise BadInput(f"{where} is {quoted(values)}; give a number, or one for each of {m} examples") from None
    return checked(costs, named)


def _size(X: Any) -> int:
    if isinstance(X, Mapping):
        return len(next(iter(X.values()), ()))
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _named(table: Any) -> Iterable[tuple[Name, Any]]:
    return zip(table.labels, table.rows)


def _number(text: str) -> Fraction | None:
    try:
        return as_rational(text)
    except BadNumber:
        return None


def _cell(cell: object, label: Name, prediction: Name) -> Fraction | str:
    where = f"the entry in row {label!r}, column {prediction!r}"
    if isinstance(cell, str) and _number(cell) is None:
        if not cell.strip():
            raise BadLoss(f"{where} is empty; give a number, or the name of a column such as 'amount'")
        return cell.strip()
    try:
        value = as_rational(cell)
    except BadNumber as error:
        raise BadLoss(f"{where} {error}") from None
    if value < 0:
        raise BadLoss(f"{where} is {value}; costs are at least 0 (gains: subtract each row from its largest gain)")
    return value


def _evaluated(text: str, X: Any) -> np.ndarray[Any, Any]:
    """The values of a column, or of a formula of columns, one for each example."""
    import numpy as np

    known = list(X) if isinstance(X, Mapping) else columns_named(X)
    if known is None:
        raise BadInput(
            f"the costs need {text!r}, but {'no X was given' if X is None else 'X has no names for its columns'}; give "
            f"a data frame, or the costs as an array: costs.at(frame)"
        )
    if text in known:
        return _column(text, X)
    try:
        value = _value(ast.parse(text, mode="eval").body, text, known, X)
    except (SyntaxError, ValueError, RecursionError) as error:
        if isinstance(error, BadInput):
            raise
        raise UnknownName(f"no column of X is called {text!r}; {nearest(text, known)}") from None
    return np.atleast_1d(value)


def _value(node: ast.AST, text: str, known: list[Name], X: Any) -> Any:
    """A formula, from its leaves up; nothing else is executed."""
    import numpy as np

    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.Name):
        index(known, node.id, "column of X")
        return _column(node.id, X)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, text, known, X)
    if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        left, right = (np.asarray(_value(each, text, known, X), dtype=float) for each in (node.left, node.right))
        with np.errstate(divide="ignore", invalid="ignore"):  # what is not finite is refused later, by its row
            return getattr(left, _SIGNS[type(node.op)])(right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _WORDS and node.args:
        largest = np.maximum if node.func.id == "max" else np.minimum
        values = [_value(each, text, known, X) for each in node.args]
        return largest.reduce(np.broadcast_arrays(*values))
    raise BadInput(f"{text!r} is no column of X and no formula; write one with +, −, *, /, max(…) and min(…)")


def _column(name: Any, X: Any) -> np.ndarray[Any, Any]:
    import numpy as np

    try:
        return np.atleast_1d(np.asarray(X[name], dtype=float))
    except (TypeError, ValueError):
        raise BadInput(f"column {name!r} of X does not hold numbers, which costs are made of") from None
