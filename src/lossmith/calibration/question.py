"""What is asked: whether a surrogate is calibrated for a loss; and how a rule says that it does not answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.calibration.verdicts import Surrogate
from lossmith.calibration.within import Distributions
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.closures import tight
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import Named, Rule


@dataclass(frozen=True)
class Question:
    """Whether a surrogate is calibrated for a loss, with this pred (None: with some) on these distributions.

    A pred is asked about by name (or by the rule that has it) or by its regions; `within` None means all distributions.
    """

    surrogate: Surrogate
    facts: Facts
    pred: Named | Pred | None = None
    within: tuple[Distributions, ...] | None = None
    max_vertices: int = MAX_VERTICES
    progress: Progress | None = None

    @property
    def loss(self) -> LossMatrix:
        """The loss."""
        return self.facts.loss

    @property
    def rule(self) -> Rule | None:
        """The rule, if the pred is asked about by name."""
        return self.pred.rule if isinstance(self.pred, Named) else None

    @cached_property
    def regions(self) -> Pred | None:
        """The pred by regions of u; refused where the rule has none for this surrogate and loss."""
        return self.pred.rule(self.surrogate, self.loss) if isinstance(self.pred, Named) else self.pred

    @cached_property
    def closures(self) -> Pred | None:
        """The pred by the closures of where it makes each prediction, after ties are broken."""
        return None if self.regions is None else tight(self.regions, self.surrogate.domain)


@dataclass(frozen=True)
class Declined:
    """Why a rule does not answer; nothing to say if it is about another kind of question."""

    reason: str = ""
