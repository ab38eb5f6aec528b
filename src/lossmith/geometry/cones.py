"""Double description: the extreme rays of cones {x : a·x ≥ 0 for rows a}, row by row, and which rows vanish at them.

Each row keeps the rays on its side and makes one new ray per pair of adjacent rays that it separates (Motzkin et al.,
1953). Cones of few rays are lists of Python integers; from there on `ray_arrays` holds them, and numpy is loaded.

A cone that contains lines is the sum of these and of a pointed cone: that of its points whose coordinates vanish
outside a set of columns on which the rows have the same rank. Its rays are the ones that are meant.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import gcd, lcm
from operator import mul
from typing import TYPE_CHECKING, Any, TypeAlias

from flint import nmod_mat

from lossmith.errors import TooLarge
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import independent_minor
from lossmith.exact.rational import primitive

if TYPE_CHECKING:
    from lossmith.geometry.ray_arrays import ManyRays

Row: TypeAlias = tuple[int, ...]
Progress: TypeAlias = Callable[[int, int], None]
Admit: TypeAlias = Callable[[int], None]

_FEW = 48  # up to here lists are faster than arrays (measured)
_PRIME = 2**31 - 1


@dataclass(frozen=True)
class Described:
    """A cone by its extreme rays; for each of its rows, `tight` has the rays at which it vanishes, as a bit mask."""

    rays: list[Row]
    tight: list[int]


def extreme_rays(
    inequalities: Sequence[Sequence[int]],
    *,
    max_rays: int | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> list[Row]:
    """The extreme rays of the cone {x : a·x ≥ 0 for all rows a}, modulo its lines, as primitive integer rows.

    Raises `TooLarge` before there are more than `max_rays` of them on the way, or after so many seconds.

    >>> sorted(extreme_rays([(1, 0), (-1, 2)]))
    [(0, 1), (2, 1)]
    """
    return described(inequalities, max_rays=max_rays, seconds=seconds, progress=progress).rays


def described(
    inequalities: Sequence[Sequence[int]],
    *,
    max_rays: int | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Described:
    """The same rays, with the sets in which the rows vanish.

    >>> described([(1, 0), (-1, 2), (1, 1)])
    Described(rays=[(2, 1), (0, 1)], tight=[2, 1, 0])
    """
    watch = Watch(max_rays, seconds)
    # Small entries first: a flat row cuts deep, which keeps the cones on the way small (abstain(16): 136 rays, not
    # 65 535). Of the orders tried this one never was far from the best.
    order = sorted(range(len(inequalities)), key=inequalities.__getitem__)
    return enumerated(inequalities, order, watch, progress)


def facets(rays: Sequence[Sequence[int]]) -> list[Row]:
    """The irredundant inequalities a·x ≥ 0 of the cone spanned by these rays.

    They are the extreme rays of its dual. If the cone is not of full dimension, the rows that vanish on it follow:
    a basis of them.

    >>> sorted(facets([(0, 1), (1, 1), (2, 1)]))
    [(-1, 2), (1, 0)]
    >>> facets([(1, 1)])
    [(1, 0), (-1, 1)]
    """
    return [*extreme_rays(rays), *lines(rays)]


def lines(inequalities: Sequence[Sequence[int]]) -> list[Row]:
    """A basis of the lines in the cone {x : a·x ≥ 0 for all rows a}: of the null space of the rows.

    >>> lines([(1, 1), (2, 2)])
    [(-1, 1)]
    """
    if not inequalities:
        return []
    kernel, rank = integer_matrix(inequalities).nullspace()
    return [primitive([int(kernel[i, j]) for i in range(kernel.nrows())]) for j in range(kernel.ncols() - rank)]


class GrowingCone:
    """A cone {x : a·x ≥ 0 for all rows a} to which rows are added; it keeps both descriptions.

    Rows are numbered as they come. A cut that is refused or interrupted leaves the cone as it was.

    >>> cone = GrowingCone([(1, 0), (0, 1)])
    >>> cone.add([(-1, 2)])
    >>> sorted(cone.rays()), cone.tight_sets()
    ([(0, 1), (2, 1)], [1, 0, 2])
    """

    def __init__(self, rows: Sequence[Sequence[int]], *, max_rays: int | None = None, seconds: float | None = None):
        self._watch = Watch(max_rays, seconds)
        self._rows: list[Sequence[int]] = []
        self._cone: _Cone | None = None
        self.add(rows)

    def add(self, rows: Sequence[Sequence[int]], progress: Progress | None = None) -> None:
        """Cut the cone by further rows, in this order."""
        everything = [*self._rows, *rows]
        cone, left = self._cone, range(len(self._rows), len(everything))
        if cone is None or len(cone.columns) < len(everything[0]):  # a new row may cut the lines
            cone, left = _first(everything, range(len(everything)))
        self._cone = _cut(cone, everything, left, self._watch, progress)
        self._rows = everything

    def __len__(self) -> int:
        return len(self._cone.rays) if self._cone is not None else 0

    def rays(self) -> list[Row]:
        """The extreme rays."""
        return [] if self._cone is None else _padded(self._cone, self._rows)

    def tight_sets(self) -> list[int]:
        """For each row, the set of rays at which it vanishes, as a bit mask over `rays()`."""
        return [] if self._cone is None else self._cone.rays.tight_sets(len(self._rows))


class Watch:
    """A budget of rays and seconds, from now on; `refuse` words the refusal.

    >>> watch = Watch(max_rays=10)
    >>> watch.admit(10, 3, 5)
    >>> watch.admit(11, 3, 5)
    Traceback (most recent call last):
    lossmith.errors.TooLarge: the cone has at least 11 rays after 3 of 5 rows, over the budget of 10; raise it with
    max_rays=…
    """

    def __init__(
        self,
        max_rays: int | None = None,
        seconds: float | None = None,
        refuse: Callable[[int, int, int], TooLarge] | None = None,
    ) -> None:
        self._max_rays, self._seconds = max_rays, seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self._refuse = refuse or self._too_many

    def admit(self, count: int, done: int, total: int) -> None:
        """Refuse if there are more rays than allowed, or the time is over."""
        if self._max_rays is not None and count > self._max_rays:
            raise self._refuse(count, done, total)
        if self._end is not None and time.monotonic() > self._end:
            raise TooLarge(
                f"only {done} of {total} rows were applied, to {count:,} rays and more, "
                f"within the budget of {self._seconds:g} seconds; raise it with seconds=…"
            )

    def _too_many(self, count: int, done: int, total: int) -> TooLarge:
        return TooLarge(
            f"the cone has at least {count:,} rays after {done} of {total} rows, over the budget of "
            f"{self._max_rays:,}; raise it with max_rays=…"
        )


def enumerated(
    rows: Sequence[Sequence[int]], order: Sequence[int], watch: Watch, progress: Progress | None
) -> Described:
    """The cone of these rows, which are applied in this order."""
    if not rows:
        return Described([], [])
    cone, left = _first(rows, order)
    cone = _cut(cone, rows, left, watch, progress)
    return Described(_padded(cone, rows), cone.rays.tight_sets(len(rows)))


@dataclass(frozen=True)
class _Cone:
    """The rays have coordinates in these columns only; the others are 0."""

    columns: tuple[int, ...]
    rays: FewRays | ManyRays


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
        """The rays of the part with row·x ≥ 0. `admit` hears how many rays there will be at least, and may refuse."""
        if len(self) > _FEW:
            from lossmith.geometry.ray_arrays import ManyRays

            return ManyRays.of(self.coordinates, self.zeros).cut(row, number, admit)
        bit, need = 1 << number, len(row) - 2
        values = [sum(map(mul, row, ray)) for ray in self.coordinates]
        rays = [ray for ray, value in zip(self.coordinates, values, strict=True) if value >= 0]
        zeros = [
            held if value else held | bit for held, value in zip(self.zeros, values, strict=True) if value >= 0
        ]
        if len(rays) == len(values):
            return FewRays(self.coordinates, zeros)
        above = [i for i, value in enumerate(values) if value > 0]
        for j, depth in enumerate(values):
            for i in above if depth < 0 else ():
                common = self.zeros[i] & self.zeros[j]
                # Adjacent: no third ray has all common zeros.
                if common.bit_count() >= need and [common & held for held in self.zeros].count(common) == 2:
                    rays.append(_between(self.coordinates[i], self.coordinates[j], values[i], -depth))
                    zeros.append(common | bit)
        admit(len(rays))
        return FewRays(rays, zeros)


def _between(upper: Row, lower: Row, above: int, below: int) -> Row:
    mixed = [below * x + above * y for x, y in zip(upper, lower, strict=True)]
    common = gcd(*mixed)
    return tuple([x // common for x in mixed]) if common > 1 else tuple(mixed)


def _first(rows: Sequence[Sequence[int]], order: Sequence[int]) -> tuple[_Cone, list[int]]:
    """The cone of the first independent rows in this order, as many as the rank; and the numbers of the others."""
    chosen, columns = _basis([rows[k] for k in order])
    numbers = [order[k] for k in chosen]
    everything = sum(1 << k for k in numbers)
    rays = _edges([[rows[k][j] for j in columns] for k in numbers])
    taken = set(numbers)
    left = [k for k in order if k not in taken]
    return _Cone(columns, FewRays(rays, [everything ^ (1 << k) for k in numbers])), left


def _basis(rows: Sequence[Sequence[int]]) -> tuple[Sequence[int], tuple[int, ...]]:
    """Rows and columns of a minor that does not vanish, as large as the rank."""
    matrix, width = integer_matrix(rows), len(rows[0])
    chosen = _pivots(nmod_mat(matrix.transpose(), _PRIME))
    if len(chosen) == width:  # independent modulo a prime: independent
        return chosen, tuple(range(width))
    chosen, columns, _ = independent_minor(matrix)
    return chosen, columns


def _pivots(matrix: nmod_mat) -> list[int]:
    reduced, rank = matrix.rref()
    pivots: list[int] = []
    for i in range(rank):
        j = pivots[-1] + 1 if pivots else 0
        while not int(reduced[i, j]):
            j += 1
        pivots.append(j)
    return pivots


def _edges(rows: list[list[int]]) -> list[Row]:
    """The rays of a cone with as many independent rows as coordinates: for each row, where only it does not vanish."""
    if not rows:
        return []
    inverse = integer_matrix(rows).inv()
    rays = []
    for j in range(len(rows)):
        column = [inverse[i, j] for i in range(len(rows))]
        common = lcm(*(int(entry.q) for entry in column))
        rays.append(primitive([int(entry.p) * (common // int(entry.q)) for entry in column]))
    return rays


def _cut(
    cone: _Cone, rows: Sequence[Sequence[int]], numbers: Sequence[int], watch: Watch, progress: Progress | None
) -> _Cone:
    rays, total = cone.rays, len(rows)
    pointed = len(cone.columns) == len(rows[0])
    for step, number in enumerate(numbers):
        done = total - len(numbers) + step
        row = rows[number] if pointed else [rows[number][j] for j in cone.columns]
        watch.admit(len(rays), done, total)
        rays = rays.cut(row, number, partial(_admit, watch, done, total))
        if progress is not None:
            progress(done + 1, total)
    return _Cone(cone.columns, rays)


def _admit(watch: Watch, done: int, total: int, count: int) -> None:
    watch.admit(count, done, total)


def _padded(cone: _Cone, rows: Sequence[Sequence[int]]) -> list[Row]:
    """The rays, with the coordinates that are 0."""
    rays, width = cone.rays.rays(), len(rows[0])
    if len(cone.columns) == width:
        return rays
    places: dict[int, Any] = {j: i for i, j in enumerate(cone.columns)}
    return [tuple(ray[places[j]] if j in places else 0 for j in range(width)) for ray in rays]
