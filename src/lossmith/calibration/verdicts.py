"""Verdicts: calibrated, not calibrated or undecided, each with what proves it and a certificate made on demand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeAlias

from lossmith.analysis.positive_normals import Point
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.calibration.proofs import plain
from lossmith.calibration.within import Region
from lossmith.certificates.certificate import Certificate, vector
from lossmith.geometry.polytope import Polytope
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sampling import draw
from lossmith.surrogates.deciding import decisions, scores_for
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate

Surrogate: TypeAlias = PolyhedralSurrogate | SmoothSurrogate


class Proof(Protocol):
    """What a verdict rests on: it writes the certificate."""

    def certificate(self, verdict: Any) -> Certificate:
        """The certificate of the verdict."""


@dataclass(frozen=True)
class Cell:
    """A positive normal set N(ψ(u)), and a prediction that is optimal on all of it, or on its part within P."""

    u: Point
    z: Point
    polytope: Polytope
    prediction: int
    reached: bool = True  # whether it meets P


@dataclass(frozen=True)
class Calibrated:
    """The surrogate is calibrated for the loss: whatever is nearly optimal for it is decided optimally.

    `cells` are those of a polyhedral surrogate, each with a prediction that is optimal on it; a smooth one has none.
    `given_pred` is the pred that was asked about; without one, `pred` is a pred that works (`found_pred`, if the rule
    knows one in closed form). `made_by` tells how the surrogate was made, if it was made for the loss; `ties` says if
    the given pred would not do with its ties broken otherwise.
    """

    status: ClassVar[str] = "calibrated"
    surrogate: Surrogate
    loss: LossMatrix
    cells: tuple[Cell, ...]
    proof: Proof = field(repr=False, compare=False)
    given_pred: Any = None
    within: tuple[Region, ...] | None = None
    found_pred: Any = field(default=None, repr=False, compare=False)
    made_by: str = field(default="", compare=False)
    ties: str = field(default="", repr=False, compare=False)

    @cached_property
    def pred(self) -> Any:
        """A map from u to indices of predictions with which minimising ψ minimises L: the given one, or the proof's."""
        if self.given_pred is not None or self.found_pred is not None:
            return self.given_pred or self.found_pred
        assert isinstance(self.surrogate, PolyhedralSurrogate)
        return DecompositionPred(
            self.surrogate, tuple(cell.z for cell in self.cells), tuple(cell.prediction for cell in self.cells)
        )

    def decide(self, U: object, *, classes: Iterable[Any] | None = None) -> Any:
        """The decision by name for each row of scores u, in floats; `classes`: the order they were trained in."""
        return decisions(self.pred, scores_for(U, self.surrogate, self.loss, classes), self.loss)

    @cached_property
    def certificate(self) -> Certificate:
        """The proof, for `lm.verify` or `python -m lossmith_verify`."""
        return self.proof.certificate(self)

    def __str__(self) -> str:
        title = f"{_pair(self)} is calibrated for {self.loss.name}{_where(self)}."
        if not self.cells:
            return "\n".join(filter(None, [title, str(self.proof), self.ties]))
        shown = [cell for cell in self.cells if cell.reached]
        subject = "Its" if self.within is None else "There, its"
        count = "1 cell lies" if len(shown) == 1 else f"{len(shown)} cells each lie"
        lines = [
            title,
            f"{subject} {count} in the region of one decision, so minimising it and then deciding as below minimises "
            f"the expected loss:",
            *(f"  at u = {_tuple(cell.u)}  {self.loss.predictions[cell.prediction]}" for cell in shown[:12]),
        ]
        lines += [f"  … and {len(shown) - 12} more cells"] if len(shown) > 12 else []
        return "\n".join([*lines, *filter(None, [self.ties])])

    def to_latex(self) -> str:
        """The verdict as a sentence and a table for a paper."""
        sentence = f"{_latex_pair(self)} is calibrated for the loss \\emph{{{latex_text(self.loss.name)}}}"
        sentence += _latex_where(self)
        if not self.cells:
            return f"{sentence}. {latex_text(self.proof)}\n"
        rows = " \\\\\n".join(
            f"${_latex_tuple(cell.u)}$ & ${_latex_tuple(cell.z)}$ & {latex_text(name)}"
            for cell in self.cells
            if cell.reached
            for name in [self.loss.predictions[cell.prediction]]
        )
        part = "" if self.within is None else "the part in $\\mathcal{P}$ of "
        return (
            f"{sentence}: {part}each of its {len(self.cells)} positive normal sets of full dimension lies in one "
            f"trigger probability set.\n\\begin{{tabular}}{{lll}}\n"
            f"$u$ & $\\psi(u)$ & prediction \\\\ \\hline\n{rows}\n\\end{{tabular}}\n"
        )

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data: predictions by name, numbers as "a/b"."""
        cells = [
            {"u": vector(cell.u), "psi": vector(cell.z), "prediction": plain(self.loss.predictions[cell.prediction])}
            for cell in self.cells
            if cell.reached
        ]
        ties = {"ties": self.ties} if self.ties else {}
        return {**_head(self), **({"cells": cells} if cells else {"why": str(self.proof)}), **ties}

    def _repr_html_(self) -> str:
        return _html(self)


@dataclass(frozen=True)
class NotCalibrated:
    """The surrogate is not calibrated: it is optimal at one u for distributions that one decision does not serve.

    Without a given pred, no single decision serves all `distributions`: `ruled_out[i]` are the predictions that are
    not optimal for distribution i, and together they are all predictions. For a polyhedral surrogate they lie inside
    one of its cells, so that minimising it leads to ψ(u) for each of them. With a given pred there is one
    distribution, and `prediction` is what the pred says at points u′ → u, though it is not optimal; `ties` says if it
    would do with its ties broken otherwise. For smooth surrogates u may be a rounded number.
    """

    status: ClassVar[str] = "not calibrated"
    surrogate: Surrogate
    loss: LossMatrix
    u: tuple[Fraction | float, ...]
    distributions: tuple[Point, ...]
    proof: Proof = field(repr=False, compare=False)
    pred: Any = None
    within: tuple[Region, ...] | None = None
    prediction: int | None = None
    ties: str = field(default="", repr=False, compare=False)

    @cached_property
    def ruled_out(self) -> tuple[tuple[int, ...], ...]:
        """For each distribution, the predictions that are not optimal for it."""
        optimal = [set(self.loss.optimal_predictions(p)) for p in self.distributions]
        return tuple(tuple(t for t in range(self.loss.k) if t not in best) for best in optimal)

    @cached_property
    def price(self) -> Fraction:
        """What the decision at u costs more than necessary, on average over the distributions.

        The decision is that of the given pred, else the best single one.
        """
        excess = [[risk - min(risks) for risk in risks] for risks in map(self.loss.risk, self.distributions)]
        costs = [sum(column, Fraction(0)) / len(self.distributions) for column in zip(*excess, strict=True)]
        return min(costs) if self.prediction is None else costs[self.prediction]

    def sample(self, m: int, seed: int | None = None) -> tuple[Any, Any]:
        """Draw m labelled examples from the distributions: X tells which one (one column each), y is the label by name.

        Even a model that may learn every column separately ends at the same u for all of them.
        """
        return draw(self.loss, self.distributions, m, seed)

    @cached_property
    def certificate(self) -> Certificate:
        """The proof, for `lm.verify` or `python -m lossmith_verify`."""
        return self.proof.certificate(self)

    def __str__(self) -> str:
        title = f"{_pair(self)} is NOT calibrated for {self.loss.name}{_where(self)}."
        if self.prediction is None:
            lines = [
                title,
                f"At u {_tuple_is(self.u)} it is optimal for each of these distributions of the labels, so a model "
                f"that is",
                "trained with it ends there and cannot tell them apart:",
            ]
            end = "Whatever is decided there: per 1000 such cases, equally many of each, you lose"
        else:
            decision = self.loss.predictions[self.prediction]
            lines = [
                title,
                f"For this distribution of the labels it is optimal at u {_tuple_is(self.u)}; there, or as near as one "
                f"likes, {_pred_name(self.pred)} decides {decision}:",
            ]
            end = f"Per 1000 such cases, by deciding {decision} you lose"
        for p in self.distributions:
            shown = ", ".join(f"P({label}) = {x}" for label, x in zip(self.loss.labels, p, strict=True) if x)
            best = " or ".join(f"{self.loss.predictions[t]}" for t in self.loss.optimal_predictions(p))
            lines.append(f"  {shown}   best decision: {best}")
        lines.append(f"{end} {rounded(1000 * self.price)} more than necessary.")
        return "\n".join([*lines, *filter(None, [self.ties])])

    def to_latex(self) -> str:
        """The verdict as a sentence for a paper."""
        points = ", ".join(f"${_latex_tuple(p)}$" for p in self.distributions)
        sentence = f"{_latex_pair(self)} is not calibrated for the loss \\emph{{{latex_text(self.loss.name)}}}"
        sentence += _latex_where(self)
        u = "$u " + ("= " if _exact(self.u) else r"\approx ") + f"{_latex_tuple(self.u)}$"
        if self.prediction is None:
            reason = f"at {u} the positive normal set contains {points}, and no prediction is optimal for all of them"
        else:
            decision = latex_text(self.loss.predictions[self.prediction])
            reason = f"at $p = {_latex_tuple(self.distributions[0])}$ the surrogate risk is least at {u}, near which "
            reason += f"{latex_text(_pred_name(self.pred))} predicts {decision}, which is not optimal"
        return f"{sentence}: {reason}.\n"

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data: predictions by name, numbers as "a/b" (rounded ones as numbers)."""
        distributions = [
            {"p": vector(p), "ruled_out": [plain(self.loss.predictions[t]) for t in out]}
            for p, out in zip(self.distributions, self.ruled_out, strict=True)
        ]
        shown: dict[str, Any] = {"u": [x if isinstance(x, float) else str(x) for x in self.u]}
        if self.prediction is not None:
            shown["prediction"] = plain(self.loss.predictions[self.prediction])
        ties = {"ties": self.ties} if self.ties else {}
        return {**_head(self), **shown, "distributions": distributions, "price": str(self.price), **ties}

    def _repr_html_(self) -> str:
        return _html(self)


@dataclass(frozen=True)
class Evidence:
    """What a numerical search saw: never a proof.

    `gap` is the largest loss, per case, that the search found unavoidable (or made by the given pred) at one u.
    """

    tried: int
    gap: float
    u: tuple[float, ...]
    distributions: tuple[tuple[float, ...], ...]

    def __str__(self) -> str:
        if self.gap <= 0:
            return f"numerical evidence, not a proof: {self.tried} points u tried, no violation seen"
        points = "; ".join(_rounded(p) for p in self.distributions)
        return (
            f"numerical evidence, not a proof: {self.tried} points u tried; at u ≈ {_rounded(self.u)} the surrogate "
            f"seems optimal for p ≈ {points}, at a cost of about {self.gap:.3g} per case: probably not calibrated"
        )


@dataclass(frozen=True)
class Undecided:
    """No rule applies. `declined` says of each rule why not; `evidence` is numerical and proves nothing."""

    status: ClassVar[str] = "undecided"
    surrogate: Surrogate
    loss: LossMatrix
    declined: tuple[tuple[str, str], ...]
    evidence: Evidence
    pred: Any = None
    within: tuple[Region, ...] | None = None
    certificate: ClassVar[None] = None

    def __str__(self) -> str:
        lines = [f"Whether {_pair(self)} is calibrated for {self.loss.name}{_where(self)} is undecided:"]
        lines += [f"  {rule}: {why}" for rule, why in self.declined]
        return "\n".join([*lines, str(self.evidence)])

    def to_latex(self) -> str:
        """The verdict as a sentence for a paper."""
        return (
            f"Whether {_latex_pair(self, capital=False)} is calibrated for the loss "
            f"\\emph{{{latex_text(self.loss.name)}}}{_latex_where(self)} is undecided.\n"
        )

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
        seen = self.evidence
        evidence = {
            "kind": "numerical, not a proof",
            "tried": seen.tried,
            "gap": seen.gap,
            "u": list(seen.u),
            "distributions": [list(p) for p in seen.distributions],
        }
        return {**_head(self), "declined": [{"rule": r, "why": w} for r, w in self.declined], "evidence": evidence}

    def _repr_html_(self) -> str:
        return _html(self)


Verdict: TypeAlias = Calibrated | NotCalibrated | Undecided


def asked_pred(verdict: Verdict) -> Any:
    """The pred that was asked about, or None if any pred would do."""
    return verdict.given_pred if isinstance(verdict, Calibrated) else verdict.pred


def _head(verdict: Verdict) -> dict[str, Any]:
    head: dict[str, Any] = {"status": verdict.status, "surrogate": verdict.surrogate.name, "loss": verdict.loss.name}
    if asked_pred(verdict) is not None:
        head["pred"] = _pred_name(asked_pred(verdict))
    if verdict.within is not None:
        head["within"] = [[vector(p) for p in region.polytope.vertices] for region in verdict.within]
    return head


def _pair(verdict: Verdict) -> str:
    pred = asked_pred(verdict)
    return verdict.surrogate.name + ("" if pred is None else f" with {_pred_name(pred)}")


def _where(verdict: Verdict) -> str:
    return "" if verdict.within is None else " on the given set of distributions"


def _pred_name(pred: Any) -> str:
    return str(getattr(pred, "name", pred))


def _exact(values: Sequence[Fraction | float]) -> bool:
    return not any(isinstance(x, float) for x in values)


def _tuple(values: Sequence[Fraction | float]) -> str:
    return "(" + ", ".join(f"{x:.3g}" if isinstance(x, float) else str(x) for x in values) + ")"


def _tuple_is(values: Sequence[Fraction | float]) -> str:
    return ("= " if _exact(values) else "≈ ") + _tuple(values)


def _rounded(values: Sequence[float]) -> str:
    return "(" + ", ".join(f"{x:.3g}" for x in values) + ")"


def rounded(value: Fraction) -> str:
    """A whole number in full, else three digits; beyond that, what the fraction rounds to."""
    if value.denominator == 1 or value > 10_000:
        return f"{round(value):,}"
    return f"{float(value):.3g}" if value < 1000 else f"{float(value):,.0f}"


def _latex_pair(verdict: Verdict, capital: bool = True) -> str:
    pred = asked_pred(verdict)
    pair = f"{'The' if capital else 'the'} surrogate \\emph{{{latex_text(verdict.surrogate.name)}}}"
    return pair + ("" if pred is None else f" with the pred \\emph{{{latex_text(_pred_name(pred))}}}")


def _latex_where(verdict: Verdict) -> str:
    if verdict.within is None:
        return ""
    hulls = [
        "\\mathrm{conv}\\{" + ", ".join(map(_latex_tuple, region.polytope.vertices)) + "\\}"
        for region in verdict.within
    ]
    union = r" \cup ".join(hulls)
    return f" on $\\mathcal{{P}} = {union}$"


def _latex_tuple(values: Sequence[Fraction | float]) -> str:
    def one(x: Fraction | float) -> str:
        if isinstance(x, float):
            return f"{x:.3g}"
        if x.denominator == 1:
            return str(x)
        return f"{'-' if x < 0 else ''}\\tfrac{{{abs(x.numerator)}}}{{{x.denominator}}}"

    return "(" + ", ".join(map(one, values)) + ")"


def latex_text(name: object) -> str:
    """Text with LaTeX's special characters escaped."""
    return f"{name}".translate(_LATEX)


_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\n": " "}
)


def _html(verdict: Verdict) -> str:
    import html

    return f"<pre>{html.escape(str(verdict))}</pre>"
