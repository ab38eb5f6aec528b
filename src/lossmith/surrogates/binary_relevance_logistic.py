"""One logistic regression per bit: binary cross-entropy for multi-label learning."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import at_least, family
from lossmith.surrogates.smooth import Reading, SmoothSurrogate, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@family(
    cite="K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, On label dependence and loss minimization in "
    "multi-label classification, Machine Learning 2012",
    latex=r"\psi_y(u) = \sum_i \log(1 + e^{-s_{yi} u_i})",
    preds=("decide", "sign"),
    small=({"r": 1}, {"r": 2}, {"r": 3}),
    size=lambda r: (2 ** at_least("r", r, 1), r),
)
def binary_relevance_logistic(r: int) -> SmoothSurrogate:
    """Σ_i log(1 + e^{−s_yi u_i}) on R^r for the bits s_yi = ±1 of y, most significant first.

    The probability of bit i is 1 / (1 + e^{−u_i}).

    >>> [round(x, 3) for x in binary_relevance_logistic(1)([0])]
    [0.693, 0.693]
    """
    bits = tuple(tuple(int(bit) for bit in format(y, f"0{r}b")) for y in range(2**r))
    return logistic_per_bit(f"binary_relevance_logistic(r={r})", bits)


def logistic_per_bit(name: str, bits: tuple[tuple[int, ...], ...]) -> SmoothSurrogate:
    """The surrogate with one logistic loss for each bit of a label: it tells the probability of each bit.

    >>> logistic_per_bit("coin", ((1,), (0,))).estimates([[0.0]]).tolist()
    [[0.5]]
    """
    rows = tuple(tuple(map(Fraction, row)) for row in bits)
    traits = Traits(mean=rows, reading=Reading(_sigmoid, _logit))
    return SmoothSurrogate(name, len(bits), len(bits[0]), _Value(bits), _Slope(bits), traits)


@dataclass(frozen=True)
class _Bits:
    bits: tuple[tuple[int, ...], ...]

    def signs(self) -> Array:
        import numpy as np

        return 2.0 * np.array(self.bits) - 1


class _Value(_Bits):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        result: Array = np.logaddexp(0, -U[:, None, :] * self.signs()).sum(axis=2)
        return result


class _Slope(_Bits):
    def __call__(self, U: Array) -> Array:
        signs = self.signs()
        result: Array = -signs * _sigmoid(-U[:, None, :] * signs)
        return result


def _sigmoid(U: Array) -> Array:
    import numpy as np

    result: Array = np.exp(-np.logaddexp(0, -U))
    return result


def _logit(x: Array) -> Array:
    import numpy as np

    tiny = np.finfo(float).tiny
    result: Array = np.log(np.maximum(x, tiny)) - np.log(np.maximum(1 - x, tiny))
    return result
