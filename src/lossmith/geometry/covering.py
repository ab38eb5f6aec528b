"""Evidence that closed polyhedra cover a polyhedron: a tree of comparisons that one pass verifies.

At a branch some of finitely many affine functions is the largest, so the parts "this one is the largest" cover. A leaf
lies in one of the polyhedra, which combinations of the inequalities on its path and of those of the whole prove. A thin
leaf may be left out: a combination proves that two functions of a branch above it are equal on it, and such ties are
nowhere dense in the whole, while what closed polyhedra leave of it is open in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import gcd
from random import Random
from typing import TypeAlias, TypeVar

from lossmith.errors import TooLarge
from lossmith.exact.solve import null_space
from lossmith.exact.vectors import Row, dot, homogeneous, minus, over_common_denominator, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polyhedron import Polyhedron, value

Point: TypeAlias = tuple[Fraction, ...]
Affine: TypeAlias = tuple[Fraction, ...]  # (b, a) stands for b + a·x
Known: TypeAlias = dict[Row, tuple[Fraction, int, int]]
T = TypeVar("T", int, Fraction)
MOST_NODES, _MANY, _FEW = 20_000, 1200, 12


@dataclass(frozen=True)
class Combination:
    """Multipliers, by number: ≥ 0 on inequalities of the path and of the whole, any on equations of the whole."""

    path: tuple[tuple[int, Fraction], ...] = ()
    inequalities: tuple[tuple[int, Fraction], ...] = ()
    equations: tuple[tuple[int, Fraction], ...] = ()


@dataclass(frozen=True)
class Leaf:
    """Lies in one of the polyhedra: for each of its inequalities, and each equation in both signs, a combination."""

    part: int
    rows: tuple[Combination, ...]


@dataclass(frozen=True)
class Thin:
    """A combination that is constant and at most 0, with a multiplier on the path."""

    combination: Combination


@dataclass(frozen=True)
class Branch:
    """Functions of which one is the largest, and a node for each that may be."""

    by: tuple[Affine, ...]
    parts: tuple[Node, ...]


Node: TypeAlias = Branch | Leaf | Thin


@dataclass(frozen=True)
class Covering:
    """The tree, and a point of the whole at which no two functions of any branch are equal."""

    point: Point
    tree: Node


@dataclass(frozen=True)
class Gap:
    """A point of the whole that lies in none of the polyhedra."""

    point: Point


def covering(whole: Polyhedron, parts: Sequence[Polyhedron]) -> Covering | Gap:
    """A tree which proves that the parts cover the whole, that is not empty, or a point that they leave.

    >>> line, left = Polyhedron(1), Polyhedron(1, ((Fraction(0), Fraction(-1)),))
    >>> covering(line, [left, Polyhedron(1, ((Fraction(-1), Fraction(1)),))])
    Gap(point=(Fraction(1, 2),))
    >>> covering(line, [left, Polyhedron(1, ((Fraction(0), Fraction(1)),))]).tree.by
    ((Fraction(0, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)))
    """
    return _Search(whole, parts).result()


class _Search:
    """Builds the tree: what is left is divided by the rows of a part that meets it in full dimension.

    Rows are integers here, (b, a) up to a positive factor, and points (x₀, x) stand for x/x₀. Points drawn from the
    whole come along: one that satisfies all inequalities of a path strictly saves linear programs.
    """

    def __init__(self, whole: Polyhedron, parts: Sequence[Polyhedron]) -> None:
        inner = whole.inner_point
        if inner is None:
            raise AssertionError("nothing is to be covered")
        self.whole, self.parts, self.nodes = whole, parts, 0
        self.inner = homogeneous(inner)
        self.sides = [_integers(row) for row in whole.rows]
        self.rows = [[_integers(row)[0] for row in both_signs(part)] for part in parts]
        self.walls = [{_wall(row) for row in rows} for rows in self.rows]
        self.directions = [(0, *direction) for direction in null_space([row[1:] for row in whole.flat], whole.dim)]

    def result(self) -> Covering | Gap:
        tree = self.node((), range(len(self.parts)), self.drawn(self.whole, _MANY))
        return tree if isinstance(tree, Gap) else Covering(self.point_without_ties(tree), tree)

    def node(self, path: tuple[Row, ...], left: Sequence[int], points: Sequence[Row]) -> Node | Gap:
        """The node at the end of a path; `left` are the parts that are not known to meet it in ties only."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TooLarge(f"the regions divide the domain into more than {MOST_NODES:,} parts; use fewer pieces")
        thin = None if points else self.thin(path)
        if thin is not None:
            return Thin(thin)
        known = self.known(path)
        rest = Polyhedron(self.whole.dim, (*map(_fractions, path), *self.whole.inequalities), self.whole.equations)
        points = points or self.drawn(rest, _FEW)
        for i in (i for point in points for i in left if all(dot(row, point) > 0 for row in self.rows[i])):
            return self.divided(path, [j for j in left if j != i], i, self.missing(i, path, known, points), points)
        for i in left:
            missing = self.missing(i, path, known, points)
            if not missing or self.parts[i].meet(rest).size == len(self.directions):
                return self.divided(path, [j for j in left if j != i], i, missing, points)
        return Gap(_outside(rest, self.parts, len(self.directions)))

    def divided(
        self, path: tuple[Row, ...], left: Sequence[int], part: int, missing: Sequence[Row], points: Sequence[Row]
    ) -> Node | Gap:
        """A leaf in the part, where none of its rows is missing; else a branch by which of them is least, or none < 0.

        Where the one that is least is at most 0, the part is met in ties only.
        """
        walls = [row for row in missing if 4 * self.shared(row, left) >= 3 * len(left) > 3] if len(missing) > 1 else []
        rows = walls[:1] or missing  # most parts lie on one side of a wall or the other: it divides them best
        functions = self.different([(0,) * (self.whole.dim + 1), *(tuple(-x for x in row) for row in rows)])
        nodes: list[Node] = []
        for i, largest in enumerate(functions):
            ahead = tuple(minus(largest, other) for j, other in enumerate(functions) if j != i)
            if i == 0 and not walls:
                nodes.append(self.leaf(part, path + ahead))
                continue
            inside = [point for point in points if all(dot(row, point) > 0 for row in ahead)]
            node = self.node(path + ahead, left if i else [part, *left], inside)
            if isinstance(node, Gap):
                return node
            nodes.append(node)
        return nodes[0] if len(nodes) == 1 else Branch(tuple(map(_fractions, functions)), tuple(nodes))

    def shared(self, row: Row, left: Sequence[int]) -> int:
        """How many parts have this row, with either sign."""
        wall = _wall(row)
        return sum(wall in self.walls[i] for i in left)

    def leaf(self, part: int, path: tuple[Row, ...]) -> Leaf:
        known, proofs = self.known(path), []
        for row in both_signs(self.parts[part]):
            whole, factor = _integers(row)
            proof = self.proof(whole, path, known)
            assert proof is not None
            proofs.append(_scaled(proof, 1 / factor))
        return Leaf(part, tuple(proofs))

    def missing(self, part: int, path: Sequence[Row], known: Known, points: Sequence[Row]) -> list[Row]:
        """The rows of the part that do not follow from the path: as one of the points shows, or a linear program."""

        def follows(row: Row) -> bool:
            return all(dot(row, point) >= 0 for point in points) and self.proof(row, path, known) is not None

        return [row for row in self.rows[part] if not follows(row)]

    def drawn(self, rest: Polyhedron, count: int) -> list[Row]:
        """Points in the relative interior of the whole or of a rest of it that has the same dimension."""
        assert rest.inner_point is not None
        inner, source, found = homogeneous(rest.inner_point), Random(0), list[Row]()
        rows = [side for row in rest.inequalities if dot(side := _integers(row)[0], inner) > 0]
        share, columns = 1, [[inner[0] * x for x in column] for column in zip(*self.directions, strict=True)]
        while len(found) < count and self.directions:
            start = [8 * share * x for x in inner]
            for _ in range(count // 4):
                steps = [source.randint(-100, 100) for _ in self.directions]
                point = tuple([x + dot(steps, column) for x, column in zip(start, columns)])
                if all(dot(row, point) > 0 for row in rows):
                    found.append(point)
            share *= 4
        return found

    def different(self, functions: Sequence[Row]) -> list[Row]:
        """The functions, but one of each that are equal on the whole."""
        kept: list[Row] = []
        for each in functions:
            if not any(self.vanishes(minus(each, other)) for other in kept):
                kept.append(each)
        return kept

    def vanishes(self, function: Row) -> bool:
        return not any(dot(function, point) for point in (self.inner, *self.directions))

    def point_without_ties(self, tree: Node) -> Point:
        """From the inner point a little in directions of ever larger numbers: ties are finitely many hyperplanes."""
        differences = [minus(f, g) for branch in _branches(tree) for f, g in combinations(branch.by, 2)]
        inner, share, base = tuple(Fraction(x, self.inner[0]) for x in self.inner[1:]), Fraction(1), 3
        while True:
            steps = [base**k for k in range(len(self.directions))]
            moves = [dot(steps, column) for column in zip(*self.directions)][1:] or [0] * self.whole.dim
            point = tuple(x + share * move for x, move in zip(inner, moves, strict=True))
            if self.whole.contains(point) and all(value(each, point) for each in differences):
                return point
            share, base = share / 2, base + 1

    def known(self, path: Sequence[Row]) -> Known:
        """By direction, the inequality of the path or the whole with the least constant: that, its number, its size."""
        found: Known = {}
        for i, row in enumerate((*path, *(side for side, _ in self.sides[: len(self.whole.inequalities)]))):
            if any(row[1:]):
                direction, size = _direction(row)
                constant = Fraction(row[0], size)
                if direction not in found or constant < found[direction][0]:
                    found[direction] = (constant, i, size)
        return found

    def proof(self, row: Row, path: Sequence[Row], known: Known) -> Combination | None:
        """A combination with the coefficients of the row and a constant that is not larger; None if there is none."""
        if not any(row[1:]):
            return Combination() if row[0] >= 0 else None
        direction, size = _direction(row)
        if direction in known and known[direction][0] * size <= row[0]:
            return self.combined(path, {known[direction][1]: Fraction(size, known[direction][2])})
        for first, (constant, i, scale) in known.items():  # a sum of two, as u_i ≥ u_j ≥ u_k
            other = minus(direction, first)
            if other in known and (constant + known[other][0]) * size <= row[0]:
                _, j, last = known[other]
                return self.combined(path, {i: Fraction(size, scale), j: Fraction(size, last)})
        found = self.least(path, row[1:])
        return found[1] if found is not None and found[0] <= row[0] else None

    def thin(self, path: Sequence[Row]) -> Combination | None:
        """A combination which proves that the path leads to ties only, or to nothing."""
        seen: Known = {}
        for i, row in enumerate(path):
            if not any(row[1:]):
                if row[0] <= 0:
                    return self.combined(path, {i: Fraction(1)})
                continue
            direction, size = _direction(row)
            back = tuple(-x for x in direction)
            if back in seen and seen[back][0] + Fraction(row[0], size) <= 0:
                return self.combined(path, {seen[back][1]: Fraction(1, seen[back][2]), i: Fraction(1, size)})
            constant = Fraction(row[0], size)
            if direction not in seen or constant < seen[direction][0]:
                seen[direction] = (constant, i, size)
        found = self.least(path, (0,) * self.whole.dim, total=1) if path else None
        return found[1] if found is not None and found[0] <= 0 else None

    def least(
        self, path: Sequence[Row], gradient: Sequence[int], total: int | None = None
    ) -> tuple[Fraction, Combination] | None:
        """The combination with these coefficients and the least constant, its multipliers on the path of this total."""
        rows = [*path, *(side for side, _ in self.sides)]
        signed, width = len(path) + len(self.whole.inequalities), len(rows)
        equal = [(-x, *(row[c] for row in rows)) for c, x in enumerate(gradient, start=1)]
        if total is not None:
            equal.append((-total, *[1] * len(path), *[0] * (width - len(path))))
        positive = [(0, *row) for row in unit_rows(width)[:signed]]
        best = maximize([-row[0] for row in rows], positive, equal)
        return None if best is None else (-best.value, self.combined(path, dict(enumerate(best.point))))

    def combined(self, path: Sequence[Row], multipliers: Mapping[int, Fraction]) -> Combination:
        """Multipliers of the integer rows, path first, as those of the rows of the whole themselves."""
        size, inequalities = len(path), len(path) + len(self.whole.inequalities)
        kinds: tuple[list[tuple[int, Fraction]], ...] = ([], [], [])
        for i, w in sorted(multipliers.items()):
            if w and i < size:
                kinds[0].append((i, w))
            elif w:
                place, start = (1, size) if i < inequalities else (2, inequalities)
                kinds[place].append((i - start, w * self.sides[i - size][1]))
        return Combination(*map(tuple, kinds))


def both_signs(part: Polyhedron) -> list[Affine]:
    """The rows of all inequalities, then those of the equations, then those of the equations with the other sign."""
    return [*part.rows, *(tuple(-x for x in row) for row in part.equations)]


def _branches(tree: Node) -> Iterator[Branch]:
    if isinstance(tree, Branch):
        yield tree
        for part in tree.parts:
            yield from _branches(part)


def _outside(rest: Polyhedron, parts: Sequence[Polyhedron], size: int) -> Point:
    """A point of `rest`, of this dimension, outside all parts, none of which meets it in more than ties."""
    for part in parts:
        for row in both_signs(part):
            beyond = rest.cut(tuple(-x for x in row))
            inner = beyond.inner_point
            if inner is not None and value(row, inner) < 0 and beyond.size == size:
                rest = beyond
                break
    assert rest.inner_point is not None
    return rest.inner_point


def _direction(row: Row) -> tuple[Row, int]:
    """The coefficients as a primitive vector, and the factor by which they exceed it."""
    size = gcd(*row[1:])
    return tuple(x // size for x in row[1:]), size


def _wall(row: Row) -> Row:
    """The hyperplane on which the row vanishes, the same for all its multiples."""
    size = gcd(*row) * (1 if next((x for x in row if x), 1) > 0 else -1) or 1
    return tuple(x // size for x in row)


def _integers(row: Affine) -> tuple[Row, Fraction]:
    """The row in integers, and the factor that makes it so."""
    numbers, unit = over_common_denominator(row)
    return tuple(numbers), Fraction(unit)


def _fractions(row: Row) -> Affine:
    return tuple(map(Fraction, row))


def _scaled(each: Combination, factor: Fraction) -> Combination:
    def scaled(multipliers: tuple[tuple[int, Fraction], ...]) -> tuple[tuple[int, Fraction], ...]:
        return tuple((i, w * factor) for i, w in multipliers)

    return Combination(scaled(each.path), scaled(each.inequalities), scaled(each.equations))
