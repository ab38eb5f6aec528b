"""Tversky's index of sets of tags: Jaccard and F_β in one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from lossmith.exact.rational import RationalLike, as_rational
from lossmith.families import family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.tags import Tags, tags_name, written_tags


def _size(r: int, a: RationalLike = "1/2", b: RationalLike = "1/2") -> tuple[int, int]:
    for name, value in (("a", a), ("b", b)):
        rational_where(name, value, lambda x: x > 0, "positive")
    return 1 << written_tags(r, "tversky", "f_measure, with a + b = 1, takes more"), 1 << r


@family(
    cite="A. Tversky, Features of similarity, Psychological Review 1977",
    small=({"r": 1}, {"r": 2, "a": "1", "b": "2"}, {"r": 3, "a": "1/5", "b": "4/5"}),
    size=_size,
    of_size=lambda n: [{"r": n.bit_length() - 1, "a": "1", "b": "2"}] if n.bit_count() == 1 and n > 1 else [],
)
def tversky(r: int, a: RationalLike = "1/2", b: RationalLike = "1/2") -> LossMatrix:
    """1 − |y ∩ t|/(|y ∩ t| + a |t∖y| + b |y∖t|) for sets of r tags, 0 if both are empty; both in binary order.

    a prices what is predicted and not there, b what is there and not predicted. With a = b = 1 it is Jaccard's, with
    a = b = 1/2 that of F_1, with a = 1/(1 + β²) and b = 1 − a that of F_β.

    >>> print(tversky(2, 1, 2))
    truth ↓ decision →  00   01   10   11
    00                   0    1    1    1
    01                   1    0    1  0.5
    10                   1    1    0  0.5
    11                   1  2/3  2/3    0
    """
    wrong, missed = as_rational(a), as_rational(b)
    sets = list(product((0, 1), repeat=r))
    rows = [[_loss(y, t, wrong, missed) for t in sets] for y in sets]
    return LossMatrix(rows, map(tags_name, sets), map(tags_name, sets), f"tversky(r={r}, a={wrong}, b={missed})")


def _loss(y: Tags, t: Tags, a: Fraction, b: Fraction) -> Fraction:
    both = sum(i & j for i, j in zip(y, t, strict=True))
    apart = a * (sum(t) - both) + b * (sum(y) - both)
    return apart / (both + apart) if apart else Fraction(0)
