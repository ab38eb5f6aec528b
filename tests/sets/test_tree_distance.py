"""Distances in trees by factors, against `hierarchical`, which writes them down."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

import lossmith as lm
from lossmith.errors import BadInput, LossmithError
from lossmith.losses import hierarchical, tree_distance
from surrogates.quotation import quotes

TREES = [
    [None, 0],
    [None, 0, 0],
    [None, 0, 1, 2],
    [None, 0, 0, 1, 2],
    [None, 0, 1, 1],
    [None, 0, 0, 0, 1, 1, 2],
    [1, None, 1, 0, 0, 4],
    {"animal": {"cat": {}, "dog": {}}, "car": {}},
]
SIDES = [(labels, predictions) for labels in ("leaves", "nodes") for predictions in ("leaves", "nodes")]


def distance(loss, y, t):
    """Along the parents, as in a book."""
    number = {node: i for i, node in enumerate(loss.nodes)}

    def path(v):
        found = [v]
        while loss.up[found[-1]] >= 0:
            found.append(loss.up[found[-1]])
        return found

    first, second = path(number[y]), path(number[t])
    return sum(loss.lengths[v] for v in set(first) ^ set(second))


@pytest.mark.parametrize(("labels", "predictions"), SIDES)
@pytest.mark.parametrize("tree", TREES, ids=str)
def test_it_is_the_loss_of_its_definition(tree, labels, predictions):
    random.seed(1)
    size = len(tree_distance(tree, labels="nodes").nodes)
    for lengths in (None, [Fraction(random.randint(1, 9), random.randint(1, 3)) for _ in range(size)]):
        try:
            loss = tree_distance(tree, lengths, labels, predictions)
        except LossmithError:
            assert labels == "leaves"
            with pytest.raises(LossmithError):
                hierarchical(tree, labels, predictions)
            continue
        matrix = loss.matrix()
        if lengths is None:
            assert matrix == hierarchical(tree, labels, predictions)
        names = list(loss.each_label()), list(loss.each_prediction())
        assert (loss.n, loss.k) == (len(names[0]), len(names[1]))
        entries = [[distance(loss, y, t) for t in names[1]] for y in names[0]]
        assert [list(row) for row in matrix.entries] == entries
        assert loss.affdim == lm.affdim(lm.LossMatrix(entries))
        columns = [loss.factors(t) for t in names[1]]
        for functional in loss.constants:
            assert len({sum(a * b for a, b in zip(functional, column, strict=True)) for column in columns}) == 1
        farthest = max(sum((a - b) ** 2 for a, b in zip(s, t, strict=True)) for s in columns for t in columns)
        assert farthest <= loss.spread
        rows = np.random.default_rng(0).normal(size=(9, loss.m))
        found = loss.decode(rows)
        values = rows @ np.array(columns, dtype=float).T
        assert found.values == pytest.approx(values.min(axis=1))
        assert values[np.arange(9), found.predictions[:, 0]] == pytest.approx(values.min(axis=1))
        for p in ([Fraction(1, loss.n)] * loss.n, [Fraction(int(i == 1)) for i in range(loss.n)]):
            assert loss.risk(p) == matrix.risk(p)


def test_thousands_of_nodes():
    random.seed(0)
    tree = [None, *(random.randrange(max(1, i // 3)) for i in range(1, 3000))]
    loss = tree_distance(tree)
    bounds = lm.ccdim(loss)
    depths = [0]
    for parent in tree[1:]:
        depths.append(depths[parent] + 1)
    digits = sum((depths.count(d) - 1).bit_length() or 1 for d in range(1, max(depths) + 1))
    assert (bounds.lower.value, bounds.upper.value) == (2, digits) == (2, 51)
    leaf = next(loss.each_label())
    x = np.zeros((2, loss.n))
    x[:, 0] = 1
    assert list(loss.each_prediction())[loss.decode(x).predictions[1, 0]] == leaf
    assert loss.risk({leaf: 1}, leaf) == 0
    assert lm.design(loss).dim == loss.affdim == loss.n
    assert lm.verify(bounds.lower.certificate).accepted
    assert lm.verify(bounds.upper.certificate).accepted
    assert lm.verify(lm.design(loss).certificate).accepted


@pytest.mark.parametrize("lengths", [None, [5] * 11 + [Fraction(1, 3)] * 100 + [2] * 1000])
def test_all_leaves_tie_where_no_other_decisions_are(lengths):
    """In a complete tree, with the same lengths at each depth, equally likely leaves cost the same."""
    loss = tree_distance([None, *((i - 1) // 10 for i in range(1, 1111))], lengths, predictions="leaves")
    bounds = lm.ccdim(loss)
    assert bounds.exact == 999
    assert lm.verify(bounds.lower.certificate).accepted


def test_a_leaf_too_near_leaves_those_around_a_node():
    """Two leaves at the distance 1 of the root, and 30 at 100: these cost more. The two and one more tie."""
    tree, lengths = [None, 0, 0, 0, *[3] * 30], [0, 1, 1, 50, *[50] * 30]
    loss = tree_distance(tree, lengths, predictions="leaves")
    bounds = lm.ccdim(loss)
    assert bounds.lower.value >= 30  # around node 3: its 30 leaves, and the nearest beyond
    assert lm.verify(bounds.lower.certificate).accepted


def test_lengths_of_sixteen_digits():
    random.seed(0)
    loss = tree_distance([None, *[0] * 200], [random.random() for _ in range(201)], predictions="leaves")
    bounds = lm.ccdim(loss)
    assert 2 <= bounds.lower.value < bounds.upper.value == 199
    assert lm.verify(bounds.lower.certificate).accepted
    assert lm.verify(bounds.upper.certificate).accepted


def code_for_each_depth(loss):
    """The surrogate of the upper bound, written out: for each depth the hinge of the code of the node above y."""
    depth = [0] * loss.r
    for v in loss.order[1:]:
        depth[v] = depth[loss.up[v]] + 1
    parts = []
    for d in range(1, max(depth) + 1):
        level = [v for v in range(loss.r) if depth[v] == d]
        digits = (len(level) - 1).bit_length() or 1
        first = parts[-1][2] if parts else 0
        codes = {v: [1 if i >> j & 1 else -1 for j in range(digits)] for i, v in enumerate(level)}
        parts.append((codes, first, first + digits))

    def above(v):
        return [] if v < 0 else [v, *above(loss.up[v])]

    def psi(y, u):
        total = 0
        for codes, start, end in parts:
            at = next((v for v in above(loss.truths[y]) if v in codes), None)
            if at is None:
                total = total + 1 + lm.maximum(*(s * u[j] for j in range(start, end) for s in (1, -1)))
            else:
                total = total + lm.pos(1 + lm.maximum(*(codes[at][j - start] * u[j] for j in range(start, end))))
        return total

    return lm.PolyhedralSurrogate.from_function(psi, n=loss.n, dim=parts[-1][2])


@pytest.mark.parametrize(
    ("tree", "labels"),
    [
        ([None, 0, 0, 1, 1, 2, 2], "leaves"),
        ([None, 0, 0, 0, 1, 1], "leaves"),
        ([None, 0, 0, 0], "nodes"),
        ([None, 0, 1, 1], "nodes"),
        ([None, 0, 0, 1], "nodes"),
    ],
)
def test_a_code_for_each_depth_is_calibrated(tree, labels):
    loss = tree_distance(tree, range(1, len(tree) + 1), labels=labels)
    assert lm.check(code_for_each_depth(loss), loss).status == "calibrated"


def test_inner_nodes_of_a_middling_tree_need_few_dimensions():
    """6 groups of 4: 3 binary digits for the group and 5 for the leaf, though it has a matrix of its own."""
    loss = tree_distance([None, *[0] * 6, *(1 + i // 4 for i in range(24))])
    bounds = lm.ccdim(loss, designs=False)
    assert (bounds.lower.value, bounds.upper.value) == (2, 8)
    assert lm.verify(bounds.upper.certificate).accepted
    assert lm.design(loss, bounds=bounds).surrogate.dim == 23  # a bound of the tree brings no surrogate


def test_small_trees_have_the_bounds_of_their_matrix():
    loss = tree_distance([None, 0, 0, 0])
    bounds = lm.ccdim(loss)
    assert bounds.exact == 2  # abstain(3), twice
    assert lm.verify(bounds.lower.certificate).accepted


@pytest.mark.parametrize(
    ("ask", "quoted"),
    [
        (lambda: tree_distance([None, 0, 0], [0, 1]), ("2", "3")),
        (lambda: tree_distance([None, 0, 0], [0, 1, -1]), ("2", "-1")),
        (lambda: tree_distance([None, 0, 0], {1: 1}), ("2",)),
        (lambda: tree_distance([None, 0, 0], {1: 1, 2: 1, 7: 1}), ("7",)),
        (lambda: tree_distance([None, 0, 0], labels="leafs"), ("'leafs'", "'leaves'", "'nodes'")),
        (
            lambda: tree_distance({"a": ["cat", "dog"]}).loss("cta", "a"),
            ("'cta'", "tree_distance(3 nodes)"),
        ),
        (lambda: tree_distance([None, 0, 0]).loss(0, 1), ("0", "tree_distance(3 nodes)", "1", "2")),
    ],
)
def test_what_is_wrong_is_quoted_in_one_line(ask, quoted):
    with pytest.raises(BadInput) as caught:
        ask()
    assert quotes(str(caught.value), *quoted), str(caught.value)
