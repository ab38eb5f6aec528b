"""thm:condition-sufficient: finitely many positive normal sets that cover Δ_n, each in a trigger set, are enough."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, accepted, equal, holds, outcome

STATEMENT = "If N(z_1), …, N(z_r) cover Δ_n and each lies in some Q_t, then ψ is L-calibrated."


def _compute() -> Outcome:
    cases = [
        (lm.surrogates.crammer_singer(3), lm.losses.abstain(3), 4),
        (lm.surrogates.crammer_singer(3), lm.losses.ordinal(3), 4),
        (lm.surrogates.absolute(3), lm.losses.ordinal(3), 3),
        (lm.surrogates.epsilon_insensitive(3, "1/4"), lm.losses.ordinal(3), 4),
    ]
    claims = []
    for psi, loss, count in cases:
        verdict = lm.check(psi, loss)
        assert isinstance(verdict, lm.Calibrated)
        cells = {cell.prediction: cell.polytope for cell in lm.trigger_sets(loss)}
        inside = all(cells[cell.prediction].contains(p) for cell in verdict.cells for p in cell.polytope.vertices)
        what = f"{psi.name}, {loss.name}"
        claims.append(equal(f"the number r of sets: {what}", count, len(verdict.cells)))
        claims.append(holds(f"each lies in the trigger set of its prediction: {what}", inside))
        claims.append(accepted(f"the checker accepts the cover: {what}", verdict.certificate))
    return outcome("four pairs of the examples: the sets, and covers that the checker accepts", *claims)


ITEM = Item("thm:condition-sufficient", "Sufficient condition for calibration", STATEMENT, _compute)
