"""0-1 loss: every mistake costs the same (`exmp:loss-0-1`)."""

from __future__ import annotations

from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names


@family(
    cite="exmp:loss-0-1",
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n, labels=None: (at_least("n", n, 2), n),
    of_size=lambda n: [{"n": n}],
)
def zero_one(n: int, labels: Labels = None) -> LossMatrix:
    """1 if the prediction differs from the label, else 0; the labels are 0 … n−1 unless they are named.

    >>> print(zero_one(3))
    truth ↓ decision →  0  1  2
    0                   0  1  1
    1                   1  0  1
    2                   1  1  0
    >>> zero_one(2, labels=["ham", "spam"]).predictions
    ('ham', 'spam')
    """
    return LossMatrix.from_function(lambda y, t: int(y != t), label_names(labels, n), name=f"zero_one(n={n})")
