"""Verdicts: calibrated or not, each with what proves it and a certificate made on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

from lossmith.analysis.positive_normals import Point, Subdivision
from lossmith.analysis.weights import Weights
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.certificates.certificate import Certificate, vector, weights
from lossmith.geometry.double_description import Row
from lossmith.geometry.polytope import Polytope
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sampling import draw
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


@dataclass(frozen=True)
class Cell:
    """A positive normal set N(ψ(u)), and a prediction that is optimal on all of it."""

    u: Point
    z: Point
    polytope: Polytope
    prediction: int


@dataclass(frozen=True)
class Calibrated:
    """The surrogate is calibrated for the loss: every cell lies in the trigger set of its prediction."""

    status: ClassVar[str] = "calibrated"
    surrogate: PolyhedralSurrogate
    loss: LossMatrix
    cells: tuple[Cell, ...]
    subdivision: Subdivision = field(repr=False, compare=False)

    @cached_property
    def pred(self) -> DecompositionPred:
        """A map from u to predictions with which minimising ψ minimises L."""
        return DecompositionPred(
            self.surrogate, tuple(cell.z for cell in self.cells), tuple(cell.prediction for cell in self.cells)
        )

    @cached_property
    def certificate(self) -> Certificate:
        """The proof, for `lm.verify` or `python -m lossmith_verify`."""
        # The flattest z first keeps the checker's double description small on the way.
        cells = sorted(self.cells, key=lambda cell: (max(cell.z) - min(cell.z), cell.z))
        evidence = {
            "cells": [{"u": vector(cell.u), "prediction": cell.prediction} for cell in cells],
            "vertices": [_weights(self.surrogate, p, self.subdivision.proofs[p]) for p in self.subdivision.vertices],
        }
        return _certificate(self, evidence)

    def __str__(self) -> str:
        names = [str(self.loss.predictions[cell.prediction]) for cell in self.cells]
        lines = [
            f"{self.surrogate.name} is calibrated for {self.loss.name}.",
            f"Its {len(self.cells)} cells each lie in the region of one decision, so minimising it and then deciding "
            f"as below minimises the expected loss:",
            *(f"  at u = {_tuple(cell.u)}  {name}" for cell, name in list(zip(self.cells, names, strict=True))[:12]),
        ]
        return "\n".join([*lines, *([f"  … and {len(self.cells) - 12} more cells"] if len(self.cells) > 12 else [])])

    def to_latex(self) -> str:
        """The verdict as a sentence and a table for a paper."""
        rows = " \\\\\n".join(
            f"${_latex_tuple(cell.u)}$ & ${_latex_tuple(cell.z)}$ & {_latex_text(name)}"
            for cell in self.cells
            for name in [self.loss.predictions[cell.prediction]]
        )
        return (
            f"The surrogate \\emph{{{_latex_text(self.surrogate.name)}}} is calibrated for the loss "
            f"\\emph{{{_latex_text(self.loss.name)}}}: each of its {len(self.cells)} positive normal sets of full "
            f"dimension lies in one trigger probability set.\n\\begin{{tabular}}{{lll}}\n"
            f"$u$ & $\\psi(u)$ & prediction \\\\ \\hline\n{rows}\n\\end{{tabular}}\n"
        )

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data: predictions by name, numbers as "a/b"."""
        cells = [
            {"u": vector(cell.u), "psi": vector(cell.z), "prediction": _name(self.loss.predictions[cell.prediction])}
            for cell in self.cells
        ]
        return {"status": self.status, "surrogate": self.surrogate.name, "loss": self.loss.name, "cells": cells}

    def _repr_html_(self) -> str:
        return _html(self)


@dataclass(frozen=True)
class NotCalibrated:
    """The surrogate is not calibrated: at one u it is optimal for distributions that no single decision serves.

    `distributions` lie inside one cell of the surrogate, so that minimising it leads to ψ(u) for each of them;
    `ruled_out[i]` are the predictions that are not optimal for distribution i, and together they are all predictions.
    """

    status: ClassVar[str] = "not calibrated"
    surrogate: PolyhedralSurrogate
    loss: LossMatrix
    u: Point
    distributions: tuple[Point, ...]
    proofs: tuple[tuple[Row, Weights], ...] = field(repr=False, compare=False)
    pred: None = None

    @cached_property
    def ruled_out(self) -> tuple[tuple[int, ...], ...]:
        """For each distribution, the predictions that are not optimal for it."""
        optimal = [set(self.loss.optimal_predictions(p)) for p in self.distributions]
        return tuple(tuple(t for t in range(self.loss.k) if t not in best) for best in optimal)

    @cached_property
    def price(self) -> Fraction:
        """What the best single decision at u costs more than necessary, on average over the distributions."""
        excess = [[risk - min(risks) for risk in risks] for risks in map(self.loss.risk, self.distributions)]
        return min(sum(column, Fraction(0)) for column in zip(*excess, strict=True)) / len(self.distributions)

    def sample(self, m: int, seed: int | None = None) -> tuple[Any, Any]:
        """Draw m labelled examples from the distributions: X tells which one (one column each), y is the label by name.

        Even a model that may learn every column separately ends at the same u for all of them.
        """
        return draw(self.loss, self.distributions, m, seed)

    @cached_property
    def certificate(self) -> Certificate:
        """The proof, for `lm.verify` or `python -m lossmith_verify`."""
        better = []
        for t in range(self.loss.k):
            i = next(i for i, out in enumerate(self.ruled_out) if t in out)
            better.append([t, i, self.loss.optimal_predictions(self.distributions[i])[0]])
        points = [_weights(self.surrogate, p, proof) for p, proof in self.proofs]
        return _certificate(self, {"u": vector(self.u), "points": points, "better": better})

    def __str__(self) -> str:
        lines = [
            f"{self.surrogate.name} is NOT calibrated for {self.loss.name}.",
            f"At u = {_tuple(self.u)} it is optimal for each of these distributions of the labels, so a model that is",
            "trained with it ends there and cannot tell them apart:",
        ]
        for p in self.distributions:
            shown = ", ".join(f"P({label}) = {x}" for label, x in zip(self.loss.labels, p, strict=True) if x)
            best = " or ".join(str(self.loss.predictions[t]) for t in self.loss.optimal_predictions(p))
            lines.append(f"  {shown}   best decision: {best}")
        lines.append(
            f"Whatever is decided there: per 1000 such cases, equally many of each, you lose "
            f"{_amount(1000 * self.price)} more than necessary."
        )
        return "\n".join(lines)

    def to_latex(self) -> str:
        """The verdict as a sentence for a paper."""
        points = ", ".join(f"${_latex_tuple(p)}$" for p in self.distributions)
        return (
            f"The surrogate \\emph{{{_latex_text(self.surrogate.name)}}} is not calibrated for the loss "
            f"\\emph{{{_latex_text(self.loss.name)}}}: at $u = {_latex_tuple(self.u)}$ the positive normal set "
            f"contains {points}, and no prediction is optimal for all of them.\n"
        )

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data: predictions by name, numbers as "a/b"."""
        distributions = [
            {"p": vector(p), "ruled_out": [_name(self.loss.predictions[t]) for t in out]}
            for p, out in zip(self.distributions, self.ruled_out, strict=True)
        ]
        return {
            "status": self.status,
            "surrogate": self.surrogate.name,
            "loss": self.loss.name,
            "u": vector(self.u),
            "distributions": distributions,
            "price": str(self.price),
        }

    def _repr_html_(self) -> str:
        return _html(self)


Verdict: TypeAlias = Calibrated | NotCalibrated


def _certificate(verdict: Verdict, evidence: dict[str, Any]) -> Certificate:
    loss, surrogate = verdict.loss, verdict.surrogate
    return Certificate.of(
        verdict.status,
        {
            "entries": [vector(row) for row in loss.entries],
            "labels": [_name(name) for name in loss.labels],
            "predictions": [_name(name) for name in loss.predictions],
            "name": loss.name,
        },
        {
            "dim": surrogate.dim,
            "terms": [[[vector(piece) for piece in maximum] for maximum in terms] for terms in surrogate.terms],
            "inequalities": [vector(row) for row in surrogate.inequalities],
            "equations": [vector(row) for row in surrogate.equations],
            "name": surrogate.name,
        },
        evidence,
    )


def _weights(surrogate: PolyhedralSurrogate, p: Row, proof: Weights) -> dict[str, Any]:
    """Weights on maxima that labels share, split among these labels in proportion to p."""
    total = sum(p)
    shares = [0] * len(surrogate.maxima)
    for y, groups in enumerate(surrogate.groups):
        for g in groups:
            shares[g] += p[y]
    pieces = sorted(
        (y, position, j, w * p[y] / (shares[g] * total))
        for g, j, w in proof.pieces
        for y, groups in enumerate(surrogate.groups)
        for position, used in enumerate(groups)
        if p[y] and used == g
    )
    rows = len(surrogate.inequalities)
    return weights(
        [Fraction(x, total) for x in p],
        pieces,
        [(i, w / total) for i, w in proof.domain if i < rows],
        [(i - rows, w / total) for i, w in proof.domain if i >= rows],
    )


def _name(name: object) -> str | int:
    return name if type(name) in (str, int) else str(name)  # type: ignore[return-value]


def _tuple(values: Sequence[Fraction]) -> str:
    return "(" + ", ".join(map(str, values)) + ")"


def _amount(value: Fraction) -> str:
    """A whole number in full, else three digits; beyond that, what the fraction rounds to."""
    if value.denominator == 1 or value > 10_000:
        return f"{round(value):,}"
    return f"{float(value):.3g}" if value < 1000 else f"{float(value):,.0f}"


def _latex_tuple(values: Sequence[Fraction]) -> str:
    def one(x: Fraction) -> str:
        if x.denominator == 1:
            return str(x)
        return f"{'-' if x < 0 else ''}\\tfrac{{{abs(x.numerator)}}}{{{x.denominator}}}"

    return "(" + ", ".join(map(one, values)) + ")"


def _latex_text(name: object) -> str:
    return str(name).translate(_LATEX)


_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\n": " "}
)


def _html(verdict: Verdict) -> str:
    import html

    return f"<pre>{html.escape(str(verdict))}</pre>"
