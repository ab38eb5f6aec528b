"""The corners of the cells on which the least risk is linear."""

from __future__ import annotations

from fractions import Fraction

from lossmith.errors import TooLarge
from lossmith.exact.vectors import rows_over_common_denominator, unit_rows
from lossmith.geometry.double_description import lower_envelope
from lossmith.losses.matrix import LossMatrix

_MOST_VERTICES = 5_000


def corners_of_risk(loss: LossMatrix, name: str) -> list[tuple[Fraction, ...]]:
    """min_t p·ℓ_t and p, for each corner p of a trigger set; the surrogate of this name is made from them.

    >>> from lossmith.losses import zero_one
    >>> [[str(x) for x in row] for row in corners_of_risk(zero_one(2), "hinge")]
    [['0', '0', '1'], ['0', '1', '0'], ['1/2', '1/2', '1/2']]
    """
    units = unit_rows(loss.n)
    columns, common = rows_over_common_denominator([loss.column(t) for t in range(loss.k)])
    try:
        rays = lower_envelope(units, columns, corners=units, max_vertices=_MOST_VERTICES)
    except TooLarge:
        raise TooLarge(
            f"{name} of {loss.name} would have more than {_MOST_VERTICES:,} pieces; try cost_weighted_hinge"
        ) from None
    return sorted(
        (Fraction(ray[-1], common * sum(ray[:-1])), *(Fraction(x, sum(ray[:-1])) for x in ray[:-1])) for ray in rays
    )
