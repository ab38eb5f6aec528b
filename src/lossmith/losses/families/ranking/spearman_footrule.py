"""Spearman's footrule: the differences of positions."""

from __future__ import annotations

from itertools import permutations
from math import factorial

from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ranking.rankings import ranking_name, with_labels, written_documents


def _size(r: int) -> tuple[int, int]:
    instead = "pairwise_disagreement(r, graphs='total orders'), by factors, takes more"
    return factorial(written_documents(r, "spearman_footrule", instead)), factorial(r)


@family(
    cite="C. Spearman, Footrule for measuring correlation, British Journal of Psychology 1906",
    small=({"r": 2}, {"r": 3}),
    size=_size,
    of_size=with_labels(factorial),
)
def spearman_footrule(r: int) -> LossMatrix:
    """How far apart two rankings put the documents, in sum; labels and predictions are rankings.

    >>> loss = spearman_footrule(3)
    >>> loss.labels[0], loss.predictions[-1], int(loss.entries[0][-1])
    ('0>1>2', '2>1>0', 4)
    """
    rankings = list(permutations(range(r)))
    rows = [[sum(abs(a - b) for a, b in zip(y, t, strict=True)) for t in rankings] for y in rankings]
    names = [ranking_name(sigma) for sigma in rankings]
    return LossMatrix(rows, names, names, f"spearman_footrule(r={r})")
