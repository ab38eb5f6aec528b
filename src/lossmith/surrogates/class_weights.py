"""Class weights on a smooth surrogate: its functions and its traits with components w_y ψ_y.

The functions compare by value and can be pickled, if what they are made from can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True)
class _Weighted:
    base: Callable[[Any], Any]
    weights: tuple[Fraction, ...]

    def floats(self) -> Array:
        import numpy as np

        return np.array(floats_of(self.weights, "weights"))


class WeightedValue(_Weighted):
    """The value of a surrogate with class weights."""

    def __call__(self, U: Array) -> Array:
        """w_y ψ_y at every row of U."""
        result: Array = self.base(U) * self.floats()
        return result


class WeightedSlope(_Weighted):
    """Its slope."""

    def __call__(self, U: Array) -> Array:
        """w_y times the gradient of ψ_y at every row of U."""
        result: Array = self.base(U) * self.floats()[:, None]
        return result


class WeightedExactSlope(_Weighted):
    """Its slope, exactly."""

    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        """w_y times the gradient of ψ_y at u."""
        return [[w * x for x in row] for w, row in zip(self.weights, self.base(u), strict=True)]


class WeightedSubgradients(_Weighted):
    """Its subgradients."""

    def __call__(self, u: tuple[Fraction, ...]) -> list[list[list[Fraction]]] | None:
        """w_y times the subgradients of ψ_y at u."""
        found = self.base(u)
        return None if found is None else _times(self.weights, found)


@dataclass(frozen=True)
class WeightedAlong:
    """Its gradients on the way from a point."""

    base: Callable[[tuple[Fraction, ...], tuple[Fraction, ...]], tuple[Any, Any, Any] | None]
    weights: tuple[Fraction, ...]

    def __call__(self, u: tuple[Fraction, ...], direction: tuple[Fraction, ...]) -> tuple[Any, Any, Any] | None:
        """w_y times the gradients of ψ_y at both ends."""
        found = self.base(u, direction)
        if found is None:
            return None
        end, near, far = found
        return end, _times(self.weights, near), _times(self.weights, far)


def _times(weights: tuple[Fraction, ...], slopes: Sequence[Sequence[Sequence[Fraction]]]) -> list[list[list[Fraction]]]:
    return [[[w * x for x in row] for row in each] for w, each in zip(weights, slopes, strict=True)]


class _WeightedProbabilities(_Weighted):
    """Where ψ says q, the weighted surrogate says p with w∘p ∝ q."""

    def __call__(self, U: Array) -> Array:
        import numpy as np

        shares = self.base(U) / self.floats()
        total = shares.sum(axis=1, keepdims=True)
        # No share at all is far from optimal for every p: there any answer will do that keeps the order of the scores.
        even = (1 / self.floats()) / (1 / self.floats()).sum()
        result: Array = np.where(total == 0, even, shares / np.where(total == 0, 1, total))
        return result


class _WeightedLink(_Weighted):
    def __call__(self, p: Array) -> Array:
        shares = p * self.floats()
        result: Array = self.base(shares / shares.sum())
        return result


def weighted_traits(traits: Traits, w: tuple[Fraction, ...]) -> Traits:
    """What holds of w_y ψ_y; equal weights change no minimiser."""
    if len(set(w)) == 1:
        margin = traits.margin
        slope = None if margin is None else margin.slope_at_zero
        if margin is not None and slope is not None:
            scaled = (slope[0] * w[0], slope[1] * w[0]) if isinstance(slope, tuple) else slope * w[0]
            margin = replace(margin, slope_at_zero=scaled)
        if w[0] == 1:
            return replace(traits, margin=margin)
        return replace(traits, margin=margin, divergence=None, curved=None, two_scores=None)
    kept = Traits(traits.convex, together=traits.together, separate=traits.separate)
    if traits.order is not None:
        rows = tuple(tuple(x * entry for entry in row) for x, row in zip(w, traits.order.rows, strict=True))
        kept = replace(kept, order=replace(traits.order, rows=rows))
    if traits.mean is not None:
        scales = tuple(x * y for x, y in zip(w, traits.scales or [Fraction(1)] * len(w), strict=True))
        kept = replace(kept, mean=traits.mean, reading=traits.reading, scales=scales)
    if traits.proper is None:
        return kept
    base, before = traits.proper, traits.proper.weights
    link = base.link and _WeightedLink(base.link, w)
    weights = tuple(x * y for x, y in zip(w, before, strict=True)) if before else w
    read = _WeightedProbabilities(base.probabilities, w)
    proper = ProperComposite(
        read, link, base.monotone, None, weights if base.monotone else None, base.separate, base.converse
    )
    return replace(kept, proper=proper)


def floats_of(numbers: Iterable[Fraction], what: str) -> tuple[float, ...]:
    """The numbers as floats, or say which have none."""
    try:
        return tuple([x.numerator / x.denominator for x in numbers])
    except OverflowError:
        raise BadInput(f"{what} has an entry beyond the range of floats; change the unit") from None
