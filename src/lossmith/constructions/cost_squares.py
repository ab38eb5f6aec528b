"""Squares weighed by the costs: ψ_y(u) = w_y ‖u − a_y‖², where labels are as far apart as their rows of costs.

With L_yt = w_y (r_y + c_t + a_y·b_t), as in `factorize`, the squares w_y ‖Bᵀ(u − a_y)‖² are regression on the rows of
costs, in as few dimensions as the a_y have. A linear change of coordinates makes them w_y ‖v − a′_y‖². Let C_y be the
row (L_yt)_t less its mean, and let the columns of S be orthogonal, of one length, and span the differences of the rows
C_y / w_y. Then a′_y = SᵀC_y / w_y, and ‖a′_y − a′_z‖ is ‖C_y / w_y − C_z / w_z‖ times that length. Such an S is
irrational for most losses. Floats guess it, and it is rounded: then distances are right within one per cent or so.

Whatever S is, CS and w span all differences of columns of costs if they have as many dimensions. That is tested
exactly, and it is all that calibration needs: p·ψ is least at Σ q_y a′_y, q = w∘p normalised, which tells the
differences of all risks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor, gcd, isqrt, log2

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import Point
from lossmith.dimension.construction import Construction
from lossmith.dimension.le_affdim import squares
from lossmith.dimension.lt_affdim_of_positive_vector import scaled_squares
from lossmith.exact.matrix import integer_matrix, integer_rows
from lossmith.exact.rank import rank
from lossmith.exact.vectors import Row, cleared
from lossmith.surrogates.squares import squared_distance

MOST = 40  # dimensions
_GRID = 2520  # S is rounded to multiples of its inverse: halves, thirds, …, tenths are such
_NEAR = 1000  # lengths are right within this part
_SEEN = 1e-9  # what is left of a row beyond those before it
_DIGITS = 10**8


def fewest(facts: Facts) -> int:
    """How many dimensions the squares need: affdim(L), or one less where the differences span a positive vector."""
    return max(1, len(facts.basis) - (facts.positive is not None))


def cost_squares(facts: Facts) -> Construction:
    """Squares in the fewest dimensions, in coordinates in which labels are as far apart as their rows of costs.

    In more than 40 dimensions, where the numbers of the pred grow long, and where floats do not see all differences of
    the costs, the coordinates are those of some of the differences of columns.

    >>> from lossmith.losses import abstain, hamming, zero_one
    >>> [cost_squares(Facts(loss)).surrogate.dim for loss in (hamming(3), abstain(4), zero_one(4))]
    [3, 3, 3]
    >>> [[str(x) for x in row] for row in cost_squares(Facts(zero_one(3))).surrogate.traits.mean]
    [['-2', '-15/13'], ['2', '-15/13'], ['0', '30/13']]
    """
    positive = facts.positive or (Fraction(1),) * facts.loss.n
    weights = tuple(w / max(positive) for w in positive)  # of order one, as penalties expect
    small = len(facts.kept) > 1 and fewest(facts) <= MOST
    rows = _targets(_rows(facts.differences), weights, fewest(facts)) if small else None
    if rows is None:
        made = squares(facts) if facts.positive is None else scaled_squares(facts)
        return replace(made, name="square, not weighed by the costs")
    plain = squared_distance(f"squares({facts.loss.name})", rows)
    return Construction("square", plain if len(set(weights)) == 1 else plain.weighted(weights))


def _rows(differences: Sequence[Row]) -> list[Row]:
    """The rows of costs less their mean, up to one positive factor."""
    count = len(differences)
    return [tuple([count * x - total for x in row]) for row in zip(*differences) for total in (sum(row),)]


def _targets(rows: Sequence[Row], weights: Point, dim: int) -> tuple[Point, ...] | None:
    """The a′_y; None if they do not have this dimension, exactly."""
    axes = _axes(rows, weights, dim)
    if not axes:
        return None
    table = integer_rows(integer_matrix(rows) * integer_matrix(axes).transpose())
    if rank(integer_matrix([cleared(weights), *zip(*table, strict=True)])) != dim + 1:
        return None
    squared = [sum(x * x for x in axis) for axis in axes]
    shared = gcd(*(row[0] for row in table))
    factors = [_root(Fraction(squared[0], each)) / shared for each in squared]
    targets = [[x * f / w for x, f in zip(row, factors, strict=True)] for row, w in zip(table, weights, strict=True)]
    return tuple(tuple([x * unit for x in row]) for unit in (_unit(targets),) for row in targets)


def _unit(targets: Sequence[Sequence[Fraction]]) -> Fraction:
    """A power of two that takes the root of the mean square to between 1 and 2: tolerances of solvers expect that."""
    squares = [x * x for row in targets for x in row]
    largest = max(squares)
    mean = log2(sum(float(x / largest) for x in squares) / len(squares)) + log2(largest.numerator)
    return Fraction(2) ** -floor((mean - log2(largest.denominator)) / 2)


def _axes(rows: Sequence[Row], weights: Point, dim: int) -> list[Row]:
    """Integer rows that are nearly orthogonal, and nearly span the differences; each has an entry ±2520.

    They come in the order of the labels, so that a target is 0 on the axes of later ones. There are none where floats
    see fewer dimensions.
    """
    import numpy as np

    largest = max(abs(x) for row in rows for x in row)
    points = np.array([[x / largest for x in row] for row in rows]) / np.array([[float(w)] for w in weights])
    found = np.zeros((0, len(rows[0])))
    for each in points[1:] - points[0]:
        left = each - (found @ each) @ found
        left -= (found @ left) @ found  # what rounding left
        length = np.linalg.norm(left)
        if len(found) < dim and length > _SEEN * np.linalg.norm(each):
            found = np.vstack([found, left / length])
    grid = np.rint(found / abs(found).max(axis=1, keepdims=True) * _GRID)
    return [tuple(map(int, axis)) for axis in grid.tolist()] if len(found) == dim else []


def _root(square: Fraction) -> Fraction:
    """The simplest fraction within a thousandth of the root."""
    near = Fraction(isqrt(square.numerator * _DIGITS**2 // square.denominator), _DIGITS)
    return next(
        found
        for below in range(1, _DIGITS)
        if abs((found := Fraction(round(near * below), below)) - near) * _NEAR <= near
    )
