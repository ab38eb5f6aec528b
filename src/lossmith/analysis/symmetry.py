"""Interchangeable labels: blocks of labels that a loss and a surrogate do not tell apart.

Labels y and z are *interchangeable* for a loss if exchanging rows y and z leaves the set of its columns as it is; for
a surrogate if there is a map A of u, here a permutation of coordinates with signs, such that ψ_y(u) = ψ_z(Au),
ψ_z(u) = ψ_y(Au), ψ_x(u) = ψ_x(Au) for all other labels x, and A maps C into itself. Either is an equivalence: to
exchange x and z is to exchange x and y, then y and z, then x and y. Its classes are the *blocks*. Maps are guessed, and
tested on the pieces and the domain; what is returned holds exactly.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from lossmith.exact.vectors import Row
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import Affine, sparse

Block: TypeAlias = tuple[int, ...]
Moves: TypeAlias = tuple[tuple[int, int, int], ...]
Piece: TypeAlias = tuple[Fraction, tuple[tuple[int, Fraction], ...]]  # b, and (i, a_i) for those that are not 0


@dataclass(frozen=True)
class Symmetry:
    """Blocks, which divide the labels, and for neighbours in a block a map of u that exchanges them.

    `maps[b][i]` belongs to the labels i and i + 1 of block b. Its entries (i, j, sign) stand for (Au)_i = sign · u_j;
    coordinates that are not listed stay.
    """

    blocks: tuple[Block, ...]
    maps: tuple[tuple[Moves, ...], ...]


def interchangeable_labels(columns: Iterable[Sequence[int]]) -> tuple[Block, ...]:
    """The blocks of a loss, given by its columns.

    >>> from lossmith.losses import hierarchical, zero_one
    >>> interchangeable_labels(zero_one(4).rational.integer_columns())
    ((0, 1, 2, 3),)
    >>> tree = {"pet": {"cat": {}, "dog": {}}, "plant": {"oak": {}, "ash": {}}}
    >>> interchangeable_labels(hierarchical(tree).rational.integer_columns())
    ((0, 1), (2, 3))
    """
    distinct = {tuple(column) for column in columns}
    kinds: dict[Row, int] = {}
    with_kind = [(column, kinds.setdefault(tuple(sorted(column)), len(kinds))) for column in distinct]
    rows = range(len(next(iter(distinct))))
    coloured: dict[object, list[list[int]]] = defaultdict(list)  # labels of other colours are not interchangeable
    for y in rows:
        blocks = coloured[tuple(sorted((column[y], kind) for column, kind in with_kind))]
        for block in blocks:
            x = block[-1]
            if all(column[x] == column[y] or exchanged(column, x, y) in distinct for column in distinct):
                block.append(y)
                break
        else:
            blocks.append([y])
    return tuple(sorted(tuple(block) for blocks in coloured.values() for block in blocks))


def shared_symmetry(
    surrogate: PolyhedralSurrogate,
    blocks: Iterable[Block],
    shares: Callable[[int, int, Moves], bool] = lambda x, y, moves: True,
) -> Symmetry:
    """The blocks of a loss, divided into those that the surrogate shares, with maps that prove it.

    `shares` tells whether something else, such as a pred, does not tell labels x and y apart either, by the same map.

    >>> from lossmith.surrogates import crammer_singer
    >>> shared_symmetry(crammer_singer(3), [(0, 1, 2)])
    Symmetry(blocks=((0, 1, 2),), maps=((((0, 1, 1), (1, 0, 1)), ((1, 2, 1), (2, 1, 1))),))
    """
    exchanges = _Exchanges(surrogate)
    found: list[tuple[list[int], list[Moves]]] = []
    for block in blocks:
        shared: list[tuple[list[int], list[Moves]]] = []
        for y in block:
            for members, maps in shared:
                moves = exchanges.of(members[-1], y)
                if moves is not None and shares(members[-1], y, moves):
                    members.append(y)
                    maps.append(moves)
                    break
            else:
                shared.append(([y], []))
        found += shared
    return Symmetry(tuple(tuple(members) for members, _ in found), tuple(tuple(maps) for _, maps in found))


def exchanged(column: Row, x: int, y: int) -> Row:
    """The column with two entries exchanged."""
    changed = list(column)
    changed[x], changed[y] = column[y], column[x]
    return tuple(changed)


@dataclass(frozen=True)
class _Exchanges:
    """Guesses maps of u that exchange two labels, and tests them."""

    surrogate: PolyhedralSurrogate

    def of(self, x: int, y: int) -> Moves | None:
        """A map that exchanges labels x and y, or None if none was found."""
        moves = self._guess(x, y)
        return moves if moves is not None and self._exchanges(moves, x, y) else None

    def _guess(self, x: int, y: int) -> Moves | None:
        """Coordinates that look to x as others look to y take their places, with a sign if they look so."""
        moved = [i for i, look in enumerate(self._looks) if look[0][x] != look[0][y]]
        free: dict[Row, list[int]] = defaultdict(list)
        for i in reversed(moved):
            free[self._looks[i][0]].append(i)
        moves = []
        for i in moved:
            for sign, look in zip((1, -1), self._looks[i], strict=True):
                places = free.get(exchanged(look, x, y))
                if places:
                    moves.append((i, places.pop(), sign))
                    break
            else:
                return None
        return tuple(moves)

    def _exchanges(self, moves: Moves, x: int, y: int) -> bool:
        """Whether ψ_y(u) = ψ_x(Au), ψ_x(u) = ψ_y(Au), ψ_w(u) = ψ_w(Au) for other labels w, and AC ⊆ C."""
        target = targets(moves)
        if any({composed(row, target) for row in rows} != rows for rows in self._domain):
            return False
        pieces = {p: self._numbers.get(composed(self._pieces[p], target)) for i in target for p in self._uses[i]}
        touched = {g for i in target for g in self._holders[i]}
        maxima = {g: self._sets.get(frozenset(pieces.get(p, p) for p in self._maxima[g])) for g in touched}
        for w, groups in enumerate(self._groups):
            other = y if w == x else x if w == y else w
            if other != w:
                moved, kept = self._groups[other], groups
            else:  # what is not touched stays
                moved = kept = [g for g in groups if g in maxima]
            if Counter(maxima.get(g, g) for g in moved) != Counter(kept):
                return False
        return True

    @cached_property
    def _domain(self) -> tuple[set[Piece], set[Piece]]:
        return set(map(sparse_piece, self.surrogate.inequalities)), set(map(sparse_piece, self.surrogate.equations))

    @cached_property
    def _numbers(self) -> dict[Piece, int]:
        """The pieces, each with a number."""
        pieces = (sparse_piece(piece) for maximum in self.surrogate.maxima for piece in maximum)
        return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}

    @cached_property
    def _pieces(self) -> list[Piece]:
        return list(self._numbers)

    @cached_property
    def _sets(self) -> dict[frozenset[int | None], int]:
        """The maxima as sets of pieces, each with a number."""
        return {pieces: number for number, pieces in enumerate(dict.fromkeys(self._as_sets))}

    @cached_property
    def _as_sets(self) -> list[frozenset[int | None]]:
        return [frozenset(self._numbers[sparse_piece(piece)] for piece in maximum) for maximum in self.surrogate.maxima]

    @cached_property
    def _maxima(self) -> list[frozenset[int]]:
        return list(self._sets)  # type: ignore[arg-type]

    @cached_property
    def _groups(self) -> list[list[int]]:
        """For each label, the numbers of its maxima."""
        return [[self._sets[self._as_sets[g]] for g in groups] for groups in self.surrogate.groups]

    @cached_property
    def _uses(self) -> list[list[int]]:
        """For each coordinate, the pieces that depend on it."""
        uses: list[list[int]] = [[] for _ in range(self.surrogate.dim)]
        for number, (_, slopes) in enumerate(self._pieces):
            for i, _ in slopes:
                uses[i].append(number)
        return uses

    @cached_property
    def _holders(self) -> list[list[int]]:
        """For each coordinate, the maxima that depend on it."""
        holders: list[list[int]] = [[] for _ in range(self.surrogate.dim)]
        for g, pieces in enumerate(self._maxima):
            for i in {i for p in pieces for i, _ in self._pieces[p][1]}:
                holders[i].append(g)
        return holders

    @cached_property
    def _looks(self) -> list[tuple[Row, Row]]:
        """How each coordinate, and its negative, looks to each label, as numbers: where and how it occurs."""
        names: dict[object, int] = {}
        occurrences: list[dict[int, tuple[int, int]]] = []
        for numbers in self._maxima:
            pieces = [self._pieces[p] for p in numbers]
            shape = [(b, tuple(sorted(abs(a) for _, a in slopes))) for b, slopes in pieces]
            frame = names.setdefault(tuple(sorted(shape)), len(names))
            places: dict[int, list[tuple[Fraction, object]]] = defaultdict(list)
            for (_, slopes), kind in zip(pieces, shape, strict=True):
                for i, a in slopes:
                    places[i].append((a, kind))
            both = {}
            for i, seen in places.items():
                kept, turned = (
                    names.setdefault((frame, tuple(sorted((sign * a, kind) for a, kind in seen))), len(names))
                    for sign in (1, -1)
                )
                both[i] = kept, turned
            occurrences.append(both)
        n, dim = self.surrogate.n, self.surrogate.dim
        table: list[list[tuple[list[int], list[int]]]] = [[([], []) for _ in range(n)] for _ in range(dim)]
        for y, groups in enumerate(self._groups):
            for g in groups:
                for i, pair in occurrences[g].items():
                    for seen_by, number in zip(table[i][y], pair, strict=True):
                        seen_by.append(number)

        def numbered(each: Sequence[list[int]]) -> Row:
            return tuple(names.setdefault(tuple(sorted(seen)), len(names)) for seen in each)

        return [(numbered([kept for kept, _ in line]), numbered([turned for _, turned in line])) for line in table]


def targets(moves: Moves) -> dict[int, tuple[int, int]]:
    """For each coordinate i that moves, (j, sign): (Au)_i = sign · u_j."""
    return {i: (j, sign) for i, j, sign in moves}


def sparse_piece(row: Affine) -> Piece:
    """b, and (i, a_i) for those that are not 0."""
    return row[0], tuple((i - 1, a) for i, a in sparse(row) if i)


def composed(piece: Piece, target: dict[int, tuple[int, int]]) -> Piece:
    """The piece at Au, as a function of u; A is a permutation with signs."""
    b, slopes = piece
    if not any(i in target for i, _ in slopes):
        return piece
    moved = [(*target.get(i, (i, 1)), a) for i, a in slopes]
    return b, tuple(sorted((j, sign * a) for j, sign, a in moved))
