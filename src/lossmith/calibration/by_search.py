"""Where no rule applies: a numerical search, which may find an exact counterexample and else is only evidence."""

from __future__ import annotations

from dataclasses import replace

from lossmith.calibration.by_probes import SEGMENTS, probed
from lossmith.calibration.by_tangents import by_tangents
from lossmith.calibration.question import Question
from lossmith.calibration.verdicts import Evidence, NotCalibrated, Undecided
from lossmith.errors import BadInput
from lossmith.surrogates.preds import decide
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.violations import suspects, worst


def by_search(question: Question) -> NotCalibrated | Undecided:
    """Search for a u that is optimal for distributions which no single decision, or not that of the pred, serves."""
    surrogate, loss = question.surrogate, question.loss
    if not isinstance(surrogate, SmoothSurrogate):
        evidence = Evidence(SEGMENTS, 0.0, (), ())
        nothing = Undecided(surrogate, loss, (), evidence, question.regions, question.within)
        return probed(question, surrogate) or nothing
    traits = surrogate.traits
    if question.rule is decide and not (traits.proper or traits.mean or traits.margin):
        raise BadInput(
            f"{surrogate.name} is not known to tell probabilities, so decide means nothing for it; name another pred, "
            f"or none"
        )
    pred = None if question.rule is decide else question.regions
    within = [(part.rows, part.polytope.vertices) for part in question.within or ()]
    seen = list(suspects(surrogate, loss, pred, within))
    suspicious = sorted(seen, key=lambda each: -each.gap)
    exact = by_tangents(replace(question, pred=pred), (each.u for each in suspicious[:20]))
    if exact is not None:
        return exact
    most = worst(seen)
    shown = most.distributions if most.gap > 0 else ()
    evidence = Evidence(len(seen), most.gap, most.u, shown)
    return Undecided(surrogate, loss, (), evidence, pred, question.within)
