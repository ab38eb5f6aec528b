"""Trees of labels, as people write them: nested mappings, or lists that give the parent of each node."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

from lossmith.errors import BadInput, BadLoss
from lossmith.exact.rational import quoted
from lossmith.losses.files import about, load_json
from lossmith.losses.reading import plain

Tree: TypeAlias = Mapping[str, object] | Sequence[int | None] | str | PathLike[str]

_ROOT = "(root)"


def side_of(parents: Mapping[Hashable, Hashable | None], which: str, side: str) -> list[Hashable]:
    """The leaves, or all nodes, in the order of the input."""
    inner = set(parents.values())
    if which == "nodes":
        return list(parents)
    if which == "leaves":
        return [node for node in parents if node not in inner]
    raise BadInput(f"{side} is {which!r}; it must be 'leaves' or 'nodes'")


def above(parents: Mapping[Hashable, Hashable | None], node: Hashable) -> list[Hashable]:
    """The node, its parent, and so on up to the root."""
    path, each = [node], parents[node]
    while each is not None:
        path.append(each)
        each = parents[each]
    return path


def parents_of(tree: Tree) -> dict[Hashable, Hashable | None]:
    """List every node with its parent, in the order of the input."""
    if isinstance(tree, (str, PathLike)):
        with about(tree):
            return _read(load_json(tree))
    return _read(tree)


def _read(tree: object) -> dict[Hashable, Hashable | None]:
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
