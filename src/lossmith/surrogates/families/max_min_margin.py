"""The max-min margin: the conjugate of the least risk, with a score for each label."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import ordinal, zero_one
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.cases import squared, star
from lossmith.surrogates.corners_of_risk import corners_of_risk
from lossmith.surrogates.fitting import by_loss
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import labels_and_labels


@family(
    cite="A. Nowak-Vila, F. Bach, A. Rudi, Structured prediction with max-min margin Markov networks, ICML 2020",
    latex=r"\psi_y(u) = \max_{p \in \Delta} \bigl(\min_t p \cdot \ell_t + u \cdot p\bigr) - u_y",
    preds=("argmax",),
    small=({"loss": "zero-one:n=3"}, {"loss": "ordinal:n=3"}),
    size=labels_and_labels,
    fits=by_loss("loss"),
    verdicts=(
        Published(None, "CC·", "Nowak-Vila, Bach, Rudi, ICML 2020"),
        Published(zero_one, "CCC", "Fathony et al., 2018", pred="argmax"),
        Published(ordinal, "CCC", "Fathony et al., 2018", pred="argmax"),
        Published(squared, "·NN", "docs/findings.md, 2026", pred="argmax"),
        Published(star, "··N", "docs/findings.md, 2026", pred="argmax"),
    ),
    aliases=("m4n", "general_adversarial"),
)
def max_min_margin(loss: LossLike) -> PolyhedralSurrogate:
    """max_p (min_t p·ℓ_t + u·p) − u_y on R^n, over the distributions p of n labels; calibrated for every loss L.

    min_t p·ℓ_t is concave and linear on cells, so the maximum is over their finitely many corners p. For 0-1 loss it
    is `adversarial_zero_one`, for top-k loss `top_k_max_min`. `lm.design` makes it in fewer dimensions, where L allows.
    Its pred is not always argmax.

    >>> from lossmith.surrogates import adversarial_zero_one
    >>> u = [2, 1, "1/2"]
    >>> max_min_margin("zero-one:n=3")(u) == adversarial_zero_one(3)(u)
    True
    """
    read = as_loss(loss).matrix()
    corners = corners_of_risk(read, "max_min_margin")
    terms = [(tuple(tuple(x - (i == y + 1) for i, x in enumerate(row)) for row in corners),) for y in range(read.n)]
    return PolyhedralSurrogate(tuple(terms), read.n, name=f"max_min_margin({read.name})")
