"""Functions of single scores less their mean: ψ_y(u) = Σ_t a_yt φ(v_t) + b_yt φ(−v_t) with v = u − ū.

It is the same as to let u vary where Σ u = 0, as papers do, but nobody has to hold the scores there.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def centred(name: str, own: Rows, other: Rows, phi: Margin, traits: Traits) -> SmoothSurrogate:
    """The surrogate with the rows a_y (`own`) and b_y (`other`).

    >>> from lossmith.surrogates.margins import margin_named
    >>> one, zero = Fraction(1), Fraction(0)
    >>> own, other = ((one, zero), (zero, one)), ((zero, zero), (zero, zero))
    >>> centred("margin", own, other, margin_named("squared-hinge"), Traits())([1, 0])
    (0.25, 2.25)
    """
    exact = None if phi.exact_slope is None else _ExactSlope(own, other, phi)
    at_logs = None if phi.slope_at_log is None else _AtLogs(own, other, phi)
    value, slope = _Value(own, other, phi), _Slope(own, other, phi)
    return SmoothSurrogate(name, len(own), len(own[0]), value, slope, traits, exact, at_logs=at_logs)


@dataclass(frozen=True)
class _Centred:
    own: Rows
    other: Rows
    phi: Margin

    @cached_property
    def floats(self) -> tuple[Array, Array]:
        import numpy as np

        own, other = (np.array([[float(x) for x in row] for row in rows]) for rows in (self.own, self.other))
        return own, other


class _Value(_Centred):
    def __call__(self, U: Array) -> Array:
        v = U - U.mean(axis=1, keepdims=True)
        own, other = self.floats
        result: Array = self.phi.value(v) @ own.T + self.phi.value(-v) @ other.T
        return result


class _Slope(_Centred):
    def __call__(self, U: Array) -> Array:
        v = U - U.mean(axis=1, keepdims=True)
        own, other = self.floats
        slopes = own * self.phi.slope(v)[:, None, :] - other * self.phi.slope(-v)[:, None, :]
        result: Array = slopes - slopes.mean(axis=2, keepdims=True)
        return result


class _ExactSlope(_Centred):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        assert self.phi.exact_slope is not None
        mean = sum(u, Fraction(0)) / len(u)
        up, down = [[self.phi.exact_slope(s * (x - mean)) for x in u] for s in (1, -1)]
        return self.rows(up, down)

    def rows(self, up: Sequence[Fraction], down: Sequence[Fraction]) -> list[list[Fraction]]:
        """The gradients, given φ′ at the scores less their mean, and at their opposites."""
        found = []
        for a, b in zip(self.own, self.other, strict=True):
            row = [x * s - y * t for x, s, y, t in zip(a, up, b, down, strict=True)]
            found.append([x - sum(row, Fraction(0)) / len(row) for x in row])
        return found


class _AtLogs(_ExactSlope):
    def __call__(self, s: tuple[Fraction, ...]) -> list[list[list[Fraction]]] | None:  # type: ignore[override]
        assert self.phi.slope_at_log is not None
        mean = sum(s, Fraction(0)) / len(s)
        slopes = [[self.phi.slope_at_log(sign * (x - mean)) for x in s] for sign in (1, -1)]
        up, down = ([x for x in each if x is not None] for each in slopes)
        return [[row] for row in self.rows(up, down)] if len(up) == len(down) == len(s) else None
