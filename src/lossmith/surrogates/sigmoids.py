"""The logistic function and its inverse, without overflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def sigmoid(U: Array) -> Array:
    """1 / (1 + e^−u), without overflow."""
    import numpy as np

    result: Array = np.exp(-np.logaddexp(0, -U))
    return result


def logit(x: Array) -> Array:
    """log x − log(1 − x), finite at 0 and 1."""
    import numpy as np

    tiny = np.finfo(float).tiny
    result: Array = np.log(np.maximum(x, tiny)) - np.log(np.maximum(1 - x, tiny))
    return result
