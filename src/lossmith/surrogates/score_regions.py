"""Rows b + a·u ≥ 0 of which the regions of preds by name are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from lossmith.errors import BadInput, TooLarge
from lossmith.geometry.polyhedron import Polyhedron

_MOST_PIECES, _MOST_SCORES = 5_000, 250
_ZERO = Fraction(0)


def largest(size: int) -> list[tuple[tuple[Fraction, ...], ...]]:
    """For each score the rows u_t − u_j ≥ 0: it is the largest."""
    if size > _MOST_SCORES:
        raise TooLarge(
            f"the largest of {size:,} scores takes {size**2:,} inequalities; at most {_MOST_SCORES} scores do"
        )
    return [tuple(half_space(size, {t: 1, j: -1}) for j in range(size) if j != t) for t in range(size)]


def orthant(pattern: Sequence[int], least: Fraction) -> Polyhedron:
    """Where each score has its sign, 1 or −1, and is at least so far from 0."""
    size = len(pattern)
    return Polyhedron(size, tuple(half_space(size, {j: s}, -least) for j, s in enumerate(pattern)))


def few(pieces: int, name: str) -> None:
    """Refuse a pred of too many pieces."""
    if pieces > _MOST_PIECES:
        raise BadInput(f"{name} would have {pieces:,} orthants, more than {_MOST_PIECES:,}; ask about some pred")


def half_space(size: int, entries: Mapping[int, int], constant: Fraction = Fraction(0)) -> tuple[Fraction, ...]:
    """The row of a constant and the coefficients of some scores."""
    row = [_ZERO] * (size + 1)
    row[0] = constant
    for i, entry in entries.items():
        row[i + 1] = Fraction(entry)
    return tuple(row)
