"""CCdim(L) ≥ 2 if some cell meets three others in full sections of the simplex.

Then L is not orderable, though every feasible subspace bound may be 1 (abstaining at cost 1/2, n ≥ 3).

Proof. Let d = 1 and ψ be calibrated. For i = 1, 2, 3 take p_i inside the facet between Q_t and Q_{s_i}, and a u_i that
is optimal there. As in the proof of `thm:ccdim-lower-bound` there are subgradients g_i of ψ at u_i with
{p : p·g_i = 0} ∩ Δ inside one cell, so that g_i = λ_i (ℓ_{s_i} − ℓ_t), λ_i ≠ 0. Two of the λ have the same sign, say
λ_1, λ_2 > 0. If u_1 < u_2, then p_2·g_1 > 0 puts all minimisers for p_2 at or below u_1, but u_2 is one; so by symmetry
u_1 = u_2 = u. Just beyond facet 2, p·g_2 < 0 < p·g_1, so u is optimal at p; likewise beyond facet 1. So N(ψ(u)) meets
the inside of Q_{s_1} and of Q_{s_2}, against `thm:condition-necessary`. ∎
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.certificates.certificate import Certificate, vector
from lossmith.dimension.bounds import Bound, dimension_certificate
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import common_modulus, row_basis
from lossmith.exact.vectors import Row, minus, primitive, unit_row


@dataclass(frozen=True)
class Branching:
    """A prediction, and three others whose cells meet its cell in full sections."""

    facts: Facts
    centre: int
    neighbours: tuple[int, int, int]

    def certificate(self, bound: Bound) -> Certificate:
        """Where each of the four is the only optimal one, and n − 1 independent points of each section."""
        columns = (self.centre, *self.neighbours)
        chosen = [_independent(_section(self.facts, self.centre, s)) for s in self.neighbours]
        modulus = common_modulus([integer_matrix(points) for points in chosen])
        evidence = {
            "points": [[vector([Fraction(x, sum(p)) for x in p]) for p in points] for points in chosen],
            "columns": list(columns),
            "alone": [vector(self.facts.alone(t)) for t in columns],
            "modulus": modulus,
        }
        return dimension_certificate(bound, self.facts.loss, evidence)


def _section(facts: Facts, t: int, s: int) -> list[Row]:
    """The vertices of {p ∈ Δ : p·ℓ_t = p·ℓ_s}, as primitive integer rows."""
    columns, n = facts.loss.rational.integer_columns(), facts.loss.n
    gap = minus(columns[t], columns[s])
    corners = [unit_row(y, n) for y in range(n) if gap[y] == 0]
    pairs = [(y, z) for y in range(n) for z in range(n) if gap[y] < 0 < gap[z]]
    return corners + [primitive([gap[z] if x == y else -gap[y] if x == z else 0 for x in range(n)]) for y, z in pairs]


def _independent(points: list[Row]) -> list[Row]:
    return [points[i] for i in row_basis(integer_matrix(points))]


def ge_two_of_not_orderable(facts: Facts) -> Bound | None:
    """The bound 2, if a cell has three full sections.

    >>> from lossmith.losses import abstain
    >>> ge_two_of_not_orderable(Facts(abstain(3))).value
    2
    """
    for t, others in facts.sections.items():
        if len(others) >= 3:
            names = ", ".join(f"{facts.loss.predictions[s]}" for s in others[:3])
            why = f"the cell of {facts.loss.predictions[t]} meets those of {names} in full sections"
            first, second, third = others[:3]
            return Bound("lower", 2, "not orderable", why, facts.loss, Branching(facts, t, (first, second, third)))
    return None
