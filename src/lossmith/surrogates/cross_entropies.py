"""Cross-entropy with shares of labels as targets: Σ_i a_yi (log Σ_j e^{u_j} − u_i) for rows a_y ≥ 0."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.exact.vectors import unit_rows
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.forms import Form
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Reading, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]


def cross_entropy(name: str, rows: Rows) -> SmoothSurrogate:
    """The surrogate for given rows a_y ≥ 0: softmax(u) tells E[a_y], normalised. A row of zeros costs nothing.

    The risk is W (log Σ e^{u_j} − x·u) with W = E Σ_i a_yi and x = E[a_y] / W, that is W times the divergence of
    softmax(u) from x, and a constant. So it is nearly least exactly where softmax(u) is nearly x; if W = 0, everywhere.

    >>> psi = cross_entropy("two of three", ((Fraction(1), Fraction(1), Fraction(0)), (Fraction(0),) * 3))
    >>> [round(x, 4) for x in psi([0, 0, 0])]  # 2 log 3
    [2.1972, 0.0]
    """
    dim = len(rows[0])
    scales = tuple(sum(row, Fraction(0)) for row in rows)
    even = (Fraction(1, dim),) * dim
    shares = tuple(
        even if not total else tuple(x / total for x in row) for row, total in zip(rows, scales, strict=True)
    )
    reading = Reading(shares_of, link_of_shares, simplex(dim), ordered=True)
    traits = Traits(mean=shares, reading=reading, scales=None if set(scales) == {1} else scales)
    form = Form("softmax", shares, scales)
    return SmoothSurrogate(name, len(rows), dim, _Value(rows), _Slope(rows), traits, form=form)


def simplex(dim: int) -> Polyhedron:
    """The x ≥ 0 that sum to 1."""
    positive = tuple((Fraction(0), *map(Fraction, row)) for row in unit_rows(dim))
    return Polyhedron(dim, positive, ((Fraction(-1), *[Fraction(1)] * dim),))


def shares_of(U: Array) -> Array:
    """Softmax, without overflow."""
    import numpy as np

    shares = np.exp(U - U.max(axis=1, keepdims=True))
    result: Array = shares / shares.sum(axis=1, keepdims=True)
    return result


def link_of_shares(x: Array) -> Array:
    """Scores whose softmax is x, finite where x is 0."""
    import numpy as np

    result: Array = np.log(np.maximum(x, np.finfo(float).tiny))
    return result


@dataclass(frozen=True)
class _Targets:
    rows: Rows

    @cached_property
    def floats(self) -> Array:
        import numpy as np

        return np.array([[float(x) for x in row] for row in self.rows])


class _Value(_Targets):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        below = U - U.max(axis=1, keepdims=True)
        result: Array = (np.log(np.exp(below).sum(axis=1, keepdims=True)) - below) @ self.floats.T
        return result


class _Slope(_Targets):
    def __call__(self, U: Array) -> Array:
        targets = self.floats
        result: Array = shares_of(U)[:, None, :] * targets.sum(axis=1)[:, None] - targets
        return result
