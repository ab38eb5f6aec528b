"""Points of the probability simplex."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import LARGEST, LONGEST, as_rationals
from lossmith.exact.vectors import Row, primitive

_DENOMINATORS = (*range(1, 13), 15, 16, 20, 24, 25, 30, 40, 50, 60, 80, 100, 200, 500, 1000, 10_000)


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


def simplest_near(p: Row, fits: Callable[[Row], bool], keep: bool = True) -> Row:
    """The distribution with the smallest denominator near p that fits, as an integer row; p itself if none does.

    With `keep` all labels that are possible under p stay possible.

    >>> simplest_near((1003, 999, 498), lambda q: 2 * q[2] <= q[1])
    (2, 2, 1)
    >>> simplest_near((1003, 999, 498), lambda q: 2 * q[2] <= q[1], keep=False)
    (1, 0, 0)
    """
    total = sum(p)
    for denominator in _DENOMINATORS:
        near = _rounded(p, total, denominator) if denominator < total else p
        same = not keep or all(bool(x) == bool(q) for x, q in zip(p, near, strict=True))
        if same and fits(near):
            return primitive(near)
    return p


def _rounded(p: Row, total: int, denominator: int) -> Row:
    """p in multiples of 1 / denominator, the largest remainders rounded up."""
    shares = [divmod(x * denominator, total) for x in p]
    left = denominator - sum(whole for whole, _ in shares)
    up = sorted(range(len(p)), key=lambda y: (-shares[y][1], y))[:left]
    return tuple(whole + (y in up) for y, (whole, _) in enumerate(shares))
