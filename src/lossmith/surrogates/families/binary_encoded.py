"""The binary-encoded predictions surrogate: abstaining in ⌈log₂ n⌉ dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import LossMatrix, abstain, zero_one
from lossmith.surrogates.fitting import cost_of_abstaining
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


def _fits(loss: LossMatrix) -> Mapping[str, Any]:
    cost = cost_of_abstaining(loss)
    return {"n": loss.n} if cost is None else {"n": loss.n, "cost": cost}


@family(
    cite="H. G. Ramaswamy, A. Tewari, S. Agarwal, Multiclass classification with an abstain option, EJS 2018",
    latex=r"\psi_y(u) = \max_j \max\{0,\, 2c(B_j(y) u_j + 1),\, 2(1-c) B_j(y) u_j + 2c\}",
    preds=("sign-code:tau=1/2",),
    kind="abstaining",
    small=({"n": 2}, {"n": 3}, {"n": 4, "cost": "2/5"}),
    size=lambda n, cost="1/2": (at_least("n", n, 2), (n - 1).bit_length()),
    fits=_fits,
    verdicts=(
        Published(abstain, "CCC", "Ramaswamy, Tewari, Agarwal, EJS 2018"),
        Published(zero_one, "··N", "exmp:ccdim-0-1"),
    ),
)
def binary_encoded(n: int, cost: RationalLike = "1/2") -> PolyhedralSurrogate:
    """max{0, 2c(B_j u_j + 1), 2(1−c)B_j u_j + 2c : j} on R^d, d = ⌈log₂ n⌉, for abstaining at cost 0 < c ≤ 1/2.

    B(y) ∈ {±1}^d is y in binary, most significant bit first, with +1 for a one.

    >>> binary_encoded(4).dim
    2
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x <= 1, "greater than 0 and at most 1/2")
    dim = (n - 1).bit_length()
    codes = [[1 if bit == "1" else -1 for bit in format(y, f"0{dim}b")] for y in range(n)]

    def psi(y: int, u: list[object]) -> object:
        signed = [code * x for code, x in zip(codes[y], u, strict=True)]  # type: ignore[operator]
        return maximum(0, *(2 * c * (x + 1) for x in signed), *(2 * (1 - c) * x + 2 * c for x in signed))

    return PolyhedralSurrogate.from_function(psi, n=n, dim=dim, name=f"binary_encoded(n={n}, cost={c})")
