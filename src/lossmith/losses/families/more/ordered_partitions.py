"""Ordered partitions of the labels: what the Weston–Watkins hinge is calibrated for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

from lossmith.errors import TooLarge
from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix

Partition = tuple[tuple[int, ...], ...]

_MOST = 7  # labels: 47,293 ordered partitions


def _size(n: int) -> tuple[int, int]:
    if at_least("n", n, 2) > _MOST:
        raise TooLarge(f"n is {n}; ordered_partitions is written down, for at most {_MOST} labels")
    counts = [1]
    for m in range(1, n + 1):
        counts.append(sum(comb(m, s) * counts[m - s] for s in range(1, m + 1)))
    return n, counts[n]


def _partitions(labels: tuple[int, ...]) -> Iterator[Partition]:
    if not labels:
        yield ()
    for size in range(1, len(labels) + 1):
        for first in combinations(labels, size):
            rest = tuple(y for y in labels if y not in first)
            yield from ((first, *others) for others in _partitions(rest))


@family(
    cite="Y. Wang, C. Scott, Weston-Watkins hinge loss and ordered partitions, NeurIPS 2020",
    small=({"n": 2}, {"n": 3}),
    size=_size,
    of_size=lambda n: [{"n": n}] if n < 6 else [],
)
def ordered_partitions(n: int) -> LossMatrix:
    """|S_1 ∪ … ∪ S_i| − 1 + Σ_{h<i} |S_1 ∪ … ∪ S_h| where the label is in S_i; predictions are ordered partitions S.

    >>> print(ordered_partitions(2))
    truth ↓ decision →  0|1  1|0  0,1
    0                     0    2    1
    1                     2    0    1
    """
    partitions = list(_partitions(tuple(range(n))))
    shown = ["|".join(",".join(map(str, part)) for part in each) for each in partitions]
    return LossMatrix(
        [[_loss(y, each) for each in partitions] for y in range(n)], None, shown, f"ordered_partitions(n={n})"
    )


def _loss(y: int, partition: Partition) -> int:
    seen = total = 0
    for part in partition:
        seen += len(part)
        if y in part:
            return total + seen - 1
        total += seen
    raise AssertionError(f"{y} is in no part")
