"""Linear equations over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul

from flint import fmpq_mat, fmpz_mat

from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import row_basis
from lossmith.exact.rational import over_common_denominator


def combination(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """Numbers x with Σ x_i columns_i = target; None if the target is not in the span.

    >>> combination([[Fraction(1), Fraction(1)], [Fraction(0), Fraction(2)]], [Fraction(1), Fraction(0)])
    (Fraction(1, 1), Fraction(-1, 2))
    """
    size = len(columns)
    rows = [over_common_denominator([*row, right])[0] for *row, right in zip(*columns, target, strict=True)]
    reduced, denominator, rank = fmpz_mat([list(row) for row in rows]).rref()
    solution, column = [Fraction(0)] * size, 0
    for row in reduced.tolist()[:rank]:
        while not row[column]:
            column += 1
        if column == size:
            return None
        solution[column] = Fraction(int(row[size]), int(denominator))
    return tuple(solution)


def combinations(
    columns: Sequence[Sequence[Fraction]], targets: Sequence[Sequence[int]]
) -> list[tuple[Fraction, ...] | None]:
    """For each of many integer targets, numbers x with Σ x_i columns_i = target, or None: `combination`, all at once.

    Independent rows and columns give a square system, solved for all targets; the other rows are then compared.

    >>> combinations([[Fraction(1, 2), Fraction(1, 2)]], [[1, 1], [1, 0]])
    [(Fraction(2, 1),), None]
    """
    scaled, scales = zip(*(over_common_denominator(column) for column in columns), strict=True)
    chosen = row_basis(integer_matrix(scaled))
    if not chosen:
        return [(Fraction(0),) * len(columns) if not any(target) else None for target in targets]
    used = integer_matrix([scaled[i] for i in chosen])
    rows = row_basis(used.transpose())
    wanted = integer_matrix(targets)
    system = fmpz_mat([[int(used[i, y]) for i in range(len(chosen))] for y in rows])
    right = fmpz_mat([[target[y] for target in targets] for y in rows])
    solved = fmpq_mat(system).solve(fmpq_mat(right))
    numerators, denominator = solved.numer_denom()
    reached = numerators.transpose() * used
    weights = numerators.transpose().tolist()
    found: list[tuple[Fraction, ...] | None] = []
    for line, left, goal in zip(weights, reached.tolist(), wanted.tolist(), strict=True):
        if left != [denominator * x for x in goal]:
            found.append(None)
            continue
        x = [Fraction(0)] * len(columns)
        for i, value in zip(chosen, line, strict=True):
            x[i] = Fraction(int(value) * scales[i], int(denominator))
        found.append(tuple(x))
    return found


def null_space(rows: Sequence[Sequence[Fraction] | Sequence[int]], size: int) -> tuple[tuple[int, ...], ...]:
    """A basis, in integers, of the vectors of this size that are orthogonal to all rows.

    >>> null_space([[Fraction(1), Fraction(1, 2)]], 2), null_space([], 1)
    (((1, -2),), ((1,),))
    """
    if not rows:
        return tuple(tuple(int(i == j) for j in range(size)) for i in range(size))
    basis, rank = fmpz_mat([over_common_denominator([*map(Fraction, row)])[0] for row in rows]).nullspace()
    return tuple(tuple(map(int, vector)) for vector in list(zip(*basis.tolist(), strict=True))[:rank])


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
    cleared, denominator = over_common_denominator(rest)
    try:
        table = fmpz_mat([[rows[i].get(j, 0) for j in columns] for i in left])
        solved = table.solve(fmpz_mat([[x] for x in cleared]))
    except ZeroDivisionError:
        return False
    found.update(
        (j, Fraction(int(x.p), int(x.q) * denominator)) for j, x in zip(columns, solved.entries(), strict=True)
    )
    return True


def annihilator(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> tuple[int, ...] | None:
    """An integer vector v that is orthogonal to the columns and not to the target; None if the target is in their span.

    >>> v = annihilator([[Fraction(1), Fraction(1)]], [Fraction(1), Fraction(0)])
    >>> sum(v), v[0] != 0
    (0, True)
    """
    for vector in null_space(columns, len(target)):
        if sum(map(mul, vector, target), Fraction(0)):
            return vector
    return None
