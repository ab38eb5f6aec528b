"""A second implementation of the mathematical core, slow and meant to be obviously right.

Only the standard library, only definitions: cells are cut out by trying every choice of tight constraints, ranks come
from elimination over fractions, redundancy and adjacency are read off the definitions. Matrices are sequences of rows;
rows are labels, columns are predictions; loss matrices are tuples of tuples. It shares no line with lossmith.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import gcd, lcm

Number = Fraction | int
Vector = tuple[Fraction, ...]
Matrix = Sequence[Sequence[Number]]


# Linear algebra.


def dot(a: Sequence[Number], b: Sequence[Number]) -> Fraction:
    assert len(a) == len(b)
    return sum((x * y for x, y in zip(a, b) if x and y), Fraction(0))


def eliminate(rows: Matrix) -> tuple[list[list[Fraction]], list[int]]:
    """Gauss–Jordan: the reduced rows that are not zero, and the column of each one's leading 1."""
    work = [[Fraction(x) for x in row] for row in rows]
    leading: list[int] = []
    for column in range(len(work[0]) if work else 0):
        done = len(leading)
        pivot = next((i for i in range(done, len(work)) if work[i][column] != 0), None)
        if pivot is None:
            continue
        work[done], work[pivot] = work[pivot], work[done]
        work[done] = [x / work[done][column] for x in work[done]]
        for i, row in enumerate(work):
            if i != done and row[column] != 0:
                work[i] = [x - row[column] * y if y else x for x, y in zip(row, work[done])]
        leading.append(column)
    return work[: len(leading)], leading


def rank(rows: Matrix) -> int:
    return len(eliminate(rows)[1])


def affine_dimension(points: Sequence[Sequence[Number]]) -> int:
    """The dimension of the affine hull of the points; −1 if there are none."""
    if not points:
        return -1
    return rank([[x - y for x, y in zip(point, points[0])] for point in points[1:]])


def only_solution(rows: Matrix, right: Sequence[Number]) -> Vector | None:
    """The x with rows·x = right if there is exactly one, else None."""
    unknowns = len(rows[0])
    reduced, leading = eliminate([[*row, b] for row, b in zip(rows, right)])
    if leading != list(range(unknowns)):
        return None
    return tuple(row[unknowns] for row in reduced)


def transpose(matrix: Matrix) -> list[tuple[Number, ...]]:
    return list(zip(*matrix))


def primitive(row: Sequence[Number]) -> tuple[int, ...]:
    """The smallest integer row that is a positive multiple of this one."""
    denominator = lcm(*(Fraction(x).denominator for x in row))
    whole = [int(x * denominator) for x in row]
    divisor = gcd(*whole) or 1
    return tuple(x // divisor for x in whole)


def normalised(weights: Sequence[Number]) -> Vector:
    total = Fraction(sum(weights))
    return tuple(x / total for x in weights)


# Loss matrices.


def risks(matrix: Matrix, p: Sequence[Number]) -> list[Fraction]:
    return [dot(p, column) for column in transpose(matrix)]


def argmin(matrix: Matrix, p: Sequence[Number]) -> tuple[int, ...]:
    values = risks(matrix, p)
    return tuple(t for t, value in enumerate(values) if value == min(values))


def affdim(matrix: Matrix) -> int:
    return affine_dimension(transpose(matrix))


def defining_rows(matrix: Matrix, t: int) -> list[tuple[Number, ...]]:
    """Rows a such that Q_t = {p : Σ p = 1, a·p ≥ 0 for all a}: p_y ≥ 0 for all y, p·ℓ_s ≥ p·ℓ_t for all s ≠ t."""
    n, columns = len(matrix), transpose(matrix)
    corners = [tuple(int(y == z) for z in range(n)) for y in range(n)]
    return corners + [tuple(a - b for a, b in zip(columns[s], columns[t])) for s in range(len(columns)) if s != t]


@lru_cache(maxsize=1000)
def cell_vertices(matrix: Matrix, t: int) -> tuple[Vector, ...]:
    """The vertices of Q_t, sorted: every feasible point that n − 1 of its constraints and Σ p = 1 determine."""
    n, rows = len(matrix), sorted(set(defining_rows(matrix, t)))
    found = set()
    for tight in combinations(rows, n - 1):
        p = only_solution([*tight, (1,) * n], [0] * (n - 1) + [1])
        if p is not None and all(dot(row, p) >= 0 for row in rows):
            found.add(p)
    return tuple(sorted(found))


def is_redundant(matrix: Matrix, t: int) -> bool:
    """Whether Q_t has not full dimension, or an earlier column is the same."""
    columns = transpose(matrix)
    return columns[t] in columns[:t] or affine_dimension(cell_vertices(matrix, t)) < len(matrix) - 1


def kept_predictions(matrix: Matrix) -> tuple[int, ...]:
    return tuple(t for t in range(len(matrix[0])) if not is_redundant(matrix, t))


def facets(matrix: Matrix, t: int) -> tuple[tuple[int, ...], ...]:
    """The inequalities of Q_t that are tight on n − 1 affinely independent vertices, primitive, sorted."""
    n, vertices = len(matrix), cell_vertices(matrix, t)
    tight = {row: [p for p in vertices if dot(row, p) == 0] for row in defining_rows(matrix, t) if any(row)}
    return tuple(sorted({primitive(row) for row, points in tight.items() if affine_dimension(points) == n - 2}))


def are_neighbours(matrix: Matrix, t: int, s: int) -> bool:
    """Whether Q_t and Q_s share n − 1 affinely independent vertices."""
    shared = set(cell_vertices(matrix, t)) & set(cell_vertices(matrix, s))
    return affine_dimension(sorted(shared)) == len(matrix) - 2


# Convex hulls and linear programs.


def in_hull(x: Sequence[Number], points: Iterable[Sequence[Number]]) -> bool:
    """Carathéodory: whether x is a convex combination of affinely independent points among these."""
    candidates = sorted({tuple(point) for point in points})
    if tuple(x) in candidates:
        return True
    for size in range(2, min(len(candidates), len(x) + 1) + 1):
        for chosen in combinations(candidates, size):
            weights = only_solution([*transpose(chosen), (1,) * size], [*x, 1])
            if weights is not None and min(weights) >= 0:
                return True
    return False


def extreme_points(points: Iterable[Sequence[Number]]) -> tuple[Vector, ...]:
    """The vertices of the convex hull, sorted: the points that are not in the hull of the others."""
    distinct = {tuple(map(Fraction, point)) for point in points}
    return tuple(sorted(x for x in distinct if not in_hull(x, distinct - {x})))


def program_vertices(inequalities: Matrix, equations: Matrix = ()) -> set[Vector]:
    """The vertices of {x : b + a·x ≥ 0 for rows (b, a), b + a·x = 0 for equations}."""
    rows = [*inequalities, *equations]
    size = len(rows[0]) - 1
    found = set()
    for tight in combinations(rows, size):
        x = only_solution([row[1:] for row in tight], [-row[0] for row in tight])
        if x is None or any(row[0] + dot(row[1:], x) != 0 for row in equations):
            continue
        if all(row[0] + dot(row[1:], x) >= 0 for row in inequalities):
            found.add(x)
    return found


def program_maximum(objective: Sequence[Number], inequalities: Matrix, equations: Matrix = ()) -> Fraction | None:
    """The largest value of a linear program whose feasible set is bounded; None if it is empty."""
    return max((dot(objective, x) for x in program_vertices(inequalities, equations)), default=None)
