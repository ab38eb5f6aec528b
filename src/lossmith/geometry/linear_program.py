"""Linear programs over the rationals: floating point guesses a basis, exact arithmetic proves it.

A guessed basis is accepted only if its point satisfies every row and its multipliers prove it optimal, all in
rationals. Otherwise, and for small programs, the exact simplex method decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any

from flint import fmpz_mat

from lossmith.geometry import exact_simplex
from lossmith.geometry.double_description import Row
from lossmith.geometry.exact_simplex import Optimum, Unbounded

__all__ = ["Optimum", "Unbounded", "maximize"]

# Up to here the exact simplex method is faster than a guess and its proof (measured on largest-margin programs).
_SMALL = 15


def maximize(objective: Sequence[int], inequalities: Sequence[Row], equations: Sequence[Row] = ()) -> Optimum | None:
    """Maximise c·x subject to b + a·x ≥ 0 for rows (b, a), b + a·x = 0 for equations; None if nothing satisfies them.

    Raises `Unbounded` if there is no largest value.

    >>> maximize([1, 1], [(4, -2, -1), (4, -1, -2), (0, 1, 0), (0, 0, 1)])
    Optimum(value=Fraction(8, 3), point=(Fraction(4, 3), Fraction(4, 3)))
    """
    if len(objective) > _SMALL:
        proved = _guessed_and_proved(objective, inequalities, equations)
        if proved is not None:
            return proved
    return exact_simplex.maximize(objective, inequalities, equations)


def _guessed_and_proved(
    objective: Sequence[int], inequalities: Sequence[Row], equations: Sequence[Row]
) -> Optimum | None:
    from lossmith.geometry.float_lp import guess_maximum

    guess = guess_maximum(objective, inequalities, equations)
    if guess is None or len(guess.active) != len(objective):
        return None
    rows = [*inequalities, *equations]
    basis = fmpz_mat([list(rows[i][1:]) for i in guess.active])
    try:
        point = _column(basis.solve(fmpz_mat([[-rows[i][0]] for i in guess.active])))
        # c = −Σ m_i a_i with m_i ≥ 0 on the active inequalities: then c·x ≤ Σ m_i b_i wherever the rows hold.
        multipliers = _column(basis.transpose().solve(fmpz_mat([[-c] for c in objective])))
    except ZeroDivisionError:
        return None
    if any(m < 0 for i, m in zip(guess.active, multipliers, strict=True) if i < len(inequalities)):
        return None
    values = [row[0] + sum(map(mul, row[1:], point), Fraction(0)) for row in rows]
    if min(values[: len(inequalities)], default=0) < 0 or any(values[len(inequalities) :]):
        return None
    return Optimum(sum(map(mul, objective, point), Fraction(0)), point)


def _column(solution: Any) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(entry.p), int(entry.q)) for entry in solution.entries())
