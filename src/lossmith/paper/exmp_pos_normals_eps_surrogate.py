"""exmp:pos-normals-eps-surrogate: (|u − y| − ε)₊ for three labels and ε = 0.25, at u = 1.25, 1.75, 2.25, 2.75."""

from __future__ import annotations

from fractions import Fraction

import lossmith as lm
from lossmith.analysis.positive_normals import same_cells
from lossmith.paper.exmp_pos_normals_abs_surrogate import VERDICTS
from lossmith.paper.fig_trigger_prob import losses
from lossmith.paper.item import Item, Outcome, equal, equal_sets, holds, outcome
from lossmith.paper.lem_normal_computation import normals, same_hull, slopes

HALF = Fraction(1, 2)
POINTS = (Fraction(5, 4), Fraction(7, 4), Fraction(9, 4), Fraction(11, 4))
Z = ((0, HALF, 3 * HALF), (HALF, 0, 1), (1, 0, HALF), (3 * HALF, HALF, 0))
SETS = {
    "p₁ ≥ ½": [(1, -1, -1)],
    "p₁ ≥ p₃, p₁ ≤ ½": [(1, 0, -1), (-1, 1, 1)],
    "p₁ ≤ p₃, p₃ ≤ ½": [(-1, 0, 1), (1, 1, -1)],
    "p₃ ≥ ½": [(-1, -1, 1)],
}
AT_FIRST = ((0, 1, -1, -1),), ((1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
AT_SECOND = ((1, -1, 0, -1),), ((1, 0, 0, 0), (0, 1, 1, 0), (0, 0, 0, 1))
STATEMENT = (
    "ψ_y(u) = (|u − y| − ε)₊ on R, n = 3, ε = 0.25 (similarly for 0 < ε < 0.5). At u = 1.25, 1.75, 2.25, 2.75: "
    + ", ".join(f"N(z{'₁₂₃₄'[i]}) = {{p : {words}}}" for i, words in enumerate(SETS))
    + ". It is calibrated for ordinal loss, but for neither 0-1 nor abstain loss. For ε = 0 it is |u − y|."
)


def _compute() -> Outcome:
    psi = lm.surrogates.epsilon_insensitive(3, "1/4")
    found = [lm.positive_normal_set(psi, [u]) for u in POINTS]
    claims = [equal("z₁, …, z₄", Z, tuple(each.z for each in found))]
    claims.append(equal("∂ψ₁(u₁), ∂ψ₂(u₁), ∂ψ₃(u₁)", [[(0,), (1,)], [(-1,)], [(-1,)]], slopes(psi, [POINTS[0]])))
    claims.append(equal("∂ψ₁(u₂), ∂ψ₂(u₂), ∂ψ₃(u₂)", [[(1,)], [(-1,), (0,)], [(-1,)]], slopes(psi, [POINTS[1]])))
    for i, matrices in enumerate((AT_FIRST, AT_SECOND)):
        right = same_hull(normals(*matrices), found[i].polytope)
        claims.append(holds(f"{{Bq : q ∈ Null(A) ∩ Δ₄}} is N(z{'₁₂'[i]})", right))
    claims += [
        equal_sets(f"N(z{'₁₂₃₄'[i]})", words, rows, found[i].polytope) for i, (words, rows) in enumerate(SETS.items())
    ]
    claims += [equal(f"for {loss.name}", VERDICTS[part], lm.check(psi, loss).status) for part, loss in losses().items()]
    others = [lm.surrogates.epsilon_insensitive(3, eps) for eps in ("1/100", "1/3", "49/100")]
    claims.append(holds("the same cells for ε = 1/100, 1/3, 49/100", all(same_cells(psi, each) for each in others)))
    zero = same_cells(lm.surrogates.epsilon_insensitive(3, 0), lm.surrogates.absolute(3))
    claims.append(holds("the cells of the absolute surrogate for ε = 0", zero))
    return outcome("the four sets; calibrated for ordinal, not for 0-1 and abstain", *claims)


ITEM = Item("exmp:pos-normals-eps-surrogate", "Positive normal sets of ‘ε-insensitive’ surrogate", STATEMENT, _compute)
