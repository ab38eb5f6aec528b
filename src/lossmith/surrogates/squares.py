"""The squared distance to a point for each label."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.surrogates.class_weights import WeightedValue
from lossmith.surrogates.forms import Form
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]


def squared_distance(name: str, rows: Rows, proper: ProperComposite | None = None) -> SmoothSurrogate:
    """The surrogate ‖u − a_y‖² for given rows a_y, with its traits.

    >>> squared_distance("apart", ((Fraction(0),), (Fraction(2),)))([1.5])
    (2.25, 0.25)
    """
    centres = _Centres(rows)
    try:
        centres.floats  # noqa: B018
    except OverflowError:
        raise BadInput(f"{name} has a target beyond the range of floats; change the unit of the losses") from None
    traits, form = Traits(proper=proper, mean=rows), Form.of("square", rows)
    value, slope, exact = _Value(centres), _Slope(centres), _ExactSlope(centres)
    return SmoothSurrogate(name, len(rows), len(rows[0]), value, slope, traits, exact, form)


def weights_of_squares(surrogate: SmoothSurrogate) -> tuple[Fraction, ...] | None:
    """The w_y of a surrogate w_y ‖u − a_y‖²; None if it is not made as such, whatever it declares.

    >>> apart = squared_distance("apart", ((Fraction(0),), (Fraction(1),)))
    >>> weights_of_squares(apart.weighted([2, "1/3"]))
    (Fraction(2, 1), Fraction(1, 3))
    """
    value, weights = surrogate.value, (Fraction(1),) * surrogate.n
    while isinstance(value, WeightedValue):
        weights = tuple(a * b for a, b in zip(weights, value.weights, strict=True))
        value = value.base
    return weights if isinstance(value, _Value) else None


def are_squares(surrogate: SmoothSurrogate, rows: Rows, scales: tuple[Fraction, ...] | None = None) -> bool:
    """Whether ψ_y(u) is made as w_y ‖u − a_y‖², for these a_y, with these w_y up to a factor, and some scalar product.

    What a surrogate declares does not count, only the function that it is made from: its `centres_of_squares`.

    >>> apart = squared_distance("apart", ((Fraction(0),), (Fraction(1),)))
    >>> are_squares(apart, apart.traits.mean), are_squares(apart.weighted([2, 1]), apart.traits.mean)
    (True, False)
    """
    value, weights = surrogate.value, scales or (Fraction(1),) * surrogate.n
    while isinstance(value, WeightedValue):
        weights = tuple(a / b for a, b in zip(weights, value.weights, strict=True))
        value = value.base
    return getattr(value, "centres_of_squares", None) == rows and len({*weights}) == 1 and weights[0] > 0


@dataclass(frozen=True)
class _Centres:
    rows: Rows

    @cached_property
    def floats(self) -> Array:
        import numpy as np

        return np.array([[x.numerator / x.denominator for x in row] for row in self.rows])


@dataclass(frozen=True)
class _FromCentres:
    centres: _Centres


class _Value(_FromCentres):
    @property
    def centres_of_squares(self) -> Rows:
        return self.centres.rows

    def __call__(self, U: Array) -> Array:
        import numpy as np

        return np.stack([((U - a) ** 2).sum(axis=1) for a in self.centres.floats], axis=1)


class _Slope(_FromCentres):
    def __call__(self, U: Array) -> Array:
        result: Array = 2 * (U[:, None, :] - self.centres.floats)
        return result


class _ExactSlope(_FromCentres):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        return [[2 * (x - a) for x, a in zip(u, row, strict=True)] for row in self.centres.rows]
