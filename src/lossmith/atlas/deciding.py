"""The questions of the atlas asked, through a store: verdicts with their certificates, and bounds on dimensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from lossmith.analysis.facts import Facts
from lossmith.answers.bounding import ccdim
from lossmith.answers.cataloguing import decided
from lossmith.atlas.members import LossMember
from lossmith.atlas.statements import Statement
from lossmith.calibration.proofs import loss_section
from lossmith.calibration.remembering import answer, certificate_text, named
from lossmith.errors import BadInput
from lossmith.sweeping.questions import Answer, Kept, Question
from lossmith.sweeping.running import Progress, sweep
from lossmith.sweeping.store import Store

Status: TypeAlias = Literal["calibrated", "not calibrated", "undecided", "left out"]
_UNSUITABLE = "unsuitable"  # a pred that decides between other things than the loss does
_BOUNDED = 1  # raise it when a theorem on dimensions is added


@dataclass(frozen=True)
class Finding:
    """What was found of a statement: its status, what the verdict says, and the hash of its certificate, if any.

    A polyhedral surrogate can always be decided; one that exceeds the budget is left out, not undecided.
    """

    statement: Statement
    status: Status
    text: str
    proof: str | None


@dataclass(frozen=True)
class Side:
    """A bound on CCdim: what it is by, and the hash of its certificate, if any."""

    value: int
    theorem: str
    why: str
    proof: str | None


@dataclass(frozen=True)
class Dimension:
    """The best bounds on the CCdim of a loss."""

    member: LossMember
    lower: Side
    upper: Side


def findings(
    asked: Sequence[Statement], store: Store, *, n_jobs: int | None = 1, progress: Progress | None = None
) -> list[Finding]:
    """Decide every statement; those with a pred that does not suit the loss are none."""
    small = [each for each in asked if not each.too_large]
    kept = sweep(_answered, small, n_jobs=n_jobs, store=store, named=_named, progress=progress)
    left = (Finding(each, "left out", each.too_large, None) for each in asked if each.too_large)
    return [found for pair in zip(small, kept, strict=True) for found in _found(*pair)] + list(left)


def dimensions(
    losses: Sequence[LossMember], store: Store, *, n_jobs: int | None = 1, progress: Progress | None = None
) -> list[Dimension]:
    """Bound the dimension of every loss."""
    kept = sweep(_bounded, losses, n_jobs=n_jobs, store=store, named=_dimension_named, progress=progress)
    return [
        Dimension(member, _side(each, "lower"), _side(each, "upper")) for member, each in zip(losses, kept, strict=True)
    ]


def _named(statement: Statement) -> Question:
    return named(statement.surrogate, statement.member.loss, statement.budget, statement.pred)


def _answered(statement: Statement) -> Answer:
    try:
        verdict = decided(statement.surrogate, Facts(statement.member.loss), statement.budget, statement.pred)
    except BadInput as error:
        return Answer({"status": _UNSUITABLE, "text": str(error)})
    return answer(verdict)


def _found(statement: Statement, kept: Kept) -> Iterator[Finding]:
    status: Any = kept.value["status"]
    if status == _UNSUITABLE:
        return
    if status == "undecided" and statement.polyhedral:
        status = "left out"
    yield Finding(statement, status, kept.value["text"], kept.certificates.get("proof"))


def _side(kept: Kept, side: str) -> Side:
    value, theorem, why = kept.value[side]
    return Side(value, theorem, why, kept.certificates.get(side))


def _dimension_named(member: LossMember) -> Question:
    return Question("ccdim", loss_section(member.loss), {}, _BOUNDED)


def _bounded(member: LossMember) -> Answer:
    bounds = ccdim(member.loss)
    sides = {"lower": bounds.lower, "upper": bounds.upper}
    texts = {side: certificate_text(each) for side, each in sides.items()}
    value = {side: [each.value, each.theorem, each.why] for side, each in sides.items()}
    return Answer(value, {side: text for side, text in texts.items() if text is not None})
