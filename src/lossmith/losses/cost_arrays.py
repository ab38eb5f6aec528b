"""Costs as they are told, beside a loss that names labels and decisions: one matrix for each example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput
from lossmith.exact.rational import quoted
from lossmith.losses.example_costs import ExampleCosts, at_columns, checked
from lossmith.losses.ordering import index, listed
from lossmith.losses.reading import Name

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class NamedCosts:
    """An array m × n × k with the names of its labels and decisions."""

    costs: np.ndarray[Any, Any]
    labels: tuple[Name, ...]
    predictions: tuple[Name, ...]
    name: str = "costs"


def cost_arrays(costs: Any, named: Any, X: Any, m: int) -> np.ndarray[Any, Any]:
    """The matrices of m examples, an array m × n × k in the order of the labels and the predictions of `named`.

    `costs` is such an array (or n × k: the same for all); a function of a row of X; `ExampleCosts` or a `LossMatrix`,
    by its names; or n rows of k entries, each a number, an array of m numbers, or text about the columns of X.

    >>> from lossmith.losses import zero_one
    >>> cost_arrays([[0, 5], [[30, 800], 5]], zero_one(2), None, 2)[1].tolist()
    [[0.0, 5.0], [800.0, 5.0]]
    """
    import numpy as np

    shape = (m, len(named.labels), len(named.predictions))
    if hasattr(costs, "iloc") and costs.ndim == 2:  # a data frame brings the names of its rows and columns
        costs = ExampleCosts(costs)
    if isinstance(costs, ExampleCosts):
        given = costs.at(X) if costs.columns else costs.at(range(m))
        return _fitting(_by_names(given, costs, named), shape)
    if isinstance(costs, NamedCosts):
        return _fitting(_by_names(costs.costs, costs, named), shape)
    if hasattr(costs, "rational"):  # a loss matrix, which cannot be imported here
        given = np.array([[float(entry) for entry in row] for row in costs.entries])
        return np.broadcast_to(_by_names(given[None], costs, named), shape)
    if callable(costs):
        if X is None:
            raise BadInput("costs are a function of x, but no X was given; give the examples, or the costs as an array")
        return checked(_of_rows(costs, X, shape), named)
    if isinstance(costs, (list, tuple)):
        return at_columns(costs, X, m, named)
    try:
        given = np.asarray(costs, dtype=float)
    except (TypeError, ValueError):
        raise BadInput(f"costs are {quoted(costs)}; give an array m × n × k, a function of x, or rows") from None
    if given.shape == shape[1:]:
        given = np.broadcast_to(given, shape)
    return checked(_fitting(given, shape), named)


def expected_costs(P: np.ndarray[Any, Any], costs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What every decision is expected to cost in each example: Σ_y P[i, y] costs[i, y, t].

    >>> import numpy as np
    >>> expected_costs(np.array([[0.5, 0.5]]), np.array([[[0.0, 5], [30, 5]]])).tolist()
    [[15.0, 5.0]]
    """
    import numpy as np

    expected: np.ndarray[Any, Any] = np.einsum("iy,iyt->it", P, costs)
    return expected


def _fitting(given: np.ndarray[Any, Any], shape: tuple[int, int, int]) -> np.ndarray[Any, Any]:
    if given.shape != shape:
        m, n, k = shape
        needed = f"{m} examples, {n} labels and {k} decisions need ({m}, {n}, {k})"
        row = "rows with a number for each example in a cell, such as [[0, 5], [amounts, 5]]"
        raise BadInput(f"costs have shape {given.shape}; {needed}{f', or {row}' * (given.shape == (m,))}")
    return given


def _by_names(given: np.ndarray[Any, Any], costs: Any, named: Any) -> np.ndarray[Any, Any]:
    for what in ("labels", "predictions"):
        mine, theirs = getattr(named, what), getattr(costs, what)
        if set(mine) != set(theirs):
            raise BadInput(f"{costs.name} has the {what} {listed(theirs)}, but {listed(mine)} are needed; rename them")
    rows = [index(costs.labels, each, "label") for each in named.labels]
    columns = [index(costs.predictions, each, "prediction") for each in named.predictions]
    return given[:, rows][:, :, columns]


def _of_rows(function: Any, X: Any, shape: tuple[int, int, int]) -> np.ndarray[Any, Any]:
    """The matrices that a function makes of the rows of X, which are series if X is a data frame of pandas."""
    import numpy as np

    told = np.empty(shape)
    for i in range(shape[0]):
        x = X.iloc[i] if hasattr(X, "iloc") else X[i]
        try:
            matrix = np.asarray(function(x), dtype=float)
        except (TypeError, ValueError) as error:
            if isinstance(error, BadInput):
                raise
            raise BadInput(f"costs of example {i} are no matrix of numbers: {error}") from None
        except LookupError as error:  # a column that its row lacks
            error.add_note(f"in the function of the costs, for example {i} of X")
            raise
        if matrix.shape != shape[1:]:
            raise BadInput(f"costs of example {i} have shape {matrix.shape}; its matrix needs {shape[1:]}")
        told[i] = matrix
    return told
