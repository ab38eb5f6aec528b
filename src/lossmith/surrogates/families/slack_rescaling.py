"""The structured support vector machine with slacks in proportion to the costs."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import ordinal, zero_one
from lossmith.losses.named import LossLike
from lossmith.surrogates.cases import squared
from lossmith.surrogates.fitting import by_zero_diagonal
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import labels_and_labels, with_zero_diagonal
from lossmith.surrogates.tracing import maximum


@family(
    cite="I. Tsochantaridis, T. Joachims, T. Hofmann, Y. Altun, Large margin methods for structured outputs, JMLR 2005",
    latex=r"\psi_y(u) = \max_t L_{yt} (1 + u_t - u_y)_+",
    preds=("argmax",),
    small=({"loss": "ordinal:n=3"}, {"loss": "zero-one:n=3"}),
    size=labels_and_labels,
    fits=by_zero_diagonal,
    verdicts=(
        Published(zero_one, "CNN", "docs/findings.md, 2026"),
        Published(ordinal, "CCN", "docs/findings.md, 2026"),
        Published(ordinal, "CCN", "docs/findings.md, 2026", pred="argmax"),
        Published(squared, "·NN", "docs/findings.md, 2026"),
    ),
)
def slack_rescaling(loss: LossLike) -> PolyhedralSurrogate:
    """max_t L_yt (1 + u_t − u_y)₊ on R^n; every label is a prediction, and costs nothing if it is right.

    >>> [str(x) for x in slack_rescaling("ordinal:n=3")([0, 0, 0])]
    ['2', '1', '2']
    """
    read = with_zero_diagonal(loss, "slack_rescaling")
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(0, *(cost * (1 + u[t] - u[y]) for t, cost in enumerate(read.entries[y]) if cost)),
        n=read.n,
        dim=read.n,
        name=f"slack_rescaling({read.name})",
    )
