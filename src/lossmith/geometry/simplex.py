"""Points of the probability simplex."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.errors import BadInput
from lossmith.exact.rational import as_rationals


def as_distribution(p: Sequence[object], n: int) -> tuple[Fraction, ...]:
    """Read a distribution over n labels exactly: no rounding, no normalising.

    >>> as_distribution(["1/3", "1/3", "1/3"], 3)
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    """
    values = as_rationals(p, "p")
    shown = ", ".join(map(str, values))
    if len(values) != n:
        raise BadInput(f"p = ({shown}) has {len(values)} entries; give one probability for each of the {n} labels")
    if any(value < 0 for value in values):
        raise BadInput(f"p = ({shown}) has a negative entry; probabilities are at least 0")
    if sum(values) != 1:
        raise BadInput(
            f"p = ({shown}) sums to {sum(values)}, not 1; write thirds as '1/3', and use decide(P) for rounded "
            f"probabilities"
        )
    return values
