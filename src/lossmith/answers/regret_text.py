"""Regrets in print: as text, and as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

from lossmith.calibration.calibration_function import Attained, CalibrationFunction
from lossmith.calibration.proofs import plain
from lossmith.certificates.certificate import vector
from lossmith.constructions.regret_bounds import rounded_up
from lossmith.errors import TooLarge
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.text.numbers import as_float, folded, written

if TYPE_CHECKING:
    from lossmith.answers.regretting import Regret
    from lossmith.constructions.regret_bounds import RegretBound

_MOST_ROWS = 12
_MOST_PARTS = 8
_EXAMPLE = Fraction(1, 10)


def text(study: Regret) -> str:
    """The practitioner's sentence, the constant, where it is attained, and the calibration function."""
    pair = f"{study.surrogate.name} with {study.pred.name} ({study.chosen})"
    lines = [f"{pair} for {study.loss.name}:"]
    if study.calibrated and study.upper is None:
        lines.append("What a surrogate regret costs you, on average, has a bound, but it is not known.")
    elif study.calibrated:
        cost = study.at_most(_EXAMPLE)
        lines.append(f"A surrogate regret of 0.1, on average, costs you at most {_at_most(cost)}.")
    else:
        lines.append("It is NOT calibrated: even a surrogate regret of 0 may cost you something.")
    lines += _constant(study)
    if study.regions is not None:
        lines += _function(study)
    return folded(lines)


def _at_most(x: Fraction) -> str:
    """The number as it is, or rounded up."""
    shown = written(x)
    return shown if Fraction(shown) == x else rounded_up(x * x)


def _constant(study: Regret) -> list[str]:
    if study.upper is None and study.calibrated:
        return [*_least(study.lower), f"The rest takes too long: {study.too_large}"]
    if study.upper is None:
        if study.regions is None:
            large = isinstance(study.surrogate, PolyhedralSurrogate)
            return ["No constant will do."] + ["How much is lost is told for fewer labels."] * large
        corner = study.hull.corners[0]
        lost = written(corner.loss_regret)
        return [f"At a surrogate regret of 0 the loss may have a regret of {lost}: {_at(study, corner)}"]
    if study.exact:
        lines = [f"{study.upper}, and no smaller constant will do."]
    else:
        lower = study.lower
        less = "whether less would do is not known" if lower is None else f"less than {lower.written} will not do"
        lines = [f"{study.upper} ({study.theorem}); {less}."]
    if study.regions is not None and study.hull.corners:
        corner = study.hull.corners[0]
        lost, paid = written(corner.loss_regret), written(corner.surrogate_regret)
        lines.append(f"It is attained: {_at(study, corner)} The loss has the regret {lost}, the surrogate {paid}.")
    elif study.touching is not None:
        names, found = study.loss.predictions, study.touching
        tie = f"{names[found.prediction]} and {names[found.better]} tie"
        where = "It is approached" if found.limit else f"It is attained: at {_distribution(study, found.p)}, decided"
        lines.append(f"{where} where {tie}.")
    return lines


def _least(lower: RegretBound | None) -> list[str]:
    """What no constant is below."""
    if lower is None or not lower.factor:
        return []
    return [f"regret_L ≤ c regret_ψ for some c; less than {lower.written} will not do."]


def _at(study: Regret, corner: Attained) -> str:
    decision = study.loss.predictions[corner.prediction]
    where = f"at {_distribution(study, corner.p)} and u = ({_listed(map(written, corner.u))}), or as near as one likes,"
    return f"{where} {study.pred.name} decides {decision}."


def _distribution(study: Regret, p: Sequence[Fraction]) -> str:
    return _listed(f"P({label}) = {written(x)}" for label, x in zip(study.loss.labels, p, strict=True) if x)


def _listed(parts: Iterable[str]) -> str:
    """All of them, or of many the first and the last."""
    shown = list(parts)
    return ", ".join(shown if len(shown) <= _MOST_PARTS else [*shown[: _MOST_PARTS - 2], "…", shown[-1]])


def _function(study: Regret) -> list[str]:
    try:
        delta = study.calibration_function
    except TooLarge as error:
        return [str(error), "Its convex hull:", *(f"  {written(x)}: {written(w)}" for x, w in study.hull.points)]
    lines = ["The least surrogate regret δ(ε) at which the loss can have a regret of ε, linear in between:"]
    rows = delta.breakpoints
    shown = rows if len(rows) <= _MOST_ROWS else (*rows[: _MOST_ROWS - 1], rows[-1])
    for epsilon, value, right in shown:
        jump = "" if value == right or right == inf else f", then {written(Fraction(right))}"
        lines.append(f"  δ({written(epsilon)}) = {written(value)}{jump}")
    if len(rows) > len(shown):
        lines.insert(-1, f"  … {len(rows) - len(shown)} more: --json")
    lines.append(f"More than {written(delta.largest)} is never lost.")
    if not delta.convex:
        hull = ", ".join(f"({written(x)}, {written(w)})" for x, w in study.hull.points[:_MOST_ROWS])
        lines.append(f"On average over instances its convex hull counts, through {hull}.")
    return lines


def data(study: Regret) -> dict[str, Any]:
    """Numbers as "a/b"; ∞ as null."""
    found: dict[str, Any] = {
        "surrogate": study.surrogate.name,
        "loss": study.loss.name,
        "pred": study.pred.name,
        "chosen": study.chosen,
        "calibrated": study.calibrated,
        "exact": study.exact,
        "upper": _bound(study.upper),
        "lower": _bound(study.lower),
    }
    if study.too_large:
        found["note"] = study.too_large
    if study.regions is not None:
        found["hull"] = [vector(point) for point in study.hull.points]
        found["attained"] = [_attained(study, each) for each in study.hull.corners]
        try:
            found["calibration_function"] = _breakpoints(study, study.calibration_function)
        except TooLarge as error:
            found["note"] = str(error)
    return found


def _bound(bound: RegretBound | None) -> dict[str, Any] | None:
    if bound is None:
        return None
    return {"constant": bound.exactly, "root": bound.root, "approximately": as_float(bound.above)}


def _breakpoints(study: Regret, delta: CalibrationFunction) -> list[dict[str, Any]]:
    found = []
    for epsilon, value, right in delta.breakpoints:
        row: dict[str, Any] = {"epsilon": str(epsilon), "delta": str(value)}
        row["from_above"] = None if right == inf else str(right)
        if epsilon > 0:
            row["attained"] = _attained(study, delta.attained(epsilon))
        found.append(row)
    return found


def _attained(study: Regret, each: Attained) -> dict[str, Any]:
    return {
        "p": vector(each.p),
        "u": vector(each.u),
        "prediction": plain(study.loss.predictions[each.prediction]),
        "loss_regret": str(each.loss_regret),
        "surrogate_regret": str(each.surrogate_regret),
    }
