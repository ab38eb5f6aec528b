"""Surrogates for sets of k labels: how large they are."""

from __future__ import annotations

from math import comb

from lossmith.errors import BadInput, TooLarge
from lossmith.families import at_least, count

_MOST_SUBSETS = 10_000


def labels_and_scores(n: int, k: int) -> tuple[int, int]:
    """n labels and as many scores, if 1 ≤ k < n, and the sums of k scores can be written down.

    >>> labels_and_scores(4, 2)
    (4, 4)
    """
    if at_least("k", k, 1) >= at_least("n", n, 2):
        raise BadInput(f"k is {k}; it must be less than n = {n}, or nothing could go wrong")
    subsets = comb(n, k) if k <= 3 or n <= 60 else _MOST_SUBSETS + 1
    if subsets > _MOST_SUBSETS:
        raise TooLarge(
            f"{count(n)} labels have too many sets of {count(k)} to write the sums of their scores down; choose less"
        )
    return n, n
