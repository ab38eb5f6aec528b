"""Coverage: how far down an order of the tags one has to go to find all that are there."""

from __future__ import annotations

from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.orders import names_of, sets_and_orders, size_of_orders


@family(
    cite="R. E. Schapire, Y. Singer, BoosTexter: a boosting-based system for text categorization, 2000",
    small=({"r": 2}, {"r": 3}),
    size=lambda r: size_of_orders(r, "coverage"),
    of_size=lambda n: [{"r": n.bit_length() - 1}] if n.bit_count() == 1 and n in (4, 8) else [],
)
def coverage(r: int) -> LossMatrix:
    """The position, from 0, of the last tag that is there in an order of r tags; 0 if there is none.

    >>> print(coverage(2))
    truth ↓ decision →  0>1  1>0
    00                    0    0
    01                    1    0
    10                    0    1
    11                    1    1
    """
    sets, orders = sets_and_orders(r)
    rows = [[max((place for place, tag in enumerate(order) if y[tag]), default=0) for order in orders] for y in sets]
    return LossMatrix(rows, *names_of(sets, orders), f"coverage(r={r})")
