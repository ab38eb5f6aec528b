"""exmp:calibration-CS-abstain-ord: for three labels Crammer–Singer is calibrated for abstain and for ordinal loss."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.fig_pos_normals import POINTS
from lossmith.paper.item import Item, Outcome, accepted, equal, outcome

STATEMENT = (
    "N(z_i) = Q_i of the ‘abstain’ loss for all i ∈ [4], so ψ^{CS} is calibrated for it (n = 3); likewise it is "
    "calibrated for the ordinal regression loss."
)


def _compute() -> Outcome:
    psi = lm.surrogates.crammer_singer(3)
    claims = []
    for i, (u, cell) in enumerate(zip(POINTS, lm.trigger_sets(lm.losses.abstain(3)), strict=True)):
        normals = lm.positive_normal_set(psi, u).polytope
        claims.append(equal(f"N(z{'₁₂₃₄'[i]}) = Q{'₁₂₃₄'[i]}, corners", cell.polytope.vertices, normals.vertices))
    for loss in (lm.losses.abstain(3), lm.losses.ordinal(3)):
        verdict = lm.check(psi, loss)
        claims.append(equal(f"ψ is, for {loss.name}", "calibrated", verdict.status))
        if isinstance(verdict, lm.Calibrated):
            claims.append(accepted(f"the checker accepts it, {loss.name}", verdict.certificate))
    return outcome("equal to the trigger sets of abstain; calibrated for both, accepted by the checker", *claims)


ITEM = Item("exmp:calibration-CS-abstain-ord", "Crammer–Singer for abstain and ordinal loss", STATEMENT, _compute)
