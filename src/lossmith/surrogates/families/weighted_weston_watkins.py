"""The Weston–Watkins hinge with costs, as margins or as weights of the slacks."""

from __future__ import annotations

from typing import Any

from lossmith.families import Published, family, one_of
from lossmith.losses import ordinal, zero_one
from lossmith.losses.named import LossLike
from lossmith.surrogates.cases import squared
from lossmith.surrogates.fitting import by_zero_diagonal
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import labels_and_labels, with_zero_diagonal
from lossmith.surrogates.tracing import pos


@family(
    cite="J. Weston, C. Watkins, Support vector machines for multi-class pattern recognition, ESANN 1999",
    latex=r"\psi_y(u) = \sum_{t \neq y} L_{yt} (1 + u_t - u_y)_+ \text{ or } \sum_{t \neq y} (L_{yt} + u_t - u_y)_+",
    preds=("argmax",),
    small=({"loss": "ordinal:n=3"}, {"loss": "ordinal:n=3", "form": "margin"}, {"loss": "zero-one:n=2"}),
    size=lambda loss, form="slack": labels_and_labels(loss),
    fits=by_zero_diagonal,
    verdicts=(
        Published(zero_one, "CNN", "Tewari, Bartlett, JMLR 2007"),
        Published(ordinal, "CNN", "docs/findings.md, 2026"),
        Published(squared, "·NN", "docs/findings.md, 2026"),
    ),
)
def weighted_weston_watkins(loss: LossLike, form: str = "slack") -> PolyhedralSurrogate:
    """Σ_{t≠y} L_yt (1 + u_t − u_y)₊ on R^n; or with form="margin" Σ_{t≠y} (L_yt + u_t − u_y)₊.

    >>> from lossmith.surrogates import weston_watkins
    >>> weighted_weston_watkins("zero-one:n=3") == weston_watkins(3)
    True
    """
    read = with_zero_diagonal(loss, "weighted_weston_watkins")
    slack = one_of("form", form, ("slack", "margin")) == "slack"

    def psi(y: int, u: list[Any]) -> Any:
        costs = [(t, cost) for t, cost in enumerate(read.entries[y]) if t != y]
        if slack:
            return sum(cost * pos(1 + u[t] - u[y]) for t, cost in costs)
        return sum(pos(cost + u[t] - u[y]) for t, cost in costs)

    name = f"weighted_weston_watkins({read.name}{', form=margin' * (not slack)})"
    return PolyhedralSurrogate.from_function(psi, n=read.n, dim=read.n, name=name)
