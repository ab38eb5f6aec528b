"""A logistic loss for each bit of a label."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.surrogates.forms import Form
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Reading, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def logistic_per_bit(name: str, bits: tuple[tuple[int, ...], ...]) -> SmoothSurrogate:
    """The surrogate with one logistic loss for each bit of a label: it tells the probability of each bit.

    >>> logistic_per_bit("coin", ((1,), (0,))).estimates([[0.0]]).tolist()
    [[0.5]]
    """
    rows = tuple(tuple(map(Fraction, row)) for row in bits)
    traits = Traits(mean=rows, reading=Reading(sigmoid, logit))
    form = Form.of("logistic", rows)
    return SmoothSurrogate(name, len(bits), len(bits[0]), _Value(bits), _Slope(bits), traits, form=form)


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
        result: Array = -signs * sigmoid(-U[:, None, :] * signs)
        return result


def sigmoid(U: Array) -> Array:
    """1 / (1 + e^−u), without overflow."""
    import numpy as np

    result: Array = np.exp(-np.logaddexp(0, -U))
    return result


def logit(x: Array) -> Array:
    """log x − log(1 − x), finite at 0 and 1."""
    import numpy as np

    tiny = np.finfo(float).tiny
    result: Array = np.log(np.maximum(x, tiny)) - np.log(np.maximum(1 - x, tiny))
    return result
