"""Where no rule applies: a numerical search, which may find an exact counterexample and else is only evidence."""

from __future__ import annotations

from dataclasses import replace

from lossmith.calibration.by_tangents import by_tangents
from lossmith.calibration.known import Question
from lossmith.calibration.verdicts import Evidence, NotCalibrated, Undecided
from lossmith.errors import BadInput
from lossmith.surrogates.preds import as_pred
from lossmith.surrogates.violations import suspects, worst


def by_search(question: Question, declined: tuple[tuple[str, str], ...]) -> NotCalibrated | Undecided:
    """Search for a u that is optimal for distributions which no single decision, or not that of the pred, serves."""
    surrogate, loss = question.surrogate, question.loss
    traits = surrogate.traits
    if question.pred == "decide" and not (traits.proper or traits.mean or traits.margin):
        raise BadInput(
            f"{surrogate.name} is not known to tell probabilities, so decide means nothing for it; name another pred, "
            f"or none"
        )
    pred = None if question.pred in (None, "decide") else as_pred(question.pred, surrogate, loss)
    question = replace(question, pred=pred)
    within = [(region.rows, region.polytope.vertices) for region in question.within or ()]
    found = list(suspects(surrogate, loss, pred, within))
    suspicious = sorted(found, key=lambda each: -each.gap)
    exact = by_tangents(question, (each.u for each in suspicious[:20]))
    if exact is not None:
        return exact
    seen = worst(found)
    shown = seen.distributions if seen.gap > 0 else ()
    evidence = Evidence(len(found), seen.gap, seen.u, shown)
    return Undecided(surrogate, loss, declined, evidence, pred, question.within)
