"""Sums of functions of single scores: ψ_y(u) = Σ_i |w_yi| φ(±u_i) with the sign of w_yi, nothing where w_yi = 0."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.surrogates.margins import Margin
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]


def signed_margins(name: str, rows: Rows, phi: Margin, traits: Traits) -> SmoothSurrogate:
    """The surrogate with the rows w_y.

    >>> from lossmith.surrogates.margins import margin_named
    >>> rows = ((Fraction(3), Fraction(0)), (Fraction(-1), Fraction(2)))
    >>> signed_margins("some", rows, margin_named("squared-hinge"), Traits())([0, -1])
    (3.0, 9.0)
    """
    exact = None if phi.exact_slope is None else _ExactSlope(rows, phi)
    at_logs = None if phi.slope_at_log is None else SignedAtLogs(rows, phi)
    value, slope = _Value(rows, phi), _Slope(rows, phi)
    return SmoothSurrogate(name, len(rows), len(rows[0]), value, slope, traits, exact, at_logs=at_logs)


@dataclass(frozen=True)
class _Signed:
    rows: Rows
    phi: Margin

    @cached_property
    def floats(self) -> tuple[Array, Array]:
        import numpy as np

        weights = np.array([[float(x) for x in row] for row in self.rows])
        return weights, np.sign(weights)


class _Value(_Signed):
    def __call__(self, U: Array) -> Array:
        weights, signs = self.floats
        result: Array = (self.phi.value(U[:, None, :] * signs) * abs(weights)).sum(axis=2)
        return result


class _Slope(_Signed):
    def __call__(self, U: Array) -> Array:
        weights, signs = self.floats
        result: Array = self.phi.slope(U[:, None, :] * signs) * weights
        return result


class _ExactSlope(_Signed):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        assert self.phi.exact_slope is not None
        up, down = [[self.phi.exact_slope(s * x) for x in u] for s in (1, -1)]
        return [[w * (a if w > 0 else b) for w, a, b in zip(row, up, down, strict=True)] for row in self.rows]


class SignedAtLogs(_Signed):
    """The slopes at u = s log 2, as far as they are rational."""

    def __call__(self, s: tuple[Fraction, ...]) -> list[list[list[Fraction]]] | None:
        """Return one gradient for each label, or None if some slope is irrational."""
        assert self.phi.slope_at_log is not None
        up, down = [[self.phi.slope_at_log(sign * x) for x in s] for sign in (1, -1)]
        if None in up or None in down:
            return None
        return [[[w * ((a if w > 0 else b) or 0) for w, a, b in zip(row, up, down, strict=True)]] for row in self.rows]
