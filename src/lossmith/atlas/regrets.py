"""What a regret of the surrogate costs, for the statements that a surrogate and a pred are calibrated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lossmith.answers.regretting import regret
from lossmith.atlas.deciding import Finding
from lossmith.atlas.statements import Statement
from lossmith.calibration.remembering import named
from lossmith.errors import BadInput, NotFound, TooLarge
from lossmith.sweeping.questions import Answer, Question
from lossmith.sweeping.running import Progress, sweep
from lossmith.sweeping.store import Store

MOST_LABELS = 3
_MEANING = 7  # raise it when another theorem gives constants


@dataclass(frozen=True)
class Transfer:
    """A bound on the regret of the loss by that of the surrogate: its constant, whether it is the best, its proof."""

    text: str
    constant: str
    exact: bool
    proof: str | None


def transfers(
    findings: Sequence[Finding], store: Store, *, n_jobs: int | None = 1, progress: Progress | None = None
) -> dict[str, Transfer]:
    """The bounds that are known, by the names of the statements."""
    asked = [
        each.statement
        for each in findings
        if each.status == "calibrated"
        and each.statement.pred is not None
        and each.statement.member.loss.n <= MOST_LABELS
    ]
    kept = sweep(_answered, asked, n_jobs=n_jobs, store=store, named=_named, progress=progress)
    return {
        statement.name: Transfer(**each.value, proof=each.certificates.get("proof"))
        for statement, each in zip(asked, kept, strict=True)
        if each.value is not None
    }


def regret_name(name: str) -> str:
    """The permanent name of what a regret costs, for the statement of this name."""
    return f"{name}/regret"


def regret_file(name: str) -> str:
    """Where the atlas keeps its proof."""
    return f"certificates/{regret_name(name)}.json"


def _named(statement: Statement) -> Question:
    asked = named(statement.surrogate, statement.member.loss, statement.budget, statement.pred)
    return Question("regret", asked.inputs, asked.parameters, _MEANING)


def _answered(statement: Statement) -> Answer:
    """The bound, or nothing where none is known or it is too much work."""
    try:
        found = regret(statement.surrogate, statement.member.loss, statement.pred, max_vertices=statement.budget)
        if found.upper is None:
            return Answer(None)
        proof = None if found.certificate is None else found.certificate.text
    except (BadInput, NotFound, TooLarge):
        return Answer(None)
    value = {"text": str(found.upper), "constant": found.upper.exactly, "exact": found.exact}
    return Answer(value, {} if proof is None else {"proof": proof})
