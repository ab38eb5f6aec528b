"""A distribution of sets at which exactly the sets that contain a core, and the empty set, are optimal for F_β.

Let B be b tags, d = r − b, and let labels of size m = 1 … M have the means x_im = Σ_{|y| = m} p_y y_i = z_m for i ∉ B
and z_m (β² m + b)/b for i ∈ B. A set t with a tags of B and j others gains (1 + β²) times
Σ_m z_m (a (β² m + b)/b + j)/(β² m + a + j), at most Σ_m z_m, with equality exactly if a = b; and a suitable p_∅ makes
the empty set tie. Sizes m have P_m = z_m (β² m + r)/m, so there is such a p exactly if no mean exceeds P_m:
β² m (m − b) ≤ b (r − m).

Of the factors (tag, m), those of B added up, a functional f is constant on the sets t ⊇ B exactly if, by exchanges of
tags, Σ_m (f_im − f_jm)/(β² m + s) = 0 for s = b + 1 … r − 1, and on all sizes. These are Cauchy matrices: the b(t)
have the affine dimension min(M, d − 1)(d − 1) + min(M, d), and one more with the empty set. Labels of size m span
all d + 1 factors, or, if equality holds above, where all of them contain B, only d.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil

from lossmith.exact.vectors import cleared
from lossmith.losses.sets.set_loss import MODULUS, Ties
from lossmith.losses.sets.tags import Tags, with_tags

Row = tuple[tuple[Tags, int], ...]


@dataclass(frozen=True)
class Core:
    """The first b of r tags, for F_β with β² = `square`; labels have at most M = `largest` tags."""

    r: int
    square: Fraction
    b: int

    @property
    def others(self) -> int:
        """d, the number of tags outside."""
        return self.r - self.b

    @property
    def largest(self) -> int:
        """M: more than d sizes are of no use."""
        fitting = [m for m in range(1, self.r) if self.square * m * (m - self.b) <= self.b * (self.r - m)]
        return min(fitting[-1], self.others)

    def tight(self, m: int) -> bool:
        """Whether all labels of this size contain the core."""
        return self.square * m * (m - self.b) == self.b * (self.r - m)

    @property
    def dimension(self) -> int:
        """The affine dimension of the loss on these labels and the predictions that tie."""
        d, largest = self.others, self.largest
        return 1 + min(largest, d - 1) * (d - 1) + min(largest, d) - self.tight(largest)

    def means(self, m: int) -> tuple[Fraction, ...]:
        """x_im for z_m = 1, by tag."""
        inside = (self.square * m + self.b) / self.b
        return (inside,) * self.b + (Fraction(1),) * self.others

    def ties(self) -> Ties:
        """The distribution, up to a factor, and what shows the dimension."""
        empty = with_tags(self.r, ())
        weights, rows = {empty: (1 + self.square) * self.largest}, list[Row]([((empty, 1),)])
        for m in range(1, self.largest + 1):
            spanning = self.spanning(m)
            rows += spanning
            labels = list(dict.fromkeys(y for row in spanning for y, _ in row))
            for y, weight in balanced(self.means(m), (self.square * m + self.r) / m, labels):
                weights[y] = weights.get(y, Fraction(0)) + weight
        number: dict[Tags, int] = {}
        columns = [tuple(number.setdefault(t, len(number)) for t in pair) for pair in self.pairs()]
        return Ties(weights, tuple(number), tuple(columns), tuple(rows), self.modulus)  # type: ignore[arg-type]

    @property
    def modulus(self) -> int:
        """A prime that divides none of the β² m + s and no difference of two: no determinant of Cauchy is 0 then."""
        p, q = self.square.numerator, self.square.denominator
        found = MODULUS
        while any(
            p * m % found == 0 or any((p * m + q * s) % found == 0 for s in range(self.r)) for m in range(self.r) if m
        ):
            found = _prime_below(found)
        return found

    def spanning(self, m: int) -> list[Row]:
        """Combinations of labels of size m that span the factors: exchanges of two tags, and sizes within the core."""
        b, d = self.b, self.others
        inner = min(b, m - 1)
        j = m - inner
        first = self._label(inner, range(j))
        if d > 1:
            exchanged = [self._label(inner, (i for i in range(j + 1) if i != k)) for k in range(j + 1)]
            rows: list[Row] = [((y, 1), (x, -1)) for y, x in pairwise(exchanged)]
            more = (self._label(inner, (*range(j - 1), i)) for i in range(j + 1, d))
            rows += [((y, 1), (exchanged[j - 1], -1)) for y in more]
        else:
            rows = []
        rows.append(((first, 1),))
        if not self.tight(m):
            rows.append(((self._label(m, ()) if m <= b else self._label(b - 1, range(j + 1)), 1),))
        return rows

    def pairs(self) -> Iterator[tuple[Tags, Tags]]:
        """Optimal predictions whose differences are independent: sizes, then exchanges by tag, then the empty set.

        In this order elimination keeps them sparse: differences of sizes have pivots in the core, exchanges in one tag.
        """
        b, d = self.b, self.others
        for s in range(self.largest):
            yield self._label(b, range(s + 1)), self._label(b, range(s))
        for i in range(d - 1):
            for s in range(min(self.largest, d - 1)):
                rest = [k for k in range(s + 1) if k != i][:s]
                yield self._label(b, (*rest, i)), self._label(b, (*rest, d - 1))
        yield with_tags(self.r, ()), self._label(b, ())

    def _label(self, inside: int, outside: object) -> Tags:
        """The first tags of the core, and those outside by number."""
        return with_tags(self.r, (*range(inside), *(self.b + i for i in outside)))  # type: ignore[attr-defined]


def best_core(r: int, square: Fraction) -> Core:
    """The core whose ties span the most dimensions.

    >>> [best_core(r, Fraction(1)).dimension for r in (2, 3, 4, 10, 100)]
    [2, 3, 6, 36, 3840]
    """
    return max((Core(r, square, b) for b in range(1, r)), key=lambda core: core.dimension)


def balanced(means: tuple[Fraction, ...], total: Fraction, labels: list[Tags]) -> Iterator[tuple[Tags, Fraction]]:
    """Positive weights of sum `total`, on these labels and others of their size, under which tag i has weight means_i.

    A little for each of the labels; the rest by systematic sampling (W. G. Madow, On the theory of systematic
    sampling, Annals of Mathematical Statistics 1949): tags are stretches of a circle of length `total`, one after the
    other, wound around it m times, and a label is what lies at one place of the circle.
    """
    counts = [sum(column) for column in zip(*labels, strict=True)]
    limits = [mean / count for mean, count in zip(means, counts, strict=True) if count]
    limits += [
        (total - mean) / (len(labels) - count) for mean, count in zip(means, counts, strict=True) if count < len(labels)
    ]
    each = Fraction(1, ceil(2 / min(limits)))
    yield from ((y, each) for y in labels)
    rest = [mean - each * count for mean, count in zip(means, counts, strict=True)]
    *stretches, length, unit = cleared([*rest, total - each * len(labels), Fraction(1)])
    ends = [sum(stretches[: i + 1]) for i in range(len(rest))]
    for low, high in pairwise([*sorted({0, *(end % length for end in ends)}), length]):
        chosen, i = list[int](), 0
        for place in range(low, ends[-1], length):
            while ends[i] <= place:
                i += 1
            chosen.append(i)
        yield with_tags(len(rest), chosen), Fraction(high - low, unit)


def _prime_below(number: int) -> int:
    return next(p for p in range(number - 1, 2, -1) if all(p % f for f in range(2, int(p**0.5) + 1)))
