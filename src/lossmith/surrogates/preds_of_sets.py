"""Preds that name a set of labels, or reject: the rules `top-k` and `reject`."""

from __future__ import annotations

from lossmith.errors import BadInput
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.pred import Pred, Scores
from lossmith.surrogates.score_regions import few, half_space


def top_k(surrogate: Scores, loss: LossMatrix) -> Pred:
    """The prediction that is least costly for the labels with the largest scores, and for no others.

    A prediction stands for the set of labels under which nothing costs less; the sets have k labels each, as in top-k
    loss. Of equal scores those of the prediction that comes first win.
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
    return Pred("top-k", n, tuple(regions), top_k)


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
