"""exmp:calibration-CS-0-1: the Crammer–Singer surrogate is not calibrated for 0-1 loss, because of N(z₄)."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, accepted, equal, outcome

STATEMENT = "N(z₄) is contained in no trigger set of 0-1 loss (n = 3); therefore ψ^{CS} is not L⁰⁻¹-calibrated."


def _compute() -> Outcome:
    psi, loss = lm.surrogates.crammer_singer(3), lm.losses.zero_one(3)
    corners = lm.positive_normal_set(psi, [0, 0, 0]).polytope.vertices
    holding = [t for t, cell in enumerate(lm.trigger_sets(loss)) if all(cell.polytope.contains(p) for p in corners)]
    verdict = lm.check(psi, loss)
    claims = [equal("the trigger sets that hold N(z₄)", [], holding), equal("ψ is", "not calibrated", verdict.status)]
    if isinstance(verdict, lm.NotCalibrated):
        claims.append(equal("the counterexample is at z₄", (1, 1, 1), psi(list(verdict.u))))
        claims.append(accepted("the checker accepts its certificate", verdict.certificate))
    return outcome("not calibrated, by a counterexample at z₄ that the checker accepts", *claims)


ITEM = Item("exmp:calibration-CS-0-1", "Crammer–Singer is not calibrated for 0-1 loss", STATEMENT, _compute)
