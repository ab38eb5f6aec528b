"""Deferring to experts who are sometimes right."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_list, as_rationals
from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix

Costs = Sequence[RationalLike] | str


def _fees(experts: int, fees: Costs | None) -> tuple[Fraction, ...]:
    if fees is None:
        return (Fraction(0),) * at_least("experts", experts, 1)
    read = as_rationals(as_list(fees), "fees")
    if len(read) != at_least("experts", experts, 1):
        raise BadInput(f"{len(read)} fees were given; give one for each of the {experts} experts")
    for j, fee in enumerate(read):
        if fee < 0:
            raise BadInput(f"the fee of expert {j} is {fee}; it must be at least 0")
    return read


def _size(n: int, experts: int = 1, fees: Costs | None = None) -> tuple[int, int]:
    _fees(experts, fees)
    return at_least("n", n, 2) << experts, n + experts


@family(
    cite="H. Mozannar, D. Sontag, Consistent estimators for learning to defer to an expert, ICML 2020",
    small=({"n": 2}, {"n": 3, "experts": 1, "fees": "1/10"}, {"n": 2, "experts": 2}),
    size=_size,
    of_size=lambda n: [{"n": n // 2}] if n % 2 == 0 and n > 2 else [],
)
def defer(n: int, experts: int = 1, fees: Costs | None = None) -> LossMatrix:
    """0-1 loss, and further decisions to ask an expert: the fee, and 1 if the expert is wrong.

    What is true is a label, and which experts are right about it: "1+" if the only one is, "1-" if not. Fees are 0 if
    they are not given. Where only the rate is known at which an expert misses each label, it is `reject_costs`.

    >>> print(defer(2, fees=["1/10"]))
    truth ↓ decision →  0  1  defer 0
    0+                  0  1      0.1
    0-                  0  1      1.1
    1+                  1  0      0.1
    1-                  1  0      1.1
    """
    prices = _fees(experts, fees)
    truths = list(product(range(n), product((1, 0), repeat=experts)))
    rows = [
        [*(Fraction(t != y) for t in range(n)), *(fee + 1 - right for fee, right in zip(prices, known, strict=True))]
        for y, known in truths
    ]
    labels = [f"{y}{''.join('-+'[right] for right in known)}" for y, known in truths]
    asked = "" if fees is None else f", fees={' '.join(map(str, prices))}"
    decisions = [*range(n), *(f"defer {j}" for j in range(experts))]
    return LossMatrix(rows, labels, decisions, f"defer(n={n}, experts={experts}{asked})")
