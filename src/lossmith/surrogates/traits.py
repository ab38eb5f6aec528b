"""What may be known of a smooth surrogate beyond its values: where its risk is least, what is read off there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from lossmith.exact.rational import as_rationals
from lossmith.geometry.polyhedron import Polyhedron

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
    fill [0, 1]^n and sum to 1 only near optimal u. Without `converse` p·ψ is approached only where probabilities(u)
    tends to p, but u that are optimal for nothing may be read as p, too. Vernet, Williamson & Reid, Composite
    multiclass losses, NeurIPS 2011.
    """

    probabilities: Function
    link: Function | None = None
    monotone: bool = False
    threshold: Callable[[Fraction], Fraction | None] | None = None
    weights: tuple[Fraction, ...] | None = None
    separate: bool = False
    converse: bool = True


@dataclass(frozen=True)
class Reading:
    """How the means Σ_y p_y a_y are read off u, where they are not u itself.

    `estimates` maps floats (rows, dim) to (rows, dim); `link` maps the means, as floats, to a u that gives them. What
    can be read off lies in `domain` and takes all values in its relative interior; without one it is [0, 1]^dim.
    `threshold`: estimates rise with their own scores alone, and it maps a rational τ to the rational q such that
    u_i ≥ τ if and only if estimate i ≥ q, and likewise ≤, or to None if there is none. `ordered`: u_i ≥ u_j implies
    that estimate i is at least estimate j, and is implied where it is larger.
    """

    estimates: Function
    link: Function
    domain: Polyhedron | None = None
    threshold: Callable[[Fraction], Fraction | None] | None = None
    ordered: bool = False


@dataclass(frozen=True)
class Order:
    """Where p·ψ is nearly least, scores compare as the means x = Σ_y p_y a_y of the `rows` a_y do.

    "order": u_i ≥ u_j only where x_i ≥ x_j, for all i and j. "signs": u_i ≥ 0 only where x_i ≥ 0, and u_i ≤ 0 only
    where x_i ≤ 0. "largest": u_i ≥ u_j for all j only where x_i ≥ x_j for all j; "smallest" likewise; "first": for a
    set of `count` scores, u_i ≥ u_j for all i in it and j outside only where x_i ≥ x_j for these. That is: where x says
    otherwise, the infimum of p·ψ over such u exceeds inf p·ψ. For every p, also where labels are impossible.
    """

    kind: Literal["order", "signs", "largest", "smallest", "first"]
    rows: tuple[tuple[Fraction, ...], ...]
    count: int = 0

    @property
    def dim(self) -> int:
        """The number of scores."""
        return len(self.rows[0])

    @property
    def theorem(self) -> str:
        """What certificates call it."""
        return f"first {self.count}" if self.kind == "first" else self.kind


@dataclass(frozen=True)
class Curved:
    """(p·d)² ≤ `above` · size(d)² (p·ψ(u) − inf p·ψ) for any p, u and d with q·d ≤ 0, where q is what u tells.

    The size of d is max d − min d ("span"), max |d| ("most"), or ‖d‖ ("distance", also of means in place of p and q).
    `halves`: where u tells 1/2 for each of two labels and p is (1 ± h)/2 for these, p·ψ(u) − inf p·ψ tends to at most
    h²/`halves` + o(h²) along some u; None if that is not known.
    """

    size: Literal["span", "most", "distance"]
    above: Fraction
    halves: Fraction | None = None


@dataclass(frozen=True)
class TwoScores:
    """(p_s − p_t)² ≤ `above` (p·ψ(u) − inf p·ψ) where p_s ≥ p_j for all j, and `pred` says t at u.

    Less than `below` will not do: next to equal probabilities ("even"), or of two labels alone ("halves"), or where s
    is "sure" and u tells halves; with `likeliest`, where u tells equal probabilities, p_s is this number, p_t = 0, and
    the others have equal shares. `strict`: t is told to be as likely as any other label only where u_t is largest.
    With `costs`, a row for each label, it is about the loss with these costs, and (p·ℓ_t − p·ℓ_s)².
    """

    below: Fraction | None
    above: Fraction
    where: Literal["even", "halves", "sure"] = "even"
    strict: bool = True
    pred: Literal["argmax", "votes", "sign"] = "argmax"
    costs: tuple[tuple[Fraction, ...], ...] | None = None
    likeliest: Fraction | None = None


@dataclass(frozen=True)
class Together:
    """ψ_y(m d) tends to inf ψ_y as m → ∞, for all of these labels y at once, along one direction d."""

    labels: tuple[int, ...]
    direction: tuple[Fraction, ...]


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
    this mean; with `scales` w_y ≥ 0 the mean is Σ_y w_y p_y a_y / Σ_y w_y p_y, and ψ_y = 0 where w_y = 0. `order` tells
    what is known of the scores alone; `together`, which labels are served at once far out;
    `separate`, that every ψ_y is a sum of functions of single scores. `divergence`: with q what u tells of the
    probabilities, divided by its sum, p·ψ(u) − inf p·ψ is at least KL(p, q), or with "half square" ½‖p − q‖²; and for
    each q > 0 in Δ some u that tells it has no more, for all p; where there is a `mean`, it is of means.
    `curved` and `two_scores` bound what a regret of the surrogate can mean. With `convex=False` no `proper`, `mean` or
    `order` is taken without a divergence: if that bounds the regret, q tends to p where the regret tends to 0.

    >>> Traits(mean=[[0], ["1/2"]]).mean
    ((Fraction(0, 1),), (Fraction(1, 2),))
    """

    convex: bool = True
    proper: ProperComposite | None = None
    mean: tuple[tuple[Fraction, ...], ...] | None = None
    margin: BinaryMargin | None = None
    reading: Reading | None = None
    scales: tuple[Fraction, ...] | None = None
    order: Order | None = None
    together: tuple[Together, ...] = ()
    separate: bool = False
    divergence: Literal["Kullback-Leibler", "half square"] | None = None
    curved: Curved | None = None
    two_scores: TwoScores | None = None

    def __post_init__(self) -> None:
        if self.mean is not None:
            rows = tuple([_exact(row, f"row {y} of mean") for y, row in enumerate(self.mean)])
            object.__setattr__(self, "mean", rows)


def _exact(row: Sequence[object], what: str) -> tuple[Fraction, ...]:
    """The row, read only if there is something to read."""
    if isinstance(row, tuple) and {*map(type, row)} <= {Fraction}:
        return row
    return as_rationals(row, what)
