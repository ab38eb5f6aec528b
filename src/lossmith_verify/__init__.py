"""Check certificates about surrogates and losses, trusting nobody.

This program was written from the specification, ``docs/certificate-format.md``. It needs only
Python's standard library, and shares no code with lossmith. Read it in this order: `reading`,
`arithmetic`, `cone`; `surrogates` and `inputs`; `weights`, `complement`, `cover` and `blocks`; then
a module for each claim, which opens with its paragraph of the specification and the proof:
`calibrated`, `given_pred`, `symmetry` with `symmetric_pred`, `regret`, `calibration_function`,
`catalogue`, `not_calibrated` with `segments`, `votes`, `estimates` with `orders`, `dimension`,
`lines`, `rankings` with `factors`, `sets`, `trees`, `guesses`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lossmith_verify import dimension, guesses, rankings, sets, trees
from lossmith_verify.arithmetic import start
from lossmith_verify.calibrated import calibrated
from lossmith_verify.calibration_function import calibration_function
from lossmith_verify.catalogue import named_theorem
from lossmith_verify.estimates import calibrated_by_estimates
from lossmith_verify.inputs import Case, read_case, read_loss
from lossmith_verify.lines import by_lines
from lossmith_verify.not_calibrated import not_calibrated
from lossmith_verify.reading import MAX_BYTES, Rejected, index, parse, record, require
from lossmith_verify.regret import with_hull
from lossmith_verify.symmetry import calibrated_by_symmetry
from lossmith_verify.votes import calibrated_by_votes

__all__ = ["MAX_BYTES", "Verification", "check"]
FORMAT = "lossmith-certificate"


class Verification(NamedTuple):
    """The verdict: what is taken on trust about ψ, by which theorems, and why, in one line."""

    accepted: bool
    given: tuple[str, ...]
    theorems: tuple[str, ...]
    why: str

    @property
    def conditional(self) -> bool:
        """Whether it is accepted, and something about the ψ of the file is taken on trust."""
        return bool(self.given)  # nothing is given of what is rejected

    def __str__(self) -> str:
        if self.conditional:
            return f"conditional: given that {'; and that '.join(self.given)}: {self.why}"
        verdict = "accepted" if self.accepted else "rejected"
        return f"{verdict}: {'; by the theorem that '.join((self.why, *self.theorems))}"


def check(text: str | bytes) -> Verification:
    """Check the text of a certificate. Whatever is wrong with it, the answer is a rejection.

    Only if there is less memory than the limits of the format allow for, `MemoryError` passes.
    """
    try:
        start()
        return prove(parse(text))
    except Rejected as flaw:
        return Verification(False, (), (), str(flaw))
    except RecursionError:  # called from a deep stack: the depth of the file is bounded
        return Verification(False, (), (), "file: nested too deeply")


def prove(certificate: Any) -> Verification:
    """Return the verdict on a certificate that is accepted."""
    top = certificate if isinstance(certificate, dict) else {}
    form, expected = top.get("format", FORMAT), "expected 'lossmith-certificate', not {}"
    require(form == FORMAT, "format", expected, form)
    version = top.get("version", 2)
    known = type(version) is int and version in (1, 2)
    require(known, "version", "expected 1 or 2, not {}", version)
    keys = "value" if "value" in top else "surrogate"
    more = "" if "value" in top else "pred within hull delta"
    record(certificate, "", f"format version claim loss evidence {keys}", more)
    if "value" in top:
        return Verification(True, (), (), prove_dimension(top))
    return prove_surrogate(top)


def prove_surrogate(top: dict[str, Any]) -> Verification:
    """Return the verdict on a claim about a surrogate that is accepted."""
    claim, claims = top["claim"], ["regret"] if "hull" in top else ["calibrated", "not calibrated"]
    if "delta" in top:
        claims = ["calibration function"] * ("hull" not in top)
    require(claim in claims, "claim", "{} is not known", claim)
    case, evidence = read_case(top), top["evidence"]
    if "hull" in top:
        case, evidence = with_hull(case, top["hull"], evidence)
    theorems: tuple[str, ...] = ()
    if "delta" in top:
        shown = calibration_function(case, top["delta"], evidence)
    elif claim == "not calibrated":
        shown = not_calibrated(case, evidence)
    else:
        shown, theorems = prove_calibrated(case, evidence)
    why = f"{claim}: {case.title}: {shown}"
    return Verification(True, case.given, case.theorems + theorems, why)


def prove_calibrated(case: Case, evidence: Any) -> tuple[str, tuple[str, ...]]:
    """Return what the evidence of a claim "calibrated", or "regret", says, and by which theorem."""
    if case.votes:
        return calibrated_by_votes(case, evidence), ()
    if case.surrogate.estimates:
        return calibrated_by_estimates(case, evidence), ()
    tangents, reason = case.surrogate.theorem, "tangents at one point prove nothing elsewhere"
    require(not tangents, "surrogate.tangents", reason)
    parts = evidence if isinstance(evidence, dict) else ()
    if "theorem" in parts and not case.hull:
        theorem = named_theorem(case, evidence)
        return f"the {evidence['theorem']}", (theorem,)
    return (calibrated_by_symmetry if "blocks" in parts else calibrated)(case, evidence), ()


def prove_dimension(top: dict[str, Any]) -> str:
    """Return what a claim about the dimension says, in one line."""
    claim, loss, value = top["claim"], top["loss"], index(top["value"], "value")
    require(claim in ("ccdim at least", "ccdim at most"), "claim", "{} is not known", claim)
    least, evidence = claim == "ccdim at least", top["evidence"]
    if isinstance(loss, dict) and "family" in loss:
        of = (each for each in (sets, trees, guesses) if loss["family"] in [*each.PARAMETERS])
        kind: Any = next(of, rankings)
        read = kind.read(loss)
        if not least:
            record(evidence, "evidence", "")
        shown = kind.at_least(read, evidence) if least else kind.at_most(read)
    else:
        require(least, "claim", "for a matrix, a calibrated surrogate shows it")
        read = read_loss(loss)
        lines = isinstance(evidence, dict) and "multipliers" in evidence
        shown = (by_lines if lines else dimension.at_least)(read, evidence)
    holds = value <= shown if least else value >= shown
    require(holds, "value", f"the evidence shows {claim} {shown}")
    return f"{claim}: {read.name}: {value}"
