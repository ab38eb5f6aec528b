"""Polytopes: vertices, facets, dimension and membership agree with each other and with brute force."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from losses.refusal import assert_quotes
from lossmith import LossMatrix, trigger_sets
from lossmith.errors import BadInput
from lossmith.geometry.polytope import Polytope, maximal_sets, members, tight_sets
from strategies import distributions, integer_rows, loss_rows

bit_masks = st.lists(st.integers(0, 63), max_size=8)


@given(integer_rows(max_height=4, max_width=3), st.data())
def test_tight_sets_hold_the_rays_with_product_zero(rows, data):
    width = len(rows[0])
    rays = data.draw(st.lists(st.tuples(*[st.integers(-2, 2)] * width), min_size=1, max_size=5))
    expected = [sum(1 << i for i, ray in enumerate(rays) if reference.dot(row, ray) == 0) for row in rows]
    assert tight_sets([tuple(row) for row in rows], rays) == expected


def test_without_rays_every_tight_set_is_empty():
    assert tight_sets([(1, 0), (0, 1)], []) == [0, 0]
    assert tight_sets([], [(1, 0)]) == []


@given(bit_masks)
def test_maximal_sets_are_those_inside_no_other(masks):
    sets = {mask: {i for i in range(6) if mask >> i & 1} for mask in masks}
    expected = sorted(m for m in sets if not any(sets[m] < sets[other] for other in sets))
    assert maximal_sets(masks) == expected


@given(st.integers(0, 2**40))
def test_members_lists_the_bits_from_the_lowest(mask):
    listed = list(members(mask))
    assert set(listed) <= {0, 1}
    assert sum(bit << i for i, bit in enumerate(listed)) == mask


@given(loss_rows(max_n=3))
def test_vertices_are_sorted_distributions_none_of_which_the_others_span(rows):
    for cell in trigger_sets(LossMatrix(rows), reduced=False):
        vertices = cell.polytope.vertices
        assert list(vertices) == sorted(set(vertices))
        assert all(sum(p) == 1 and min(p) >= 0 for p in vertices)
        assert reference.extreme_points(vertices) == vertices


@given(loss_rows())
def test_a_polytope_contains_its_vertices_and_their_mean(rows):
    for cell in trigger_sets(LossMatrix(rows), reduced=False):
        vertices = cell.polytope.vertices
        mean = [sum(column) / len(vertices) for column in zip(*vertices)]
        assert all(cell.polytope.contains(p) for p in (*vertices, mean))


@given(loss_rows())
def test_the_mean_of_the_vertices_of_a_full_cell_lies_strictly_inside_every_facet(rows):
    for cell in trigger_sets(LossMatrix(rows), reduced=False):
        vertices = cell.polytope.vertices
        mean = [sum(column) / len(vertices) for column in zip(*vertices)]
        assert all(reference.dot(row, mean) > 0 for row in cell.polytope.inequalities)


@given(loss_rows(max_n=3), st.data())
def test_membership_is_membership_in_the_hull_of_the_vertices(rows, data):
    p = data.draw(distributions(len(rows)))
    for cell in trigger_sets(LossMatrix(rows), reduced=False):
        assert cell.polytope.contains(p) == reference.in_hull(p, cell.polytope.vertices)


@given(loss_rows(), st.data())
def test_the_facets_alone_decide_membership(rows, data):
    p = data.draw(distributions(len(rows)))
    for cell in trigger_sets(LossMatrix(rows), reduced=False):
        satisfied = all(reference.dot(row, p) >= 0 for row in cell.polytope.inequalities)
        assert satisfied == cell.polytope.contains(p)


def test_the_dimension_of_a_point_is_0_and_of_an_edge_is_1():
    assert Polytope(((1, 1, 1),), ()).dim == 0
    assert Polytope(((1, 0, 0), (0, 1, 0)), ()).dim == 1
    assert Polytope(((1, 0, 0), (0, 1, 0), (1, 1, 0)), ()).dim == 1


def test_the_inequalities_of_a_flat_polytope_cut_it_out_of_the_simplex():
    # The edge p₃ = 0 of the triangle, from its first corner to its middle.
    bounds = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -2), (1, -1, 0), (1, 1, 0))
    edge = Polytope(((1, 0, 0), (1, 1, 0)), bounds)
    cut_out = reference.program_vertices([(0, *row) for row in edge.inequalities], [(-1, 1, 1, 1)])
    assert cut_out == set(edge.vertices)


def test_membership_takes_probabilities_as_people_write_them():
    lower_half = Polytope(((1, 0), (1, 1)), ((0, 1), (1, -1)))
    assert lower_half.contains([0.5, 0.5])
    assert lower_half.contains(["2/3", "1/3"])
    assert not lower_half.contains([0.4, 0.6])
    assert not lower_half.contains([Fraction(1, 2) - Fraction(1, 10**30), Fraction(1, 2) + Fraction(1, 10**30)])


@pytest.mark.parametrize("p", [[1], ["1/2", "1/4", "1/4"], [0.5, 0.4], [2, -1], ["x", 1]])
def test_membership_refuses_what_is_no_distribution_over_the_labels(p):
    with pytest.raises(BadInput):
        Polytope(((1, 0), (1, 1)), ((0, 1), (1, -1))).contains(p)


@given(loss_rows())
def test_polytopes_are_values_that_survive_pickling(rows):
    loss = LossMatrix(rows)
    for cell, again in zip(trigger_sets(loss), trigger_sets(loss), strict=True):
        assert cell == again
        assert hash(cell.polytope) == hash(again.polytope)
        copied = pickle.loads(pickle.dumps(cell))
        assert copied == cell
        assert copied.polytope.inequalities == cell.polytope.inequalities


def test_the_text_of_a_polytope_says_where_it_lives():
    loss = LossMatrix([[0, 1], [1, 0], [1, 0]])
    assert_quotes(repr(trigger_sets(loss, reduced=False)[0].polytope), "Polytope", "3")
    assert_quotes(repr(trigger_sets(loss, reduced=True)[0].polytope), "Polytope", "2", "R^1")


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3).filter(any), min_size=1, max_size=12, unique=True))
def test_vertices_are_the_rays_over_their_totals_sorted(rays):
    found = Polytope(tuple(rays), ()).vertices
    assert list(found) == sorted(tuple(Fraction(x, sum(ray)) for x in ray) for ray in rays)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(-9, 9)), min_size=1, max_size=12, unique=True))
def test_reduced_vertices_may_be_negative_and_are_sorted_too(rays):
    found = Polytope(tuple(rays), (), embedding=((1, 0),)).vertices
    assert list(found) == sorted((Fraction(x, total),) for total, x in rays)


@given(st.integers(2**200, 2**201))
def test_vertices_that_differ_by_one_over_the_product_of_their_denominators_are_told_apart(k):
    # k/(k + 1) < (k + 1)/(k + 2), by 1/(k + 1)(k + 2): far below what a float tells.
    low, high = (k, 1), (k + 1, 1)
    found = Polytope((high, low), ()).vertices
    assert found == ((Fraction(k, k + 1), Fraction(1, k + 1)), (Fraction(k + 1, k + 2), Fraction(1, k + 2)))


def test_thousands_of_vertices_with_denominators_of_their_own_are_sorted():
    # One denominator for all of them would have 4000 · 90 bits, and take minutes.
    rays = tuple((2**90 + 3 * i, i + 1) for i in range(4000))
    found = Polytope(rays, ()).vertices
    assert [p[0] for p in found] == sorted(Fraction(x, x + y) for x, y in rays)
