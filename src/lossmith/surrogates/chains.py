"""Stationary laws of Markov chains, in floating point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True)
class LawOfSlopes:
    """The law of the chain that goes from a to i at the rate ∂ψ_a/∂u_i: where it is p, the gradient of p·ψ is 0.

    From every label one must be able to go to one of higher score, or to the first of equal ones.
    """

    slope: Callable[[Array], Array]

    def __call__(self, U: Array) -> Array:
        """The law for each row of scores."""
        import numpy as np

        order = np.argsort(-U, axis=1)
        rates = self.slope(np.take_along_axis(U, order, axis=1))
        found = np.empty_like(U)
        np.put_along_axis(found, order, stationary(rates), axis=1)
        return found


def stationary(rates: Array) -> Array:
    """The law that a chain keeps which goes from a to i ≠ a at the rate `rates`[…, a, i].

    By Grassmann, Taksar and Heyman's elimination, which never subtracts. The last states are left out first: from each
    one must be able to go to some before it.

    >>> import numpy as np
    >>> stationary(np.array([[[0, 1.0], [3.0, 0]]])).tolist()
    [[0.75, 0.25]]
    """
    import numpy as np

    left = rates.copy()
    law = np.ones(rates.shape[:2])
    for k in range(rates.shape[1] - 1, 0, -1):
        left[:, :k, k] /= left[:, k, :k].sum(axis=1, keepdims=True)
        left[:, :k, :k] += left[:, :k, k, None] * left[:, k, None, :k]
    for k in range(1, rates.shape[1]):
        law[:, k] = (law[:, :k] * left[:, :k, k]).sum(axis=1)
    result: Array = law / law.sum(axis=1, keepdims=True)
    return result
