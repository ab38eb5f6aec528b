"""How far a distribution is from the next change of decision.

Let t be optimal at p. Another decision s costs no more where d·q ≥ 0 for d = ℓ_t − ℓ_s; at p that is d·p ≤ 0. To get
there with the least probability moved (total variation), move it to a label where d is largest, from the labels where d
is least first: a unit from y gains max d − d_y, and no other plan gains more. The least over all s is the distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from lossmith.losses.matrix import LossMatrix


@dataclass(frozen=True)
class NearestChange:
    """A decision that costs no more at q, to which `moved` of the probability must be moved."""

    decision: int
    moved: Fraction
    q: tuple[Fraction, ...]


def nearest_change(loss: LossMatrix, p: Sequence[Fraction], t: int) -> NearestChange | None:
    """The nearest distribution at which another decision costs no more than t; None if there is none.

    Decisions with the same column as t are no other ones.

    >>> found = nearest_change(LossMatrix([[0, 1], [5, 0]]), [Fraction(1, 2), Fraction(1, 2)], 1)
    >>> found.decision, str(found.moved), [str(x) for x in found.q]
    (0, '1/3', ['5/6', '1/6'])
    """
    columns = list(zip(*loss.entries, strict=True))
    tied = (_tied(p, columns[t], columns[s], s) for s in range(loss.k) if columns[s] != columns[t])
    return min((each for each in tied if each is not None), key=lambda each: each.moved, default=None)


def _tied(p: Sequence[Fraction], own: Sequence[Fraction], other: Sequence[Fraction], s: int) -> NearestChange | None:
    d = [a - b for a, b in zip(own, other, strict=True)]
    best = max(range(len(d)), key=d.__getitem__)
    if d[best] < 0:  # t costs less whatever is true
        return None
    q, lacking, moved = list(p), -sum((x * y for x, y in zip(d, p, strict=True)), Fraction(0)), Fraction(0)
    for y in sorted(range(len(d)), key=d.__getitem__):
        gain = d[best] - d[y]
        if lacking <= 0 or gain <= 0:
            break
        step = min(q[y], lacking / gain)
        q[y] -= step
        q[best] += step
        moved += step
        lacking -= step * gain
    return NearestChange(s, moved, tuple(q)) if lacking <= 0 else None
