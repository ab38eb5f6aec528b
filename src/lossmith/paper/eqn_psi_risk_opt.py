"""eqn:psi-risk-opt: the optimal ψ-risk is the expected least risk: one linear program for all x, and one for each."""

from __future__ import annotations

from fractions import Fraction

import lossmith as lm
from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.exact.vectors import common_denominator, rational_dot
from lossmith.geometry.linear_program import Sparse, maximize
from lossmith.paper.eqn_ell_risk import CONDITIONALS, MASSES
from lossmith.paper.item import Item, Outcome, equal, outcome

STATEMENT = (
    "inf over all f : X → C of er[f] = E_X[inf_u p(X)·ψ(u)], which is also E_X[inf over z ∈ S_ψ of p(X)·z] with S_ψ = "
    "conv ψ(C)."
)


def _compute() -> Outcome:
    claims = []
    for psi in (lm.surrogates.crammer_singer(3), lm.surrogates.absolute(3), lm.surrogates.lee_lin_wahba(3)):
        pairs = list(zip(MASSES, CONDITIONALS, strict=True))
        joint = _least_over_all_models(psi)
        each = sum((mass * psi.bayes_risk(p) for mass, p in pairs), Fraction(0))
        corners = [cell.z for cell in positive_normal_sets(psi).cells]
        hull = sum((mass * min(rational_dot(p, z) for z in corners) for mass, p in pairs), Fraction(0))
        claims.append(equal(f"inf over f = E inf over u, {psi.name}", joint, each))
        claims.append(equal(f"inf over f = E inf over z, {psi.name}", joint, hull))
    return outcome("one linear program for all f gives the expected least risk", *claims)


def _least_over_all_models(psi: lm.PolyhedralSurrogate) -> Fraction:
    """min of Σ_x P(x) p(x)·ψ(u_x) over all (u_x) together, by one linear program."""
    inequalities, equations = psi.program
    width, count = psi.dim + len(psi.maxima), len(MASSES)
    weights = [[mass * q for q in p] for mass, p in zip(MASSES, CONDITIONALS, strict=True)]
    scale = common_denominator(w for row in weights for w in row)
    objective: list[int] = []
    for row in weights:
        costs = [
            sum(w * groups.count(g) for w, groups in zip(row, psi.groups, strict=True)) for g in range(len(psi.maxima))
        ]
        objective += [0] * psi.dim + [-int(cost * scale) for cost in costs]

    def copies(rows: tuple[Sparse, ...]) -> list[Sparse]:
        return [Sparse(b, tuple((j + width * x, a) for j, a in terms)) for x in range(count) for b, terms in rows]

    best = maximize(objective, copies(inequalities), copies(equations))
    assert best is not None
    return -best.value / scale


ITEM = Item("eqn:psi-risk-opt", "The optimal ψ-risk", STATEMENT, _compute)
