"""One function of the margin per bit, for multi-label learning."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import hamming
from lossmith.surrogates.fitting import by_bits
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.margins_per_bit import bits_of, margin_per_bit
from lossmith.surrogates.smooth import SmoothSurrogate


def _size(r: int, phi: str = "exponential") -> tuple[int, int]:
    margin_named(phi)
    return 2 ** at_least("r", r, 1), r


@family(
    cite="W. Gao, Z.-H. Zhou, On the consistency of multi-label learning, Artificial Intelligence 2013; M. Blondel, "
    "Structured prediction with projection oracles, NeurIPS 2019 (modified Huber: projection on the cube)",
    latex=r"\psi_y(u) = \sum_i \varphi(s_{yi} u_i)",
    preds=("decide", "sign"),
    small=({"r": 1}, {"r": 2, "phi": "modified-huber"}, {"r": 2, "phi": "squared-hinge"}),
    size=_size,
    fits=by_bits,
    verdicts=(Published(hamming, "C–C", "Gao, Zhou, Artificial Intelligence 2013"),),
)
def binary_relevance(r: int, phi: str = "exponential") -> SmoothSurrogate:
    """Σ_i φ(s_yi u_i) on R^r for the bits s_yi = ±1 of y, most significant first; φ by name as in one_vs_all.

    The probability of bit i is told by u_i. With the modified Huber loss it is (1 + u_i)/2, cut to [0, 1]: up to a
    factor and z = 2u − 1 this is ½‖u − y‖² − ½ dist²(u, [0, 1]^r), the Fenchel–Young loss of the cube.

    >>> binary_relevance(2, "modified-huber")([1, -1])
    (4.0, 8.0, 0.0, 4.0)
    """
    chosen = margin_named(phi)
    return margin_per_bit(f"binary_relevance(r={r}, phi={chosen.name})", bits_of(r), chosen)
