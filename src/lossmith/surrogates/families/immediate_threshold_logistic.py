"""One logistic regression per threshold, on the two grades next to it only."""

from __future__ import annotations

from fractions import Fraction

from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.margins_per_bit import margin_per_bit
from lossmith.surrogates.signed_margins import signed_margins
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Together, Traits

_PHI = margin_named("logistic")


@family(
    cite="J. D. M. Rennie, N. Srebro, Loss functions for preference levels, 2005; F. Pedregosa, F. Bach, A. Gramfort, "
    "On the consistency of ordinal regression methods, JMLR 2017",
    latex=r"\psi_y(u) = \mathbf{1}(y > 1) \log(1 + e^{u_{y-1}}) + \mathbf{1}(y < n) \log(1 + e^{-u_y})",
    preds=("sign",),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n - 1),
    fits=lambda loss: by_labels(loss) if {*loss.labels} == {*loss.predictions} else None,
    verdicts=(
        Published(zero_one, "CNN", "Pedregosa, Bach, Gramfort, JMLR 2017", printed="CCC"),
        Published(ordinal, "CNN", "docs/findings.md, 2026"),
    ),
    formless="a grade looks at the two thresholds next to it only, so that no row of bits describes it",
    aliases=("logistic_it",),
)
def immediate_threshold_logistic(n: int) -> SmoothSurrogate:
    """log(1 + e^{u_{y−1}}) + log(1 + e^{−u_y}) on R^{n−1}; the first and the last grade have one of the two.

    At p > 0 the risk is least at u_i = log(p_i/p_{i+1}), which tells p. But grades that are no neighbours are served
    together far out: where those between are impossible, nothing tells which is likelier.

    >>> [round(x, 4) for x in immediate_threshold_logistic(3)([0, 0])]  # log 2, 2 log 2, log 2
    [0.6931, 1.3863, 0.6931]
    """
    name = f"immediate_threshold_logistic(n={n})"
    if n == 2:
        return margin_per_bit(name, ((1,), (0,)), _PHI)
    signs = tuple(tuple(Fraction((i == y) - (i == y - 1)) for i in range(n - 1)) for y in range(n))
    every_other = [tuple(range(first, n, 2)) for first in (0, 1)]
    shifted = [tuple(y for y in each if y < i) + tuple(range(i + 1, n, 2)) for each in every_other for i in each[1:]]
    sets = [labels for labels in (*every_other, *shifted) if len(labels) > 1]
    traits = Traits(together=tuple(_far_out(labels, n) for labels in sets))
    return signed_margins(name, signs, _PHI, traits)


def _far_out(labels: tuple[int, ...], n: int) -> Together:
    """Grades no two of which are neighbours: each wants the threshold below it low, and the one above it high."""
    return Together(labels, tuple(Fraction((i in labels) - (i + 1 in labels)) for i in range(n - 1)))
