"""A function of the scores of all other labels, where the scores sum to 0: smooth kin of Lee, Lin & Wahba's."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.surrogates.against_all import own_label
from lossmith.surrogates.centred import centred
from lossmith.surrogates.curvatures import BENDS
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.margins import Margin, margin_named
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Order, ProperComposite, Traits, TwoScores

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def _size(n: int, phi: str = "exponential") -> tuple[int, int]:
    margin_named(phi)
    return at_least("n", n, 2), n


@family(
    cite="Y. Lee, Y. Lin, G. Wahba, Multicategory support vector machines, JASA 2004; T. Zhang, Statistical analysis "
    "of some multi-category large margin classification methods, JMLR 2004",
    latex=r"\psi_y(u) = \sum_{j \neq y} \varphi(\bar u - u_j)",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3, "phi": "squared-hinge"}, {"n": 4}, {"n": 3, "phi": "logistic"}),
    size=_size,
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CCC", "Zhang, JMLR 2004"),
        Published(None, "CCC", "docs/beyond-the-paper.md, 2026"),
    ),
    formless="each score meets the mean of all, so that the curvature is a full matrix",
)
def constrained_loss(n: int, phi: str = "exponential") -> SmoothSurrogate:
    """Σ_{j≠y} φ(ū − u_j) on R^n, where ū is the mean of the scores: the cost-weighted loss for 0-1.

    The largest score belongs to the likeliest label, whatever p. Where the risk is least, 1 − p_j is inversely
    proportional to φ′(ū − u_j), or p_j = 1 and the others vanish: so the scores tell all probabilities.

    >>> constrained_loss(3, "squared-hinge")([2, -1, -1])
    (0.0, 9.0, 9.0)
    >>> constrained_loss(3, "squared-hinge").probabilities([[1, 0, -1], [2, -1, -1]]).round(4).tolist()
    [[0.6667, 0.3333, 0.0], [1.0, 0.0, 0.0]]
    """
    chosen, zeros = margin_named(phi), ((Fraction(0),) * n,) * n
    other = tuple(tuple(Fraction(j != y) for j in range(n)) for y in range(n))
    proper = ProperComposite(_Shares(chosen), monotone=True, converse=False)
    curved = BENDS[chosen.name].of_two_labels() if n == 2 else None
    two, order = _two_scores(n, chosen.name), Order("largest", own_label(n))
    traits = Traits(proper=proper, order=order, curved=curved, two_scores=two)
    return centred(f"constrained_loss(n={n}, phi={chosen.name})", zeros, other, chosen, traits)


def _two_scores(n: int, phi: str) -> TwoScores:
    """`moved` times 2 − p_s − p_t ≤ 2 − 1/(n − 1), less for exponentials; proofs: docs/beyond-the-paper.md."""
    moved = BENDS[phi].moved
    above, below = moved * (2 - Fraction(1, n - 1)), moved * (2 - Fraction(2, n))
    strict = n == 2 or phi not in ("smooth-hinge", "modified-huber")
    if phi == "smooth-hinge":
        return TwoScores(Fraction(2, n - 1), above, "sure", strict)
    if phi == "exponential" and n > 2:
        above = below + Fraction(2 * (n - 3), n * n * (n - 1))
        likeliest = Fraction(2 * (n + 3), n * (n + 4))
        needed = _needed_without_t(n, likeliest, below, above)
        if needed > below:
            return TwoScores(needed, above, "even", strict, likeliest=likeliest)
    return TwoScores(below, above, "even", strict)


def _needed_without_t(n: int, p_s: Fraction, below: Fraction, above: Fraction) -> Fraction:
    """Return the largest c with three decimals that is needed where p_t = 0 and u = 0, or `below` if none is larger.

    The regret of the surrogate is n − 1 − nX, with Xⁿ the product of the 1 − p_j. So p_s² ≥ c (n − 1 − nX) if and only
    if Xⁿ ≥ ((n − 1 − p_s²/c)/n)ⁿ, which is decided in fractions.
    """
    product = (1 - p_s) * (1 - (1 - p_s) / (n - 2)) ** (n - 2)
    for thousandths in range(int(1000 * above), int(1000 * below), -1):
        c = Fraction(thousandths, 1000)
        if product >= ((n - 1 - p_s**2 / c) / n) ** n:
            return c
    return below


@dataclass(frozen=True)
class _Shares:
    """q_j = (1 − λ/g_j)₊ with g_j = −φ′(ū − u_j), where λ makes them sum to 1."""

    phi: Margin

    def __call__(self, U: Array) -> Array:
        import numpy as np

        rises = -self.phi.slope(U.mean(axis=1, keepdims=True) - U)
        rises = rises / rises.max(axis=1, keepdims=True)
        falling = -np.sort(-rises, axis=1)
        least = np.finfo(float).tiny
        levels = np.arange(U.shape[1]) / np.cumsum(1 / np.maximum(falling, least), axis=1)  # λ, if so many have a share
        kept = np.maximum((levels < falling).sum(axis=1, keepdims=True), 1) - 1
        level, last = (np.take_along_axis(each, kept, axis=1) for each in (levels, falling))
        result: Array = np.where(rises >= last, np.maximum(1 - level / np.maximum(rises, least), 0), 0)
        return result
