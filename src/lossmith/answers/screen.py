"""What a practitioner sees first of a study: the matrix, the rule, the worst case of argmax, what to write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lossmith.analysis.facts import Facts
from lossmith.answers.acting import Acting, is_quick
from lossmith.answers.rule import distribution_text, in_columns, likewise
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.showing import aligned, fitted
from lossmith.text.numbers import at_most, counted, difference, folded, lines_of, percent

if TYPE_CHECKING:
    from lossmith.answers.study import LossStudy

_ROWS, _RULE, _DROPPED = 8, 10, 4  # what fits on a screen
WINNING = (
    "Decide for the least expected cost, Σ P(label) × cost. Each decision's share of all distributions (sampled), and "
    "where it wins clearly:"
)
LOOKING = "# check its probabilities first: print(lm.learn.reliability(model, X_test, y_test))"
DECIDING = "decisions = loss.decide(model, X_new)"
TRAINING = "decisions = lm.learn.SurrogateClassifier(loss).fit(X, y).predict(X_new)"


def screen(study: LossStudy, made: str, full: bool) -> str:
    """The screen; `made` is the line that makes the loss, if it is known. `full` leaves nothing out."""
    parts = [_head(study, full), _rule(study, full), _dropped(study, full), _practice(study), _code(study, made)]
    return "\n\n".join(filter(None, [*parts, _dimension(study)]))


def _head(study: LossStudy, full: bool) -> str:
    loss = study.loss
    title = f"{loss.name}: {counted(loss.n, 'label')} × {counted(loss.k, 'decision')}"
    if full:
        return "\n".join([title, "", *aligned(loss.shown_rows(max(loss.n, loss.k)))])
    return "\n".join([title, "", *fitted(loss.shown_rows, range(_ROWS, 2, -1))])


def _rule(study: LossStudy, full: bool) -> str:
    if study.rule is not None:
        return "\n".join(study.rule.lines(None if full else _RULE))
    if study.dimension.interrupted:
        return ""
    return "\n".join(winners(study.facts, study.shares, len(study.facts.kinds) if full else _RULE // 2))


def winners(facts: Facts, shares: Sequence[float], most: int) -> list[str]:
    """For each of some decisions where it wins by most, in lines."""
    told = (lines_of(each, "  ", "    ") for each in winning(facts, shares, most))
    return [*lines_of(WINNING, "", ""), *(line for lines in told for line in lines)]


def winning(facts: Facts, shares: Sequence[float], most: int) -> list[str]:
    """A sentence for each of some decisions; those first that are the best ones most often."""
    names, found = facts.loss.predictions, {each.prediction: each for each in facts.winning}
    kinds = sorted(facts.kinds, key=lambda kind: -shares[kind[0]])
    told = in_columns([names[t] for t, *_ in kinds[:most]])
    sentences = []
    for name, (t, *alike) in zip(told, kinds, strict=False):
        at = distribution_text(found[t].p, facts.loss.labels)
        sentences.append(f"{name}  {percent(shares[t])}: {at}{likewise([names[s] for s in alike])}")
    more = len(kinds) - most
    return [*sentences, f"… and {counted(more, 'more decision')}"] if more > 0 else sentences


def _dropped(study: LossStudy, full: bool) -> str:
    if not study.redundant:
        return ""
    most = len(study.redundant) if full else _DROPPED
    lines = ["Never needed:"]
    for each in study.redundant[:most]:
        lines += lines_of(each.explain(study.loss), "  ", "    ")
    more = len(study.redundant) - most
    return "\n".join([*lines, f"  … and {more} more"] if more > 0 else lines)


def _practice(study: LossStudy) -> str:
    if study.dimension.upper.value == 0 or not is_quick(study.loss):
        return ""
    if study.acting is None:
        return "Acting on the most probable label (argmax) is right for these costs."
    return "\n".join(practice_lines(study.loss, study.acting))


def practice_lines(loss: LossMatrix, found: Acting) -> list[str]:
    """The worst case of acting on the most probable label, and what it costs there."""
    risks, names = loss.risk(found.p), loss.predictions
    cheapest = min(range(loss.k), key=lambda t: (risks[t], t != found.best))
    taken, best, excess = difference(1000 * risks[found.decision], 1000 * min(risks))
    text = (
        f"at {distribution_text(found.p, loss.labels)}: {names[found.decision]} costs {taken}, {names[cheapest]} "
        f"costs {best}, excess {excess} (at most {at_most(1000 * found.at_most)} anywhere)."
    )
    return ["Worst case of acting on the most probable label (argmax), per 1000 cases:", *lines_of(text, "  ", "")]


def _code(study: LossStudy, made: str) -> str:
    if study.dimension.upper.value == 0:
        return ""
    return "\n".join(
        [
            "With the model you have, if it has predict_proba (lossmith which LOSS tells of others):",
            *([f"  {made}"] if made else []),
            f"  {LOOKING}",
            f"  {DECIDING}",
            "To train one for these costs, y by the names of the labels:",
            f"  {TRAINING}",
        ]
    )


def _dimension(study: LossStudy) -> str:
    told = [f"  {note}" for note in study.dimension.notes] if study.dimension.interrupted else []
    more = "More: --theory or study.theory (proofs, corners, surrogates), --exact (fractions), --full."
    return folded([study.claim, *told, more])
