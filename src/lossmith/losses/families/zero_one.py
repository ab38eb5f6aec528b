"""0-1 loss: every mistake costs the same (`exmp:loss-0-1`)."""

from __future__ import annotations

from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix


@family(
    cite="exmp:loss-0-1",
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    of_size=lambda n: [{"n": n}],
)
def zero_one(n: int) -> LossMatrix:
    """1 if the prediction differs from the label, else 0.

    >>> print(zero_one(3))
    truth ↓ decision →  0  1  2
    0                   0  1  1
    1                   1  0  1
    2                   1  1  0
    """
    return LossMatrix.from_function(lambda y, t: int(y != t), labels=range(n), name=f"zero_one(n={n})")
