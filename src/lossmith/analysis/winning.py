"""What can be told of the cells of a loss without their vertices: where each prediction wins, and beside which.

Two cells share a facet exactly if at some p the two predictions are optimal and all others are not: where they tie, Δ
is cut in dimension n − 2, as neither of two kept predictions dominates the other, and near p all of the cut belongs to
both cells. Such p come almost free, as the breaks of the least risk along segments; linear programs settle the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING

from lossmith.exact.vectors import Row, cleared, dot, minus, primitive, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.simplex import simplest_near

if TYPE_CHECKING:
    from lossmith.analysis.facts import Facts

_WORK = 4_000_000  # products of numbers that segments and programs may take
_DIGITS = 10**9


@dataclass(frozen=True)
class Winning:
    """A distribution at which one prediction is the only optimal one, and by how much: about as much as can be."""

    prediction: int
    p: tuple[Fraction, ...]
    margin: Fraction


def winning(facts: Facts) -> tuple[Winning, ...]:
    """For each kept prediction a simple distribution at which it wins, by nearly the largest margin there is.

    Floats guess where; the margin is exact.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.losses import zero_one
    >>> [tuple(map(str, (*each.p, each.margin))) for each in winning(Facts(zero_one(2)))]
    [('1', '0', '1'), ('0', '1', '1')]
    """
    from lossmith.geometry.float_lp import LargestMargins  # loads numpy and HiGHS

    columns = [facts.columns[t] for t in facts.kept]
    if len(columns) == 1:
        n = facts.loss.n
        return (Winning(facts.kept[0], (Fraction(1, n),) * n, Fraction(0)),)
    guesses, unit = LargestMargins(columns), facts.loss.rational.denominator
    found: dict[int, Winning] = {}
    for first, *alike in facts.kinds:
        i = facts.kept.index(first)
        p = _integers(guesses.at(i))
        if _margin(columns, i, p) <= 0:  # floats were misled
            p = tuple(cleared(facts.alone(first)))
        shown = simplest_near(p, partial(_nearly, columns, i, _margin(columns, i, p)), keep=False)
        total, margin = sum(shown), _margin(columns, i, shown) / unit
        found[first] = Winning(first, tuple(Fraction(x, total) for x in shown), margin)
        for t in alike:
            found[t] = Winning(t, tuple(map(found[first].p.__getitem__, _moved(facts, first, t))), margin)
    return tuple(found[t] for t in facts.kept)


def _moved(facts: Facts, first: int, t: int) -> list[int]:
    """A permutation g within blocks that takes the first prediction of a kind to t: label y gets what g[y] had."""
    moved = list(range(facts.loss.n))
    for block in facts.blocks:
        places = (sorted(block, key=facts.columns[each].__getitem__) for each in (first, t))
        for y, z in zip(*places, strict=True):
            moved[z] = y
    return moved


def _nearly(columns: Sequence[Row], i: int, margin: Fraction, p: Row) -> bool:
    return _margin(columns, i, p) >= margin * Fraction(9, 10)


def _integers(p: Sequence[float]) -> Row:
    return tuple(round(max(0.0, x) * _DIGITS) for x in p)


def _margin(columns: Sequence[Row], i: int, p: Row) -> Fraction:
    """By how much column i is below all others at p, normalised."""
    places = [(y, x) for y, x in enumerate(p) if x]  # few, where p is simple
    risks = [sum([column[y] * x for y, x in places]) for column in columns]
    return Fraction(min(risk for j, risk in enumerate(risks) if j != i) - risks[i], sum(p))


@dataclass(frozen=True)
class Neighbours:
    """Pairs of kept predictions whose cells share a facet; `open` counts those of which that is not known."""

    pairs: tuple[tuple[int, int], ...]
    open: int = 0

    def of(self, t: int) -> tuple[int, ...]:
        """The predictions beside t, in increasing order."""
        return tuple(sorted(self._beside[t]))

    @cached_property
    def _beside(self) -> dict[int, list[int]]:
        beside: dict[int, list[int]] = defaultdict(list)
        for s, t in self.pairs:
            beside[s].append(t)
            beside[t].append(s)
        return beside


def neighbours(facts: Facts) -> Neighbours:
    """Which cells share a facet, exactly: every pair that is listed does, and unless some are `open`, no other.

    Pairs that are images of each other, when labels of a block are exchanged, are settled together.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.losses import abstain
    >>> neighbours(Facts(abstain(3, cost="1/3"))).pairs
    ((0, 3), (1, 3), (2, 3))
    """
    columns, work = [facts.columns[t] for t in facts.kept], facts.loss.n * len(facts.kept)
    where = {each.prediction: each.p for each in facts.winning}
    kinds: dict[object, list[tuple[int, int]]] = defaultdict(list)  # of the pairs of the first of a kind with any other
    pairs = [(first, t) for first, *_ in facts.kinds for t in facts.kept if t != first]
    pairs.sort(key=lambda pair: abs(pair[0] - pair[1]))  # those that stand together are often neighbours
    for s, t in pairs:
        kinds[kind_of_pair(facts, s, t)].append((s, t))
    found: set[object] = set()
    for kind in islice(kinds, _WORK // work):
        if kind not in found:
            s, t = kinds[kind][0]
            alone = [
                (facts.kept[i], facts.kept[j])
                for _, i, j, both in breaks(columns, cleared(where[s]), cleared(where[t]))
                if both
            ]
            found |= {kind_of_pair(facts, *pair) for pair in alone}
    left = [kind for kind in kinds if kind not in found]
    settled = min(len(left), _WORK // (20 * work))
    found |= {kind for kind in left[:settled] if _adjacent(columns, *map(facts.kept.index, kinds[kind][0]))}
    beside: dict[int, set[int]] = defaultdict(set)
    for s, t in (pair for kind in found for pair in kinds[kind]):
        beside[s].add(t)
    size = {first: 1 + len(alike) for first, *alike in facts.kinds}
    twice = sum(size[s] for kind in left[settled:] for s, _ in kinds[kind])
    return Neighbours(tuple(sorted(_images(facts, beside))), twice // 2)


def kind_of_pair(facts: Facts, s: int, t: int) -> object:
    """Equal for pairs that are images of each other, in either order, and for no others."""
    if len(facts.kinds) == len(facts.kept):
        return (s, t) if s < t else (t, s)
    first, second = facts.columns[s], facts.columns[t]
    both = ((first, second), (second, first))
    return min(tuple(tuple(sorted((a[y], b[y]) for y in block)) for block in facts.blocks) for a, b in both)


def _images(facts: Facts, beside: dict[int, set[int]]) -> set[tuple[int, int]]:
    """All pairs of neighbours, given those of the first prediction of each kind."""
    place = {facts.columns[t]: t for t in facts.kept}
    pairs: set[tuple[int, int]] = set()
    for first, *alike in facts.kinds:
        everything = len(beside[first]) == len(facts.kept) - 1
        for s in (first, *alike):
            if everything:
                pairs |= {(s, t) if s < t else (t, s) for t in facts.kept if t != s}
            else:
                moved = _moved(facts, first, s)
                others = [place[tuple(map(facts.columns[t].__getitem__, moved))] for t in beside[first]]
                pairs |= {(s, t) if s < t else (t, s) for t in others}
    return pairs


def breaks(columns: Sequence[Row], p: Sequence[int], q: Sequence[int]) -> list[tuple[Row, int, int, bool]]:
    """Where the optimal column changes from p to q: the point, the ones before and after, and if no other is optimal.

    >>> breaks([(0, 1), (1, 0)], (3, 1), (0, 1))
    [((1, 1), 0, 1, True)]
    """
    start, end = sum(p), sum(q)
    first = [dot(column, p) * end for column in columns]
    last = [dot(column, q) * start for column in columns]
    now = min(range(len(columns)), key=lambda t: (first[t], last[t]))
    found: list[tuple[Row, int, int, bool]] = []
    while True:
        fall = last[now] - first[now]
        shares = {
            t: Fraction(first[t] - first[now], fall - last[t] + first[t])
            for t in range(len(columns))
            if last[t] - first[t] < fall
        }
        where = min(shares.values(), default=Fraction(1))
        if where >= 1:
            return found
        tied = [t for t, share in shares.items() if share == where]
        after = min(tied, key=lambda t: last[t] - first[t])
        a, b = where.denominator - where.numerator, where.numerator
        if b:
            same = sum(first[t] == first[now] and last[t] == last[now] for t in range(len(columns)))
            point = primitive([a * end * x + b * start * y for x, y in zip(p, q, strict=True)])
            found.append((point, now, after, len(tied) == 1 == same))
        now = after


def _adjacent(columns: Sequence[Row], s: int, t: int) -> bool:
    """Whether somewhere s and t alone are optimal."""
    n, own = len(columns[0]), columns[s]
    others = [(0, *minus(column, own), -1) for r, column in enumerate(columns) if r not in (s, t)]
    positive = [(0, *unit, 0) for unit in unit_rows(n)]
    tie = (0, *minus(columns[t], own), 0)
    best = maximize([0] * n + [1], [*others, *positive, (1, *[0] * n, -1)], [tie, (-1, *[1] * n, 0)])
    return best is not None and best.value > 0
