"""The surrogate that is calibrated for every loss: it estimates the class probabilities (`lem:surrogate-universal`)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares import squared_distance
from lossmith.surrogates.traits import ProperComposite

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@family(
    cite="lem:surrogate-universal",
    latex=r"\psi_y(u) = \mathbf{1}(y \neq n) (u_y - 1)^2 + \sum_{j < n, j \neq y} u_j^2",
    preds=("decide",),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n - 1),
    fits=by_labels,
    verdicts=(Published(None, "CCC", "lem:surrogate-universal"),),
)
def class_probability(n: int) -> SmoothSurrogate:
    """(u_y − 1)² + Σ_{j≠y} u_j² on R^{n−1}, and Σ_j u_j² for the last label.

    p·ψ is minimised at u = (p_1 … p_{n−1}) only, so the probabilities are u and what is left to 1. The lemma takes ψ on
    the u ≥ 0 with Σ u ≤ 1; all of R^{n−1} loses nothing, because the minimiser always lies among these.

    >>> class_probability(3)([1, 0])
    (0.0, 2.0, 1.0)
    >>> class_probability(3).minimizer(["1/2", "1/4", "1/4"])
    (0.5, 0.25)
    """
    zero, one = Fraction(0), Fraction(1)
    rows = tuple(tuple(one if j == y else zero for j in range(n - 1)) for y in range(n))
    return squared_distance(f"class_probability(n={n})", rows, ProperComposite(_probabilities, _link))


def _probabilities(U: Array) -> Array:
    import numpy as np

    return np.hstack([U, 1 - U.sum(axis=1, keepdims=True)])


def _link(p: Array) -> Array:
    return p[:-1]
