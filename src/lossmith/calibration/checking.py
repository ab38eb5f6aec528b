"""Is this surrogate calibrated for this loss? The question, and the rules that answer it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.calibration.by_binary_margin import by_binary_margin
from lossmith.calibration.by_catalogue import by_catalogue
from lossmith.calibration.by_far_out import by_far_out
from lossmith.calibration.by_gradients import by_gradients
from lossmith.calibration.by_irrational_weights import by_irrational_weights
from lossmith.calibration.by_logarithms import by_logarithms
from lossmith.calibration.by_mean import by_mean
from lossmith.calibration.by_order import by_order
from lossmith.calibration.by_positive_normals import by_positive_normals
from lossmith.calibration.by_probes import by_probes
from lossmith.calibration.by_proper_composite import by_proper_composite
from lossmith.calibration.by_regions import by_regions
from lossmith.calibration.by_rejecting import by_rejecting
from lossmith.calibration.by_search import by_search
from lossmith.calibration.by_segments import by_segments
from lossmith.calibration.by_single_decision import by_single_decision
from lossmith.calibration.by_symmetric_regions import by_symmetric_regions
from lossmith.calibration.by_symmetry import by_symmetry
from lossmith.calibration.by_thresholds import by_thresholds
from lossmith.calibration.by_votes import by_votes
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Surrogate, Undecided, Verdict
from lossmith.calibration.within import read_within
from lossmith.errors import BadInput, TooLarge
from lossmith.families import Family
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.named import as_surrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import Named, as_named, as_pred
from lossmith.surrogates.votes import Votes

# In this order, until one answers; the last always does.
PROOFS: tuple[Callable[[Question], Verdict | Declined], ...] = (
    by_symmetry,
    by_symmetric_regions,
    by_positive_normals,
    by_regions,
    by_catalogue,
    by_mean,
    by_rejecting,
    by_irrational_weights,
    by_proper_composite,
    by_binary_margin,
    by_far_out,
    by_order,
    by_thresholds,
    by_single_decision,
    by_gradients,
    by_segments,
    by_logarithms,
    by_search,
)
RULES = (by_votes, by_probes, *PROOFS)  # most surrogates that are asked about are wrong, and soon refuted


def check(
    surrogate: Surrogate | str | Family[..., Any],
    loss: LossLike,
    pred: object = None,
    within: object = None,
    *,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> Verdict:
    """Decide whether the surrogate is calibrated for the loss (`def:calibration`), and prove it.

    `pred` is how scores become decisions: a name such as "argmax" or "argmax-gap:tau=1/2", the rule of that name, a
    `Pred`, or one region per prediction; without it the question is whether some pred would do. `within` restricts the
    distributions: a function of p that returns linear comparisons, or a list of such functions for their union. The
    loss is given as to `analyze`; the surrogate also by name: "softmax" is the one for as many labels, "absolute:n=4" a
    member, "file.py:name" your own.

    >>> from lossmith.losses import abstain, zero_one
    >>> from lossmith.surrogates import crammer_singer
    >>> check("crammer-singer", zero_one(3)).status
    'not calibrated'
    >>> check(crammer_singer(3), abstain(3), pred="argmax-gap:tau=1/2").status
    'calibrated'
    >>> often = [lambda p, y=y: [p[y] >= "3/5"] for y in range(3)]
    >>> check(crammer_singer(3), zero_one(3), within=often).status
    'calibrated'
    """
    matrix = as_loss(loss).matrix()
    psi = as_surrogate(surrogate, matrix)
    return ask(psi, Facts(matrix), pred, within, max_vertices=max_vertices, progress=progress)


def ask(
    surrogate: Surrogate,
    facts: Facts,
    pred: object = None,
    within: object = None,
    *,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> Verdict:
    """The same for a loss of which some facts may be known already."""
    return answer(question_of(surrogate, facts, pred, within, max_vertices=max_vertices, progress=progress))


def question_of(
    surrogate: Surrogate,
    facts: Facts,
    pred: object = None,
    within: object = None,
    *,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> Question:
    """The question, with pred and distributions read; refused if the surrogate has other labels than the loss."""
    loss = facts.loss
    if surrogate.n != loss.n:
        raise BadInput(
            f"{surrogate.name} has {surrogate.n} labels but {loss.name} has {loss.n}; a surrogate needs one component "
            f"per row of the loss"
        )
    parts = None if within is None else read_within(within, loss)
    return Question(surrogate, facts, _read_pred(pred, surrogate, loss), parts, max_vertices, progress)


def certify(surrogate: Surrogate, facts: Facts) -> Verdict:
    """The same for a surrogate that was made for the loss: a proof is due, and no counterexample is looked for first.

    >>> from lossmith.losses import abstain
    >>> from lossmith.surrogates import binary_encoded
    >>> certify(binary_encoded(6), Facts(abstain(6))).status
    'calibrated'
    """
    return answer(Question(surrogate, facts), PROOFS)


def answer(question: Question, rules: Sequence[Callable[[Question], Verdict | Declined]] = RULES) -> Verdict:
    """What the first rule that answers says; an undecided verdict tells why the others did not."""
    declined: list[tuple[str, str]] = []
    for rule in rules:
        try:
            found = rule(question)
        except TooLarge as error:
            if rule is rules[-1]:
                raise
            found = Declined(str(error))
        if isinstance(found, Undecided):
            return replace(found, declined=tuple(declined))
        if not isinstance(found, Declined):
            return found
        if found.reason:
            declined.append((rule.__name__, found.reason))
    raise AssertionError("the last rule always answers")


def _read_pred(given: object, surrogate: Surrogate, loss: LossMatrix) -> Named | Pred | None:
    if isinstance(given, Votes) and given.k != loss.k:
        raise BadInput(f"these are votes of {given.k} predictions, but {loss.name} has {loss.k}")
    return None if given is None else as_named(given) or as_pred(given, surrogate, loss)
