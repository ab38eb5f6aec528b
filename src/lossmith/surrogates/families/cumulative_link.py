"""Proportional odds: ordered thresholds, each told by how far it lies above the last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.sigmoids import logit, sigmoid
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_MOST = 600.0  # e^709 is the largest power that floats hold


@family(
    cite="P. McCullagh, Regression models for ordinal data, JRSS B 1980",
    latex=r"\psi_y(u) = -\log\left(\sigma(b_y) - \sigma(b_{y-1})\right), \; b_0 = u_0, \; b_i = b_{i-1} + e^{u_i}",
    preds=("decide",),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n - 1),
    fits=by_labels,
    verdicts=(Published(ordinal, "CCC", "Pedregosa, Bach, Gramfort, JMLR 2017"),),
    formless="each threshold rests on those below it",
    aliases=("proportional_odds",),
)
def cumulative_link(n: int) -> SmoothSurrogate:
    """−log(σ(b_y) − σ(b_{y−1})), b_{−1} = −∞, b_{n−1} = ∞; b_0 = u_0, b_i = b_{i−1} + e^{u_i} for u ∈ R^{n−1}.

    It is convex in the thresholds b, which must be ordered; so are all b that some u gives, but in u it is not convex.
    As the logarithmic loss of probabilities that take all positive values it is strictly proper composite in u, too.

    >>> [round(x, 4) for x in cumulative_link(3)([0, 0])]  # log 2, −log(σ(1) − 1/2), log(1 + e)
    [0.6931, 1.4651, 1.3133]
    >>> cumulative_link(3).probabilities([[0, 0]]).round(4).tolist()
    [[0.5, 0.2311, 0.2689]]
    """
    proper = ProperComposite(_probabilities, _link)
    traits = Traits(convex=False, proper=proper, divergence="Kullback-Leibler")
    return SmoothSurrogate(f"cumulative_link(n={n})", n, n - 1, _value, _slope, traits)


def _thresholds(U: Array) -> tuple[Array, Array]:
    """The b, and the gaps between them."""
    import numpy as np

    gaps = np.exp(np.minimum(U[:, 1:], _MOST))
    return np.cumsum(np.concatenate([U[:, :1], gaps], axis=1), axis=1), gaps


def _value(U: Array) -> Array:
    """By σ(b) − σ(a) = σ(b) σ(−a) (1 − e^{a−b}), in which nothing cancels."""
    import numpy as np

    b, gaps = _thresholds(U)
    none = np.zeros((len(U), 1))
    below = np.concatenate([np.logaddexp(0, -b), none], axis=1)
    above = np.concatenate([none, np.logaddexp(0, b)], axis=1)
    tiny = U[:, 1:] < -30  # there 1 − e^{−gap} is the gap, to the last digit
    apart = np.where(tiny, -U[:, 1:], -np.log(-np.expm1(-np.where(tiny, 1, gaps))))
    result: Array = below + above + np.concatenate([none, apart, none], axis=1)
    return result


def _slope(U: Array) -> Array:
    import numpy as np

    b, gaps = _thresholds(U)
    rows, dim = U.shape
    found = np.zeros((rows, dim + 1, dim))
    own = np.arange(dim)
    found[:, own, own] -= sigmoid(-b)  # along each threshold, as the upper one of a grade
    found[:, own + 1, own] += sigmoid(b)  # and as the lower one
    steps = np.concatenate([np.ones((rows, 1)), np.where(U[:, 1:] < _MOST, gaps, 0)], axis=1)
    found = np.cumsum(found[:, :, ::-1], axis=2)[:, :, ::-1] * steps[:, None, :]  # u_i moves all b from b_i on
    small = np.minimum(gaps, 700)
    falls = np.where(gaps < 1e-8, 1, small / np.expm1(np.maximum(small, 1e-8)))
    found[:, own[1:], own[1:]] -= falls
    result: Array = found
    return result


def _probabilities(U: Array) -> Array:
    import numpy as np

    shares = np.exp(-_value(U))
    result: Array = shares / shares.sum(axis=1, keepdims=True)
    return result


def _link(p: Array) -> Array:
    import numpy as np

    b = logit(np.cumsum(p)[:-1])
    result: Array = np.concatenate([b[:1], np.log(np.maximum(np.diff(b), np.finfo(float).tiny))])
    return result
