"""Preds that name sets of labels, nodes or tags, or reject: `top-k`, `deepest`, `reject`, `open-tags`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike
from lossmith.families import rational_where
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.trees import above
from lossmith.surrogates.hierarchies import levels_of, tree_of
from lossmith.surrogates.pred import Pred, Scores, left_out
from lossmith.surrogates.score_regions import few, half_space


def top_k(surrogate: Scores, loss: LossMatrix) -> Pred:
    """The prediction that is least costly for the labels with the largest scores, and for no others.

    A prediction stands for the set of labels under which nothing costs less; the sets have k labels each, as in top-k
    loss. Each set of k labels needs a prediction, if its scores can be the largest. Of equal scores those of the
    prediction that comes first win.
    """
    n, least = loss.n, [min(costs) for costs in loss.entries]
    sets = [[y for y in range(n) if loss.entries[y][t] == least[y]] for t in range(loss.k)]
    if surrogate.dim != n or len({*map(len, sets)}) != 1 or len(sets[0]) == n:
        raise BadInput(
            f"top-k needs a score for each label, and predictions that are sets of equally many; {surrogate.name} has "
            f"{surrogate.dim} scores and {loss.name} has {n} labels, and is no top-k loss"
        )
    few(len(sets), "top-k")
    regions = []
    for chosen in sets:
        others = [j for j in range(n) if j not in chosen]
        regions.append((Polyhedron(n, tuple(half_space(n, {i: 1, j: -1}) for i in chosen for j in others)),))
    pred = Pred("top-k", n, tuple(regions), top_k)
    lacking = sorted({*combinations(range(n), len(sets[0]))} - {*map(tuple, sets)})
    if not lacking:
        return pred
    if surrogate.domain.rows:
        point = left_out(pred, surrogate.domain)
    else:
        point = tuple(Fraction(y in lacking[0]) for y in range(n))
    if point is None:
        return pred
    names = [str(loss.labels[y]) for y in sorted(range(n), key=lambda y: -point[y])[: len(sets[0])]]
    raise BadInput(
        f"top-k leaves scores without a decision: at u = ({', '.join(map(str, point))}) the labels {', '.join(names)} "
        f"have the largest, and no prediction of {loss.name} is for these; {len(lacking):,} of "
        f"{comb(n, len(names)):,} sets of {len(names)} labels have none: add predictions, or decide by the costs (the "
        f"pred decide)"
    )


def deepest(surrogate: Scores, loss: LossMatrix) -> Pred:
    """The node of a tree whose score is positive on the deepest level where one is, as `cascade_hinge` has its levels.

    Of several the first; where no score is positive, the deepest node that all labels are below.
    """
    tree, size = tree_of(loss), surrogate.dim
    levels = [] if tree is None else levels_of(dict(enumerate(tree)))
    if tree is None or sum(map(len, levels)) != size:
        raise BadInput(
            f"deepest needs a score for each node on each level of a tree, where all nodes are predictions; "
            f"{surrogate.name} has {size} scores and {loss.name} has {loss.k} predictions"
        )
    pieces: list[list[Polyhedron]] = [[] for _ in range(loss.k)]
    start = 0
    for level in levels:
        lower = [half_space(size, {i: -1}) for i in range(start + len(level), size)]
        for i, node in enumerate(level, start=start):
            pieces[int(str(node))].append(Polyhedron(size, (half_space(size, {i: 1}), *lower)))
        start += len(level)
    top = above(dict(enumerate(tree)), levels[0][0])[1]
    pieces[int(str(top))].append(Polyhedron(size, tuple(half_space(size, {i: -1}) for i in range(size))))
    return Pred("deepest", size, tuple(map(tuple, pieces)), deepest)


def reject(surrogate: Scores, loss: LossMatrix) -> Pred:
    """Abstain, the last prediction, where the last score is negative; else decide by the other scores.

    One other score decides between two labels by its sign, the first where it is positive; several decide by argmax.
    """
    size, labels = surrogate.dim, loss.k - 1
    if (size, labels) != (2, 2) and (size != loss.k or labels < 2):
        raise BadInput(
            f"reject needs a score for each label, or one for two labels, and one more to abstain; {surrogate.name} "
            f"has {size} scores and {loss.name} has {loss.k} predictions"
        )
    kept, last = half_space(size, {size - 1: 1}), half_space(size, {size - 1: -1})
    if size == 2:
        rows = [[half_space(2, {0: 1})], [half_space(2, {0: -1})]]
    else:
        rows = [[half_space(size, {t: 1, j: -1}) for j in range(labels) if j != t] for t in range(labels)]
    regions = [(Polyhedron(size, (kept, *each)),) for each in rows]
    return Pred("reject", size, (*regions, (Polyhedron(size, (last,)),)), reject)


@dataclass(frozen=True)
class OpenTags:
    """The rule of `open_tags`, with its τ."""

    tau: Fraction

    @property
    def name(self) -> str:
        """As it is written."""
        return f"open-tags:tau={self.tau}"

    def __call__(self, surrogate: Scores, loss: LossMatrix) -> Pred:
        """The pred for this surrogate and loss."""
        size = surrogate.dim
        if loss.k != 3**size:
            raise BadInput(
                f"{self.name} decides 0, 1 or ? for each of d tags with d scores; {surrogate.name} has {size} scores "
                f"and {loss.name} has {loss.k} predictions"
            )
        few(3**size, self.name)
        rows = [
            [
                [half_space(size, {i: -1}, -self.tau)],
                [half_space(size, {i: 1}, -self.tau)],
                [half_space(size, {i: 1}, self.tau), half_space(size, {i: -1}, self.tau)],
            ]
            for i in range(size)
        ]
        regions = [(Polyhedron(size, tuple(row for each in chosen for row in each)),) for chosen in product(*rows)]
        return Pred(self.name, size, tuple(regions), self)


def open_tags(tau: RationalLike = "1/2") -> OpenTags:
    """Each tag is 1 if its score is at least τ ≥ 0, 0 if it is at most −τ, else open; the last tag changes first."""
    return OpenTags(rational_where("tau", tau, lambda x: x >= 0, "at least 0"))
