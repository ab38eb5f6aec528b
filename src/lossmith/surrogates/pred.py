"""What a pred is: a function of u; by closed regions in order, by votes, or by the least expected loss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Protocol, runtime_checkable

from lossmith.errors import BadInput, LossmithError
from lossmith.exact.rational import RationalLike, as_rationals
from lossmith.geometry.covering import Gap, covering
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.tracing import Constraint, Expression, coordinates, linear_constraints
from lossmith.text.names import one_line


class Scores(Protocol):
    """What a pred needs to know of a surrogate, polyhedral or smooth."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def n(self) -> int:
        """The number of labels."""

    @property
    def dim(self) -> int:
        """The number of scores."""

    @property
    def domain(self) -> Polyhedron:
        """C."""


@runtime_checkable
class AnyPred(Protocol):
    """What decides: given by regions (`Pred`), by votes, by what a surrogate estimates (`Decide`), or by a proof."""

    @property
    def name(self) -> str:
        """What it is called."""

    def __call__(self, u: Sequence[RationalLike], /) -> int:
        """The index of the prediction at u."""

    def decide(self, U: Any, /) -> Any:
        """The index of the prediction at every row of U, in floating point."""


@dataclass(frozen=True)
class Pred:
    """A pred: the first prediction t whose region, the union of the polyhedra `regions[t]`, contains u.

    So ties, and overlaps, go to the prediction that comes first. Calibration may depend on that: it is decided for this
    very function. A prediction that is never made has no polyhedron. `rule` is the rule of `surrogates.preds` that made
    it, with its parameters, if one did.

    >>> sign = Pred.from_regions([lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]], dim=1, name="sign")
    >>> sign(["1/2"]), sign([-3]), sign([0])
    (0, 1, 0)
    """

    name: str
    dim: int
    regions: tuple[tuple[Polyhedron, ...], ...]
    rule: object = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", one_line(self.name))

    @classmethod
    def from_regions(cls, regions: Sequence[object], dim: int, name: str = "pred") -> Pred:
        """Trace one region per prediction: a function of u that returns linear comparisons.

        A list of such functions stands for their union, None for a prediction that is never made.
        """
        return cls(name, dim, tuple(_traced(region, dim, f"{name}, region {t}") for t, region in enumerate(regions)))

    def __call__(self, u: Sequence[RationalLike]) -> int:
        """The index of the prediction at u, exactly."""
        point = as_rationals(u, "u")
        if len(point) != self.dim:
            raise BadInput(f"u = {_shown(point)} has {len(point)} coordinates; {self.name} takes {self.dim}")
        for t, pieces in enumerate(self.regions):
            if any(piece.contains(point) for piece in pieces):
                return t
        raise BadInput(f"u = {_shown(point)} lies in no region of {self.name}")

    def decide(self, U: object) -> Any:
        """The index of the prediction at every row of U, in floating point: the one whose rows are violated least.

        A verdict's `decide` tells its name.
        """
        import numpy as np

        points = np.asarray(U, dtype=float)
        if points.ndim != 2 or points.shape[1] != self.dim:
            raise BadInput(f"U has shape {points.shape}; it needs one column for each of the {self.dim} scores")
        violated = np.full((len(points), len(self.regions)), np.inf)
        for t, pieces in enumerate(self.regions):
            for piece in pieces:
                rows = np.array(piece.rows, dtype=float).reshape(-1, self.dim + 1)
                slack = -(points @ rows[:, 1:].T + rows[:, 0])
                slack[:, len(piece.inequalities) :] = abs(slack[:, len(piece.inequalities) :])
                violated[:, t] = np.minimum(violated[:, t], slack.max(axis=1, initial=0))
        return violated.argmin(axis=1)

    def __repr__(self) -> str:
        return f"Pred({self.name!r}: {len(self.regions)} predictions on R^{self.dim})"


@dataclass(frozen=True)
class Decide:
    """The pred of least expected loss: argmin_t c_t + x·b_t, where x is what a smooth surrogate estimates at u.

    `affine[t]` is (c_t, b_t), None for a prediction that is never made. The estimate is a mean or the probabilities
    that the surrogate reads off u, or, for a binary margin, what its slopes tell: p_0 = φ′(−u) / (φ′(u) + φ′(−u)).
    """

    surrogate: SmoothSurrogate
    affine: tuple[tuple[Fraction, ...] | None, ...]
    reads: Literal["means", "probabilities", "slopes"]
    name: str = "decide"

    def decide(self, U: object) -> Any:
        """The index of the prediction at every row of U; a verdict's `decide` tells its name."""
        import numpy as np

        points = np.asarray(U, dtype=float)
        if self.reads == "probabilities":
            points = self.surrogate.probabilities(points)
        elif self.reads == "slopes":
            ahead, back = self.surrogate.gradient(points)[:, :, 0].T
            total = ahead - back
            first = np.where(total == 0, 0.5, -back / np.where(total == 0, 1, total))
            points = np.stack([first, 1 - first], axis=1)
        else:
            points = self.surrogate.estimates(points)
        made = [t for t, row in enumerate(self.affine) if row is not None]
        rows = np.array([self.affine[t] for t in made], dtype=float)
        return np.array(made)[(points @ rows[:, 1:].T + rows[:, 0]).argmin(axis=1)]

    def __call__(self, u: Sequence[RationalLike]) -> int:
        """The index of the prediction at u, in floating point."""
        return int(self.decide([[float(x) for x in as_rationals(u, "u")]])[0])


def fitting(pred: Pred, surrogate: Scores, loss: LossMatrix) -> Pred:
    """The pred, if its regions fit the surrogate and the loss, and cover C."""
    if pred.dim != surrogate.dim:
        raise BadInput(
            f"{pred.name} takes {pred.dim} scores, but {surrogate.name} has dimension {surrogate.dim}; make it for "
            f"dim={surrogate.dim}"
        )
    if len(pred.regions) != loss.k:
        raise BadInput(
            f"{pred.name} has {len(pred.regions)} regions, but {loss.name} has {loss.k} predictions; give one region "
            f"per prediction, None for one that is never made"
        )
    point = left_out(pred, surrogate.domain)
    if point is not None:
        never = [str(name) for name, region in zip(loss.predictions, pred.regions, strict=True) if not region]
        raise BadInput(
            f"{pred.name} leaves scores without a decision: u = {_shown(point)} lies in none of its regions"
            + f" ({', '.join(never)}: none is given)" * bool(never)
            + "; enlarge one"
        )
    return pred


def left_out(pred: Pred, domain: Polyhedron) -> tuple[Fraction, ...] | None:
    """A point of the domain that lies in no region of the pred, None if they cover it.

    >>> left_out(Pred("half", 1, ((Polyhedron(1, ((Fraction(0), Fraction(1)),)),),)), Polyhedron(1))
    (Fraction(-1, 1),)
    """
    found = covering(domain, [piece for region in pred.regions for piece in region])
    return found.point if isinstance(found, Gap) else None


def _traced(region: object, dim: int, what: str) -> tuple[Polyhedron, ...]:
    if region is None:
        return ()
    functions = region if isinstance(region, (list, tuple)) else [region]
    pieces = []
    for function in functions:
        if isinstance(function, Polyhedron):
            if function.dim != dim:
                raise BadInput(f"{what} is a polyhedron in R^{function.dim}; the surrogate has {dim} scores")
            pieces.append(function)
            continue
        if isinstance(function, (Constraint, Expression)) or not callable(function):
            raise BadInput(f"{what} is {function!r}; write a function of u, such as lambda u: [u[0] >= u[1]]")
        try:
            pieces.append(Polyhedron(dim, *linear_constraints(function(coordinates(dim)), what)))
        except LossmithError as error:
            raise BadInput(f"{what}: {error}") from None
        except Exception as error:
            raise BadInput(
                f"{what} failed with {type(error).__name__}: {error}; write a function of u that returns comparisons"
            ) from None
    return tuple(pieces)


def _shown(point: Iterable[Fraction] | None) -> str:
    return f"({', '.join(map(str, point or ()))})"
