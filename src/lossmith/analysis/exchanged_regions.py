"""Preds that do not tell labels apart: where one decides for t, it decides at Au for what t becomes.

Let a map A of u exchange labels x and y of a surrogate (`analysis.symmetry`), and s be their exchange. The regions of a
pred, unions of closed polyhedra P, are *exchanged* by A if for every P of a prediction with the column ℓ there is a P′
of one with the column sℓ such that u ∈ P if and only if Au ∈ P′, and every P′ is met so. It is tested by rows: those of
P′, as functions of u at Au, are those of P. So A permutes the polyhedra. A pred breaks ties by an order, which no
permutation respects; what is tested are its regions as they are, or the closures of where it decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from lossmith.analysis.symmetry import Moves, Piece, Symmetry, composed, exchanged, sparse_piece, targets
from lossmith.exact.vectors import Row
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.tracing import Affine

Place: TypeAlias = tuple[int, int]  # a prediction, and the number of a polyhedron of its region
_Key: TypeAlias = tuple[Row, frozenset[int], frozenset[int]]


@dataclass(frozen=True, eq=False)
class ExchangedRegions:
    """The polyhedra of a pred, and where maps of u take them; `columns` are those of the predictions."""

    columns: Sequence[Row]
    pred: Pred

    def by(self, x: int, y: int, moves: Moves) -> dict[Place, Place] | None:
        """For each P′ the P whose points Au takes to it; None if A does not exchange the regions.

        >>> from lossmith.losses import zero_one
        >>> from lossmith.surrogates import crammer_singer
        >>> from lossmith.surrogates.preds import argmax
        >>> loss = zero_one(3)
        >>> regions = ExchangedRegions(list(zip(*loss.entries)), argmax(crammer_singer(3), loss))
        >>> regions.by(0, 1, ((0, 1, 1), (1, 0, 1)))
        {(0, 0): (1, 0), (1, 0): (0, 0), (2, 0): (2, 0)}
        >>> regions.by(0, 1, ()) is None
        True
        """
        target, (numbers, places) = targets(moves), self._indexed
        image = [numbers.get(composed(row, target), -1) for row in numbers]
        found = {}
        for (column, inside, on), place in places.items():
            moved, tied = (frozenset(image[i] for i in rows) for rows in (inside, on))
            key = exchanged(column, x, y), moved, tied
            if key not in places:
                return None
            found[place] = places[key]
        return found if len({*found.values()}) == len(found) == self._count else None

    def orbits(self, symmetry: Symmetry) -> Orbits:
        """The polyhedra that are exchanged with each other, for a symmetry that the pred shares."""
        found = []
        for block, maps in zip(symmetry.blocks, symmetry.maps, strict=True):
            for (x, y), moves in zip(pairwise(block), maps, strict=True):
                by = self.by(x, y, moves)
                assert by is not None
                found.append((x, y, by))
        return Orbits(tuple(sorted(self._indexed[1].values())), tuple(found))

    @cached_property
    def _indexed(self) -> tuple[dict[Piece, int], dict[_Key, Place]]:
        """The rows that occur, each with a number; and where each polyhedron is, by its column and its rows."""
        numbers: dict[Piece, int] = {}
        known: dict[int, int] = {}  # polyhedra share rows, as objects
        places: dict[_Key, Place] = {}
        for t, region in enumerate(self.pred.regions):
            for i, piece in enumerate(region):
                for row in piece.rows:
                    if id(row) not in known:
                        known[id(row)] = numbers.setdefault(sparse_piece(row), len(numbers))
                inside, on = (
                    frozenset(known[id(row)] for row in rows) for rows in (piece.inequalities, piece.equations)
                )
                places[tuple(self.columns[t]), inside, on] = t, i
        return numbers, places

    @property
    def _count(self) -> int:
        return sum(map(len, self.pred.regions))


@dataclass(frozen=True)
class Orbits:
    """For each exchange of two labels, how it permutes the polyhedra of a pred."""

    places: tuple[Place, ...]
    exchanges: tuple[tuple[int, int, dict[Place, Place]], ...]

    def representatives(self, p: Sequence[int]) -> set[Place]:
        """One polyhedron for each kind at p: those that exchanges of labels with equal p_y take to each other.

        On all of one kind p·ψ has the same least value: Au ∈ P′ for u ∈ P, and p·ψ(Au) = p·ψ(u).
        """
        moves = [by for x, y, by in self.exchanges if p[x] == p[y]]
        found, seen = set(), set[Place]()
        for place in self.places:
            if place not in seen:
                found.add(place)
                seen |= _orbit(place, moves)
        return found


def _orbit(place: Place, moves: Iterable[dict[Place, Place]]) -> set[Place]:
    found, new = {place}, [place]
    while new:
        each = new.pop()
        for by in moves:
            if by[each] not in found:
                found.add(by[each])
                new.append(by[each])
    return found


def scores_of_labels(symmetry: Symmetry, dim: int) -> tuple[Affine, ...]:
    """For each label y an affine function f_y of u; maps that exchange labels exchange these: f_s(y)(Au) = f_y(u).

    So every u has an image under the maps at which they fall within each block, and regions that are exchanged cover
    all u if they cover those. They are coordinates where each map exchanges two of them; where this is not so, 0.

    >>> symmetry = Symmetry(((0, 1), (2,)), ((((1, 2, 1), (2, 1, 1)),), ()))
    >>> [[int(x) for x in f] for f in scores_of_labels(symmetry, 3)]
    [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    """
    nothing = (Fraction(0),) * (dim + 1)
    labels = sorted(y for block in symmetry.blocks for y in block)
    found = dict.fromkeys(labels, nothing)
    for block, maps in zip(symmetry.blocks, symmetry.maps, strict=True):
        places = _chain(maps)
        if places is not None:
            found |= {
                y: (*nothing[: i + 1], Fraction(1), *nothing[i + 2 :]) for y, i in zip(block, places, strict=True)
            }
    exchanges = [
        (x, y, targets(moves))
        for block, maps in zip(symmetry.blocks, symmetry.maps, strict=True)
        for (x, y), moves in zip(pairwise(block), maps, strict=True)
    ]
    for x, y, target in exchanges:
        other = {**found, x: found[y], y: found[x]}
        if any(composed(sparse_piece(other[z]), target) != sparse_piece(found[z]) for z in labels):
            return (nothing,) * len(labels)
    return tuple(found[y] for y in labels)


def _chain(maps: Sequence[Moves]) -> list[int] | None:
    """Coordinates of which each map exchanges two neighbours, and does nothing else; None if there are none."""
    swaps = [{i, j} for moves in maps for i, j, sign in moves[:1] if sorted(moves) == [(i, j, 1), (j, i, 1)] and i < j]
    if not maps or len(swaps) != len(maps):
        return None
    first = min(swaps[0] - swaps[1]) if len(swaps) > 1 and len(swaps[0] - swaps[1]) == 1 else min(swaps[0])
    chain = [first]
    for swap in swaps:
        if chain[-1] not in swap:
            return None
        chain.append(min(swap - {chain[-1]}))
    return chain if len({*chain}) == len(chain) else None
