"""One squared hinge for each label, each against all others."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.surrogates.against_all import one_vs_all_slopes, one_vs_all_values, own_label
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.forms import Form
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@family(
    cite="T. Zhang, Statistical analysis of some multi-category large margin classification methods, JMLR 2004",
    latex=r"\psi_y(u) = (1 - u_y)_+^2 + \sum_{j \neq y} (1 + u_j)_+^2",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(Published(None, "CCC", "Zhang, JMLR 2004"),),
)
def one_vs_all_squared_hinge(n: int) -> SmoothSurrogate:
    """(1 − u_y)₊² + Σ_{j≠y} (1 + u_j)₊² on R^n; strictly proper, with (1 + u_y)/2 cut to [0, 1] as probabilities.

    Away from the optimum these probabilities need not sum to 1.

    >>> one_vs_all_squared_hinge(3)([1, 0, -2])
    (1.0, 5.0, 14.0)
    """
    proper = ProperComposite(_probabilities, _link, monotone=True, threshold=_threshold, separate=True)
    traits = Traits(proper=proper, separate=True)
    form = Form.of("squared hinge", own_label(n))
    return SmoothSurrogate(f"one_vs_all_squared_hinge(n={n})", n, n, _value, _slope, traits, _exact_slope, form)


def _value(U: Array) -> Array:
    import numpy as np

    return one_vs_all_values(np.maximum(1 - U, 0) ** 2, np.maximum(1 + U, 0) ** 2)


def _slope(U: Array) -> Array:
    import numpy as np

    return one_vs_all_slopes(-2 * np.maximum(1 - U, 0), 2 * np.maximum(1 + U, 0))


def _exact_slope(u: tuple[Fraction, ...]) -> list[list[Fraction]]:
    zero = Fraction(0)
    own, other = [-2 * max(1 - x, zero) for x in u], [2 * max(1 + x, zero) for x in u]
    return [[own[j] if j == y else other[j] for j in range(len(u))] for y in range(len(u))]


def _probabilities(U: Array) -> Array:
    import numpy as np

    result: Array = np.clip((1 + U) / 2, 0, 1)
    return result


def _link(p: Array) -> Array:
    return 2 * p - 1


def _threshold(tau: Fraction) -> Fraction | None:
    return (1 + tau) / 2 if -1 < tau < 1 else None
