"""A hinge of 0-1 loss for any loss matrix: every decision is a label, as far as it saves costs."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import ordinal, zero_one
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.bases import base_named, weighted_sum
from lossmith.surrogates.fitting import by_loss
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import labels_and_predictions


@family(
    cite="A. Mao, M. Mohri, Y. Zhong, Theoretically grounded loss functions for score-based abstention, AISTATS 2024",
    latex=r"\psi_y(u) = \sum_t (c - L_{yt}) \, \ell_t(u), \quad c = \max L",
    preds=("argmax",),
    small=({"loss": "zero-one:n=3"}, {"loss": "abstain:n=3"}, {"loss": "ordinal:n=3", "base": "adversarial-zero-one"}),
    size=lambda loss, base="lee-lin-wahba": labels_and_predictions(loss),
    fits=by_loss("loss"),
    verdicts=(
        Published(None, "CC·", "Cao et al., NeurIPS 2022"),
        Published(zero_one, "CCC", "Cao et al., NeurIPS 2022", pred="argmax"),
        Published(ordinal, "CC·", "Cao et al., NeurIPS 2022", pred="argmax"),
    ),
    aliases=("defer_many",),
)
def gain_weighted(loss: LossLike, base: str = "lee-lin-wahba") -> PolyhedralSurrogate:
    """Σ_t (c − L_yt) ℓ_t(u), c the largest cost, ℓ a hinge for 0-1 loss with a score for each of the k predictions.

    The sums over y of p_y (c − L_yt) are, up to a factor, probabilities of predictions, and the likeliest one costs
    least: with ℓ calibrated for 0-1 loss, such as lee-lin-wahba or adversarial-zero-one, argmax is right for every L.
    With crammer-singer it is not. Abstaining (`augmented_reject`) and deferring (`defer_hinge`) are of this form.

    >>> from lossmith.surrogates import lee_lin_wahba
    >>> gain_weighted("zero-one:n=3") == lee_lin_wahba(3)
    True
    """
    read, chosen = as_loss(loss).matrix(), base_named(base)
    most = max(map(max, read.entries))
    weights = [[most - cost for cost in row] for row in read.entries]
    return weighted_sum(chosen(read.k), weights, f"gain_weighted({read.name}, base={chosen.name})")
