"""Tree distance, and heights of common ancestors, against breadth-first search on trees drawn at random."""

from __future__ import annotations

import errno
import json
import os
from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import assert_quotes, refusal, written

from lossmith import LossMatrix
from lossmith.losses import hierarchical, lca_height
from lossmith.losses.named import loss_named


@st.composite
def parent_lists(draw) -> list[int | None]:
    """Random trees with at least two leaves, as lists of parents; the root stands anywhere."""
    size = draw(st.integers(3, 10))
    parents: list[int | None] = [None, 0, 0, *(draw(st.integers(0, node - 1)) for node in range(3, size))]
    place = draw(st.permutations(range(size)))
    shuffled: list[int | None] = [None] * size
    for node, parent in enumerate(parents):
        shuffled[place[node]] = None if parent is None else place[parent]
    return shuffled


def search(edges: dict[object, set[object]], start: object) -> dict[object, int]:
    """The number of edges from one node to every other."""
    distance = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for other in edges[node] - set(distance):
            distance[other] = distance[node] + 1
            queue.append(other)
    return distance


def edges_of(parents: list[int | None]) -> dict[object, set[object]]:
    edges: dict[object, set[object]] = {node: set() for node in range(len(parents))}
    for node, parent in enumerate(parents):
        if parent is not None:
            edges[node].add(parent)
            edges[parent].add(node)
    return edges


def nested(parents: list[int | None], node: int, leaf: object, lists: bool) -> object:
    """What hangs below a node: mappings, or lists where all children are leaves and lists are wanted."""
    children = [child for child, parent in enumerate(parents) if parent == node]
    if not children:
        return leaf
    if lists and not any(child in parents for child in children):
        return [f"node {child}" for child in children]
    return {f"node {child}": nested(parents, child, leaf, lists) for child in children}


@pytest.mark.parametrize("labels", ["leaves", "nodes"])
@pytest.mark.parametrize("predictions", ["leaves", "nodes"])
@given(parents=parent_lists())
def test_a_mistake_costs_the_edges_between_truth_and_prediction(parents, labels, predictions):
    loss = hierarchical(parents, labels, predictions)
    sides = {"nodes": tuple(range(len(parents))), "leaves": tuple(x for x in range(len(parents)) if x not in parents)}
    assert (loss.labels, loss.predictions) == (sides[labels], sides[predictions])
    edges = edges_of(parents)
    for y, row in zip(loss.labels, loss.entries, strict=True):
        distance = search(edges, y)
        assert list(row) == [distance[t] for t in loss.predictions]


@pytest.mark.parametrize("leaf", [{}, None, [], ()])
@pytest.mark.parametrize("lists", [False, True])
@given(parents=parent_lists())
def test_a_nested_mapping_is_the_same_tree(parents, leaf, lists):
    root = parents.index(None)
    tree = {f"node {root}": nested(parents, root, leaf, lists)}
    loss, other = hierarchical(tree, "nodes", "leaves"), hierarchical(parents, "nodes", "leaves")
    order = [f"node {node}" for node in other.labels], [f"node {node}" for node in other.predictions]
    assert loss.restrict(*order).entries == other.entries
    assert (loss.n, loss.k) == (other.n, other.k)


@given(parents=parent_lists())
def test_several_names_at_the_top_hang_below_a_root_of_their_own(parents):
    root = parents.index(None)
    below = nested(parents, root, {}, False)
    assert hierarchical(below) == hierarchical({"(root)": below})


def test_the_names_stand_in_the_order_of_the_tree():
    tree = {"animal": {"cat": {}, "dog": None}, "vehicle": ["car", "bus"], "rock": {}}
    loss = hierarchical(tree, predictions="nodes")
    assert loss.labels == ("cat", "dog", "car", "bus", "rock")
    assert loss.predictions == ("(root)", "animal", "cat", "dog", "vehicle", "car", "bus", "rock")
    assert loss.entries[0] == (2, 1, 0, 2, 3, 4, 4, 3)


@pytest.mark.parametrize("tree", [[None, 0, 0, 1, 1], [-1, 0, 0, 1, 1], (None, 0, 0, 1, 1), np.array([-1, 0, 0, 1, 1])])
def test_the_root_has_the_parent_none_or_minus_one(tree):
    assert hierarchical(tree) == LossMatrix.from_function(
        lambda y, t: 0 if y == t else 2 if 2 not in (y, t) else 3, labels=[2, 3, 4]
    )


@pytest.mark.parametrize("tree", [{"animal": {"cat": {}, "dog": None}, "car": []}, [None, 0, 0, 1, 1]])
def test_a_tree_may_stand_in_a_json_file(tmp_path, tree):
    path = written(tmp_path, json.dumps(tree), "tree.json")
    assert hierarchical(path) == hierarchical(str(path)) == hierarchical(tree)
    assert loss_named(f"hierarchical:tree={path},predictions=nodes") == hierarchical(tree, predictions="nodes")
    assert hierarchical.size(path, predictions="nodes") == (3, 5)


def test_a_deep_tree_is_no_trouble():
    chain: dict[str, object] = {"end": {}, "other end": {}}
    for depth in range(3000):
        chain = {f"node {depth}": chain}
    assert hierarchical(chain).entries == ((0, 2), (2, 0))
    assert hierarchical([None, *range(3000), 0]).entries[0] == (0, 3001)


@pytest.mark.parametrize(
    ("tree", "quotes"),
    [
        ({}, ("0",)),
        ({"a": {"b": {"c": {}}}}, ("1",)),
        ({"a": ["b", "b"]}, ("'b'",)),
        ({"a": {"b": {}}, "c": {"b": {}}}, ("'b'",)),
        ({"(root)": ["a"], "b": []}, ("'(root)'",)),
        ({"a": "b"}, ("'a'", "'b'")),
        ({"a": {"b": 3}}, ("'b'", "3")),
        ({"a": ["b", {"c": ["d"]}]}, ("{'c': ['d']}",)),
        ({"a": ["b", None]}, ("None",)),
        ({None: ["a", "b"]}, ("None",)),
        ([None, None, 0], ("2", "None")),
        ([1, 0], ("0",)),
        ([], ("0",)),
        ([None, 0, 0, 3], ("3",)),
        ([None, 0, 4, 2, 3], ("2",)),
        ([None, 0, 9], ("2", "9", "3", "None")),
        ([None, 0, -2], ("2", "-2")),
        ([None, 0, "a"], ("2", "'a'")),
        ([None, 0, 0.0], ("2", "0.0")),
        ([None, 0, True], ("2", "True")),
        ([None, 0, [0]], ("2", "[0]")),
        (3, ("3",)),
        (None, ("None",)),
        (b"tree", ("b'tree'",)),
        ("none.json", ("none.json", os.strerror(errno.ENOENT))),
    ],
)
def test_what_is_no_tree_is_refused(tree, quotes):
    assert_quotes(refusal(hierarchical, tree), *quotes)


def test_a_mapping_that_contains_itself_is_refused():
    tree: dict[str, object] = {"b": {}}
    tree["a"] = tree
    assert_quotes(refusal(hierarchical, {"top": tree}), "'b'")


@pytest.mark.parametrize(
    ("content", "quotes"),
    [
        ('{"a": ["b", "c"], "a": ["d"]}', ("'a'",)),
        ('{"a": [', ("1", "8")),
        ("[" * 100_000, ()),
        ('"tree.json"', ("'tree.json'",)),
        ("3", ("3",)),
        ("", ()),
        ('{"a": ["b", "b"]}', ("'b'",)),
        ("[null, 0.5, 0]", ("1", "'0.5'")),
    ],
    ids=lambda value: None if len(value) < 200 else "long",
)
def test_a_file_that_holds_no_tree_is_named(tmp_path, content, quotes):
    path = written(tmp_path, content, "tree.json")
    message = refusal(hierarchical, path)
    assert message.startswith(f"{path}: ")
    assert_quotes(message, *quotes)


@pytest.mark.parametrize("side", ["labels", "predictions"])
def test_an_unknown_side_is_refused(side):
    message = refusal(hierarchical, {"a": ["b", "c"]}, **{side: "leafs"})
    assert_quotes(message, side, "'leafs'", "'leaves'", "'nodes'")


def leaves_below(parents: list[int | None], node: int) -> dict[int, int]:
    """The leaves at or below a node, each with its depth below it."""
    children = [child for child, parent in enumerate(parents) if parent == node]
    found = {} if children else {node: 0}
    for child in children:
        found |= {leaf: depth + 1 for leaf, depth in leaves_below(parents, child).items()}
    return found


@pytest.mark.parametrize("labels", ["leaves", "nodes"])
@pytest.mark.parametrize("predictions", ["leaves", "nodes"])
@given(parents=parent_lists())
def test_a_mistake_costs_the_height_of_the_lowest_node_above_truth_and_answer(parents, labels, predictions):
    loss, same = lca_height(parents, labels, predictions), hierarchical(parents, labels, predictions)
    assert (loss.labels, loss.predictions) == (same.labels, same.predictions)
    below = {node: leaves_below(parents, node) for node in range(len(parents))}
    depth = search(edges_of(parents), parents.index(None))
    distance = {node: search(edges_of(parents), node) for node in below}
    for y, row in zip(loss.labels, loss.entries, strict=True):
        for t, cost in zip(loss.predictions, row, strict=True):
            both = [v for v in below if all(distance[v][x] == depth[x] - depth[v] for x in (y, t))]
            lowest = max(both, key=depth.__getitem__)
            assert cost == (0 if y == t else max(below[lowest].values()))
            assert (cost == 0) == (y == t)
            if t in both:  # the answer lies above the truth, or is it
                assert cost == (y != t) * max(below[t].values())
