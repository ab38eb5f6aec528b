"""Minimising a function of floats by its gradient: BFGS with the weak Wolfe conditions.

The conditions are those of Lewis & Overton, Nonsmooth optimization via quasi-Newton methods, Mathematical Programming
141 (2013): they can be met at kinks too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]
    Risk: TypeAlias = Callable[[Array], tuple[float, Array]]

_ITERATIONS = 500
_BISECTIONS = 60


def descend(risk: Risk, dim: int) -> Array:
    """A point of R^dim near a local minimum of `risk`, which returns value and gradient; the search starts at 0.

    If 0 is a kink from which the gradient leads nowhere lower, it starts beside it.

    >>> import numpy as np
    >>> descend(lambda u: (float((u - 3) @ (u - 3)), 2 * (u - 3)), 2).round(6)
    array([3., 3.])
    >>> kinked = lambda u: (float(5 * abs(u[0]) + (u[1] - 1) ** 2), np.array([5 if u[0] >= 0 else -5, 2 * (u[1] - 1)]))
    >>> abs(descend(kinked, 2)).round(6)
    array([0., 1.])
    """
    import numpy as np

    with np.errstate(all="ignore"):  # a step too far is taken back
        found = _descended(risk, np.zeros(dim))
        if found.any() or not risk(found)[1].any():
            return found
        return min(found, _descended(risk, np.sin(np.arange(1, dim + 1)) / 8), key=lambda u: risk(u)[0])


def _descended(risk: Risk, u: Array) -> Array:
    """Where the way down from u ends."""
    import numpy as np

    height, slope = risk(u)
    inverse: Array = np.eye(len(u))
    fresh = True
    for _ in range(_ITERATIONS):
        direction = -inverse @ slope
        if not direction @ slope < 0:  # at the minimum, or rounding has spoilt the curvature
            if fresh:
                break
            inverse, fresh = np.eye(len(u)), True
            continue
        found = _step(risk, u, direction, height, slope)
        if found is None:
            break
        s, d = found[0] - u, found[2] - slope
        if s @ d > 0:
            if fresh:
                inverse, fresh = np.eye(len(u)) * (s @ d) / (d @ d), False
            inverse = _updated(inverse, s, d)
        u, height, slope = found
    return u


def _updated(inverse: Array, s: Array, d: Array) -> Array:
    """The inverse Hessian after a step s that changed the gradient by d."""
    import numpy as np

    turned, along = inverse @ d, s @ d
    crossed = np.outer(s, turned)
    result: Array = inverse + (np.outer(s, s) * (1 + d @ turned / along) - crossed - crossed.T) / along
    return result


def _step(risk: Risk, u: Array, direction: Array, height: float, slope: Array) -> tuple[Array, float, Array] | None:
    """Bisect for a step that descends enough and leaves the slope along it flatter."""
    import numpy as np

    fall, low, high, length = float(slope @ direction), 0.0, np.inf, 1.0
    best = None
    for _ in range(_BISECTIONS):
        there = u + length * direction
        value, gradient = risk(there)
        if value <= height + 1e-4 * length * fall and np.isfinite(gradient).all():
            best, low = (there, value, gradient), length
            if gradient @ direction >= 0.9 * fall:
                break
        else:
            high = length
        length = (low + high) / 2 if high < np.inf else 2 * length
    return best if best is not None and best[1] < height else None
