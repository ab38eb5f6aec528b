"""subsec:related-work: of the known multiclass hinges only that of Lee, Lin and Wahba is calibrated for 0-1 loss."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, equal, outcome

STATEMENT = (
    "The surrogate of Lee et al. is calibrated for multiclass 0-1 classification; several other widely used ones, such "
    "as those of Weston & Watkins and Crammer & Singer, are not."
)


def _compute() -> Outcome:
    families = {
        "Lee–Lin–Wahba": (lm.surrogates.lee_lin_wahba, "calibrated"),
        "Weston–Watkins": (lm.surrogates.weston_watkins, "not calibrated"),
        "Crammer–Singer": (lm.surrogates.crammer_singer, "not calibrated"),
    }
    claims = [
        equal(f"{name}, n = {n}", paper, lm.check(family(n), lm.losses.zero_one(n)).status)
        for name, (family, paper) in families.items()
        for n in (3, 4)
    ]
    return outcome("Lee–Lin–Wahba is; Weston–Watkins and Crammer–Singer are not (n = 3, 4)", *claims)


ITEM = Item("subsec:related-work", "Related Work", STATEMENT, _compute)
