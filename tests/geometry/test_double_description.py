"""Rays, facets and lower envelopes, against brute force."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from lossmith.errors import TooLarge
from lossmith.geometry.double_description import extreme_rays, facets, lower_envelope
from strategies import loss_rows


def corner_rows(n: int) -> list[tuple[int, ...]]:
    return [tuple(int(i == j) for j in range(n)) for i in range(n)]


@st.composite
def cones(draw):
    """Inequalities of a pointed cone: the coordinates are not negative, and a few more rows hold."""
    n = draw(st.integers(2, 4))
    rows = draw(st.lists(st.tuples(*[st.integers(-2, 2)] * n), max_size=4))
    return [*corner_rows(n), *rows]


def rays_by_brute_force(rows) -> set[tuple[int, ...]]:
    """Cut with the plane Σ x = 1: the vertices there, as primitive integers."""
    n = len(rows[0])
    vertices = reference.program_vertices([(0, *row) for row in rows], [(-1, *[1] * n)])
    return {reference.primitive(x) for x in vertices}


@given(cones())
def test_extreme_rays_are_the_vertices_of_a_section(rows):
    found = extreme_rays(rows)
    assert len(found) == len(set(found))
    assert set(found) == rays_by_brute_force(rows)


@given(cones())
def test_facets_of_the_rays_cut_out_the_same_cone(rows):
    rays = extreme_rays(rows)
    if reference.rank(rays) < len(rows[0]):
        rays = corner_rows(len(rows[0]))
    assert set(extreme_rays(facets(rays))) == set(rays)


@given(cones())
def test_every_facet_is_tight_on_rays_that_span_its_plane(rows):
    rays = extreme_rays(rows)
    n = len(rows[0])
    if reference.rank(rays) < n:
        rays = corner_rows(n)
    found = facets(rays)
    for row in found:
        products = [reference.dot(row, ray) for ray in rays]
        assert min(products) == 0
        assert reference.rank([ray for ray, value in zip(rays, products) if value == 0]) == n - 1
        assert reference.primitive(row) == tuple(row)
    assert len(set(found)) == len(found)


def test_rays_inside_the_cone_make_no_facets():
    assert sorted(facets([(1, 0), (1, 1), (0, 1), (3, 5)])) == [(0, 1), (1, 0)]


@given(loss_rows())
def test_the_lower_envelope_has_the_vertices_of_all_cells_each_at_its_least_value(rows):
    n, scale = len(rows), reference.lcm(*(entry.denominator for row in rows for entry in row))
    functionals = [tuple(int(entry * scale) for entry in column) for column in zip(*rows)]
    found = lower_envelope(corner_rows(n), functionals, corners=corner_rows(n), max_vertices=1000)
    cells = {p for t in range(len(functionals)) for p in reference.cell_vertices(rows, t)}
    expected = {reference.primitive((*p, scale * min(reference.risks(rows, p)))) for p in cells}
    assert set(found) == expected
    assert len(found) == len(expected)


def envelope(rows, **options):
    """The envelope of the columns over the simplex; 60 clears every denominator that the strategies use."""
    functionals = [tuple(int(60 * entry) for entry in column) for column in zip(*rows)]
    return lower_envelope(corner_rows(len(rows)), functionals, corners=corner_rows(len(rows)), **options)


@given(loss_rows(max_k=7))
def test_progress_goes_forward_and_never_beyond_the_number_of_functionals(rows):
    told: list[tuple[int, int]] = []
    envelope(rows, max_vertices=1000, progress=lambda *step: told.append(step))
    assert told == sorted(set(told))
    assert all(0 < done <= total == len(rows[0]) for done, total in told)


@given(loss_rows(max_k=7), st.integers(1, 20))
def test_no_more_vertices_are_returned_than_the_budget_allows(rows, budget):
    try:
        found = set(envelope(rows, max_vertices=budget))
    except TooLarge:
        found = None
    unlimited = set(envelope(rows, max_vertices=1000))
    assert found is None or found == unlimited
    assert found is None or len(found) <= budget


@given(loss_rows(max_k=7))
def test_a_result_beyond_the_budget_is_refused(rows):
    size = len(envelope(rows, max_vertices=1000))
    with pytest.raises(TooLarge, match=rf"\b{size - 1}\b.*--max-vertices"):
        envelope(rows, max_vertices=size - 1)


def test_the_envelope_of_functionals_in_general_position_on_a_polygon():
    # Over the square cone {(x, y, z) : |x|, |y| ≤ z} the functions ±x, ±y give the four corners, and the centre.
    domain = [(1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)]
    functionals = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)]
    corners = {(x, y, 1, -1) for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1))}
    rays = [corner[:-1] for corner in corners]
    assert set(lower_envelope(domain, functionals, corners=rays, max_vertices=100)) == {*corners, (0, 0, 1, 0)}


def test_every_pair_of_corners_gives_one_vertex_of_the_envelope_of_the_coordinates():
    # min over t of −x_t on the simplex: 0-1 loss; vertices are the sums of sets of unit vectors.
    n = 5
    found = lower_envelope(
        corner_rows(n), [tuple(-x for x in row) for row in corner_rows(n)], corners=corner_rows(n), max_vertices=100
    )
    sets = [chosen for size in range(1, n + 1) for chosen in combinations(range(n), size)]
    assert set(found) == {(*(int(i in chosen) for i in range(n)), -1) for chosen in sets}


def test_the_refusal_counts_the_vertices_so_far_and_names_the_option():
    functionals = [tuple(-x for x in row) for row in corner_rows(20)]
    with pytest.raises(TooLarge, match=r" [\d,]+ .* \d+ .* 20 .* max_vertices"):
        lower_envelope(corner_rows(20), functionals, corners=corner_rows(20), max_vertices=50)
