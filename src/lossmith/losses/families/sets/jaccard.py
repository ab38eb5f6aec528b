"""Jaccard distance of sets of tags."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.tags import Tags, tags_name, written_tags


def _size(r: int) -> tuple[int, int]:
    why = "its affine dimension is 2^r − 1, so no factors make it smaller; f_measure is close to it, for more tags"
    return 1 << written_tags(r, "jaccard", why), 1 << r


@family(
    cite="P. Jaccard, The distribution of the flora in the alpine zone, New Phytologist 1912",
    small=({"r": 1}, {"r": 2}, {"r": 3}),
    size=_size,
    of_size=lambda n: [{"r": n.bit_length() - 1}] if n.bit_count() == 1 and n > 1 else [],
)
def jaccard(r: int) -> LossMatrix:
    """1 − |y ∩ t| / |y ∪ t| for sets of r tags, 0 if both are empty; both sides in binary order.

    >>> print(jaccard(2))
    truth ↓ decision →  00   01   10   11
    00                   0    1    1    1
    01                   1    0    1  0.5
    10                   1    1    0  0.5
    11                   1  0.5  0.5    0
    """
    sets = list(product((0, 1), repeat=r))
    rows = [[_distance(y, t) for t in sets] for y in sets]
    return LossMatrix(rows, map(tags_name, sets), map(tags_name, sets), f"jaccard(r={r})")


def _distance(y: Tags, t: Tags) -> Fraction:
    either = sum(a | b for a, b in zip(y, t, strict=True))
    both = sum(a & b for a, b in zip(y, t, strict=True))
    return 1 - Fraction(both, either) if either else Fraction(0)
