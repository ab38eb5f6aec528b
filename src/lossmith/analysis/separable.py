"""Sums of convex functions of single scores are minimised score by score."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from lossmith.exact.vectors import Row

Line: TypeAlias = tuple[int, int, int]  # its number, and b + a·x


def score_of_each(pieces: Sequence[Sequence[Row]]) -> list[int | None] | None:
    """The score that each maximum depends on, None for a constant; None if one depends on several.

    >>> score_of_each([[(0, 0, 0), (1, -1, 0)], [(2, 0, 0)]]), score_of_each([[(0, 1, 1)]])
    ([0, None], None)
    """
    found: list[int | None] = []
    for maximum in pieces:
        used = {c for piece in maximum for c, x in enumerate(piece[1:]) if x}
        if len(used) > 1:
            return None
        found.append(next(iter(used), None))
    return found


def score_by_score(
    pieces: Sequence[Sequence[Row]], scores: Sequence[int | None], costs: Sequence[tuple[Fraction, Fraction]], dim: int
) -> tuple[tuple[Fraction, ...], list[tuple[int, int, Fraction]]]:
    """A u of so many scores at which the sum of the maxima, times their costs, is least, and weights on pieces.

    (g, j, w) is the weight of piece j of maximum g. Each maximum depends on the score that `scores` tells; those that
    depend on none join the first.
    """
    point, weights = [], list[tuple[int, int, Fraction]]()
    for c in range(dim):
        some = [g for g, score in enumerate(scores) if (score or 0) == c]
        lines = [[(j, piece[0], piece[c + 1]) for j, piece in enumerate(pieces[g])] for g in some]
        x, found = minimised(lines, [costs[g] for g in some])
        point.append(x)
        weights += [(g, j, w) for g, each in zip(some, found, strict=True) for j, w in each]
    return tuple(point), weights


def minimised(
    maxima: Sequence[Sequence[Line]], costs: Sequence[tuple[Fraction, Fraction]]
) -> tuple[Fraction, list[list[tuple[int, Fraction]]]]:
    """Where Σ cost · max (b + a·x) is least, and weights on the lines of each maximum that prove it, for first costs.

    The second costs, all positive, decide between the x at which the first sum is least: they count infinitely less.
    The weights of a maximum sum to its first cost, and the slopes, each times its weight, to 0.

    >>> hinges = [[(0, 0, 0), (1, 1, -1)], [(0, 0, 0), (1, 1, 1)]]
    >>> x, weights = minimised(hinges, [(Fraction(2), Fraction(1)), (Fraction(1), Fraction(1))])
    >>> x, [[(j, str(w)) for j, w in each] for each in weights]
    (Fraction(1, 1), [[(0, '1'), (1, '1')], [(1, '1')]])
    """
    breaks = {
        Fraction(other[1] - line[1], line[2] - other[2])
        for lines in maxima
        for line in lines
        for other in lines
        if line[2] > other[2]
    }
    for x in sorted(breaks) or [Fraction(0)]:
        ends = [_active(lines, x) for lines in maxima]
        rising = [
            sum((cost[i] * last[2] for cost, (_, last) in zip(costs, ends, strict=True)), Fraction(0)) for i in (0, 1)
        ]
        if (rising[0] or rising[1]) >= 0:
            break
    falling = sum((cost[0] * first[2] for cost, (first, _) in zip(costs, ends, strict=True)), Fraction(0))
    share = -falling / (rising[0] - falling) if rising[0] > falling else Fraction(0)
    weights = [
        [(last[0], cost[0] * share), (first[0], cost[0] * (1 - share))] if first != last else [(first[0], cost[0])]
        for cost, (first, last) in zip(costs, ends, strict=True)
    ]
    return x, [[(j, w) for j, w in each if w] for each in weights]


def _active(lines: Sequence[Line], x: Fraction) -> tuple[Line, Line]:
    """Of the lines that are largest at x the flattest on the left and on the right: the least and the largest slope."""
    top = max(b + a * x for _, b, a in lines)
    active = [line for line in lines if line[1] + line[2] * x == top]
    return min(active, key=lambda line: line[2]), max(active, key=lambda line: line[2])
