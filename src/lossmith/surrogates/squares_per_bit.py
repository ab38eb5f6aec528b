"""The square of the margin for each bit of a label: it is the squared distance to the signs of the bits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.surrogates.margins import Margin, margin_named
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares import squared_distance


def margin_or_square(phi: str) -> Margin | None:
    """The function φ of this name, or None for "square", (1 − z)², which tells also what is no probability.

    >>> margin_or_square("square"), margin_or_square("modified_huber").name
    (None, 'modified-huber')
    """
    return None if str(phi).strip() == "square" else margin_named(phi)


def squares_per_bit(name: str, bits: Sequence[Sequence[Fraction | int]]) -> SmoothSurrogate:
    """Σ_i (1 − s_yi u_i)² for the signs s_yi = ±1 of the bits of label y, which is Σ_i (u_i − s_yi)².

    So its risk is least at the mean of the signs alone, 2x_i − 1 where x_i is the probability of bit i.

    >>> squares_per_bit("coin", ((1,), (0,)))([0.5])
    (0.25, 2.25)
    """
    return squared_distance(name, tuple(tuple(Fraction(2 * bit - 1) for bit in row) for row in bits))
