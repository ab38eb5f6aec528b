"""How a statement of the atlas is cited."""

from __future__ import annotations

from importlib import metadata

from lossmith.atlas.deciding import Finding
from lossmith.text.latex import latex_text

_YEAR = "2026"  # of the version, as in CITATION.cff
_IN_A_KEY = str.maketrans("/,=", ":;.")  # a comma ends a key, and biber takes no = in one


def bibtex(finding: Finding) -> str:
    """A statement as BibTeX: what it says, its permanent name, and the hash of its certificate.

    The year is that of the version, so that the same atlas is the same text.
    """
    statement = finding.statement
    pred = "" if statement.pred is None else f" with {statement.pred}"
    said = "is" if finding.status == "calibrated" else "is not" if finding.status == "not calibrated" else "may be"
    title = f"{statement.surrogate.name}{pred} {said} calibrated for {statement.member.loss.name}"
    proof = "" if finding.proof is None else f", certificate SHA-256 {finding.proof}"
    note = f"Atlas of lossmith {metadata.version('lossmith')}, statement {statement.name}{proof}"
    key = f"lossmith:{statement.name}".translate(_IN_A_KEY)
    return (
        f"@misc{{{key},\n  author = {{{{The lossmith developers}}}},\n  title  = {{{{{latex_text(title)}}}}},\n"
        f"  year   = {{{_YEAR}}},\n  note   = {{{latex_text(note)}}}\n}}"
    )
