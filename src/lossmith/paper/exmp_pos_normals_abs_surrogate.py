"""exmp:pos-normals-abs-surrogate: |u − y| for three labels, at u = 1, 2, 3."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.fig_trigger_prob import ORDER, losses
from lossmith.paper.item import Item, Outcome, equal, equal_sets, holds, outcome
from lossmith.paper.lem_normal_computation import normals, same_hull, slopes

POINTS = (1, 2, 3)
Z = ((0, 1, 2), (1, 0, 1), (2, 1, 0))
A, B = ((1, -1, -1, -1),), ((1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
VERDICTS = {"a": "not calibrated", "b": "calibrated", "c": "not calibrated"}
STATEMENT = (
    "ψ_y(u) = |u − y| on R, n = 3. At u = 1, 2, 3: N(z₁) = {p : p₁ ≥ ½}, N(z₂) = {p : p₁ ≤ ½, p₃ ≤ ½}, N(z₃) = {p : "
    "p₃ ≥ ½}. It is calibrated for ordinal loss, but for neither 0-1 nor abstain loss."
)


def _compute() -> Outcome:
    psi = lm.surrogates.absolute(3)
    found = [lm.positive_normal_set(psi, [u]) for u in POINTS]
    claims = [equal("z₁, z₂, z₃", Z, tuple(each.z for each in found))]
    claims.append(equal("∂ψ₁(1), ∂ψ₂(1), ∂ψ₃(1)", [[(-1,), (1,)], [(-1,)], [(-1,)]], slopes(psi, [1])))
    claims.append(holds("{Bq : q ∈ Null(A) ∩ Δ₄} is N(z₁)", same_hull(normals(A, B), found[0].polytope)))
    claims += [
        equal_sets(f"N(z{'₁₂₃'[i]})", words, rows, found[i].polytope) for i, (words, rows) in enumerate(ORDER.items())
    ]
    claims += [equal(f"for {loss.name}", VERDICTS[part], lm.check(psi, loss).status) for part, loss in losses().items()]
    return outcome("the three sets; calibrated for ordinal, not for 0-1 and abstain", *claims)


ITEM = Item("exmp:pos-normals-abs-surrogate", "Positive normal sets of ‘absolute’ surrogate", STATEMENT, _compute)
