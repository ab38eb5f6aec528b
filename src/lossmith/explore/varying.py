"""One cost moves: the interval in which the same decisions stay useful, and the bands through which thresholds move."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lossmith.analysis.band import Band, bands
from lossmith.analysis.cost_interval import Interval
from lossmith.analysis.facts import Facts
from lossmith.answers.sensitive import sensitivity
from lossmith.answers.sensitivity_text import while_text
from lossmith.errors import BadInput, LossmithError
from lossmith.exact.rational import as_rational
from lossmith.explore.drawing import Answer, Asked, around, cut_of, number
from lossmith.explore.state import loss_of, numbers_of
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.text.numbers import probabilities, significant, written

_TURNED = str.maketrans("<≤", ">≥")
PERCENT = 10  # by which a cost that is pointed at is varied


def sensitive(asked: Asked, progress: Progress | None = None) -> Answer:
    """For each cost, the interval in which the same decisions stay useful."""
    state = asked.get("state")
    study = sensitivity(loss_of(state), progress=progress)
    best = [max(row) for row in numbers_of(state)] if _is_gain(asked) else None
    costs = []
    for each in study.costs:
        told = while_text(each.useful, each.cost)
        if best is not None and each.useful is not None:
            told = gain_text(each.useful, best[each.label])
        costs.append({"label": each.label, "decision": each.prediction, "useful": told})
    return {"text": str(study), "costs": costs, "notes": list(study.notes)}


def gain_text(costs: Interval, best: Fraction) -> str:
    """The gains whose costs, what they are below the `best` gain of their label, lie in an interval.

    That costs are not negative is no statement on gains: those above the best one have not been looked at.

    >>> gain_text(Interval(Fraction(0), Fraction(10)), Fraction(4)), gain_text(Interval(), Fraction(4))
    ('gain > -6, at least up to 4', 'every gain, at least up to 4')
    >>> gain_text(Interval(Fraction(1), None), Fraction(4))
    'gain ≤ 3'
    """
    left, right = ("≤" if included else "<" for included in (costs.high_included, costs.low_included))
    low = None if costs.high is None else _shown(best - costs.high)
    high = _shown(best - costs.low)
    if costs.low == 0 and costs.low_included:
        return f"{'every gain' if low is None else f'gain {left.translate(_TURNED)} {low}'}, at least up to {high}"
    return f"gain {right} {high}" if low is None else f"{low} {left} gain {right} {high}"


def _shown(x: Fraction) -> str:
    return written(x) if as_rational(written(x)) == x else f"about {written(x)}"


def varied(asked: Asked, progress: Progress | None = None) -> Answer:
    """The bands of one cost that is 10 % lower to 10 % higher; of a cost of 0, up to 10 % of the largest of its row."""
    state = asked.get("state")
    loss = loss_of(state)
    row, column = _entry(asked, loss)
    numbers = numbers_of(state)[row]
    now = numbers[column]
    by = max(map(abs, numbers)) * Fraction(PERCENT, 100) if now == 0 else abs(now) * Fraction(PERCENT, 100)
    gains = _is_gain(asked)
    low = now if now == 0 and not gains else now - by  # no cost is negative
    found = _swept(asked, loss, (now, low, now + by), progress)
    ends = f"{written(low)} to {written(now + by)}"
    if not by:
        found["text"] = f"is not varied, as everything is 0 when the truth is {loss.labels[row]}."
    elif now:
        found["text"] = f"{PERCENT} % lower to {PERCENT} % higher ({ends}): {found['text']}"
    else:
        found["text"] = f"{ends} ({PERCENT} % of the largest in its row): {found['text']}"
    return found


def ranged(asked: Asked, progress: Progress | None = None) -> Answer:
    """The bands of one cost that runs through a range, and which decisions are useful at its ends."""
    state = asked.get("state")
    loss = loss_of(state)
    row, column = _entry(asked, loss)
    ends = []
    for end in ("low", "high"):
        costs = [list(line) for line in state["costs"]]  # type: ignore[index]
        costs[row][column] = str(asked.get(end))
        moved: Any = {**state, "costs": costs}  # type: ignore[dict-item]
        try:
            ends.append((numbers_of(moved)[row][column], Facts(loss_of(moved), progress).kept))
        except LossmithError as error:
            raise BadInput(f"{end} end of the range: {error}") from None
    (low, at_low), (high, at_high) = sorted(ends)
    found = _swept(asked, loss, (numbers_of(state)[row][column], low, high), progress)
    found["same"] = at_low == at_high
    names = [", ".join(str(loss.predictions[t]) for t in each) for each in (at_low, at_high)]
    found["text"] += (
        f" At both ends the same decisions are useful: {names[0]}."
        if found["same"]
        else f" At the low end {names[0]} are useful, at the high end {names[1]}."
    )
    return found


def _entry(asked: Asked, loss: LossMatrix) -> tuple[int, int]:
    row, column = asked.get("row"), asked.get("column")
    if type(row) is not int or type(column) is not int or not (0 <= row < loss.n and 0 <= column < loss.k):
        raise BadInput("the range is of no entry; give its row and its column")
    return row, column


def _is_gain(asked: Asked) -> bool:
    return bool(asked["state"].get("gains"))


def _swept(asked: Asked, loss: LossMatrix, values: tuple[Fraction, ...], progress: Progress | None) -> Answer:
    """The bands where only the labels that are drawn are possible; `values` are the number now and at the ends."""
    (row, column), cut = _entry(asked, loss), cut_of(loss, asked.get("cut"))
    now, low, high = values
    cost, sign = loss.entries[row][column], -1 if _is_gain(asked) else 1
    cheap, dear = sorted((cost + sign * (low - now), cost + sign * (high - now)))
    found: Answer = {"decision": column, "cut": list(cut), "low": number(low), "high": number(high), "bands": []}
    if row not in cut:
        return found | {"text": f"nothing moves here: {loss.labels[row]} is not among the labels that are drawn."}
    drawn = loss.restrict(labels=[loss.labels[y] for y in cut]) if len(cut) < loss.n else loss
    swept = bands(drawn, cut.index(row), column, cheap, dear, progress)
    if sign < 0:  # the low end of the gain is the high one of the cost
        swept = tuple(Band(each.prediction, each.polytope, each.high, each.low) for each in swept)
    found["bands"] = [_band(each) for each in swept]
    return found | {"text": _words(drawn, column, swept)}


def _band(band: Band) -> Answer:
    """The corners of a band, those of the walls at which it begins and ends, and for two labels its ends, exactly."""
    found: Answer = {"decision": band.prediction, "vertices": np.array(band.polytope.vertices, dtype=float).tolist()}
    for end, row in (("low", band.low), ("high", band.high)):
        corners = np.array(band.wall(row), dtype=float)
        found[end] = corners[around(corners, range(len(corners)))].tolist() if len(corners) > 2 else corners.tolist()
    if len(band.low) == 2:
        found["ends"] = [number(p) for p in _ends(band)]
    return found


def _ends(band: Band) -> list[Fraction]:
    """For two labels: between which probabilities of the second the threshold lies."""
    return sorted(p[1] for p in band.polytope.vertices)


def _words(drawn: LossMatrix, t: int, swept: Sequence[Band]) -> str:
    names = [str(drawn.predictions[band.prediction]) for band in swept]
    own = drawn.predictions[t]
    if not swept:
        return "no threshold moves, the best decision stays the same everywhere."
    if drawn.n == 2:
        ends = [" and ".join(probabilities(_ends(band))) for band in swept]
        where = f"lies between P({drawn.labels[1]}) ="
        told = (f"the threshold of {own} and {name} {where} {end}" for name, end in zip(names, ends, strict=True))
        return "; ".join(told) + "."
    share = significant(100 * sum((band.share for band in swept), Fraction(0)), 2)
    what = "boundaries" if len(names) > 1 else "boundary"
    return (
        f"the {what} of {own} with {_listed(names)} can lie anywhere in the shaded band, {share} % of the picture; "
        "elsewhere the best decision does not depend on it."
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
