"""The extreme rays of a pointed cone as one integer array, with their zero sets as another: for cones of many rays.

Coordinates are 64-bit integers as long as a bound, checked before each operation, proves that nothing leaves them;
Python integers in an array of objects otherwise. No floating-point number occurs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lossmith.exact.vectors import dot
from lossmith.geometry.adjacency import WORD, Numbers, Words, adjacent_pairs, transposed
from lossmith.geometry.few_rays import Admit, between

Integers: TypeAlias = NDArray[Any]  # int64, or Python integers as objects

LIMIT = 2**63
BLOCK = 1 << 13  # rays that are made at once
SLOW = 64  # words that are read in the time of one operation on a Python integer


@dataclass(frozen=True, eq=False)
class ManyRays:
    """Rays as primitive integer rows; bit k of a zero set says that the row with number k vanishes at the ray."""

    coordinates: Integers
    zeros: Words
    largest: tuple[int, ...]  # no coordinate of a ray exceeds, in size, the one of its column

    @classmethod
    def of(cls, rays: Sequence[Sequence[int]], zeros: Sequence[int]) -> ManyRays:
        """The same rays, from lists; zero sets are bit masks."""
        coordinates = _narrowed(np.array(rays, dtype=object))
        words = max(1, -(-max(mask.bit_length() for mask in zeros) // 64))
        packed = b"".join(mask.to_bytes(8 * words, "little") for mask in zeros)
        return cls(coordinates, np.frombuffer(packed, dtype=WORD).reshape(-1, words), _largest(coordinates))

    def __len__(self) -> int:
        return len(self.coordinates)

    @property
    def size(self) -> int:
        """How many words a ray has, at most, as a tuple of Python integers, five for a small one, and a zero set."""
        return sum(5 + bound.bit_length() // 60 for bound in self.largest) + int(self.zeros.shape[1])

    @property
    def _effort(self) -> int:
        return SLOW if self.coordinates.dtype == object else 1

    def rays(self) -> list[tuple[int, ...]]:
        """The rays as tuples of Python integers."""
        starts = range(0, len(self), BLOCK)
        return [tuple(ray) for start in starts for ray in self.coordinates[start : start + BLOCK].tolist()]

    def tight_sets(self, count: int) -> list[int]:
        """For each of the first `count` rows, the set of rays at which it vanishes, as a bit mask over the rays."""
        owners = transposed(_widened(self.zeros, count))
        return [int.from_bytes(row.tobytes(), "little") for row in owners[:count]]

    def cut(self, row: Sequence[int], number: int, admit: Admit) -> ManyRays:
        """The rays of the part with row·x ≥ 0. `admit` may refuse."""
        admit(0, work=self.coordinates.size * self._effort)
        values = self._products(row)
        zeros = _widened(self.zeros, number + 1)
        word, bit = number // 64, np.uint64(1 << number % 64)
        below = np.flatnonzero(values < 0)
        if not len(below):
            zeros = zeros.copy() if zeros is self.zeros else zeros
            zeros[values == 0, word] |= bit
            return ManyRays(self.coordinates, zeros, self.largest)
        above = np.flatnonzero(values > 0)
        i, j = self._adjacent(zeros, above, below, admit)
        new = self._combined(i, j, values, admit)
        kept = values >= 0
        old = self.coordinates[kept]
        if old.dtype != new.dtype:
            old, new = old.astype(object), new.astype(object)
        common = zeros[i] & zeros[j]
        common[:, word] |= bit
        remaining = zeros[kept]
        remaining[values[kept] == 0, word] |= bit
        largest = tuple(map(max, self.largest, _largest(new)))
        return ManyRays(np.concatenate([old, new]), np.concatenate([remaining, common]), largest)

    def _products(self, row: Sequence[int]) -> Integers:
        coordinates = self.coordinates
        bound = dot(map(abs, row), self.largest)
        if coordinates.dtype != object and max(bound, *map(abs, row)) < LIMIT:
            return coordinates @ np.array(row, dtype=np.int64)
        factors = np.array(row, dtype=object)
        values = np.empty(len(coordinates), dtype=object)
        for start in range(0, len(values), BLOCK):
            values[start : start + BLOCK] = coordinates[start : start + BLOCK].astype(object) @ factors
        return _narrowed(values)

    def _adjacent(self, zeros: Words, above: Numbers, below: Numbers, admit: Admit) -> tuple[Numbers, Numbers]:
        counts = [len(zeros) - len(below)]
        pairs: list[tuple[Numbers, Numbers]] = [(above[:0], below[:0])]
        need, size = self.coordinates.shape[1] - 2, self.size
        for i, j in adjacent_pairs(
            zeros[above], zeros[below], zeros, need, lambda words: admit(counts[-1], size=size, work=words)
        ):
            counts.append(counts[-1] + len(i))
            admit(counts[-1], size=size, work=len(i) * self.coordinates.shape[1] * self._effort)
            pairs.append((above[i], below[j]))
        return np.concatenate([i for i, _ in pairs]), np.concatenate([j for _, j in pairs])

    def _combined(self, i: Numbers, j: Numbers, values: Integers, admit: Admit) -> Integers:
        """Where the segment from ray i to ray j meets the hyperplane, for each pair."""
        parts = [self.coordinates[:0]]
        for start in range(0, len(i), BLOCK):
            admit(0)
            upper, lower = i[start : start + BLOCK], j[start : start + BLOCK]
            parts.append(_mixed(self.coordinates[upper], self.coordinates[lower], values[upper], -values[lower]))
        if any(part.dtype == object for part in parts):
            parts = [part.astype(object) for part in parts]
        return np.concatenate(parts)


def _mixed(upper: Integers, lower: Integers, above: Integers, below: Integers) -> Integers:
    """The primitive multiples of below · upper + above · lower, all factors being positive."""
    if upper.dtype != object and above.dtype != object:
        common = np.gcd(above, below)
        a, b = above // common, below // common
        if int(b.max()) * int(np.abs(upper).max()) + int(a.max()) * int(np.abs(lower).max()) < LIMIT:
            mixed: Integers = b[:, None] * upper + a[:, None] * lower
            mixed //= np.gcd.reduce(mixed, axis=1)[:, None]
            return mixed
    lists = (each.tolist() for each in (upper, lower, above, below))
    return _narrowed(np.array(list(map(between, *lists)), dtype=object))


def _narrowed(numbers: Integers) -> Integers:
    """The same numbers in 64 bits, if they fit."""
    if all(-LIMIT < x < LIMIT for x in numbers.flat):
        return numbers.astype(np.int64)
    return numbers


def _largest(coordinates: Integers) -> tuple[int, ...]:
    widest = [0] * coordinates.shape[1]
    for start in range(0, len(coordinates), BLOCK):
        widest = list(map(max, widest, np.abs(coordinates[start : start + BLOCK]).max(axis=0).tolist()))
    return tuple(widest)


def _widened(zeros: Words, count: int) -> Words:
    """Room for the numbers below `count`."""
    words = -(-count // 64)
    if words <= zeros.shape[1]:
        return zeros
    wide = np.zeros((len(zeros), words), dtype=WORD)
    wide[:, : zeros.shape[1]] = zeros
    return wide
