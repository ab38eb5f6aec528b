"""CCdim(L) ≥ |S| − 1 at every vertex of the Bayes polyhedron whose distribution p has the support S.

For p is the only distribution on S at which its optimal predictions T have equal risks: the ℓ_t − ℓ_s on S, for t, s in
T, have rank |S| − 1, and the bound affdim(L[S, T]) of `ge_feasible_subspace` is this rank. One good vertex is enough,
where there are too many faces to look at. Floats climb to vertices with many labels (`geometry.float_climbing`);
p is then solved for, and its bound proved, in rationals.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.dimension.bounds import Bound
from lossmith.dimension.ge_feasible_subspace import ge_feasible_subspace_at
from lossmith.exact.matrix import integer_matrix


def ge_vertex_support(facts: Facts, above: int, enough: int, *, steps: int, seed: int = 0) -> Iterator[Bound]:
    """Bounds, each larger than `above` and than the one before, until one is `enough` or the steps are used up.

    >>> from lossmith.losses import hamming
    >>> [bound.value for bound in ge_vertex_support(Facts(hamming(3)), 1, 3, steps=50)]
    [3]
    """
    from lossmith.geometry.float_climbing import ascents  # loads numpy and HiGHS

    columns = [facts.columns[t] for t in facts.kept]
    if len(columns) < 2:
        return
    for size, basis in ascents(columns, steps, seed, facts.progress):
        if size - 1 <= above:
            continue
        p = _equal_risks(facts, basis.labels, [facts.kept[i] for i in basis.columns])
        if p is None or min(p) < 0:
            continue
        bound = ge_feasible_subspace_at(facts, p)
        if bound.value > above:
            above = bound.value
            yield bound
        if above >= enough:
            return


def _equal_risks(facts: Facts, labels: tuple[int, ...], columns: list[int]) -> tuple[Fraction, ...] | None:
    """The only p on these labels, of any signs, with Σ p = 1 and the same p·ℓ_t for these columns; None if singular."""
    rows = [[*(facts.columns[t][y] for y in labels), -1] for t in columns]
    system = integer_matrix([*rows, [1] * len(labels) + [0]])
    try:
        solved = system.solve(integer_matrix([*([0] for _ in rows), [1]]))
    except ZeroDivisionError:
        return None
    p = [Fraction(0)] * facts.loss.n
    for y, x in zip(labels, solved.entries()):
        p[y] = Fraction(int(x.p), int(x.q))
    return tuple(p)
