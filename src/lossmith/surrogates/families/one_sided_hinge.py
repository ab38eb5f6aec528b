"""One-sided regression on costs: too little is harmless for the best decision, too much for the others."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import ordinal, zero_one
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.cases import squared
from lossmith.surrogates.fitting import by_loss
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import labels_and_predictions
from lossmith.surrogates.tracing import pos


@family(
    cite="H.-H. Tu, H.-T. Lin, One-sided regression for multiclass cost-sensitive classification, ICML 2010",
    latex=r"\psi_y(u) = \sum_t (z_{yt} (-u_t - L_{yt}))_+, \; z_{yt} = \pm 1, +1 \text{ if } L_{yt} = \min L_y",
    preds=("argmax",),
    small=({"loss": "zero-one:n=3"}, {"loss": "ordinal:n=3"}, {"loss": "abstain:n=3"}),
    size=labels_and_predictions,
    fits=by_loss("loss"),
    verdicts=(
        Published(zero_one, "CNN", "docs/findings.md, 2026"),
        Published(ordinal, "CCN", "docs/findings.md, 2026"),
        Published(ordinal, "CNN", "docs/findings.md, 2026", pred="argmax"),
        Published(squared, "·NN", "docs/findings.md, 2026"),
    ),
)
def one_sided_hinge(loss: LossLike) -> PolyhedralSurrogate:
    """Σ_t (z_yt (−u_t − L_yt))₊ with z_yt = 1 where L_yt is the least cost of y, else −1; −u_t estimates the cost of t.

    >>> [str(x) for x in one_sided_hinge("zero-one:n=3")([0, -1, -1])]
    ['0', '2', '2']
    """
    read = as_loss(loss).matrix()
    signs = [[1 if cost == min(row) else -1 for cost in row] for row in read.entries]
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(z * (-x - cost)) for z, x, cost in zip(signs[y], u, read.entries[y], strict=True)),
        n=read.n,
        dim=read.k,
        name=f"one_sided_hinge({read.name})",
    )
