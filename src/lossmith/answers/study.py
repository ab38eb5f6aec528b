"""The questions that combine the others."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from functools import cached_property

from lossmith.analysis.facts import Facts
from lossmith.analysis.redundancy import Redundant
from lossmith.analysis.trigger_probabilities import TriggerSet
from lossmith.analysis.winning import Winning
from lossmith.answers.acting import Acting, acting_on_the_most_probable, is_quick
from lossmith.answers.bounding import bounds_of
from lossmith.answers.cataloguing import verdicts_on
from lossmith.answers.rule import Rule, rule_of, thresholds
from lossmith.answers.screen import screen
from lossmith.answers.theory import theory
from lossmith.calibration.verdicts import Verdict
from lossmith.dimension.bounds import DimensionBounds
from lossmith.errors import TooLarge
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.losses.sampling import shares
from lossmith.surrogates.members import fitting_surrogates
from lossmith.text.numbers import counted

_MOST_VERTICES, _MOST_NUMBERS = 10_000, 1_000_000  # a vertex has a number for each label
_MOST_LABELS, _MOST_DECISIONS = 4, 200  # for which the whole catalogue is checked


@dataclass(frozen=True)
class LossStudy:
    """What is known of a loss matrix: its redundant predictions, and without them its dimensions and its cells."""

    loss: LossMatrix
    affdim: int
    rank: int
    redundant: tuple[Redundant, ...]
    trigger_sets: tuple[TriggerSet, ...] | None
    dimension: DimensionBounds
    verdicts: tuple[Verdict, ...] = ()
    too_large: str = ""

    @cached_property
    def facts(self) -> Facts:
        """What was computed for the study."""
        return self.dimension.facts or Facts(self.loss)

    def __str__(self) -> str:
        return self.screen()

    def screen(self, made: str = "", *, full: bool = False) -> str:
        """What a practitioner wants to know, on a screen: the rule, the worst case of argmax, what to write.

        `made` is the line of Python that makes the loss, to be printed too. `full` leaves nothing out.
        """
        return screen(self, made, full)

    @property
    def theory(self) -> str:
        """What a researcher wants to know, as text: dimensions and theorems, corners, verdicts on surrogates."""
        return theory(self)

    def __repr__(self) -> str:
        cells = "cells not enumerated" if self.trigger_sets is None else counted(len(self.trigger_sets), "cell")
        return f"LossStudy({self.loss.name!r}: affdim {self.affdim}, {cells})"

    def _repr_html_(self) -> str:
        rest = str(self).split("\n\n", 2)[-1]  # the matrix is a table here
        return f"{self.loss._repr_html_()}<pre>{html.escape(rest)}</pre>"

    @cached_property
    def rule(self) -> Rule | None:
        """When each decision is best, in words; None where only examples can be told."""
        return rule_of(self.facts, self.trigger_sets)

    @cached_property
    def acting(self) -> Acting | None:
        """Where acting on the most probable label loses most; None if that is always right, or takes too long."""
        return acting_on_the_most_probable(self.facts) if is_quick(self.loss) else None

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Of how many distributions each decision is the best one: about, by sampling."""
        return shares(self.loss)

    def to_json(self) -> str:
        """The study as JSON text: names for labels and predictions, numbers as "a/b"."""
        loss = self.loss
        content: dict[str, object] = {
            "loss": json.loads(loss.to_json()),
            "affdim": self.affdim,
            "rank": self.rank,
            "ccdim": self.dimension.to_dict(),
            "redundant": [
                {
                    "prediction": loss.predictions[each.prediction],
                    "mixture": [[loss.predictions[s], str(weight)] for s, weight in each.mixture],
                    "reason": each.explain(loss),
                }
                for each in self.redundant
            ],
        }
        content |= self._practical()
        if self.verdicts:
            content["surrogates"] = {verdict.surrogate.name: verdict.status for verdict in self.verdicts}
        if self.trigger_sets is not None:
            content["cells"] = [
                {
                    "prediction": loss.predictions[cell.prediction],
                    "vertices": [[str(x) for x in vertex] for vertex in cell.polytope.vertices],
                    "inequalities": cell.polytope.inequalities,
                    "neighbours": [loss.predictions[s] for s in cell.neighbours],
                    "coordinates": cell.coordinates,
                }
                for cell in self.trigger_sets
            ]
        elif not self.dimension.interrupted:
            content["winning"] = [self._winning_data(each) for each in self.facts.winning]
            content["left_out"] = self.too_large or "cells=False"
        return json.dumps(content, indent=1, ensure_ascii=False)

    def _practical(self) -> dict[str, object]:
        """The rule, and what acting on the most probable label costs, as plain data."""
        loss = self.loss
        content: dict[str, object] = {
            "rule": None if self.rule is None else [self.rule.heading, *self.rule.sentences],
            "acting": None if self.acting is None else self.acting.to_dict(loss),
        }
        if loss.n == 2:
            content["thresholds"] = [
                {
                    "decision": loss.predictions[each.decision],
                    "from": float(each.low),
                    "to": float(each.high),
                    "exact": [str(each.low), str(each.high)],
                }
                for each in thresholds(self.facts)
            ]
        return content

    def _winning_data(self, each: Winning) -> dict[str, object]:
        names, near = self.loss.predictions, self.facts.neighbours
        return {
            "prediction": names[each.prediction],
            "distribution": [[label, str(x)] for label, x in zip(self.loss.labels, each.p, strict=True) if x],
            "margin": str(each.margin),
            "neighbours": [names[s] for s in near.of(each.prediction)],
            "neighbours_open": near.open,
            "share_by_sampling": self.shares[each.prediction],
        }

    @property
    def claim(self) -> str:
        """How many real-valued functions must be learned, as far as it is known, in a sentence."""
        return claim_of(self.dimension)

    @property
    def corners(self) -> int:
        """How many vertices the cells have."""
        return len({ray for cell in self.trigger_sets or () for ray in cell.polytope.rays})


def analyze(
    loss: LossLike,
    *,
    cells: bool = True,
    max_vertices: int | None = None,
    progress: Progress | None = None,
) -> LossStudy:
    """Study a loss matrix: dimensions, redundant predictions, and where each prediction is optimal.

    The loss is a `LossMatrix`, nested lists, an array, a data frame with names, the path of a .csv, .json or .xlsx
    file, or a member of a family such as "abstain:n=4". Every question about a loss takes it so.

    Where the cells have more than `max_vertices` corners (10,000, fewer above 100 labels), or with `cells=False`, it
    tells what needs no corners: for each decision a distribution at which it wins, its neighbours, and its share.
    `progress(done, total)` is called as the work proceeds.

    >>> from lossmith.losses import abstain
    >>> analyze(abstain(3)).affdim, analyze([[0, 1], [5, 0]]).rule.sentences
    (3, ('0 when P(1) ≤ 1/6 ≈ 0.167; else 1',))
    """
    loss = as_loss(loss).matrix()
    facts = Facts(loss, progress)
    found, too_large = None, ""
    max_vertices = max_vertices or min(_MOST_VERTICES, _MOST_NUMBERS // loss.n)
    try:
        found = facts.cells(max_vertices) if cells else None
    except TooLarge as error:
        too_large = str(error)
    dimension = bounds_of(facts, designs=cells, max_vertices=max_vertices if cells else 1)
    few = cells and loss.n <= _MOST_LABELS and not dimension.interrupted
    verdicts = _verdicts(facts) if few else ()
    return LossStudy(loss, len(facts.basis), facts.rank, facts.redundant, found, dimension, verdicts, too_large)


def _verdicts(facts: Facts) -> tuple[Verdict, ...]:
    """On the catalogue; where the decisions are many, for the needed ones alone, which makes no difference."""
    if facts.loss.k > _MOST_DECISIONS:
        facts = Facts(facts.loss.restrict(predictions=[facts.loss.predictions[t] for t in facts.kept]))
    return verdicts_on(facts, fitting_surrogates(facts.loss))


def claim_of(bounds: DimensionBounds) -> str:
    """How many real-valued functions must be learned, as far as the bounds tell, in a sentence."""
    low, high = bounds.lower.value, bounds.upper.value
    if high == 0:
        return "CCdim = 0: one decision is always best, nothing to learn."
    if bounds.exact is not None:
        return f"CCdim = {high}: {_functions(high)} must be learned, and {_verb(high)} enough."
    return f"{low} ≤ CCdim ≤ {high}: {_functions(high)} {_verb(high)} enough."


def _functions(count: int) -> str:
    return "one real-valued function" if count == 1 else f"{count} real-valued functions"


def _verb(count: int) -> str:
    return "is" if count == 1 else "are"
