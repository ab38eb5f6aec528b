"""A function of the scores of all other labels, where the scores sum to 0: smooth kin of Lee, Lin & Wahba's."""

from __future__ import annotations

from fractions import Fraction

from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.surrogates.against_all import own_label
from lossmith.surrogates.centred import centred
from lossmith.surrogates.fitting import by_naming
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Order, Traits


def _size(n: int, phi: str = "exponential") -> tuple[int, int]:
    margin_named(phi)
    return at_least("n", n, 2), n


@family(
    cite="Y. Lee, Y. Lin, G. Wahba, Multicategory support vector machines, JASA 2004; T. Zhang, Statistical analysis "
    "of some multi-category large margin classification methods, JMLR 2004",
    latex=r"\psi_y(u) = \sum_{j \neq y} \varphi(\bar u - u_j)",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3, "phi": "squared-hinge"}, {"n": 4}, {"n": 3, "phi": "logistic"}),
    size=_size,
    fits=lambda loss: by_naming(loss) if loss.k == loss.n and loss.entries[0].count(Fraction(0)) == 1 else None,
    verdicts=(Published(zero_one, "CCC", "Zhang, JMLR 2004"),),
    formless="each score meets the mean of all, so that the curvature is a full matrix",
)
def constrained_loss(n: int, phi: str = "exponential") -> SmoothSurrogate:
    """Σ_{j≠y} φ(ū − u_j) on R^n, where ū is the mean of the scores: the cost-weighted loss for 0-1.

    The largest score belongs to the likeliest label, whatever p. Probabilities can be read off only where no label is
    certain: if one is, the other scores fall at rates of their own.

    >>> constrained_loss(3, "squared-hinge")([2, -1, -1])
    (0.0, 9.0, 9.0)
    """
    chosen, zeros = margin_named(phi), ((Fraction(0),) * n,) * n
    other = tuple(tuple(Fraction(j != y) for j in range(n)) for y in range(n))
    traits = Traits(order=Order("largest", own_label(n)))
    return centred(f"constrained_loss(n={n}, phi={chosen.name})", zeros, other, chosen, traits)
