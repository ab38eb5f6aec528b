"""Verdicts as a store keeps them: the question by what it is about, the answer by what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lossmith.calibration.proofs import loss_section, polyhedral
from lossmith.calibration.verdicts import Surrogate, Verdict
from lossmith.certificates.certificate import vector
from lossmith.errors import BadInput
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.sweeping.questions import Answer, Kept, Question

MEANING = 1  # raise it when a rule is added or a text changes, so that stores do not tell what was true before


@dataclass(frozen=True)
class Told:
    """A verdict out of a store: what it says, without the cells and points that it rests on; its proof is apart."""

    surrogate: Surrogate
    loss: LossMatrix
    status: str
    text: str
    data: dict[str, Any]

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return self.data


def named(surrogate: Surrogate, loss: LossMatrix, max_vertices: int, pred: str | None = None) -> Question:
    """Whether the surrogate is calibrated for the loss, with this pred or some, as a question for a store.

    >>> import lossmith as lm
    >>> question = named(lm.surrogates.softmax(3), lm.losses.zero_one(3), 1000)
    >>> question.inputs["surrogate"]["name"], question.parameters
    ('softmax(n=3)', {'max_vertices': 1000})
    """
    inputs = {"surrogate": _section(surrogate), "loss": loss_section(loss)} | ({} if pred is None else {"pred": pred})
    return Question("check", inputs, {"max_vertices": max_vertices}, MEANING)


def answer(verdict: Verdict, proof: str | None) -> Answer:
    """What a verdict says, and the text of its certificate."""
    value = {"status": verdict.status, "text": str(verdict), "data": verdict.to_dict()}
    return Answer(value, {} if proof is None else {"proof": proof})


def told(surrogate: Surrogate, loss: LossMatrix, kept: Kept) -> Told:
    """The verdict that a store holds."""
    return Told(surrogate, loss, kept.value["status"], kept.value["text"], kept.value["data"])


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
