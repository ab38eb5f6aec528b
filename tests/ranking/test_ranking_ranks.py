"""Ranks, affine dimensions and convex calibration dimensions of the ranking losses: exact, and at any size."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

import pytest
from flint import fmpz_mat
from hypothesis import given
from hypothesis import strategies as st
from ranking_definitions import all_dags, dags, disagreement, map_loss, place, rankings

import lossmith as lm
from lossmith.losses import dcg, mean_average_precision, ndcg, pairwise_disagreement, precision_at
from reference import affine_dimension, rank

F = Fraction
KINDS = ("all DAGs", "single edges", "tournaments", "total orders")
HALVES = tuple(F(1, 2**j) for j in range(6))


def exact_rank(rows) -> int:
    """By flint, on integers: each row times a common denominator."""
    integers = []
    for row in rows:
        denominator = math.lcm(*(F(x).denominator for x in row))
        integers.append([int(x * denominator) for x in row])
    return int(fmpz_mat(integers).rank())


def exact_affdim(rows) -> int:
    return exact_rank([[x - row[0] for x in row] for row in rows])


def assert_proved(loss, value: int) -> None:
    """CCdim is `value`, and a certificate of each bound, for this very loss, is accepted."""
    bounds = lm.ccdim(loss)
    assert bounds.exact == value
    assert {bound.side for bound in bounds.bounds} == {"lower", "upper"}
    for bound in bounds.bounds:
        verification = lm.verify(bound.certificate)
        assert verification.accepted, f"{bound}: {verification.why}"
        content = bound.certificate.content
        assert content["claim"] == ("ccdim at least" if bound.side == "lower" else "ccdim at most")
        assert content["value"] == bound.value
        assert content["loss"]["family"] == loss.family
        assert content["loss"]["r"] == loss.r


# The propositions of the paper, and what is true beside its bounds.


def pairs_ahead(r: int, graphs) -> list[list[int]]:
    """L̃ of the paper: the loss without the term that depends on the graph only."""
    orders = list(permutations(range(r)))
    pairs = [(i, j) for i in range(r) for j in range(i)]
    behind = [[int(place(sigma, i) > place(sigma, j)) for sigma in orders] for i, j in pairs]
    rows = []
    for graph in graphs:
        row = [0] * len(orders)
        for (i, j), column in zip(pairs, behind, strict=True):
            sign = ((i, j) in graph) - ((j, i) in graph)
            if sign:
                row = [x + sign * b for x, b in zip(row, column, strict=True)]
        rows.append(row)
    return rows


@pytest.mark.parametrize("r", [2, 3, 4])
def test_prop_pd_rank(r):
    graphs, pairs = list(all_dags(r)), r * (r - 1) // 2
    assert exact_rank(pairs_ahead(r, graphs)) == pairs
    loss = [[disagreement(graph, sigma) for sigma in permutations(range(r))] for graph in graphs]
    # All predictions cost the same, more than 0, under the uniform distribution: 0 is not in the affine hull.
    assert exact_rank(loss) == pairs + 1
    assert exact_affdim(loss) == pairs
    assert lm.affdim(pairwise_disagreement(r)) == lm.affdim(pairwise_disagreement(r).matrix()) == pairs


@pytest.mark.exhaustive
def test_prop_pd_rank_with_five_documents():
    loss = pairwise_disagreement(5)
    graphs = [frozenset(graph) for graph in loss.each_label()]
    assert len(graphs) == 29281
    assert exact_rank(pairs_ahead(5, graphs)) == 10
    matrix = loss.matrix()
    assert (matrix.n, matrix.k) == (29281, 120)
    assert lm.affdim(matrix) == lm.affdim(loss) == 10


@pytest.mark.parametrize(
    "r", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.exhaustive), pytest.param(7, marks=pytest.mark.exhaustive)]
)
def test_prop_map_rank_lower_bound(r):
    """The paper shows rank ≥ r(r−1)/2 − 2; it is r(r+1)/2 − 1, and the affine dimension is one less."""
    exact = r * (r + 1) // 2 - 1
    if r <= 5:
        rows = [[map_loss(y, s) for s in permutations(range(r))] for y in product((0, 1), repeat=r) if any(y)]
    else:
        rows = mean_average_precision(r).matrix().entries
    assert exact_rank(rows) == exact >= r * (r - 1) // 2 - 2
    assert exact_affdim(rows) == lm.affdim(mean_average_precision(r)) == exact - 1
    assert lm.affdim(mean_average_precision(r).matrix()) == exact - 1


# Factors and matrices agree.


def small_losses():
    yield from (ndcg(r, discount=HALVES[:r]) for r in (2, 3, 4))
    yield ndcg(3)
    yield ndcg(3, levels=3, discount=HALVES[:3])
    yield ndcg(2, levels=4, discount=[1, "1/3"], gain=[0, 0, 1, 1])
    yield ndcg(4, discount=[1, 1, "1/2", "1/2"])
    yield ndcg(4, discount=[1, 1, 1, 0])
    yield ndcg(4, discount=[1, 0, 0, 0])
    yield ndcg(4, discount=[0, 1, 2, 3])
    yield ndcg(3, discount=[0, 0, 1])
    yield ndcg(3, discount=HALVES[:3], gain=[1, 3])
    yield from (dcg(3, discount=HALVES[:3]), dcg(3, levels=3, discount=[0, 2, 1]))
    yield from (precision_at(q, r) for r in range(2, 6) for q in range(1, r))
    yield from (mean_average_precision(r) for r in (2, 3, 4))
    yield from (pairwise_disagreement(r, kind) for r in (2, 3, 4) for kind in KINDS)
    yield pairwise_disagreement(3, [[(0, 1)], [(1, 0)], [(1, 2)], [(2, 1)], [(0, 2)], [(2, 0)]])
    yield pairwise_disagreement(3, [[(0, 1)], [(1, 0)]])
    yield pairwise_disagreement(3, [[(0, 1), (1, 2)], [(1, 0), (2, 1)], []])
    yield pairwise_disagreement(3, [[(0, 1)], [(1, 2)], [(0, 1), (1, 2)]])
    yield pairwise_disagreement(4, [[(0, 1), (2, 3)], [(1, 0), (3, 2)], [(0, 1), (3, 2)], [(1, 0), (2, 3)]])


SMALL = [pytest.param(loss, id=f"{i} {loss.name}") for i, loss in enumerate(small_losses())]


@pytest.mark.parametrize("loss", SMALL)
def test_factors_and_matrix_have_the_same_dimensions(loss):
    matrix = loss.matrix()
    assert lm.affdim(loss) == lm.affdim(matrix) == exact_affdim(matrix.entries)
    by_factors, by_entries = lm.ccdim(loss), lm.ccdim(matrix)
    assert by_factors.exact == by_entries.exact
    assert by_factors.lower.value == by_entries.lower.value
    assert by_factors.upper.value == by_entries.upper.value


@pytest.mark.parametrize("loss", SMALL)
def test_constants_equaliser_and_span_are_what_they_say(loss):
    columns = [loss.factors(t) for t in loss.each_prediction()]
    assert all(len(column) == loss.m for column in columns)
    for functional in loss.constants:
        assert len({sum(f * b for f, b in zip(functional, column, strict=True)) for column in columns}) == 1
    assert rank(loss.constants) == len(loss.constants) if loss.constants else True
    assert affine_dimension(columns) == loss.m - len(loss.constants), "as many as there are"
    if loss.equalizer:
        assert sum(loss.equalizer.values()) == 1
        assert min(loss.equalizer.values()) > 0
        assert len(set(loss.risk(loss.equalizer))) == 1
    span, labels = loss.span, set(loss.equalizer)
    assert all(loss.prediction(t) == t for t in (span.base, *span.others))
    assert all(loss.label(y) == y and y in labels for row in span.rows for y, _ in row)
    assert len(span.rows) == len(span.others)
    base = loss.factors(span.base)
    combined = [
        [
            sum(c * x for c, x in zip((c for _, c in row), column, strict=True))
            for column in zip(*(loss.row(y)[2] for y, _ in row), strict=True)
        ]
        for row in span.rows
    ]
    minor = [
        [sum(a * (b - start) for a, b, start in zip(row, loss.factors(t), base, strict=True)) for t in span.others]
        for row in combined
    ]
    assert rank(minor) == len(minor) if minor else True


@given(st.data(), st.integers(2, 4))
def test_lists_of_graphs_have_the_dimensions_of_their_matrices(data, r):
    graphs = data.draw(st.lists(dags(r).map(sorted), min_size=2, max_size=5, unique_by=tuple))
    loss = pairwise_disagreement(r, graphs)
    entries = [[disagreement(graph, sigma) for sigma in permutations(range(r))] for graph in graphs]
    assert [list(row) for row in loss.matrix().entries] == entries
    assert lm.affdim(loss) == affine_dimension(list(zip(*entries, strict=True)))
    if r != 3 or len(graphs) > 3:
        return  # the bounds of a matrix take a moment
    by_factors, by_entries = lm.ccdim(loss, designs=False), lm.ccdim(loss.matrix(), designs=False)
    assert by_factors.upper.value == by_entries.upper.value
    assert by_factors.lower.value == by_entries.lower.value


@given(st.data(), st.integers(2, 4))
def test_renaming_the_documents_changes_no_dimension(data, r):
    graphs = data.draw(st.lists(dags(r).map(sorted), min_size=2, max_size=4, unique_by=tuple))
    graphs += [[(j, i) for i, j in graph] for graph in graphs]  # balanced
    graphs = [list(graph) for graph in dict.fromkeys(tuple(sorted(graph)) for graph in graphs)]
    if len(graphs) < 2:
        return
    new = data.draw(rankings(r))
    renamed = [[(new[i], new[j]) for i, j in graph] for graph in graphs]
    order = data.draw(st.permutations(renamed))
    before, after = pairwise_disagreement(r, graphs), pairwise_disagreement(r, order)
    assert lm.affdim(before) == lm.affdim(after)
    first, second = lm.ccdim(before), lm.ccdim(after)
    assert (first.lower.value, first.upper.value) == (second.lower.value, second.upper.value)
    assert first.exact == lm.affdim(before), "balanced lists have an equaliser on all their graphs"


# Known values at sizes where there is no matrix.


def sized(numbers):
    return [pytest.param(r, marks=pytest.mark.exhaustive) if r > 12 else r for r in numbers]


@pytest.mark.parametrize("r", sized(range(2, 21)))
def test_ccdim_of_ndcg(r):
    assert_proved(ndcg(r), r - 1)
    assert_proved(ndcg(r, levels=3, discount=lambda j: F(1, j)), r - 1)
    assert_proved(dcg(r), r - 1)


@pytest.mark.parametrize("r", sized(range(2, 21)))
def test_ccdim_of_pairwise_disagreement(r):
    assert_proved(pairwise_disagreement(r), r * (r - 1) // 2)


@pytest.mark.parametrize("r", sized(range(2, 21)))
def test_ccdim_of_map(r):
    assert_proved(mean_average_precision(r), r * (r + 1) // 2 - 2)


@pytest.mark.parametrize("r", sized(range(2, 21)))
def test_ccdim_of_precision(r):
    for q in sorted({1, r // 2, r - 1} - {0}):
        assert_proved(precision_at(q, r), r - 1)


def test_bounds_name_their_theorems():
    theorems = [bound.theorem for bound in lm.ccdim(mean_average_precision(9)).bounds]
    assert theorems == [
        "affdim (thm:ccdim-upper-bound)",
        "equaliser (cor:col-perm)",
        "equaliser, as in the paper (cor:col-perm)",
    ]


@pytest.mark.parametrize("kind", ["single edges", "tournaments", "total orders"])
@pytest.mark.parametrize("r", [2, 3, 5, 8])
def test_ccdim_of_other_graphs(kind, r):
    """On two documents two opposite edges are one decision, and on more all pairs matter."""
    assert_proved(pairwise_disagreement(r, kind), r * (r - 1) // 2)


@pytest.mark.parametrize("r", range(2, 21))
def test_the_bounds_of_the_paper_hold_and_are_not_tight(r):
    pairs = r * (r - 1) // 2
    assert pairs - 2 <= lm.affdim(pairwise_disagreement(r)) <= pairs
    assert pairs - 4 <= lm.affdim(mean_average_precision(r)) == pairs + r - 2 < pairs + r
    assert lm.affdim(ndcg(r)) == lm.affdim(dcg(r)) == lm.affdim(precision_at(1, r)) == r - 1 < r


@pytest.mark.parametrize(
    ("loss", "value"),
    [
        pytest.param(lambda: ndcg(200), 199, id="ndcg", marks=pytest.mark.exhaustive),
        pytest.param(lambda: ndcg(60), 59, id="ndcg of 60 documents"),
        pytest.param(lambda: ndcg(60, discount=[0] * 59 + [1]), 59, id="ndcg last", marks=pytest.mark.exhaustive),
        pytest.param(lambda: precision_at(30, 100), 99, id="precision"),
    ],
)
def test_ccdim_at_large_sizes(loss, value):
    assert_proved(loss(), value)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("family", "value"), [(mean_average_precision, 818), (pairwise_disagreement, 780)], ids=["map", "pd"]
)
def test_ccdim_of_forty_documents(family, value):
    assert_proved(family(40), value)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))])
def test_a_few_random_rows_and_columns_already_span_as_much(seed):
    """Rows and columns drawn at random from a large MAP or PD loss cannot have more than the claimed dimension."""
    random, r = Random(seed), 7
    loss = mean_average_precision(r)
    orders = [tuple(random.sample(range(r), r)) for _ in range(60)]
    labels = [y for y in product((0, 1), repeat=r) if any(y)]
    rows = [[map_loss(y, sigma) for sigma in orders] for y in random.sample(labels, 60)]
    assert exact_affdim(rows) <= lm.affdim(loss) == 26
    edges = [[edge] for edge in permutations(range(r), 2)]
    both = [[disagreement(graph, sigma) for sigma in orders] for graph in edges]
    assert exact_affdim(both) <= lm.affdim(pairwise_disagreement(r)) == len(list(combinations(range(r), 2)))
