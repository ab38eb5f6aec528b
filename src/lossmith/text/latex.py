"""Text and numbers in LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
INFINITE = 700  # the logarithm of the least float, which stands for 0, is −708
_IN_A_SENTENCE = str.maketrans(SPECIAL | {"\n": " "})
_WITH_SIGNS = _IN_A_SENTENCE | str.maketrans({"−": "$-$", "≤": r"$\le$", "≥": r"$\ge$"})


def latex_text(name: object) -> str:
    r"""Text with LaTeX's special characters escaped.

    >>> print(latex_text("50% of {a_1}"))
    50\% of \{a\_1\}
    """
    return f"{name}".translate(_IN_A_SENTENCE)


def latex_phrase(text: str) -> str:
    r"""Text of our own, in which signs may stand for mathematics.

    >>> print(latex_phrase("affdim − 1"))
    affdim $-$ 1
    """
    return text.translate(_WITH_SIGNS)


def latex_number(x: Fraction | float) -> str:
    r"""A fraction as it is, a float with three digits, or infinite.

    >>> print(latex_number(Fraction(-1, 2)), latex_number(Fraction(3)), latex_number(0.12345), latex_number(-708.4))
    -\tfrac{1}{2} 3 0.123 -\infty
    """
    if isinstance(x, float):
        return f"{x:.3g}" if abs(x) < INFINITE else r"\infty" if x > 0 else r"-\infty"
    return str(x) if x.denominator == 1 else f"{'-' if x < 0 else ''}\\tfrac{{{abs(x.numerator)}}}{{{x.denominator}}}"


def latex_tuple(values: Sequence[Fraction | float]) -> str:
    """A vector."""
    return "(" + ", ".join(map(latex_number, values)) + ")"
