"""Linear equations over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from lossmith.exact.matrix import integer_matrix, integer_rows
from lossmith.exact.rank import columns_seen_independent, row_basis
from lossmith.exact.vectors import Row, cleared, over_common_denominator, primitive, rational_dot, unit_rows

_Solution: TypeAlias = tuple[list[int], int]  # numerators over one denominator


def solve(rows: Sequence[Sequence[int]], right: Sequence[int]) -> list[Fraction] | None:
    """The x with rows · x = right; None if the square is singular.

    >>> solve([[2, 0], [1, 1]], [1, 1]), solve([[0]], [1])
    ([Fraction(1, 2), Fraction(1, 2)], None)
    """
    try:
        solved = integer_matrix(rows).solve(integer_matrix([(x,) for x in right]))
    except ZeroDivisionError:
        return None
    return [Fraction(int(x.p), int(x.q)) for x in solved.entries()]


def solve_all(rows: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> tuple[list[list[int]], int]:
    """The X with rows · X = right for a square that is not singular, as integers over their least common denominator.

    >>> solve_all([[2, 0], [1, 1]], [[1, 2], [1, 3]])
    ([[1, 2], [1, 4]], 2)
    """
    numerators, denominator = integer_matrix(rows).solve(integer_matrix(right)).numer_denom()
    return integer_rows(numerators), int(denominator)


def inverse(rows: Sequence[Sequence[int]]) -> tuple[list[list[int]], int]:
    """The inverse of a square that is not singular, as integers over their least common denominator.

    >>> inverse([[2, 0], [1, 1]])
    ([[1, 0], [-1, 2]], 2)
    """
    numerators, denominator = integer_matrix(rows).inv().numer_denom()
    return integer_rows(numerators), int(denominator)


def adjugate(rows: Sequence[Sequence[int]]) -> tuple[list[list[int]], int]:
    """The inverse of a square that is not singular, as integers over the absolute value of its determinant.

    >>> adjugate([[2, 0], [0, 2]])
    ([[2, 0], [0, 2]], 4)
    """
    matrix = integer_matrix(rows)
    numerators, denominator = matrix.inv().numer_denom()
    size = abs(int(matrix.det()))
    return integer_rows(numerators * (size // int(denominator))), size


def echelon(rows: Sequence[Sequence[int]]) -> tuple[list[list[int]], int]:
    """The reduced echelon form without its zero rows, as integers over one positive denominator.

    >>> echelon([(2, 1), (4, 2)])
    ([[2, 1]], 2)
    """
    reduced, denominator, rank = integer_matrix(rows).rref()
    if denominator < 0:
        reduced, denominator = -reduced, -denominator
    return integer_rows(reduced)[:rank], int(denominator)


def combination(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """Numbers x with Σ x_i columns_i = target; None if the target is not in the span.

    >>> combination([[Fraction(1), Fraction(1)], [Fraction(0), Fraction(2)]], [Fraction(1), Fraction(0)])
    (Fraction(1, 1), Fraction(-1, 2))
    """
    size = len(columns)
    reduced, denominator = echelon([cleared(row) for row in zip(*columns, target, strict=True)])
    solution, column = [Fraction(0)] * size, 0
    for row in reduced:
        while not row[column]:
            column += 1
        if column == size:
            return None
        solution[column] = Fraction(row[size], denominator)
    return tuple(solution)


def combinations(
    columns: Sequence[Sequence[Fraction]], targets: Sequence[Sequence[int]], unit: int = 1
) -> list[tuple[Fraction, ...] | None]:
    """For each of many targets, integers over `unit`, numbers x with Σ x_i columns_i = target, or None.

    As `combination` does, all at once; equal numbers share one object.

    >>> combinations([[Fraction(1, 2), Fraction(1, 2)]], [[1, 1], [1, 0]], 3)
    [(Fraction(2, 3),), None]
    """
    whole, scales = zip(*(over_common_denominator(column) for column in columns), strict=True)
    seen: dict[tuple[int, int], Fraction] = {}
    found: list[tuple[Fraction, ...] | None] = []
    for solution in _combinations(whole, targets):
        if solution is None:
            found.append(None)
            continue
        numerators, denominator = solution
        pairs = [(x * scale, denominator) for x, scale in zip(numerators, scales, strict=True)]
        for pair in pairs:
            if pair not in seen:
                seen[pair] = Fraction(pair[0], denominator * unit)
        found.append(tuple([seen[pair] for pair in pairs]))
    return found


def _combinations(columns: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> list[_Solution | None]:
    """The same for integer columns, in integers.

    Columns that are 0 but at one place can wait, and many targets are multiples of one column.
    """
    single: dict[int, int] = {}
    for number, column in enumerate(columns):
        places = [y for y, entry in enumerate(column) if entry]
        if len(places) == 1:
            single.setdefault(places[0], number)
    if single:
        return _beside(columns, single, targets)
    known = {primitive(column): i for i, column in enumerate(columns) if any(column)}
    found: dict[int, _Solution | None] = {}
    for place, target in enumerate(targets):
        i = known.get(primitive(target))
        if i is not None or not any(target):
            x, scale = [0] * len(columns), 1
            if i is not None:
                at = next(y for y, entry in enumerate(target) if entry)
                x[i], scale = target[at], columns[i][at]
            found[place] = x, scale
    left = [place for place in range(len(targets)) if place not in found]
    if left:
        found.update(zip(left, _by_a_square(columns, [targets[place] for place in left]), strict=True))
    return [found[place] for place in range(len(targets))]


def _beside(
    columns: Sequence[Sequence[int]], single: dict[int, int], targets: Sequence[Sequence[int]]
) -> list[_Solution | None]:
    """The same where the column single[y] is 0 but at y: the others need not reach the target there."""
    others = [i for i in range(len(columns)) if i not in set(single.values())]
    rows = [y for y in range(len(columns[0])) if y not in single]
    wanted = [[target[y] for y in rows] for target in targets]
    if others and rows:
        reached = _combinations([[columns[i][y] for y in rows] for i in others], wanted)
    else:
        reached = [None if any(left) else ([0] * len(others), 1) for left in wanted]
    common = lcm(*(columns[i][y] for y, i in single.items()))
    ends = [(i, y, common // columns[i][y]) for y, i in single.items()]
    found: list[_Solution | None] = []
    for target, part in zip(targets, reached, strict=True):
        if part is None:
            found.append(None)
            continue
        x, used = [0] * len(columns), [(i, value) for i, value in zip(others, part[0], strict=True) if value]
        for i, value in used:
            x[i] = value * common
        for i, y, scale in ends:
            x[i] = (target[y] * part[1] - sum([value * columns[j][y] for j, value in used])) * scale
        found.append((x, part[1] * common))
    return found


def _by_a_square(columns: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> list[_Solution | None]:
    """The same by independent rows and columns, solved for all targets; the other rows are then compared."""
    chosen = row_basis(integer_matrix(columns))
    if not chosen:
        return [None] * len(targets)
    used = integer_matrix([columns[i] for i in chosen])
    rows = row_basis(used.transpose())
    system = integer_matrix([[columns[i][y] for i in chosen] for y in rows])
    right = integer_matrix([[target[y] for target in targets] for y in rows])
    numerators, denominator = system.solve(right).numer_denom()
    solved = numerators.transpose()
    goals = integer_matrix(targets) * denominator
    found: list[_Solution | None] = []
    for line, left, goal in zip(integer_rows(solved), (solved * used).tolist(), goals.tolist(), strict=True):
        x = [0] * len(columns)
        for i, value in zip(chosen, line, strict=True):
            x[i] = value
        found.append((x, int(denominator)) if left == goal else None)
    return found


def null_space(rows: Sequence[Sequence[Fraction] | Sequence[int]], size: int) -> tuple[tuple[int, ...], ...]:
    """A basis, in integers, of the vectors of this size that are orthogonal to all rows.

    >>> null_space([[Fraction(1), Fraction(1, 2)]], 2), null_space([], 1)
    (((1, -2),), ((1,),))
    """
    if not rows:
        return tuple(unit_rows(size))
    return tuple(_kernel([cleared(row) for row in rows]))


def primitive_kernel(rows: Sequence[Sequence[int]]) -> list[Row]:
    """The same for integer rows, at least one, in primitive vectors.

    >>> primitive_kernel([(1, 1), (2, 2)])
    [(1, -1)]
    """
    return [primitive(vector) for vector in _kernel(rows)]


def _kernel(rows: Sequence[Sequence[int]]) -> list[Row]:
    matrix = integer_matrix(rows)
    if columns_seen_independent(matrix):
        return []
    basis, count = matrix.nullspace()
    return [tuple([int(basis[i, j]) for i in range(matrix.ncols())]) for j in range(count)]


def sparse_solution(rows: Sequence[dict[int, int]], right: Sequence[int]) -> dict[int, Fraction] | None:
    """The x with Σ_j row_j x_j = right for all rows of a square system without zero rows; None if it is singular.

    Unknowns that occur in one row only are found last, and rows with one unknown first; what is left is solved densely.

    >>> sparse_solution([{0: 2}, {0: 1, 1: 1}], [1, 1])
    {0: Fraction(1, 2), 1: Fraction(1, 2)}
    """
    unknown, users = [set(row) for row in rows], _users(rows)
    found: dict[int, Fraction] = {}
    later, left = list[tuple[int, int]](), set(range(len(rows)))

    def settle(i: int, j: int) -> None:
        rest = sum((a * found[h] for h, a in rows[i].items() if h != j), Fraction(0))
        found[j] = (right[i] - rest) / rows[i][j]

    columns, short = [j for j, used in users.items() if len(used) == 1], [i for i in left if len(unknown[i]) == 1]
    while columns or short:
        if columns:
            j = columns.pop()
            if len(users[j]) != 1:
                continue
            [i] = users[j]
            later.append((i, j))
        else:
            i = short.pop()
            if i not in left or len(unknown[i]) != 1:
                continue
            [j] = unknown[i]
            settle(i, j)
            for other in users[j]:
                unknown[other].discard(j)
                if len(unknown[other]) == 1:
                    short.append(other)
            users[j] = set()
        left.discard(i)
        for h in rows[i]:
            users[h].discard(i)
            if len(users[h]) == 1:
                columns.append(h)
    if not _solve_nucleus(rows, right, sorted(left), unknown, found) or len(found) + len(later) < len(users):
        return None
    for i, j in reversed(later):
        settle(i, j)
    return found


def _users(rows: Sequence[dict[int, int]]) -> dict[int, set[int]]:
    """The rows that each unknown occurs in."""
    users: dict[int, set[int]] = {}
    for i, row in enumerate(rows):
        for j in row:
            users.setdefault(j, set()).add(i)
    return users


def _solve_nucleus(
    rows: Sequence[dict[int, int]],
    right: Sequence[int],
    left: Sequence[int],
    unknown: Sequence[set[int]],
    found: dict[int, Fraction],
) -> bool:
    columns = sorted(set().union(*(unknown[i] for i in left)))
    if len(columns) != len(left):
        return False
    if not left:
        return True
    rest = [right[i] - sum((a * found[h] for h, a in rows[i].items() if h in found), Fraction(0)) for i in left]
    numerators, denominator = over_common_denominator(rest)
    solved = solve([[rows[i].get(j, 0) for j in columns] for i in left], numerators)
    if solved is None:
        return False
    found.update((j, x / denominator) for j, x in zip(columns, solved, strict=True))
    return True


def annihilator(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> tuple[int, ...] | None:
    """An integer vector v that is orthogonal to the columns and not to the target; None if the target is in their span.

    >>> v = annihilator([[Fraction(1), Fraction(1)]], [Fraction(1), Fraction(0)])
    >>> sum(v), v[0] != 0
    (0, True)
    """
    for vector in null_space(columns, len(target)):
        if rational_dot(vector, target):
            return vector
    return None
