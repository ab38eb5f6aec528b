"""Abstaining as one more label, learned by a hinge for 0-1 loss."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import abstain
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.bases import base_named, weighted_sum
from lossmith.surrogates.cases import abstain_at
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """Where the last decision costs the same under every label, less than 1."""
    costs = {row[-1] for row in loss.entries}
    return {"n": loss.n, "cost": costs.pop()} if loss.k == loss.n + 1 and len(costs) == 1 and max(costs) < 1 else None


@family(
    cite="Y. Cao et al., Generalizing consistent multi-class classification with rejection, NeurIPS 2022",
    latex=r"\psi_y(u) = \ell_y(u) + (1 - c)\, \ell_n(u)",
    preds=("argmax",),
    kind="abstaining",
    small=({"n": 2, "cost": "1/2"}, {"n": 3, "cost": "3/5"}, {"n": 3, "cost": "1/4", "base": "adversarial-zero-one"}),
    size=lambda n, cost, base="lee-lin-wahba": (at_least("n", n, 2), n + 1),
    fits=_fits,
    verdicts=(
        Published(abstain, "CCC", "Cao et al., NeurIPS 2022"),
        Published(abstain, "CCC", "Cao et al., NeurIPS 2022", pred="argmax"),
        Published(abstain_at("3/5"), "CC·", "Cao et al., NeurIPS 2022", pred="argmax"),
    ),
)
def augmented_reject(n: int, cost: RationalLike, base: str = "lee-lin-wahba") -> PolyhedralSurrogate:
    """ℓ_y(u) + (1 − c) ℓ_n(u), ℓ a hinge for 0-1 loss of n + 1 labels, of which the last is to abstain, at 0 ≤ c < 1.

    It is `gain_weighted` of the loss `abstain`: right with lee-lin-wahba and adversarial-zero-one at any cost, also
    above 1/2, where the other surrogates for abstaining end; not right with crammer-singer, whatever the cost.

    >>> from lossmith.surrogates import gain_weighted
    >>> augmented_reject(3, "2/5") == gain_weighted("abstain:n=3,cost=2/5")
    True
    """
    c, chosen = rational_where("cost", cost, lambda x: 0 <= x < 1, "at least 0 and less than 1"), base_named(base)
    weights = [[*(Fraction(t == y) for t in range(n)), 1 - c] for y in range(n)]
    return weighted_sum(chosen(n + 1), weights, f"augmented_reject(n={n}, cost={c}, base={chosen.name})")
