"""Queries: consecutive rows that belong together, told by an id per row or by sizes."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from lossmith.errors import BadInput

Array: TypeAlias = np.ndarray[Any, Any]


def starts_of(rows: int, qid: object = None, group: object = None) -> Array:
    """Where each query starts, and where the last one ends. Without ids and sizes all rows are one query.

    >>> starts_of(5, qid=["b", "b", "a", "a", "a"]).tolist()
    [0, 2, 5]
    >>> starts_of(5, group=[4, 1]).tolist()
    [0, 4, 5]
    >>> starts_of(3, qid=[7, 8, 7])
    Traceback (most recent call last):
    lossmith.errors.BadInput: qid 7 comes back in row 2 after another query; sort the rows by qid, keeping X, y and ...
    """
    if qid is not None and group is not None:
        raise BadInput("both qid and group are given; give the id of each row, or the size of each query")
    if group is not None:
        return _by_size(rows, group)
    if qid is None:
        return np.array([0, rows])
    ids = np.asarray(qid)
    if ids.shape != (rows,):
        raise BadInput(f"qid has shape {ids.shape}; give one id for each of the {rows} rows of X")
    if bool((missing := ids != ids).any()):
        raise BadInput(f"qid is missing in row {int(missing.argmax())}; every row belongs to a query")
    first = np.flatnonzero(np.append(True, ids[1:] != ids[:-1]))
    seen = set()
    for row in first.tolist():
        if ids[row] in seen:
            raise BadInput(
                f"qid {ids[row]} comes back in row {row} after another query; sort the rows by qid, keeping X, y and "
                f"qid together: np.argsort(qid, kind='stable')"
            )
        seen.add(ids[row])
    return np.append(first, rows)


def _by_size(rows: int, group: object) -> Array:
    sizes = np.asarray(group)
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or not (sizes > 0).all():
        raise BadInput(f"group is {group!r}; give the number of documents of each query, at least 1")
    if sizes.sum() != rows:
        raise BadInput(f"the sizes in group add up to {sizes.sum()}, but X has {rows} rows")
    return np.append(0, sizes.cumsum())
