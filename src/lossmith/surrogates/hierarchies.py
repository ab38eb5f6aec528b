"""Levels of a tree whose leaves are labels: the nodes of each depth, and the leaves that end before it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from lossmith.errors import BadInput
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.trees import above

Parents = Mapping[Hashable, Hashable | None]


def levels_of(parents: Parents) -> list[list[Hashable]]:
    """The nodes of each depth with two or more, the root's first; leaves stay on all levels below their own.

    >>> levels_of({"all": None, "animal": "all", "cat": "animal", "dog": "animal", "car": "all"})
    [['animal', 'car'], ['cat', 'dog', 'car']]
    """
    if next(iter(parents.values())) is not None:
        raise BadInput("the first node of the tree is not its root; write the root first")
    inner = set(parents.values())
    depth = {node: len(above(parents, node)) - 1 for node in parents}
    levels = [
        [node for node in parents if depth[node] == j or (depth[node] < j and node not in inner)]
        for j in range(1, max(depth.values()) + 1)
    ]
    return [level for level in levels if len(level) > 1]


def tree_of(loss: LossMatrix) -> list[int | None] | None:
    """The parents of the predictions, if the loss counts the edges of a tree with leaves as labels and all nodes.

    The tree hangs from the first prediction. Nodes are as far apart as their columns differ.

    >>> from lossmith.losses import hierarchical, zero_one
    >>> tree_of(hierarchical([None, 0, 0, 1, 1], predictions="nodes")), tree_of(zero_one(3))
    ([None, 0, 0, 1, 1], None)
    """
    columns = [*zip(*loss.entries, strict=True)]
    apart = [[max(abs(a - b) for a, b in zip(s, t, strict=True)) for t in columns] for s in columns]
    parents: list[int | None] = [None] * loss.k
    for node in range(1, loss.k):
        near = [s for s in range(loss.k) if apart[node][s] == 1 and apart[0][s] == apart[0][node] - 1]
        if len(near) != 1:
            return None
        parents[node] = near[0]
    leaves = [node for node in range(loss.k) if node not in parents]
    rows = [[_edges(parents, leaf, node) for node in range(loss.k)] for leaf in leaves]
    return parents if [[*row] for row in loss.entries] == rows else None


def _edges(parents: Sequence[int | None], first: int, second: int) -> int:
    numbered: Parents = dict(enumerate(parents))
    a, b = ({*above(numbered, node)} for node in (first, second))
    return len(a ^ b)
