"""The weights of examples: a number for each, finite and at least 0; one that is not is refused by its row."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from sklearn.utils.validation import _check_sample_weight

from lossmith.errors import BadInput
from lossmith.exact.rational import quoted

Array: TypeAlias = np.ndarray[Any, Any]

_MOST = 1e100  # of a weight, whose squares are still numbers


def weights_of(sample_weight: Any, X: Any) -> Array | None:
    """The weights of the examples X, as floats; None if there are none.

    >>> weights_of([1, 2], [[0], [0]]).tolist()
    [1.0, 2.0]
    >>> weights_of([1, float("nan")], [[0], [0]])
    Traceback (most recent call last):
    lossmith.errors.BadInput: sample_weight has NaN in row 1; give 0 to leave an example out
    """
    if sample_weight is None:
        return None
    try:
        given = np.atleast_1d(np.asarray(sample_weight, dtype=float))
    except (TypeError, ValueError):
        raise BadInput(f"sample_weight is {quoted(sample_weight)}; give a number for each example") from None
    wrong = ~((given >= 0) & (given <= _MOST))
    if given.ndim == 1 and wrong.any():
        raise BadInput(_told(int(wrong.argmax()), float(given[wrong.argmax()])))
    read: Array = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
    return read


def _told(row: int, weight: float) -> str:
    if np.isnan(weight):
        return f"sample_weight has NaN in row {row}; give 0 to leave an example out"
    if weight < 0:
        return f"sample_weight has {weight:g} in row {row}; weights are at least 0, and 0 leaves an example out"
    return f"sample_weight has {weight:g} in row {row}; give finite weights, of which none is above {_MOST:g}"
