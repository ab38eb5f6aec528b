"""Orders of r tags as predictions of losses that are written down, first to last."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from math import factorial

from lossmith.errors import TooLarge
from lossmith.losses.ranking.rankings import order_of_documents
from lossmith.losses.sets.tags import Tags, number_of_tags, tags_name

_MOST = 6  # tags: 64 × 720 entries


def size_of_orders(r: int, name: str) -> tuple[int, int]:
    """All sets, and all orders of the tags.

    >>> size_of_orders(3, "coverage")
    (8, 6)
    """
    if number_of_tags(r, 2) > _MOST:
        raise TooLarge(f"r is {r}; {name} is written down, for at most {_MOST} tags: the ranking losses take more")
    return 1 << r, factorial(r)


def sets_and_orders(r: int) -> tuple[list[Tags], list[Tags]]:
    """Both sides; orders stand in the order of their positions, as the rankings of ranking losses do, and `sort` reads.

    >>> sets_and_orders(3)[1][3:5]  # tag 0 second and tag 1 last; tag 0 last and tag 1 first
    [(2, 0, 1), (1, 2, 0)]
    """
    return list(product((0, 1), repeat=r)), [tuple(order_of_documents(sigma)) for sigma in permutations(range(r))]


def names_of(sets: Sequence[Tags], orders: Sequence[Tags]) -> tuple[list[str], list[str]]:
    """In print.

    >>> names_of([(0, 1, 1)], [(2, 0, 1)])
    (['011'], ['2>0>1'])
    """
    return list(map(tags_name, sets)), [">".join(map(str, order)) for order in orders]
