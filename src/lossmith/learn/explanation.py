"""Why a decision was taken: what each would cost, and what would have to change in the probabilities to take another.

In example x let t be decided. Another decision s costs no more where d·p ≥ 0 for d_y = c[y, t] − c[y, s]; now d·p < 0.
To get there with the least probability moved (total variation), move it to the label b where d is largest, from the
labels where d is least first: a unit from y gains d_b − d_y, and no other plan gains more, a knapsack of fractions. The
least over all s is the distance to the nearest point at which the decision changes; there, s and t cost the same.
Toward a label z, on the segment p + r (e_z − p), s costs no more from r = −d·p / (d_z − d·p) on, if d_z > 0.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from lossmith.errors import BadInput
from lossmith.exact.rational import quoted
from lossmith.losses.reading import Name
from lossmith.losses.showing import fitted
from lossmith.text.numbers import folded

Array: TypeAlias = np.ndarray[Any, Any]

_MOST_LABELS = 12  # in the table
_TOLD = 3  # labels toward which a change is told, the least changes first


@dataclass(frozen=True)
class Change:
    """Probabilities at which another decision costs no more than the one taken, and how much of them was moved."""

    decision: Name
    probabilities: dict[Name, float]
    moved: float


@dataclass(frozen=True)
class Toward:
    """Another decision is taken from this probability of a label on, if the others shrink in proportion."""

    label: Name
    probability: float
    decision: Name


@dataclass(frozen=True)
class Explanation:
    """One decision: what each would have cost, and what would change it; print it, or draw it: `lm.plot.explanation`.

    `parts[y][t]` is the share of label y in the expected cost of decision t. Where no probabilities are learned
    (least squares), `probabilities`, `parts`, `nearest` and `toward` are empty.
    """

    decision: Name
    expected: dict[Name, float]
    probabilities: dict[Name, float]
    parts: dict[Name, dict[Name, float]] = field(repr=False)
    nearest: Change | None
    toward: tuple[Toward, ...] = field(repr=False)

    @property
    def runner_up(self) -> Name | None:
        """The decision that comes next, if there is another."""
        others = sorted((cost, i) for i, (name, cost) in enumerate(self.expected.items()) if name != self.decision)
        return list(self.expected)[others[0][1]] if others else None

    @property
    def margin(self) -> float:
        """How much more the runner-up is expected to cost."""
        return 0.0 if self.runner_up is None else self.expected[self.runner_up] - self.expected[self.decision]

    def __str__(self) -> str:
        second = "" if self.runner_up is None else f", {decimal(self.margin)} less than {self.runner_up}"
        lines = [f"{self.decision}: expected cost {decimal(self.expected[self.decision])}{second}"]
        lines += ["", *fitted(self._rows, range(max(1, min(_MOST_LABELS, len(self.probabilities))), 0, -1))]
        if self.nearest is not None:
            now, then = self.probabilities, self.nearest.probabilities
            moved = [name for name in now if abs(now[name] - then[name]) > 1e-12]
            changes = ", ".join(f"{name} {decimal(then[name])} (not {decimal(now[name])})" for name in moved)
            told = f"The nearest probabilities where {self.nearest.decision} costs no more: {changes}."
            lines += ["", told if moved else f"{self.nearest.decision} costs the same."]
        for each in self.toward[:_TOLD]:
            lines.append(
                f"It would be {each.decision} if {each.label} had probability {decimal(each.probability)} or a little "
                f"more (now {decimal(self.probabilities[each.label])}), the others in proportion."
            )
        if self.probabilities and self.nearest is None:
            lines += ["", "No other probabilities would change it."]
        return folded(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def _rows(self, most: int) -> list[list[str]]:
        """What each decision costs, and how much of it by each of the most probable labels."""
        probable = set(sorted(self.probabilities, key=lambda name: -self.probabilities[name])[:most])
        labels = [name for name in self.probabilities if name in probable]
        others = [name for name in self.probabilities if name not in probable]
        rows = [["", "expected cost", *(f"of {name}" for name in labels)]]
        if labels:
            rows.append(["probability", "", *(decimal(self.probabilities[name]) for name in labels)])
        order = sorted(self.expected, key=lambda name: self.expected[name])
        rows += [[f"{t}", decimal(self.expected[t]), *(decimal(self.parts[y][t]) for y in labels)] for t in order]
        if others:
            sums = [sum(self.parts[y][t] for y in others) for t in order]
            ends = [
                f"of {len(others)} others",
                decimal(sum(self.probabilities[y] for y in others)),
                *map(decimal, sums),
            ]
            rows = [[*row, end] for row, end in zip(rows, ends, strict=True)]
        return rows


def decimal(value: float) -> str:
    """A number with three digits that count, without an exponent.

    >>> decimal(0.000123456), decimal(12345.6), decimal(0)
    ('0.000123', '12346', '0')
    """
    if value == 0 or not np.isfinite(value):
        return f"{value:g}"
    digits = 2 - int(np.floor(np.log10(abs(value))))
    shown = f"{value:.{min(max(digits, 0), 12)}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def explained(p: Array, costs: Array, labels: Sequence[Name], decisions: Sequence[Name]) -> Explanation:
    """Explain the decision for probabilities p under costs n × k.

    >>> print(explained(np.array([0.8, 0.2]), np.array([[0.0, 5], [30, 5]]), ["legit", "fraud"], ["pay", "review"]))
    review: expected cost 5, 1 less than pay
    <BLANKLINE>
                 expected cost  of legit  of fraud
    probability                      0.8       0.2
    review                   5         4         1
    pay                      6         0         6
    <BLANKLINE>
    The nearest probabilities where pay costs no more: legit 0.833 (not 0.8), fraud 0.167 (not 0.2).
    It would be pay if legit had probability 0.833 or a little more (now 0.8), the others in proportion.
    """
    expected = p @ costs
    t = int(expected.argmin())
    nearest = nearest_change(p, costs, t)
    change = None
    if nearest is not None:
        s, q = nearest
        moved = float(abs(q - p).sum() / 2)
        change = Change(decisions[s], dict(zip(labels, q.tolist(), strict=True)), moved)
    parts = p[:, None] * costs
    toward = [
        Toward(labels[z], found[1], decisions[found[0]])
        for z in range(len(p))
        if (found := change_toward(p, costs, t, z)) is not None
    ]
    now = dict(zip(labels, p.tolist(), strict=True))
    return Explanation(
        decisions[t],
        dict(zip(decisions, expected.tolist(), strict=True)),
        now,
        {y: dict(zip(decisions, row.tolist(), strict=True)) for y, row in zip(labels, parts, strict=True)},
        change,
        tuple(sorted(toward, key=lambda each: each.probability - now[each.label])),
    )


def of_costs(expected: Array, decisions: Sequence[Name]) -> Explanation:
    """Explain by expected costs alone, without probabilities."""
    told = dict(zip(decisions, expected.tolist(), strict=True))
    return Explanation(decisions[int(expected.argmin())], told, {}, {}, None, ())


def nearest_change(p: Array, costs: Array, t: int) -> tuple[int, Array] | None:
    """A decision s ≠ t, and the q nearest to p in total variation at which it costs no more than t; None without."""
    tied = {s: q for s in range(costs.shape[1]) if s != t and (q := _tied(p, costs, t, s)) is not None}
    return min(tied.items(), key=lambda each: float(abs(each[1] - p).sum()), default=None)


def _tied(p: Array, costs: Array, t: int, s: int) -> Array | None:
    d = costs[:, t] - costs[:, s]
    b = int(d.argmax())
    if d[b] < 0 or not d.any():  # t costs less whatever is true; or both cost the same
        return None
    q, lacking = p.copy(), -float(d @ p)
    for y in np.argsort(d, kind="stable"):
        gain = float(d[b] - d[y])
        if lacking <= 0 or gain <= 0:
            break
        moved = min(float(q[y]), lacking / gain)
        q[y] -= moved
        q[b] += moved
        lacking -= moved * gain
    return q


def change_toward(p: Array, costs: Array, t: int, z: int) -> tuple[int, float] | None:
    """The first other decision on the way from p to certainty of z, and the probability of z from which it is taken."""
    d = costs[:, [t]] - costs
    now, end = p @ d, d[z]
    able = end > 1e-12 * (1 + abs(costs).max())
    able[t] = False
    if not able.any():
        return None
    share = np.where(able, -now / np.where(able, end - now, 1), np.inf)
    # Among those that tie first, the one that is best just behind: where d·p rises fastest.
    s = min(np.flatnonzero(able), key=lambda j: (round(float(share[j]), 12), float(now[j] - end[j])))
    return int(s), float(p[z] + share[s] * (1 - p[z]))


def one_example(x: Any) -> Any:
    """One example as a table of one row: a row, a series, or a table that has one; a text alone."""
    if isinstance(x, str):
        return [x]
    if hasattr(x, "to_frame"):  # a series: a row of a data frame, whose columns get back their types
        return x.to_frame().T.infer_objects()
    table = x if hasattr(x, "shape") else np.asarray(x)
    if not len(table.shape):
        raise BadInput(f"x is {quoted(x)}, no row of features; give a list of them, a series, or X[:1]")
    if len(table.shape) == 1:
        table = table.reshape(1, -1)
    if table.shape[0] != 1:
        raise BadInput(f"x has {table.shape[0]} rows; explain one example at a time, such as X[:1]")
    return table
