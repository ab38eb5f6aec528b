"""The extreme rays of a pointed cone as lists of Python integers: for cones of few rays, without numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from operator import mul
from typing import TYPE_CHECKING, Protocol

from lossmith.exact.vectors import Row

if TYPE_CHECKING:
    from lossmith.geometry.many_rays import ManyRays


class Admit(Protocol):
    """Hears how many rays there will be at least, of how many words each, and how many words are to be read for them.

    It may refuse, before they are made or read.
    """

    def __call__(self, count: int, *, size: int = 0, work: int = 0) -> None:
        """Refuse, or do nothing."""


FEW = 64  # up to here lists are about as fast as arrays (measured)


@dataclass(frozen=True)
class FewRays:
    """Rays as primitive integer rows; bit k of a zero set says that the row with number k vanishes at the ray."""

    coordinates: list[Row]
    zeros: list[int]

    def __len__(self) -> int:
        return len(self.coordinates)

    def rays(self) -> list[Row]:
        """The rays."""
        return list(self.coordinates)

    def tight_sets(self, count: int) -> list[int]:
        """For each of the first `count` rows, the set of rays at which it vanishes, as a bit mask over the rays."""
        return [sum(1 << i for i, zeros in enumerate(self.zeros) if zeros >> k & 1) for k in range(count)]

    def cut(self, row: Sequence[int], number: int, admit: Admit) -> FewRays | ManyRays:
        """The rays of the part with row·x ≥ 0. `admit` may refuse."""
        if len(self) > FEW:
            from lossmith.geometry.many_rays import ManyRays

            return ManyRays.of(self.coordinates, self.zeros).cut(row, number, admit)
        bit, need = 1 << number, len(row) - 2
        values = [sum(map(mul, row, ray)) for ray in self.coordinates]
        rays = [ray for ray, value in zip(self.coordinates, values, strict=True) if value >= 0]
        zeros = [held if value else held | bit for held, value in zip(self.zeros, values, strict=True) if value >= 0]
        if len(rays) == len(values):
            return FewRays(self.coordinates, zeros)
        above = [i for i, value in enumerate(values) if value > 0]
        for j, depth in enumerate(values):
            for i in above if depth < 0 else ():
                common = self.zeros[i] & self.zeros[j]
                # Adjacent: no third ray has all common zeros.
                if common.bit_count() >= need and [common & held for held in self.zeros].count(common) == 2:
                    rays.append(between(self.coordinates[i], self.coordinates[j], values[i], -depth))
                    zeros.append(common | bit)
        admit(len(rays))
        return FewRays(rays, zeros)


def between(upper: Sequence[int], lower: Sequence[int], above: int, below: int) -> Row:
    """Where the segment between two rays, with the values `above` and −`below`, meets the hyperplane of value 0.

    >>> between((1, 0), (0, 1), 2, 4)
    (2, 1)
    """
    mixed = [below * x + above * y for x, y in zip(upper, lower, strict=True)]
    common = gcd(*mixed)
    return tuple([x // common for x in mixed]) if common > 1 else tuple(mixed)
