"""Positive normal sets against the definition: at one point, and all of them at once."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from lossmith import trigger_sets
from lossmith.analysis.positive_normals import (
    embedded_loss,
    enumerated,
    finished,
    positive_normal_set,
    positive_normal_sets,
    same_cells,
)
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.errors import BadInput, TooLarge
from lossmith.losses import abstain, hamming, ordinal, zero_one
from lossmith.surrogates import (
    absolute,
    abstain_crammer_singer,
    abstain_one_vs_all,
    adversarial_zero_one,
    all_threshold_hinge,
    binary_encoded,
    binary_relevance_hinge,
    cost_weighted_hinge,
    crammer_singer,
    epsilon_insensitive,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos
from reference import dot
from strategies import distributions, examples, mixtures, rationals
from surrogates import second_opinion
from surrogates.random_surrogates import points_of, surrogates

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

SMALL = [
    crammer_singer(2),
    crammer_singer(3),
    weston_watkins(3),
    lee_lin_wahba(3),
    one_vs_all_hinge(3),
    absolute(4),
    epsilon_insensitive(4, "2/5"),
    binary_encoded(3, "1/3"),
    abstain_one_vs_all(3, "1/4"),
    all_threshold_hinge(4),
    binary_relevance_hinge(2),
    cost_weighted_hinge("abstain:n=3"),
]
MOST_DIFFERENT = {"crammer_singer(n=3)", "weston_watkins(n=3)", "lee_lin_wahba(n=3)", "binary_encoded(n=3, cost=1/3)"}
MEMBERS = [pytest.param(each, marks=[] if each.name in MOST_DIFFERENT else pytest.mark.exhaustive) for each in SMALL]
FAMILIES = pytest.mark.parametrize("surrogate", MEMBERS, ids=lambda surrogate: surrogate.name)


# At one point.


@examples(8)
@given(surrogates(), st.data())
def test_the_set_at_a_point_has_the_vertices_of_the_definition(surrogate, data):
    u = data.draw(points_of(surrogate))
    normals = positive_normal_set(surrogate, u)
    assert normals.u == u
    assert normals.z == second_opinion.psi(surrogate, u)
    assert normals.polytope.vertices == second_opinion.normal_vertices(surrogate, u)


@examples(4)
@given(surrogates(with_domain=False), st.data())
def test_anywhere_in_the_space_too_the_set_has_the_vertices_of_the_definition(surrogate, data):
    u = data.draw(st.lists(rationals(-3, 3), min_size=surrogate.dim, max_size=surrogate.dim).map(tuple))
    assert positive_normal_set(surrogate, u).polytope.vertices == second_opinion.normal_vertices(surrogate, u)


@examples(8)
@given(surrogates(), st.data())
def test_a_distribution_is_in_the_set_exactly_if_no_corner_is_better(surrogate, data):
    u = data.draw(points_of(surrogate))
    p = data.draw(distributions(surrogate.n))
    normals = positive_normal_set(surrogate, u).polytope
    holds = bool(normals.vertices) and normals.contains(p)  # empty sets have tests of their own
    assert holds == second_opinion.is_normal(surrogate, u, p)


@FAMILIES
@examples(2)
@given(data=st.data())
def test_the_sets_of_the_families_have_the_vertices_of_the_definition(surrogate, data):
    u = data.draw(points_of(surrogate))
    assert positive_normal_set(surrogate, u).polytope.vertices == second_opinion.normal_vertices(surrogate, u)


def test_a_point_outside_the_domain_has_no_positive_normal_set():
    with pytest.raises(BadInput, match=r"lee_lin_wahba\(n=3\)"):
        positive_normal_set(lee_lin_wahba(3), [1, 1, 1])
    with pytest.raises(BadInput, match=r"\b2\b"):
        positive_normal_set(lee_lin_wahba(3), [1, -1])


def v_shape() -> PolyhedralSurrogate:
    """|u| for both labels: only u = 0 is ever optimal, and there for every p."""
    return PolyhedralSurrogate.from_function(lambda y, u: abs(u[0]), n=2, dim=1)


def test_a_point_that_is_optimal_for_every_distribution_has_the_whole_simplex():
    normals = positive_normal_set(v_shape(), [0])
    assert normals.polytope.vertices == ((0, 1), (1, 0))
    assert normals.polytope.dim == 1


def test_a_point_that_is_optimal_for_no_distribution_has_no_vertices():
    assert positive_normal_set(v_shape(), [1]).polytope.vertices == ()


def test_an_empty_set_contains_no_distribution():
    empty = positive_normal_set(v_shape(), [1]).polytope
    assert not empty.contains(["1/2", "1/2"])
    assert not empty.contains([1, 0])


def test_an_empty_set_has_dimension_minus_one():
    assert positive_normal_set(v_shape(), [1]).polytope.dim == -1


def test_an_empty_set_can_be_printed():
    assert "0 vertices" in repr(positive_normal_set(v_shape(), [1]))


def test_crammer_singer_far_out_is_optimal_only_when_one_label_is_certain():
    # At u = (5, 0, 0): ψ = (0, 6, 6), and ψ₁ is flat there while ψ₂, ψ₃ fall towards u₁ = 1.
    normals = positive_normal_set(crammer_singer(3), [5, 0, 0])
    assert normals.polytope.vertices == ((1, 0, 0),)
    assert normals.polytope.dim == 0
    assert normals.polytope.contains([1, 0, 0])
    assert not normals.polytope.contains(["9/10", "1/10", 0])


@pytest.mark.parametrize("n", [3, 8, pytest.param(30, marks=pytest.mark.exhaustive)])
def test_weston_watkins_is_optimal_at_zero_only_where_all_labels_are_as_likely(n):
    # Near 0 no hinge is at its kink: ∂/∂u_j of p·ψ is Σ_{y≠j} p_y − (n − 1) p_j = 1 − n p_j.
    assert positive_normal_set(weston_watkins(n), [0] * n).polytope.vertices == ((Fraction(1, n),) * n,)


@pytest.mark.parametrize("n", [3, 6, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_crammer_singer_is_optimal_at_zero_where_no_label_has_more_than_half(n):
    halves = {tuple(Fraction(int(y in pair), 2) for y in range(n)) for pair in combinations(range(n), 2)}
    assert set(positive_normal_set(crammer_singer(n), [0] * n).polytope.vertices) == halves


def test_crammer_singer_halfway_is_optimal_on_the_boundary_between_two_cells():
    # Between u = 0 and u = e₁ both ends are optimal: p₁ = 1/2.
    normals = positive_normal_set(crammer_singer(3), [HALF, 0, 0])
    assert normals.polytope.vertices == ((HALF, 0, HALF), (HALF, HALF, 0))
    assert normals.polytope.dim == 1


# With domains, by hand.


def test_at_the_end_of_an_interval_all_slopes_towards_it_are_optimal():
    # |u − y| for y = 1, 2, 3 on u ≤ 3/2: at 3/2 the slopes are 1, −1, −1, so optimal exactly if p₁ ≤ p₂ + p₃.
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - y - 1), n=3, dim=1, domain=lambda u: [2 * u[0] <= 3]
    )
    normals = positive_normal_set(surrogate, ["3/2"])
    assert set(normals.polytope.vertices) == {(0, 1, 0), (0, 0, 1), (HALF, HALF, 0), (HALF, 0, HALF)}
    assert set(normals.polytope.inequalities) == {(-1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)}


def test_inside_an_interval_its_ends_do_not_matter():
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - y - 1), n=3, dim=1, domain=lambda u: [2 * u[0] <= 3]
    )
    assert positive_normal_set(surrogate, [1]).polytope == positive_normal_set(absolute(3), [1]).polytope


def test_a_domain_of_one_point_is_optimal_for_every_distribution():
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: pos(1 + u[0] - y), n=3, dim=2, domain=lambda u: [u[0] == 1, u[1] >= 2, u[1] <= 2]
    )
    assert positive_normal_set(surrogate, [1, 2]).polytope.vertices == ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    assert [cell.u for cell in positive_normal_sets(surrogate).cells] == [(1, 2)]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_lee_lin_wahba_has_the_cells_of_zero_one_loss(n):
    for y in range(n):
        u = [n - 1 if j == y else -1 for j in range(n)]
        normals = positive_normal_set(lee_lin_wahba(n), u)
        assert normals.polytope.vertices == reference.cell_vertices(zero_one(n).entries, y)


def test_without_its_domain_lee_lin_wahba_is_optimal_at_minus_one_for_every_distribution():
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 + u[j]) for j in range(3) if j != y), n=3, dim=3
    )
    assert positive_normal_set(surrogate, [-1, -1, -1]).polytope.vertices == ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    assert len(positive_normal_sets(surrogate).cells) == 1


# All of them.


@cache
def subdivision_of(surrogate):
    return positive_normal_sets(surrogate)


@examples(5)
@given(surrogates())
def test_the_cells_are_those_of_the_definition(surrogate):
    cells = positive_normal_sets(surrogate).cells
    assert {cell.z: cell.polytope.vertices for cell in cells} == second_opinion.cells(surrogate)
    assert len({cell.z for cell in cells}) == len(cells)


@FAMILIES
def test_the_cells_of_the_families_are_those_of_the_definition(surrogate):
    cells = positive_normal_sets(surrogate).cells
    assert {cell.z: cell.polytope.vertices for cell in cells} == second_opinion.cells(surrogate)


@examples(4)
@given(surrogates())
def test_every_cell_is_the_positive_normal_set_at_its_point(surrogate):
    for cell in positive_normal_sets(surrogate).cells:
        assert second_opinion.contains(surrogate, cell.u)
        assert positive_normal_set(surrogate, cell.u) == cell
        assert positive_normal_set(surrogate, cell.u).polytope.inequalities == cell.polytope.inequalities


@pytest.mark.parametrize("surrogate", [*MEMBERS, weston_watkins(4)], ids=lambda surrogate: surrogate.name)
def test_every_cell_of_the_families_is_the_positive_normal_set_at_its_point(surrogate):
    cells = positive_normal_sets(surrogate).cells
    for cell in cells[:: max(1, len(cells) // 8)]:
        at_point = positive_normal_set(surrogate, cell.u)
        assert at_point == cell
        assert at_point.polytope.inequalities == cell.polytope.inequalities


@examples(5)
@given(surrogates(), st.data())
def test_the_cells_cover_the_simplex_and_the_least_risk_is_that_of_some_cell(surrogate, data):
    subdivision = positive_normal_sets(surrogate)
    p = data.draw(distributions(surrogate.n))
    least = min(dot(p, cell.z) for cell in subdivision.cells)
    assert least == second_opinion.bayes_risk(surrogate, p) == surrogate.bayes_risk(p)
    holding = [cell for cell in subdivision.cells if cell.polytope.contains(p)]
    assert holding
    assert [cell for cell in subdivision.cells if dot(p, cell.z) == least] == holding


@pytest.mark.parametrize(
    "surrogate", [weston_watkins(4), adversarial_zero_one(4)], ids=lambda surrogate: surrogate.name
)
@examples(10)
@given(data=st.data())
def test_on_faces_of_cells_too_the_bayes_risk_is_the_least_of_all_cells(surrogate, data):
    subdivision = subdivision_of(surrogate)
    p = data.draw(mixtures([reference.normalised(vertex) for vertex in subdivision.vertices]))
    assert surrogate.bayes_risk(p) == min(dot(p, cell.z) for cell in subdivision.cells)


@examples(5)
@given(surrogates())
def test_the_trigger_sets_of_the_embedded_loss_are_the_cells(surrogate):
    subdivision = positive_normal_sets(surrogate)
    loss = embedded_loss(subdivision)
    assert [loss.column(t) for t in range(loss.k)] == [cell.z for cell in subdivision.cells]
    triggered = trigger_sets(loss, reduced=False)
    assert [cell.prediction for cell in triggered] == list(range(loss.k))
    assert [cell.polytope for cell in triggered] == [cell.polytope for cell in subdivision.cells]


def test_the_embedded_loss_names_its_predictions_by_the_points():
    loss = embedded_loss(positive_normal_sets(absolute(3)))
    assert set(loss.predictions) == {"(1)", "(2)", "(3)"}
    assert sorted(zip(*loss.entries)) == sorted(zip(*ordinal(3).entries))
    assert "absolute" in loss.name


# How many cells and vertices there are.


@pytest.mark.parametrize(
    ("surrogate", "cells"),
    [
        *((weston_watkins(n), cells) for n, cells in ((2, 2), (3, 12), (4, 74))),
        *((crammer_singer(n), n + 1) for n in (3, 4, 5, 6)),
        (crammer_singer(2), 2),
        *((lee_lin_wahba(n), n) for n in (2, 3, 4, 5, 6)),
        *((one_vs_all_hinge(n), n + 1) for n in (3, 4, 5)),
        *((adversarial_zero_one(n), n) for n in (2, 3, 4)),
        *((absolute(n), n) for n in (2, 3, 5)),
        *((epsilon_insensitive(n), 2 * n - 2) for n in (2, 3, 5)),
        *((all_threshold_hinge(n), n) for n in (2, 3, 5)),
        *((binary_encoded(n), n + 1) for n in (3, 4, 5)),
        *((binary_relevance_hinge(r), 2**r) for r in (1, 2, 3)),
    ],
    ids=lambda x: getattr(x, "name", None),
)
def test_how_many_cells_there_are(surrogate, cells):
    assert len(positive_normal_sets(surrogate).cells) == cells


@pytest.mark.parametrize(
    ("surrogate", "vertices"),
    [
        (weston_watkins(4), 99),
        *((lee_lin_wahba(n), 2**n - 1) for n in (2, 3, 4, 5, 6)),
        *((crammer_singer(n), n * (n + 1) // 2) for n in (3, 4, 5, 6)),
        *((adversarial_zero_one(n), 2**n - 1) for n in (2, 3, 4)),
        *((absolute(n), n * (n + 1) // 2) for n in (2, 3, 5)),
    ],
    ids=lambda x: getattr(x, "name", None),
)
def test_how_many_vertices_the_cells_have(surrogate, vertices):
    assert len(positive_normal_sets(surrogate).vertices) == vertices


@pytest.mark.exhaustive
def test_weston_watkins_with_five_labels_has_540_cells_and_1141_vertices():
    subdivision = positive_normal_sets(weston_watkins(5))
    assert len(subdivision.cells) == 540
    assert len(subdivision.vertices) == 1141


@pytest.mark.exhaustive
def test_crammer_singer_with_twenty_labels_has_21_cells_and_210_vertices():
    subdivision = positive_normal_sets(crammer_singer(20))
    assert len(subdivision.cells) == 21
    assert len(subdivision.vertices) == 210


@pytest.mark.exhaustive
def test_lee_lin_wahba_with_ten_labels_has_10_cells_and_1023_vertices():
    subdivision = positive_normal_sets(lee_lin_wahba(10))
    assert len(subdivision.cells) == 10
    assert len(subdivision.vertices) == 1023


# Which loss has the same cells.


@pytest.mark.parametrize(
    ("surrogate", "loss"),
    [
        *((crammer_singer(n), abstain(n)) for n in (3, 4)),
        *((one_vs_all_hinge(n), abstain(n)) for n in (3, 4)),
        *((binary_encoded(n, c), abstain(n, c)) for n in (3, 4) for c in ("1/2", "1/3")),
        *((abstain_crammer_singer(n, "1/3"), abstain(n, "1/3")) for n in (2, 3)),
        *((abstain_one_vs_all(n, "1/3"), abstain(n, "1/3")) for n in (2, 3)),
        *((adversarial_zero_one(n), zero_one(n)) for n in (2, 3, 4)),
        *((all_threshold_hinge(n), ordinal(n)) for n in (2, 3, 4)),
        *((absolute(n), ordinal(n)) for n in (2, 3, 4)),
        (binary_relevance_hinge(2), hamming(2)),
    ],
    ids=lambda x: x.name,
)
def test_the_cells_are_the_trigger_sets_of_the_loss_that_the_surrogate_is_made_for(surrogate, loss):
    cells = {cell.polytope.vertices for cell in positive_normal_sets(surrogate).cells}
    kept = reference.kept_predictions(loss.entries)
    assert cells == {reference.cell_vertices(loss.entries, t) for t in kept}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (crammer_singer(3), binary_encoded(3)),
        (crammer_singer(4), binary_encoded(4)),
        (crammer_singer(3), one_vs_all_hinge(3)),
        (abstain_crammer_singer(3, "1/3"), binary_encoded(3, "1/3")),
        (abstain_one_vs_all(3, "1/3"), binary_encoded(3, "1/3")),
        (lee_lin_wahba(3), adversarial_zero_one(3)),
        (lee_lin_wahba(3), cost_weighted_hinge("zero-one:n=3")),
        (absolute(4), all_threshold_hinge(4)),
        (epsilon_insensitive(3, "1/4"), epsilon_insensitive(3, "1/3")),
        (crammer_singer(2), weston_watkins(2)),
    ],
    ids=lambda surrogate: surrogate.name,
)
def test_surrogates_with_the_same_cells_are_recognised(first, second):
    assert same_cells(first, second)
    assert same_cells(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (crammer_singer(3), lee_lin_wahba(3)),
        (crammer_singer(3), weston_watkins(3)),
        (absolute(3), epsilon_insensitive(3)),
        (binary_encoded(3, "1/3"), binary_encoded(3, "1/2")),
        (absolute(3), lee_lin_wahba(3)),
    ],
    ids=lambda surrogate: surrogate.name,
)
def test_surrogates_with_other_cells_are_told_apart(first, second):
    assert not same_cells(first, second)
    assert not same_cells(second, first)


def test_surrogates_on_different_labels_cannot_be_compared():
    with pytest.raises(BadInput, match=r"\b3 .* 4"):
        same_cells(absolute(3), absolute(4))


@examples(6)
@given(surrogates(), rationals(0, 4).filter(bool))
def test_a_multiple_of_a_surrogate_has_the_same_cells(surrogate, factor):
    scaled = tuple(
        tuple(tuple(tuple(factor * x for x in piece) for piece in maximum) for maximum in terms)
        for terms in surrogate.terms
    )
    assert same_cells(
        surrogate, PolyhedralSurrogate(scaled, surrogate.dim, surrogate.inequalities, surrogate.equations)
    )


# What is told on the way.


def test_more_vertices_than_the_budget_allows_are_refused_in_one_line():
    with pytest.raises(TooLarge, match="max_vertices") as caught:
        positive_normal_sets(weston_watkins(4), max_vertices=20)
    assert len(str(caught.value).splitlines()) == 1


def test_a_budget_that_is_just_enough_is_enough():
    assert len(positive_normal_sets(weston_watkins(3), max_vertices=10_000).cells) == 12
    assert len(positive_normal_sets(lee_lin_wahba(4), max_vertices=2**4 - 1).cells) == 4


def test_progress_ends_with_everything_found_confirmed():
    told = []
    positive_normal_sets(weston_watkins(3), progress=lambda done, total: told.append((done, total)))
    assert all(done <= total for done, total in told)
    assert told[-1][0] == told[-1][1] >= 12


def test_every_minimum_that_was_computed_is_yielded_and_right():
    told = dict(enumerated(RiskMinimizer(one_vs_all_hinge(3))))
    assert set(positive_normal_sets(one_vs_all_hinge(3)).vertices) <= set(told)
    for p, minimum in told.items():
        assert dot(p, minimum.z) == sum(p) * second_opinion.bayes_risk(one_vs_all_hinge(3), reference.normalised(p))


def test_an_enumeration_that_was_left_early_is_finished_as_if_it_had_not_been():
    enumeration = enumerated(RiskMinimizer(weston_watkins(3)))
    for _ in range(5):
        next(enumeration)
    assert finished(enumeration).cells == positive_normal_sets(weston_watkins(3)).cells


@examples(4)
@given(surrogates())
def test_every_vertex_carries_a_proof_of_its_risk(surrogate):
    subdivision = positive_normal_sets(surrogate)
    assert set(subdivision.proofs) == set(subdivision.vertices)
    for p, proof in subdivision.proofs.items():
        assert proof.bound == sum(p) * second_opinion.bayes_risk(surrogate, reference.normalised(p))


def test_numbers_of_any_size_are_handled_exactly():
    # Slopes 1 and 10^12: the cells meet where p₁ = 10^12 p₂.
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: pos(u[0]) if y == 0 else 10**12 * pos(1 - u[0]), n=2, dim=1
    )
    cells = {cell.z: cell.polytope.vertices for cell in positive_normal_sets(surrogate).cells}
    border = (Fraction(10**12, 10**12 + 1), Fraction(1, 10**12 + 1))
    assert cells == {(0, 10**12): (border, (1, 0)), (1, 0): ((0, 1), border)}


@pytest.mark.parametrize("size", [Fraction(10**400), Fraction(1, 10**400)], ids=["10^400", "10^-400"])
def test_numbers_beyond_the_range_of_floats_are_handled_exactly(size):
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y * size), n=2, dim=1)
    cells = {cell.u: cell.polytope.vertices for cell in positive_normal_sets(surrogate).cells}
    assert cells == {(0,): ((HALF, HALF), (1, 0)), (size,): ((0, 1), (HALF, HALF))}


def test_values_that_differ_by_very_little_are_kept_apart():
    # ψ = (|u|, |u − 1| + 10⁻⁹ |u − 2|): at u = 1 and u = 0, with slopes that differ from ±1 by 10⁻⁹.
    tiny = Fraction(1, 10**9)
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0]) if y == 0 else abs(u[0] - 1) + tiny * abs(u[0] - 2), n=2, dim=1
    )
    assert {cell.z: cell.polytope.vertices for cell in positive_normal_sets(surrogate).cells} == second_opinion.cells(
        surrogate
    )
    # Between 0 and 1 the slopes are 1 and −1 − 10⁻⁹; between 1 and 2 they are 1 and 1 − 10⁻⁹.
    border = reference.normalised([1 + tiny, 1])
    assert positive_normal_set(surrogate, [0]).polytope.vertices == (border, (1, 0))
