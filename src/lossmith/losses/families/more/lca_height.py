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
)


def _size(tree: Tree) -> tuple[int, int]:
    leaves = side_of(parents_of(tree), "leaves", "labels")
    return len(leaves), len(leaves)


@family(
    cite="J. Deng, A. Berg, K. Li, L. Fei-Fei, What does classifying more than 10,000 categories tell us?, ECCV 2010",
    small=_SMALL,
    size=_size,
    of_size=lambda n: [each for each in _SMALL if _size(**each)[0] == n],
)
def lca_height(tree: Tree) -> LossMatrix:
    """The height of the lowest common ancestor of two leaves: the longest way from it down to a leaf, in edges.

    The tree is given as to `hierarchical`.

    >>> print(lca_height({"animal": {"cat": {}, "dog": {}}, "car": {}}))
    truth ↓ decision →  cat  dog  car
    cat                   0    1    2
    dog                   1    0    2
    car                   2    2    0
    """
    parents = parents_of(tree)
    leaves = side_of(parents, "leaves", "labels")
    if len(leaves) < 2:
        raise BadLoss(f"the tree has {len(leaves)} leaves; a hierarchy needs at least two")
    paths = {leaf: above(parents, leaf) for leaf in leaves}
    heights: dict[Hashable, int] = {}
    for path in paths.values():
        for height, node in enumerate(path):
            heights[node] = max(heights.get(node, 0), height)

    def loss(y: Hashable, t: Hashable) -> int:
        shared = set(paths[t])
        return heights[next(node for node in paths[y] if node in shared)]

    return LossMatrix.from_function(loss, leaves, leaves, f"lca_height({len(parents)} nodes)")
