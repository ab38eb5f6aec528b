"""The cells of a vector linear program, one reached from another through the facet between them.

H(p) = min_x p·(c_1·x, …, c_n·x) is concave and piecewise linear for p ≥ 0; its cells are the sets of full dimension on
which it is linear. Shift the rows by εr as in `dictionaries`. Then

* where no slack of a dictionary is negative, its basis is optimal at the p for which no slope p·w_k of a slack of the
  basis is negative: a cone by its rows w_k. These cones, if of full dimension, are the cells of the shifted program:
  they cover {p ≥ 0}, and two that share a facet share all of it;
* let F be a facet inside of the one of row w_k, and p inside F. Slacks of the basis whose slope vanishes at p and falls
  towards −w_k enter until there is none: the basis stays optimal at p, and becomes optimal beyond F. Its cone is the
  neighbour. Facets that two known cones have are not crossed, so that the work is one pivot or so for each cell;
* whoever crosses every facet has all cells, as they hang together;
* the same slopes prove that a basis is optimal there for the program without shifts. So the cells of the latter are the
  unions of cones with equal values z, and their vertices are among those of the cones: those which share the cells and
  the sides of {p ≥ 0} that they lie on with no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lossmith.exact.vectors import Row
from lossmith.geometry.dictionaries import (
    LIMIT,
    Dictionaries,
    Integers,
    Numbers,
    Unfit,
    VectorProgram,
    dictionary,
    together,
)
from lossmith.geometry.double_description import Progress
from lossmith.geometry.small_cones import RaysOfCones, rays_of_cones

_MOST_CONES = 8  # for each cell
_AT_ONCE = 1 << 22  # numbers in one step, between which Ctrl-C is answered
_STARTS = 16

Proof: TypeAlias = tuple[list[tuple[int, int]], int, int]


@dataclass(frozen=True, eq=False)
class CellsByPivots:
    """For each cell: z as integers over a denominator, x likewise, and the set of its vertices as a bit mask.

    For each vertex p, primitive and sorted: the weights of rows that prove H(p), and H(p), over a denominator.
    """

    z: list[tuple[Row, int]]
    x: list[tuple[Row, int]]
    tight: list[int]
    vertices: list[Row]
    proofs: list[Proof]


def cells_by_pivots(
    program: VectorProgram, support: Sequence[int], *, most: int = 1 << 20, progress: Progress | None = None
) -> CellsByPivots | None:
    """All cells, from a basis among the rows `support`; None where this way is not the right one.

    That is so where numbers leave 64 bits, where cells fall into many cones, or where these have more than `most` rays.

    >>> program = VectorProgram([(0, 1), (2, -1)], 0, [(1,), (-1,)], 1)  # x and −x for 0 ≤ x ≤ 2
    >>> found = cells_by_pivots(program, [0])
    >>> found.z, found.x
    ([((0, 0), 1), ((2, -2), 1)], [((0,), 1), ((2,), 1)])
    >>> found.vertices, found.tight
    ([(0, 1), (1, 0), (1, 1)], [6, 5])
    """
    try:
        start = dictionary(program, support)
        start.require_feasible()
        search = _Search(len(program.rows) - program.equations, most)
        reached = search.spread(start)
        while len(reached):
            reached = search.beyond(reached)
            if progress is not None:
                progress(len(search.cones), len(search.cones) + len(reached))
        return search.result()
    except Unfit:
        return None


@dataclass(frozen=True, eq=False)
class _Search:
    """What is known: the cones by their shifted z, the z that are met, and a cone on one side of each facet by a p."""

    inequalities: int
    most: int
    cones: dict[bytes, int] = field(default_factory=dict)
    met: set[bytes] = field(default_factory=set)
    facets: dict[bytes, int] = field(default_factory=dict)
    parts: list[tuple[Dictionaries, RaysOfCones]] = field(default_factory=list)

    def spread(self, start: Dictionaries) -> Dictionaries:
        """The start, and the dictionaries that are optimal at some other points: less is left to cross."""
        random, n = Random(0), start.n
        points = np.array([[random.randrange(1, 1 << 10) for _ in range(n)] for _ in range(_STARTS)], dtype=np.int64)
        reached, done = start[np.zeros(_STARTS, dtype=np.intp)], [start]
        while len(reached):
            slopes = reached.slopes
            if int(np.abs(slopes).max()) * n << 10 >= LIMIT:
                raise Unfit
            steep = (slopes * points[:, :, None]).sum(axis=1) / reached.denominators[:, None]
            steep[reached.basis >= self.inequalities] = 0
            columns = steep.argmin(axis=1)
            left = steep[np.arange(len(steep)), columns] < 0
            done.append(reached[~left])
            if not left.any():
                break
            points = points[left]
            reached = reached[left].entered(columns[left])
        return together(done)

    def beyond(self, reached: Dictionaries) -> Dictionaries:
        """Take note of new cones, and find their neighbours."""
        new = self._unknown(reached)
        if not len(new):
            return new
        before = len(self.cones) - len(new)
        slopes = np.ascontiguousarray(new.slopes.transpose(0, 2, 1))
        slopes //= np.maximum(np.gcd.reduce(slopes, axis=2), 1)[:, :, None]
        used = (slopes < 0).any(axis=2) & (new.basis < self.inequalities)
        rays = rays_of_cones(slopes, used)
        self.parts.append((new, rays))
        if sum(len(each.owners) for _, each in self.parts) > self.most:
            raise Unfit
        cones, columns, points = self._facets(slopes, used, rays)
        kept: dict[bytes, int] = {}
        for place, (key, cone) in enumerate(zip(_keys(points), cones.tolist(), strict=True)):
            known = self.facets.setdefault(key, before + cone)
            if known == before + cone:
                kept[key] = place
            else:
                kept.pop(key, None)
        chosen = np.fromiter(kept.values(), dtype=np.intp, count=len(kept))
        cones, columns = cones[chosen], columns[chosen]
        return self._crossed(new[cones], columns, points[chosen], -slopes[cones, columns])

    def _unknown(self, reached: Dictionaries) -> Dictionaries:
        """Those of new cones, each once."""
        values, first = reached.values, len(self.cones)
        denominators = reached.denominators[:, None]
        fresh = list[int]()
        shifted = _keys(_reduced(np.concatenate([values[:, :, 0], values[:, :, 1], denominators], axis=1)))
        for place, key in enumerate(shifted):
            if key not in self.cones:
                self.cones[key] = first + len(fresh)
                fresh.append(place)
        found = reached[np.array(fresh, dtype=np.intp)]
        self.met.update(_keys(_reduced(_values(found))))
        if len(self.cones) > _MOST_CONES * (len(self.met) + 8):
            raise Unfit
        return found

    def _facets(
        self, slopes: Integers, used: NDArray[np.bool_], rays: RaysOfCones
    ) -> tuple[Numbers, Numbers, Integers]:
        """Cones, rows of them that vanish on facets, or on less, inside of {p ≥ 0}, and a p inside each."""
        count, size, n = slopes.shape
        if not np.bincount(rays.owners, minlength=count).all():  # a cone that is {0}
            raise Unfit
        starts = np.searchsorted(rays.owners, np.arange(count))
        tight = rays.tight(size) & used[rays.owners]
        if int(np.abs(rays.coordinates).max()) * len(tight) * int(np.abs(slopes).max()) * n >= LIMIT:
            raise Unfit
        inside = np.add.reduceat(rays.coordinates, starts, axis=0)
        if ((slopes * inside[:, None, :]).sum(axis=2) <= 0)[used].any():  # a cone that is not of full dimension
            raise Unfit
        width = max(1, _AT_ONCE // rays.coordinates.size)
        parts = (tight[:, k : k + width, None] * rays.coordinates[:, None, :] for k in range(0, size, width))
        sums = np.concatenate([np.add.reduceat(part, starts, axis=0) for part in parts], axis=1)
        cones, rows = np.nonzero(
            (np.add.reduceat(tight, starts, axis=0, dtype=np.int64) >= n - 1) & (sums > 0).all(axis=2)
        )
        return cones, rows, _reduced(sums[cones, rows])

    def _crossed(self, reached: Dictionaries, columns: Numbers, points: Integers, ways: Integers) -> Dictionaries:
        """The dictionaries that are optimal a little beyond the points, in these directions."""
        done = [reached[:0]]
        while len(reached):
            reached = reached.entered(columns)
            slopes = reached.slopes
            widest = max(int(np.abs(points).max()), int(np.abs(ways).max()))
            if int(np.abs(slopes).max()) * widest * slopes.shape[1] >= LIMIT:
                raise Unfit
            here, there = ((slopes * each[:, :, None]).sum(axis=1) for each in (points, ways))
            falling = (here <= 0) & (there < 0) & (reached.basis < self.inequalities)
            left = falling.any(axis=1)
            done.append(reached[~left])
            reached, points, ways = reached[left], points[left], ways[left]
            columns = falling[left].argmax(axis=1)
        return together(done)

    def result(self) -> CellsByPivots:
        """The cells without shifts."""
        found = together([part for part, _ in self.parts])
        firsts = np.cumsum([0, *(len(part) for part, _ in self.parts)])
        owners = np.concatenate([rays.owners + first for first, (_, rays) in zip(firsts, self.parts)])
        numbers: dict[bytes, int] = {}
        cells = np.array([numbers.setdefault(key, len(numbers)) for key in _keys(_reduced(_values(found)))])
        vertices, which, some = _distinct(np.concatenate([rays.coordinates for _, rays in self.parts]))
        tight = _masks(cells[owners], which, len(numbers), len(vertices))
        kept = np.arange(len(vertices))
        if len(numbers) < len(found):
            kept = _alone(vertices, cells[owners], which, tight)
            places = np.full(len(vertices), -1)
            places[kept] = np.arange(len(kept))
            left = places[which] >= 0
            tight = _masks(cells[owners][left], places[which][left], len(numbers), len(kept))
        first = np.unique(cells, return_index=True)[1]
        denominators = found.denominators[first].tolist()
        return CellsByPivots(
            [(tuple(z), d) for z, d in zip(found.values[first, :, 0].tolist(), denominators, strict=True)],
            [(tuple(x), d) for x, d in zip(found.points[first].tolist(), denominators, strict=True)],
            tight,
            [tuple(vertex) for vertex in vertices[kept].tolist()],
            _proofs(found[owners[some[kept]]], vertices[kept]),
        )


def _values(found: Dictionaries) -> Integers:
    """z and its denominator."""
    return np.concatenate([found.values[:, :, 0], found.denominators[:, None]], axis=1)


def _reduced(rows: Integers) -> Integers:
    """The primitive rows."""
    primitive: Integers = rows // np.gcd.reduce(rows, axis=1)[:, None]
    return primitive


def _keys(rows: Integers) -> list[bytes]:
    """The rows as they stand in memory, but for zero bytes at the end: equal only where the rows are."""
    keys: list[bytes] = np.ascontiguousarray(rows).view(f"S{8 * rows.shape[1]}").ravel().tolist()
    return keys


def _distinct(rows: Integers) -> tuple[Integers, Numbers, Numbers]:
    """The distinct rows in order, which of them each row is, and where each is found."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    which = np.empty(len(rows), dtype=np.intp)
    which[order] = np.cumsum(new) - 1
    return ordered[new], which, order[new]


def _masks(sets: Numbers, members: Numbers, count: int, size: int) -> list[int]:
    """Sets of numbers below `size` as bit masks, from pairs of a set and a member."""
    masks, height = [], max(1, (1 << 22) // max(1, size))
    for start in range(0, count, height):
        flags = np.zeros((min(height, count - start), size), dtype=np.bool_)
        near = (start <= sets) & (sets < start + height)
        flags[sets[near] - start, members[near]] = True
        masks += [int.from_bytes(row.tobytes(), "little") for row in np.packbits(flags, axis=1, bitorder="little")]
    return masks


def _alone(vertices: Integers, cells: Numbers, which: Numbers, tight: list[int]) -> Numbers:
    """Which points are vertices: those which share their cells, and the sides of {p ≥ 0}, with no other point."""
    common = [-1] * len(vertices)
    for cell, place in set(zip(cells.tolist(), which.tolist(), strict=True)):
        common[place] &= tight[cell]
    places, sides = np.nonzero(vertices == 0)
    masks = _masks(sides, places, vertices.shape[1], len(vertices))
    for place, side in zip(places.tolist(), sides.tolist(), strict=True):
        common[place] &= masks[side]
    return np.array([place for place, mask in enumerate(common) if mask == 1 << place], dtype=np.intp)


def _proofs(found: Dictionaries, vertices: Integers) -> list[Proof]:
    """For each vertex, the slopes there that are not 0, with their rows; the value, and the denominator of all."""
    slopes, values = found.slopes, found.values[:, :, 0]
    if max(int(np.abs(slopes).max()), int(np.abs(values).max())) * int(vertices.max()) * slopes.shape[1] >= LIMIT:
        raise Unfit
    weights = (slopes * vertices[:, :, None]).sum(axis=1)
    bounds = (values * vertices).sum(axis=1)
    proofs: list[Proof] = [([], b, d) for b, d in zip(bounds.tolist(), found.denominators.tolist(), strict=True)]
    places, columns = np.nonzero(weights)
    rows, sizes = found.basis[places, columns].tolist(), weights[places, columns].tolist()
    for place, row, weight in zip(places.tolist(), rows, sizes, strict=True):
        proofs[place][0].append((row, weight))
    return proofs
