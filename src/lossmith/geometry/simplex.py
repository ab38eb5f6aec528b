"""Points of the probability simplex."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import LARGEST, LONGEST, as_rationals


def as_distribution(p: Sequence[object], n: int) -> tuple[Fraction, ...]:
    """Read a distribution over n labels exactly: no rounding, no normalising.

    >>> as_distribution(["1/3", "1/3", "1/3"], 3)
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    """
    p = tuple(p) if isinstance(p, Iterator) else p
    exact = [x for x in p if isinstance(x, Fraction)] if isinstance(p, Iterable) else []
    if any(max(abs(x.numerator), x.denominator) > LARGEST for x in exact):
        raise TooLarge(f"{LONGEST} come up in a distribution; round the losses")  # not typed by anyone
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
