"""One logistic regression per bit: binary cross-entropy for multi-label learning."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import hamming
from lossmith.surrogates.fitting import by_bits
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.margins_per_bit import margin_per_bit
from lossmith.surrogates.smooth import SmoothSurrogate


@family(
    cite="K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, On label dependence and loss minimization in "
    "multi-label classification, Machine Learning 2012",
    latex=r"\psi_y(u) = \sum_i \log(1 + e^{-s_{yi} u_i})",
    preds=("decide", "sign"),
    small=({"r": 1}, {"r": 2}, {"r": 3}),
    size=lambda r: (2 ** at_least("r", r, 1), r),
    fits=by_bits,
    verdicts=(Published(hamming, "C–C", "Dembczyński et al., Machine Learning 2012"),),
)
def binary_relevance_logistic(r: int) -> SmoothSurrogate:
    """Σ_i log(1 + e^{−s_yi u_i}) on R^r for the bits s_yi = ±1 of y, most significant first.

    The probability of bit i is 1 / (1 + e^{−u_i}).

    >>> [round(x, 3) for x in binary_relevance_logistic(1)([0])]
    [0.693, 0.693]
    """
    bits = tuple(tuple(int(bit) for bit in format(y, f"0{r}b")) for y in range(2**r))
    return margin_per_bit(f"binary_relevance_logistic(r={r})", bits, margin_named("logistic"))
