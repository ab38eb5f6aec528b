"""What it costs to act on the most probable label, as those do who take the argmax of a probability model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lossmith.analysis.facts import Facts
from lossmith.exact.vectors import Row
from lossmith.losses.matrix import LossMatrix
from lossmith.text.numbers import as_float

if TYPE_CHECKING:
    import numpy as np

_MOST_WORK = 10_000_000  # of numbers to be sorted
_FEW = 4  # labels that are equally probable, up to which two decimals show which is the most probable one


@dataclass(frozen=True)
class Acting:
    """Where acting on the most probable label loses most.

    There `label` is the most probable one, `decision` is taken and `best` would be right. `at_most` is what is lost per
    case, in the limit: the labels are equally probable there. At the distribution `p` nearby, `label` leads and `lost`
    is what is lost.
    """

    label: int
    decision: int
    best: int
    at_most: Fraction
    p: tuple[Fraction, ...]
    lost: Fraction

    def to_dict(self, loss: LossMatrix) -> dict[str, Any]:
        """All of it as plain data, with the names of the loss."""
        return {
            "label": loss.labels[self.label],
            "decision": loss.predictions[self.decision],
            "best": loss.predictions[self.best],
            "at_most": str(self.at_most),
            "at_most_per_1000": as_float(1000 * self.at_most),
            "distribution": [str(x) for x in self.p],
            "lost": str(self.lost),
        }


def acting_on_the_most_probable(facts: Facts) -> Acting | None:
    """The dearest case of deciding for the most probable label; None if that is always right.

    If every label is a decision, that one is taken, else the decision that costs least if the label is true.

    The distributions with y as most probable label are a polytope whose corners are uniform on sets S that contain y.
    So for deciding t where s were better, the worst is the largest mean of L_zt − L_zs over such a set, and the best
    set of each size has the largest differences in it: no search is needed.

    >>> from lossmith.losses import ordinal
    >>> found = acting_on_the_most_probable(Facts(ordinal(3)))
    >>> found.decision, found.best, str(found.at_most), [str(x) for x in found.p]
    (0, 1, '1/3', ['17/50', '33/100', '33/100'])
    """
    loss = facts.loss
    by_name = set(loss.labels) <= set(loss.predictions)
    acts = [_act(loss, y, by_name) for y in range(loss.n)]
    costs = _floats([facts.columns[t] for t in (*facts.kept, *acts)])
    worst = [(*_worst(facts, costs, y, acts), y) for y in _representatives(facts, acts)]
    price, best, members, y = max(worst, key=lambda each: each[0])
    if price <= 0:
        return None
    p = _nearby(loss.n, y, members)
    risks = loss.risk(p)
    return Acting(y, acts[y], best, price / loss.rational.denominator, p, risks[acts[y]] - min(risks))


def is_quick(loss: LossMatrix) -> bool:
    """Whether it takes a second or two at most."""
    return loss.n * loss.n * loss.k <= _MOST_WORK


def _act(loss: LossMatrix, y: int, by_name: bool) -> int:
    if by_name:
        return loss.predictions.index(loss.labels[y])
    row = loss.entries[y]
    return row.index(min(row))


def _representatives(facts: Facts, acts: Sequence[int]) -> list[int]:
    """One label of each block where exchanging two labels exchanges what is done for them, else all of them."""
    chosen: list[int] = []
    for block in facts.blocks:
        first = block[0]
        own = facts.columns[acts[first]]
        alike = all(_exchanged(own, first, z) == facts.columns[acts[z]] for z in block)
        chosen += [first] if alike else block
    return chosen


def _exchanged(column: Row, y: int, z: int) -> Row:
    moved = list(column)
    moved[y], moved[z] = moved[z], moved[y]
    return tuple(moved)


def _floats(columns: Sequence[Row]) -> np.ndarray[Any, Any]:
    import numpy as np

    unit = 2 ** max(0, max(map(max, columns)).bit_length() - 900)
    return np.array([[x / unit for x in column] for column in columns])


def _worst(
    facts: Facts, costs: np.ndarray[Any, Any], y: int, acts: Sequence[int]
) -> tuple[Fraction, int, tuple[int, ...]]:
    """The largest mean for label y, the s that attains it, and its set.

    Floats look for it; every candidate within their error is then compared exactly.
    """
    import numpy as np

    kept = facts.kept
    lost = costs[len(kept) + y] - costs[: len(kept)]
    others = -np.sort(-np.delete(lost, y, axis=1), axis=1)
    sums = np.concatenate([lost[:, [y]], others], axis=1).cumsum(axis=1)
    means = sums / np.arange(1, facts.loss.n + 1)
    error = 4 * facts.loss.n * 2.0**-52 * float(costs.max())
    near = np.argwhere(means >= means.max() - error)
    return _best(facts.columns[acts[y]], facts.columns, kept, y, near.tolist())


def _best(
    own: Row, columns: Sequence[Row], kept: Sequence[int], y: int, near: Sequence[Sequence[int]]
) -> tuple[Fraction, int, tuple[int, ...]]:
    """The first of the largest."""
    found: tuple[Fraction, int, tuple[int, ...]] | None = None
    for i, others in near:
        lost = [a - b for a, b in zip(own, columns[kept[i]], strict=True)]
        ranked = sorted((z for z in range(len(own)) if z != y), key=lambda z: -lost[z])
        members = (y, *ranked[:others])
        mean = Fraction(sum(lost[z] for z in members), len(members))
        if found is None or mean > found[0]:
            found = (mean, kept[i], members)
    assert found is not None
    return found


def _nearby(n: int, y: int, members: Sequence[int]) -> tuple[Fraction, ...]:
    """Almost uniform on the members, in round numbers, with y as the most probable one."""
    size = len(members)
    unit = 100 if size <= _FEW else 1000 * size
    share = -(-unit // size) - 1
    p = [Fraction(share, unit) if z in members else Fraction(0) for z in range(n)]
    p[y] = 1 - Fraction(share, unit) * (size - 1)
    return tuple(p)
