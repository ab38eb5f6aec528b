"""Euclidean projections on simplices, on rows of floats and exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def on_simplex(U: Array) -> Array:
    """The nearest point of {q ≥ 0, Σ q = 1} to each row.

    >>> import numpy as np
    >>> on_simplex(np.array([[1.0, 0.5, -3.0]])).tolist()
    [[0.75, 0.25, 0.0]]
    """
    import numpy as np

    falling = -np.sort(-U, axis=1)
    surplus = np.cumsum(falling, axis=1) - 1
    counts = np.arange(1, U.shape[1] + 1)
    kept = (falling * counts > surplus).sum(axis=1)  # how many coordinates stay positive
    level = surplus[np.arange(len(U)), kept - 1] / kept
    result: Array = np.maximum(U - level[:, None], 0)
    return result


def below_simplex(U: Array) -> Array:
    """The nearest point of {x ≥ 0, Σ x ≤ 1} to each row.

    >>> import numpy as np
    >>> below_simplex(np.array([[0.5, 0.25, -3.0], [1.0, 0.5, -3.0]])).tolist()
    [[0.5, 0.25, 0.0], [0.75, 0.25, 0.0]]
    """
    import numpy as np

    positive = np.maximum(U, 0)
    result: Array = np.where(positive.sum(axis=1, keepdims=True) <= 1, positive, on_simplex(U))
    return result


def exactly_on_simplex(u: tuple[Fraction, ...]) -> list[Fraction]:
    """The nearest point of the simplex, exactly.

    >>> [str(x) for x in exactly_on_simplex((Fraction(1), Fraction(1, 2), Fraction(-3)))]
    ['3/4', '1/4', '0']
    """
    level, total = Fraction(0), Fraction(-1)
    for count, x in enumerate(sorted(u, reverse=True), 1):
        total += x
        if x * count > total:
            level = total / count
    return [max(x - level, Fraction(0)) for x in u]


def exactly_below_simplex(u: tuple[Fraction, ...]) -> list[Fraction]:
    """The nearest point of {x ≥ 0, Σ x ≤ 1}, exactly."""
    positive = [max(x, Fraction(0)) for x in u]
    return positive if sum(positive) <= 1 else exactly_on_simplex(u)
