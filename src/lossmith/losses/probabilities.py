"""Predicted probabilities: a row for each case, in floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput
from lossmith.losses.ordering import listed
from lossmith.losses.reading import Name

if TYPE_CHECKING:
    import numpy as np

OFF = 1e-3  # by which a sum of rounded probabilities may differ from 1


def is_batch(P: Any) -> bool:
    """Whether P holds several rows, rather than one distribution.

    >>> is_batch([[0.5, 0.5]]), is_batch([0.5, 0.5]), is_batch(["1/2", "1/2"])
    (True, False, False)
    """
    if hasattr(P, "columns") or hasattr(P, "column_names"):
        return True
    if hasattr(P, "ndim"):
        return bool(P.ndim > 1)
    return (
        isinstance(P, (list, tuple)) and len(P) > 0 and getattr(P[0], "ndim", int(isinstance(P[0], (list, tuple)))) == 1
    )


def probability_rows(P: object, labels: Sequence[Name]) -> tuple[np.ndarray[Any, Any], bool]:
    """Rows of probabilities as floats, and whether P was a single one."""
    import numpy as np

    try:
        given = np.asarray(P, dtype=float)
    except (TypeError, ValueError):
        raise BadInput("P is not a table of numbers; give one row of probabilities per case") from None
    rows = np.atleast_2d(given)
    if rows.ndim != 2 or rows.shape[1] != len(labels):
        raise BadInput(
            f"P has shape {given.shape}; it needs one column for each of the {len(labels)} labels {listed(labels)}"
        )
    bad = np.flatnonzero(~((rows >= 0).all(axis=1) & (abs(rows.sum(axis=1) - 1) < OFF)))
    if bad.size:
        shown = listed([float(f"{x:.4g}") for x in rows[bad[0]]])
        raise BadInput(f"row {bad[0]} of P is {shown}; probabilities are at least 0 and sum to 1")
    return rows, given.ndim < 2
