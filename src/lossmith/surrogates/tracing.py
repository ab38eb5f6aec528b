"""Surrogates written as functions: a call with symbols for u gives the exact sum of maxima.

Inside `PolyhedralSurrogate.from_function` the coordinates of u are expressions: affine functions plus sums of
maxima of affine functions. What is convex and piecewise linear by construction can be written; anything else is
refused by naming the term. Expressions never leave the call.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from numbers import Rational, Real
from typing import Any, NoReturn, TypeAlias

from lossmith.errors import BadNumber, BadSurrogate, TooLarge
from lossmith.exact.rational import as_rational
from lossmith.text.sums import linear

Affine: TypeAlias = tuple[Fraction, ...]  # (b, a_1, …, a_d) stands for b + a·u
Maximum: TypeAlias = tuple[Affine, ...]

_MOST_PIECES = 100_000
_ZERO = Fraction(0)  # most coefficients are this very object, which is faster to see than that a fraction is 0


@dataclass(frozen=True, eq=False)
class Expression:
    """An affine function plus a sum of maxima of affine functions of u, or of what the `letter` stands for."""

    affine: Affine
    maxima: tuple[Maximum, ...] = ()
    letter: str = "u"

    def __add__(self, other: object) -> Expression:
        added = _expression(other, len(self.affine))
        if added is None:
            return NotImplemented
        return Expression(_sum(self.affine, added.affine), self.maxima + added.maxima, self.letter)

    __radd__ = __add__

    def __neg__(self) -> Expression:
        return self * -1

    def __pos__(self) -> Expression:
        return self

    def __sub__(self, other: object) -> Expression:
        subtracted = _expression(other, len(self.affine))
        return NotImplemented if subtracted is None else self + -subtracted

    def __rsub__(self, other: object) -> Expression:
        return -self + other

    def __mul__(self, factor: object) -> Expression:
        if isinstance(factor, Expression):
            raise BadSurrogate(
                f"({self}) * ({factor}) is a product of two {self.letter}'s; a polyhedral surrogate is piecewise linear"
            )
        number = _number(factor)
        if number is None:
            return NotImplemented
        if number < 0 and self.maxima:
            raise BadSurrogate(f"{number} * ({self}) is a negative multiple of a maximum, which is not convex")
        if number == 0:
            return Expression(_zero(len(self.affine)), (), self.letter)
        scaled = tuple(tuple(_scale(piece, number) for piece in maximum) for maximum in self.maxima)
        return Expression(_scale(self.affine, number), scaled, self.letter)

    __rmul__ = __mul__

    def __truediv__(self, divisor: object) -> Expression:
        if isinstance(divisor, Expression):
            raise BadSurrogate(
                f"({self}) / ({divisor}) divides by {self.letter}; a polyhedral surrogate is piecewise linear"
            )
        number = _number(divisor)
        if number is None:
            return NotImplemented
        if number == 0:
            raise BadSurrogate(f"({self}) / 0 is a division by zero")
        return self * (1 / number)

    def __rtruediv__(self, dividend: object) -> NoReturn:
        raise BadSurrogate(
            f"{dividend} / ({self}) divides by {self.letter}; a polyhedral surrogate is piecewise linear"
        )

    def __pow__(self, exponent: object) -> NoReturn:
        raise BadSurrogate(f"({self}) ** {exponent} is not piecewise linear")

    def __abs__(self) -> Expression:
        if self.maxima:
            raise BadSurrogate(
                f"abs({self}) of a maximum is not convex in general; write maximum(e, -e) of affine terms"
            )
        both = (self.affine, _scale(self.affine, Fraction(-1)))
        return Expression(_zero(len(self.affine)), (both,), self.letter)

    def __le__(self, other: object) -> Constraint:
        return _constraint(other, self, equation=False)

    def __ge__(self, other: object) -> Constraint:
        return _constraint(self, other, equation=False)

    def __eq__(self, other: object) -> Constraint:  # type: ignore[override]
        return _constraint(self, other, equation=True)

    def __lt__(self, other: object) -> NoReturn:
        raise BadSurrogate(
            f"({self}) is compared strictly; for the largest of several terms write lm.maximum(…), not max(…), and in "
            f"a domain write <="
        )

    __gt__ = __lt__

    def __bool__(self) -> NoReturn:
        raise BadSurrogate(
            f"({self}) has no truth value; for the largest of several terms write lm.maximum(…), not max(…), and never "
            f"branch on {self.letter}"
        )

    def __iter__(self) -> NoReturn:
        raise BadSurrogate(f"({self}) is one number, not a vector; index {self.letter} before you iterate")

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # numpy's scalars leave the arithmetic to us

    def __str__(self) -> str:
        maxima = [f"max({', '.join(_written(piece, self.letter) for piece in pieces)})" for pieces in self.maxima]
        affine = _written(self.affine, self.letter)
        return " + ".join([*maxima, *([affine] if affine != "0" or not maxima else [])])

    def pieces(self) -> Maximum:
        """The expression as one maximum; refused where that would be exponentially large."""
        if not self.maxima:
            return (self.affine,)
        size = prod(map(len, self.maxima))
        if size > _MOST_PIECES:
            raise TooLarge(f"a maximum over a sum of maxima would have {size:,} pieces; write it as a sum of maxima")
        found = []
        for choice in product(*self.maxima):
            piece = self.affine
            for each in choice:
                piece = _sum(piece, each)
            found.append(piece)
        return _distinct(found)


@dataclass(frozen=True, eq=False)
class Constraint:
    """b + a·u ≥ 0, or = 0."""

    row: Affine
    equation: bool
    letter: str = "u"

    def __bool__(self) -> NoReturn:
        raise BadSurrogate(
            f"{_written(self.row, self.letter)} {'==' if self.equation else '>='} 0 has no truth value; write "
            f"0 <= {self.letter}[0] <= 1 as two comparisons"
        )

    __hash__ = None  # type: ignore[assignment]


def maximum(*terms: Any) -> Any:
    """The largest of several terms; of numbers or arrays it is their maximum, coordinate by coordinate.

    >>> maximum(1, Fraction(3, 2))
    Fraction(3, 2)
    """
    if len(terms) == 1 and not isinstance(terms[0], Expression) and isinstance(terms[0], Iterable):
        terms = tuple(terms[0])
    if not terms:
        raise BadSurrogate("maximum() of nothing; give it at least one term")
    one = next((term for term in terms if isinstance(term, Expression)), None)
    if one is None:
        return _largest(terms)
    width = len(one.affine)
    read = [_expression(term, width) for term in terms]
    for term, expression in zip(terms, read, strict=True):
        if expression is None:
            raise BadSurrogate(f"maximum(…) cannot take {_quoted(term)}; give it numbers and terms in {one.letter}")
    expressions = [expression for expression in read if expression is not None]
    if len(expressions) == 1:
        return expressions[0]
    pieces = _distinct(piece for expression in expressions for piece in expression.pieces())
    return Expression(_zero(width), (pieces,), one.letter) if len(pieces) > 1 else Expression(pieces[0], (), one.letter)


def pos(term: Any) -> Any:
    """The positive part, max(0, term).

    >>> pos(-2), pos(3)
    (0, 3)
    """
    return maximum(0, term)


def sum_largest(terms: Sequence[Any], m: int) -> Any:
    """The sum of the m largest terms: the maximum over all m-subsets of their sums.

    >>> sum_largest([5, 1, 3], 2)
    8
    """
    terms = list(terms)
    if not 1 <= m <= len(terms):
        raise BadSurrogate(f"sum_largest of {len(terms)} terms with m = {m}; m must be between 1 and {len(terms)}")
    if comb(len(terms), m) > _MOST_PIECES:
        raise TooLarge(f"sum_largest of {m} among {len(terms)} terms would have {comb(len(terms), m):,} pieces")
    return maximum(*(sum(subset) for subset in combinations(terms, m)))


def coordinates(dim: int, letter: str = "u") -> list[Expression]:
    """Symbols for u_1, …, u_dim."""
    one = Fraction(1)
    return [Expression(tuple(one if i == j + 1 else _ZERO for i in range(dim + 1)), (), letter) for j in range(dim)]


def sum_of_maxima(value: object, dim: int, what: str) -> tuple[Maximum, ...]:
    """What a traced function returned, as a non-empty tuple of maxima; the affine part joins the first one."""
    expression = _expression(value, dim + 1)
    if expression is None:
        raise BadSurrogate(f"{what} is {_quoted(value)}; return an expression in u, or a number")
    if not expression.maxima:
        return ((expression.affine,),)
    first, *others = expression.maxima
    if any(expression.affine):
        first = tuple(_sum(piece, expression.affine) for piece in first)
    merged: dict[object, list[Maximum]] = {}
    for each in (first, *others):
        merged.setdefault(tuple(map(sparse, each)), []).append(each)
    # A maximum that occurs several times is one maximum, scaled.
    return tuple(
        same[0] if len(same) == 1 else tuple(_scale(piece, Fraction(len(same))) for piece in same[0])
        for same in merged.values()
    )


def sparse(row: Affine) -> tuple[tuple[int, Fraction], ...]:
    """The entries that are not 0, each with its place: in long rows much quicker to compare than all.

    >>> sparse((Fraction(1), Fraction(0), Fraction(-2)))
    ((0, Fraction(1, 1)), (2, Fraction(-2, 1)))
    """
    return tuple([(i, x) for i, x in enumerate(row) if x is not _ZERO and x])


def linear_constraints(values: object, what: str, letter: str = "u") -> tuple[tuple[Affine, ...], tuple[Affine, ...]]:
    """The inequalities and equations that a domain function returned; what the function is begins each refusal."""
    told = f"{what} returned".lstrip()
    if isinstance(values, Constraint):
        values = [values]
    if not isinstance(values, Iterable):
        raise BadSurrogate(
            f"{told} {values!r}; return a list of comparisons such as [sum({letter}) == 0, {letter}[0] <= {letter}[1]]"
        )
    inequalities: list[Affine] = []
    equations: list[Affine] = []
    for value in values:
        if not isinstance(value, Constraint):
            raise BadSurrogate(
                f"{told} {value!r} among its constraints; each must be a comparison of terms in {letter}, with <=, "
                f">= or =="
            )
        (equations if value.equation else inequalities).append(value.row)
    return tuple(inequalities), tuple(equations)


def _expression(value: object, width: int) -> Expression | None:
    if isinstance(value, Expression):
        return value
    number = _number(value)
    return None if number is None else _constant(number, width)


def _number(value: object) -> Fraction | None:
    if isinstance(value, (str, Constraint)):
        return None
    try:
        number = as_rational(value)
    except BadNumber:
        return None
    if isinstance(value, Real) and not isinstance(value, Rational) and number.denominator != 1:
        warnings.warn(
            f"the coefficient {value!r} was read as {number}; write it as a Fraction to be sure", stacklevel=4
        )
    return number


def _quoted(value: object) -> str:
    """The value on one line."""
    return " ".join(repr(value).split())


def _constraint(larger: object, smaller: object, *, equation: bool) -> Constraint:
    sides = [each for each in (larger, smaller) if isinstance(each, Expression)]
    left, right = (_expression(_spelled(each), len(sides[0].affine)) for each in (larger, smaller))
    if left is None or right is None:
        raise BadSurrogate(
            f"cannot compare ({sides[0]}) with {smaller if right is None else larger!r}; compare with a number"
        )
    for each in (left, right):
        if each.maxima:
            raise BadSurrogate(f"the comparison with {each} is not linear; a domain takes linear constraints only")
    return Constraint(_sum(left.affine, _scale(right.affine, Fraction(-1))), equation, sides[0].letter)


def _spelled(value: object) -> object:
    """A number that is written as text, such as "1/2"; anything else as it is."""
    try:
        return as_rational(value) if isinstance(value, str) else value
    except BadNumber:
        return value


def _largest(terms: Sequence[Any]) -> Any:
    if any(hasattr(term, "shape") for term in terms):
        import numpy as np

        return np.maximum.reduce(np.broadcast_arrays(*terms))
    return max(terms)


def _constant(number: Fraction, width: int) -> Expression:
    return Expression((number, *_zero(width)[1:]))


def _zero(width: int) -> Affine:
    return (_ZERO,) * width


def _distinct(pieces: Iterable[Affine]) -> Maximum:
    return tuple({sparse(piece): piece for piece in reversed([*pieces])}.values())[::-1]


def _sum(first: Affine, second: Affine) -> Affine:
    return tuple([b if a is _ZERO else a if b is _ZERO else a + b for a, b in zip(first, second, strict=True)])


def _scale(row: Affine, factor: Fraction) -> Affine:
    return tuple([entry if entry is _ZERO else factor * entry for entry in row])


def _written(row: Affine, letter: str = "u") -> str:
    """b + a·u as one writes it.

    >>> _written((Fraction(1), Fraction(-1), Fraction(2)))
    '1 - u[0] + 2 u[1]'
    """
    return linear(row, ["", *(f"{letter}[{i}]" for i in range(len(row) - 1))], "{} ".format)
