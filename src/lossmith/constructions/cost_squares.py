"""Squares weighed by the costs: ψ_y(u) = w_y ‖u − a_y‖², where ‖u‖ is how far rows of costs lie apart.

With L_yt = w_y (r_y + c_t + a_y·b_t), as in `factorize`, the squares ‖Bᵀ(u − a_y)‖² are regression on the rows of costs,
in as few dimensions as the a_y have. A linear change of coordinates makes them ‖v − a′_y‖². Let C_y be the row
(L_yt)_t / w_y less its mean, and let the columns of S be orthogonal, of one length, and span the differences of these
rows. Then a′_y = Sᵀ(C_y − C_0), and ‖a′_y − a′_z‖ is ‖C_y − C_z‖ times that length. Such an S is irrational for most
losses. Floats guess it, and it is rounded to a rational one: then all distances are right within one per cent or so.
Whatever S is, the columns of A′ = CS and 1 span the differences of the columns of costs, divided by w, if A′ has as many
dimensions as the rows have. That is tested exactly, and it is all that calibration needs: p·ψ is least at Σ q_y a′_y,
q = w∘p normalised, which tells the differences of all risks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, isqrt, lcm

from lossmith.analysis.facts import Facts
from lossmith.dimension.construction import Construction
from lossmith.dimension.le_affdim import squares
from lossmith.dimension.lt_affdim_of_positive_vector import scaled_squares
from lossmith.exact.matrix import integer_matrix, integer_rows
from lossmith.exact.rank import rank, row_basis
from lossmith.exact.vectors import Row, cleared, minus
from lossmith.surrogates.squares import squared_distance

_GRID = 2520  # S is rounded to multiples of its inverse: halves, thirds, …, tenths are such
_NEAR = 1000  # lengths are right within this part
_DIGITS = 10**8


def fewest(facts: Facts) -> int:
    """How many dimensions the squares need: affdim(L), or one less where the differences span a positive vector."""
    return max(1, len(facts.basis) - (facts.positive is not None))


def cost_squares(facts: Facts) -> Construction:
    """Squares in the fewest dimensions, in coordinates in which labels are as far apart as their rows of costs.

    >>> from lossmith.losses import abstain, hamming, zero_one
    >>> [cost_squares(Facts(loss)).surrogate.dim for loss in (hamming(3), abstain(4), zero_one(4))]
    [3, 3, 3]
    >>> [[str(x) for x in row] for row in cost_squares(Facts(zero_one(3))).surrogate.traits.mean]
    [['0', '0'], ['2', '0'], ['1', '45/26']]
    """
    positive = facts.positive or (Fraction(1),) * facts.loss.n
    weights = [w / max(positive) for w in positive]  # of order one, as penalties expect
    rows = _targets(_rows(facts.differences, cleared(weights)), fewest(facts))
    if rows is None:  # one decision, or costs whose differences floats do not see
        return squares(facts) if facts.positive is None else scaled_squares(facts)
    plain = squared_distance(f"squares({facts.loss.name})", rows)
    return Construction("square", plain if len(set(weights)) == 1 else plain.weighted(weights))


def _rows(differences: Sequence[Row], weights: Row) -> list[Row]:
    """The rows of costs less their mean, divided by the weights, less the first of them; up to one positive factor."""
    count, common = len(differences), lcm(*weights)
    rows = []
    for costs, weight in zip(zip(*differences, strict=True), weights, strict=True):
        total = sum(costs)
        rows.append(tuple([(count * x - total) * (common // weight) for x in costs]))
    return [minus(row, rows[0]) for row in rows]


def _targets(rows: Sequence[Row], dim: int) -> tuple[tuple[Fraction, ...], ...] | None:
    """The a′_y; None if they do not have this dimension, exactly."""
    basis = row_basis(integer_matrix(rows))
    if len(basis) != dim:
        return None
    axes = _axes([rows[b] for b in basis])
    table = integer_matrix(rows) * integer_matrix(axes).transpose()
    if rank(table) != dim:
        return None
    columns = list(zip(*integer_rows(table), strict=True))
    squared = [sum(x * x for x in axis) for axis in axes]
    factors = [_root(Fraction(squared[0], each)) / gcd(*columns[0]) for each in squared]
    largest = max(abs(x) * factor for column, factor in zip(columns, factors, strict=True) for x in column)
    unit = 10 ** (len(str(int(largest))) - 1)  # entries are of order one
    return tuple(tuple(x * factor / unit for x, factor in zip(row, factors, strict=True)) for row in zip(*columns))


def _axes(rows: Sequence[Row]) -> list[Row]:
    """Integer rows that are nearly orthogonal, and nearly span what the independent rows do; each has an entry ±2520."""
    import numpy as np

    scaled = np.array([_floats(row) for row in rows])
    orthogonal, triangle = np.linalg.qr(scaled.T)
    axes = []
    for axis, length in zip(orthogonal.T, np.diag(triangle), strict=True):
        each = np.rint(axis * (_GRID if length >= 0 else -_GRID) / np.abs(axis).max())
        axes.append(tuple(map(int, each.tolist())))
    return axes


def _floats(row: Row) -> list[float]:
    """The row divided by its largest entry, which may be beyond the range of floats."""
    largest = max(map(abs, row))
    return [x / largest for x in row]


def _root(square: Fraction) -> Fraction:
    """The simplest fraction within a thousandth of the root."""
    near = Fraction(isqrt(square.numerator * _DIGITS**2 // square.denominator), _DIGITS)
    return next(
        found
        for below in range(1, _DIGITS)
        if abs((found := Fraction(round(near * below), below)) - near) * _NEAR <= near
    )
