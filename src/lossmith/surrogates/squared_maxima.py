"""Sums of squares of maxima of affine functions: ψ_y(u) = Σ_g m_yg(u)², known exactly by the pieces of the maxima.

A maximum that is nowhere negative has a convex square, and so has a single affine function. Where the same pieces are
largest ψ_y is quadratic, so that on a segment that starts at u its gradients are affine, up to where other pieces rise
above: both are computed from the pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadSurrogate
from lossmith.exact.vectors import cleared, rational_dot
from lossmith.geometry.linear_program import Unbounded, maximize
from lossmith.geometry.polyhedron import value
from lossmith.surrogates.tracing import Affine, Maximum, sum_of_maxima

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Point: TypeAlias = tuple[Fraction, ...]
Slopes: TypeAlias = "list[list[list[Fraction]]]"
_MOST = 1000  # gradients of a label where several maxima have kinks at once


def to_be_squared(found: object, dim: int, what: str) -> tuple[Maximum, ...]:
    """What a traced function returned, as the maxima that are to be squared; refused if a square is not convex."""
    terms = found if isinstance(found, (list, tuple)) else [found]
    read = [sum_of_maxima(term, dim, what) for term in terms]
    if not read or any(len(each) > 1 for each in read):
        raise BadSurrogate(f"{what}: return a list of what is squared, each affine or one maximum, not a sum of them")
    if any(len(maximum) > 1 and not _never_negative(maximum, dim) for (maximum,) in read):
        raise BadSurrogate(f"{what}: what is squared must be nowhere negative, or affine; take lm.pos of it")
    return tuple(each[0] for each in read)


def of_single_scores(terms: tuple[tuple[Maximum, ...], ...]) -> bool:
    """Whether each maximum looks at one score alone, or at none."""
    looked = [{i for piece in maximum for i, x in enumerate(piece[1:]) if x} for each in terms for maximum in each]
    return all(len(scores) <= 1 for scores in looked)


def _never_negative(maximum: Maximum, dim: int) -> bool:
    """Whether the least h that is at no u below all pieces, is at least 0."""
    above = []
    for piece in maximum:
        *row, scale = cleared((*piece, Fraction(1)))
        above.append((*(-x for x in row), scale))
    try:
        least = maximize([*[0] * dim, -1], above)
    except Unbounded:
        return False
    assert least is not None
    return least.value <= 0


@dataclass(frozen=True)
class _Squares:
    terms: tuple[tuple[Maximum, ...], ...]

    @cached_property
    def flat(self) -> tuple[Array, Array, Array]:
        """All pieces as floats, where each maximum starts, and the label it belongs to."""
        import numpy as np

        maxima = [(y, maximum) for y, each in enumerate(self.terms) for maximum in each]
        rows = np.array([[float(x) for x in piece] for _, maximum in maxima for piece in maximum])
        starts = np.cumsum([0, *(len(maximum) for _, maximum in maxima[:-1])])
        labels = np.array([[float(y == own) for own, _ in maxima] for y in range(len(self.terms))])
        return rows, starts, labels


class Squares(_Squares):
    """The values of all labels, for rows of scores."""

    def __call__(self, U: Array) -> Array:
        """ψ_y(u) for each row u and each y."""
        import numpy as np

        rows, starts, labels = self.flat
        heights = np.maximum.reduceat(U @ rows[:, 1:].T + rows[:, 0], starts, axis=1)
        result: Array = heights**2 @ labels.T
        return result


class SlopesOfSquares(_Squares):
    """Their slopes; at a kink those of the first of the largest pieces."""

    def __call__(self, U: Array) -> Array:
        """∂ψ_y/∂u_i for each row u, each y and each i."""
        import numpy as np

        rows, starts, labels = self.flat
        pieces = U @ rows[:, 1:].T + rows[:, 0]
        ends = [*starts[1:], len(rows)]
        largest = [i + pieces[:, i:j].argmax(axis=1) for i, j in zip(starts, ends, strict=True)]
        slopes = [2 * pieces[np.arange(len(U)), g][:, None] * rows[g, 1:] for g in largest]
        result: Array = np.einsum("yg,gri->ryi", labels, np.array(slopes))
        return result


class SubgradientsOfSquares(_Squares):
    """Their gradients, all that meet at a kink."""

    def __call__(self, u: Point) -> Slopes | None:
        """For each label the gradients at u; None if there are very many."""
        found = [_combined([_active(maximum, u) for maximum in maxima]) for maxima in self.terms]
        kept = [each for each in found if each is not None]
        return [[list(g) for g in dict.fromkeys(gradients)] for gradients in kept] if len(kept) == len(found) else None


class AlongSquares(_Squares):
    """Gradients on the way from u in a direction, as far as the same pieces are the largest."""

    def __call__(self, u: Point, direction: Point) -> tuple[Point, Slopes, Slopes] | None:
        """Where that ends, and for each label the gradients on the way: their limits at u, and those at the end."""
        length = min([Fraction(1), *(_length(maximum, u, direction) for each in self.terms for maximum in each)])
        end = tuple(x + length * v for x, v in zip(u, direction, strict=True))
        middle = tuple(x + length * v / 2 for x, v in zip(u, direction, strict=True))
        both = []
        for maxima in self.terms:
            pieces = [[piece for _, piece in _active(maximum, middle)] for maximum in maxima]
            ends = [_combined([[(value(piece, at), piece) for piece in each] for each in pieces]) for at in (u, end)]
            if ends[0] is None or ends[1] is None:
                return None
            both.append(list(dict.fromkeys(zip(*ends, strict=True))))
        near, far = ([[list(pair[i]) for pair in pairs] for pairs in both] for i in (0, 1))
        return end, near, far


def _active(maximum: Maximum, u: Point) -> list[tuple[Fraction, Affine]]:
    """The pieces that are largest at u, with their value; of a maximum that is 0 one, as its square has no kink."""
    heights = [value(piece, u) for piece in maximum]
    most = max(heights)
    largest = [(most, piece) for height, piece in zip(heights, maximum, strict=True) if height == most]
    return largest if most else largest[:1]


def _length(maximum: Maximum, u: Point, direction: Point) -> Fraction:
    """How far along the direction the pieces that are largest just beyond u remain so; at most 1."""
    ahead = [(value(piece, u), rational_dot(piece[1:], direction)) for piece in maximum]
    height, rise = max(ahead)
    return min([Fraction(1), *((height - h) / (r - rise) for h, r in ahead if r > rise)])


def _combined(choices: Sequence[Sequence[tuple[Fraction, Affine]]]) -> list[tuple[Fraction, ...]] | None:
    """The sums Σ_g 2 m_g a_g over all choices of a piece from each maximum; None if there are very many."""
    if prod(map(len, choices)) > _MOST:
        return None
    scaled = [[[2 * height * x for x in piece[1:]] for height, piece in each] for each in choices]
    return [tuple(sum(column, Fraction(0)) for column in zip(*chosen, strict=True)) for chosen in product(*scaled)]
