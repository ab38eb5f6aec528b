"""Verdicts: calibrated, not calibrated or undecided, each with what proves it and a certificate made on demand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeAlias

from lossmith.analysis.positive_normals import Point
from lossmith.calibration import printing
from lossmith.calibration.conditions import conditions_of
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.calibration.within import Distributions
from lossmith.certificates.certificate import Certificate
from lossmith.geometry.polytope import Polytope
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sampling import draw
from lossmith.surrogates.deciding import decisions, scores_for
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import AnyPred
from lossmith.surrogates.surrogate import Surrogate as Surrogate


class Proof(Protocol):
    """What a verdict rests on: it writes the certificate."""

    def certificate(self, verdict: Any) -> Certificate:
        """The certificate of the verdict."""


@dataclass(frozen=True)
class Cell:
    """A positive normal set N(ψ(u)), and a prediction that is optimal on all of it, or on its part within P.

    With interchangeable labels there is one cell for each kind, `alike` tells how many there are of it, and `polytope`
    is its part in the chamber (`analysis.chamber`).
    """

    u: Point
    z: Point
    polytope: Polytope
    prediction: int
    reached: bool = True  # whether it meets P
    alike: int = 1


@dataclass(frozen=True)
class Calibrated:
    """The surrogate is calibrated for the loss: whatever is nearly optimal for it is decided optimally.

    `cells` are those of a polyhedral surrogate, each with a prediction that is optimal on it; a smooth one has none.
    `asked` is the pred that was asked about; without one, `pred` is a pred that works (`found_pred`, if the rule
    knows one in closed form). `made_by` tells how the surrogate was made, if it was made for the loss; `ties` says if
    the pred that was asked about would not do with its ties broken otherwise.
    """

    status: ClassVar[str] = "calibrated"
    surrogate: Surrogate
    loss: LossMatrix
    cells: tuple[Cell, ...]
    proof: Proof = field(repr=False, compare=False)
    asked: AnyPred | None = None
    within: tuple[Distributions, ...] | None = None
    found_pred: AnyPred | None = field(default=None, repr=False, compare=False)
    made_by: str = field(default="", compare=False)
    ties: str = field(default="", repr=False, compare=False)

    @cached_property
    def pred(self) -> AnyPred:
        """A map from u to indices of predictions with which minimising ψ minimises L: the one asked, or the proof's."""
        known = self.asked or self.found_pred
        if known is not None:
            return known
        assert isinstance(self.surrogate, PolyhedralSurrogate)
        return DecompositionPred(
            self.surrogate, tuple(cell.z for cell in self.cells), tuple(cell.prediction for cell in self.cells)
        )

    def decide(self, U: object, *, classes: Iterable[Any] | None = None) -> Any:
        """The decision by name for each row of scores u, in floats; `classes`: the order they were trained in."""
        return decisions(self.pred, scores_for(U, self.surrogate, self.loss, classes), self.loss)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """What was declared of the surrogate and is not proved: the verdict is right if it is true."""
        return conditions_of(self)

    @cached_property
    def certificate(self) -> Certificate:
        """The proof, for `lm.verify` or `python -m lossmith_verify`."""
        return self.proof.certificate(self)

    def __str__(self) -> str:
        return printing.calibrated_text(self)

    def to_latex(self) -> str:
        """The verdict as a sentence and a table for a paper."""
        return printing.calibrated_latex(self)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data: predictions by name, numbers as "a/b"."""
        return printing.calibrated_data(self)

    def _repr_html_(self) -> str:
        return printing.as_html(self)


@dataclass(frozen=True)
class NotCalibrated:
    """The surrogate is not calibrated: it is optimal at one u for distributions that one decision does not serve.

    If no pred was `asked` about, no single decision serves all `distributions`: `ruled_out[i]` are the predictions that
    are not optimal for distribution i, and together they are all predictions. For a polyhedral surrogate with few
    labels they lie inside one of its cells, so that minimising it leads to ψ(u) for each of them. With a pred there is
    one distribution, and `prediction` is what the pred says at points u′ → u, though it is not optimal; `ties` says if
    it would do with its ties broken otherwise. For smooth surrogates u may be a rounded number.
    """

    status: ClassVar[str] = "not calibrated"
    surrogate: Surrogate
    loss: LossMatrix
    u: tuple[Fraction | float, ...]
    distributions: tuple[Point, ...]
    proof: Proof = field(repr=False, compare=False)
    asked: AnyPred | None = None
    within: tuple[Distributions, ...] | None = None
    prediction: int | None = None
    ties: str = field(default="", repr=False, compare=False)

    @property
    def pred(self) -> Any:
        """The pred that was asked about; None if no pred works."""
        return self.asked

    @cached_property
    def ruled_out(self) -> tuple[tuple[int, ...], ...]:
        """For each distribution, the predictions that are not optimal for it."""
        optimal = [set(self.loss.optimal_predictions(p)) for p in self.distributions]
        return tuple(tuple(t for t in range(self.loss.k) if t not in best) for best in optimal)

    @cached_property
    def price(self) -> Fraction:
        """What the decision at u costs more than necessary, on average over the distributions.

        The decision is that of the pred that was asked about, else the best single one. It is 0 where the distributions
        belong to several u, so that little may be lost at each of them.
        """
        if getattr(self.proof, "start", None):
            return Fraction(0)
        excess = [[risk - min(risks) for risk in risks] for risks in map(self.loss.risk, self.distributions)]
        costs = [sum(column, Fraction(0)) / len(self.distributions) for column in zip(*excess, strict=True)]
        return min(costs) if self.prediction is None else costs[self.prediction]

    def sample(self, m: int, seed: int | None = None) -> tuple[Any, Any]:
        """Draw m labelled examples from the distributions: X tells which one (one column each), y is the label by name.

        Even a model that may learn every column separately ends at the same u for all of them.
        """
        return draw(self.loss, self.distributions, m, seed)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """What was declared of the surrogate and is not proved: the verdict is right if it is true."""
        return conditions_of(self)

    @cached_property
    def certificate(self) -> Certificate:
        """The proof, for `lm.verify` or `python -m lossmith_verify`."""
        return self.proof.certificate(self)

    def __str__(self) -> str:
        return printing.not_calibrated_text(self)

    def to_latex(self) -> str:
        """The verdict as a sentence for a paper."""
        return printing.not_calibrated_latex(self)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data: predictions by name, numbers as "a/b" (rounded ones as numbers)."""
        return printing.not_calibrated_data(self)

    def _repr_html_(self) -> str:
        return printing.as_html(self)


@dataclass(frozen=True)
class Evidence:
    """What a numerical search saw: never a proof.

    `gap` is the largest loss, per case, that the search found unavoidable (or made by the given pred) at one u.
    """

    tried: int
    gap: float
    u: tuple[float, ...]
    distributions: tuple[tuple[float, ...], ...]

    def __str__(self) -> str:
        return printing.evidence_text(self)


@dataclass(frozen=True)
class Undecided:
    """No rule applies. `declined` says of each rule why not; `evidence` is numerical and proves nothing."""

    status: ClassVar[str] = "undecided"
    surrogate: Surrogate
    loss: LossMatrix
    declined: tuple[tuple[str, str], ...]
    evidence: Evidence
    asked: AnyPred | None = None
    within: tuple[Distributions, ...] | None = None
    certificate: ClassVar[None] = None
    conditions: ClassVar[tuple[str, ...]] = ()

    @property
    def pred(self) -> Any:
        """The pred that was asked about, if it is known by regions."""
        return self.asked

    def __str__(self) -> str:
        return printing.undecided_text(self)

    def to_latex(self) -> str:
        """The verdict as a sentence for a paper."""
        return printing.undecided_latex(self)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return printing.undecided_data(self)

    def _repr_html_(self) -> str:
        return printing.as_html(self)


Verdict: TypeAlias = Calibrated | NotCalibrated | Undecided
