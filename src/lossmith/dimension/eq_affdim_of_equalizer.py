"""CCdim(L) = affdim(L) if some p > 0 has the same risk for all predictions: sharper than `thm:tight` by one.

Such a p makes every prediction optimal and every label possible, so that `thm:ccdim-lower-bound` in its sharp form
gives affdim(L), which `thm:ccdim-upper-bound` meets. For columns that are permutations of one another (`cor:col-perm`)
the uniform p is one.
"""

from __future__ import annotations

from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.dimension.bounds import Bound
from lossmith.dimension.ge_feasible_subspace import ge_feasible_subspace_at
from lossmith.exact.vectors import unit_rows
from lossmith.geometry.linear_program import maximize


def eq_affdim_of_equalizer(facts: Facts) -> Bound | None:
    """The lower bound affdim(L), or None if no p > 0 has the same risk for all kept predictions.

    >>> from lossmith.losses import hamming, ordinal
    >>> eq_affdim_of_equalizer(Facts(hamming(2))).value
    2
    >>> eq_affdim_of_equalizer(Facts(ordinal(3))) is None
    True
    """
    p = _equalizer(facts)
    if p is None:
        return None
    return ge_feasible_subspace_at(facts, p, _theorem(facts))


def _equalizer(facts: Facts) -> tuple[Fraction, ...] | None:
    n, differences = facts.loss.n, facts.differences[1:]
    if not any(sum(column) for column in differences):
        return (Fraction(1, n),) * n
    if any(min(column) >= 0 or max(column) <= 0 for column in differences):
        return None  # one prediction is never better than another
    if len(facts.basis) >= n - 1:
        return facts.balance if facts.balance is not None and min(facts.balance) > 0 else None
    positive = [(0, *row, -1) for row in unit_rows(n)]
    best = maximize([0] * n + [1], positive, [*((0, *column, 0) for column in differences), (-1, *[1] * n, 0)])
    return best.point[:n] if best is not None and best.value > 0 else None


def _theorem(facts: Facts) -> str:
    columns = facts.loss.rational.integer_columns()
    permuted = len({tuple(sorted(columns[t])) for t in facts.kept}) == 1
    return "equaliser (cor:col-perm)" if permuted else "equaliser (thm:tight)"


def paper_form(bound: Bound) -> Bound:
    """What the paper concludes from the same p: affdim(L) − 1 (`lem:tight`, `thm:tight`, `cor:col-perm`)."""
    name = bound.theorem.replace(" (", ", as in the paper (")
    return Bound("lower", bound.value - 1, name, "the paper's bound is one less", bound.loss, bound.evidence)
