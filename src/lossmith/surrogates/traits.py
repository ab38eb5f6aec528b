"""What may be known of a smooth surrogate beyond its values: where its risk is least, what is read off there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.exact.rational import as_rationals

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]
    Function: TypeAlias = Callable[[Array], Any]


@dataclass(frozen=True)
class ProperComposite:
    """ψ is strictly proper composite: p·ψ is minimised, or approached, exactly where probabilities(u) = p.

    `probabilities` maps floats (rows, dim) to (rows, n); `link` maps p to a u that minimises p·ψ, or comes as near as
    floats allow. `monotone`: dim = n, and u_i > u_j wherever q_i > q_j, for q the probabilities at u times `weights`
    (all 1 if None). `threshold` maps a rational τ to the rational q such that, for u near optimal, u_t > τ means
    p_t > q, or to None if there is none. `separate`: each probability is read off its own score, so that together they
    fill [0, 1]^n and sum to 1 only near optimal u. Vernet, Williamson & Reid, Composite multiclass losses, NeurIPS
    2011.
    """

    probabilities: Function
    link: Function | None = None
    monotone: bool = False
    threshold: Callable[[Fraction], Fraction | None] | None = None
    weights: tuple[Fraction, ...] | None = None
    separate: bool = False


@dataclass(frozen=True)
class Reading:
    """How the means Σ_y p_y a_y are read off u, where they are not u itself.

    `estimates` maps floats (rows, dim) to (rows, dim), coordinate by coordinate and increasing, with u_i = 0 for 1/2;
    `link` maps the means, as floats, to a u that gives them.
    """

    estimates: Function
    link: Function


@dataclass(frozen=True)
class BinaryMargin:
    """n = 2, dim = 1, ψ_0(u) = φ(u) and ψ_1(u) = φ(−u).

    `slope_at_zero` is φ′(0), or if that does not exist the slopes from below and above, None if they are not known;
    `differentiable`, whether φ has a slope everywhere.
    """

    slope_at_zero: Fraction | float | tuple[Fraction | float, Fraction | float] | None
    differentiable: bool


@dataclass(frozen=True)
class Traits:
    """What is known of a surrogate beyond its values. Traits are declared; at construction samples must agree.

    `mean`: rows a_y such that p·ψ is minimised, or approached, exactly at u = Σ_y p_y a_y, or where `reading` gives
    this mean; with `scales` w_y the mean is Σ_y w_y p_y a_y / Σ_y w_y p_y.

    >>> Traits(mean=[[0], ["1/2"]]).mean
    ((Fraction(0, 1),), (Fraction(1, 2),))
    """

    convex: bool = True
    proper: ProperComposite | None = None
    mean: tuple[tuple[Fraction, ...], ...] | None = None
    margin: BinaryMargin | None = None
    reading: Reading | None = None
    scales: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        if self.mean is not None:
            rows = tuple([_exact(row, f"row {y} of mean") for y, row in enumerate(self.mean)])
            object.__setattr__(self, "mean", rows)


def _exact(row: Sequence[object], what: str) -> tuple[Fraction, ...]:
    """The row, read only if there is something to read."""
    if isinstance(row, tuple) and {*map(type, row)} <= {Fraction}:
        return row
    return as_rationals(row, what)
