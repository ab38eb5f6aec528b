"""The local search of rankings as it was first written: one start at a time, one move at a time, all costs anew.

Slow and plain; what is shipped is held against it. For pairwise disagreement its sorted start is turned round.
"""

from __future__ import annotations

import numpy as np

STARTS = 8


def local_search(own: np.ndarray, pair: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Move one document to another position while that helps; the best of several starts, always the same ones."""
    r, random = len(own), np.random.default_rng(0)
    starts = [np.argsort(own + (pair - pair.T).sum(axis=0), kind="stable")]
    starts += [random.permutation(r) for _ in range(STARTS - 1)]
    found = [descend(start, own, pair, weights) for start in starts]
    return min(found, key=lambda each: each[1])


def descend(order: np.ndarray, own: np.ndarray, pair: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, float]:
    value = value_of(order, own, pair, weights)
    while True:
        gains = moves(own[order], pair[np.ix_(order, order)], weights)
        a, b = np.unravel_index(gains.argmin(), gains.shape)
        moved = np.insert(np.delete(order, a), b, order[a])
        better = value_of(moved, own, pair, weights)
        if not better < value:
            return order, value
        order, value = moved, better


def moves(own: np.ndarray, pair: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """What it costs to move the document at position a to position b: sums over exchanges of neighbours."""
    r = len(own)
    before = np.concatenate([np.zeros((1, r)), pair.cumsum(axis=0)])  # before[k, x] = Σ_{i < k} pair_ix
    k, here, there = np.arange(r - 1), weights[:-1], weights[1:]
    # To the right: x, from a, stands at k ≥ a and passes y at k + 1; both come after all up to k, without x.
    x = own[:, None] + before[1:r].T
    y = own[1:] + before[k + 1, k + 1] - pair[:, 1:]
    right = (y - x) * (here - there) + there * (pair[1:].T - pair[:, 1:])
    # To the left: x, from a > k, passes y at k; both come after all before k.
    x = own[:, None] + before[: r - 1].T
    y = own[:-1] + before[k, k]
    left = (x - y) * (here - there) + there * (pair[:, :-1] - pair[:-1].T)
    costs = np.zeros((r, r))
    costs[:, 1:] += np.cumsum(np.where(k >= np.arange(r)[:, None], right, 0.0), axis=1)
    backwards = np.where(k < np.arange(r)[:, None], left, 0.0)
    costs[:, :-1] += backwards[:, ::-1].cumsum(axis=1)[:, ::-1]
    return costs


def value_of(order: np.ndarray, own: np.ndarray, pair: np.ndarray, weights: np.ndarray) -> float:
    placed = pair[np.ix_(order, order)]
    return float(weights @ (own[order] + np.triu(placed, 1).sum(axis=0)))
