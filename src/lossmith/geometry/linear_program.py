"""Linear programs over the rationals: floating point guesses a basis, exact arithmetic proves it.

A guessed basis is accepted only if its point satisfies every row and its multipliers prove it optimal, all in
rationals. Otherwise, and for small programs, the exact simplex method decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from lossmith.exact.solve import sparse_solution
from lossmith.exact.vectors import Row, rational_dot
from lossmith.geometry import exact_simplex
from lossmith.geometry.exact_simplex import Optimum, Unbounded

__all__ = ["Optimum", "Sparse", "Unbounded", "maximize"]

# Up to here the exact simplex method is faster than a guess and its proof (measured on largest-margin programs).
SMALL = 15


class Sparse(NamedTuple):
    """The row b + Σ a_j x_j by its constant and the pairs (j, a_j) that are not zero."""

    constant: int
    terms: tuple[tuple[int, int], ...]

    def at(self, point: Sequence[Fraction]) -> Fraction:
        """Its value at a point."""
        return sum((a * point[j] for j, a in self.terms), Fraction(self.constant))


def maximize(
    objective: Sequence[int], inequalities: Sequence[Row | Sparse], equations: Sequence[Row | Sparse] = ()
) -> Optimum | None:
    """Maximise c·x subject to b + a·x ≥ 0 for rows (b, a), b + a·x = 0 for equations; None if nothing satisfies them.

    Raises `Unbounded` if there is no largest value.

    >>> maximize([1, 1], [(4, -2, -1), (4, -1, -2), (0, 1, 0), (0, 0, 1)])
    Optimum(value=Fraction(8, 3), point=(Fraction(4, 3), Fraction(4, 3)))
    """
    if len(objective) > SMALL:
        proved = guessed_and_proved(objective, inequalities, equations)
        if proved is not None:
            return proved
    above, equal = ([_dense(row, len(objective)) for row in rows] for rows in (inequalities, equations))
    return exact_simplex.maximize(objective, above, equal)


def _sparse(row: Row | Sparse) -> Sparse:
    return row if isinstance(row, Sparse) else Sparse(row[0], tuple((j, a) for j, a in enumerate(row[1:]) if a))


def guessed_and_proved(
    objective: Sequence[int], inequalities: Sequence[Row | Sparse], equations: Sequence[Row | Sparse]
) -> Optimum | None:
    from lossmith.geometry.float_lp import guess_maximum

    above, equal = [*map(_sparse, inequalities)], [*map(_sparse, equations)]
    guess = guess_maximum(objective, above, equal)
    if guess is None or len(guess.active) + len(guess.free) != len(objective):
        return None
    rows = [*above, *equal]
    free = set(guess.free)
    basis = [{j: a for j, a in rows[i].terms if j not in free} for i in guess.active]
    found = sparse_solution(basis, [-rows[i].constant for i in guess.active])
    # c = −Σ m_i a_i with m_i ≥ 0 on the active inequalities: then c·x ≤ Σ m_i b_i wherever the rows hold.
    columns: dict[int, dict[int, int]] = {j: {} for j in range(len(objective)) if j not in free}
    for position, row in enumerate(basis):
        for j, a in row.items():
            columns[j][position] = a
    multipliers = sparse_solution(list(columns.values()), [-objective[j] for j in columns])
    if found is None or multipliers is None:
        return None
    point = tuple(found.get(j, Fraction(0)) for j in range(len(objective)))
    left = dict.fromkeys(free, Fraction(0))
    for position, i in enumerate(guess.active):
        if i < len(above) and multipliers[position] < 0:
            return None
        for j, a in rows[i].terms:
            if j in left:
                left[j] += multipliers[position] * a
    if any(value != -objective[j] for j, value in left.items()):
        return None
    if any(row.at(point) < 0 for row in above) or any(row.at(point) for row in equal):
        return None
    return Optimum(rational_dot(objective, point), point)


def _dense(row: Row | Sparse, width: int) -> Row:
    if not isinstance(row, Sparse):
        return row
    terms = dict(row.terms)
    return (row.constant, *(terms.get(j, 0) for j in range(width)))
