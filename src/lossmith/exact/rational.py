"""Reading rational numbers. A float means its shortest decimal: 0.1 is 1/10."""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from lossmith.errors import BadInput, BadNumber

RationalLike: TypeAlias = int | float | str | Decimal | Fraction

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]{1,9}))?")
_FRACTION = re.compile(r"[+-]?[0-9]+\s*/\s*[0-9]+")
_LARGEST_EXPONENT = 4000  # 1e999999999 would fill the memory; nobody's loss is beyond 1e4000


def as_rational(value: object) -> Fraction:
    """Return the rational number that `value` stands for.

    Accepted: integers, fractions, decimals, text such as "3", "0.25", "1e-3" or "1/3", and floats of
    any width, which mean the shortest decimal that prints them.

    >>> as_rational(0.1), as_rational("1/3"), as_rational("1e-2")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 100))
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int):  # True and False are 1 and 0, as in `y != t`
        return Fraction(value)
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, float):
        return _from_text(float.__repr__(value), value)
    if isinstance(value, Decimal):
        return _from_text(str(value), value)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real):  # numpy's narrow floats print their own shortest decimal
        return _from_text(str(value), value)
    if type(value).__name__ in ("bool", "bool_") and type(value).__module__ == "numpy":
        return Fraction(bool(value))
    if value is None:
        raise BadNumber("is missing")
    raise BadNumber(f"is {value!r}, which is not a number")


def as_rationals(values: Iterable[object], what: str) -> tuple[Fraction, ...]:
    """Read several numbers; `what` names them in the error.

    >>> as_rationals(["1/2", 0.5], "p")
    (Fraction(1, 2), Fraction(1, 2))
    """
    numbers_read = []
    for position, value in enumerate(values):
        try:
            numbers_read.append(as_rational(value))
        except BadNumber as error:
            raise BadInput(f"entry {position} of {what} {error}") from None
    return tuple(numbers_read)


def over_common_denominator(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Write rationals as integers over their least common denominator.

    >>> over_common_denominator([Fraction(1, 2), Fraction(1, 3)])
    ([3, 2], 6)
    """
    denominator = lcm(*(value.denominator for value in values))
    return [value.numerator * (denominator // value.denominator) for value in values], denominator


def primitive(row: Sequence[int]) -> tuple[int, ...]:
    """Divide an integer row by the greatest common divisor of its entries.

    >>> primitive([4, -6, 0])
    (2, -3, 0)
    """
    divisor = gcd(*row)
    return tuple(row) if divisor <= 1 else tuple(entry // divisor for entry in row)


def _from_text(text: str, original: object = None) -> Fraction:
    shown = text if original is None else original
    stripped = text.strip()
    decimal = _DECIMAL.fullmatch(stripped)
    if decimal:
        exponent = decimal["exponent"]
        if exponent and abs(int(exponent)) > _LARGEST_EXPONENT:
            raise BadNumber(f"is {shown!r}, whose exponent is beyond ±{_LARGEST_EXPONENT}")
        return Fraction(stripped)
    if _FRACTION.fullmatch(stripped):
        numerator, denominator = stripped.split("/")
        if int(denominator) == 0:
            raise BadNumber(f"is {shown!r}, a division by zero")
        return Fraction(int(numerator), int(denominator))
    lowered = stripped.lower().lstrip("+-")
    if lowered in ("nan", "na", "n/a", ""):
        raise BadNumber("is missing" if not stripped else f"is {shown!r}, which is not a number")
    if lowered in ("inf", "infinity", "∞"):
        raise BadNumber(f"is {shown!r}; write a finite cost that is large for your task")
    raise BadNumber(f"is {shown!r}, which is not a number; write 3, 0.25 or 1/3")
