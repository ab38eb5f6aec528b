"""Sums of logistic losses log(1 + e^{−s_yi u_i}) over the scores that a label looks at: s_yi is 1, −1, or 0 if not."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.surrogates.margins import margin_named

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Signs: TypeAlias = tuple[tuple[Fraction, ...], ...]
_PHI = margin_named("logistic")


@dataclass(frozen=True)
class _Signed:
    signs: Signs

    @cached_property
    def floats(self) -> Array:
        import numpy as np

        return np.array([[float(x) for x in row] for row in self.signs])


class SignedLogistics(_Signed):
    """The losses of all labels, for rows of scores."""

    def __call__(self, U: Array) -> Array:
        """ψ_y(u) for each row u and each y."""
        signs = self.floats
        result: Array = (_PHI.value(U[:, None, :] * signs) * abs(signs)).sum(axis=2)
        return result


class SignedSlopesAtLogs(_Signed):
    """Their slopes at u = s log 2, for integers s."""

    def __call__(self, s: tuple[Fraction, ...]) -> list[list[list[Fraction]]] | None:
        """The one gradient of each label."""
        assert _PHI.slope_at_log is not None
        if any(x.denominator > 1 for x in s):
            return None
        return [[[a * (_PHI.slope_at_log(a * x) or 0) for a, x in zip(row, s, strict=True)]] for row in self.signs]


class SignedSlopes(_Signed):
    """Their slopes."""

    def __call__(self, U: Array) -> Array:
        """∂ψ_y/∂u_i for each row u, each y and each i."""
        signs = self.floats
        result: Array = _PHI.slope(U[:, None, :] * signs) * signs
        return result
