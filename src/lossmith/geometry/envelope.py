"""The graph of x ↦ min_t f_t·x over a cone, with its vertices: what the cells of a loss or of a surrogate come from."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import compress
from operator import mul, not_

from lossmith.exact.vectors import Row, minus, primitive
from lossmith.geometry.polytope import Polytope, as_mask, maximal_sets, members, tight_sets


@dataclass(frozen=True, eq=False)
class Envelope:
    """Integer functionals f_t over the cone {x : a·x ≥ 0 for the rows a of `domain`}, and the vertices of min f_t."""

    domain: tuple[Row, ...]
    functionals: tuple[Row, ...]
    points: tuple[Row, ...]
    tight: tuple[int, ...]

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """The t that are somewhere the only minimum: t is dropped, last first, if its cell lies in that of another."""
        dropped: set[int] = set()
        for t in reversed(range(len(self.tight))):
            mask = self.tight[t]
            if any(
                mask & self.tight[s] == mask for s in self._owners_of_first_vertex(t) if s != t and s not in dropped
            ):
                dropped.add(t)
        return tuple(t for t in range(len(self.tight)) if t not in dropped)

    def _owners_of_first_vertex(self, t: int) -> Sequence[int]:
        """Cells that may contain that of t: those that own its first vertex; all of them, where they are few."""
        if len(self.tight) <= 64 or not self.tight[t]:
            return range(len(self.tight))
        return self._owners[(self.tight[t] & -self.tight[t]).bit_length() - 1]

    @cached_property
    def _owners(self) -> list[list[int]]:
        owners: list[list[int]] = [[] for _ in self.points]
        for t, mask in enumerate(self.tight):
            for i in compress(range(len(self.points)), members(mask)):
                owners[i].append(t)
        return owners

    def cell(self, t: int, embedding: tuple[Row, ...] | None = None) -> Polytope:
        """Where f_t is minimal; its facets are found when they are asked for."""
        owned = tuple(compress(self.points, members(self.tight[t])))
        return Polytope(owned, partial(_bounds, self, t), embedding)

    def separators(self, t: int) -> tuple[tuple[Row, int], ...]:
        """Rows f_s − f_t that bound the cell of t, each with its s: where two cells share a largest set of vertices."""
        shared = {self.tight[s] & self.tight[t]: s for s in reversed(self.kept) if s != t}
        near = [shared[face] for face in maximal_sets(shared)]
        return tuple((primitive(minus(self.functionals[s], self.functionals[t])), s) for s in near)

    def neighbours(self, t: int) -> tuple[int, ...]:
        """The s whose cells share a facet with that of t: their common vertices lie in no other face of it."""
        own = self.tight[t]
        faces = {own & side for side in self._sides}
        shared = {own & self.tight[s]: s for s in reversed(self.kept) if s != t}
        return tuple(sorted(shared[face] for face in maximal_sets(faces | shared.keys()) if face and face in shared))

    @cached_property
    def _sides(self) -> list[int]:
        """The vertices on each row of the domain."""
        return tight_sets(self.domain, self.points)


def envelope(
    domain: Sequence[Row], functionals: Sequence[Row], rays: Sequence[Row], tight: Sequence[int] | None = None
) -> Envelope:
    """The envelope whose vertices are the rays (x, v), sorted by x; `tight` has those of each functional, if known."""
    vertices = sorted((primitive(ray[:-1]), i) for i, ray in enumerate(rays))
    order = [i for _, i in vertices]
    if tight is None:
        tight = _tight(functionals, [rays[i] for i in order])
    else:
        tight = [_reordered(mask, order) for mask in tight]
    return Envelope(tuple(domain), tuple(functionals), tuple(point for point, _ in vertices), tuple(tight))


def _reordered(mask: int, order: Sequence[int]) -> int:
    """The set of those i for which order[i] is a member."""
    flags = members(mask).ljust(len(order), b"\0")
    return as_mask(bytes(map(flags.__getitem__, order)))


def _tight(functionals: Sequence[Row], rays: Sequence[Row]) -> list[int]:
    """For each functional f, the set of rays (x, v) with f·x = v, where f·x ≥ v at all of them.

    All slacks f_t·x − v of one ray are computed at once, as the digits to base 2^64 of one integer.
    """
    largest = max(max(map(abs, functional)) for functional in functionals)
    if max(largest * sum(map(abs, ray)) + abs(ray[-1]) for ray in rays) >= 2**63:
        return tight_sets([(*functional, -1) for functional in functionals], rays)
    size = len(functionals)
    packed = [_packed(column) - _packed([-x for x in column]) for column in zip(*functionals, strict=True)]
    packed.append(-_packed([1] * size))
    slacks = array("Q", b"".join([sum(map(mul, packed, ray)).to_bytes(8 * size, "little") for ray in rays]))
    if sys.byteorder == "big":
        slacks.byteswap()
    zeros = bytes(map(not_, slacks))
    return [as_mask(zeros[t::size]) for t in range(size)]


def _packed(digits: Sequence[int]) -> int:
    """Σ max(0, x_t) · 2^64t."""
    kept = array("Q", [max(0, x) for x in digits])
    if sys.byteorder == "big":
        kept.byteswap()
    return int.from_bytes(kept.tobytes(), "little")


def _bounds(envelope: Envelope, t: int) -> tuple[Row, ...]:
    return (*envelope.domain, *(row for row, _ in envelope.separators(t)))
