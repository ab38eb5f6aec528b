"""Check certificates about surrogates and losses, trusting nobody.

This program was written from the specification, ``docs/certificate-format.md``. It needs only
Python's standard library, and shares no code with lossmith. Read it in this order: `reading`,
`arithmetic`, `cone`; `surrogates` and `inputs`; `weights`, `cover` and `blocks`; then a module for
each claim, which opens with its paragraph of the specification and the proof: `calibrated`,
`given_pred`, `symmetry` with `symmetric_pred`, `regret`, `calibration_function`, `catalogue`,
`not_calibrated` with `segments`, `votes`, `estimates` with `orders`, `dimension`, `lines`,
`rankings` with `factors`, `sets`, `trees`, `guesses`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lossmith_verify import dimension, guesses, rankings, sets, trees
from lossmith_verify.arithmetic import start
from lossmith_verify.calibrated import calibrated
from lossmith_verify.calibration_function import calibration_function
from lossmith_verify.catalogue import given_theorem
from lossmith_verify.estimates import calibrated_by_estimates
from lossmith_verify.inputs import read_case, read_loss
from lossmith_verify.lines import by_lines
from lossmith_verify.not_calibrated import not_calibrated
from lossmith_verify.reading import MAX_BYTES, Rejected, index, parse, record, require
from lossmith_verify.regret import with_hull
from lossmith_verify.symmetry import calibrated_by_symmetry
from lossmith_verify.votes import calibrated_by_votes

__all__ = ["MAX_BYTES", "Verification", "check"]


class Verification(NamedTuple):
    """The verdict: accepted or not, given what is taken on trust, and why, in one line."""

    accepted: bool
    given: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        verdict = "accepted" if self.accepted else "rejected"
        return f"{verdict}: {'; given that '.join((self.why, *self.given))}"


def check(text: str | bytes) -> Verification:
    """Check the text of a certificate. Whatever is wrong with it, the answer is a rejection.

    Only if there is less memory than the limits of the format allow for, `MemoryError` passes.
    """
    try:
        start()
        return Verification(True, *prove(parse(text)))
    except Rejected as flaw:
        return Verification(False, (), str(flaw))
    except RecursionError:  # called from a deep stack: the depth of the file is bounded
        return Verification(False, (), "file: nested too deeply")


def prove(certificate: Any) -> tuple[tuple[str, ...], str]:
    """Return what the claim is accepted given, and what it says, in one line."""
    about_dimension = isinstance(certificate, dict) and "value" in certificate
    keys = "value" if about_dimension else "surrogate"
    more = "" if about_dimension else "pred within hull delta"
    top = record(certificate, "", f"format version claim loss evidence {keys}", more)
    known = top["format"] == "lossmith-certificate"
    require(known, "format", "expected 'lossmith-certificate', not {}", top["format"])
    version = index(top["version"], "version", 3)
    require(version > 0, "version", "expected 1 or 2, not {}", version)
    return ((), prove_dimension(top)) if about_dimension else prove_surrogate(top)


def prove_surrogate(top: dict[str, Any]) -> tuple[tuple[str, ...], str]:
    """Return the same for a claim about a surrogate."""
    claim, claims = top["claim"], ["regret"] if "hull" in top else ["calibrated", "not calibrated"]
    if "delta" in top:
        claims = ["calibration function"] * ("hull" not in top)
    require(claim in claims, "claim", "{} is not known", claim)
    case, evidence = read_case(top), top["evidence"]
    if "delta" in top:
        shown = calibration_function(case, top["delta"], evidence)
        return case.given, f"{claim}: {case.title}: {shown}"
    if "hull" in top:
        case, evidence = with_hull(case, top["hull"], evidence)
    if claim == "not calibrated":
        prove_claim = not_calibrated
    elif case.votes:
        prove_claim = calibrated_by_votes
    elif case.surrogate.estimates:
        prove_claim = calibrated_by_estimates
    else:
        tangents, reason = case.surrogate.theorem, "tangents at one point prove nothing elsewhere"
        require(not tangents, "surrogate.tangents", reason)
        parts = evidence if isinstance(evidence, dict) else ()
        if "theorem" in parts and not case.hull:
            return (given_theorem(case, evidence),), f"{claim}: {case.title}: by a theorem"
        prove_claim = calibrated_by_symmetry if "blocks" in parts else calibrated
    return case.given, f"{claim}: {case.title}: {prove_claim(case, evidence)}"


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
