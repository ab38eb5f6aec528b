"""Two pinball losses: an interval of the grades, from one quantile to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import intervals
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The α of the costs, where the decisions are the intervals of the grades."""
    missed = loss.entries[1][0]
    if loss.k != loss.n * (loss.n + 1) // 2 or missed <= 2 or intervals(2 / missed)(loss.n).entries != loss.entries:
        return None
    return {"n": loss.n, "alpha": 2 / missed}


@family(
    cite="T. Gneiting, A. Raftery, Strictly proper scoring rules, prediction, and estimation, JASA 2007",
    latex=r"\psi_y(u) = \max\{y - u_1, (\tfrac2\alpha - 1)(u_1 - y)\} + \max\{(\tfrac2\alpha - 1)(y - u_2), u_2 - y\}",
    preds=("nearest",),
    kind="ordinal",
    small=({"n": 2}, {"n": 3, "alpha": "1/3"}),
    size=lambda n, alpha="1/2": (at_least("n", n, 2), 2),
    fits=_fits,
    verdicts=(
        Published(intervals("1/2"), "CCC", "Gneiting, Raftery, JASA 2007"),
        Published(intervals("1/3"), "CCC", "Gneiting, Raftery, JASA 2007"),
        Published(intervals("1/3"), "CC·", "Gneiting, Raftery, JASA 2007", pred="nearest"),
    ),
)
def interval_pinball(n: int, alpha: RationalLike = "1/2") -> PolyhedralSurrogate:
    """max{y − u_1, (2/α − 1)(u_1 − y)} + max{(2/α − 1)(y − u_2), u_2 − y} on R², with centres y = 1 … n; 0 < α < 1.

    u_1 and u_2 are quantiles at α/2 and 1 − α/2. It is calibrated if an interval [a, b] costs its length b − a, and 2/α
    times the distance of the grade to it.

    >>> [str(x) for x in interval_pinball(3)([1, 2])]
    ['1', '1', '5']
    """
    rate = 2 / rational_where("alpha", alpha, lambda x: 0 < x < 1, "between 0 and 1")

    def psi(y: int, u: list[Any]) -> Any:
        low, high = u[0] - (y + 1), u[1] - (y + 1)
        return maximum(-low, (rate - 1) * low) + maximum((1 - rate) * high, high)

    return PolyhedralSurrogate.from_function(psi, n=n, dim=2, name=f"interval_pinball(n={n}, alpha={2 / rate})")
