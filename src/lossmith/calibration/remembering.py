"""Verdicts as a store keeps them: the question by what it is about, the answer by what it says."""

from __future__ import annotations

from contextvars import Context
from dataclasses import dataclass
from typing import Any

from lossmith.calibration.proofs import loss_section, polyhedral, pred_section, within_section
from lossmith.calibration.verdicts import Surrogate, Verdict
from lossmith.calibration.within import Distributions
from lossmith.certificates.certificate import Certificate, vector
from lossmith.errors import BadInput, TooLarge
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import Named
from lossmith.sweeping.questions import Answer, Question

MEANING = 8  # raise it when a rule is added or a text changes, so that stores do not tell what was true before


@dataclass(frozen=True)
class Told:
    """A verdict out of a store: what it says, and its proof, without the cells and points that it rests on."""

    surrogate: Surrogate
    loss: LossMatrix
    status: str
    text: str
    data: dict[str, Any]
    certificate: Certificate | None

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return self.data


def named(
    surrogate: Surrogate,
    loss: LossMatrix,
    max_vertices: int,
    pred: str | Named | Pred | None = None,
    within: tuple[Distributions, ...] | None = None,
) -> Question:
    """Whether the surrogate is calibrated for the loss, with this pred or some, as a question for a store.

    >>> import lossmith as lm
    >>> question = named(lm.surrogates.softmax(3), lm.losses.zero_one(3), 1000)
    >>> question.inputs["surrogate"]["name"], question.parameters
    ('softmax(n=3)', {'max_vertices': 1000})
    """
    inputs: dict[str, Any] = {"surrogate": _section(surrogate), "loss": loss_section(loss)}
    if pred is not None:
        inputs["pred"] = pred_section(pred) if isinstance(pred, Pred) else pred if isinstance(pred, str) else pred.text
    if within is not None:
        inputs["within"] = within_section(within)
    return Question("check", inputs, {"max_vertices": max_vertices}, MEANING)


def answer(verdict: Verdict | Told) -> Answer:
    """What a verdict says, whether numbers are shown as fractions here or not, and the text of its certificate."""
    proof = certificate_text(verdict)
    value = {"status": verdict.status, "text": Context().run(str, verdict), "data": verdict.to_dict()}
    return Answer(value, {} if proof is None else {"proof": proof})


def told(surrogate: Surrogate, loss: LossMatrix, kept: Answer) -> Told:
    """The verdict that a store holds."""
    proof = kept.certificates.get("proof")
    return Told(surrogate, loss, **kept.value, certificate=None if proof is None else Certificate(proof))


def certificate_text(claim: Any) -> str | None:
    """The certificate of a verdict or a bound; None if there is none, or it would be too large to be made."""
    try:
        return None if claim.certificate is None else str(claim.certificate.text)
    except TooLarge:
        return None


def _section(surrogate: Surrogate) -> dict[str, Any]:
    """A surrogate: its pieces, or the member of a family of ours with the means that it estimates.

    Functions do not tell what they compute, so that another smooth surrogate cannot be told from one of its name.
    """
    if isinstance(surrogate, PolyhedralSurrogate):
        return polyhedral(surrogate)
    family = next((each for each in CATALOGUE if each is surrogate.made_by), None)
    if family is None:
        raise BadInput(f"{surrogate.name} is a function, which a store cannot know again; leave the store out for it")
    traits = surrogate.traits
    means = None if traits.mean is None else [vector(row) for row in traits.mean]
    scales = None if traits.scales is None else vector(traits.scales)
    head = {"family": family.name, "name": surrogate.name, "n": surrogate.n, "dim": surrogate.dim}
    return {**head, "mean": means, "scales": scales}
