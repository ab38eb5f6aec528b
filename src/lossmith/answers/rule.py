"""The decision rule of a loss in words: when each decision that is needed costs least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from lossmith.analysis.facts import Facts
from lossmith.analysis.trigger_probabilities import TriggerSet
from lossmith.exact.vectors import Row, minus, primitive
from lossmith.losses.matrix import LossMatrix
from lossmith.text.numbers import WIDTH, counted, lines_of, threshold_text, threshold_texts, written

_FEW_THRESHOLDS = 4  # that are read in one sentence
_LONGEST = 2 * WIDTH  # letters for the conditions of one decision
_MOST_TERMS, _MOST_LABELS = 5, 6
_MANY = 6  # decisions, from which on those of one kind are told once
_SMALL = 10_000  # factors below are shown as they are


@dataclass(frozen=True)
class Rule:
    """A heading, and a sentence for each decision, or for one of each kind of them; print it."""

    heading: str
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, most: int | None = None) -> list[str]:
        """The rule, each sentence on as few lines as it needs, up to a number of lines."""
        shown: list[str] = []
        for i, sentence in enumerate(self.sentences):
            new = lines_of(sentence, "  ", "    ")
            left = len(self.sentences) - i
            if most is not None and shown and len(shown) + len(new) > most - (left > 1):
                return [self.heading, *shown, f"  … and {left} more"]
            shown += new
        return [self.heading, *shown]


@dataclass(frozen=True)
class Threshold:
    """Of two labels: the decision is best while the probability of the second one lies in between."""

    decision: int
    low: Fraction
    high: Fraction


def rule_of(facts: Facts, cells: Sequence[TriggerSet] | None) -> Rule | None:
    """The rule, from the cells if they are known; None if it takes where each decision wins to tell it.

    >>> from lossmith.losses import ordinal
    >>> loss = LossMatrix([[0, 1, 5], [70, 10, 0]], ["ok", "fraud"], ["approve", "review", "decline"])
    >>> print(*rule_of(Facts(loss), None).lines(), sep=chr(10))
    Decide by the probability of fraud:
      approve when P(fraud) ≤ 1/61 ≈ 0.0164; review up to 2/7 ≈ 0.286; else decline
    >>> print(*rule_of(Facts(ordinal(4)), None).lines(), sep=chr(10))
    The first of these that holds decides:
      0  when P(0) ≥ 0.5
      1  when P(0) + P(1) ≥ 0.5
      2  when 0.5 ≥ P(3)
      3  else
    """
    loss = facts.loss
    if len(facts.kept) == 1:
        return Rule(f"Always decide {loss.predictions[facts.kept[0]]}: nothing else ever costs less.", ())
    if loss.n == 2:
        return _by_thresholds(loss, thresholds(facts))
    if facts.order is not None:
        return _ladder(facts, facts.order)
    if cells is not None and cells[0].coordinates is None:
        return _conditions(facts, cells)
    return None


def thresholds(facts: Facts) -> tuple[Threshold, ...]:
    """For two labels: the needed decisions in the order in which the second label becomes more probable.

    >>> [(each.decision, str(each.high)) for each in thresholds(Facts(LossMatrix([[0, 1], [5, 0]])))]
    [(0, '1/6'), (1, '1')]
    """
    columns = facts.columns
    order = sorted(facts.kept, key=lambda t: columns[t][0])  # what is cheap if the first label is true comes first
    ends = [Fraction(0)]
    for s, t in pairwise(order):
        first, second = (columns[t][y] - columns[s][y] for y in (0, 1))
        ends.append(Fraction(first, first - second))
    ends.append(Fraction(1))
    return tuple(Threshold(t, low, high) for t, (low, high) in zip(order, pairwise(ends), strict=True))


def _by_thresholds(loss: LossMatrix, found: Sequence[Threshold]) -> Rule:
    names, quantity = loss.predictions, f"P({loss.labels[1]})"
    heading = f"Decide by the probability of {loss.labels[1]}:"
    first, *between, last = found
    shown = threshold_texts([each.high for each in found[:-1]])
    if len(found) <= _FEW_THRESHOLDS:
        parts = [f"{names[first.decision]} when {quantity} ≤ {shown[0]}"]
        parts += [f"{names[each.decision]} up to {high}" for each, high in zip(between, shown[1:], strict=True)]
        return Rule(heading, ("; ".join([*parts, f"else {names[last.decision]}"]),))
    told = in_columns([names[each.decision] for each in found])
    return Rule(
        heading, (*(f"{name}  up to {high}" for name, high in zip(told, shown, strict=False)), f"{told[-1]}  above")
    )


def in_columns(names: Sequence[object]) -> list[str]:
    """Names of one length.

    >>> in_columns(["a", "bc"])
    ['a ', 'bc']
    """
    width = max(len(f"{name}") for name in names)
    return [f"{name}".ljust(width) for name in names]


def _ladder(facts: Facts, order: Sequence[int]) -> Rule:
    """Where the decisions are ordered the cells are nested half-spaces: the first that contains p decides."""
    order = order if order[0] <= order[-1] else order[::-1]
    columns, told = facts.columns, in_columns([facts.loss.predictions[t] for t in order])
    walls = [condition(primitive(minus(columns[t], columns[s])), facts.loss.labels) for s, t in pairwise(order)]
    lines = [f"{name}  when {wall}" for name, wall in zip(told, walls, strict=False)]
    return Rule("The first of these that holds decides:", (*lines, f"{told[-1]}  else"))


def _conditions(facts: Facts, cells: Sequence[TriggerSet]) -> Rule | None:
    of, names = {cell.prediction: cell for cell in cells}, facts.loss.predictions
    kinds = facts.kinds if len(cells) >= _MANY else [(cell.prediction,) for cell in cells]
    lines, told = [], in_columns([names[t] for t, *_ in kinds])
    for name, (t, *alike) in zip(told, kinds, strict=True):
        when = conditions_of(of[t], facts.loss.labels)
        if len(when) > _LONGEST:
            return None
        lines.append(f"{name}  when {when}{likewise([names[s] for s in alike])}")
    return Rule("What costs least on average:", tuple(lines))


def conditions_of(cell: TriggerSet, labels: Sequence[object]) -> str:
    """The inequalities that part the cell from others; those with the same left side together."""
    separating = {row for row, _ in cell.separators}
    sides: dict[str, list[str]] = {}
    for row in cell.polytope.inequalities:
        if row in separating:
            left, right = condition(row, labels).split(" ≥ ")
            sides.setdefault(left, []).append(right)
    told = (f"{left} ≥ {'each of ' * (len(right) > 1)}{several(right)}" for left, right in sides.items())
    return " and ".join(told) or "always"


def condition(row: Row, labels: Sequence[object], sign: str = "≥") -> str:
    """a·p ≥ 0 with the negative terms on the right, where the factors are long divided by the largest, and rounded.

    Two different factors are a threshold: as the probabilities sum to 1, some of them say it all.

    >>> condition((1, -2, 0, -1), "abcd")
    'P(a) ≥ 2 P(b) + P(d)'
    >>> condition((1, -9, -9), "abc"), condition((9, -1, 9), "abc")
    ('P(a) ≥ 0.9', '0.9 ≥ P(b)')
    >>> condition((1234567, -4000000, -2469134), "abc")
    '0.3086 P(a) ≥ P(b) + 0.6173 P(c) (rounded)'
    """
    if len(set(row)) == 2:
        return _threshold(row, labels, sign)
    largest = max(map(abs, row), default=1)
    unit = 1 if largest < _SMALL else largest
    sides = [[(Fraction(abs(a), unit), y) for a, y in zip(row, labels, strict=True) if a * way > 0] for way in (1, -1)]
    exact = all(Fraction(written(a)) == a for side in sides for a, _ in side)
    return f" {sign} ".join(map(_sum, sides)) + " (rounded)" * (not exact)


def _threshold(row: Row, labels: Sequence[object], sign: str) -> str:
    """a·p ≥ 0 where a has the value A on some labels, of which there are not more than others, and B on these."""
    own = min(sorted(set(row), key=row.index), key=row.count)
    other = next(x for x in row if x != own)
    told = _sum([(Fraction(1), y) for a, y in zip(row, labels, strict=True) if a == own])
    bound = threshold_text(Fraction(-other, own - other))
    return f"{told} {sign} {bound}" if own > other else f"{bound} {sign} {told}"


def _sum(terms: Sequence[tuple[Fraction, object]]) -> str:
    shown = [("" if a == 1 else f"{written(a)} ") + f"P({label})" for a, label in terms]
    if len(shown) > _MOST_TERMS:
        shown = [*shown[: _MOST_TERMS - 2], f"… ({len(shown)} terms)", shown[-1]]
    return " + ".join(shown) or "0"


def distribution_text(p: Sequence[Fraction], labels: Sequence[object], most: int | None = _MOST_LABELS) -> str:
    """A distribution by the labels that can be met, the most probable ones if they are many.

    >>> distribution_text([Fraction(2, 5), Fraction(3, 5), Fraction(0)], "abc")
    'P(a) = 0.4, P(b) = 0.6'
    """
    met = [(label, x) for label, x in zip(labels, p, strict=True) if x]
    if most is None or len(met) <= most:
        return ", ".join(f"P({label}) = {written(x, 3)}" for label, x in met)
    shown = sorted(met, key=lambda each: -each[1])[: most - 1]
    listed = ", ".join(f"P({label}) = {written(x, 3)}" for label, x in shown)
    return f"{listed}, and {counted(len(met) - most + 1, 'more label')}"


def likewise(others: Sequence[object]) -> str:
    """The other decisions of one kind, if there are any."""
    if not others:
        return ""
    return f" ({1 + len(others)} decisions of one kind: likewise, with labels exchanged, {several(others)})"


def several(names: Sequence[object], most: int = 12) -> str:
    """Names in a list, the first ones of many.

    >>> several(["a", "b", "c"], 2)
    'a, b, … 1 more'
    """
    more = len(names) - most
    return ", ".join(map(format, names[:most])) + (f", … {more} more" if more > 0 else "")
