"""The squared distance to a point for each label: least squares regression on the rows of a matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_rationals, quoted
from lossmith.families import family
from lossmith.losses.factored import FactoredLoss, explicit
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import loss_named
from lossmith.surrogates.smooth import ProperComposite, SmoothSurrogate, Traits, WeightedValue

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]


def _size(A: Sequence[Sequence[RationalLike]] | LossMatrix | str) -> tuple[int, int]:
    rows, _ = _read(A)
    return len(rows), len(rows[0])


@family(
    cite="H. G. Ramaswamy, S. Agarwal, A. Tewari, Convex calibrated surrogates for low-rank loss matrices with "
    "applications to subset ranking losses, NeurIPS 2013",
    latex=r"\psi_y(u) = \lVert u - a_y \rVert^2",
    preds=("decide",),
    small=({"A": "zero-one:n=3"}, {"A": "abstain:n=3"}),
    size=_size,
)
def square(A: Sequence[Sequence[RationalLike]] | LossMatrix | str) -> SmoothSurrogate:
    """‖u − a_y‖² on R^d for the rows a_y of A, which may be a loss matrix; p·ψ is minimised at u = Aᵀp only.

    >>> square([[0, 0], [3, 4]])([0, 0])
    (0.0, 25.0)
    >>> square("ordinal:n=3").minimizer([0, "1/2", "1/2"])
    (1.5, 0.5, 0.5)
    """
    rows, name = _read(A)
    return squared_distance(f"square({name})", rows)


def squared_distance(name: str, rows: Rows, proper: ProperComposite | None = None) -> SmoothSurrogate:
    """The surrogate ‖u − a_y‖² for given rows a_y, with its traits.

    >>> squared_distance("apart", ((Fraction(0),), (Fraction(2),)))([1.5])
    (2.25, 0.25)
    """
    try:
        _Rows(rows).floats  # noqa: B018
    except OverflowError:
        raise BadInput(f"{name} has a target beyond the range of floats; change the unit of the losses") from None
    traits = Traits(proper=proper, mean=rows)
    return SmoothSurrogate(name, len(rows), len(rows[0]), _Value(rows), _Slope(rows), traits, _ExactSlope(rows))


def weights_of_squares(surrogate: SmoothSurrogate) -> tuple[Fraction, ...] | None:
    """The w_y of a surrogate w_y ‖u − a_y‖²; None if it is not made as such.

    >>> weights_of_squares(square([[0], [1]]).weighted([2, "1/3"]))
    (Fraction(2, 1), Fraction(1, 3))
    """
    value, weights = surrogate.value, (Fraction(1),) * surrogate.n
    while isinstance(value, WeightedValue):
        weights = tuple(a * b for a, b in zip(weights, value.weights, strict=True))
        value = value.base
    return weights if isinstance(value, _Value) else None


@dataclass(frozen=True)
class _Rows:
    rows: Rows

    @cached_property
    def floats(self) -> Array:
        import numpy as np

        return np.array([[float(x) for x in row] for row in self.rows])


class _Value(_Rows):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        return np.stack([((U - a) ** 2).sum(axis=1) for a in self.floats], axis=1)


class _Slope(_Rows):
    def __call__(self, U: Array) -> Array:
        result: Array = 2 * (U[:, None, :] - self.floats)
        return result


class _ExactSlope(_Rows):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        return [[2 * (x - a) for x, a in zip(u, row, strict=True)] for row in self.rows]


def _read(A: Sequence[Sequence[RationalLike]] | LossMatrix | str) -> tuple[Rows, str]:
    """The rows, and what to call them."""
    given = loss_named(A) if isinstance(A, str) else A
    loss = explicit(given) if isinstance(given, FactoredLoss) else given
    if isinstance(loss, LossMatrix):
        return loss.entries, loss.name
    if not isinstance(loss, Iterable):
        raise BadInput(f"A is {quoted(A)}; give a list of rows, one for each label, or a loss")
    rows = tuple(as_rationals(row, f"row {y} of A") for y, row in enumerate(loss))
    widths = sorted({len(row) for row in rows})
    if len(rows) < 2 or len(widths) != 1 or widths == [0]:
        raise BadInput(f"A = {quoted(A)} has {len(rows)} rows of lengths {widths}; give equal rows, one for each label")
    return rows, f"{len(rows)}×{widths[0]} numbers"
