"""Rows of integers and of fractions: the few words that every layer above says of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain
from math import gcd, lcm, log10
from operator import mul
from typing import TypeAlias, TypeVar

Row: TypeAlias = tuple[int, ...]
_MODERATE = 7  # bits: up to a hundred or so
Exact = TypeVar("Exact", int, Fraction)


def dot(first: Iterable[int], second: Iterable[int]) -> int:
    """Σ a_i b_i for integers. A call costs as much as a short sum: innermost loops write `sum(map(mul, a, b))`.

    >>> dot((1, 2), (3, 4))
    11
    """
    return sum(map(mul, first, second))


def rational_dot(first: Iterable[Fraction | int], second: Iterable[Fraction | int]) -> Fraction:
    """Σ a_i b_i, as a fraction whatever the numbers are.

    >>> rational_dot((1, 2), (Fraction(1, 2), 1)), rational_dot((), ())
    (Fraction(5, 2), Fraction(0, 1))
    """
    terms = [(a.numerator * b.numerator, a.denominator * b.denominator) for a, b in zip(first, second)]
    common = lcm(*[below for _, below in terms])  # one fraction is made, not two for each term
    return Fraction(sum([above * (common // below) for above, below in terms]), common)


def minus(first: Sequence[Exact], second: Sequence[Exact]) -> tuple[Exact, ...]:
    """The difference of two rows of one length.

    >>> minus((3, 1), (1, 1))
    (2, 0)
    """
    return tuple([a - b for a, b in zip(first, second, strict=True)])


def combined(weights: Sequence[Fraction | int], rows: Sequence[Sequence[Fraction | int]]) -> tuple[Fraction, ...]:
    """Σ w_i rows_i, of one row or more.

    >>> combined((1, Fraction(1, 2)), ((1, 0), (0, 2)))
    (Fraction(1, 1), Fraction(1, 1))
    """
    used = [(w, row) for w, row in zip(weights, rows, strict=True) if w] or [(0, rows[0])]
    weights, rows = zip(*used, strict=True)
    return tuple([rational_dot(weights, column) for column in zip(*rows, strict=True)])


def moderate(rows: Sequence[Sequence[Fraction | int]]) -> list[tuple[Fraction | int, ...]]:
    """The same rows; if some entry is beyond a hundred, each divided by a power of ten that makes it of order one.

    >>> moderate([(3, 100), (5, -20)]), moderate([(500, -2000), (5, -20)])[0]
    ([(3, 100), (5, -20)], (Fraction(1, 2), Fraction(-2, 1)))
    """
    units = powers_of_ten(
        [max((x.numerator.bit_length() - x.denominator.bit_length() + 1 for x in row), default=0) for row in rows]
    )
    return [tuple(row) if unit == 1 else tuple([Fraction(x) / unit for x in row]) for row, unit in zip(rows, units)]


def powers_of_ten(bits: Sequence[int]) -> list[int]:
    """What numbers of so many bits are divided by to be of order one; ones if all are up to a hundred.

    >>> powers_of_ten([7, 5]), powers_of_ten([11, 5])
    ([1, 1], [1000, 10])
    """
    if max(bits, default=0) <= _MODERATE:
        return [1] * len(bits)
    return [10 ** int(max(each, 0) * log10(2)) for each in bits]


def unit_row(place: int, size: int) -> Row:
    """The row of this size that is 1 at one place and 0 elsewhere.

    >>> unit_row(1, 3)
    (0, 1, 0)
    """
    return (0,) * place + (1,) + (0,) * (size - place - 1)


def unit_rows(size: int) -> list[Row]:
    """The rows of the identity matrix.

    >>> unit_rows(2)
    [(1, 0), (0, 1)]
    """
    return [unit_row(place, size) for place in range(size)]


def common_denominator(values: Iterable[Fraction | int]) -> int:
    """The least common denominator.

    >>> common_denominator([Fraction(1, 2), Fraction(1, 3), 1])
    6
    """
    return lcm(*(value.denominator for value in values))


def over_common_denominator(values: Sequence[Fraction | int]) -> tuple[list[int], int]:
    """Write rationals as integers over their least common denominator.

    >>> over_common_denominator([Fraction(1, 2), Fraction(1, 3)])
    ([3, 2], 6)
    """
    denominator = lcm(*(value.denominator for value in values))
    return [value.numerator * (denominator // value.denominator) for value in values], denominator


def rows_over_common_denominator(rows: Sequence[Sequence[Fraction | int]]) -> tuple[list[Row], int]:
    """Write rows of rationals as integer rows over one denominator.

    >>> rows_over_common_denominator([[Fraction(1, 2), 1], [Fraction(1, 3), 0]])
    ([(3, 6), (2, 0)], 6)
    """
    denominator = common_denominator(chain.from_iterable(rows))
    return [scaled(row, denominator) for row in rows], denominator


def fractions(rows: Iterable[Sequence[int]], denominator: int) -> tuple[tuple[Fraction, ...], ...]:
    """The rows divided by the denominator; equal entries share one object.

    >>> fractions([[2, 4]], 4)
    ((Fraction(1, 2), Fraction(1, 1)),)
    """
    seen: dict[int, Fraction] = {}
    divided = []
    for row in rows:
        for entry in row:
            if entry not in seen:
                seen[entry] = Fraction(entry, denominator)
        divided.append(tuple([seen[entry] for entry in row]))
    return tuple(divided)


def homogeneous(point: Sequence[Fraction]) -> Row:
    """The least integer multiple (d, d·u) of (1, u) with d > 0.

    >>> homogeneous([Fraction(1, 2), Fraction(1, 3)])
    (6, 3, 2)
    """
    numerators, denominator = over_common_denominator(point)
    return (denominator, *numerators)


def scaled(row: Sequence[Fraction | int], scale: int) -> Row:
    """Multiply rationals by a common multiple of their denominators.

    >>> scaled([Fraction(1, 2), Fraction(1, 3)], 6)
    (3, 2)
    """
    return tuple([entry.numerator * (scale // entry.denominator) for entry in row])


def cleared(row: Sequence[Fraction | int]) -> Row:
    """The row times its least common denominator, in integers.

    >>> cleared([Fraction(1, 2), Fraction(-1, 3)]), cleared([4, 6])
    ((3, -2), (4, 6))
    """
    return scaled(row, common_denominator(row))


def primitive(row: Sequence[int]) -> Row:
    """Divide an integer row by the greatest common divisor of its entries.

    >>> primitive([4, -6, 0])
    (2, -3, 0)
    """
    divisor = gcd(*row)
    return tuple(row) if divisor <= 1 else tuple(entry // divisor for entry in row)
