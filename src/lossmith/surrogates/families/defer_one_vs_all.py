"""One function of the margin for each label, and one for whether the expert is right."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.surrogates.cases import by_experts
from lossmith.surrogates.families.defer_softmax import defer_softmax
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.margins_per_bit import margin_per_bit
from lossmith.surrogates.smooth import SmoothSurrogate


def _size(n: int, phi: str = "logistic") -> tuple[int, int]:
    margin_named(phi)
    return 2 * at_least("n", n, 2), n + 1


@family(
    cite="R. Verma, E. Nalisnick, Calibrated learning to defer with one-vs-all classifiers, ICML 2022",
    latex=r"\psi_{y,b}(u) = \varphi(u_y) + \sum_{j \neq y} \varphi(-u_j) + \varphi((2b - 1) u_{n+1}), \quad "
    r"\psi_y(u) = \psi_{y,b}(u)",
    preds=("decide",),
    small=({"n": 2}, {"n": 3, "phi": "exponential"}),
    size=_size,
    fits=defer_softmax.fits,
    verdicts=(
        Published(by_experts, "··C", "Verma, Nalisnick, ICML 2022"),
        Published(by_experts, "··C", "Verma, Nalisnick, ICML 2022", pred="argmax"),
    ),
)
def defer_one_vs_all(n: int, phi: str = "logistic") -> SmoothSurrogate:
    """φ(u_y) + Σ_{j≠y} φ(−u_j) + φ(±u_n) on R^{n+1} for the labels of `defer`: y is true, the expert right or wrong.

    Each score tells the probability of its label, the last that of the expert being right: the largest is right for
    0-1 loss with deferral. Two questions are asked of one label, so that these probabilities need not sum to 1.

    >>> defer_one_vs_all(2).estimates([[0, 0, 0]]).tolist()
    [[0.5, 0.5, 0.5]]
    """
    chosen = margin_named(phi)
    bits = tuple((*(int(j == y) for j in range(n)), b) for y in range(n) for b in (1, 0))
    return margin_per_bit(f"defer_one_vs_all(n={n}, phi={chosen.name})", bits, chosen)
