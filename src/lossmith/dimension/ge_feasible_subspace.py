"""CCdim(L) ≥ affdim(L[S, T]) at every p with support S and optimal predictions T: `thm:ccdim-lower-bound`, sharpened.

The theorem gives ‖p‖₀ − μ − 1, with μ the feasible subspace dimension of Q_t at p. By `lem:feasible-subspace-dimension`
μ = |S| − rank[(ℓ_t − ℓ_s)_S for t, s ∈ T ; 1_S]. As p annihilates the differences but p·1 = 1, the vector 1_S is
independent of them, and the rank is affdim(L[S, T]) + 1. So the bound is affdim(L[S, T]) exactly.

It grows with S and with T. Among the p at which all of T is optimal, those inside that face of the Bayes polyhedron
have the largest support; so one p per set T that occurs is enough. These sets are intersections of those at vertices.

In reduced coordinates x = Aᵀp the same sets T occur. Inside a face take one x, and above it a p of largest support.

Where labels are interchangeable, p and its images have the same bound, and every p has an image in the chamber: it is
enough to look at the faces there (`analysis.corners`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lossmith.analysis.corners import corners_in_chamber, optimal_at
from lossmith.analysis.facts import Facts
from lossmith.analysis.trigger_probabilities import TriggerSet
from lossmith.certificates.certificate import Certificate, vector
from lossmith.dimension.bounds import Bound, dimension_certificate
from lossmith.errors import BadInput, TooLarge
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import column_affdim, independent_minor, rank
from lossmith.exact.vectors import Row, dot, over_common_denominator, rational_dot, unit_rows
from lossmith.families import at_least
from lossmith.geometry.double_description import Progress
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polytope import Polytope
from lossmith.geometry.simplex import as_distribution
from lossmith.text.numbers import counted

MAX_FACES = 20_000
_LOOKS = 150  # for each face that is allowed: at vertices, sets and coordinates of points
_THEOREM = "feasible subspace (thm:ccdim-lower-bound)"


@dataclass(frozen=True)
class FeasibleSubspace:
    """A distribution p; its support and the predictions that are optimal at it give the bound.

    Redundant ones do no harm: one that is optimal at p agrees on the support of p with a mixture of others that are.
    """

    facts: Facts
    p: tuple[Fraction, ...]

    @cached_property
    def support(self) -> list[int]:
        """The labels of positive probability."""
        return [y for y, x in enumerate(self.p) if x]

    @cached_property
    def optimal(self) -> list[int]:
        """The predictions that are optimal at p, of equal columns the first."""
        weights, _ = over_common_denominator([self.p[y] for y in self.support])
        first = {column: t for t, column in reversed([*enumerate(self.facts.columns)])}
        risks = {t: dot(weights, [column[y] for y in self.support]) for column, t in first.items()}
        least = min(risks.values())
        return sorted(t for t, risk in risks.items() if risk == least)

    def certificate(self, bound: Bound) -> Certificate:
        """The reason *minor*: optimal predictions, with differences that are independent on the support."""
        columns, first = self.facts.columns, self.optimal[0]
        table = [[columns[t][y] - columns[first][y] for t in self.optimal[1:]] for y in self.support]
        _, chosen, prime = independent_minor(integer_matrix(table)) if bound.value else ((), (), 2)
        used = [first, *(self.optimal[j + 1] for j in chosen)]
        evidence = {
            "points": [[vector(self.p)]],
            "columns": used,
            "alone": [],
            "modulus": prime,
        }
        return dimension_certificate(bound, self.facts.loss, evidence)


def ge_feasible_subspace_at(facts: Facts, p: Sequence[object], theorem: str = _THEOREM) -> Bound:
    """The bound affdim(L[S, T]) at one p.

    >>> from lossmith.losses import zero_one
    >>> ge_feasible_subspace_at(Facts(zero_one(3)), ["1/3", "1/3", "1/3"]).value
    2
    """
    proof = FeasibleSubspace(facts, as_distribution(p, facts.loss.n))
    value = _affdim(facts, proof.support, proof.optimal)
    count = len(proof.optimal)
    optimal = "1 decision is optimal" if count == 1 else f"{count} decisions are optimal"
    why = f"at a p on {counted(len(proof.support), 'label')} {optimal}, of affine dimension {value}"
    return Bound("lower", value, theorem, why, facts.loss, proof)


def ge_feasible_subspace(
    facts: Facts,
    cells: Sequence[TriggerSet],
    enough: int,
    *,
    max_faces: int = MAX_FACES,
    progress: Progress | None = None,
) -> Bound:
    """The best such bound over the faces of the Bayes polyhedron; refused where there are too many to look at.

    `cells` are the trigger sets, in the simplex or in reduced coordinates; the search ends when `enough` is reached.
    Sets T with the largest affdim(L[·, T]), which no smaller T exceeds, come first.
    """
    tight: dict[Row, int] = {}
    for i, cell in enumerate(cells):
        for ray in cell.polytope.rays:
            tight[ray] = tight.get(ray, 0) | 1 << i
    kept, embedding = [cell.prediction for cell in cells], cells[0].polytope.embedding
    return _best(facts, tight, kept, embedding, enough, max_faces, progress)


def ge_feasible_subspace_in_chamber(
    facts: Facts,
    enough: int,
    *,
    max_vertices: int,
    max_faces: int = MAX_FACES,
    progress: Progress | None = None,
) -> Bound:
    """The same bound from the faces in the chamber, for the blocks of labels that the kept predictions share.

    >>> from lossmith.losses import abstain
    >>> ge_feasible_subspace_in_chamber(Facts(abstain(20, cost="3/4")), 19, max_vertices=1000).value
    3
    """
    columns = [facts.columns[t] for t in facts.kept]
    found = corners_in_chamber(columns, facts.kept_blocks, max_vertices=max_vertices, progress=progress)
    tight = {p: sum(1 << i for i in optimal_at(columns, p)) for p in found}
    return _best(facts, tight, facts.kept, None, enough, max_faces, progress)


def _best(
    facts: Facts,
    tight: dict[Row, int],
    kept: Sequence[int],
    embedding: tuple[Row, ...] | None,
    enough: int,
    max_faces: int,
    progress: Progress | None,
) -> Bound:
    """The best bound over the faces, given by vertices with the sets of kept predictions that are optimal at them."""
    max_faces = at_least("max_faces", max_faces, 1)
    everything, corners = range(facts.loss.n), set(tight.values())
    potential = {mask: _affdim(facts, everything, _members(mask, kept)) for mask in corners}
    pending = dict(potential)
    best: tuple[int, tuple[Fraction, ...]] = (-1, ())
    done = looks = 0
    while pending and done < max_faces and looks < _LOOKS * max_faces:
        mask = max(pending, key=lambda each: (pending[each], each.bit_count()))
        if pending.pop(mask) <= best[0] or best[0] >= enough:
            pending.clear()
            break
        rays = [ray for ray, owners in tight.items() if owners & mask == mask]
        p = _middle(rays) if embedding is None else _widest(rays, embedding)
        value = _affdim(facts, [y for y, x in enumerate(p) if x], _members(mask, kept))
        if value > best[0]:
            best = (value, p)
        if value < potential[mask]:  # a smaller T on a larger face may do better
            for smaller in {mask & other for other in corners}:
                if smaller and smaller not in potential:
                    potential[smaller] = pending[smaller] = _affdim(facts, everything, _members(smaller, kept))
                    looks += facts.loss.n
        done, looks = done + 1, looks + len(tight) + len(pending) + len(rays) * facts.loss.n
        if progress is not None:
            progress(done, done + len(pending))
    if pending:
        raise TooLarge(f"{done:,} faces were looked at, and {len(pending):,} are left or more; raise max_faces")
    return ge_feasible_subspace_at(facts, best[1])


def feasible_subspace_dimension(polytope: Polytope, p: Sequence[object]) -> int:
    """μ_Q(p), the dimension of the smallest face of Q that contains p (`lem:feasible-subspace-dimension`).

    Q is a polytope of distributions; the rows that are tight at p, and Σ p = 1, leave so many directions.

    >>> from lossmith.analysis.trigger_probabilities import trigger_sets
    >>> from lossmith.losses import zero_one
    >>> cell = trigger_sets(zero_one(3))[0].polytope
    >>> [feasible_subspace_dimension(cell, p) for p in (["1/3", "1/3", "1/3"], ["3/5", "1/5", "1/5"])]
    [0, 2]
    """
    if polytope.embedding is not None:
        raise BadInput("the polytope is in reduced coordinates; ask for trigger_sets(loss, reduced=False)")
    n = len(polytope.valid[0])
    distribution = as_distribution(p, n)
    values = [rational_dot(row, distribution) for row in polytope.valid]
    if min(values, default=Fraction(0)) < 0:
        raise BadInput(f"p = ({', '.join(map(str, distribution))}) is not in the polytope")
    tight = [row for row, value in zip(polytope.valid, values, strict=True) if value == 0]
    return n - rank(integer_matrix([*tight, (1,) * n]))


def _affdim(facts: Facts, rows: Sequence[int], columns: Sequence[int]) -> int:
    return column_affdim(integer_matrix([[facts.columns[t][y] for t in columns] for y in rows]))


def _members(mask: int, kept: Sequence[int]) -> list[int]:
    return [t for i, t in enumerate(kept) if mask >> i & 1]


def _middle(rays: Sequence[Row]) -> tuple[Fraction, ...]:
    points = [[Fraction(x, sum(ray)) for x in ray] for ray in rays]
    return tuple(sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True))


def _widest(rays: Sequence[Row], embedding: Sequence[Row]) -> tuple[Fraction, ...]:
    """A distribution p of largest support with Σ p_y (1, a_y) = (1, x), for an x inside the hull of the rays.

    Multiples of such p are q + r with 0 ≤ q ≤ 1 and r ≥ 0. Those with the largest Σ q have q_y = 1 wherever p_y may be
    positive: two of them can be added, and scaled up.
    """
    x, n = [sum(column) for column in zip(*rays, strict=True)], len(embedding)
    unit = unit_rows(2 * n)
    inequalities = [(0, *row, 0) for row in unit] + [(1, *(-e for e in row), 0) for row in unit[:n]]
    equations = [(0, *column, *column, -target) for column, target in zip(zip(*embedding, strict=True), x, strict=True)]
    best = maximize([1] * n + [0] * (n + 1), inequalities, equations)
    assert best is not None
    multiple = [q + r for q, r in zip(best.point[:n], best.point[n:], strict=False)]
    return tuple(each / sum(multiple) for each in multiple)
