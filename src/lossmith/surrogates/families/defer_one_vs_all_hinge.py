"""One hinge per class, and one for whether the expert is right."""

from __future__ import annotations

from typing import Any

from lossmith.families import Published, at_least, family
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import by_experts
from lossmith.surrogates.fitting import by_deferring
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


def _fits(loss: LossMatrix) -> dict[str, Any] | None:
    found = by_deferring(loss)
    return {"classes": found["classes"]} if found is not None and found["experts"] == 1 else None


@family(
    cite="R. Verma, E. Nalisnick, Calibrated learning to defer with one-vs-all classifiers, ICML 2022",
    latex=r"\psi_y(u) = (1 - u_y)_+ + \sum_{j \neq y} (1 + u_j)_+ + (1 - (2b - 1) u_m)_+",
    preds=("argmax",),
    kind="abstaining",
    small=({"classes": 2}, {"classes": 3}),
    size=lambda classes: (2 * at_least("classes", classes, 2), classes + 1),
    fits=_fits,
    verdicts=(Published(by_experts, "··N", "docs/findings.md, 2026"),),
)
def defer_one_vs_all_hinge(classes: int) -> PolyhedralSurrogate:
    """(1 − u_y)₊ + Σ_{j≠y} (1 + u_j)₊ + (1 − (2b − 1)u_m)₊ on R^{m+1}.

    Labels are one of m classes and whether the expert is right, b = 1, or wrong, b = 0.
    Its authors prove it for strictly proper losses, such as the logistic one; the hinge tells too little.

    >>> [str(x) for x in defer_one_vs_all_hinge(2)([1, -1, 1])]    # 0 right, 0 wrong, 1 right, 1 wrong
    ['0', '2', '4', '6']
    """

    def psi(y: int, u: list[Any]) -> Any:
        hinges = (pos(1 - u[j] if j == y // 2 else 1 + u[j]) for j in range(classes))
        return sum(hinges) + pos(1 + u[classes] if y % 2 else 1 - u[classes])

    name = f"defer_one_vs_all_hinge(classes={classes})"
    return PolyhedralSurrogate.from_function(psi, n=2 * classes, dim=classes + 1, name=name)
