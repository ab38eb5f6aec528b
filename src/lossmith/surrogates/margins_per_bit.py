"""A function of the margin for each bit of a label: it tells the probability of each bit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.surrogates.forms import FORM_OF_MARGIN, Form
from lossmith.surrogates.margins import Margin
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Reading, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Bits: TypeAlias = tuple[tuple[int, ...], ...]


def margin_per_bit(name: str, bits: Bits, phi: Margin, scales: tuple[Fraction, ...] | None = None) -> SmoothSurrogate:
    """w_y Σ_i φ(s_yi u_i) for the signs s_yi = ±1 of the bits of label y.

    >>> from lossmith.surrogates.margins import margin_named
    >>> margin_per_bit("coin", ((1,), (0,)), margin_named("smooth-hinge")).estimates([[0.5]]).round(3).tolist()
    [[0.667]]
    """
    rows = tuple(tuple(map(Fraction, row)) for row in bits)
    weights = scales or (Fraction(1),) * len(bits)
    reading = Reading(phi.share, phi.link, threshold=phi.exact_share, ordered=True)
    traits = Traits(mean=rows, reading=reading, scales=scales)
    exact = None if phi.exact_slope is None else _ExactSlope(bits, weights, phi)
    form = Form(FORM_OF_MARGIN[phi.name], rows, weights)
    value, slope = _Value(bits, weights, phi), _Slope(bits, weights, phi)
    return SmoothSurrogate(name, len(bits), len(bits[0]), value, slope, traits, exact, form)


@dataclass(frozen=True)
class _Bits:
    bits: Bits
    weights: tuple[Fraction, ...]
    phi: Margin

    def signs(self) -> Array:
        import numpy as np

        return 2.0 * np.array(self.bits) - 1

    def factors(self) -> Array:
        import numpy as np

        return np.array([float(w) for w in self.weights])


class _Value(_Bits):
    def __call__(self, U: Array) -> Array:
        result: Array = self.phi.value(U[:, None, :] * self.signs()).sum(axis=2) * self.factors()
        return result


class _Slope(_Bits):
    def __call__(self, U: Array) -> Array:
        signs = self.signs()
        result: Array = signs * self.phi.slope(U[:, None, :] * signs) * self.factors()[:, None]
        return result


class _ExactSlope(_Bits):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        assert self.phi.exact_slope is not None
        up, down = [self.phi.exact_slope(x) for x in u], [-self.phi.exact_slope(-x) for x in u]
        return [
            [w * (a if bit else b) for bit, a, b in zip(row, up, down, strict=True)]
            for row, w in zip(self.bits, self.weights, strict=True)
        ]


def bits_of(r: int) -> Bits:
    """All strings of r bits, the most significant first.

    >>> bits_of(2)
    ((0, 0), (0, 1), (1, 0), (1, 1))
    """
    return tuple(tuple(int(bit) for bit in format(y, f"0{r}b")) for y in range(2**r))
