"""Exact arithmetic that counts its steps, and what it builds, before it takes the time or memory.

A step is some 0.2 µs. Prices were measured: Python multiplies and divides long numbers in time
that grows like the square of their length.
"""

import threading
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from lossmith_verify.reading import Vector, require

MAX_STEPS = 200_000_000
MAX_BITS = 20_000  # of a common denominator, and of the coordinates of a vertex
MAX_HELD = 300_000_000  # bytes that are built, beyond what was read


class _Ledger(threading.local):
    """What the check of a certificate has done so far, and what it holds."""

    steps = 0
    held = 0


LEDGER = _Ledger()


def start() -> None:
    """Begin the check of a certificate."""
    LEDGER.steps = LEDGER.held = 0


def spend(steps: int) -> None:
    """Count steps that are going to be done."""
    LEDGER.steps += steps
    fine, reason = LEDGER.steps <= MAX_STEPS, "the check takes more than {} steps"
    require(fine, "too much work", reason, MAX_STEPS)


def room(count: int, length: int = 0) -> int:
    """Return the size of so many integers of so many bits, if there is room for them now."""
    size = count * (60 + length // 8)
    fine, reason = LEDGER.held + size <= MAX_HELD, "the check takes more than {} bytes"
    require(fine, "too much memory", reason, MAX_HELD)
    return size


def hold(count: int, length: int = 0) -> None:
    """Count integers that are going to be kept."""
    LEDGER.held += room(count, length)


def bits(x: Any) -> int:
    """Return the length of a fraction or an integer."""
    return int(x.numerator.bit_length() + x.denominator.bit_length())


def longest(values: Iterable[int]) -> int:
    """Return the most bits of an integer."""
    return max(map(int.bit_length, values), default=0)


def price(length: int) -> int:
    """Return the steps of a product of integers that have so many bits together."""
    return 1 + length // 400 + length * length // 2_000_000


def short(number: int) -> None:
    """Bound a common denominator, or a coordinate."""
    fine = number.bit_length() <= MAX_BITS
    require(fine, "arithmetic", "more than {} bits come up", MAX_BITS)


def dot(xs: Sequence[Any], ys: Iterable[Any]) -> Fraction:
    """Return Σ x·y."""
    spend(10 + len(xs))
    total = Fraction(0)
    for x, y in zip(xs, ys, strict=True):
        if x and y:
            spend(25 + 4 * price(bits(x) + bits(y) + bits(total)))
            total += x * y
            short(total.denominator)
    return total


def less(x: Any, y: Any) -> Fraction:
    """Return x − y."""
    return dot((x, y), (1, -1))


def combined(terms: Sequence[tuple[Fraction | int, Vector]], size: int) -> Vector:
    """Return Σ w·row, for terms (w, row) with rows of this size."""
    factors = [w for w, _ in terms]
    return Vector(dot(factors, [row[c] for _, row in terms]) for c in range(size))


def integral(row: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the row times its common denominator."""
    common, longest = 1, max(map(bits, row))
    for x in row:
        spend(price(longest + common.bit_length()))
        if common % x.denominator:
            spend(3 * price(longest + common.bit_length()))
            common = lcm(common, x.denominator)
            short(common)
    length = common.bit_length() + longest
    room(len(row), length)
    spend(len(row) * (4 + price(length)))
    return tuple(x.numerator * (common // x.denominator) for x in row)


def independent(rows: Iterable[dict[int, int]], modulus: int, path: str) -> None:
    """Eliminate modulo m with pivots that are units: then a determinant is a unit, and not 0.

    Each reduced row has 1 at its pivot, and 0 at the pivots before it.
    """
    require(modulus >= 2, "evidence.modulus", "less than 2")
    reduced: list[tuple[int, dict[int, int]]] = []
    for given in rows:
        row = {c: x % modulus for c, x in given.items()}
        for pivot, other in reduced:
            if factor := row.get(pivot):
                spend(3 * len(other))
                row |= {c: (row.get(c, 0) - factor * x) % modulus for c, x in other.items()}
        spend(10 * len(row) + len(reduced))
        units = [c for c, x in row.items() if gcd(x, modulus) == 1]
        require(units, path, f"not independent modulo {modulus}")
        inverse = pow(row[min(units)], -1, modulus)
        scaled = {c: x * inverse % modulus for c, x in row.items() if x}
        hold(3 * len(scaled))
        reduced.append((min(units), scaled))
