"""The pinball loss: a quantile of the grades."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import ordinal, zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import newsvendor
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """τ as the costs of the two ends have it."""
    low, high = loss.entries[-1][0], loss.entries[0][-1]
    return {"n": loss.n, "tau": low / (low + high)} if low > 0 < high else None


@family(
    cite="R. Koenker, G. Bassett, Regression quantiles, Econometrica 1978",
    latex=r"\psi_y(u) = \max\{\tau (y - u),\, (1 - \tau)(u - y)\}",
    preds=("nearest",),
    kind="ordinal",
    small=({"n": 2}, {"n": 3, "tau": "1/3"}, {"n": 4, "tau": "3/4"}),
    size=lambda n, tau="1/2": (at_least("n", n, 2), 1),
    fits=_fits,
    verdicts=(
        Published(newsvendor("1/3"), "CCC", "Koenker, Bassett, Econometrica 1978"),
        Published(newsvendor("1/3"), "CCC", "Koenker, Bassett, Econometrica 1978", pred="nearest"),
        Published(ordinal, "CCC", "Koenker, Bassett, Econometrica 1978"),
        Published(zero_one, "CNN", "exmp:ccdim-0-1"),
    ),
    aliases=("quantile",),
)
def pinball(n: int, tau: RationalLike = "1/2") -> PolyhedralSurrogate:
    """max{τ(y − u), (1−τ)(u − y)} for u ∈ R, with centres y = 1 … n, though labels count from 0; 0 < τ < 1.

    It is calibrated if each grade too low costs τ, and each too high 1 − τ; τ = 1/2 is half of `absolute`.

    >>> [str(x) for x in pinball(3, "1/4")([1])]
    ['0', '1/4', '1/2']
    """
    t = rational_where("tau", tau, lambda x: 0 < x < 1, "between 0 and 1")
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(t * (y + 1 - u[0]), (1 - t) * (u[0] - (y + 1))),
        n=n,
        dim=1,
        name=f"pinball(n={n}, tau={t})",
    )
