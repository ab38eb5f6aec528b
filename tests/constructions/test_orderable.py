"""Which losses one number decides, and the surrogate on the line that decides them."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from test_linear import random_rows

import reference
from lossmith import LossMatrix, check, losses, verify
from lossmith.analysis.facts import Facts
from lossmith.analysis.sections import order_by_a_row, path_through
from lossmith.constructions.orderable import orderable
from lossmith.errors import BadInput
from strategies import examples, loss_rows, permutations, row_factors, row_offsets


def path(nodes, edges):
    """The order of the nodes along the path that the edges form, from its smaller end; None if they form none."""
    near = {t: [s for edge in edges if t in edge for s in edge if s != t] for t in nodes}
    if len(edges) != len(nodes) - 1 or any(len(each) > 2 for each in near.values()):
        return None
    order = [min(t for t in nodes if len(near[t]) < 2)]
    while following := [t for t in near[order[-1]] if t not in order]:
        order += following
    return tuple(order) if len(order) == len(nodes) else None


def order_by_definition(rows):
    """The cells that share facets form a path, and every facet is all of {p ∈ Δ : p·ℓ_s = p·ℓ_t}."""
    n, kept, columns = len(rows), reference.kept_predictions(rows), reference.transpose(rows)
    pairs = [(s, t) for s in kept for t in kept if s < t and reference.are_neighbours(rows, s, t)]
    corners = [(0, *(int(y == z) for z in range(n))) for y in range(n)]
    for s, t in pairs:
        step = [a - b for a, b in zip(columns[s], columns[t])]
        section = reference.program_vertices(corners, [(-1, *[1] * n), (0, *step)])
        if not section <= set(reference.cell_vertices(rows, s)):
            return None
    return path(kept, pairs)


@given(loss_rows(max_n=3))
def test_the_order_is_that_of_the_definition(rows):
    assert Facts(LossMatrix(rows)).order == order_by_definition(rows)


@pytest.mark.parametrize(
    "seed", [*range(15), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(15, 60))]
)
def test_the_order_is_that_of_the_definition_on_integers(seed):
    rows = random_rows(seed, max_n=4, max_k=5)
    assert Facts(LossMatrix(rows)).order == order_by_definition(rows)


@pytest.mark.parametrize(
    "seed", [*range(40), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(40, 200))]
)
def test_the_order_by_a_row_is_the_path_through_full_sections(seed):
    """With ties and redundant columns; half of the losses are orderable, by rows that are convex along a line."""
    rng = random.Random(seed)
    rows = random_rows(seed, max_n=5, max_k=6)
    if seed % 2:
        knots = rng.sample(range(30), rng.randint(2, 7))
        slopes = [(a, rng.randint(1, 4), rng.randint(1, 4)) for a in knots]
        rows = [[up * max(0, x - a) + down * max(0, a - x) for x in knots] for a, up, down in slopes]
    facts = Facts(LossMatrix(rows))
    assert facts.order is not None or not seed % 2
    assert order_by_a_row(facts.columns, facts.kept) == path_through(facts.sections)


@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("power", [1, 2])
def test_ordinal_losses_keep_their_order(n, power):
    assert Facts(losses.ordinal(n, power=power)).order == tuple(range(n))


def test_two_labels_are_always_orderable_and_cheap_abstaining_comes_between():
    assert Facts(losses.cost_sensitive_binary("1/5")).order == (0, 1)
    assert Facts(losses.abstain(2)).order == (0, 1)  # at cost 1/2 abstaining is never strictly optimal
    assert Facts(losses.abstain(2, cost="1/3")).order == (0, 2, 1)


@pytest.mark.parametrize("loss", [losses.zero_one(3), losses.abstain(3), losses.hamming(2)], ids=lambda loss: loss.name)
def test_cells_that_meet_in_half_sections_or_three_to_one_have_no_order(loss):
    """0-1: three cells meet in the centre. Abstain: three neighbours. Hamming: a cycle of four."""
    assert Facts(loss).order is None
    with pytest.raises(BadInput, match=re.escape(loss.name)):
        orderable(Facts(loss))


def test_one_decision_is_an_order_but_needs_no_surrogate():
    loss = LossMatrix([[0, 1], [0, 2]], name="easy")
    assert Facts(loss).order == (0,)
    with pytest.raises(BadInput, match="easy"):
        orderable(Facts(loss))


# Invariances.


def ordered_columns(rows):
    """The columns in their order, read in the direction that does not depend on their numbers."""
    order = Facts(LossMatrix(rows)).order
    if order is None:
        return None
    columns = [reference.transpose(rows)[t] for t in order]
    return min(columns, columns[::-1])


@given(loss_rows(), st.data())
def test_the_order_of_the_columns_does_not_matter(rows, data):
    order = data.draw(permutations(len(rows[0])))
    assert ordered_columns(tuple(tuple(row[t] for t in order) for row in rows)) == ordered_columns(rows)


@given(loss_rows(), st.data())
def test_constants_and_factors_of_rows_do_not_matter(rows, data):
    offsets, factors = data.draw(row_offsets(len(rows))), data.draw(row_factors(len(rows)))
    moved = [[c * x + b for x in row] for row, b, c in zip(rows, offsets, factors)]
    assert Facts(LossMatrix(moved)).order == Facts(LossMatrix(rows)).order


# The surrogate.


@st.composite
def orderable_rows(draw):
    """Each row a convex function of a position, not sorted, least at its own: a_y (x − x_y)₊ + b_y (x_y − x)₊."""
    n = draw(st.integers(2, 4))
    positions = draw(st.lists(st.integers(0, 8), min_size=n, max_size=n, unique=True))
    slopes = [(draw(st.integers(1, 4)), draw(st.integers(1, 4))) for _ in range(n)]
    return tuple(
        tuple(a * max(x - own, 0) + b * max(own - x, 0) for x in positions)
        for own, (a, b) in zip(positions, slopes, strict=True)
    )


def is_certified(loss, made):
    with_some = check(made.surrogate, loss)
    with_its_own = check(made.surrogate, loss, pred=made.pred)
    return all(
        verdict.status == "calibrated" and verify(verdict.certificate).accepted for verdict in (with_some, with_its_own)
    )


@examples(5)
@given(orderable_rows())
def test_costs_that_grow_with_the_distance_are_orderable_on_a_line(rows):
    loss = LossMatrix(rows)
    made = orderable(Facts(loss))
    assert made.surrogate.dim == 1
    assert is_certified(loss, made)


@pytest.mark.exhaustive
def test_random_losses_with_an_order_get_a_certified_surrogate():
    found = 0
    for seed in range(150):
        loss = LossMatrix(random_rows(seed))
        if Facts(loss).order is not None:
            found += 1
            assert is_certified(loss, orderable(Facts(loss))), loss.entries
    assert found > 40


@given(loss_rows())
def test_the_points_of_its_cells_are_the_kept_columns(rows):
    loss = LossMatrix(rows)
    order = Facts(loss).order
    assume(order is not None and len(order) > 1)
    verdict = check(orderable(Facts(loss)).surrogate, loss)
    assert {cell.z for cell in verdict.cells} == {loss.column(t) for t in order}


@pytest.mark.parametrize("n", [2, 3, 5])
def test_for_ordinal_losses_it_is_the_absolute_deviation(n):
    surrogate = orderable(Facts(losses.ordinal(n))).surrogate
    for x in range(-9, 3 * n + 9):
        assert surrogate([Fraction(x, 3)]) == tuple(abs(Fraction(x, 3) - y) for y in range(n))


def test_for_squares_it_interpolates_them_at_the_integers():
    surrogate = orderable(Facts(losses.ordinal(4, power=2))).surrogate
    for t in range(4):
        assert surrogate([t]) == tuple((y - t) ** 2 for y in range(4))
    for t in range(3):
        half = [Fraction(y * y + (y - 1) ** 2, 2) for y in range(t + 1, t - 3, -1)]
        assert surrogate([t + Fraction(1, 2)]) == tuple(half)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_an_uneven_scale_is_found_again(gaps):
    """For |x_y − x_t| the first and the last label force the ratios of the distances between the knots."""
    positions = [sum(gaps[:j]) for j in range(len(gaps) + 1)]
    loss = LossMatrix.from_function(lambda y, t: abs(y - t), labels=positions)
    made = orderable(Facts(loss))
    cells = sorted(check(made.surrogate, loss).cells, key=lambda cell: cell.prediction)
    found = [b.u[0] - a.u[0] for a, b in pairwise(cells)]
    assert [x * gaps[0] for x in found] == [x * found[0] for x in gaps]


def test_the_nearest_knot_is_predicted():
    draw = random.Random(0)
    pred = orderable(Facts(losses.ordinal(5))).pred
    for _ in range(50):
        u = Fraction(draw.randint(-30, 70), 10)
        assert abs(u - pred([u])) == min(abs(u - t) for t in range(5))
