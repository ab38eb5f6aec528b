"""Squares of factors: ψ_y(u) = ‖u − scale(y) a(y)‖², decided by argmin_t u·b(t), for losses known by factors.

The mean x = Σ p_y scale(y) a(y) tells all risks up to a constant, x·b(t), so this is calibrated in m dimensions (the
usual scores: one per document, one per pair). Adding to x a functional that is the same for all b(t) changes no
decision; so as many coordinates as there are such functionals can be made 0 and need not be learned, which leaves
affdim(L). regret_L(p, u) ≤ max ‖b(s) − b(t)‖ √regret_ψ(p, u).

Let d have w_y = scale(y) a(y)·d > 0 for all y, and f·d = 0 for all such functionals f: then the differences of the
columns span the positive vector w. With ψ_y(u) = w_y ‖u − scale(y) a(y) / w_y‖² the mean x has x·d = 1. This tells one
coordinate more, x_j, and affdim(L) − 1 are left. On these b(t) is b_i − b_j d_i/d_j. Its differences have a norm of at
most (1 + Σ (d_i/d_j)²)^½ ‖b(s) − b(t)‖; the bound of the regret has max w under the root, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from lossmith.certificates.certificate import Certificate
from lossmith.constructions.regret_bounds import RegretBound
from lossmith.dimension.of_factors import of_factors
from lossmith.errors import Impossible, NotFound, UnknownName
from lossmith.exact.solve import inverse
from lossmith.exact.vectors import rational_dot
from lossmith.families import at_least
from lossmith.losses.factored import FactoredLoss, Vector
from lossmith.losses.ranking.decoding import Decoded, rows_of
from lossmith.losses.sets.set_loss import SetLoss


@dataclass(frozen=True)
class SquaresOfFactors:
    """A surrogate, its pred and a certificate for a loss known by factors, at any size.

    `target(y)` is the vector that is to be learned where y is true; `pred(U)` turns learned scores into predictions.
    With `every_score` all m coordinates are kept.
    """

    loss: FactoredLoss
    every_score: bool = False
    status = "calibrated"

    @cached_property
    def dropped(self) -> tuple[int, ...]:
        """Coordinates that are made 0: on them the constant functionals are independent."""
        return () if self.every_score else self.loss.redundant

    @cached_property
    def _positive(self) -> Vector | None:
        return None if self.every_score or self.loss.positive is None else self.loss.positive[0]

    @cached_property
    def _told(self) -> int | None:
        """The coordinate that x·d = 1 tells."""
        if self._positive is None:
            return None
        return next(i for i in reversed(range(self.loss.m)) if i not in self.dropped and self._positive[i])

    @cached_property
    def _learned(self) -> list[int]:
        return [i for i in range(self.loss.m) if i not in (*self.dropped, self._told)]

    @property
    def surrogate(self) -> SquaresOfFactors:
        """Itself: what is trained, with `dim`, `target` and `targets`."""
        return self

    @property
    def dim(self) -> int:
        """How many functions are to be learned."""
        return len(self._learned)

    def target(self, y: object) -> Vector:
        """What is to be learned where y is true, exactly."""
        weight, x = self.weight(y), self._row(y)
        x = [each / weight for each in x]
        for functional, share in zip(self.loss.constants, self._shares([x[i] for i in self.dropped]), strict=False):
            x = [old - share * new for old, new in zip(x, functional, strict=True)]
        return tuple(x[i] for i in self._learned)

    def weight(self, y: object) -> Fraction:
        """What an example of y weighs in training, exactly; 1 unless weights save a dimension."""
        return Fraction(1) if self._positive is None else rational_dot(self._row(y), self._positive)

    def _row(self, y: object) -> list[Fraction]:
        _, scale, a = self.loss.row(self.loss.label(y))
        return [scale * each for each in a]

    def targets(self, labels: Iterable[object]) -> Any:
        """The same for many labels, in floating point: one row each; sets of tags as an array of zeros and ones."""
        import numpy as np

        if not isinstance(self.loss, SetLoss):
            return np.array([[float(x) for x in self.target(y)] for y in labels]).reshape(-1, self.dim)
        x = self.loss.targets(labels)
        x = x / self.weights(labels)[:, None]
        for functional, i in zip(self.loss.constants, self.dropped, strict=False):  # there is one at most
            x = x - x[:, i : i + 1] * [float(Fraction(each, functional[i])) for each in functional]
        return x[:, self._learned]

    def weights(self, labels: Iterable[object]) -> Any:
        """The same for many labels, in floating point: the `sample_weight` of a regressor."""
        import numpy as np

        if not isinstance(self.loss, SetLoss):
            return np.array([float(self.weight(y)) for y in labels])
        x = self.loss.targets(labels)
        return np.ones(len(x)) if self._positive is None else x @ np.array(self._positive, dtype=float)

    def pred(self, U: object) -> Decoded:
        """A prediction for each row of learned scores."""
        import numpy as np

        scores, single = rows_of(U, self.dim)
        full = np.zeros((len(scores), self.loss.m))
        full[:, self._learned] = scores
        if self._told is not None:
            d = np.array(self._positive, dtype=float)
            full[:, self._told] = (1 - full @ d) / d[self._told]
        return self.loss.decode(full[0] if single else full)

    @cached_property
    def certificate(self) -> Certificate:
        """That so many dimensions are enough."""
        upper = next(each for each in of_factors(self.loss) if each.side == "upper")
        return replace(upper, value=self.dim).certificate

    @property
    def made_by(self) -> str:
        """The construction, its dimension and its regret: t that is within ε of the least u·b(t) adds ε to it."""
        size = f"{self.dim} dimension{'s' * (self.dim > 1)}"
        missed = "" if self.pred([0.0] * self.dim).exact else " + what the decoding misses"
        return f"squares of factors, {size}; {RegretBound(self.loss.spread * self._factor, root=True)}{missed}"

    @property
    def _factor(self) -> Fraction:
        """What the weights add to the square of the constant."""
        if self.loss.positive is None or self._told is None:
            return Fraction(1)
        d, heaviest = self.loss.positive
        return heaviest * (1 + sum((Fraction(d[i]) / d[self._told]) ** 2 for i in self._learned))

    def __str__(self) -> str:
        fewer = f", less what makes {['', 'one', 'two'][len(self.dropped)]} of them 0" if self.dropped else ""
        if self._positive is not None:
            fewer += "; weighted, and divided by the weight, which tells one more"
        return (
            f"{self.dim} functions, by least squares, are calibrated for {self.loss.name}.\n"
            f"  learn   {self.loss.learned}{fewer}\n"
            f"  decide  {self.loss.decided}"
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "loss": self.loss.name,
            "status": self.status,
            "surrogate": "squares of factors",
            "dim": self.dim,
            "learned": self.loss.learned,
            "decided": self.loss.decided,
        }

    def _shares(self, values: list[Any]) -> list[Fraction]:
        """How much of each constant functional takes x to 0 on the dropped coordinates."""
        if not self.dropped:
            return []
        square = [[functional[i] for functional in self.loss.constants] for i in self.dropped]
        rows, denominator = inverse([[int(x) for x in row] for row in square])
        return [rational_dot(row, values) / denominator for row in rows]


def squares_of_factors(loss: FactoredLoss, dim: int | None = None, method: str | None = None) -> SquaresOfFactors:
    """The construction in affdim(L) dimensions, or with all m scores if `dim` says so.

    >>> from lossmith.losses import ndcg
    >>> made = squares_of_factors(ndcg(3, discount=[1, "1/2", "1/4"]))
    >>> made.dim, [str(x) for x in made.target((1, 0, 1))]
    (2, ['0', '-2/3'])
    >>> made.pred([[0.5, -1.0]]).predictions.tolist()
    [[0, 2, 1]]
    """
    if method not in (None, "square"):
        raise UnknownName(f"{loss.name} is known by factors, for which the method is 'square', not {method!r}")
    fewest, every = SquaresOfFactors(loss), SquaresOfFactors(loss, every_score=True)
    if dim is None or at_least("dim", dim, 1) == fewest.dim:
        return fewest
    if dim == every.dim:
        return every
    lower = next((each for each in of_factors(loss) if each.side == "lower"), None)
    if lower is not None and dim < lower.value:
        raise Impossible(
            f"no convex surrogate on R^{dim} is calibrated for {loss.name}: CCdim ≥ {lower.value} ({lower.theorem})",
            lower,
        )
    sizes = " or ".join(map(str, sorted({fewest.dim, every.dim})))
    raise NotFound(f"squares of factors for {loss.name} have dimension {sizes}, not {dim}")
