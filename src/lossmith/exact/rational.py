"""Reading rational numbers. A float means its shortest decimal: 0.1 is 1/10."""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from lossmith.errors import BadInput, BadNumber

RationalLike: TypeAlias = int | float | str | Decimal | Fraction

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]+))?")
_FRACTION = re.compile(r"[+-]?[0-9]+\s*/\s*[0-9]+")
_MOST_DIGITS = 4000  # 1e999999999 would fill the memory; nobody's loss is beyond 1e4000
LARGEST = 10**_MOST_DIGITS
_HOW = "write 3, 0.25 or 1/3"
LONGEST = f"numbers of more than {_MOST_DIGITS} digits"
_TOO_LONG = f"a number of more than {_MOST_DIGITS} digits; change the unit of the losses"


def as_rational(value: object) -> Fraction:
    """Return the rational number that `value` stands for.

    Accepted: integers, fractions, decimals, text such as "3", "0.25", "1e-3" or "1/3", and floats of
    any width, which mean the shortest decimal that prints them.

    >>> as_rational(0.1), as_rational("1/3"), as_rational("1e-2")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 100))
    """
    number = _read(value)
    if abs(number.numerator) > LARGEST or number.denominator > LARGEST:
        raise BadNumber(f"is {_TOO_LONG}")
    return number


def rational_called(name: str, value: object) -> Fraction:
    """Read a number, which `name` stands for in the error.

    >>> rational_called("cost", "1/3")
    Fraction(1, 3)
    """
    try:
        return as_rational(value)
    except BadNumber as error:
        raise BadInput(f"{name} {error}") from None


def as_rationals(values: Iterable[object], what: str) -> tuple[Fraction, ...]:
    """Read several numbers; `what` names them in the error.

    >>> as_rationals(["1/2", 0.5], "p")
    (Fraction(1, 2), Fraction(1, 2))
    """
    if isinstance(values, (str, Mapping)) or not isinstance(values, Iterable):
        raise BadInput(f"{what} is {quoted(values)}; give a list of numbers")
    numbers_read = []
    for position, value in enumerate(values):
        try:
            numbers_read.append(as_rational(value))
        except BadNumber as error:
            raise BadInput(f"entry {position} of {what} {error}") from None
    return tuple(numbers_read)


def as_list(given: Any) -> Any:
    """The parts of text with commas or blanks between them, as on the command line; a list as it is.

    >>> as_list("1,1/2"), as_list("1 1/2"), as_list([1, 2])
    (['1', '1/2'], ['1', '1/2'], [1, 2])
    """
    return given.split("," if "," in given else None) if isinstance(given, str) else given


def quoted(value: object) -> str:
    """Quote any value on one short line, for an error.

    >>> quoted(list(range(50)))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19…'
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= 70 else text[:69] + "…"


def _read(value: object) -> Fraction:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int):  # True and False are 1 and 0, as in `y != t`
        return Fraction(value)
    if isinstance(value, str):
        return _from_text(value, quoted(str(value)))
    if isinstance(value, float):
        return _from_text(float.__repr__(value))
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, (Decimal, numbers.Real)):  # numpy's narrow floats print their own shortest decimal
        return _from_text(str(value))
    if type(value).__name__ in ("bool", "bool_") and type(value).__module__ == "numpy":
        return Fraction(bool(value))
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # pandas has its own ways to say nothing
        raise BadNumber(f"is missing; {_HOW}")
    raise BadNumber(f"is {quoted(value)}, which is not a number; {_HOW}")


def _from_text(text: str, shown: str | None = None) -> Fraction:
    stripped, shown = text.strip(), shown or text[:70]
    decimal = _DECIMAL.fullmatch(stripped)
    if decimal or _FRACTION.fullmatch(stripped):
        try:
            if not decimal or abs(int(decimal["exponent"] or 0)) <= _MOST_DIGITS:
                return Fraction("".join(stripped.split()))
        except ZeroDivisionError:
            raise BadNumber(f"is {shown}, a division by zero; {_HOW}") from None
        except ValueError:
            pass  # more digits than Python cares to read
        raise BadNumber(f"is {shown}, {_TOO_LONG}")
    if stripped.lower().lstrip("+-") in ("inf", "infinity", "∞"):
        raise BadNumber(f"is {shown}; write a finite cost that is large for your task")
    raise BadNumber(f"is {shown}, which is not a number; {_HOW}" if stripped else f"is missing; {_HOW}")
