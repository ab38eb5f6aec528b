"""A bent hinge for each tag, which may be left open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import open_hamming, tags_of
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


def _open_tags(n: int) -> LossMatrix | None:
    """Open tags at 1/4, for 2^r labels."""
    return open_hamming(n.bit_length() - 1, "1/4") if n.bit_count() == 1 else None


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The cost of an open tag, where the decisions are 0, 1 or ? for each tag."""
    r = loss.n.bit_length() - 1
    if loss.n != 2**r or loss.k != 3**r or not 0 < 2 * loss.entries[0][2] <= 1:
        return None
    cost = loss.entries[0][2]
    return {"r": r, "cost": cost} if open_hamming(r, cost).entries == loss.entries else None


@family(
    cite="P. L. Bartlett, M. H. Wegkamp, Classification with a reject option using a hinge loss, JMLR 2008",
    latex=r"\psi_y(u) = \sum_i \max\{0,\, 1 - s_{yi} u_i,\, 1 - \tfrac{1-c}{c} s_{yi} u_i\}",
    preds=("open-tags:tau=1/2",),
    kind="sets",
    small=({"r": 1, "cost": "1/4"}, {"r": 2, "cost": "1/4"}),
    size=lambda r, cost: (2 ** at_least("r", r, 1), r),
    fits=_fits,
    verdicts=(
        Published(_open_tags, "C–C", "Bartlett, Wegkamp, JMLR 2008"),
        Published(_open_tags, "C–C", "Bartlett, Wegkamp, JMLR 2008", pred="open-tags:tau=1/2"),
    ),
)
def tagwise_reject_hinge(r: int, cost: RationalLike) -> PolyhedralSurrogate:
    """Σ_i max{0, 1 − s_yi u_i, 1 − ((1−c)/c) s_yi u_i} on R^r, s_yi = 1 if y has tag i, else −1; 0 < c ≤ 1/2.

    It is `bartlett_wegkamp` for each tag, and calibrated if a wrong tag costs 1 and an open one c. Labels are the r-bit
    strings in binary order.

    >>> [str(x) for x in tagwise_reject_hinge(1, "1/4")(["1/2"])]
    ['5/2', '1/2']
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x <= 1, "greater than 0 and at most 1/2")
    tags, a = tags_of(r), (1 - c) / c
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(maximum(0, 1 - s * x, 1 - a * s * x) for s, x in zip(tags[y], u, strict=True)),
        n=2**r,
        dim=r,
        name=f"tagwise_reject_hinge(r={r}, cost={c})",
    )
