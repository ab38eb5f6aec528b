"""Functions φ of a margin by name, convex and differentiable with φ′(0) < 0, and what a score tells of its probability.

Where p φ(u) + (1 − p) φ(−u) is nearly least, p is nearly the `share` of u, and every p in [0, 1] is told so: φ′(u) and
φ′(−u) never vanish both, and p = φ′(−u) / (φ′(u) + φ′(−u)) rises with u.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import UnknownName, nearest
from lossmith.surrogates.sigmoids import logit, sigmoid

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_MOST = 700.0  # e^709 is the largest power that floats hold


@dataclass(frozen=True)
class Margin:
    """φ and φ′ on arrays, the probability that a score tells, the score that tells it; φ′ exactly if it is rational.

    `exact_share(τ)` is the probability q that a score of τ tells, if it is rational, 0 < q < 1, and other scores tell
    others; else None. `slope_at_log(s)` is φ′(s log 2) likewise.
    """

    name: str
    value: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    share: Callable[[Array], Array]
    link: Callable[[Array], Array]
    exact_share: Callable[[Fraction], Fraction | None]
    exact_slope: Callable[[Fraction], Fraction] | None = None
    slope_at_log: Callable[[Fraction], Fraction | None] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return margin_named, (self.name,)


def margin_named(name: str) -> Margin:
    """The function φ of this name.

    >>> margin_named("squared_hinge").exact_slope(Fraction(1, 2))
    Fraction(-1, 1)
    """
    found = MARGINS.get(str(name).strip().replace("_", "-"))
    if found is None and str(name).strip() == "square":  # where it does, see `squares_per_bit`
        raise UnknownName("phi is 'square', which tells no probabilities between 0 and 1; take 'squared-hinge' here")
    if found is None:
        raise UnknownName(f"no function of margins is called {name!r}; {nearest(str(name), MARGINS)}")
    return found


def exponential(z: Array) -> Array:
    """e^−z, constant where floats end."""
    import numpy as np

    result: Array = np.exp(np.minimum(-z, _MOST))
    return result


def _falling(z: Array) -> Array:
    return -exponential(z)


def power_of_two(s: Fraction) -> Fraction | None:
    """2^s, if it is rational."""
    return Fraction(2) ** s.numerator if s.denominator == 1 else None


def _falling_at_log(s: Fraction) -> Fraction | None:
    power = power_of_two(-s)
    return None if power is None else -power


def _logistic_slope_at_log(s: Fraction) -> Fraction | None:
    power = power_of_two(s)
    return None if power is None else -1 / (1 + power)


def _double_sigmoid(u: Array) -> Array:
    return sigmoid(2 * u)


def _half_logit(p: Array) -> Array:
    return logit(p) / 2


def _logistic(z: Array) -> Array:
    import numpy as np

    result: Array = np.logaddexp(0, -z)
    return result


def _logistic_slope(z: Array) -> Array:
    return -sigmoid(-z)


def _squared_hinge(z: Array) -> Array:
    import numpy as np

    result: Array = np.maximum(1 - z, 0) ** 2
    return result


def _squared_hinge_slope(z: Array) -> Array:
    import numpy as np

    result: Array = -2 * np.maximum(1 - z, 0)
    return result


def _squared_hinge_exact(z: Fraction) -> Fraction:
    return -2 * max(1 - z, Fraction(0))


def _cut(u: Array) -> Array:
    import numpy as np

    result: Array = np.clip((1 + u) / 2, 0, 1)
    return result


def _stretched(p: Array) -> Array:
    return 2 * p - 1


def _modified_huber(z: Array) -> Array:
    import numpy as np

    result: Array = np.where(z >= -1, np.maximum(1 - np.maximum(z, -1), 0) ** 2, -4 * z)
    return result


def _modified_huber_slope(z: Array) -> Array:
    import numpy as np

    result: Array = -2 * np.clip(1 - z, 0, 2)
    return result


def _modified_huber_exact(z: Fraction) -> Fraction:
    return -2 * min(max(1 - z, Fraction(0)), Fraction(2))


def _smooth_hinge(z: Array) -> Array:
    import numpy as np

    result: Array = np.where(z <= 0, 0.5 - z, np.maximum(1 - np.maximum(z, 0), 0) ** 2 / 2)
    return result


def _smooth_hinge_slope(z: Array) -> Array:
    import numpy as np

    result: Array = -np.clip(1 - z, 0, 1)
    return result


def _smooth_hinge_exact(z: Fraction) -> Fraction:
    return -min(max(1 - z, Fraction(0)), Fraction(1))


def _smooth_hinge_share(u: Array) -> Array:
    import numpy as np

    near = np.clip(u, -1, 1)
    result: Array = np.where(near >= 0, 1 / (2 - np.abs(near)), 1 - 1 / (2 - np.abs(near)))
    return result


def _smooth_hinge_link(p: Array) -> Array:
    import numpy as np

    more = np.maximum(p, 1 - p)
    result: Array = np.sign(p - 0.5) * (2 - 1 / more)
    return result


def _half(tau: Fraction) -> Fraction | None:
    return None if tau else Fraction(1, 2)


def _half_of_more(tau: Fraction) -> Fraction | None:
    return (1 + tau) / 2 if -1 < tau < 1 else None


def _smooth_hinge_exact_share(tau: Fraction) -> Fraction | None:
    if not -1 < tau < 1:
        return None
    return 1 / (2 - tau) if tau >= 0 else 1 - 1 / (2 + tau)


MARGINS = {
    each.name: each
    for each in (
        Margin("exponential", exponential, _falling, _double_sigmoid, _half_logit, _half, slope_at_log=_falling_at_log),
        Margin("logistic", _logistic, _logistic_slope, sigmoid, logit, _half, slope_at_log=_logistic_slope_at_log),
        Margin(
            "squared-hinge",
            _squared_hinge,
            _squared_hinge_slope,
            _cut,
            _stretched,
            _half_of_more,
            _squared_hinge_exact,
        ),
        Margin(
            "modified-huber",
            _modified_huber,
            _modified_huber_slope,
            _cut,
            _stretched,
            _half_of_more,
            _modified_huber_exact,
        ),
        Margin(
            "smooth-hinge",
            _smooth_hinge,
            _smooth_hinge_slope,
            _smooth_hinge_share,
            _smooth_hinge_link,
            _smooth_hinge_exact_share,
            _smooth_hinge_exact,
        ),
    )
}
