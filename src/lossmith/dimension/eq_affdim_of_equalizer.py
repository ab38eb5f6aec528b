"""CCdim(L) = affdim(L) if some p > 0 has the same risk for all predictions: sharper than `thm:tight` by one.

Such a p makes every prediction optimal and every label possible, so that `thm:ccdim-lower-bound` in its sharp form
gives affdim(L), which `thm:ccdim-upper-bound` meets. For columns that are permutations of one another (`cor:col-perm`)
the uniform p is one.
"""

from __future__ import annotations

from fractions import Fraction

from lossmith.dimension.bounds import Bound
from lossmith.dimension.claims import Case
from lossmith.dimension.ge_feasible_subspace import ge_feasible_subspace_at
from lossmith.geometry.linear_program import maximize


def eq_affdim_of_equalizer(case: Case) -> Bound | None:
    """The lower bound affdim(L), or None if no p > 0 has the same risk for all kept predictions.

    >>> from lossmith.losses import hamming, ordinal
    >>> eq_affdim_of_equalizer(Case.of(hamming(2))).value
    2
    >>> eq_affdim_of_equalizer(Case.of(ordinal(3))) is None
    True
    """
    p = _equalizer(case)
    if p is None:
        return None
    return ge_feasible_subspace_at(case, p, _theorem(case))


def _equalizer(case: Case) -> tuple[Fraction, ...] | None:
    n, differences = case.loss.n, case.differences[1:]
    if not any(sum(column) for column in differences):
        return (Fraction(1, n),) * n
    if any(min(column) >= 0 or max(column) <= 0 for column in differences):
        return None  # one prediction is never better than another
    if len(case.basis) >= n - 1:
        return case.balance if case.balance is not None and min(case.balance) > 0 else None
    positive = [(0, *(int(y == x) for x in range(n)), -1) for y in range(n)]
    best = maximize([0] * n + [1], positive, [*((0, *column, 0) for column in differences), (-1, *[1] * n, 0)])
    return best.point[:n] if best is not None and best.value > 0 else None


def _theorem(case: Case) -> str:
    columns = case.loss.matrix.integer_columns()
    permuted = len({tuple(sorted(columns[t])) for t in case.kept}) == 1
    return "equaliser (cor:col-perm)" if permuted else "equaliser (thm:tight)"


def paper_form(bound: Bound) -> Bound:
    """What the paper concludes from the same p: affdim(L) − 1 (`lem:tight`, `thm:tight`, `cor:col-perm`)."""
    name = bound.theorem.replace(" (", ", as in the paper (")
    return Bound("lower", bound.value - 1, name, "the paper's bound is one less", bound.loss, bound.evidence)
