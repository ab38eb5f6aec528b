"""Tree distance: a mistake costs the number of edges between the true and the predicted node of a hierarchy."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
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
    cite="O. Dekel, J. Keshet, Y. Singer, Large margin hierarchical classification, ICML 2004",
    small=_SMALL,
    size=_size,
    of_size=lambda n: [each for each in _SMALL if _size(**each)[0] == n],
)
def hierarchical(tree: Tree, labels: str = "leaves", predictions: str = "leaves") -> LossMatrix:
    """Count the edges on the path between two nodes of a tree.

    The tree is a nested mapping (leaves are empty mappings, None, or the items of a list), or a list that gives the
    parent of each node (the root's is None or −1), or the path of a JSON file with either. `labels` and
    `predictions` are "leaves" or "nodes": with predictions="nodes" one may answer with an inner node, "some animal",
    when unsure. Several top-level keys hang below a root of their own.

    >>> print(hierarchical({"animal": {"cat": {}, "dog": {}}, "car": {}}))
    truth ↓ decision →  cat  dog  car
    cat                   0    2    3
    dog                   2    0    3
    car                   3    3    0
    """
    parents = parents_of(tree)
    rows, columns = side_of(parents, labels, "labels"), side_of(parents, predictions, "predictions")
    if len(rows) < 2:
        raise BadLoss(f"the tree has {len(rows)} {labels}; a hierarchy needs at least two")
    ancestors = {node: above(parents, node)[::-1] for node in {*rows, *columns}}
    return LossMatrix.from_function(
        lambda y, t: _distance(ancestors[y], ancestors[t]), rows, columns, f"hierarchical({len(parents)} nodes)"
    )


def _distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    shared = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        shared += 1
    return len(first) + len(second) - 2 * shared
