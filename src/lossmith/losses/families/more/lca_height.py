"""The height of the lowest node of a tree above both the truth and the answer."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from lossmith.errors import BadLoss
from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.trees import Tree, above, parents_of, side_of

_SMALL: tuple[dict[str, Any], ...] = (
    {"tree": {"animal": ["cat", "dog"], "car": []}},
    {"tree": [None, 0, 0, 1, 1, 2, 2]},
    {"tree": [None, 0, 0, 1, 1], "predictions": "nodes"},
)


def _size(tree: Tree, labels: str = "leaves", predictions: str = "leaves") -> tuple[int, int]:
    parents = parents_of(tree)
    return len(side_of(parents, labels, "labels")), len(side_of(parents, predictions, "predictions"))


@family(
    cite="J. Deng, A. Berg, K. Li, L. Fei-Fei, What does classifying more than 10,000 categories tell us?, ECCV 2010",
    small=_SMALL,
    size=_size,
    of_size=lambda n: [each for each in _SMALL if _size(**each)[0] == n],
)
def lca_height(tree: Tree, labels: str = "leaves", predictions: str = "leaves") -> LossMatrix:
    """The height of the lowest common ancestor of truth and answer: the longest way from it down to a leaf, in edges.

    The tree, `labels` and `predictions` are given as to `hierarchical`. A node is its own ancestor: an answer above
    the truth costs its height, "some animal" for a cat 1. The right answer costs 0, also if it is an inner node, and
    every other one at least 1, also one below the truth: if no more than "animal" is known, "cat" costs 1.

    >>> print(lca_height({"animal": {"cat": {}, "dog": {}}, "car": {}}, predictions="nodes"))
    truth ↓ decision →  (root)  animal  cat  dog  car
    cat                      2       1    0    1    2
    dog                      2       1    1    0    2
    car                      2       2    2    2    0
    """
    parents = parents_of(tree)
    rows, columns = side_of(parents, labels, "labels"), side_of(parents, predictions, "predictions")
    if len(rows) < 2:
        raise BadLoss(f"the tree has {len(rows)} {labels}; a hierarchy needs at least two")
    paths = {node: above(parents, node) for node in parents}
    heights = dict.fromkeys(parents, 0)
    for path in paths.values():
        for height, node in enumerate(path):
            heights[node] = max(heights[node], height)

    def loss(y: Hashable, t: Hashable) -> int:
        shared = set(paths[t])
        return heights[next(node for node in paths[y] if node in shared)] if y != t else 0

    return LossMatrix.from_function(loss, rows, columns, f"lca_height({len(parents)} nodes)")
