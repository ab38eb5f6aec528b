"""How a statement of the atlas is cited."""

from __future__ import annotations

import re
from importlib import metadata

from lossmith.atlas.contents import bound_name
from lossmith.atlas.deciding import Dimension, Finding, Side
from lossmith.atlas.regrets import Transfer, regret_name
from lossmith.text.latex import latex_text

_YEAR = "2026"  # of the version, as in CITATION.cff
_IN_A_KEY = str.maketrans("/,=", ":;.")  # a comma ends a key, and biber takes no = in one


def bibtex(finding: Finding) -> str:
    """A verdict as BibTeX."""
    statement = finding.statement
    pred = "" if statement.pred is None else f" with {statement.pred}"
    said = "is" if finding.status == "calibrated" else "is not" if finding.status == "not calibrated" else "may be"
    title = f"{statement.surrogate.name}{pred} {said} calibrated for {statement.member.loss.name}"
    return entry(statement.name, latex_text(title), finding.proof)


def bibtex_of_regret(finding: Finding, transfer: Transfer) -> str:
    """What a regret costs as BibTeX."""
    statement = finding.statement
    about = f"{statement.surrogate.name} with {statement.pred} and {statement.member.loss.name}"
    title = f"${_in_latex(transfer.text)}$ for {latex_text(about)}"
    return entry(regret_name(statement.name), title, transfer.proof)


def bibtex_of_bound(dimension: Dimension, side: Side, key: str) -> str:
    """A bound on a dimension as BibTeX; `key` is lower or upper."""
    words = "at least" if key == "lower" else "at most"
    title = f"The convex calibration dimension of {dimension.member.loss.name} is {words} {side.value}"
    return entry(bound_name(dimension.member, key), latex_text(title), side.proof)


def entry(name: str, title: str, proof: str | None) -> str:
    """A statement as BibTeX: what it says, in LaTeX, its permanent name, and the hash of its certificate.

    The year is that of the version, so that the same atlas is the same text.

    >>> print(entry("zero-one/n=3/ccdim-lower", "CCdim is at least 2", None).splitlines()[0])
    @misc{lossmith:zero-one:n.3:ccdim-lower,
    """
    held = "" if proof is None else f", certificate SHA-256 {proof}"
    note = f"Atlas of lossmith {metadata.version('lossmith')}, statement {name}{held}"
    key = f"lossmith:{name}".translate(_IN_A_KEY)
    return (
        f"@misc{{{key},\n  author = {{{{The lossmith developers}}}},\n  title  = {{{{{title}}}}},\n"
        f"  year   = {{{_YEAR}}},\n  note   = {{{latex_text(note)}}}\n}}"
    )


def _in_latex(text: str) -> str:
    r"""A bound on regrets as a formula.

    >>> print(_in_latex("regret_L ≤ √(8/3) √regret_ψ"))
    \mathrm{regret}_L \le \sqrt{8/3} \sqrt{\mathrm{regret}_\psi}
    """
    roots = re.sub(r"√\(?([\d/,.]+)\)?", r"\\sqrt{\1}", text.replace("√regret_ψ", r"\sqrt{regret_ψ}"))
    return roots.replace("regret_", r"\mathrm{regret}_").replace("ψ", r"\psi").replace("≤", r"\le")
