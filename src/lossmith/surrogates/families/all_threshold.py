"""One function of the margin per threshold between grades."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.margins_per_bit import margin_per_bit
from lossmith.surrogates.smooth import SmoothSurrogate


def _size(n: int, phi: str = "smooth-hinge") -> tuple[int, int]:
    margin_named(phi)
    return at_least("n", n, 2), n - 1


@family(
    cite="J. D. M. Rennie, N. Srebro, Loss functions for preference levels, 2005; H.-T. Lin, L. Li, Large-margin "
    "thresholded ensembles for ordinal regression, 2006 (exponential)",
    latex=r"\psi_y(u) = \sum_{i<y} \varphi(-u_i) + \sum_{i \geq y} \varphi(u_i)",
    preds=("decide", "sign"),
    small=({"n": 2}, {"n": 3, "phi": "exponential"}, {"n": 4, "phi": "squared-hinge"}),
    size=_size,
    fits=by_labels,
    verdicts=(Published(ordinal, "CCC", "Pedregosa, Bach, Gramfort, JMLR 2017"),),
)
def all_threshold(n: int, phi: str = "smooth-hinge") -> SmoothSurrogate:
    """Σ_{i<y} φ(−u_i) + Σ_{i≥y} φ(u_i) on R^{n−1}: u_i tells the probability of a grade of at most i.

    >>> all_threshold(3)([0, 1]), all_threshold(3).estimates([[0.0, 0.5]]).round(4).tolist()
    ((0.5, 0.5, 2.0), [[0.5, 0.6667]])
    """
    chosen = margin_named(phi)
    at_most = tuple(tuple(int(y <= i) for i in range(n - 1)) for y in range(n))
    return margin_per_bit(f"all_threshold(n={n}, phi={chosen.name})", at_most, chosen)
