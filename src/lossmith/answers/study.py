"""The questions that combine the others."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lossmith.analysis.facts import Facts
from lossmith.analysis.redundancy import Redundant
from lossmith.analysis.trigger_probabilities import TriggerSet
from lossmith.analysis.winning import Winning
from lossmith.answers.bounding import bounds_of
from lossmith.answers.cataloguing import verdicts_on
from lossmith.calibration.verdicts import Verdict
from lossmith.dimension.bounds import DimensionBounds
from lossmith.errors import TooLarge
from lossmith.exact.vectors import Row
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.losses.sampling import shares
from lossmith.surrogates.members import fitting_surrogates

_MOST_VERTICES, _MOST_NUMBERS = 10_000, 1_000_000  # a vertex has a number for each label
_MOST_CELLS, _MOST_CORNERS = 20, 12
_MANY_CORNERS = 100  # of one cell: nobody reads them
_MANY_CELLS = 6  # from here on those of one kind are told once
TRAINING = (
    'best = lm.design(loss, method="square"); A, w = best.surrogate.targets',
    "rows = [loss.labels.index(label) for label in y]",
    "decisions = best.decide(Ridge().fit(X, A[rows], sample_weight=w[rows]).predict(X_new))",
)
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
        return "\n\n".join(
            filter(
                None,
                (
                    self._head(),
                    self._dropped(),
                    self._dimensions(),
                    self._thresholds(),
                    self._cells(),
                    self._surrogates(),
                ),
            )
        )

    def __repr__(self) -> str:
        cells = "cells not enumerated" if self.trigger_sets is None else f"{len(self.trigger_sets)} cells"
        return f"LossStudy({self.loss.name!r}: affdim {self.affdim}, {cells})"

    def _repr_html_(self) -> str:
        shown = (self._dropped(), self._dimensions(), self._thresholds(), self._cells(), self._surrogates())
        parts = filter(None, shown)
        rest = "\n\n".join(parts)
        return f"{self.loss._repr_html_()}<pre>{html.escape(rest)}</pre>"

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

    def _head(self) -> str:
        return f"{self.loss.name}: {self.loss.n} labels × {self.loss.k} decisions\n\n{self.loss}"

    def _dropped(self) -> str:
        if not self.redundant:
            return "Every decision is the best one for some distribution of the labels."
        reasons = "\n".join(f"  {each.explain(self.loss)}" for each in self.redundant[:_MOST_CELLS])
        more = f"\n  … and {len(self.redundant) - _MOST_CELLS} more" if len(self.redundant) > _MOST_CELLS else ""
        which = "it" if len(self.redundant) == 1 else "them"
        return f"Never needed; the analysis goes on without {which}:\n{reasons}{more}"

    @property
    def claim(self) -> str:
        """How many real-valued functions must be learned, as far as it is known, in a sentence."""
        low, high = self.dimension.lower.value, self.dimension.upper.value
        if high == 0:
            return "CCdim = 0: one decision is always best, nothing to learn."
        if self.dimension.exact is not None:
            return f"CCdim = {high}: {_functions(high)} must be learned, and {_verb(high)} enough."
        return f"{low} ≤ CCdim ≤ {high}: {_functions(high)} {_verb(high)} enough."

    @property
    def thresholds(self) -> list[str]:
        """For two labels, when each decision is best, in words."""
        if self.loss.n != 2 or self.trigger_sets is None:
            return []
        rules = sorted(
            (max(p[1] for p in cell.polytope.vertices), _threshold(self.loss, cell)) for cell in self.trigger_sets
        )
        return [rule for _, rule in rules]

    def _dimensions(self) -> str:
        low, high = self.dimension.lower, self.dimension.upper
        head = f"affdim {self.affdim}, rank {self.rank}. {self.claim}"
        if high.value == 0:
            return head
        return "\n".join(
            [
                head,
                f"  at least {low.value} by {low.theorem}: {low.why}",
                f"  at most {high.value} by {high.theorem}: {high.why}",
                *(f"  {note}" for note in self.dimension.notes),
                "  The surrogate: lm.design(loss). To train by regression, with y as names of labels:",
                *(f"    {line}" for line in TRAINING),
            ]
        )

    def _thresholds(self) -> str:
        return "\n".join(["In words:", *(f"  {rule}" for rule in self.thresholds)]) if self.thresholds else ""

    def _surrogates(self) -> str:
        words = {"calibrated": "Calibrated for it, with a suitable pred", "not calibrated": "Not calibrated for it"}
        lines = []
        for status, start in words.items():
            names = [verdict.surrogate.name for verdict in self.verdicts if verdict.status == status]
            if names:
                lines.append(f"{start}: {', '.join(names)}.")
        return "\n".join(lines)

    def _winning(self) -> str:
        """What is told of the cells where they have too many corners."""
        names, kinds, left = self.loss.predictions, self.facts.kinds, 0
        if self.trigger_sets is None:
            left, near = self.facts.neighbours.open, {t: self.facts.neighbours.of(t) for t, *_ in kinds}
        else:
            near = {cell.prediction: cell.neighbours for cell in self.trigger_sets}
        found = {each.prediction: each for each in self.facts.winning}
        lines = [
            f"Where each of the {len(found)} decisions wins by most, and its share of all distributions (sampled):"
        ]
        for t, *alike in kinds[:_MOST_CELLS]:
            each, beside = found[t], [names[s] for s in near[t]]
            lines += [
                f"  {names[t]}{_likewise([names[s] for s in alike])}",
                f"    by {_short(each.margin)} at {corner(each.p, self.loss.labels)}; share {_percent(self.shares[t])}",
            ]
            if beside:
                lines.append("    next to " + (_several(beside) if len(beside) < len(found) - 1 else "all others"))
        more = len(kinds) - _MOST_CELLS
        lines += [f"  … and {more} more decisions"] if more > 0 else []
        if left:
            lines.append(f"  {left:,} pairs of decisions were not compared; some may be next to each other, too")
        if self.trigger_sets is None:
            last = f"The corners of the cells were not enumerated{f': {self.too_large}' if self.too_large else ''}"
        else:
            last = f"The cells have {len(self._corners):,} corners; study.trigger_sets and --json list them"
        return "\n".join([*lines, last])

    @property
    def _corners(self) -> set[Row]:
        return {ray for cell in self.trigger_sets or () for ray in cell.polytope.rays}

    def _cells(self) -> str:
        if self.trigger_sets is None:
            return "" if self.dimension.interrupted else self._winning()
        if self.loss.n == 2:
            return ""
        reduced = self.trigger_sets[0].coordinates
        where = "" if reduced is None else f", in {len(reduced[0])} reduced coordinates"
        groups = self._kinds(self.trigger_sets)
        if reduced is None and len(groups) > 1 and max(len(each[0].polytope.rays) for each in groups) > _MANY_CORNERS:
            return self._winning()
        kinds = "" if len(groups) == len(self.trigger_sets) else f" of {len(groups)} kind{'s' * (len(groups) > 1)}"
        cells = f"{len(self.trigger_sets)} cells{kinds}"
        head = f"Where each decision is optimal ({cells}, {len(self._corners)} vertices{where}):"
        shown = [_cell(self.loss, *group) for group in groups[:_MOST_CELLS]]
        more = len(groups) - _MOST_CELLS
        what = "kinds of cells" if kinds else "cells"
        return "\n".join([head, *shown, *([f"  … and {more} more {what}"] if more > 0 else [])])

    def _kinds(self, cells: Sequence[TriggerSet]) -> list[list[TriggerSet]]:
        """The cells, where the list is long those together that are alike up to exchanging labels."""
        if len(cells) < _MANY_CELLS:
            return [[cell] for cell in cells]
        of = {cell.prediction: cell for cell in cells}
        return [[of[t] for t in kind] for kind in self.facts.kinds]


def _several(names: Sequence[object], most: int = _MOST_CORNERS) -> str:
    more = len(names) - most
    return ", ".join(map(format, names[:most])) + (f", … {more} more" if more > 0 else "")


def _likewise(others: Sequence[object]) -> str:
    """The other decisions of one kind, if there are any."""
    if not others:
        return ""
    return f" ({1 + len(others)} decisions of one kind: likewise, with labels exchanged, {_several(others)})"


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
    >>> analyze(abstain(3)).affdim, analyze([[0, 1], [5, 0]]).thresholds[0]
    (3, '0 when P(1) ≤ 0.17 (exactly 1/6)')
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


def _functions(count: int) -> str:
    return "one real-valued function" if count == 1 else f"{count} real-valued functions"


def _verb(count: int) -> str:
    return "is" if count == 1 else "are"


def _cell(loss: LossMatrix, cell: TriggerSet, *alike: TriggerSet) -> str:
    lines = [f"  {loss.predictions[cell.prediction]}{_likewise([loss.predictions[each.prediction] for each in alike])}"]
    if cell.coordinates is None:
        separating = {row for row, _ in cell.separators}
        conditions = [condition(row, loss.labels) for row in cell.polytope.inequalities if row in separating]
        lines.append("    when    " + (" and ".join(conditions) if conditions else "always"))
        shown = [corner(p, loss.labels) for p in cell.polytope.vertices[::-1][:_MOST_CORNERS]]
        more = len(cell.polytope.rays) - _MOST_CORNERS
        lines.append("    corners " + "; ".join(shown) + (f"; … {more} more" if more > 0 else ""))
    else:
        lines.append(f"    {len(cell.polytope.rays)} vertices, {len(cell.polytope.inequalities)} facets")
    if cell.neighbours:
        names = [f"{loss.predictions[s]}" for s in cell.neighbours]
        more = len(names) - _MOST_CORNERS
        lines.append("    next to " + ", ".join(names[:_MOST_CORNERS]) + (f", … {more} more" if more > 0 else ""))
    return "\n".join(lines)


def condition(row: Row, labels: Sequence[object], sign: str = "≥") -> str:
    """a·p ≥ 0 with the negative terms on the right.

    >>> condition((1, -7, -25), ["mild", "moderate", "severe"])
    'P(mild) ≥ 7P(moderate) + 25P(severe)'
    """

    def side(way: int) -> str:
        terms = [
            f"{'' if abs(a) == 1 else abs(a)}P({label})" for a, label in zip(row, labels, strict=True) if a * way > 0
        ]
        return " + ".join(terms) or "0"

    return f"{side(1)} {sign} {side(-1)}"


def corner(p: Sequence[Fraction], labels: Sequence[object]) -> str:
    """A distribution by the labels that it can meet."""
    return ", ".join(f"{label}={x}" for label, x in zip(labels, p, strict=True) if x)


def _threshold(loss: LossMatrix, cell: TriggerSet) -> str:
    """The cell of a decision between two labels, as an interval for the probability of the second one."""
    low, high = min(p[1] for p in cell.polytope.vertices), max(p[1] for p in cell.polytope.vertices)
    decision, quantity = loss.predictions[cell.prediction], f"P({loss.labels[1]})"
    if low == 0 and high == 1:
        return f"{decision} always"
    if low == 0:
        return f"{decision} when {quantity} ≤ {_rounded(high)}"
    if high == 1:
        return f"{decision} when {quantity} ≥ {_rounded(low)}"
    return f"{decision} when {_rounded(low)} ≤ {quantity} ≤ {_rounded(high)}"


def _short(value: Fraction) -> str:
    return f"{float(value):.3g}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else "below 1 %"


def _rounded(value: Fraction) -> str:
    """The value as a short decimal, with the fraction beside it where the decimal is not exact."""
    short = f"{float(value):.2g}"
    return short if Fraction(short) == value else f"{short} (exactly {value})"
