"""Two labels, two prices: false alarms cost c, misses cost 1 − c (Scott, 2012)."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike
from lossmith.families import family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names


@family(
    cite="C. Scott, Calibrated asymmetric surrogate losses, EJS 2012",
    small=({"c": "1/2"}, {"c": "1/6"}),
    size=lambda c, labels=None: (2, 2),
    of_size=lambda n: [{"c": "1/2"}, {"c": "1/6"}] if n == 2 else [],
)
def cost_sensitive_binary(c: RationalLike, labels: Labels = None) -> LossMatrix:
    """Labels 0 and 1; predicting 1 for a 0 costs c, predicting 0 for a 1 costs 1 − c.

    Predicting 1 is optimal exactly when P(1) ≥ c. `labels` are other names for the two.

    >>> print(cost_sensitive_binary("1/6"))
    truth ↓ decision →    0    1
    0                     0  1/6
    1                   5/6    0
    """
    cost = rational_where("c", c, lambda c: 0 < c < 1, "strictly between 0 and 1")
    return LossMatrix([[0, cost], [1 - cost, 0]], label_names(labels, 2), name=f"cost_sensitive_binary(c={cost})")
