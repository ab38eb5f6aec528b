"""The reject option: 0-1 loss with the further decision to abstain (`exmp:loss-abstain`)."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike, as_rational
from lossmith.families import at_least, family, rational_where
from lossmith.losses.families.zero_one import zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.reading import Name
from lossmith.losses.renaming import Labels


@family(
    cite="exmp:loss-abstain",
    small=({"n": 2}, {"n": 3}, {"n": 3, "cost": "2/5"}),
    size=lambda n, cost="1/2", labels=None: (at_least("n", n, 2), n + 1),
    of_size=lambda n: [{"n": n}],
)
def abstain(n: int, cost: RationalLike = "1/2", labels: Labels = None) -> LossMatrix:
    """0-1 loss on n labels, and a last prediction "abstain" that costs `cost` whatever the label.

    The labels are 0 … n−1 unless they are named.

    >>> print(abstain(3))
    truth ↓ decision →  0  1  2  abstain
    0                   0  1  1      0.5
    1                   1  0  1      0.5
    2                   1  1  0      0.5
    """
    loss = add_abstain(zero_one(n, labels), cost)
    return LossMatrix(loss.entries, loss.labels, loss.predictions, f"abstain(n={n}, cost={as_rational(cost)})")


def add_abstain(loss: LossMatrix, cost: RationalLike, name: Name = "abstain") -> LossMatrix:
    """Add a prediction that costs the same whatever the label.

    >>> add_abstain(LossMatrix([[0, 4], [2, 0]]), cost=1).predictions
    (0, 1, 'abstain')
    """
    price = rational_where("the cost of abstaining", cost, lambda c: c >= 0, "at least 0")
    rows = [[*row, price] for row in loss.entries]
    return LossMatrix(rows, loss.labels, [*loss.predictions, name], f"{loss.name} + {name} at {price}")
