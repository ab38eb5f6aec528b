"""Is this surrogate calibrated for this loss? The question, and the rules that answer it."""

from __future__ import annotations

from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.calibration.by_binary_margin import by_binary_margin
from lossmith.calibration.by_mean import by_mean
from lossmith.calibration.by_positive_normals import by_positive_normals
from lossmith.calibration.by_proper_composite import by_proper_composite
from lossmith.calibration.by_regions import by_regions
from lossmith.calibration.by_search import by_search
from lossmith.calibration.known import Question
from lossmith.calibration.verdicts import Surrogate, Verdict
from lossmith.calibration.within import read_within
from lossmith.errors import BadInput
from lossmith.geometry.double_description import Progress
from lossmith.losses.factored import FactoredLoss, explicit
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.preds import as_pred

RULES = (by_mean, by_proper_composite, by_binary_margin)


def check(
    surrogate: Surrogate,
    loss: LossMatrix | FactoredLoss,
    pred: object = None,
    within: object = None,
    *,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> Verdict:
    """Decide whether the surrogate is calibrated for the loss (`def:calibration`), and prove it.

    Without `pred`: with some pred. With one, a name such as "argmax" or "argmax-gap:tau=1/2", a `Pred`, or one region
    per prediction: with this one. `within` restricts the distributions: a function of p that returns linear
    comparisons, or a list of such functions for their union.

    >>> from lossmith.losses import abstain, zero_one
    >>> from lossmith.surrogates import crammer_singer
    >>> check(crammer_singer(3), zero_one(3)).status
    'not calibrated'
    >>> check(crammer_singer(3), abstain(3), pred="argmax-gap:tau=1/2").status
    'calibrated'
    >>> often = [lambda p, y=y: [p[y] >= "3/5"] for y in range(3)]
    >>> check(crammer_singer(3), zero_one(3), within=often).status
    'calibrated'
    """
    loss = explicit(loss)
    if surrogate.n != loss.n:
        raise BadInput(
            f"{surrogate.name} has {surrogate.n} labels but {loss.name} has {loss.n}; a surrogate needs one component "
            f"per row of the loss"
        )
    regions = None if within is None else read_within(within, loss)
    pred = pred.strip() if isinstance(pred, str) else pred
    if isinstance(surrogate, PolyhedralSurrogate):
        if pred is None:
            return by_positive_normals(surrogate, loss, regions, max_vertices, progress)
        return by_regions(surrogate, loss, as_pred(pred, surrogate, loss), regions, max_vertices, progress)
    question = Question(surrogate, loss, pred, regions)
    declined = []
    for rule in RULES:
        answer = rule(question)
        if not isinstance(answer, str):
            return answer
        declined.append((rule.__name__, answer))
    return by_search(question, tuple(declined))
