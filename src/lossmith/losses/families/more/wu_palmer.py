"""One less the similarity of Wu and Palmer of the nodes of a tree."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from lossmith.errors import BadLoss
from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.trees import Tree, above, parents_of, side_of

_SMALL: tuple[dict[str, Any], ...] = (
    {"tree": {"animal": ["cat", "dog"], "car": []}},
    {"tree": [None, 0, 0, 1, 1], "predictions": "nodes"},
)


def _size(tree: Tree, labels: str = "leaves", predictions: str = "leaves") -> tuple[int, int]:
    parents = parents_of(tree)
    return len(side_of(parents, labels, "labels")), len(side_of(parents, predictions, "predictions"))


@family(
    cite="Z. Wu, M. Palmer, Verb semantics and lexical selection, ACL 1994",
    small=_SMALL,
    size=_size,
    of_size=lambda n: [each for each in _SMALL if _size(**each)[0] == n],
)
def wu_palmer(tree: Tree, labels: str = "leaves", predictions: str = "leaves") -> LossMatrix:
    """1 − 2d/(d_y + d_t), where d_y and d_t count the nodes from the root to y and to t, and d those that they share.

    The tree, `labels` and `predictions` are given as to `hierarchical`.

    >>> print(wu_palmer({"animal": {"cat": {}, "dog": {}}, "car": {}}))
    truth ↓ decision →  cat  dog  car
    cat                   0  1/3  0.6
    dog                 1/3    0  0.6
    car                 0.6  0.6    0
    """
    parents = parents_of(tree)
    rows, columns = side_of(parents, labels, "labels"), side_of(parents, predictions, "predictions")
    if len(rows) < 2:
        raise BadLoss(f"the tree has {len(rows)} {labels}; a hierarchy needs at least two")
    paths = {node: set(above(parents, node)) for node in {*rows, *columns}}

    def loss(y: Hashable, t: Hashable) -> Fraction:
        return 1 - Fraction(2 * len(paths[y] & paths[t]), len(paths[y]) + len(paths[t]))

    return LossMatrix.from_function(loss, rows, columns, f"wu_palmer({len(parents)} nodes)")
