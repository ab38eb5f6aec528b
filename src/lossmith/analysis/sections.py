"""Full sections: which cells of a loss meet in a whole cut through the simplex, and whether they lie in a row.

The cells Q_s and Q_t meet in a full section if {p ∈ Δ : p·ℓ_s = p·ℓ_t} ⊆ Q_s. Such a section separates Δ, and no cell
has interior points on both sides of it, so the pairs of cells that meet in full sections form a forest. The predictions
can be ordered, so that one real number decides, exactly if this is a path through all of them.

Whether they can is told faster without the sections. An order r_1 … r_k of needed predictions is such a path exactly if
each j has a ρ > 0 with v_j ≤ ρ v_{j+1}, where v_j = ℓ_{r_{j+1}} − ℓ_{r_j}. Then c_j v_j ≤ c_{j+1} v_{j+1} for some
c > 0; v_1 has a positive entry y, as r_2 does not dominate r_1, and so v_j has one there for all j: row y increases
strictly along the order. So it is found by sorting a row with distinct entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TypeAlias

from lossmith.exact.vectors import Row

Sections: TypeAlias = Mapping[int, Sequence[int]]


def full_sections(columns: Sequence[Row], kept: Sequence[int]) -> Sections:
    """For each kept prediction, those whose cells meet its cell in a full section of the simplex.

    >>> full_sections([(0, 2, 2), (2, 0, 2), (2, 2, 0), (1, 1, 1)], range(4))              # abstain(3)
    {0: [3], 1: [3], 2: [3], 3: [0, 1, 2]}
    """
    near: dict[int, list[int]] = {t: [] for t in kept}
    for s, t in combinations(kept, 2):
        if _meet_in_full_section(columns, kept, s, t):
            near[s].append(t)
            near[t].append(s)
    return near


def path_through(near: Sections) -> tuple[int, ...] | None:
    """The path through all predictions, the smaller end first; None if there is none.

    >>> path_through({0: [2], 1: [2], 2: [0, 1]}), path_through({0: [3], 1: [3], 2: [3], 3: [0, 1, 2]})
    ((0, 2, 1), None)
    """
    kept = list(near)
    order = [next((t for t in kept if len(near[t]) < 2), kept[0])]
    while following := [t for t in near[order[-1]] if t not in order]:
        order.append(following[0])
    return tuple(order) if len(order) == len(kept) else None


def order_by_a_row(columns: Sequence[Row], kept: Sequence[int]) -> tuple[int, ...] | None:
    """The same as `path_through` the full sections, of predictions none of which is redundant, without the sections.

    >>> order_by_a_row([(0, 1, 2), (2, 1, 0), (1, 0, 1)], range(3))                        # ordinal(3), shuffled
    (0, 2, 1)
    """
    if len(kept) < 2:
        return tuple(kept)
    tried = set[tuple[int, ...]]()
    for row in zip(*(columns[t] for t in kept), strict=True):
        if len(set(row)) < len(kept):
            continue
        found = tuple(t for _, t in sorted(zip(row, kept, strict=True)))
        order = found if found[0] < found[-1] else found[::-1]
        if order not in tried and _nested([columns[t] for t in order]):
            return order
        tried.add(order)
    return None


def ratios(before: Sequence[int], after: Sequence[int]) -> tuple[Fraction, Fraction | None] | None:
    """The interval of all x > 0 with before ≤ x · after; None for no upper end, and 0 for a lower end that is open.

    None in place of the interval if it is empty.

    >>> ratios([1, -1], [2, -1]), ratios([1], [0])
    ((Fraction(1, 2), Fraction(1, 1)), None)
    """
    low, high = (0, 1), (1, 0)  # as numerators and denominators, which are not negative
    for a, b in zip(before, after, strict=True):
        if b > 0:
            low = (a, b) if a * low[1] > low[0] * b else low
        elif b < 0:
            high = (-a, -b) if -a * high[1] < high[0] * -b else high
        elif a > 0:
            return None
    if high[0] <= 0 or high[0] * low[1] < low[0] * high[1]:
        return None
    return Fraction(*low), Fraction(*high) if high[1] else None


def _nested(columns: Sequence[Row]) -> bool:
    steps = ([b - a for a, b in zip(one, two, strict=True)] for one, two in pairwise(columns))
    return all(ratios(before, after) is not None for before, after in pairwise(steps))


def _meet_in_full_section(columns: Sequence[Row], kept: Sequence[int], s: int, t: int) -> bool:
    """Whether s is optimal at all vertices of the section {p ∈ Δ : p·(ℓ_t − ℓ_s) = 0}, among the kept predictions.

    On the edge from y to z the section has the point proportional to −step_z e_y + step_y e_z. So with x in place of
    the ratio, some ℓ_r − ℓ_s ≥ x · step for each other r; x may have any sign.
    """
    own = columns[s]
    step = [a - b for a, b in zip(columns[t], own, strict=True)]
    return all(_never_below(columns[r], own, step) for r in kept if r not in (s, t))


def _never_below(column: Row, own: Row, step: Sequence[int]) -> bool:
    """Whether column − own ≥ x · step for some number x."""
    low: tuple[int, int] | None = None
    high: tuple[int, int] | None = None
    for c, o, at in zip(column, own, step, strict=True):
        other = c - o
        if at > 0:
            high = (other, at) if high is None or other * high[1] < high[0] * at else high
        elif at < 0:
            low = (-other, -at) if low is None or -other * low[1] > low[0] * -at else low
        elif other < 0:
            return False
    return low is None or high is None or low[0] * high[1] <= high[0] * low[1]
