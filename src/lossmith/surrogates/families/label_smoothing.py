"""Cross-entropy with a share of each example given to all labels alike."""

from __future__ import annotations

from fractions import Fraction

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import zero_one
from lossmith.surrogates.cross_entropies import cross_entropy
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.smooth import SmoothSurrogate


def _eps(eps: RationalLike) -> Fraction:
    return rational_where("eps", eps, lambda x: 0 <= x < 1, "at least 0 and less than 1")


def _size(n: int, eps: RationalLike = "1/10") -> tuple[int, int]:
    _eps(eps)
    return at_least("n", n, 2), n


@family(
    cite="C. Szegedy, V. Vanhoucke, S. Ioffe, J. Shlens, Z. Wojna, Rethinking the Inception architecture for computer "
    "vision, CVPR 2016",
    latex=r"\psi_y(u) = \log \sum_j e^{u_j} - (1 - \varepsilon) u_y - \tfrac{\varepsilon}{n} \sum_j u_j",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3}, {"n": 4, "eps": "1/5"}),
    size=_size,
    fits=by_labels,
    verdicts=(Published(zero_one, "CCC", "Szegedy et al., CVPR 2016"),),
)
def label_smoothing(n: int, eps: RationalLike = "1/10") -> SmoothSurrogate:
    """(1 − ε) softmax_y + (ε/n) Σ_j softmax_j on R^n for 0 ≤ ε < 1: softmax(u) tells (1 − ε) p + ε/n.

    So every loss is decided by it, with the probabilities corrected: p = (softmax(u) − ε/n) / (1 − ε).

    >>> label_smoothing(2, "1/2").estimates([[0, 0]]).tolist()
    [[0.5, 0.5]]
    """
    share = _eps(eps)
    rows = tuple(tuple((1 - share) * (j == y) + share / n for j in range(n)) for y in range(n))
    return cross_entropy(f"label_smoothing(n={n}, eps={share})", rows)
