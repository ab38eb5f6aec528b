"""Kendall's tau distance: in how many pairs two rankings differ."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial

from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ranking.rankings import Ranking, ranking_name, with_labels, written_documents


def _size(r: int) -> tuple[int, int]:
    instead = "pairwise_disagreement(r, graphs='total orders') is the same loss by factors"
    return factorial(written_documents(r, "kendall_tau", instead)), factorial(r)


@family(
    cite="M. G. Kendall, A new measure of rank correlation, Biometrika 1938",
    small=({"r": 2}, {"r": 3}),
    size=_size,
    of_size=with_labels(factorial),
)
def kendall_tau(r: int) -> LossMatrix:
    """How many pairs of documents two rankings order differently; labels and predictions are rankings.

    >>> loss = kendall_tau(3)
    >>> loss.labels[0], loss.predictions[-1], int(loss.entries[0][-1])
    ('0>1>2', '2>1>0', 3)
    """
    rankings = list(permutations(range(r)))
    rows = [[_differences(y, t) for t in rankings] for y in rankings]
    names = [ranking_name(sigma) for sigma in rankings]
    return LossMatrix(rows, names, names, f"kendall_tau(r={r})")


def _differences(y: Ranking, t: Ranking) -> int:
    return sum((a < b) != (c < d) for (a, c), (b, d) in combinations(zip(y, t, strict=True), 2))
