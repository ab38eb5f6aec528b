"""Softmax with the logarithms of prior probabilities added to the scores: for balanced error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_rationals
from lossmith.families import Published, family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cross_entropies import link_of_shares, shares_of
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


_LARGEST = 1000


def _prior(prior: Sequence[RationalLike] | str) -> tuple[Fraction, ...]:
    given = as_rationals(prior.split(",") if isinstance(prior, str) else prior, "prior")
    if len(given) < 2 or min(given) <= 0 or sum(given) != 1:
        shown = ", ".join(map(str, given))
        raise BadInput(f"prior is ({shown}); give a positive share for each of two or more labels, with the sum 1")
    return given


def _tau(tau: RationalLike) -> Fraction:
    return rational_where(
        "tau",
        tau,
        lambda x: x >= 0 and max(x.numerator, x.denominator) <= _LARGEST,
        f"at least 0, with a numerator and a denominator of at most {_LARGEST}",
    )


def _size(prior: Sequence[RationalLike] | str, tau: RationalLike = 1) -> tuple[int, int]:
    _tau(tau)
    n = len(_prior(prior))
    return n, n


def _rising(loss: LossMatrix) -> dict[str, Any]:
    """Shares that rise from label to label: some that are not equal."""
    total = loss.n * (loss.n + 1) // 2
    return {"prior": tuple(Fraction(y + 1, total) for y in range(loss.n))}


@family(
    cite="A. K. Menon, S. Jayasumana, A. S. Rawat, H. Jain, A. Veit, S. Kumar, Long-tail learning via logit "
    "adjustment, ICLR 2021",
    latex=r"\psi_y(u) = \log \sum_j \pi_j^\tau e^{u_j} - \log \left(\pi_y^\tau e^{u_y}\right)",
    preds=("decide", "argmax"),
    small=({"prior": "1/3,2/3"}, {"prior": "1/2,1/3,1/6"}, {"prior": "1/2,1/4,1/8,1/8", "tau": 2}),
    size=_size,
    fits=_rising,
    verdicts=(Published(None, "CCC", "Menon et al., ICLR 2021"),),
    formless="add τ log π to the scores, and it is softmax",
)
def logit_adjusted_softmax(prior: Sequence[RationalLike] | str, tau: RationalLike = 1) -> SmoothSurrogate:
    """Softmax of u + τ log π on R^n for a prior π > 0 with the sum 1, and rational τ ≥ 0.

    Strictly proper composite with p ∝ π^τ e^u. The largest score is that of the largest p_y/π_y^τ: with τ = 1 argmax is
    right for the balanced error 1(t ≠ y)/π_y, and not for 0-1. If some (π_i/π_j)^τ is irrational, argmax is right for
    a loss only if all the columns that it can choose are equal, and no other column is ever better.

    >>> [round(x, 4) for x in logit_adjusted_softmax("1/2,1/4,1/4")([0, 0, 0])]  # log 2, log 4, log 4
    [0.6931, 1.3863, 1.3863]
    """
    given, power = _prior(prior), _tau(tau)
    adjusted = (given, power)
    ratios = [root_of_power(given[0] / x, power) for x in given]
    weights = tuple([x for x in ratios if x is not None])
    known = len(weights) == len(given)
    proper = ProperComposite(
        _Probabilities(*adjusted), _Link(*adjusted), monotone=known, weights=weights if known else None
    )
    name = f"logit_adjusted_softmax(prior=({', '.join(map(str, given))}), tau={power})"
    traits = Traits(proper=proper, divergence="Kullback-Leibler")
    return SmoothSurrogate(name, len(given), len(given), _Value(*adjusted), _Slope(*adjusted), traits)


def root_of_power(x: Fraction, power: Fraction) -> Fraction | None:
    """x^power for x > 0, if it is rational: x in lowest terms is a power of the denominator.

    >>> root_of_power(Fraction(4, 9), Fraction(3, 2)), root_of_power(Fraction(1, 2), Fraction(1, 2))
    (Fraction(8, 27), None)
    """
    b = power.denominator
    above, below = whole_root(x.numerator, b), whole_root(x.denominator, b)
    exact = above**b == x.numerator and below**b == x.denominator
    return Fraction(above, below) ** power.numerator if exact else None


def whole_root(m: int, b: int) -> int:
    """The largest whole r ≥ 0 with r^b ≤ m.

    >>> whole_root(80, 4), whole_root(81, 4)
    (2, 3)
    """
    low, high = 0, 1 << -(-m.bit_length() // b)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**b <= m else (low, middle)
    return low


def adjustment(surrogate: SmoothSurrogate) -> tuple[tuple[Fraction, ...], Fraction] | None:
    """The prior and τ of a member; None for other surrogates.

    >>> adjustment(logit_adjusted_softmax("1/3,2/3", "1/2"))
    ((Fraction(1, 3), Fraction(2, 3)), Fraction(1, 2))
    """
    given = surrogate.value
    return (given.prior, given.tau) if isinstance(given, _Value) else None


@dataclass(frozen=True)
class _Adjusted:
    prior: tuple[Fraction, ...]
    tau: Fraction

    def shift(self) -> Array:
        import numpy as np

        result: Array = float(self.tau) * np.log(np.array([float(x) for x in self.prior]))
        return result


class _Value(_Adjusted):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        V = U + self.shift()
        below = V - V.max(axis=1, keepdims=True)
        result: Array = np.log(np.exp(below).sum(axis=1, keepdims=True)) - below
        return result


class _Slope(_Adjusted):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        result: Array = shares_of(U + self.shift())[:, None, :] - np.eye(U.shape[1])
        return result


class _Probabilities(_Adjusted):
    def __call__(self, U: Array) -> Array:
        return shares_of(U + self.shift())


class _Link(_Adjusted):
    def __call__(self, p: Array) -> Array:
        result: Array = link_of_shares(p) - self.shift()
        return result
