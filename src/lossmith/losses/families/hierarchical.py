"""Tree distance: a mistake costs the number of edges between the true and the predicted node of a hierarchy."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

from lossmith.errors import BadInput, BadLoss
from lossmith.exact.rational import quoted
from lossmith.families import family
from lossmith.losses.files import about, load_json
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.reading import plain

Tree: TypeAlias = Mapping[str, object] | Sequence[int | None] | str | PathLike[str]

_ROOT = "(root)"
_SMALL: tuple[dict[str, Any], ...] = (
    {"tree": {"animal": ["cat", "dog"], "car": []}},
    {"tree": [None, 0, 0, 1, 1], "predictions": "nodes"},
)


def _size(tree: Tree, labels: str = "leaves", predictions: str = "leaves") -> tuple[int, int]:
    parents = _parents(tree)
    return len(_side(parents, labels, "labels")), len(_side(parents, predictions, "predictions"))


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
    parents = _parents(tree)
    rows, columns = _side(parents, labels, "labels"), _side(parents, predictions, "predictions")
    if len(rows) < 2:
        raise BadLoss(f"the tree has {len(rows)} {labels}; a hierarchy needs at least two")
    ancestors = {node: _path_to_root(parents, node) for node in {*rows, *columns}}
    return LossMatrix.from_function(
        lambda y, t: _distance(ancestors[y], ancestors[t]), rows, columns, f"hierarchical({len(parents)} nodes)"
    )


def _side(parents: Mapping[Hashable, Hashable | None], which: str, side: str) -> list[Hashable]:
    inner = set(parents.values())
    if which == "nodes":
        return list(parents)
    if which == "leaves":
        return [node for node in parents if node not in inner]
    raise BadInput(f"{side} is {which!r}; it must be 'leaves' or 'nodes'")


def _parents(tree: Tree) -> dict[Hashable, Hashable | None]:
    """List every node with its parent, in the order of the input."""
    if isinstance(tree, (str, PathLike)):
        with about(tree):
            return _parents_of(load_json(tree))
    return _parents_of(tree)


def _parents_of(tree: object) -> dict[Hashable, Hashable | None]:
    if isinstance(tree, Mapping):
        return _from_mapping(tree)
    if isinstance(tree, Iterable) and not isinstance(tree, (str, bytes)):
        return _from_parent_list([plain(parent) for parent in tree])
    raise BadLoss(f"{quoted(tree)} is no tree; give a nested mapping, or a list with the parent of each node")


def _from_mapping(tree: Mapping[Any, object]) -> dict[Hashable, Hashable | None]:
    parents: dict[Hashable, Hashable | None] = {}
    root = None
    if len(tree) > 1:
        parents[_ROOT], root = None, _ROOT
    waiting: list[tuple[Any, Any, object]] = [(node, root, below) for node, below in reversed([*tree.items()])]
    while waiting:
        node, parent, below = waiting.pop()
        if not isinstance(node, (str, int)):
            raise BadLoss(f"the tree has a node {quoted(node)}; name every node by text or an integer")
        if node in parents:
            raise BadLoss(f"the node {node!r} occurs twice in the tree; give every node its own name")
        parents[node] = parent
        if isinstance(below, Mapping):
            children = list(below.items())
        elif below is None or isinstance(below, (list, tuple)):
            children = [(child, None) for child in below or ()]
        else:
            raise BadLoss(f"below the node {node!r} stands {quoted(below)}; write a mapping or a list of its children")
        waiting += [(child, node, grandchildren) for child, grandchildren in reversed(children)]
    return parents


def _from_parent_list(tree: Sequence[object]) -> dict[Hashable, Hashable | None]:
    children: dict[object, list[int]] = {node: [] for node in [None, *range(len(tree))]}
    parents: dict[Hashable, Hashable | None] = {}
    for node, parent in enumerate(tree):
        above = None if parent is None or parent == -1 else parent
        if above is not None and (type(above) is not int or above not in children):
            raise BadLoss(
                f"the parent of node {node} is {quoted(parent)}; it must be a node number below {len(tree)}, or None"
            )
        parents[node] = above
        children[above].append(node)
    if len(children[None]) != 1:
        raise BadLoss(f"the tree has {len(children[None])} roots; exactly one node must have the parent None")
    reached = list(children[None])
    for node in reached:  # grows as it goes
        reached += children[node]
    if len(reached) < len(parents):
        lost = min(set(range(len(tree))) - set(reached))
        raise BadLoss(f"node {lost} does not hang below the root; its chain of parents is a circle: mend one of them")
    return parents


def _path_to_root(parents: Mapping[Hashable, Hashable | None], node: Hashable) -> list[Hashable]:
    path: list[Hashable] = []
    each: Hashable | None = node
    while each is not None:
        path.append(each)
        each = parents[each]
    return path[::-1]


def _distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    shared = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        shared += 1
    return len(first) + len(second) - 2 * shared
