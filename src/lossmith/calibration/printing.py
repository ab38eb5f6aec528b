"""Verdicts in print: as text, as LaTeX, as HTML and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from lossmith.calibration.proofs import plain
from lossmith.certificates.certificate import vector
from lossmith.text.latex import INFINITE, latex_text, latex_tuple
from lossmith.text.numbers import amount, as_float, folded, written

if TYPE_CHECKING:
    from lossmith.calibration.verdicts import Calibrated, Cell, Evidence, NotCalibrated, Undecided, Verdict

_MOST_COORDINATES = 12
_MOST_CELLS = 12
_RUN = 4


# Text.


def calibrated_text(verdict: Calibrated) -> str:
    """What is decided where."""
    title = f"{_pair(verdict)} is calibrated for {verdict.loss.name}{_where(verdict)}."
    if not verdict.cells:
        return folded(filter(None, [title, *_conditions(verdict), *str(verdict.proof).splitlines(), verdict.ties]))
    shown = [cell for cell in verdict.cells if cell.reached]
    subject = "Its" if verdict.within is None else "There, its"
    total = sum(cell.alike for cell in shown)
    kinds = "" if total == len(shown) else f", of {len(shown)} kind{'s' * (len(shown) > 1)} up to exchanging labels,"
    count = "1 cell lies" if total == 1 else f"{total:,} cells{kinds} each lie"
    lines = [
        title,
        f"{subject} {count} in the region of one decision, so minimising it and then deciding as below minimises "
        f"the expected loss:",
        *(f"  {_cell(cell)}  {verdict.loss.predictions[cell.prediction]}" for cell in shown[:_MOST_CELLS]),
    ]
    what = "kinds of cells" if kinds else "cells"
    lines += [f"  … and {len(shown) - _MOST_CELLS} more {what}"] if len(shown) > _MOST_CELLS else []
    return folded([*lines, *filter(None, [verdict.ties])])


def not_calibrated_text(verdict: NotCalibrated) -> str:
    """The distributions, and what is lost at them."""
    loss, title = verdict.loss, f"{_pair(verdict)} is NOT calibrated for {verdict.loss.name}{_where(verdict)}."
    start = getattr(verdict.proof, "start", None)
    if start is not None:
        lines = [
            title,
            *_conditions(verdict),
            f"It is optimal {_at(verdict.u)} for the first of these distributions of the labels, and "
            f"at v = {_tuple(start)} for the other{'s' * (len(verdict.distributions) > 2)}:",
        ]
        end = ""
    elif verdict.prediction is None:
        ends = "ends there and" if all(map(all, verdict.distributions)) else "may end there, and then"
        lines = [
            title,
            *_conditions(verdict),
            f"{_at(verdict.u).capitalize()} it is optimal for each of these distributions of the labels, so a model "
            f"that is trained with it {ends} cannot tell them apart:",
        ]
        end = "Whatever is decided there: per 1000 such cases, equally many of each, you lose"
    else:
        decision = loss.predictions[verdict.prediction]
        lines = [
            title,
            *_conditions(verdict),
            f"For this distribution of the labels it is optimal {_at(verdict.u)}; there, or as near as one "
            f"likes, {_asked(verdict)} decides {decision}:",
        ]
        end = f"Per 1000 such cases, by deciding {decision} you lose"
    for p in verdict.distributions:
        shown = ", ".join(f"P({label}) = {written(x)}" for label, x in zip(loss.labels, p, strict=True) if x)
        best = " or ".join(f"{loss.predictions[t]}" for t in loss.optimal_predictions(p))
        lines.append(f"  {shown}   best decision: {best}")
    lines += [] if start else [f"{end} {amount(1000 * verdict.price)} more than necessary."]
    return folded([*lines, *filter(None, [verdict.ties, getattr(verdict.proof, "note", "")])])


def undecided_text(verdict: Undecided) -> str:
    """Why no rule answers, and what was seen."""
    lines = [f"Whether {_pair(verdict)} is calibrated for {verdict.loss.name}{_where(verdict)} is undecided:"]
    lines += [f"  {rule}: {why}" for rule, why in verdict.declined]
    return folded([*lines, str(verdict.evidence)])


def evidence_text(evidence: Evidence) -> str:
    """What was seen, and that it is no proof."""
    if evidence.gap <= 0:
        return f"numerical evidence, not a proof: {evidence.tried} probes, no violation seen"
    points = "; ".join(_tuple(p) for p in evidence.distributions)
    return (
        f"numerical evidence, not a proof: {evidence.tried} points u tried; at u ≈ {_tuple(evidence.u)} the surrogate "
        f"seems optimal for p ≈ {points}, at a cost of about {evidence.gap:.3g} per case: probably not calibrated"
    )


def as_html(verdict: Verdict) -> str:
    """The text, for a notebook."""
    import html

    return f"<pre>{html.escape(str(verdict))}</pre>"


def _conditions(verdict: Verdict) -> list[str]:
    """A line for each condition, behind the title."""
    return [f"Condition: {each}" for each in verdict.conditions]


def _pair(verdict: Verdict) -> str:
    return verdict.surrogate.name + ("" if verdict.asked is None else f" with {_asked(verdict)}")


def _asked(verdict: Verdict) -> str:
    return "" if verdict.asked is None else verdict.asked.name


def _where(verdict: Verdict) -> str:
    return "" if verdict.within is None else " on the given set of distributions"


def _cell(cell: Cell) -> str:
    """Where it is least; of cells of one kind, for one of them."""
    return (
        f"at u = {_tuple(cell.u)}"
        if cell.alike == 1
        else f"{cell.alike:,} of one kind, such as at u = {_short(cell.u)}"
    )


def _short(values: Sequence[Fraction]) -> str:
    """The first and the last of more than four equal entries that follow each other.

    >>> _short([Fraction(1), *[Fraction(0)] * 9])
    '(1, 0, …, 0)'
    """
    runs = [[written(x) for x in run] for _, run in groupby(values)]
    return f"({', '.join(x for run in runs for x in (run if len(run) <= _RUN else [run[0], '…', run[-1]]))})"


def _exact(values: Sequence[Fraction | float]) -> bool:
    return not any(isinstance(x, float) for x in values)


def _tuple(values: Sequence[Fraction | float]) -> str:
    shown = [_coordinate(x) for x in values]
    if len(shown) > _MOST_COORDINATES:
        shown = [*shown[: _MOST_COORDINATES - 2], "…", shown[-1]]
    return f"({', '.join(shown)})"


def _coordinate(x: Fraction | float) -> str:
    if not isinstance(x, float):
        return written(x)
    return f"{x:.3g}" if not _endless(x) else "∞" if x > 0 else "−∞"


def _endless(x: Fraction | float) -> bool:
    return isinstance(x, float) and abs(x) >= INFINITE


def _at(values: Sequence[Fraction | float]) -> str:
    """Where it is optimal; where floats end, that is a limit, and of many coordinates those count that stay finite.

    >>> _at([-0.5, -708.4]), _at([*[-708.4] * 18, -1.1, -0.405])
    ('in the limit u → (-0.5, −∞)', 'in the limit u_19 ≈ -1.1, u_20 ≈ -0.405, the other 18 → −∞')
    """
    ends = [x for x in values if _endless(x)]
    if not ends:
        return f"at u {'=' if _exact(values) else '≈'} {_tuple(values)}"
    finite = [(i, x) for i, x in enumerate(values, start=1) if not _endless(x)]
    if len(values) <= _MOST_COORDINATES or len(finite) > _MOST_COORDINATES or len({x > 0 for x in ends}) > 1:
        return f"in the limit u → {_tuple(values)}"
    told = [f"u_{i} ≈ {_coordinate(x)}" for i, x in finite]
    return f"in the limit {', '.join(told)}, the other {len(ends)} → {_coordinate(ends[0])}"


# Plain data.


def calibrated_data(verdict: Calibrated) -> dict[str, Any]:
    """The cells that are reached, or why."""
    cells = [
        {
            "u": vector(cell.u),
            "psi": vector(cell.z),
            "prediction": plain(verdict.loss.predictions[cell.prediction]),
            **({"alike": cell.alike} if cell.alike > 1 else {}),
        }
        for cell in verdict.cells
        if cell.reached
    ]
    return {**_head(verdict), **({"cells": cells} if cells else {"why": str(verdict.proof)}), **_ties(verdict)}


def not_calibrated_data(verdict: NotCalibrated) -> dict[str, Any]:
    """u, the distributions, and the price."""
    names = verdict.loss.predictions
    distributions = [
        {"p": vector(p), "ruled_out": [plain(names[t]) for t in out]}
        for p, out in zip(verdict.distributions, verdict.ruled_out, strict=True)
    ]
    shown: dict[str, Any] = {"u": [x if isinstance(x, float) else str(x) for x in verdict.u]}
    if verdict.prediction is not None:
        shown["prediction"] = plain(names[verdict.prediction])
    return {
        **_head(verdict),
        **shown,
        "distributions": distributions,
        "price": str(verdict.price),
        "price_per_1000": as_float(1000 * verdict.price),
        **_ties(verdict),
    }


def undecided_data(verdict: Undecided) -> dict[str, Any]:
    """What declined, and what was seen."""
    seen = verdict.evidence
    evidence = {
        "kind": "numerical, not a proof",
        "tried": seen.tried,
        "gap": seen.gap,
        "u": list(seen.u),
        "distributions": [list(p) for p in seen.distributions],
    }
    return {**_head(verdict), "declined": [{"rule": r, "why": w} for r, w in verdict.declined], "evidence": evidence}


def _head(verdict: Verdict) -> dict[str, Any]:
    head: dict[str, Any] = {"status": verdict.status, "surrogate": verdict.surrogate.name, "loss": verdict.loss.name}
    if verdict.asked is not None:
        head["pred"] = verdict.asked.name
    if verdict.conditions:
        head["conditions"] = list(verdict.conditions)
    if verdict.within is not None:
        head["within"] = [[vector(p) for p in part.polytope.vertices] for part in verdict.within]
    return head


def _ties(verdict: Calibrated | NotCalibrated) -> dict[str, Any]:
    return {"ties": verdict.ties} if verdict.ties else {}


# LaTeX.


def calibrated_latex(verdict: Calibrated) -> str:
    """A sentence and a table."""
    sentence = f"{_latex_pair(verdict)} is calibrated for the loss \\emph{{{latex_text(verdict.loss.name)}}}"
    sentence += _latex_where(verdict)
    if not verdict.cells:
        return f"{sentence}. {_latex_conditions(verdict)}{latex_text(verdict.proof)}\n"
    rows = " \\\\\n".join(
        f"${latex_tuple(cell.u)}$ & ${latex_tuple(cell.z)}$ & {latex_text(name)}"
        for cell in verdict.cells
        if cell.reached
        for name in [verdict.loss.predictions[cell.prediction]]
    )
    part = "" if verdict.within is None else "the part in $\\mathcal{P}$ of "
    total = sum(cell.alike for cell in verdict.cells)
    kinds = "" if total == len(verdict.cells) else f" ({len(verdict.cells)} up to exchanging labels)"
    return (
        f"{sentence}: {part}each of its {total} positive normal sets of full dimension{kinds} lies in one "
        f"trigger probability set.\n\\begin{{tabular}}{{lll}}\n"
        f"$u$ & $\\psi(u)$ & prediction \\\\ \\hline\n{rows}\n\\end{{tabular}}\n"
    )


def not_calibrated_latex(verdict: NotCalibrated) -> str:
    """A sentence with the counterexample."""
    points = ", ".join(f"${latex_tuple(p)}$" for p in verdict.distributions)
    sentence = f"{_latex_pair(verdict)} is not calibrated for the loss \\emph{{{latex_text(verdict.loss.name)}}}"
    sentence += _latex_where(verdict)
    sign = "=" if _exact(verdict.u) else r"\to" if any(map(_endless, verdict.u)) else r"\approx"
    u = f"$u {sign} {latex_tuple(verdict.u)}$"
    if verdict.prediction is None:
        reason = f"at {u} the positive normal set contains {points}, and no prediction is optimal for all of them"
    else:
        decision = latex_text(verdict.loss.predictions[verdict.prediction])
        reason = f"at $p = {latex_tuple(verdict.distributions[0])}$ the surrogate risk is least at {u}, near which "
        reason += f"{latex_text(_asked(verdict))} predicts {decision}, which is not optimal"
    return f"{sentence}: {reason}. {_latex_conditions(verdict)}".rstrip() + "\n"


def undecided_latex(verdict: Undecided) -> str:
    """A sentence."""
    return (
        f"Whether {_latex_pair(verdict, capital=False)} is calibrated for the loss "
        f"\\emph{{{latex_text(verdict.loss.name)}}}{_latex_where(verdict)} is undecided.\n"
    )


def _latex_conditions(verdict: Verdict) -> str:
    """A sentence for each condition, with a space behind it."""
    return "".join(f"Condition: {latex_text(each)} " for each in verdict.conditions)


def _latex_pair(verdict: Verdict, capital: bool = True) -> str:
    pair = f"{'The' if capital else 'the'} surrogate \\emph{{{latex_text(verdict.surrogate.name)}}}"
    return pair + ("" if verdict.asked is None else f" with the pred \\emph{{{latex_text(_asked(verdict))}}}")


def _latex_where(verdict: Verdict) -> str:
    if verdict.within is None:
        return ""
    hulls = [
        "\\mathrm{conv}\\{" + ", ".join(map(latex_tuple, part.polytope.vertices)) + "\\}" for part in verdict.within
    ]
    union = r" \cup ".join(hulls)
    return f" on $\\mathcal{{P}} = {union}$"
