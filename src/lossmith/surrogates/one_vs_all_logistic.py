"""One logistic regression for each label, each against all others."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import at_least, family
from lossmith.surrogates.smooth import ProperComposite, SmoothSurrogate, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@family(
    cite="T. Zhang, Statistical analysis of some multi-category large margin classification methods, JMLR 2004",
    latex=r"\psi_y(u) = \log(1 + e^{-u_y}) + \sum_{j \neq y} \log(1 + e^{u_j})",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
)
def one_vs_all_logistic(n: int) -> SmoothSurrogate:
    """log(1 + e^{−u_y}) + Σ_{j≠y} log(1 + e^{u_j}) on R^n; strictly proper with the probabilities 1 / (1 + e^{−u_y}).

    Away from the optimum these probabilities need not sum to 1.

    >>> [round(x, 4) for x in one_vs_all_logistic(3)([0, 0, 0])]  # 3 log 2
    [2.0794, 2.0794, 2.0794]
    """
    proper = ProperComposite(_probabilities, _link, monotone=True, threshold=_threshold)
    return SmoothSurrogate(f"one_vs_all_logistic(n={n})", n, n, _value, _slope, Traits(proper=proper))


def one_vs_all_values(own: Array, other: Array) -> Array:
    """own_y + Σ_{j≠y} other_j, for rows of what each score costs when its label is true and when it is not.

    The sums run from both ends: subtracting own terms from the total would lose the small ones.

    >>> import numpy as np
    >>> one_vs_all_values(np.array([[1.0, 2, 3]]), np.array([[10.0, 20, 30]]))
    array([[51., 42., 33.]])
    """
    import numpy as np

    before, after = np.zeros_like(other), np.zeros_like(other)
    before[:, 1:] = np.cumsum(other[:, :-1], axis=1)
    after[:, :-1] = np.cumsum(other[:, :0:-1], axis=1)[:, ::-1]
    result: Array = own + before + after
    return result


def one_vs_all_slopes(own: Array, other: Array) -> Array:
    """The gradients that go with `one_vs_all_values`: own′_y in column y of row y, other′_j in the other columns j.

    >>> import numpy as np
    >>> one_vs_all_slopes(np.array([[1, 2]]), np.array([[10, 20]]))
    array([[[ 1, 20],
            [10,  2]]])
    """
    import numpy as np

    labels = np.arange(own.shape[1])
    slopes: Array = np.repeat(other[:, None, :], len(labels), axis=1)
    slopes[:, labels, labels] = own
    return slopes


def _value(U: Array) -> Array:
    import numpy as np

    return one_vs_all_values(np.logaddexp(0, -U), np.logaddexp(0, U))


def _slope(U: Array) -> Array:
    return one_vs_all_slopes(-_probabilities(-U), _probabilities(U))


def _probabilities(U: Array) -> Array:
    import numpy as np

    result: Array = np.exp(-np.logaddexp(0, -U))
    return result


def _link(p: Array) -> Array:
    import numpy as np

    tiny = np.finfo(float).tiny
    result: Array = np.log(np.maximum(p, tiny)) - np.log(np.maximum(1 - p, tiny))
    return result


def _threshold(tau: Fraction) -> Fraction | None:
    return Fraction(1, 2) if tau == 0 else None  # 1 / (1 + e^−τ) is irrational for other rational τ
