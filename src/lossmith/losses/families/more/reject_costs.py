"""The reject option, where what abstaining costs depends on the label."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.errors import BadInput
from lossmith.exact.rational import quoted
from lossmith.families import family
from lossmith.losses.by_label import ByLabel, by_label
from lossmith.losses.matrix import LossMatrix


def _read(costs: ByLabel) -> dict[Any, Fraction]:
    found = by_label(costs, "costs", "what abstaining costs for each label")
    for label, cost in found.items():
        if cost < 0:
            raise BadInput(f"the cost of abstaining for label {quoted(label)} is {cost}; it must be at least 0")
    return found


def _size(costs: ByLabel) -> tuple[int, int]:
    return len(_read(costs)), len(_read(costs)) + 1


@family(
    cite="C. Chow, On optimum recognition error and reject tradeoff, IEEE Transactions on Information Theory 1970",
    small=({"costs": "1/2 1/4"}, {"costs": "1/2 1/4 1/3"}),
    size=_size,
    of_size=lambda n: [{"costs": " ".join(f"1/{y + 2}" for y in range(n))}],
)
def reject_costs(costs: ByLabel) -> LossMatrix:
    """0-1 loss, and a last prediction "abstain" that costs what `costs` says for the label.

    `costs` are in the order of the labels, or a mapping from their names.

    >>> print(reject_costs({"ham": "1/2", "spam": "1/10"}))
    truth ↓ decision →  ham  spam  abstain
    ham                   0     1      0.5
    spam                  1     0      0.1
    """
    read = _read(costs)
    rows = [[*(Fraction(y != t) for t in read), cost] for y, cost in read.items()]
    return LossMatrix(rows, list(read), [*read, "abstain"], f"reject_costs({' '.join(map(str, read.values()))})")
