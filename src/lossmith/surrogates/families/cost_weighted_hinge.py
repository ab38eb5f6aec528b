"""A hinge for any loss matrix: each decision is pushed down in proportion to what it costs."""

from __future__ import annotations

from lossmith.families import Published, Theorem, family
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.fitting import by_loss
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


def _size(loss: LossLike) -> tuple[int, int]:
    read = as_loss(loss)
    return read.n, read.k


@family(
    cite="B. Á. Pires, C. Szepesvári, M. Ghavamzadeh, Cost-sensitive multiclass classification risk bounds, ICML 2013",
    latex=r"\psi_y(u) = \sum_t L_{yt} (1 + u_t)_+, \quad \textstyle\sum_t u_t = 0",
    preds=("argmax",),
    small=({"loss": "zero-one:n=3"}, {"loss": "abstain:n=3"}),
    size=_size,
    fits=by_loss("loss"),
    verdicts=(Published(None, "CCC", "Pires, Szepesvári, Ghavamzadeh, ICML 2013"),),
    settles=Theorem("cost-weighted hinge", None, "argmax", "Pires, Szepesvári, Ghavamzadeh, ICML 2013"),
)
def cost_weighted_hinge(loss: LossLike) -> PolyhedralSurrogate:
    """Σ_t L_yt (1 + u_t)₊ on {u ∈ R^k : Σ u_t = 0}; calibrated with argmax for every loss L.

    The risk is Σ_t c_t (1 + u_t)₊ with c_t = p·ℓ_t. As Σ_t (1 + u_t) = k, it is least, k min c, only where u_t ≤ −1 for
    every t with c_t > min c; the largest u_t is at least 0, so that it belongs to a t with c_t = min c.

    >>> cost_weighted_hinge("ordinal:n=3").dim
    3
    """
    read = as_loss(loss).matrix()
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(cost * pos(1 + x) for cost, x in zip(read.entries[y], u, strict=True)),
        n=read.n,
        dim=read.k,
        domain=lambda u: [sum(u) == 0],
        name=f"cost_weighted_hinge({read.name})",
    )
