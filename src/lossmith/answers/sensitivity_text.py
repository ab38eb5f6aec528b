"""Sensitivities in print, on one screen, and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from lossmith.analysis.cost_interval import Interval
from lossmith.losses.matrix import LossMatrix
from lossmith.text.names import cut
from lossmith.text.numbers import at_most, counted, folded, shown_exactly

if TYPE_CHECKING:
    from lossmith.answers.sensitive import Cost, Sensitivity
    from lossmith.answers.uncertain import Uncertain

_MOST_ROWS, _SCREEN, _WIDEST = 10, 118, 16
_FEWEST = 20  # matrices, of which a share can be told


def text(study: Sensitivity, full: bool) -> str:
    """What depends on one cost, then on all."""
    loss = study.loss
    parts = [
        f"{loss.name}: {counted(loss.n, 'label')} × {counted(loss.k, 'decision')}",
        _now(study),
        _one_by_one(study, full),
        _together(study),
        "\n".join(f"Note: {note}." for note in study.notes),
    ]
    return "\n".join(line.rstrip() for line in "\n\n".join(filter(None, parts)).split("\n"))


def _now(study: Sensitivity) -> str:
    """The rule, and what is thought of the practice."""
    loss, kept = study.loss, study.kept
    names = [_cut(name) for name in loss.predictions]
    if study.thresholds:
        steps = [names[study.thresholds[0].before]]
        steps += [f"{names[each.after]} from {_exact_or_about(each.value)} on" for each in study.thresholds]
        rule = f"By P({_cut(loss.labels[1])}): {_listed(steps)}."
    else:
        count = "1 decision is" if len(kept) == 1 else f"{len(kept)} decisions are"
        order = ", in this order" if study.order and len(kept) > 2 else ""
        rule = f"{count} useful{order}: {_listed([names[t] for t in study.order or kept])}."
    if study.right is None:
        return rule
    act = f"Acting on the likeliest label (argmax) is {_verdict(study)} for these costs"
    if set(loss.labels) <= set(loss.predictions):
        return f"{rule}\n{act}."
    pairs = [f"{_cut(y)} → {names[t]}" for y, t in zip(loss.labels, study.decisions, strict=True)]
    return f"{rule}\n{act}:\n  {_listed(pairs)}."


def _verdict(study: Sensitivity) -> str:
    return "right" if study.right else "wrong"


def _one_by_one(study: Sensitivity, full: bool) -> str:
    """A row for each cost, those first on which most depends."""
    shown = study.costs if full else study.costs[:_MOST_ROWS]
    more = len(study.costs) - len(shown)
    what = "exact intervals" if shown_exactly() else "intervals, rounded inwards"
    return "\n".join(
        [
            f"If one cost moves and the others stay ({what}; those first on which most depends):",
            *_in_columns(_fitting(study, shown)),
            *([f"  … and {more:,} more: --full, or study.costs"] if more > 0 else []),
            "  * of how many distributions, sampled, 20 % less or 20 % more of it alone changes the best decision",
        ]
    )


def _fitting(study: Sensitivity, shown: Sequence[Cost]) -> list[list[str]]:
    """The table with names cut so that it is as wide as a screen; if need be, without the order."""
    columns = [["useful decisions stay", *(while_text(each.useful, each.cost) for each in shown)]]
    if study.right is not None:
        head = f"argmax stays {_verdict(study)}"
        columns.append([head, *(while_text(each.verdict, each.cost) for each in shown)])
    if study.order is not None and study.loss.n > 2 and len(study.kept) > 2:
        columns.insert(1, ["in this order", *(while_text(each.ordered, each.cost) for each in shown)])
    for last in (columns, [columns[0], *columns[2:]]):
        for width in range(_WIDEST, 5, -1):
            rows = [[*start, *rest] for start, rest in zip(_starts(study, shown, width), zip(*last, strict=True))]
            if len(_in_columns(rows)[0]) <= _SCREEN:
                return rows
    return rows


def _starts(study: Sensitivity, shown: Sequence[Cost], width: int) -> list[list[str]]:
    """Names, cost and what depends on it."""
    labels, names = study.loss.labels, study.loss.predictions
    rows = [["truth", "decision", "cost", "±20 % changes*"]]
    for each in shown:
        places = cut(labels[each.label], width), cut(names[each.prediction], width)
        rows.append([*places, decimal(each.cost), f"{_percent(each.lower)} / {_percent(each.higher)}"])
    return rows


def _together(study: Sensitivity) -> str:
    one = study.together[0]
    rows = [
        [
            "all costs",
            "other useful set",
            "other best decision",
            "mean price (of cost)",
            "largest seen",
            f"at worst ({'exact' if shown_exactly() else 'rounded up'})",
        ]
    ]
    for each in study.together:
        price = f"{_price(each.mean_price)} ({_percent(each.relative)})"
        worst = f"{'' if each.attained else '≤ '}{at_most(1000 * each.most)}"
        others = _percent(each.another_set) if each.sets >= _FEWEST else "not told"
        row = [f"± {decimal(each.percent)} %", others, _percent(each.changed), price]
        rows.append([*row, _price(each.largest_price), worst])
    return "\n".join(
        [
            "If all costs are uncertain and you decide as now (prices: per 1000 cases, above the best decision;",
            f"sampled: {one.matrices} matrices × {one.distributions:,} distributions, seed {study.seed}; "
            "a cost of 0 stays 0):",
            *_in_columns(rows),
            *_never(study.together),
        ]
    )


def _never(together: Sequence[Uncertain]) -> list[str]:
    bounds = [
        f"{_written(_rounded(100 * each.most_relative, 3, ceil))} % at ± {decimal(each.percent)} %"
        for each in together
        if each.most_relative is not None
    ]
    told = f"  Whatever the true costs, deciding as now is dearer than the best by at most {', '.join(bounds)}."
    return folded([told]).splitlines() if bounds else []


def _in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows, all as wide as the widest."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(map(str.ljust, row, widths)) for row in rows]


def _listed(names: Sequence[str]) -> str:
    """As many of the names as a line has room for."""
    for count in range(len(names), 0, -1):
        more = f", … {len(names) - count} more" if count < len(names) else ""
        text = ", ".join(names[:count]) + more
        if len(text) <= _SCREEN - 50:
            break
    return text


def while_text(interval: Interval | None, now: Fraction) -> str:
    """An interval of costs in words, its ends rounded inwards, to as many digits as keep the present cost in it.

    >>> while_text(Interval(Fraction(1, 3), Fraction(7), False, True), Fraction(1)), while_text(Interval(), Fraction(1))
    ('0.3334 < cost ≤ 7', 'any cost')
    """
    if interval is None:
        return "not told"
    if interval.everything:
        return "any cost"
    if interval.low == interval.high:
        return f"only {decimal(interval.low)}"
    low = _end(interval.low, now, up=True)
    left, right = "≤" if interval.low_included else "<", "≤" if interval.high_included else "<"
    if interval.high is None:
        return f"cost {'≥' if interval.low_included else '>'} {low}"
    high = _end(interval.high, now, up=False)
    bounded = interval.low > 0 or not interval.low_included
    return f"{low} {left} cost {right} {high}" if bounded else f"cost {right} {high}"


def _end(end: Fraction, now: Fraction, *, up: bool) -> str:
    if shown_exactly():
        return str(end)
    for digits in (6, *range(4, 40)):
        shown = _rounded(end, digits, ceil if up else floor)
        if digits == 6 and Fraction(shown) != end:
            continue  # six digits only where they are all there are
        if end == now or (Fraction(shown) <= now if up else Fraction(shown) >= now):
            break
    return _written(shown)


def decimal(value: Fraction, digits: int = 4) -> str:
    """A number as people write it, with so many digits that count.

    >>> decimal(Fraction(501, 2)), decimal(Fraction(1, 3)), decimal(Fraction(10**30)), decimal(Fraction(0))
    ('250.5', '0.3333', '1e+30', '0')
    """
    return str(value) if shown_exactly() else _written(_rounded(value, digits, round))


def _exact_or_about(value: Fraction) -> str:
    text = decimal(value)
    return text if Fraction(text) == value else f"about {text}"


def _rounded(value: Fraction, digits: int, towards: Any) -> Decimal:
    """The value with so many digits that count; whole numbers keep theirs up to nine."""
    if value == 0 or (value.denominator == 1 and abs(value) < 10**9):
        return Decimal(int(value))
    size = len(str(abs(value.numerator))) - len(str(value.denominator))  # the exponent of 10, or one more
    size -= abs(value) < Fraction(10) ** size
    shift = digits - 1 - size
    if shift < 0 and size < 9:
        shift = 0
    return Decimal(towards(value * Fraction(10) ** shift)).scaleb(-shift)


def _written(number: Decimal) -> str:
    size = number.adjusted()
    text = f"{number:f}" if -5 < size < 9 else f"{number.normalize():e}"
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def _price(sampled: Fraction) -> str:
    """Per 1000 cases; what is sampled is rounded in any case."""
    price = 1000 * sampled
    return f"{round(price):,}" if 1000 <= price < 10**15 else _written(_rounded(price, 3, round))


def _percent(share: float) -> str:
    if share == 0:
        return "0 %"
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.1f} %" if share >= 0.0005 else "< 0.1 %"


def _cut(name: object) -> str:
    return cut(name, _WIDEST)


# Plain data.


def plain(study: Sensitivity) -> dict[str, Any]:
    """Names for labels and predictions; exact numbers as text, each with a rounded one."""
    loss = study.loss
    names = loss.predictions
    return {
        "loss": loss.name,
        "useful": [names[t] for t in study.kept],
        "order": None if study.order is None else [names[t] for t in study.order],
        "practice": _practice(study),
        "costs": [_cost(loss, each) for each in study.costs],
        "thresholds": [
            {
                "before": names[each.before],
                "after": names[each.after],
                "probability": _number(each.value),
                "bands": [
                    {"percent": float(level.percent), "low": _number(low), "high": _number(high)}
                    for level, (low, high) in zip(study.together, each.bands, strict=True)
                ],
            }
            for each in study.thresholds
        ],
        "together": [_level(loss, each) for each in study.together],
        "seed": study.seed,
        "notes": list(study.notes),
    }


def _practice(study: Sensitivity) -> dict[str, Any] | None:
    if study.practice is None:
        return None
    pairs = zip(study.loss.labels, study.decisions, strict=True)
    decisions = [[label, study.loss.predictions[t]] for label, t in pairs]
    return {"name": study.practice, "right": study.right, "decisions": decisions}


def _cost(loss: LossMatrix, each: Cost) -> dict[str, Any]:
    return {
        "label": loss.labels[each.label],
        "prediction": loss.predictions[each.prediction],
        "cost": _number(each.cost),
        "useful": _interval(each.useful),
        "ordered": _interval(each.ordered),
        "verdict": _interval(each.verdict),
        "sampled_changes": {"lower": each.lower, "higher": each.higher},
    }


def _level(loss: LossMatrix, each: Uncertain) -> dict[str, Any]:
    at = [[label, _number(x)] for label, x in zip(loss.labels, each.at, strict=True) if x]
    return {
        "percent": float(each.percent),
        "sampled": {
            "matrices": each.matrices,
            "sets": each.sets,
            "distributions": each.distributions,
            "another_set": each.another_set,
            "changed": each.changed,
            "mean_price": _about(each.mean_price),
            "mean_cost": _about(each.mean_cost),
            "largest_price": _about(each.largest_price),
        },
        "at_worst": {"price": _number(each.most), "attained": each.attained, "at": at},
    }


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    if interval is None:
        return None
    return {
        "low": _number(interval.low),
        "high": None if interval.high is None else _number(interval.high),
        "low_included": interval.low_included,
        "high_included": interval.high_included,
    }


def _number(value: Fraction) -> dict[str, Any]:
    return {"exact": str(value), "value": _about(value)}


def _about(value: Fraction) -> float | None:
    """The nearest float; None for numbers that are too large for any."""
    try:
        return float(value)
    except OverflowError:
        return None
