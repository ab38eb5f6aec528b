"""How likely a normal variable is between two numbers: the logarithm, and its slopes, in both tails and in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_NARROW = 1e-6  # there the density is e^{−mt} up to a factor within 1e-12 of 1, t from the middle m
_LOG_ROOT = 0.9189385332046727  # log √(2π)


def hazard(b: Array) -> Array:
    """φ(b)/Φ(b) for the density φ of the normal distribution, and its distribution function Φ.

    >>> import numpy as np
    >>> hazard(np.array([-1e9, 0.0, 40.0])).round(4).tolist()
    [1000000000.0, 0.7979, 0.0]
    """
    import numpy as np
    from scipy.special import erfcx

    with np.errstate(over="ignore"):
        result: Array = np.sqrt(2 / np.pi) / erfcx(-b / np.sqrt(2))
    return result


def surprise(a: Array, gap: Array) -> tuple[Array, Array, Array]:
    """−log(Φ(a + gap) − Φ(a)) for gaps > 0, its slope in the gap, and its slope in a.

    Mirrored, so that the middle is not positive, nothing cancels: with b = a + gap, m the middle and δ the difference
    of log Φ, it is −log Φ(b) − log(1 − e^{−δ}), and e^{gap·m} = φ(b)/φ(a).

    >>> import numpy as np
    >>> [x.round(4).tolist() for x in surprise(np.array([-1.0, 40.0]), np.array([2.0, 1.0]))]
    [[0.3817, 804.6084], [-0.3544, -0.0], [-0.0, 40.025]]
    """
    import numpy as np

    mirrored = 2 * a + gap > 0
    left = np.where(mirrored, -a - gap, a)
    right, middle = np.where(mirrored, -a, a + gap), -np.abs(a + gap / 2)
    narrow = gap < _NARROW
    value, upper = _wide(left, right, np.where(narrow, 1, gap), middle)
    at_narrow, upper_at_narrow = _narrow(np.where(narrow, gap, _NARROW), middle)
    value, upper = np.where(narrow, at_narrow, value), np.where(narrow, upper_at_narrow, upper)
    ratio = gap * middle
    moved = upper * np.expm1(ratio)  # φ(a) − φ(b), over the probability
    return value, -np.where(mirrored, upper * np.exp(ratio), upper), np.where(mirrored, -moved, moved)


def _wide(left: Array, right: Array, gap: Array, middle: Array) -> tuple[Array, Array]:
    """The value, and φ at the right end over the probability."""
    import numpy as np
    from scipy.special import erfcx, log_ndtr

    below, above = np.minimum(right, 0), np.maximum(right, 0)
    scaled = np.log(erfcx(-below / np.sqrt(2)) / erfcx(-np.minimum(left, below) / np.sqrt(2)))
    apart = np.where(right <= 0, scaled - gap * middle, log_ndtr(above) - log_ndtr(left))
    share = -np.expm1(-np.maximum(apart, 1e-12))  # more than that, unless the gap is narrow
    return -log_ndtr(right) - np.log(share), hazard(right) / share


def _narrow(gap: Array, middle: Array) -> tuple[Array, Array]:
    """The same by ∫ e^{−mt} dt = e^{x} (1 − e^{−2x})/|m| for x = |m| gap/2, which is the gap where x is 0."""
    import numpy as np

    x = -middle * gap / 2
    factor = np.where(x > 1e-12, -np.expm1(-2 * x) / np.maximum(2 * x, 1e-12), 1 - x)
    return middle**2 / 2 + _LOG_ROOT - np.log(gap) - x - np.log(factor), 1 / (gap * factor)
