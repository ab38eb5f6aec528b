"""The extreme rays of many small cones {x ≥ 0 : a·x ≥ 0 for rows a} at once, by double description.

Step s applies the s-th row of every cone. All rays stand in one array, those of a cone together, and the zero set of a
ray is one 64-bit word. Coordinates are 64-bit integers, which is checked before each operation; `Unfit` is raised
where they would leave them. No floating-point number occurs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lossmith.geometry.adjacency import WORD, Words, sizes
from lossmith.geometry.dictionaries import LIMIT, Integers, Numbers, Unfit

MOST_PAIRS = 1 << 20  # of rays that are compared at once
_ONE = np.uint64(1)


@dataclass(frozen=True, eq=False)
class RaysOfCones:
    """Primitive rays, with the cones they belong to, which do not fall.

    Bit i of a zero set says that x_i = 0, and bit n + k that row k of the cone, one that was applied, vanishes.
    """

    coordinates: Integers
    owners: Numbers
    zeros: Words

    def tight(self, rows: int) -> NDArray[np.bool_]:
        """Whether each of the rows vanishes at each ray."""
        bits = np.arange(self.coordinates.shape[1], self.coordinates.shape[1] + rows).astype(WORD)
        return (self.zeros[:, None] >> bits & _ONE).astype(np.bool_)


def rays_of_cones(rows: Integers, used: NDArray[np.bool_]) -> RaysOfCones:
    """The extreme rays of the cones {x ≥ 0 : rows[c, k]·x ≥ 0 for all k that are used}.

    >>> found = rays_of_cones(np.array([[[1, -1]], [[2, -1]]]), np.array([[True], [True]]))
    >>> found.coordinates.tolist(), found.owners.tolist()
    ([[1, 0], [1, 1], [1, 0], [1, 2]], [0, 0, 1, 1])
    """
    count, size, n = rows.shape
    if n + size > 64:
        raise Unfit
    corners = ((1 << n) - 1) ^ (_ONE << np.arange(n).astype(WORD))
    rays = RaysOfCones(
        np.tile(np.eye(n, dtype=np.int64), (count, 1)), np.repeat(np.arange(count), n), np.tile(corners, count)
    )
    order, steps = np.argsort(~used, axis=1, kind="stable"), used.sum(axis=1)
    widest = int(np.abs(rows).max())
    for step in range(int(steps.max(initial=0))):
        row = np.where((steps > step)[:, None], rows[np.arange(count), order[:, step]], 0)
        bits = np.where(steps > step, _ONE << (order[:, step] + n).astype(WORD), np.uint64(0))
        rays = _cut(rays, row, bits, widest)
    return rays


def _cut(rays: RaysOfCones, rows: Integers, bits: Words, widest: int) -> RaysOfCones:
    """Each cone, cut by its row, no entry of which exceeds `widest`; where that is 0, so is its bit, and it stays."""
    largest = int(rays.coordinates.max(initial=0))
    if largest * widest * rows.shape[1] >= LIMIT:
        raise Unfit
    values = (rays.coordinates * rows[rays.owners]).sum(axis=1)
    marked = np.where(values == 0, rays.zeros | bits[rays.owners], rays.zeros)
    below = values < 0
    if not below.any():
        return RaysOfCones(rays.coordinates, rays.owners, marked)
    rays = RaysOfCones(rays.coordinates, rays.owners, marked)
    i, j = _adjacent(rays, np.flatnonzero(values > 0), np.flatnonzero(below), len(rows))
    common = np.gcd(values[i], values[j])
    a, b = values[i] // common, -values[j] // common
    if 2 * largest * max(int(a.max(initial=0)), int(b.max(initial=0))) >= LIMIT:
        raise Unfit
    new = b[:, None] * rays.coordinates[i] + a[:, None] * rays.coordinates[j]
    new //= np.gcd.reduce(new, axis=1)[:, None]
    owners = np.concatenate([rays.owners[~below], rays.owners[i]])
    order = np.argsort(owners, kind="stable")
    zeros = np.concatenate([marked[~below], marked[i] & marked[j] | bits[rays.owners[i]]])
    return RaysOfCones(np.concatenate([rays.coordinates[~below], new])[order], owners[order], zeros[order])


def _adjacent(rays: RaysOfCones, above: Numbers, below: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """The pairs of adjacent rays of one cone, the first of them among `above`, the second among `below`."""
    owners, zeros, n = rays.owners, rays.zeros, rays.coordinates.shape[1]
    which, i = _products(owners[below], owners[above], count)
    i, j = above[i], below[which]
    common = zeros[i] & zeros[j]
    near = sizes(common[:, None]) >= n - 2
    i, j, common = i[near], j[near], common[near]
    # Where n − 1 rows vanish at a ray, any n − 2 of them, which are independent, vanish on an edge. Else count.
    many = sizes(zeros[:, None]) > n - 1
    doubtful = np.flatnonzero(many[i] & many[j])
    if not len(doubtful):
        return i, j
    which, third = _products(owners[i[doubtful]], owners, count)
    shared = common[doubtful][which]
    held = np.bincount(which[shared & zeros[third] == shared], minlength=len(doubtful))
    alone = np.ones(len(i), dtype=np.bool_)
    alone[doubtful] = held == 2
    return i[alone], j[alone]


def _products(first: Numbers, second: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """All (i, j) with first[i] = second[j], where `second` does not fall."""
    counts = np.bincount(second, minlength=count)
    repeats = counts[first]
    total = int(repeats.sum())
    if total > MOST_PAIRS:
        raise Unfit
    i = np.repeat(np.arange(len(first)), repeats)
    starts = (np.cumsum(counts) - counts)[first] - (np.cumsum(repeats) - repeats)
    return i, np.arange(total) + np.repeat(starts, repeats)
