"""Regression on costs by absolute deviation."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import ordinal, zero_one
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.cases import squared
from lossmith.surrogates.fitting import by_loss
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import labels_and_predictions


@family(
    cite="R. Koenker, G. Bassett, Regression quantiles, Econometrica 1978",
    latex=r"\psi_y(u) = \sum_t |u_t + L_{yt}|",
    preds=("argmax",),
    small=({"loss": "zero-one:n=3"}, {"loss": "ordinal:n=3"}, {"loss": "abstain:n=3"}),
    size=labels_and_predictions,
    fits=by_loss("loss"),
    verdicts=(
        Published(zero_one, "CNN", "docs/findings.md, 2026"),
        Published(ordinal, "CCC", "docs/findings.md, 2026"),
        Published(ordinal, "CNN", "docs/findings.md, 2026", pred="argmax"),
        Published(squared, "·NN", "docs/findings.md, 2026"),
    ),
)
def absolute_cost_regression(loss: LossLike) -> PolyhedralSurrogate:
    """Σ_t |u_t + L_yt| on R^k; −u_t estimates the cost of t, by its median, which does not tell its mean.

    Squared deviations (`square`) do.

    >>> [str(x) for x in absolute_cost_regression("zero-one:n=3")([0, -1, -1])]
    ['0', '2', '2']
    """
    read = as_loss(loss).matrix()
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(abs(x + cost) for x, cost in zip(u, read.entries[y], strict=True)),
        n=read.n,
        dim=read.k,
        name=f"absolute_cost_regression({read.name})",
    )
