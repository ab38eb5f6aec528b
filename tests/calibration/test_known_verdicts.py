"""The verdicts that the literature knows, for every number of labels they are stated for, up to five."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given

from calibration.evidence import assert_counterexample
from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.errors import BadInput
from lossmith.losses import CATALOGUE as LOSSES
from lossmith.losses import abstain, hamming, ordinal, top_k, zero_one
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
from reference import argmin
from strategies import examples, loss_rows
from surrogates import second_opinion

exhaustive = pytest.mark.exhaustive
COSTS = ("1/2", "2/5", "1/3", "1/10")


def lee_lin_wahba_everywhere(n: int) -> PolyhedralSurrogate:
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 + u[j]) for j in range(n) if j != y), n=n, dim=n, name=f"lee_lin_wahba on R^{n}"
    )


def calibrated(n):
    """The surrogates for n labels that are calibrated, with their losses."""
    yield crammer_singer(n), abstain(n)  # n = 2: abstaining is never needed
    yield lee_lin_wahba(n), zero_one(n)
    yield one_vs_all_hinge(n), abstain(n)
    yield absolute(n), ordinal(n)
    yield from ((epsilon_insensitive(n, eps), ordinal(n)) for eps in ("0", "1/4", "2/5"))
    yield binary_encoded(n), abstain(n)
    for c in COSTS:
        yield binary_encoded(n, c), abstain(n, c)
        yield abstain_crammer_singer(n, c), abstain(n, c)
        yield abstain_one_vs_all(n, c), abstain(n, c)
    yield adversarial_zero_one(n), zero_one(n)
    yield all_threshold_hinge(n), ordinal(n)
    if n == 2:
        families = (crammer_singer, weston_watkins, one_vs_all_hinge, binary_encoded, all_threshold_hinge)
        yield from ((family(2), zero_one(2)) for family in families)
    if n == 3:
        yield crammer_singer(3), ordinal(3)
    if n in (2, 4):
        yield binary_relevance_hinge(n // 2), hamming(n // 2)


def not_calibrated(n):
    """The surrogates for n labels that are not calibrated, with their losses."""
    yield lee_lin_wahba_everywhere(n), zero_one(n)
    # With ε ≥ 1/2 neighbouring grades have a u of loss 0 in common.
    yield from ((epsilon_insensitive(n, eps), ordinal(n)) for eps in ("1/2", "3/4"))
    if n < 5:
        # Made for another price of abstaining: N = {max p ≤ 2/3} meets the insides of two trigger sets at 1/2.
        yield binary_encoded(n, "1/3"), abstain(n, "1/2")
    if n > 2:
        families = (crammer_singer, weston_watkins, one_vs_all_hinge, binary_encoded, all_threshold_hinge)
        yield from ((family(n), zero_one(n)) for family in families)
        for loss in (zero_one, abstain):
            yield absolute(n), loss(n)
            yield from ((epsilon_insensitive(n, eps), loss(n)) for eps in ("0", "1/4", "2/5"))
    if n > 3:
        yield crammer_singer(n), ordinal(n)


of_each_size = pytest.mark.parametrize("n", [2, 3, *(pytest.param(n, marks=exhaustive) for n in (4, 5))])


@of_each_size
def test_the_surrogate_is_calibrated_for_the_loss(n):
    for surrogate, loss in calibrated(n):
        verdict = check(surrogate, loss)
        assert verdict.status == "calibrated", (surrogate.name, loss.name)
        assert verdict.surrogate is surrogate
        assert verdict.loss is loss
        for cell in verdict.cells:
            assert second_opinion.psi(surrogate, cell.u) == cell.z
            assert all(cell.prediction in argmin(loss.entries, p) for p in cell.polytope.vertices)


@of_each_size
def test_the_surrogate_is_not_calibrated_for_the_loss(n):
    for surrogate, loss in not_calibrated(n):
        verdict = check(surrogate, loss)
        assert verdict.status == "not calibrated", (surrogate.name, loss.name)
        assert verdict.surrogate is surrogate
        assert verdict.loss is loss
        assert verdict.pred is None
        assert_counterexample(verdict)


@exhaustive
def test_binary_relevance_is_calibrated_for_three_bits():
    assert check(binary_relevance_hinge(3), hamming(3)).status == "calibrated"


def test_crammer_singer_is_not_calibrated_for_four_grades():
    verdict = check(crammer_singer(4), ordinal(4))
    assert verdict.status == "not calibrated"
    assert_counterexample(verdict)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_crammer_singer_has_its_cells_at_the_unit_vectors_and_at_zero(n):
    units = [[int(i == j) for j in range(n)] for i in range(n)]
    expected = {tuple(map(int, crammer_singer(n)(u))): y for y, u in enumerate([*units, [0] * n])}
    assert {cell.z: cell.prediction for cell in check(crammer_singer(n), abstain(n)).cells} == expected


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_lee_lin_wahba_without_its_domain_fails_where_every_loss_is_zero(n):
    verdict = check(lee_lin_wahba_everywhere(n), zero_one(n))
    assert verdict.surrogate(verdict.u) == (0,) * n


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_with_a_price_of_abstaining_that_nobody_pays_the_verdicts_are_those_of_zero_one_loss(n):
    # Abstaining at 1 is never better than any guess.
    assert check(lee_lin_wahba(n), abstain(n, 1)).status == "calibrated"
    assert check(crammer_singer(n), abstain(n, 1)).status == ("calibrated" if n == 2 else "not calibrated")


def test_abstain_between_two_labels_is_never_decided_where_a_label_is_as_good():
    verdict = check(crammer_singer(2), abstain(2))
    assert {cell.z: cell.prediction for cell in verdict.cells} == {(0, 2): 0, (2, 0): 1}


# Σ_t L_yt (1 + u_t)₊ on Σu = 0 is calibrated for every L.


@cache
def catalogue_losses():
    """The small members of the losses of the catalogue with at most 5 labels and 6 predictions."""
    members = [family(**parameters) for family in LOSSES for parameters in family.small]
    return [loss for loss in members if loss.n <= 5 and loss.k <= 6]


@pytest.mark.parametrize("n", [2, 3, pytest.param(4, marks=exhaustive)])
def test_the_cost_weighted_hinge_is_calibrated_for_the_losses_of_the_catalogue(n):
    of_size = [loss for loss in catalogue_losses() if loss.n == n]
    assert of_size
    for loss in of_size:
        assert check(cost_weighted_hinge(loss), loss).status == "calibrated", loss.name


@examples(8)
@given(loss_rows(max_n=4, max_k=4))
def test_the_cost_weighted_hinge_is_calibrated_for_every_loss(rows):
    loss = LossMatrix(rows)
    verdict = check(cost_weighted_hinge(loss), loss)
    assert verdict.status == "calibrated"
    for cell in verdict.cells:
        assert all(cell.prediction in argmin(rows, p) for p in cell.polytope.vertices)


# Losses with little to decide.


@examples(4)
@given(loss_rows(max_n=4, max_k=2))
def test_with_one_prediction_every_surrogate_is_calibrated(rows):
    loss = LossMatrix([row[:1] for row in rows])
    for family in (crammer_singer, lee_lin_wahba, absolute):
        assert check(family(loss.n), loss).status == "calibrated"


def test_with_equal_columns_every_surrogate_is_calibrated():
    loss = LossMatrix([[1, 1, 1], [2, 2, 2], [0, 0, 0]])
    assert check(weston_watkins(3), loss).status == "calibrated"


def test_a_constant_surrogate_is_calibrated_only_where_one_prediction_is_always_best():
    constant = PolyhedralSurrogate.from_function(lambda y, u: 1, n=3, dim=1)
    assert check(constant, zero_one(3)).status == "not calibrated"
    assert check(constant, LossMatrix([[0, 1], [0, 1], [3, 3]])).status == "calibrated"


def test_top_two_of_three_is_served_by_lee_lin_wahba_only_if_its_cells_fit():
    # top-2 of 3 leaves out the least likely label; where label 1 is the likeliest, it may be either of the others.
    assert check(lee_lin_wahba(3), top_k(3, 2)).status == "not calibrated"
    assert check(cost_weighted_hinge(top_k(3, 2)), top_k(3, 2)).status == "calibrated"


# Refusals.


def test_a_surrogate_and_a_loss_on_different_labels_are_refused_in_one_line():
    with pytest.raises(BadInput, match=r"crammer_singer\(n=3\) .* 3 .* zero_one\(n=4\) .* 4") as caught:
        check(crammer_singer(3), zero_one(4))
    assert len(str(caught.value).splitlines()) == 1


def test_more_vertices_than_the_budget_allows_leave_it_undecided_with_what_was_tried():
    verdict = check(crammer_singer(5), abstain(5), max_vertices=10)
    assert verdict.status == "undecided"
    assert [rule for rule, _ in verdict.declined] == ["by_positive_normals"]
    assert " 10 " in verdict.declined[0][1]
    assert "max_vertices" in verdict.declined[0][1]
    assert " 24 " in str(verdict).splitlines()[-1]  # probes
    with_pred = check(crammer_singer(5), abstain(5), pred="argmax-gap:tau=1/2", max_vertices=10)
    assert with_pred.status == "undecided"
    assert with_pred.pred.name == "argmax-gap:tau=1/2"


def test_one_bad_cell_is_enough_so_a_small_budget_does_not_hide_it():
    assert check(weston_watkins(5), zero_one(5), max_vertices=1141).status == "not calibrated"


def test_progress_is_told():
    told = []
    check(lee_lin_wahba(4), zero_one(4), progress=lambda done, total: told.append((done, total)))
    assert told
    assert all(done <= total for done, total in told)
