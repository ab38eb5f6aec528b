"""Smooth surrogates: ψ : R^d → R₊ⁿ given by its values and gradients, with what is known about its minimisers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput, BadSurrogate
from lossmith.exact.rational import RationalLike, as_rationals, quoted
from lossmith.exact.vectors import rational_dot
from lossmith.families import Member, at_least, made_as
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.geometry.simplex import as_distribution
from lossmith.surrogates.agreement import check_declared
from lossmith.surrogates.class_weights import (
    WeightedAlong,
    WeightedExactSlope,
    WeightedSlope,
    WeightedSubgradients,
    WeightedValue,
    floats_of,
    weighted_traits,
)
from lossmith.surrogates.descent import descend
from lossmith.surrogates.forms import Form
from lossmith.surrogates.squared_maxima import (
    AlongSquares,
    SlopesOfSquares,
    Squares,
    SubgradientsOfSquares,
    of_single_scores,
    to_be_squared,
)
from lossmith.surrogates.tracing import coordinates
from lossmith.surrogates.traits import BinaryMargin as BinaryMargin
from lossmith.surrogates.traits import Order as Order
from lossmith.surrogates.traits import ProperComposite as ProperComposite
from lossmith.surrogates.traits import Reading as Reading
from lossmith.surrogates.traits import Together as Together
from lossmith.surrogates.traits import Traits as Traits
from lossmith.text.names import one_line
from lossmith.text.numbers import significant

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]
    Function: TypeAlias = Callable[[Array], Any]

Subgradients: TypeAlias = "Callable[[tuple[Fraction, ...]], Sequence[Sequence[Sequence[Fraction]]] | None]"
Along: TypeAlias = "Callable[[tuple[Fraction, ...], tuple[Fraction, ...]], tuple[Any, Any, Any] | None]"
NOTHING_KNOWN = Traits()
_LONGEST = 12  # letters of a weight in a name


@dataclass(frozen=True)
class SmoothSurrogate(Member):
    """A surrogate ψ : R^d → R₊ⁿ given by functions of float arrays.

    `value(U)` maps (rows, dim) to (rows, n), and `slope(U)` to (rows, n, dim), the gradient of each ψ_y. `exact_slope`,
    where the gradient is rational, maps a tuple of fractions to n rows of dim fractions. `subgradients`, where ψ has
    kinks or is rational at few points only, maps it to n lists of such rows, whose hulls lie in the subdifferentials of
    ψ_y; or to None where none are known. `at_logs` does the same for u = s log 2, given s: there exponentials and
    logistic functions have rational slopes. `along`, where ψ is quadratic on pieces, maps u and a direction to the end
    of a segment from u, and the subgradients at u, as limits on the way, and at the end: in between they are affine.
    `form` says that ψ is of a known form, which torch and boosting have their own arithmetic for; `plain` is the
    surrogate before class weights, and these. At construction the
    slope is compared with central differences at fixed points, the form with the values, and values that are negative
    there are refused. Two surrogates are equal if their functions and traits are; the name is only for print.

    >>> import numpy as np
    >>> squares = SmoothSurrogate(
    ...     "squares", 2, 1, lambda U: (U - [0, 1]) ** 2, lambda U: 2 * (U - [0, 1])[:, :, None])
    >>> squares([0.5])
    (0.25, 0.25)
    >>> round(squares.minimizer(["1/4", "3/4"])[0], 6)
    0.75
    >>> SmoothSurrogate("wrong", 2, 1, lambda U: (U - [0, 1]) ** 2, lambda U: (U - [0, 1])[:, :, None])
    Traceback (most recent call last):
    lossmith.errors.BadSurrogate: wrong: at y = 0, u = (...) the slope along u_0 is declared ... and measured ...
    """

    name: str = field(compare=False)
    n: int
    dim: int
    value: Function
    slope: Function
    traits: Traits = NOTHING_KNOWN
    exact_slope: Callable[[tuple[Fraction, ...]], Sequence[Sequence[Fraction]]] | None = None
    form: Form | None = field(default=None, compare=False)
    subgradients: Subgradients | None = None
    at_logs: Subgradients | None = None
    along: Along | None = None
    plain: tuple[SmoothSurrogate, tuple[Fraction, ...]] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", one_line(self.name))
        at_least("n", self.n, 2)
        at_least("dim", self.dim, 1)
        self._check_shapes_of_traits()
        check_declared(self)

    @property
    def domain(self) -> Polyhedron:
        """C: all of R^d."""
        return Polyhedron(self.dim)

    @classmethod
    def from_margin(
        cls,
        phi: Function,
        slope: Function,
        name: str,
        differentiable: bool = True,
        slope_at_zero: Fraction | float | tuple[Fraction | float, Fraction | float] | None = None,
    ) -> SmoothSurrogate:
        """Make ψ_0(u) = φ(u), ψ_1(u) = φ(−u) on R from φ and its slope, functions of a float array of margins.

        If φ is not differentiable everywhere, give φ′(0), or the slopes (below, above) of a kink at 0.

        >>> import numpy as np
        >>> exponential = SmoothSurrogate.from_margin(lambda m: np.exp(-m), lambda m: -np.exp(-m), "exponential")
        >>> exponential.traits.margin
        BinaryMargin(slope_at_zero=-1.0, differentiable=True)
        """
        import numpy as np

        if differentiable and slope_at_zero is None:
            slope_at_zero = float(_array(slope(np.zeros(1)), (1,), f"the slope of {name}")[0])
        traits = Traits(margin=BinaryMargin(slope_at_zero, differentiable))
        return cls(name, 2, 1, _MarginValue(phi, name), _MarginSlope(slope, name), traits)

    @classmethod
    def from_squares(
        cls, psi: Callable[[int, list[Any]], object], n: int, dim: int, name: str | None = None
    ) -> SmoothSurrogate:
        """Trace a function of (y, u) that returns what is squared: ψ_y is the sum of the squares of a list.

        Each is a maximum that is nowhere negative, such as `lm.pos` of something, or affine. So it is convex, and
        known exactly: `check` looks for counterexamples at kinks and on the ways to them.

        >>> from lossmith.surrogates.tracing import maximum, pos
        >>> squared = SmoothSurrogate.from_squares(
        ...     lambda y, u: pos(1 + maximum(*(u[j] - u[y] for j in range(3) if j != y))), n=3, dim=3, name="squared")
        >>> squared([2, 0, 1])
        (0.0, 9.0, 4.0)
        """
        n, dim = at_least("n", n, 2), at_least("dim", dim, 1)
        name = name or getattr(psi, "__name__", "surrogate").replace("<lambda>", "surrogate")
        terms = tuple(to_be_squared(psi(y, coordinates(dim)), dim, f"{name} at y = {y}") for y in range(n))
        traits = Traits(separate=of_single_scores(terms))
        below, along = SubgradientsOfSquares(terms), AlongSquares(terms)
        return cls(name, n, dim, Squares(terms), SlopesOfSquares(terms), traits, subgradients=below, along=along)

    def __call__(self, u: Sequence[RationalLike]) -> tuple[float, ...]:
        """ψ(u), in floating point."""
        point = as_rationals(u, "u")
        if len(point) != self.dim:
            shown = ", ".join(map(str, point))
            raise BadInput(f"u = ({shown}) has {len(point)} coordinates; {self.name} has dimension {self.dim}")
        return tuple(self.evaluate([floats_of(point, "u")])[0].tolist())

    def evaluate(self, U: object) -> Array:
        """ψ at every row of U: an array of shape (rows, n)."""
        points = self._batch(U)
        return _array(self.value(points), (len(points), self.n), f"the value of {self.name}")

    def gradient(self, U: object) -> Array:
        """The gradient of every ψ_y at every row of U: an array of shape (rows, n, dim)."""
        points = self._batch(U)
        return _array(self.slope(points), (len(points), self.n, self.dim), f"the slope of {self.name}")

    def minimizer(self, p: Sequence[RationalLike]) -> tuple[float, ...]:
        """A u that minimises p·ψ, or comes near its infimum: in closed form where the traits give one, else searched.

        The search follows the gradient in floating point (BFGS); it finds a local minimum if ψ is not convex.
        """
        import numpy as np

        distribution = as_distribution(p, self.n)
        if self.traits.mean is not None and self.traits.reading is None and self.traits.scales is None:
            columns = zip(*self.traits.mean, strict=True)
            return floats_of((rational_dot(distribution, column) for column in columns), "mean")
        weights = np.array(floats_of(distribution, "p"))
        found = next((u for _, u in self.closed_forms(weights)), None)
        return tuple((descend(self._risk(weights), self.dim) if found is None else found).tolist())

    def bayes_risk(self, p: Sequence[RationalLike]) -> float:
        """H_ψ(p) = inf_u p·ψ(u), in floating point."""
        values = self.evaluate([self.minimizer(p)])[0].tolist()
        return sum(map(mul, floats_of(as_distribution(p, self.n), "p"), values), 0.0)

    def weighted(self, weights: Sequence[RationalLike]) -> SmoothSurrogate:
        """The surrogate with components w_y ψ_y, w_y > 0: class weights.

        p·ψ then has the minimisers that ψ has for the normalised w∘p.

        >>> from lossmith.surrogates.families.softmax import softmax
        >>> softmax(3).weighted([1, 2, "1/2"])
        SmoothSurrogate('softmax(n=3) weighted (1, 2, 1/2)': 3 labels on R^3)
        """
        w = as_rationals(weights, "weights")
        shown = ", ".join(map(str, w))
        if len(w) != self.n or min(w) <= 0:
            raise BadInput(f"weights = ({shown}); give one positive weight for each of the {self.n} labels")
        exact = None if self.exact_slope is None else WeightedExactSlope(self.exact_slope, w)
        below, at_logs = (None if f is None else WeightedSubgradients(f, w) for f in (self.subgradients, self.at_logs))
        along = None if self.along is None else WeightedAlong(self.along, w)
        value, slope = WeightedValue(self.value, w), WeightedSlope(self.slope, w)
        traits, form = weighted_traits(self.traits, w), self.form and self.form.weighted(w)
        plain, before = self.plain or (self, (Fraction(1),) * self.n)
        base = (plain, tuple([x * y for x, y in zip(before, w, strict=True)]))
        name = f"{self.name} weighted ({', '.join(map(_short, w))})"
        made = SmoothSurrogate(name, self.n, self.dim, value, slope, traits, exact, form, below, at_logs, along, base)
        return made_as(self, made)

    def __repr__(self) -> str:
        where = "R" if self.dim == 1 else f"R^{self.dim}"
        return f"SmoothSurrogate({self.name!r}: {self.n} labels on {where})"

    def probabilities(self, U: object) -> Array:
        """The probabilities that a strictly proper composite surrogate reads off every row of U: shape (rows, n)."""
        if self.traits.proper is None:
            raise BadInput(f"{self.name} is not declared strictly proper composite; it gives no probabilities")
        points = self._batch(U)
        return _array(
            self.traits.proper.probabilities(points), (len(points), self.n), f"the probabilities of {self.name}"
        )

    @property
    def targets(self) -> tuple[Array, Array]:
        """What to regress on to train a mean surrogate: the point a_y of each label, and the weight of its examples.

        >>> from lossmith.surrogates.families.square import square
        >>> A, w = square([[0, 0], [3, 4]]).targets
        >>> A.tolist(), w.tolist()
        ([[0.0, 0.0], [3.0, 4.0]], [1.0, 1.0])
        """
        import numpy as np

        if self.traits.mean is None or self.traits.reading is not None:
            raise BadInput(f"{self.name} is not a squared distance; it has no targets for regression")
        rows = np.array([floats_of(row, "mean") for row in self.traits.mean])
        return rows, np.array(floats_of(self.traits.scales or [Fraction(1)] * self.n, "scales"))

    def estimates(self, U: object) -> Array:
        """The means Σ_y p_y a_y that a mean surrogate reads off every row of U: shape (rows, dim)."""
        if self.traits.mean is None:
            raise BadInput(f"{self.name} is not declared to be minimised at means; it estimates none")
        points = self._batch(U)
        if self.traits.reading is None:
            return points
        return _array(self.traits.reading.estimates(points), points.shape, f"the estimates of {self.name}")

    def closed_forms(self, p: Array) -> Iterator[tuple[str, Array]]:
        """The minimisers of p·ψ that the traits give, by the name of the trait, for floats p."""
        import numpy as np

        if self.traits.mean is not None:
            q = p * np.array(floats_of(self.traits.scales or [Fraction(1)] * self.n, "scales"))
            means = (q / q.sum()) @ np.array([floats_of(row, "mean") for row in self.traits.mean])
            reading = self.traits.reading
            yield "mean", means if reading is None else _array(reading.link(means), (self.dim,), f"link of {self.name}")
        if self.traits.proper is not None and self.traits.proper.link is not None:
            yield "link", _array(self.traits.proper.link(p), (self.dim,), f"the link of {self.name}")

    def _risk(self, p: Array) -> Callable[[Array], tuple[float, Array]]:
        return lambda u: (float(p @ self.evaluate(u[None])[0]), p @ self.gradient(u[None])[0])

    def _batch(self, U: object) -> Array:
        import numpy as np

        points = np.asarray(U, dtype=float)
        if points.ndim != 2 or points.shape[1] != self.dim:
            raise BadInput(f"U has shape {points.shape}; it needs one column for each of the {self.dim} dimensions")
        return points

    def _check_shapes_of_traits(self) -> None:
        mean, proper, margin, order = self.traits.mean, self.traits.proper, self.traits.margin, self.traits.order
        if order is not None and (len(order.rows) != self.n or {len(row) for row in order.rows} != {self.dim}):
            raise BadSurrogate(f"{self.name}: order must have {self.n} rows of {self.dim} numbers, one for each label")
        if mean is not None and (len(mean) != self.n or {len(row) for row in mean} != {self.dim}):
            raise BadSurrogate(f"{self.name}: mean must have {self.n} rows of {self.dim} numbers, one for each label")
        if proper is not None and self.dim != self.n and (proper.monotone or proper.threshold):
            raise BadSurrogate(f"{self.name}: monotone and threshold need a score for each label, dim = n = {self.n}")
        told = [name for name in ("proper", "mean", "order") if getattr(self.traits, name) is not None]
        if told and not self.traits.convex and self.traits.divergence is None and self.plain is None:
            raise BadSurrogate(
                f"{self.name} declares {told[0]} and convex=False: without convexity samples do not show where its "
                f"risk is nearly least; leave out {told[0]}, or declare divergence, if it bounds its regrets from below"
            )
        if margin is not None and (self.n, self.dim) != (2, 1):
            raise BadSurrogate(f"{self.name}: a binary margin has n = 2 and dim = 1, not {self.n} and {self.dim}")


# Functions that compare by value and can be pickled, if what they are made from can.


@dataclass(frozen=True)
class _MarginValue:
    phi: Function
    name: str = field(compare=False)

    def __call__(self, U: Array) -> Array:
        import numpy as np

        m, what = U[:, 0], f"phi of {self.name}"
        return np.stack([_array(self.phi(m), m.shape, what), _array(self.phi(-m), m.shape, what)], axis=1)


@dataclass(frozen=True)
class _MarginSlope:
    slope: Function
    name: str = field(compare=False)

    def __call__(self, U: Array) -> Array:
        import numpy as np

        m, what = U[:, 0], f"the slope of {self.name}"
        parts = [_array(self.slope(m), m.shape, what), -_array(self.slope(-m), m.shape, what)]
        return np.stack(parts, axis=1)[:, :, None]


def _array(result: object, shape: tuple[int, ...], what: str) -> Array:
    """The result as a float array of this shape, or say what it is instead."""
    import numpy as np

    try:
        array = np.asarray(result, dtype=float)
    except (TypeError, ValueError):
        raise BadSurrogate(f"{what} is {quoted(result)}; expected an array of shape {shape}") from None
    if array.shape != shape:
        raise BadSurrogate(f"{what} has shape {array.shape}; expected {shape}")
    return array


def _short(weight: Fraction) -> str:
    """A weight in a name: rounded, if it is a long fraction."""
    text = str(weight)
    return text if len(text) <= _LONGEST else significant(weight, 4)
