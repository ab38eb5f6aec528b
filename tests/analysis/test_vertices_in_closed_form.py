"""The cells of the families at sizes that people use: their vertices are known in closed form."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from lossmith import trigger_sets
from lossmith.losses import abstain, hamming, ordinal, top_k, zero_one


def all_rays(loss, **options):
    """The vertices of all cells, as primitive integer multiples of distributions."""
    return {ray for cell in trigger_sets(loss, **options) for ray in cell.polytope.rays}


def indicators(n, sizes):
    return {tuple(int(y in chosen) for y in range(n)) for size in sizes for chosen in combinations(range(n), size)}


@pytest.mark.parametrize("n", [*range(2, 13), *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (14, 16))])
def test_zero_one_loss_has_the_two_to_the_n_minus_1_uniform_distributions_as_vertices(n):
    rays = all_rays(zero_one(n))
    assert len(rays) == 2**n - 1
    assert rays == indicators(n, range(1, n + 1))


@pytest.mark.parametrize("n", [2, 5, 10])
def test_each_cell_of_zero_one_loss_owns_the_uniform_distributions_on_sets_with_its_label(n):
    for cell in trigger_sets(zero_one(n)):
        assert len(cell.polytope.vertices) == 2 ** (n - 1)
        assert all(p[cell.prediction] == max(p) for p in cell.polytope.vertices)
        assert cell.neighbours == tuple(s for s in range(n) if s != cell.prediction)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 10, 16, 17, 25, 40])
def test_ordinal_loss_has_corners_and_midpoints_as_vertices(n):
    rays = all_rays(ordinal(n))
    assert len(rays) == n * (n + 1) // 2
    assert rays == indicators(n, (1, 2))


@pytest.mark.parametrize("n", [3, 10, 40])
def test_the_cells_of_ordinal_loss_form_a_chain(n):
    expected = [tuple(s for s in (t - 1, t + 1) if 0 <= s < n) for t in range(n)]
    assert [cell.neighbours for cell in trigger_sets(ordinal(n))] == expected


@pytest.mark.parametrize("n", [4, 9])
def test_the_cells_of_ordinal_loss_hold_the_distributions_with_that_median(n):
    # Grade t is optimal exactly if at most half of the mass lies below it and at most half above.
    for cell in trigger_sets(ordinal(n)):
        t = cell.prediction
        medians = [p for p in indicators(n, (1, 2)) if max(sum(p[:t]), sum(p[t + 1 :])) <= Fraction(sum(p), 2)]
        assert set(cell.polytope.rays) == set(medians)


@pytest.mark.parametrize("n", range(3, 13))
def test_abstain_loss_has_corners_and_midpoints_as_vertices(n):
    rays = all_rays(abstain(n))
    assert len(rays) == n * (n + 1) // 2
    assert rays == indicators(n, (1, 2))


@pytest.mark.parametrize("n", [3, 7, 12])
def test_every_cell_of_abstain_loss_lies_next_to_abstaining_and_to_no_other(n):
    cells = trigger_sets(abstain(n))
    assert [cell.neighbours for cell in cells] == [(n,)] * n + [tuple(range(n))]


def test_with_two_labels_abstaining_at_a_half_is_redundant_and_three_vertices_remain():
    cells = trigger_sets(abstain(2))
    assert [cell.prediction for cell in cells] == [0, 1]
    assert all_rays(abstain(2)) == {(0, 1), (1, 0), (1, 1)}


@pytest.mark.parametrize("r", range(1, 8))
def test_hamming_loss_has_three_to_the_r_vertices_in_reduced_coordinates(r):
    assert len(all_rays(hamming(r), reduced=True)) == 3**r


@pytest.mark.parametrize("n", range(3, 8))
def test_naming_all_labels_but_one_leaves_out_a_least_likely_one(n):
    # The prediction without label y is optimal exactly if p_y is least: corners, and the centre.
    rays = all_rays(top_k(n, n - 1))
    assert rays == indicators(n, (1, n))


@pytest.mark.parametrize(("n", "power"), [(5, 2), (20, 2), (40, 2)])
def test_squared_ordinal_loss_cuts_the_line_of_means_at_the_halves(n, power):
    cells = trigger_sets(ordinal(n, power=power), reduced=True)
    assert {len(cell.coordinates[0]) for cell in cells} == {1}
    assert len({ray for cell in cells for ray in cell.polytope.rays}) == n + 1
    for cell in cells:
        means = sorted({sum(y * x for y, x in enumerate(p)) for p in _preimages(cell, n)})
        t = Fraction(cell.prediction)
        assert means == [max(Fraction(0), t - Fraction(1, 2)), min(Fraction(n - 1), t + Fraction(1, 2))]


def _preimages(cell, n):
    """For each vertex x of a cell in one coordinate, a distribution on the first and the last label that maps to it."""
    first, last = cell.coordinates[0][0], cell.coordinates[n - 1][0]
    for (x,) in cell.polytope.vertices:
        weight = (x - first) / (last - first)
        yield [1 - weight, *[Fraction(0)] * (n - 2), weight]
