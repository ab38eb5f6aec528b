"""One function of the margin per threshold between grades, weighted by what the step over it costs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from lossmith.families import Published, family
from lossmith.losses import ordinal
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.cases import squared
from lossmith.surrogates.curvatures import BENDS
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.signed_margins import Rows, signed_margins
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.thresholds import of_grades, v_shaped
from lossmith.surrogates.traits import Order, Together, Traits, TwoScores


def _size(loss: LossLike, phi: str = "logistic") -> tuple[int, int]:
    margin_named(phi)
    n = as_loss(loss).n
    return n, n - 1


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one of the loss, if its rows are convex: grades. Others may be V-shaped by chance, as of a tree."""
    steps = [[after - before for before, after in pairwise(row)] for row in loss.entries]
    convex = all(before <= after for row in steps for before, after in pairwise(row))
    return {"loss": loss} if convex and v_shaped(loss) else None


@family(
    cite="H.-T. Lin, L. Li, Reduction from cost-sensitive ordinal ranking to weighted binary classification, 2012; "
    "F. Pedregosa, F. Bach, A. Gramfort, On the consistency of ordinal regression methods, JMLR 2017",
    latex=r"\psi_y(u) = \sum_{i < y} (L_{yi} - L_{y,i+1}) \, \varphi(-u_i) "
    r"+ \sum_{i \geq y} (L_{y,i+1} - L_{yi}) \, \varphi(u_i)",
    preds=("sign",),
    kind="ordinal",
    small=(
        {"loss": "ordinal:n=3"},
        {"loss": "ordinal:n=3,power=2", "phi": "squared-hinge"},
        {"loss": "zero-one:n=3", "phi": "exponential"},
    ),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(ordinal, "CCC", "Pedregosa, Bach, Gramfort, JMLR 2017", pred="sign"),
        Published(squared, "·CC", "Pedregosa, Bach, Gramfort, JMLR 2017", pred="sign"),
    ),
    formless="the weights differ from threshold to threshold",
)
def cost_all_threshold(loss: LossLike, phi: str = "logistic") -> SmoothSurrogate:
    """Σ_{i<y} (L_yi − L_y,i+1) φ(−u_i) + Σ_{i≥y} (L_y,i+1 − L_yi) φ(u_i) on R^{n−1}, rows of L V-shaped.

    The smooth `cost_all_threshold_hinge`. At u_i = 0 the risk has the slope φ′(0) p·(ℓ_{i+1} − ℓ_i): the sign of u_i
    tells whether grade i + 1 costs more than grade i. If the rows of L are convex, so are the expected costs, and
    counting the negative scores finds a least one. `ordinal` gives `all_threshold`, 0-1 loss with the logistic φ
    `immediate_threshold_logistic`.

    >>> cost_all_threshold("ordinal:n=3,power=2", "squared-hinge")([0, 1])
    (1.0, 1.0, 7.0)
    """
    read, chosen = of_grades(loss, "cost_all_threshold", "cost_weighted_loss"), margin_named(phi)
    steps = tuple(tuple(after - before for before, after in pairwise(row)) for row in read.entries)
    traits = Traits(
        order=Order("signs", steps),
        together=_far_out(steps),
        separate=True,
        two_scores=_two_scores(read, steps, chosen.name),
    )
    return signed_margins(f"cost_all_threshold({read.name}, phi={chosen.name})", steps, chosen, traits)


def _two_scores(loss: LossMatrix, steps: Rows, phi: str) -> TwoScores | None:
    """For convex rows and "sign": `moved` times the largest Σ_i |L_y,i+1 − L_yi| (docs/beyond-the-paper.md)."""
    if any(before > after for row in steps for before, after in pairwise(row)):
        return None
    above = BENDS[phi].moved * max(sum(map(abs, row)) for row in steps)
    return TwoScores(
        None, above, strict=False, pred="sign", costs=tuple(tuple(map(Fraction, row)) for row in loss.entries)
    )


def _far_out(steps: Rows) -> tuple[Together, ...]:
    """Grades that want no threshold on different sides: from each grade upwards, as many as agree."""
    found: dict[tuple[int, ...], Together] = {}
    for first in range(len(steps)):
        labels: tuple[int, ...] = (first,)
        wanted = steps[first]
        for y in range(first + 1, len(steps)):
            if all(a * b >= 0 for a, b in zip(wanted, steps[y], strict=True)):
                labels, wanted = (*labels, y), tuple(a or b for a, b in zip(wanted, steps[y], strict=True))
        if len(labels) > 1:
            found[labels] = Together(labels, tuple(Fraction((x > 0) - (x < 0)) for x in wanted))
    return tuple(found.values())
