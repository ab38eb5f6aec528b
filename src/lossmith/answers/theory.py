"""What a study proves, for researchers: dimensions with their theorems, cells with their corners, surrogates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lossmith.analysis.trigger_probabilities import TriggerSet
from lossmith.answers.rule import conditions_of, distribution_text, likewise, several
from lossmith.losses.matrix import LossMatrix
from lossmith.text.numbers import counted, lines_of, percent, significant, written

if TYPE_CHECKING:
    from lossmith.answers.study import LossStudy

_MOST_CELLS, _MOST_CORNERS = 20, 12
_MANY_CORNERS = 100  # of one cell: nobody reads them
_MANY_CELLS = 6  # from here on those of one kind are told once
REGRESSION = (
    'best = lm.design(loss, method="square"); A, w = best.surrogate.targets',
    "rows = [loss.labels.index(label) for label in y]",
    "decisions = best.decide(Ridge().fit(X, A[rows], sample_weight=w[rows]).predict(X_new).reshape(len(X_new), -1))",
)


def theory(study: LossStudy) -> str:
    """Dimensions, cells and verdicts."""
    parts = (_dropped(study), _dimensions(study), _cells(study), _surrogates(study))
    return "\n\n".join(filter(None, parts))


def _dropped(study: LossStudy) -> str:
    if not study.redundant:
        return "Every decision is the best one for some distribution of the labels."
    lines = [f"Never needed; the analysis goes on without {'it' if len(study.redundant) == 1 else 'them'}:"]
    for each in study.redundant[:_MOST_CELLS]:
        lines += lines_of(each.explain(study.loss), "  ", "    ")
    more = len(study.redundant) - _MOST_CELLS
    return "\n".join([*lines, f"  … and {more} more"] if more > 0 else lines)


def _dimensions(study: LossStudy) -> str:
    low, high = study.dimension.lower, study.dimension.upper
    head = f"affdim {study.affdim}, rank {study.rank}. {study.claim}"
    if high.value == 0:
        return head
    why = [f"at least {low.value} by {low.theorem}: {low.why}", f"at most {high.value} by {high.theorem}: {high.why}"]
    return "\n".join(
        [
            head,
            *(line for text in (*why, *study.dimension.notes) for line in lines_of(text, "  ", "    ")),
            "  In the fewest functions that can be certified: lm.design(loss). What trains better on most data:",
            "  probabilities, then the decision of least expected cost, loss.decide(model, X_new).",
            "  Squares, trained by regression, with y as names of labels:",
            *(f"    {line}" for line in REGRESSION),
        ]
    )


def _surrogates(study: LossStudy) -> str:
    words = {"calibrated": "Calibrated for it, with a suitable pred", "not calibrated": "Not calibrated for it"}
    lines = []
    for status, start in words.items():
        names = [verdict.surrogate.name for verdict in study.verdicts if verdict.status == status]
        if names:
            lines += lines_of(f"{start}: {', '.join(names)}.")
    return "\n".join(lines)


def _winning(study: LossStudy) -> str:
    """What is told of the cells where they have too many corners."""
    names, kinds, left = study.loss.predictions, study.facts.kinds, 0
    if study.trigger_sets is None:
        left, near = study.facts.neighbours.open, {t: study.facts.neighbours.of(t) for t, *_ in kinds}
    else:
        near = {cell.prediction: cell.neighbours for cell in study.trigger_sets}
    found = {each.prediction: each for each in study.facts.winning}
    lines = [f"Where each of the {len(found)} decisions wins by about as much as can be, and its share (sampled):"]
    alone = {t for t, *_ in kinds if len(near[t]) < len(found) - 1}
    for t, *alike in kinds[:_MOST_CELLS]:
        each = found[t]
        at = f"by {significant(each.margin, 3)} at {distribution_text(each.p, study.loss.labels, None)}"
        lines += lines_of(f"{names[t]}{likewise([names[s] for s in alike])}", "  ", "    ")
        lines += lines_of(f"{at}; share {percent(study.shares[t])}", "    ")
        if t in alone:
            lines += lines_of(f"next to {several([names[s] for s in near[t]]) or 'none that was compared'}", "    ")
    more = len(kinds) - _MOST_CELLS
    lines += [f"  … and {counted(more, 'more decision')}"] if more > 0 else []
    if left:
        one = "of decisions was" if left == 1 else "of decisions were"
        lines.append(f"  {counted(left, 'pair')} {one} not compared; some may be next to each other, too")
    if len(alone) < len(kinds) and len(found) > 1:
        lines.append(f"  Each{', unless told otherwise,' * bool(alone)} is next to all others.")
    return "\n".join([*lines, _corners_told(study)])


def _corners_told(study: LossStudy) -> str:
    if study.trigger_sets is None:
        told = any(study.too_large in note for note in study.dimension.notes)
        why = "" if not study.too_large else ", for the reason above" if told else f": {study.too_large}"
        return "\n".join(lines_of(f"The corners of the cells were not enumerated{why}"))
    return f"The cells have {counted(study.corners, 'corner')}; study.trigger_sets and --json list them"


def _cells(study: LossStudy) -> str:
    if study.trigger_sets is None:
        return "" if study.dimension.interrupted else _winning(study)
    reduced = study.trigger_sets[0].coordinates
    where = "" if reduced is None else f", in {len(reduced[0])} reduced coordinates"
    groups = _kinds(study, study.trigger_sets)
    if reduced is None and len(groups) > 1 and max(len(each[0].polytope.rays) for each in groups) > _MANY_CORNERS:
        return _winning(study)
    kinds = "" if len(groups) == len(study.trigger_sets) else f" of {len(groups)} kind{'s' * (len(groups) > 1)}"
    cells = f"{counted(len(study.trigger_sets), 'cell')}{kinds}"
    head = f"Where each decision is optimal ({cells}, {counted(study.corners, 'vertex')}{where}):"
    shown = [_cell(study.loss, *group) for group in groups[:_MOST_CELLS]]
    more = len(groups) - _MOST_CELLS
    what = "kinds of cells" if kinds else "cells"
    return "\n".join([head, *shown, *([f"  … and {more} more {what}"] if more > 0 else [])])


def _kinds(study: LossStudy, cells: Sequence[TriggerSet]) -> list[list[TriggerSet]]:
    """The cells, where the list is long those together that are alike up to exchanging labels."""
    if len(cells) < _MANY_CELLS:
        return [[cell] for cell in cells]
    of = {cell.prediction: cell for cell in cells}
    return [[of[t] for t in kind] for kind in study.facts.kinds]


def _cell(loss: LossMatrix, cell: TriggerSet, *alike: TriggerSet) -> str:
    title = f"{loss.predictions[cell.prediction]}{likewise([loss.predictions[each.prediction] for each in alike])}"
    lines = lines_of(title, "  ", "    ")
    if cell.coordinates is None:
        lines += lines_of(f"when    {conditions_of(cell, loss.labels)}", "    ", " " * 8)
        shown = [corner(p, loss.labels) for p in cell.polytope.vertices[::-1][:_MOST_CORNERS]]
        more = len(cell.polytope.rays) - _MOST_CORNERS
        corners = "; ".join(shown) + (f"; … {more} more" if more > 0 else "")
        lines += lines_of(f"corners {corners}", "    ", " " * 8)
    else:
        lines.append(
            f"    {counted(len(cell.polytope.rays), 'vertex')}, {counted(len(cell.polytope.inequalities), 'facet')}"
        )
    if cell.neighbours:
        lines += lines_of(f"next to {several([loss.predictions[s] for s in cell.neighbours])}", "    ", " " * 8)
    return "\n".join(lines)


def corner(p: Sequence[Fraction], labels: Sequence[object]) -> str:
    """A corner by the labels that can be met there."""
    return ", ".join(f"{label}={written(x)}" for label, x in zip(labels, p, strict=True) if x)
