"""One loss for each label against all others: sums of what each score costs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.exact.vectors import unit_rows

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def own_label(n: int) -> tuple[tuple[Fraction, ...], ...]:
    """For each label a one in its own place, and zeros.

    >>> [list(map(int, row)) for row in own_label(2)]
    [[1, 0], [0, 1]]
    """
    return tuple(tuple(map(Fraction, row)) for row in unit_rows(n))


def own_sign(n: int) -> tuple[tuple[Fraction, ...], ...]:
    """For each label a one in its own place, and −1 in the others.

    >>> [list(map(int, row)) for row in own_sign(2)]
    [[1, -1], [-1, 1]]
    """
    return tuple(tuple(2 * x - 1 for x in row) for row in own_label(n))


def one_vs_all_values(own: Array, other: Array) -> Array:
    """own_y + Σ_{j≠y} other_j, for rows of what each score costs when its label is true and when it is not.

    The sums run from both ends: subtracting own terms from the total would lose the small ones.

    >>> import numpy as np
    >>> one_vs_all_values(np.array([[1.0, 2, 3]]), np.array([[10.0, 20, 30]]))
    array([[51., 42., 33.]])
    """
    import numpy as np

    before, after = np.zeros_like(other), np.zeros_like(other)
    before[:, 1:] = np.cumsum(other[:, :-1], axis=1)
    after[:, :-1] = np.cumsum(other[:, :0:-1], axis=1)[:, ::-1]
    result: Array = own + before + after
    return result


def one_vs_all_slopes(own: Array, other: Array) -> Array:
    """The gradients that go with `one_vs_all_values`: own′_y in column y of row y, other′_j in the other columns j.

    >>> import numpy as np
    >>> one_vs_all_slopes(np.array([[1, 2]]), np.array([[10, 20]]))
    array([[[ 1, 20],
            [10,  2]]])
    """
    import numpy as np

    labels = np.arange(own.shape[1])
    slopes: Array = np.repeat(other[:, None, :], len(labels), axis=1)
    slopes[:, labels, labels] = own
    return slopes
