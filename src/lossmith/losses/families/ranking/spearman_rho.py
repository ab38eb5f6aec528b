"""Spearman's distance: the squared differences of positions."""

from __future__ import annotations

from itertools import permutations
from math import factorial

from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ranking.rankings import ranking_name, with_labels, written_documents


def _size(r: int) -> tuple[int, int]:
    instead = "pairwise_disagreement(r, graphs='total orders'), by factors, takes more"
    return factorial(written_documents(r, "spearman_rho", instead)), factorial(r)


@family(
    cite="C. Spearman, The proof and measurement of association between two things, 1904",
    small=({"r": 2}, {"r": 3}),
    size=_size,
    of_size=with_labels(factorial),
)
def spearman_rho(r: int) -> LossMatrix:
    """Σ_i (σ(i) − π(i))² over the positions of r documents; labels and predictions are rankings.

    >>> loss = spearman_rho(3)
    >>> loss.labels[0], loss.predictions[-1], int(loss.entries[0][-1])
    ('0>1>2', '2>1>0', 8)
    """
    rankings = list(permutations(range(r)))
    rows = [[sum((a - b) ** 2 for a, b in zip(y, t, strict=True)) for t in rankings] for y in rankings]
    names = [ranking_name(sigma) for sigma in rankings]
    return LossMatrix(rows, names, names, f"spearman_rho(r={r})")
