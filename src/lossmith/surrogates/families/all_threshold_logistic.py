"""One logistic regression per threshold between grades: all-threshold ordinal regression."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.margins_per_bit import margin_per_bit
from lossmith.surrogates.smooth import SmoothSurrogate


@family(
    cite="F. Pedregosa, F. Bach, A. Gramfort, On the consistency of ordinal regression methods, JMLR 2017",
    latex=r"\psi_y(\alpha) = \sum_{i<y} \log(1 + e^{\alpha_i}) + \sum_{i \geq y} \log(1 + e^{-\alpha_i})",
    preds=("decide", "sign"),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n - 1),
    fits=by_labels,
    verdicts=(Published(ordinal, "CCC", "Pedregosa, Bach, Gramfort, JMLR 2017"),),
    aliases=("logistic_at",),
)
def all_threshold_logistic(n: int) -> SmoothSurrogate:
    """Σ_{i<y} log(1 + e^{α_i}) + Σ_{i≥y} log(1 + e^{−α_i}) on R^{n−1}.

    The probability of a grade of at most i is 1 / (1 + e^{−α_i}).

    >>> all_threshold_logistic(3).estimates([[0.0, 0.0]]).tolist()
    [[0.5, 0.5]]
    """
    at_most = tuple(tuple(int(y <= i) for i in range(n - 1)) for y in range(n))
    return margin_per_bit(f"all_threshold_logistic(n={n})", at_most, margin_named("logistic"))
