"""Asking an expert as one more label, learned by a hinge for 0-1 loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family
from lossmith.losses import defer
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.bases import base_named, weighted_sum
from lossmith.surrogates.cases import by_experts
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

Costs = Sequence[RationalLike] | str


def _size(classes: int, experts: int = 1, base: str = "lee-lin-wahba", fees: Costs | None = None) -> tuple[int, int]:
    at_least("classes", classes, 2)
    return defer.size(classes, experts, fees)


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one for a class and which experts are right, where the loss is that of asking them, for these fees."""
    for classes in range(2, loss.k):
        experts = loss.k - classes
        fees = [min(loss.column(t)) for t in range(classes, loss.k)]
        if classes * 2**experts == loss.n and min(fees) >= 0:
            paid = {"fees": fees} if any(fees) else {}
            if defer(classes, experts, **paid).entries == loss.entries:
                return {"classes": classes, "experts": experts, **paid}
    return None


@family(
    cite="R. Verma, D. Barrejón, E. Nalisnick, Learning to defer to multiple experts, AISTATS 2023; A. Mao, C. Mohri, "
    "M. Mohri, Y. Zhong, Two-stage learning to defer with multiple experts, NeurIPS 2023 (fees)",
    latex=r"\psi_y(u) = \ell_y(u) + \bar f \sum_{t < m} \ell_t(u) + \sum_j (b_j + \bar f - f_j) \, \ell_{m+j}(u)",
    preds=("argmax",),
    kind="abstaining",
    small=({"classes": 2}, {"classes": 2, "base": "adversarial-zero-one"}, {"classes": 2, "fees": "1/10"}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(by_experts, "··C", "Mozannar, Sontag, ICML 2020"),
        Published(by_experts, "··C", "Mozannar, Sontag, ICML 2020", pred="argmax"),
    ),
)
def defer_hinge(
    classes: int, experts: int = 1, base: str = "lee-lin-wahba", fees: Costs | None = None
) -> PolyhedralSurrogate:
    """ℓ_y(u) + Σ ℓ_{m+j}(u) over the experts j that are right, ℓ a hinge for 0-1 loss of m classes and as many experts.

    Labels are a class y and which experts are right, b ∈ {1, 0}^J, right before wrong; decisions are the classes, then
    to ask expert j, at no cost but that of mistakes, and its fee f_j ≥ 0. With fees, f̄ the highest, what is saved has
    the weights f̄ more for the classes and f̄ − f_j more for expert j: ψ = ℓ_y + Σ_t f̄ ℓ_t + Σ_j (b_j + f̄ − f_j) ℓ_{m+j}
    over the classes t. It is `gain_weighted` of the loss `defer`: right with lee-lin-wahba and adversarial-zero-one,
    not with crammer-singer.

    >>> [str(x) for x in defer_hinge(2)([2, -1, -1])]    # 0 right, 0 wrong, 1 right, 1 wrong
    ['3', '0', '6', '3']
    >>> defer_hinge(2, fees=["1/10"]).name
    'defer_hinge(classes=2, experts=1, base=lee_lin_wahba, fees=1/10)'
    """
    at_least("classes", classes, 2)
    chosen, loss = base_named(base), defer(classes, experts, fees)
    most = max(map(max, loss.entries))
    weights = [[most - cost for cost in row] for row in loss.entries]
    shown = "" if most == 1 else f", fees={' '.join(str(min(loss.column(t))) for t in range(classes, loss.k))}"
    name = f"defer_hinge(classes={classes}, experts={experts}, base={chosen.name}{shown})"
    return weighted_sum(chosen(classes + experts), weights, name)
