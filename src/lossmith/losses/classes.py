"""Losses with small whole entries, up to exchanging labels, exchanging decisions, shifting and scaling rows.

None of these changes CCdim. Shifted and scaled, a row is all 0, or *primitive*: its least entry is 0 and the greatest
common divisor of its entries is 1. So a class of losses is a multiset of n such rows, up to exchanging columns; it is
represented by the least matrix in it, rows sorted, compared row by row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import factorial, gcd, prod
from typing import TypeAlias

from lossmith.exact.vectors import cleared, primitive

Rows: TypeAlias = tuple[tuple[int, ...], ...]


def number_of_classes(n: int, k: int, width: int) -> int:
    """How many classes of n × k losses there are whose entries differ by at most `width` within a row.

    By Burnside's lemma it is the mean, over the permutations π of labels and σ of columns, of the number of matrices
    of such rows that (π, σ) leaves as it is. Going round a cycle of π of length m, a row must come back as σ^m of
    itself: it is constant on the cycles of σ^m, of which a cycle of σ of length l makes gcd(l, m).

    >>> number_of_classes(2, 2, 1), number_of_classes(3, 4, 2), number_of_classes(4, 4, 1)
    (4, 1171, 230)
    """
    rows = [0, *(number_of_rows(c, width) for c in range(1, k + 1))]
    total = Fraction(0)
    for of_labels in _partitions(n, n):
        for of_columns in _partitions(k, k):
            fixed = prod(rows[sum(gcd(m, each) for each in of_columns)] for m in of_labels)
            total += Fraction(fixed, _centralizer(of_labels) * _centralizer(of_columns))
    return int(total)


def number_of_rows(k: int, width: int) -> int:
    """How many rows of k entries from 0 to `width` are primitive, or all 0.

    There are (w + 1)^k − w^k with least entry 0 and entries up to w, the row of zeros among them; of its multiples of d
    only those up to w / d count, so that Möbius inversion leaves those of greatest common divisor 1.

    >>> [number_of_rows(k, 2) for k in (1, 2, 3)]                           # (0, 0), (0, 1), (1, 0)
    [1, 3, 13]
    """
    total = 1
    for d, sign in enumerate(_moebius(width)[1:], start=1):
        up_to: int = width // d
        total += sign * ((up_to + 1) ** k - up_to**k - 1)
    return total


def representatives(n: int, k: int, width: int) -> Iterator[Rows]:
    """One matrix of each class, the least one, in increasing order; no other matrices are kept on the way.

    The first rows of a least matrix are a least matrix: if exchanging columns made them less, it would make the whole
    less. So matrices grow row by row, and only least ones grow. Whether one is least is seen from those exchanges that
    take one of its rows to the first.

    >>> [*representatives(2, 2, 1)]
    [((0, 0), (0, 0)), ((0, 0), (0, 1)), ((0, 1), (0, 1)), ((0, 1), (1, 0))]
    """
    rows = [row for row in product(range(width + 1), repeat=k) if not min(row) and gcd(*row) <= 1]
    number = {row: i for i, row in enumerate(rows)}
    least = [number[tuple(sorted(row))] for row in rows]
    exchanges: list[list[list[int]]] = [[] for _ in rows]  # by what they do to each row; those that sort row i
    for order in permutations(range(k)):
        images = [number[tuple([row[j] for j in order])] for row in rows]
        for i, image in enumerate(images):
            if image == least[i]:
                exchanges[i].append(images)

    def is_least(matrix: list[int]) -> bool:
        different = set(matrix)
        return min(least[i] for i in different) == matrix[0] and not any(
            sorted([images[i] for i in matrix]) < matrix
            for row in different
            if least[row] == matrix[0]
            for images in exchanges[row]
        )

    def grown(matrix: list[int]) -> Iterator[Rows]:
        if len(matrix) == n:
            yield tuple([rows[i] for i in matrix])
            return
        for i in range(matrix[-1] if matrix else 0, len(rows)):
            longer = [*matrix, i]
            if is_least(longer):
                yield from grown(longer)

    return grown([])


def representative(entries: Sequence[Sequence[Fraction | int]]) -> Rows:
    """The least matrix in the class of a loss with few decisions.

    >>> representative([[7, 7, 3], [Fraction(1, 2), 0, Fraction(3, 2)]])
    ((0, 1, 1), (3, 0, 1))
    """
    rows = [primitive(cleared([x - min(row) for x in row])) for row in entries]
    orders = permutations(range(len(rows[0])))
    return tuple(min(sorted([tuple([row[j] for j in order]) for row in rows]) for order in orders))


def _moebius(most: int) -> list[int]:
    """μ(0) … μ(most), the first of no meaning: it sums to 0 over the divisors of each number but 1."""
    values = [0, 1, *[0] * (most - 1)]
    for d in range(1, most + 1):
        for multiple in range(2 * d, most + 1, d):
            values[multiple] -= values[d]
    return values


def _partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """The ways to write a number as a sum of positive ones up to `most`, in decreasing order: the types of cycles."""
    if not total:
        yield ()
    for first in range(min(total, most), 0, -1):
        for rest in _partitions(total - first, first):
            yield (first, *rest)


def _centralizer(cycles: Sequence[int]) -> int:
    """n! divided by the number of permutations with cycles of these lengths."""
    return prod(length**times * factorial(times) for length, times in Counter(cycles).items())
