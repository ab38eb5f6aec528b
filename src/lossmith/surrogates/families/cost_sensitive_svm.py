"""The cost-sensitive support vector machine of two labels, whose parameters are not its costs."""

from __future__ import annotations

from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, family, rational_where
from lossmith.losses import zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import zero_diagonal
from lossmith.surrogates.tracing import pos


def _costs(n: int) -> LossMatrix | None:
    """Mistakes that cost 3 and 2."""
    return LossMatrix([[0, 3], [2, 0]], name="costs 3 and 2") if n == 2 else None


def _fits(loss: LossMatrix) -> dict[str, Any] | None:
    """The costs of mistakes, where both are at least 1."""
    if loss.n != 2 or not zero_diagonal(loss) or min(loss.entries[0][1], loss.entries[1][0]) < 1:
        return None
    return {"a": loss.entries[0][1], "b": loss.entries[1][0]}


@family(
    cite="H. Masnadi-Shirazi, N. Vasconcelos, Risk minimization and cost-sensitive SVMs, ICML 2010",
    latex=r"\psi_y(u) = a (1 - u)_+ \text{ if } y = 0, \; (1 + (2b - 1) u)_+ \text{ if } y = 1",
    preds=("sign",),
    small=({"a": 1, "b": 1}, {"a": 3, "b": 2}),
    size=lambda a, b: (2, 1),
    fits=_fits,
    verdicts=(
        Published(zero_one, "C––", "Masnadi-Shirazi, Vasconcelos, ICML 2010"),
        Published(_costs, "N––", "docs/findings.md, 2026"),
    ),
)
def cost_sensitive_svm(a: RationalLike, b: RationalLike) -> PolyhedralSurrogate:
    """a(1 − u)₊ for label 0 and (1 + (2b − 1)u)₊ for label 1; a ≥ 1 and b ≥ 1.

    It is calibrated if mistakes cost a and 2b − 1, not if they cost a and b.

    >>> [str(x) for x in cost_sensitive_svm(3, 2)(["1/2"])]
    ['3/2', '5/2']
    """
    first = rational_where("a", a, lambda x: x >= 1, "at least 1")
    second = rational_where("b", b, lambda x: x >= 1, "at least 1")
    return PolyhedralSurrogate.from_function(
        lambda y, u: pos(1 + (2 * second - 1) * u[0]) if y else first * pos(1 - u[0]),
        n=2,
        dim=1,
        name=f"cost_sensitive_svm(a={first}, b={second})",
    )
