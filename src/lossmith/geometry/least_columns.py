"""Which of many columns are the only least ones at distributions of their own, all at once.

Products of small integers are exact in floating point: as long as no sum of absolute values reaches 2⁵³, every partial
sum, in whatever order, is an integer below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from lossmith.exact.vectors import Row

_EXACT = 2**53
_BLOCK = 512  # columns that are compared with all at once


def alone_at(columns: Sequence[Row], weights: Callable[[Row], Sequence[int]]) -> Iterator[int]:
    """The numbers of columns x with w·x < w·z for all others z, for their own weights w ≥ 0.

    Nothing where the integers are too large; and no more than the first few hundred, if most of these are not such.

    >>> list(alone_at([(0, 3), (3, 0), (1, 1)], lambda column: [int(x == 0) for x in column]))
    [0, 1]
    """
    chosen = [list(weights(column)) for column in columns]
    if max(map(sum, chosen), default=0) * max(abs(x) for column in columns for x in column) >= _EXACT:
        return
    table = np.array(columns, dtype=float)
    for start in range(0, len(columns), _BLOCK):
        block = np.arange(start, min(start + _BLOCK, len(columns)))
        values = np.array(chosen[start : start + _BLOCK], dtype=float) @ table.T
        own = values[np.arange(len(block)), block]
        values[np.arange(len(block)), block] = np.inf
        found = block[own < values.min(axis=1)].tolist()
        yield from found
        if 2 * len(found) < len(block):
            return
