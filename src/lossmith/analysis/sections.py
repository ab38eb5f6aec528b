"""Full sections: which cells of a loss meet in a whole cut through the simplex, and whether they lie in a row.

The cells Q_s and Q_t meet in a full section if {p ∈ Δ : p·ℓ_s = p·ℓ_t} ⊆ Q_s. Such a section separates Δ, and no cell
has interior points on both sides of it, so the pairs of cells that meet in full sections form a forest. The predictions
can be ordered, so that one real number decides, exactly if this is a path through all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from lossmith.exact.vectors import Row, minus

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


def _meet_in_full_section(columns: Sequence[Sequence[int]], kept: Sequence[int], s: int, t: int) -> bool:
    """Whether s is optimal at all vertices of the section {p ∈ Δ : p·(ℓ_t − ℓ_s) = 0}, among the kept predictions."""
    own = columns[s]
    others = [minus(columns[r], own) for r in kept if r not in (s, t)]
    step = minus(columns[t], own)
    for y, at in enumerate(step):
        if at == 0 and any(other[y] < 0 for other in others):
            return False
    crossed = [(y, z) for y, at in enumerate(step) if at > 0 for z, below in enumerate(step) if below < 0]
    # On the edge from y to z the section has the point proportional to −step_z e_y + step_y e_z.
    return all(step[y] * other[z] >= step[z] * other[y] for other in others for y, z in crossed)
