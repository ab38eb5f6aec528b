"""Softmax with a score of its own for abstaining."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import abstain
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cross_entropies import cross_entropy
from lossmith.surrogates.fitting import by_abstaining
from lossmith.surrogates.smooth import SmoothSurrogate


def _cost(cost: RationalLike) -> Fraction:
    return rational_where("cost", cost, lambda x: 0 <= x < 1, "at least 0 and less than 1")


def _size(n: int, cost: RationalLike = "1/2") -> tuple[int, int]:
    _cost(cost)
    return at_least("n", n, 2), n + 1


def _fits(loss: LossMatrix) -> Any:
    return by_abstaining(loss) or {"n": loss.n}


@family(
    cite="A. Mao, M. Mohri, Y. Zhong, Theoretically grounded loss functions and algorithms for score-based multi-class "
    "abstention, AISTATS 2024; Y. Cao et al., Generalizing consistent multi-class classification with rejection to be "
    "compatible with arbitrary losses, NeurIPS 2022",
    latex=r"\psi_y(u) = \ell_y(u) + (1 - c) \, \ell_{n+1}(u), \quad \ell_j(u) = \log \sum_i e^{u_i} - u_j",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3}, {"n": 3, "cost": "3/5"}),
    size=_size,
    fits=_fits,
    verdicts=(Published(abstain, "CCC", "Mao, Mohri, Zhong, AISTATS 2024"),),
)
def augmented_softmax(n: int, cost: RationalLike = "1/2") -> SmoothSurrogate:
    """Softmax on n + 1 scores, for the label with the weight 1 and for abstaining with the weight 1 − c, 0 ≤ c < 1.

    softmax(u) tells (p, 1 − c)/(2 − c), so that the largest score is right for abstaining at the cost c.

    >>> augmented_softmax(2).estimates([[0, 0, 0]]).round(4).tolist()
    [[0.3333, 0.3333, 0.3333]]
    """
    c = _cost(cost)
    rows = tuple((*(Fraction(j == y) for j in range(n)), 1 - c) for y in range(n))
    return cross_entropy(f"augmented_softmax(n={n}, cost={c})", rows)
