"""The ranking loss of tags: pairs of a tag that is there and one that is not, in the wrong order."""

from __future__ import annotations

from fractions import Fraction

from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.orders import names_of, sets_and_orders, size_of_orders
from lossmith.losses.sets.tags import Tags


@family(
    cite="R. E. Schapire, Y. Singer, BoosTexter: a boosting-based system for text categorization, 2000",
    small=({"r": 2}, {"r": 3}),
    size=lambda r: size_of_orders(r, "tag_ranking"),
    of_size=lambda n: [{"r": n.bit_length() - 1}] if n.bit_count() == 1 and n in (4, 8) else [],
)
def tag_ranking(r: int) -> LossMatrix:
    """The share of pairs of a tag that is there and one that is not which an order of r tags has the wrong way round.

    It is 0 where no tag is there, or all are.

    >>> print(tag_ranking(2))
    truth ↓ decision →  0>1  1>0
    00                    0    0
    01                    1    0
    10                    0    1
    11                    0    0
    """
    sets, orders = sets_and_orders(r)
    rows = [[_loss(y, order) for order in orders] for y in sets]
    return LossMatrix(rows, *names_of(sets, orders), f"tag_ranking(r={r})")


def _loss(y: Tags, order: Tags) -> Fraction:
    pairs = sum(y) * (len(y) - sum(y))
    absent = wrong = 0
    for tag in order:
        absent += not y[tag]
        wrong += absent if y[tag] else 0
    return Fraction(wrong, pairs) if pairs else Fraction(0)
