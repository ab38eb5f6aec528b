"""One hinge per threshold between grades, weighted by what the step over it costs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from lossmith.families import Published, family
from lossmith.losses import ordinal
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.cases import squared
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.thresholds import domain_of, of_grades, v_shaped
from lossmith.surrogates.tracing import pos


def _size(loss: LossLike, thresholds: str = "ordered") -> tuple[int, int]:
    n = as_loss(loss).n
    return n, n - 1


@family(
    cite="H.-T. Lin, L. Li, Reduction from cost-sensitive ordinal ranking to weighted binary classification, 2012",
    latex=r"\psi_y(u) = \sum_{i < y} (L_{yi} - L_{y,i+1})(1 + u_i)_+ + \sum_{i \geq y} (L_{y,i+1} - L_{yi})(1 - u_i)_+",
    preds=("sign",),
    kind="ordinal",
    small=({"loss": "ordinal:n=3"}, {"loss": "ordinal:n=3,power=2"}, {"loss": "zero-one:n=3", "thresholds": "free"}),
    size=_size,
    fits=lambda loss: {"loss": loss} if v_shaped(loss) else None,
    verdicts=(
        Published(None, "CCC", "docs/findings.md, 2026"),
        Published(ordinal, "CCC", "Lin, Li, Neural Computation 2012", pred="sign"),
        Published(squared, "·CC", "Pedregosa, Bach, Gramfort, JMLR 2017", pred="sign"),
    ),
    aliases=("red_svm",),
)
def cost_all_threshold_hinge(loss: LossLike, thresholds: str = "ordered") -> PolyhedralSurrogate:
    """Σ_{i<y} (L_yi − L_y,i+1)(1 + u_i)₊ + Σ_{i≥y} (L_y,i+1 − L_yi)(1 − u_i)₊ on {u_0 ≤ u_1 ≤ …}, or R^{n−1}.

    Costs do not fall away from the right grade: rows are V-shaped. On ordered thresholds it is calibrated for every
    such L: its least values are those at steps u = (−1 … −1, 1 … 1), where it is 2(L − min L). With sign it is if the
    rows are convex. `ordinal` gives `all_threshold_hinge`, 0-1 loss `immediate_threshold_hinge`.

    >>> from lossmith.surrogates import immediate_threshold_hinge
    >>> cost_all_threshold_hinge("zero-one:n=4") == immediate_threshold_hinge(4)
    True
    """
    read = of_grades(loss, "cost_all_threshold_hinge", "cost_weighted_hinge")

    def psi(y: int, u: list[Any]) -> Any:
        steps = [after - before for before, after in pairwise(read.entries[y])]
        return sum(abs(step) * pos(1 + x if i < y else 1 - x) for i, (step, x) in enumerate(zip(steps, u, strict=True)))

    name = f"cost_all_threshold_hinge({read.name}{', thresholds=free' * (thresholds == 'free')})"
    return PolyhedralSurrogate.from_function(psi, n=read.n, dim=read.n - 1, domain=domain_of(thresholds), name=name)
