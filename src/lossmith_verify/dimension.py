"""Claim "ccdim at least" about a matrix.

`{"points": [[p]], "columns": [t₀, t₁, …, t_d], "alone": [], "modulus": m}`: p is a distribution at
which all predictions of `columns` are optimal, and the differences ℓ_{t_j} − ℓ_{t_0} on the labels
of positive probability, in integers, are linearly independent modulo m: elimination finds a pivot
that is a unit for each of them, so that a determinant is a unit, and not 0. Then CCdim ≥ d: the
feasible subspace bound (`thm:ccdim-lower-bound`) at p is affdim(L[S, T]) for the support S and the
optimal predictions T, which is at least d. That some of them may be redundant does not matter: if
t is redundant, a convex combination of the columns of others is nowhere larger than ℓ_t. If t is
optimal at p, they agree on the support of p, and those others are optimal, too.

Or `points` are three lists of n − 1 distributions each, and `columns` are four that are pairwise
different as columns of L: t and s₁, s₂, s₃. For each of them there is a distribution in `alone` at
which it is better than every prediction with another column: so none of them is redundant. At all
points of list i, t and s_i are optimal, and the points of a list are linearly independent modulo
m: they span the hyperplane p·(ℓ_{s_i} − ℓ_t) = 0, so the cells of t and s_i meet in a set of
dimension n − 2. Then CCdim ≥ 2, as no surrogate on the line is calibrated
(`ge_two_of_not_orderable`).
"""

from typing import Any

from lossmith_verify.arithmetic import independent, integral, price, spend
from lossmith_verify.inputs import Loss, distribution, regrets
from lossmith_verify.reading import Vector, index, listed, places, record, require


def at_least(loss: Loss, evidence: Any) -> int:
    """Return the bound that is proved."""
    table = record(evidence, "evidence", "points columns alone modulus")
    k, path = len(loss.columns), "evidence.columns"
    columns = [index(t, at, k) for at, t in places(table["columns"], path, None, 1)]
    spend(5 * len(loss.entries) * len(columns) * price(loss.bits))
    require(len({loss.columns[t] for t in columns}) == len(columns), path, "a column comes twice")
    modulus = index(table["modulus"], "evidence.modulus")
    if listed(table["alone"], "evidence.alone"):
        require(len(columns) == 4, path, f"expected 4 entries, not {len(columns)}")
        return by_neighbours(loss, columns, table, modulus)
    ((at, group),) = places(table["points"], "evidence.points", 1)
    (value,) = listed(group, at, 1)
    p = optimal_point(loss, value, f"{at}[0]", columns)
    first, *others = (loss.columns[t] for t in columns)
    support = [y for y, x in enumerate(p) if x]
    independent(({y: x[y] - first[y] for y in support} for x in others), modulus, at)
    return len(others)


def by_neighbours(loss: Loss, columns: list[int], table: Any, modulus: int) -> int:
    """Check that a cell meets three others in full sections of Δ, and return 2."""
    n = len(loss.entries)
    for t, (at, value) in zip(columns, places(table["alone"], "evidence.alone", 4)):
        lost = regrets(loss, distribution(value, at, n))
        best = {loss.columns[s] for s, above in enumerate(lost) if not above}
        require(best == {loss.columns[t]}, at, f"prediction {t} is not the only optimal one")
    for s, (at, group) in zip(columns[1:], places(table["points"], "evidence.points", 3)):
        pair, given = [columns[0], s], places(group, at, n - 1)
        points = [optimal_point(loss, value, path, pair) for path, value in given]
        independent((dict(enumerate(integral(p))) for p in points), modulus, at)
    return 2


def optimal_point(loss: Loss, value: Any, path: str, columns: list[int]) -> Vector:
    """Read a distribution at which some predictions are optimal."""
    p = distribution(value, path, len(loss.entries))
    lost = regrets(loss, p)
    for t in columns:
        require(not lost[t], path, f"prediction {t} is not optimal")
    return p
