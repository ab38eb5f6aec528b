"""Costs are guesses: what stays as it is if one of them moves, exactly, and if all do, sampled."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from lossmith.analysis.cost_interval import Interval
from lossmith.analysis.facts import Facts
from lossmith.analysis.likeliest_while import LikeliestWhile, decisions_of_labels
from lossmith.analysis.ordered_while import ordered_while
from lossmith.analysis.useful_while import UsefulWhile
from lossmith.answers import sensitivity_text
from lossmith.answers.estimators import practices_of
from lossmith.answers.uncertain import Uncertain, distributions, swings, uncertain
from lossmith.errors import BadInput, BadNumber
from lossmith.exact.rational import RationalLike, as_rational, quoted
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.text.numbers import counted

_MOST_COSTS = 1_000  # that are looked at one by one; those of the others nobody reads
_WORK = 1_000_000  # numbers in linear programs, a few seconds


@dataclass(frozen=True)
class Cost:
    """One entry: for which values of it, the others being what they are, things stay as they are now.

    `useful`: the same decisions are each best somewhere; `ordered`: and they stand in the same order, if they have one;
    `verdict`: the practice stays right, or wrong. None where it was not told. `higher` and `lower` are the shares of
    distributions, sampled, for which the best decision changes if this cost alone is 20 % higher, or lower.
    """

    label: int
    prediction: int
    cost: Fraction
    useful: Interval | None
    ordered: Interval | None
    verdict: Interval | None
    higher: float
    lower: float

    @property
    def swing(self) -> float:
        """How much depends on it: the share for 20 % more plus that for 20 % less."""
        return self.higher + self.lower


@dataclass(frozen=True)
class Threshold:
    """For two labels: the probability of the second from which on `after` is better than `before`.

    `bands` has its least and largest value for each number of per cent that all costs may be wrong.
    """

    before: int
    after: int
    value: Fraction
    bands: tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True)
class Sensitivity:
    """What depends on the costs of a loss, and how much; those that matter most come first.

    `practice` is acting on the likeliest label, where `decisions` has the decision of each label, and `right` tells
    whether it is right now; None if it was not asked for, or is not told.
    """

    loss: LossMatrix
    kept: tuple[int, ...]
    order: tuple[int, ...] | None
    practice: str | None
    decisions: tuple[int, ...]
    right: bool | None
    costs: tuple[Cost, ...]
    thresholds: tuple[Threshold, ...]
    together: tuple[Uncertain, ...]
    seed: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Sensitivity({self.loss.name!r}: {counted(len(self.costs), 'cost')})"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text())}</pre>"

    def text(self, *, full: bool = False) -> str:
        """What is printed: on one screen, or in full."""
        return sensitivity_text.text(self, full)

    @cached_property
    def by_name(self) -> dict[tuple[object, object], Cost]:
        """The costs by the names of label and decision."""
        names = self.loss.labels, self.loss.predictions
        return {(names[0][each.label], names[1][each.prediction]): each for each in self.costs}

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, exact numbers as "a/b" with a rounded one beside them."""
        return sensitivity_text.plain(self)

    def to_json(self) -> str:
        """The same as JSON text."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False)


def sensitivity(
    loss: LossLike,
    *,
    practice: str | None = "argmax",
    uncertainty: Iterable[RationalLike] = (10, 20, 50),
    seed: int = 0,
    progress: Progress | None = None,
) -> Sensitivity:
    """Tell how much depends on each cost, and on all of them together.

    If one cost moves and the others stay, exactly: in which interval the same decisions are useful, stand in the same
    order, and the `practice` is right or wrong as it is now. That is "argmax", to act on the likeliest label of a model
    that tells probabilities, or the name of an estimator that `lossmith which` knows. If all move, by up to so many per
    cent: how often another decision is best and what it costs to decide as now, sampled with this `seed`, and at worst,
    exactly. At most 1,000 entries are told of, those on which most depends.

    >>> study = sensitivity(LossMatrix([[0, 1], [5, 0]], labels=["well", "ill"], predictions=["wait", "treat"]))
    >>> study.by_name["ill", "wait"].useful
    Interval(low=Fraction(0, 1), high=None, low_included=False, high_included=False)
    >>> [float(round(x, 3)) for x in study.thresholds[0].bands[1]]        # P(ill) = 1/6, all costs ± 20 %
    [0.118, 0.231]
    """
    facts, percents = Facts(as_loss(loss).matrix(), progress), _percents(uncertainty)
    loss, notes = facts.loss, list[str]()
    told = _told(practice)
    if practice is not None and not told:
        notes.append(f"whether {practice} stays as right as it is now is not told: only for models of probabilities")
    decisions = decisions_of_labels(loss)
    acting = LikeliestWhile(facts.columns, decisions) if told else None
    P = distributions(loss.n, loss.k, seed)
    known = UsefulWhile(facts, _WORK)
    together = uncertain(known, percents, P, seed, progress)
    costs = _costs(known, acting, *swings(loss, P))
    if loss.n * loss.k > len(costs):
        notes.append(
            f"{loss.n * loss.k - len(costs):,} of the {loss.n * loss.k:,} costs, on which less depends, are left out"
        )
    open_ones = sum(each.useful is None for each in costs)
    if open_ones:
        notes.append(
            f"for {counted(open_ones, 'cost')} it was not computed in which interval the same decisions stay useful"
        )
    order = facts.order if loss.n > 2 else tuple(sorted(facts.kept, key=lambda t: facts.columns[t][0]))
    return Sensitivity(
        loss, facts.kept, order, practice, decisions, acting.right if acting else None, costs,
        _thresholds(facts, percents), together, seed, tuple(notes),
    )  # fmt: skip


def _percents(uncertainty: Iterable[RationalLike]) -> tuple[Fraction, ...]:
    if isinstance(uncertainty, str) or not isinstance(uncertainty, Iterable):
        raise BadInput(f"uncertainty is {quoted(uncertainty)}; give a list of per cent, such as [10, 20, 50]")
    percents = tuple(map(_percent, uncertainty))
    for each in percents:
        if not Fraction(1, 10) <= each <= 100:
            raise BadInput(f"uncertainty has {float(each):g} %; give per cent between 0.1 and 100, such as 10, 20, 50")
    if not percents:
        raise BadInput("uncertainty is empty; give per cent, such as 10, 20, 50")
    return percents


def _percent(given: RationalLike) -> Fraction:
    try:
        return as_rational(given)
    except BadNumber:
        raise BadInput(f"uncertainty has {quoted(given)}; give numbers of per cent, such as 10, 20, 50") from None


def _told(practice: str | None) -> bool:
    """Whether the practice is to act on the largest of several probabilities."""
    if practice is None or practice == "argmax":
        return practice is not None
    return all(each.by_probabilities for each in practices_of(practice))


def _costs(known: UsefulWhile, acting: LikeliestWhile | None, higher: Any, lower: Any) -> tuple[Cost, ...]:
    """Each entry, those first on which most depends."""
    facts = known.facts
    loss, unit = facts.loss, facts.loss.rational.denominator
    swing, found = higher + lower, []
    places = sorted((-swing[y, t], y, t) for y in range(loss.n) for t in range(loss.k))
    for _, y, t in places[:_MOST_COSTS]:
        useful, ordered, verdict = known.interval(y, t), None, None
        if useful is not None and loss.n == 2:
            ordered = useful
        elif useful is not None and facts.order is not None:
            ordered = _in_units(ordered_while(facts.columns, facts.order, y, t), unit).meet(useful)
        if acting is not None:
            verdict = _in_units(acting.interval(y, t), unit)
        cost = loss.entries[y][t]
        found.append(Cost(y, t, cost, useful, ordered, verdict, float(higher[y, t]), float(lower[y, t])))
    return tuple(found)


def _in_units(interval: Interval, unit: int) -> Interval:
    high = None if interval.high is None else interval.high / unit
    return Interval(interval.low / unit, high, interval.low_included, interval.high_included)


def _thresholds(facts: Facts, percents: Sequence[Fraction]) -> tuple[Threshold, ...]:
    """For two labels where one decision takes over from the next, and between which values if all costs are uncertain.

    At the threshold p the gain (1 − p) a is the loss p b, with a = L_0s − L_0r and b = L_1r − L_1s, for r before s.
    It is a/(a + b), which grows with a and falls with b.
    """
    if facts.loss.n != 2:
        return ()
    first, second = facts.loss.entries
    found = []
    for r, s in pairwise(sorted(facts.kept, key=lambda t: first[t])):
        bands = []
        for percent in percents:
            up, down = 1 + percent / 100, 1 - percent / 100
            a = max(Fraction(0), down * first[s] - up * first[r]), up * first[s] - down * first[r]
            b = max(Fraction(0), down * second[r] - up * second[s]), up * second[r] - down * second[s]
            bands.append((a[0] / (a[0] + b[1]), a[1] / (a[1] + b[0])))
        a_now, b_now = first[s] - first[r], second[r] - second[s]
        found.append(Threshold(r, s, a_now / (a_now + b_now), tuple(bands)))
    return tuple(found)
