"""Proportional odds: ordered thresholds, each told by how far it lies above the last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import UnknownName, nearest
from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.normal_intervals import hazard, surprise
from lossmith.surrogates.sigmoids import logit, sigmoid
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]
    Function: TypeAlias = Callable[[Array], Array]

_MOST = 600.0  # e^709 is the largest power that floats hold
_FAR, _MOST_NORMAL = 1e100, 230.0  # of the normal distribution, whose logarithms grow like squares
_LEAST_NORMAL = -700.0  # e^−708 is the least gap that floats hold in full
_LINKS = ("logistic", "probit")


def _named(link: str) -> str:
    name = str(link).strip()
    if name not in _LINKS:
        raise UnknownName(f"link is {link!r}; {nearest(name, _LINKS)}")
    return name


def _size(n: int, link: str = "logistic") -> tuple[int, int]:
    _named(link)
    return at_least("n", n, 2), n - 1


@family(
    cite="P. McCullagh, Regression models for ordinal data, JRSS B 1980",
    latex=r"\psi_y(u) = -\log\left(F(b_y) - F(b_{y-1})\right), \; b_0 = u_0, \; b_i = b_{i-1} + e^{u_i}",
    preds=("decide",),
    small=({"n": 2}, {"n": 3}, {"n": 4}, {"n": 3, "link": "probit"}),
    size=_size,
    fits=by_labels,
    verdicts=(Published(ordinal, "CCC", "Pedregosa, Bach, Gramfort, JMLR 2017"),),
    formless="each threshold rests on those below it",
    aliases=("proportional_odds",),
)
def cumulative_link(n: int, link: str = "logistic") -> SmoothSurrogate:
    """−log(F(b_y) − F(b_{y−1})), b_{−1} = −∞, b_{n−1} = ∞; b_0 = u_0, b_i = b_{i−1} + e^{u_i} for u ∈ R^{n−1}.

    F is 1/(1 + e^−b), or with link "probit" the distribution function of the normal distribution. As its density is
    log-concave ψ is convex in the thresholds b, which must be ordered; so are all b that some u gives, but in u it is
    not convex. As the logarithmic loss of probabilities that take all positive values it is strictly proper composite
    in u, too.

    >>> [round(x, 4) for x in cumulative_link(3)([0, 0])]  # log 2, −log(σ(1) − 1/2), log(1 + e)
    [0.6931, 1.4651, 1.3133]
    >>> cumulative_link(3).probabilities([[0, 0]]).round(4).tolist()
    [[0.5, 0.2311, 0.2689]]
    >>> cumulative_link(3, "probit").probabilities([[0, 0]]).round(4).tolist()
    [[0.5, 0.3413, 0.1587]]
    """
    if _named(link) == "probit":
        proper, value, slope = ProperComposite(_Shares(_normal_value), _normal_link), _normal_value, _normal_slope
        name = f"cumulative_link(n={n}, link=probit)"
    else:
        proper, value, slope = ProperComposite(_Shares(_value), _link), _value, _slope
        name = f"cumulative_link(n={n})"
    traits = Traits(convex=False, proper=proper, divergence="Kullback-Leibler")
    return SmoothSurrogate(name, n, n - 1, value, slope, traits)


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


@dataclass(frozen=True)
class _Shares:
    """The probabilities e^−ψ."""

    value: Function

    def __call__(self, U: Array) -> Array:
        import numpy as np

        shares = np.exp(-self.value(U))
        result: Array = shares / shares.sum(axis=1, keepdims=True)
        return result


def _link(p: Array) -> Array:
    import numpy as np

    return _as_scores(logit(np.cumsum(p)[:-1]))


def _as_scores(b: Array) -> Array:
    """The u of thresholds."""
    import numpy as np

    result: Array = np.concatenate([b[:1], np.log(np.maximum(np.diff(b), np.finfo(float).tiny))])
    return result


def _normal_thresholds(U: Array) -> tuple[Array, Array]:
    """As `_thresholds`, but within bounds of which the squares are floats."""
    import numpy as np

    low = np.clip(U[:, :1], -_FAR, _FAR)
    return _thresholds(np.concatenate([low, np.clip(U[:, 1:], _LEAST_NORMAL, _MOST_NORMAL)], axis=1))


def _normal_value(U: Array) -> Array:
    import numpy as np
    from scipy.special import log_ndtr

    b, gaps = _normal_thresholds(U)
    between = surprise(b[:, :-1], gaps)[0]
    result: Array = np.concatenate([-log_ndtr(b[:, :1]), between, -log_ndtr(-b[:, -1:])], axis=1)
    return result


def _normal_slope(U: Array) -> Array:
    """Along u_i, i ≥ 1, all thresholds from b_i on move by as much as the gap below b_i grows; along u_0, all move."""
    import numpy as np

    b, gaps = _normal_thresholds(U)
    rows, dim = U.shape
    _, widened, moved = surprise(b[:, :-1], gaps)
    low, rest = np.abs(U[:, :1]) < _FAR, (U[:, 1:] < _MOST_NORMAL) & (U[:, 1:] > _LEAST_NORMAL)
    steps = np.concatenate([np.where(low, 1.0, 0.0), np.where(rest, gaps, 0)], axis=1)
    found = np.zeros((rows, dim + 1, dim))
    found[:, 0, 0] = -hazard(b[:, 0])
    for y in range(1, dim):
        found[:, y, :y] = moved[:, y - 1 : y]
        found[:, y, y] = widened[:, y - 1]
    found[:, dim, :] = hazard(-b[:, -1:])
    result: Array = found * steps[:, None, :]
    return result


def _normal_link(p: Array) -> Array:
    import numpy as np
    from scipy.special import ndtri

    tiny = np.finfo(float).tiny
    below, above = np.cumsum(p)[:-1], np.cumsum(p[::-1])[::-1][1:]
    b = np.where(below <= above, ndtri(np.maximum(below, tiny)), -ndtri(np.maximum(above, tiny)))
    return _as_scores(b)
