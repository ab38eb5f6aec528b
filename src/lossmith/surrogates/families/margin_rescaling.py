"""The structured support vector machine with margins that are the costs."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import ordinal, zero_one
from lossmith.losses.named import LossLike
from lossmith.surrogates.cases import squared, star
from lossmith.surrogates.fitting import by_zero_diagonal
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import labels_and_labels, with_zero_diagonal
from lossmith.surrogates.tracing import maximum


@family(
    cite="I. Tsochantaridis, T. Joachims, T. Hofmann, Y. Altun, Large margin methods for structured outputs, JMLR 2005",
    latex=r"\psi_y(u) = \max_t (L_{yt} + u_t) - u_y",
    preds=("argmax",),
    small=({"loss": "ordinal:n=3"}, {"loss": "zero-one:n=3"}),
    size=labels_and_labels,
    fits=by_zero_diagonal,
    verdicts=(
        Published(zero_one, "CNN", "Nowak-Vila, Rudi, Bach, AISTATS 2022"),
        Published(ordinal, "CCC", "Nowak-Vila, Rudi, Bach, AISTATS 2022"),
        Published(ordinal, "CCC", "Nowak-Vila, Rudi, Bach, AISTATS 2022", pred="argmax"),
        Published(squared, "·NN", "docs/findings.md, 2026"),
        Published(star, "··C", "docs/findings.md, 2026"),
        Published(star, "··N", "docs/findings.md, 2026", pred="argmax"),
    ),
    aliases=("structured_svm", "structured_hinge", "max_margin_markov", "m3n"),
)
def margin_rescaling(loss: LossLike) -> PolyhedralSurrogate:
    """max_t (L_yt + u_t) − u_y on R^n; every label is a prediction, and costs nothing if it is right.

    For 0-1 loss it is `crammer_singer`, for `ordinal` the Crammer–Singer hinge of grades.

    >>> from lossmith.surrogates import crammer_singer
    >>> margin_rescaling("zero-one:n=3")([2, 1, "1/2"]) == crammer_singer(3)([2, 1, "1/2"])
    True
    """
    read = with_zero_diagonal(loss, "margin_rescaling")
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(*(cost + u[t] - u[y] for t, cost in enumerate(read.entries[y]))),
        n=read.n,
        dim=read.n,
        name=f"margin_rescaling({read.name})",
    )
