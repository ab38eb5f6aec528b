"""cor:col-perm: if the columns are permutations of one another, CCdim ≥ affdim − 1; in fact it is affdim."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, bounded, equal, outcome

STATEMENT = "If all columns of L are permutations of one another, the uniform p gives CCdim(L) ≥ affdim(L) − 1."


def _compute() -> Outcome:
    claims = []
    for loss in (lm.losses.zero_one(5), lm.losses.hamming(3), lm.losses.top_k(5, 2)):
        columns = {tuple(sorted(loss.column(t))) for t in range(loss.k)}
        claims.append(equal(f"different columns, once sorted, {loss.name}", 1, len(columns)))
        found = lm.ccdim(loss, designs=False)
        claims.append(bounded(f"CCdim, {loss.name}", lm.affdim(loss) - 1, lm.affdim(loss), found))
    return outcome("CCdim = affdim exactly, for 0-1, Hamming and top-2 loss", *claims)


ITEM = Item("cor:col-perm", "Columns that are permutations of one another", STATEMENT, _compute)
