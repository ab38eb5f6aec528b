"""The chamber: the distributions that fall within blocks of interchangeable labels, of which all others are images.

Let W be the permutations within the blocks, K = {p ∈ Δ : p falls within each block, in the order of its labels}. Δ is
the union of the images of K. If a surrogate does not tell the labels of a block apart, H_ψ is invariant under W.

*Lemma.* If z = ψ(u) rises within each block, N(z) is the union of g(N(z) ∩ K) over the g ∈ W that fix z. *Proof.* Let
p ∈ N(z), and let q ∈ K be p, sorted. By the rearrangement inequality q·z ≤ p·z = H_ψ(p) = H_ψ(q) ≤ q·z. So q ∈ N(z),
and equality says that q is p, sorted within the sets of labels of one block with equal z. ∎

A cell that meets the interior of K has such a z, as p·z ≤ p·gz for all g at a p that falls strictly. Every cell has an
image that does.

K is a simplex: p is a sum of multiples c of the indicators of the first i labels of each block, c ≥ 0, and in these
coordinates p·z is c·(the sums of z over the first i labels). So the cells in K are enumerated as those in Δ are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby, pairwise
from math import factorial, prod
from typing import Any, TypeVar

from lossmith.analysis.positive_normals import MAX_VERTICES, Enumeration, PositiveNormalSet, enumerated, finished
from lossmith.analysis.risk_minimizer import Minimum, RiskMinimizer
from lossmith.analysis.symmetry import Block
from lossmith.analysis.weights import Weights
from lossmith.exact.vectors import Row, primitive
from lossmith.geometry.double_description import Progress
from lossmith.geometry.polytope import Polytope
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

T = TypeVar("T", bound=Any)


@dataclass(frozen=True)
class Chamber:
    """K, and its coordinates: that of the first i labels of a block has the place of the last of them.

    >>> chamber = Chamber(((0, 1, 2), (3,)))
    >>> chamber.distribution((1, 0, 2, 5)), chamber.sums((10, 20, 30, 40))
    ((3, 2, 2, 5), (10, 30, 60, 40))
    """

    blocks: tuple[Block, ...]

    def distribution(self, c: Sequence[int]) -> Row:
        """The distribution with these coordinates, not normalised."""
        p = [0] * len(c)
        for block in self.blocks:
            for y, total in zip(reversed(block), accumulate(c[y] for y in reversed(block)), strict=True):
                p[y] = total
        return tuple(p)

    def sums(self, z: Sequence[T]) -> tuple[T, ...]:
        """What p·z is in these coordinates: the sums of z over the first labels of each block."""
        sums = list(z)
        for block in self.blocks:
            for y, total in zip(block, accumulate(z[y] for y in block), strict=True):
                sums[y] = total
        return tuple(sums)

    def row(self, a: Row) -> Row:
        """What a·c is as a row for p."""
        found = list(a)
        for block in self.blocks:
            for before, y in pairwise(block):
                found[y] = a[y] - a[before]
        return tuple(found)

    def levels(self, z: Sequence[Any]) -> list[list[int]]:
        """The labels of each block, divided by z, which rises in it: the g ∈ W that fix z permute within these."""
        return [list(level) for block in self.blocks for _, level in groupby(block, key=z.__getitem__)]

    def alike(self, z: Sequence[Any]) -> int:
        """The number of images of z under W."""
        images = prod(factorial(len(block)) for block in self.blocks)
        return images // prod(factorial(len(level)) for level in self.levels(z))


@dataclass(frozen=True)
class ChamberCells:
    """The cells of a surrogate that meet the interior of K, and the weights that prove H_ψ at their corners in K.

    The polytope of a cell is N(z) ∩ K.
    """

    surrogate: PolyhedralSurrogate
    chamber: Chamber
    cells: tuple[PositiveNormalSet, ...]
    proofs: dict[Row, Weights]


@dataclass(frozen=True, eq=False)
class _InChamber:
    """Minimises p·ψ for the p with given coordinates; z is given by its sums."""

    minimizer: RiskMinimizer
    chamber: Chamber

    @property
    def surrogate(self) -> PolyhedralSurrogate:
        return self.minimizer.surrogate

    def at(self, c: Row) -> Minimum:
        minimum = self.minimizer.at(self.chamber.distribution(c))
        return Minimum(minimum.u, self.chamber.sums(minimum.z), minimum.weights)


def cells_in_chamber(
    minimizer: RiskMinimizer, *, max_vertices: int = MAX_VERTICES, progress: Progress | None = None
) -> ChamberCells:
    """The cells of the minimiser's surrogate in the chamber of the minimiser's blocks, of which all others are images.

    >>> from lossmith.surrogates import lee_lin_wahba
    >>> len(cells_in_chamber(RiskMinimizer(lee_lin_wahba(20), (tuple(range(20)),))).cells)
    1
    """
    chamber = Chamber(minimizer.blocks)
    inside: Enumeration = enumerated(_InChamber(minimizer, chamber), max_vertices=max_vertices, progress=progress)
    found = finished(inside)
    cells = tuple(
        PositiveNormalSet(cell.u, minimizer.values(cell.u), _in_simplex(chamber, cell.polytope)) for cell in found.cells
    )
    proofs = {chamber.distribution(c): proof for c, proof in found.proofs.items()}
    return ChamberCells(minimizer.surrogate, chamber, cells, proofs)


def _in_simplex(chamber: Chamber, polytope: Polytope) -> Polytope:
    rays = tuple(sorted(map(chamber.distribution, polytope.rays)))
    return Polytope(rays, partial(_bounds, chamber, polytope))


def _bounds(chamber: Chamber, polytope: Polytope) -> tuple[Row, ...]:
    return tuple(primitive(chamber.row(row)) for row in polytope.valid)


def highest(column: Sequence[int], levels: Sequence[Sequence[int]]) -> Row:
    """The column, rearranged so that it falls within each level: the image of it that costs most at a p ∈ K."""
    found = list(column)
    for level in levels:
        for y, x in zip(level, sorted((column[y] for y in level), reverse=True), strict=True):
            found[y] = x
    return tuple(found)


def against(p: Row, column: Sequence[int], levels: Sequence[Sequence[int]]) -> Row:
    """The image of p ∈ K under permutations within the levels at which the column costs most."""
    found = list(p)
    for level in levels:
        for y, x in zip(sorted(level, key=column.__getitem__), reversed([p[y] for y in level]), strict=True):
            found[y] = x
    return tuple(found)
