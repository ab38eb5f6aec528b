"""thm:ccdim-upper-bound: CCdim(L) ≤ affdim(L), by the linear surrogate of the proof."""

from __future__ import annotations

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.dimension.lt_affdim_of_positive_vector import lt_affdim_of_positive_vector
from lossmith.paper.item import Item, Outcome, at_most, equal, outcome

STATEMENT = (
    "CCdim(L) ≤ affdim(L): ψ is affine on C = conv{u_1, …, u_k} ⊂ R^d with ψ(u_t) = ℓ_t, d = affdim(L), and "
    "N(ℓ_t) = Q_t."
)
NOTE = "If the differences of the columns span a positive vector, then CCdim(L) ≤ affdim(L) − 1."


def _compute() -> Outcome:
    claims = []
    # affdim by hand: n − 1 for 0-1 and ordinal loss, r for Hamming loss, n for abstain loss (n ≥ 3).
    losses = {lm.losses.zero_one(4): 3, lm.losses.ordinal(4): 3, lm.losses.hamming(2): 2, lm.losses.abstain(3): 3}
    for loss, affdim in losses.items():
        made = lm.design(loss, method="linear")
        assert isinstance(made, lm.Calibrated)
        claims.append(equal(f"affdim, {loss.name}", affdim, lm.affdim(loss)))
        claims.append(equal(f"the dimension of C, {loss.name}", affdim, made.surrogate.dim))
        claims.append(equal(f"linear surrogate, {loss.name}", "calibrated", made.status))
        columns = sorted(cell.z for cell in made.cells)
        claims.append(equal(f"the z_t, {loss.name}", sorted(loss.column(t) for t in range(loss.k)), columns))
        cells = {loss.column(cell.prediction): cell.polytope.vertices for cell in lm.trigger_sets(loss)}
        normal = {cell.z: cell.polytope.vertices for cell in made.cells}
        claims.append(equal(f"N(ℓ_t) = Q_t, {loss.name}", loss.k, sum(cells[z] == normal.get(z) for z in cells)))
    for n in (3, 4, 5):
        loss = lm.losses.abstain(n)
        sharper = lt_affdim_of_positive_vector(Facts(loss))
        claims.append(
            at_most(f"by the columns alone, {loss.name}", lm.affdim(loss), sharper.value if sharper else n + 1)
        )
    return outcome("the surrogate of the proof for four losses; affdim − 1 is enough for abstain", *claims)


ITEM = Item("thm:ccdim-upper-bound", "CCdim(L) ≤ affdim(L)", STATEMENT, _compute, NOTE)
