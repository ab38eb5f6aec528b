"""Asking an expert as one more label, learned by a hinge for 0-1 loss."""

from __future__ import annotations

from itertools import product

from lossmith.families import Published, at_least, family
from lossmith.surrogates.bases import base_named, weighted_sum
from lossmith.surrogates.cases import by_experts
from lossmith.surrogates.fitting import by_deferring
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


def _size(classes: int, experts: int = 1, base: str = "lee-lin-wahba") -> tuple[int, int]:
    at_least("classes", classes, 2)
    return classes * 2 ** at_least("experts", experts, 1), classes + experts


@family(
    cite="R. Verma, D. Barrejón, E. Nalisnick, Learning to defer to multiple experts, AISTATS 2023",
    latex=r"\psi_y(u) = \ell_y(u) + \sum_{j : b_j = 1} \ell_{m+j}(u)",
    preds=("argmax",),
    kind="abstaining",
    small=({"classes": 2}, {"classes": 2, "base": "adversarial-zero-one"}),
    size=_size,
    fits=by_deferring,
    aliases=("defer_many",),
    verdicts=(
        Published(by_experts, "··C", "Mozannar, Sontag, ICML 2020"),
        Published(by_experts, "··C", "Mozannar, Sontag, ICML 2020", pred="argmax"),
    ),
)
def defer_hinge(classes: int, experts: int = 1, base: str = "lee-lin-wahba") -> PolyhedralSurrogate:
    """ℓ_y(u) + Σ ℓ_{m+j}(u) over the experts j that are right, ℓ a hinge for 0-1 loss of m classes and as many experts.

    Labels are a class y and which experts are right, b ∈ {1, 0}^J, right before wrong; decisions are the classes, then
    to ask expert j, at no cost but that of mistakes. It is `gain_weighted` of that loss: right with lee-lin-wahba and
    adversarial-zero-one, not with crammer-singer.

    >>> [str(x) for x in defer_hinge(2)([2, -1, -1])]    # 0 right, 0 wrong, 1 right, 1 wrong
    ['3', '0', '6', '3']
    """
    chosen = base_named(base)
    labels = product(range(classes), product((1, 0), repeat=experts))
    weights = [[*(int(t == y) for t in range(classes)), *right] for y, right in labels]
    name = f"defer_hinge(classes={classes}, experts={experts}, base={chosen.name})"
    return weighted_sum(chosen(classes + experts), weights, name)
