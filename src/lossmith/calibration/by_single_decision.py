"""The rule for losses of which one decision is the cheapest whatever the label: it is right always, and so is any ψ.

A pred that says nothing but such decisions is calibrated with every surrogate: there is nothing to be told. The
certificate names the theorem on signs (or on the order) of scores, with the same a_y = 0 for all labels: as x = 0
always, it says nothing, and is true of every surrogate.
"""

from __future__ import annotations

from fractions import Fraction

from lossmith.calibration.estimates import EstimateProof, compares_two
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.closures import tight
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import decide
from lossmith.surrogates.smooth import SmoothSurrogate


def by_single_decision(question: Question) -> Calibrated | Declined:
    """Decide, or say why this rule does not apply."""
    surrogate, loss = question.surrogate, question.loss
    if not isinstance(surrogate, SmoothSurrogate) or question.rule is decide:
        return Declined()
    best = {t for t in range(loss.k) if all(row[t] == min(row) for row in loss.entries)}
    if not best:
        return Declined()
    domain, first = Polyhedron(surrogate.dim), loss.predictions[min(best)]
    asked = None if question.regions is None else tight(question.regions, domain)
    pred = asked or Pred(f"always {first}", surrogate.dim, tuple((domain,) * (t == min(best)) for t in range(loss.k)))
    if any(region and t not in best for t, region in enumerate(pred.regions)):
        return Declined(f"{pred.name} does not always say {first}, which is right always")
    rows = [row for region in pred.regions for piece in region for row in piece.rows]
    signs = all(not row[0] and sum(map(bool, row[1:])) == 1 for row in rows)
    if not signs and not all(map(compares_two, rows)):
        return Declined(f"no certificate knows the comparisons that {pred.name} makes")
    why = f"No decision is ever better than {first}, so that it does not matter what the surrogate tells."
    nothing = ((Fraction(0),) * surrogate.dim,) * loss.n
    proof = EstimateProof("signs" if signs else "order", nothing, why, domain, regions=pred)
    return Calibrated(surrogate, loss, (), proof, asked, question.within, pred)
