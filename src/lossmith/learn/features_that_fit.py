"""Features that do not fit are refused before anything is trained or asked, by row and column."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse

from lossmith.errors import BadInput
from lossmith.losses.ordering import columns_named, listed

Array: TypeAlias = np.ndarray[Any, Any]

_MOST = 1e38  # of a feature: trees round to short floats, and scaling and kernels take squares


def refuse_missing(X: Any) -> None:
    """Refuse NaN, infinity and what is near it in a table of numbers; what is no table is read later.

    >>> refuse_missing([[1, 2], [3, float("nan")]])
    Traceback (most recent call last):
    lossmith.errors.BadInput: X has NaN in row 1, column 1; impute it first, or give an estimator that takes it
    """
    if told := missing_in(X):
        raise BadInput(told)


def missing_in(X: Any) -> str:
    """Where a table of numbers first has NaN, infinity or a number near it, and what to do; nothing if nowhere."""
    found = None if X is None else _not_finite(X)
    if found is None:
        return ""
    row, place, value = found
    names = columns_named(X)
    column = int(place) if names is None else names[place]
    where = f"in row {row}, column {column!r}"
    if np.isfinite(value):
        return f"X has {value:g} {where}, too large to learn from; change the unit so that all are below {_MOST:g}"
    what = "NaN" if np.isnan(value) else "infinity"
    return f"X has {what} {where}; impute it first, or give an estimator that takes it"


def _not_finite(X: Any) -> tuple[int, int, float] | None:
    """Where the first number of a table is that is no number or too large, and which."""
    if issparse(X):
        if X.dtype.kind != "f" or _fits(X.tocsr().data):
            return None
        cells = X.tocsr().tocoo()
        at = int(np.argmin(abs(cells.data) < _MOST))
        return int(cells.row[at]), int(cells.col[at]), float(cells.data[at])
    if getattr(getattr(X, "dtype", None), "kind", "f") == "c":
        return None
    try:
        lacks = {"na_value": np.nan} if hasattr(X, "iloc") else {}  # columns of pandas that have <NA>
        table = X.to_numpy(dtype=float, **lacks) if lacks else np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        return None
    if table.ndim != 2 or _fits(table):
        return None
    row, place = np.argwhere(~(abs(table) < _MOST))[0]
    return int(row), int(place), float(table[row, place])


def _fits(numbers: Array) -> bool:
    return numbers.size == 0 or bool(numbers.max() < _MOST and numbers.min() > -_MOST)  # NaN is neither


def refuse_other_columns(X: Any, model: Any) -> None:
    """Refuse X with other columns than a fitted model knows, by `n_features_in_` and `feature_names_in_`."""
    known = getattr(model, "feature_names_in_", None)
    given = columns_named(X)
    if known is not None and given is not None:
        missing = [name for name in known.tolist() if name not in given]
        if missing:
            raise BadInput(f"X lacks the column {missing[0]!r}; the model was trained on {listed(known.tolist())}")
        return
    shape: tuple[int, ...] = getattr(X, "shape", ())
    count = getattr(model, "n_features_in_", None)
    if len(shape) == 2 and count is not None and shape[1] != count:
        raise BadInput(f"X has {shape[1]} features, but the model was trained on {count}; give the same columns")


def refuse_no_table(X: Any) -> None:
    """Refuse what an estimator would be given in vain: no rows, or numbers that are no table; texts may be a list."""
    shape: tuple[int, ...] | None = getattr(X, "shape", None)
    if shape is None:
        return
    if len(shape) != 2 and getattr(getattr(X, "dtype", None), "kind", "O") in "fiub":
        raise BadInput(f"X has shape {shape}; give a table with a row per example, X.reshape(-1, 1) for one feature")
    if shape[0] == 0:
        raise BadInput(f"X has shape {shape}, no examples; there is nothing to learn from")
