"""Bounds on CCdim(L), each with its theorem and a certificate made on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from lossmith.analysis.facts import Facts
from lossmith.calibration.proofs import loss_section
from lossmith.certificates.certificate import Certificate
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.protocol import Loss
from lossmith.text.latex import latex_phrase
from lossmith.text.numbers import folded


class Evidence(Protocol):
    """What a bound rests on: it writes the certificate."""

    def certificate(self, bound: Bound) -> Certificate:
        """The certificate of the bound."""


@dataclass(frozen=True)
class Bound:
    """CCdim(L) ≥ value (`side` "lower") or CCdim(L) ≤ value ("upper"): by which theorem, and why it applies."""

    side: Literal["lower", "upper"]
    value: int
    theorem: str
    why: str
    loss: Loss = field(repr=False)
    evidence: Evidence = field(repr=False, compare=False)

    @cached_property
    def certificate(self) -> Certificate:
        """The proof, for `lm.verify`."""
        return self.evidence.certificate(self)

    def __str__(self) -> str:
        return f"CCdim {'≥' if self.side == 'lower' else '≤'} {self.value}  {self.theorem}: {self.why}"


@dataclass(frozen=True)
class DimensionBounds:
    """All that was proved about CCdim(L), until Ctrl-C or all: the bounds that were considered, and notes."""

    loss: Loss
    bounds: tuple[Bound, ...]
    notes: tuple[str, ...] = ()
    facts: Facts | None = field(default=None, repr=False, compare=False)  # None for a loss known by factors
    interrupted: bool = False

    @cached_property
    def lower(self) -> Bound:
        """The best lower bound; of equal ones the first."""
        return max((each for each in self.bounds if each.side == "lower"), key=lambda each: each.value)

    @cached_property
    def upper(self) -> Bound:
        """The best upper bound; of equal ones the first."""
        return min((each for each in self.bounds if each.side == "upper"), key=lambda each: each.value)

    @property
    def exact(self) -> int | None:
        """CCdim(L), if the bounds meet."""
        return self.upper.value if self.lower.value == self.upper.value else None

    def __repr__(self) -> str:
        return str(self).splitlines()[0]

    def __str__(self) -> str:
        name, low, high = self.loss.name, self.lower, self.upper
        if self.exact is not None:
            head = f"CCdim({name}) = {self.exact}  [lower: {low.theorem}; upper: {high.theorem}]"
        else:
            head = f"{low.value} ≤ CCdim({name}) ≤ {high.value}  [lower: {low.theorem}; upper: {high.theorem}]"
        return folded([head, *(f"  {each}" for each in self.bounds), *(f"  {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """The bounds as plain data."""
        shown = [
            {"side": each.side, "value": each.value, "theorem": each.theorem, "why": each.why} for each in self.bounds
        ]
        return {
            "loss": self.loss.name,
            "lower": self.lower.value,
            "upper": self.upper.value,
            "exact": self.exact,
            "bounds": shown,
            "notes": list(self.notes),
        }

    def to_latex(self) -> str:
        """The bounds as a table for a paper."""
        signs = {"lower": "\\ge", "upper": "\\le"}
        rows = [f"$\\mathrm{{CCdim}} {signs[b.side]} {b.value}$ & {latex_phrase(b.theorem)}" for b in self.bounds]
        return "\\begin{tabular}{ll}\n" + " \\\\\n".join(rows) + "\n\\end{tabular}\n"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(str(self))}</pre>"


def dimension_certificate(bound: Bound, loss: LossMatrix, evidence: dict[str, Any]) -> Certificate:
    """The claim CCdim(L) ≥ value."""
    return Certificate.of("ccdim at least", {"value": bound.value, "loss": loss_section(loss)}, evidence)
