"""Sums of terms with signs, such as 1 - u[0] + 2 u[1]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction


def signed_sum(terms: Iterable[tuple[Fraction, str]], minus: str = "-") -> str:
    """The terms, each written without its sign, and the signs between them: that of the first only if it is negative.

    >>> signed_sum([(Fraction(-1), "u[0]"), (Fraction(-2), "2 u[1]"), (Fraction(3), "3")])
    '-u[0] - 2 u[1] + 3'
    """
    text = ""
    for value, size in terms:
        if text:
            text += f" {minus if value < 0 else '+'} {size}"
        else:
            text = f"{minus if value < 0 else ''}{size}"
    return text


def linear(row: Sequence[Fraction], names: Sequence[str], times: Callable[[Fraction], str] = str) -> str:
    """Σ a_i names_i without zeros, where the constant has an empty name; `times` writes a factor other than 1.

    >>> linear([Fraction(1), Fraction(-1), Fraction(0)], ["", "u[0]", "u[1]"])
    '1 - u[0]'
    """
    return signed_sum((a, _term(abs(a), name, times)) for a, name in zip(row, names, strict=True) if a) or "0"


def _term(size: Fraction, name: str, times: Callable[[Fraction], str]) -> str:
    return str(size) if not name else name if size == 1 else f"{times(size)}{name}"
