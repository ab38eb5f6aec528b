"""The search for surrogates in few dimensions: what it must find, what it must not, and that it is reproducible."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lossmith as lm
import reference
from calibration.evidence import assert_cells
from losses.refusal import assert_quotes
from lossmith.analysis.facts import Facts
from lossmith.constructions.search import run as module
from lossmith.constructions.search.cells import cell_task
from lossmith.constructions.search.configurations import (
    configurations,
    doubled,
    families,
    knots,
    lattice,
    moves,
    polygons,
    projections,
    shape,
    sign_codes,
    strides,
)
from lossmith.constructions.search.program import Program
from lossmith.constructions.search.run import Found, NotFoundHere, search
from lossmith.errors import BadInput
from lossmith.losses import abstain, hamming, ordinal, top_k, zero_one
from lossmith.losses.families.abstain import add_abstain
from lossmith.losses.matrix import LossMatrix
from strategies import examples, generic_rows

# Its points in R^2 come from a projection of the columns, and not in the first batch.
LATE = LossMatrix([[2, 1, 3, 3, 4], [0, 0, 1, 4, 3], [2, 4, 4, 0, 1], [3, 4, 2, 3, 1]], name="late")


def assert_proved(found, loss, dim: int) -> None:
    """ψ lives on R^dim, has the cell of each prediction at its point, and its certificate is accepted."""
    assert isinstance(found, Found)
    assert found.dim == found.surrogate.dim == dim
    assert {len(point) for point in found.points} == {dim}
    assert found.verdict.loss == loss
    assert found.verdict.status == lm.check(found.surrogate, loss).status == "calibrated"
    assert lm.verify(found.verdict.certificate).accepted
    assert found.predictions == reference.kept_predictions(loss.entries)
    for t, point in zip(found.predictions, found.points):
        normals = lm.positive_normal_set(found.surrogate, point)
        assert normals.polytope.vertices == reference.cell_vertices(loss.entries, t)


@pytest.mark.parametrize(
    ("loss", "dim"),
    [
        (abstain(4), 2),
        (abstain(4, "2/5"), 2),
        (ordinal(4), 1),
        (zero_one(3), 2),
        (hamming(2), 2),
        *(
            pytest.param(loss, dim, marks=pytest.mark.exhaustive)
            for loss, dim in (
                (abstain(3), 2),
                (add_abstain(ordinal(4), "1/2"), 2),
                (ordinal(5, power=2), 1),
                (zero_one(4), 3),
                (top_k(3, 2), 2),
            )
        ),
    ],
    ids=lambda each: getattr(each, "name", each),
)
def test_it_finds_a_surrogate_with_as_few_dimensions_as_there_can_be(loss, dim):
    found = search(Facts(loss), dim)
    assert_proved(found, loss, dim)
    assert 1 <= found.programs <= found.configurations <= 20


@pytest.mark.exhaustive
def test_it_finds_three_dimensions_for_abstaining_with_eight_labels():
    loss = abstain(8)
    found = search(Facts(loss), 3, n_jobs=2)
    assert found.dim == 3
    assert lm.verify(found.verdict.certificate).accepted
    for t, point in enumerate(found.points):
        normals = lm.positive_normal_set(found.surrogate, point)
        assert normals.polytope.vertices == lm.trigger_sets(loss)[t].polytope.vertices


# 0-1 loss has CCdim n − 1; abstaining with five labels needs more than one point for the middle cell in the plane;
# losses that are not orderable have CCdim at least 2.
@pytest.mark.parametrize(
    ("loss", "dim"),
    [
        (zero_one(4), 2),
        (abstain(3), 1),
        *(pytest.param(*each, marks=pytest.mark.exhaustive) for each in ((abstain(5), 2), (hamming(2), 1))),
    ],
    ids=lambda each: getattr(each, "name", each),
)
def test_it_does_not_find_what_is_impossible(loss, dim):
    missed = search(Facts(loss), dim, budget=150)
    assert isinstance(missed, NotFoundHere)
    assert (missed.loss, missed.dim) == (loss, dim)
    assert missed.programs <= missed.configurations == 150
    assert (missed.least is None) == (missed.programs == 0)  # on the line, some cell always lies where it must not
    assert missed.least is None or missed.least > 1e-3
    assert_quotes(str(missed), "150")


def test_the_budget_is_spent_and_not_exceeded():
    for budget in (1, 7, 60):
        assert search(Facts(zero_one(4)), 2, budget=budget).configurations == budget


def test_where_it_can_the_surrogate_takes_the_values_of_the_loss():
    loss = zero_one(3)
    found = search(Facts(loss), 2)
    assert [found.surrogate(point) for point in found.points] == [loss.column(t) for t in range(3)]


def test_abstaining_with_four_labels_is_encoded_by_signs():
    found = search(Facts(abstain(4)), 2)
    assert found.points == ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0))
    # Half of the binary-encoded surrogate max_j (1 + B_j u_j)_+ with the codes B = −u_t.
    for y, code in enumerate(found.points[:4]):
        for u in [(2, 1), (-3, 0), (0, 0), (1, -4)]:
            expected = max(0, *(Fraction(1 - b * x, 2) for b, x in zip(code, u)))
            assert found.surrogate(u)[y] == expected


@pytest.mark.parametrize(
    "loss", [LATE, pytest.param(zero_one(4), marks=pytest.mark.exhaustive)], ids=lambda loss: loss.name
)
def test_the_result_does_not_depend_on_the_number_of_workers(loss, monkeypatch):
    monkeypatch.setattr(module, "WORTH_SHARING", 0)
    alone, together = (search(Facts(loss), 2, budget=120, seed=3, n_jobs=jobs) for jobs in (1, 2))
    assert alone == together
    assert alone.configurations > 20  # so that the workers had something to do


def test_the_result_is_the_same_each_time_and_another_seed_may_change_it():
    assert search(Facts(LATE), 2, seed=1) == search(Facts(LATE), 2, seed=1)
    tried = {search(Facts(LATE), 2, seed=seed).configurations for seed in range(2)}
    assert len(tried) > 1


def test_a_search_that_fails_by_little_moves_its_points(monkeypatch):
    near = ((-1, -1), (-1, 1), (1, -1), (1, 1), (1, 0))
    monkeypatch.setattr(module, "configurations", lambda task, dim, seed: iter([("a near miss", near)]))
    found = search(Facts(abstain(4)), 2)
    assert found.family == "moved points"
    assert_proved(found, abstain(4), 2)


def test_predictions_that_are_never_needed_get_no_point():
    rows = [(*row, 5) for row in ordinal(3).entries]
    loss = LossMatrix(rows, predictions=["low", "middle", "high", "dear"])
    found = search(Facts(loss), 1)
    assert_proved(found, loss, 1)
    assert found.predictions == (0, 1, 2)
    assert re.search(r"high .*\(2\)", str(found))
    assert "dear" not in str(found)


def test_huge_and_tiny_costs_are_no_obstacle():
    for factor in (10**400, Fraction(1, 10**400)):
        loss = LossMatrix([[factor * x for x in row] for row in abstain(3).entries])
        assert search(Facts(loss), 2).found


def test_dimensions_that_make_no_sense_are_refused():
    with pytest.raises(BadInput, match=r"\b3\b.*dim=2\b"):
        search(Facts(zero_one(3)), 3)
    with pytest.raises(BadInput, match="easy"):
        search(Facts(LossMatrix([[0, 1], [0, 1]], name="easy")), 1)
    for name, wrong in (("dim", {"dim": 0}), ("budget", {"dim": 1, "budget": 0})):
        with pytest.raises(BadInput, match=rf"{name}\b.* 0\b"):
            search(Facts(zero_one(3)), **wrong)


def test_time_can_be_limited_and_progress_is_told():
    missed = search(Facts(zero_one(4)), 2, seconds=0)
    assert (missed.configurations, missed.programs, missed.least, missed.points) == (0, 0, None, None)
    told = []
    search(Facts(zero_one(4)), 2, budget=50, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (50, 50)


@given(rows=generic_rows(), dim=st.integers(1, 2), seed=st.integers(0, 9))
@examples(6)
def test_whatever_is_found_for_a_random_loss_is_calibrated(rows, dim, seed):
    loss = LossMatrix(rows)
    assume(len(reference.kept_predictions(rows)) > dim)
    found = search(Facts(loss), dim, budget=12, seed=seed)
    if found.found:
        assert_proved(found, loss, dim)
        assert_cells(found.verdict)


@st.composite
def orderable_rows(draw):
    """n × k losses that interpolate convex functions at knots, so that one dimension is enough."""
    n, k = draw(st.integers(2, 4)), draw(st.integers(2, 5))
    gaps = draw(st.lists(st.integers(1, 3), min_size=k - 1, max_size=k - 1))
    rows = []
    for _ in range(n):
        slopes = sorted(draw(st.lists(st.integers(-5, 5), min_size=k - 1, max_size=k - 1)))
        row = [0]
        for gap, slope in zip(gaps, slopes):
            row.append(row[-1] + gap * slope)
        rows.append(tuple(x - min(row) for x in row))
    return tuple(rows)


@given(orderable_rows())
@examples(6)
def test_an_orderable_loss_is_found_in_one_dimension(rows):
    loss = LossMatrix(rows)
    assume(len(reference.kept_predictions(rows)) > 1)
    assert_proved(search(Facts(loss), 1), loss, 1)


@given(rows=generic_rows(max_n=3, max_k=4), data=st.data())
@examples(13)
def test_what_is_refuted_without_a_program_fails_in_it_too(rows, data):
    task = cell_task(Facts(LossMatrix(rows)))
    k = len(task.kept)
    assume(k > 2)
    drawn = st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 1)), min_size=k, max_size=k, unique=True)
    points = tuple(data.draw(drawn))
    if task.refutes(points):
        assert Program(task, 2).violation(points) > 1e-6


@given(rows=generic_rows(), data=st.data())
def test_the_heights_have_the_cells_of_the_loss(rows, data):
    """λ = 1 gives the loss, up to a constant in each row; any λ > 0 leaves the optimal predictions as they are."""
    task = cell_task(Facts(LossMatrix(rows)))
    assert task.kept == reference.kept_predictions(rows)
    columns = [[row[t] for row in rows] for t in task.kept]
    size = len(task.heights)
    assert [sum(row) for row in task.ratios] == [1] * len(task.facets)
    for row, value in zip(rows, task.values([Fraction(1)] * size)):
        assert value == [row[t] - min(row[t] for t in task.kept) + min(row) for t in task.kept]
    mu = [1 + data.draw(st.fractions(-Fraction(1, 2), 2, max_denominator=4)) for _ in range(size)]
    assume(all(reference.dot(row, mu) > 0 for row in task.ratios))
    for p, held in task.vertices:
        assert held == reference.argmin(list(zip(*columns)), reference.normalised(p))
        assert held == reference.argmin(task.values(mu), reference.normalised(p))


def test_families_have_as_many_configurations_as_they_say():
    columns = [(0, 1), (1, 0), (1, 1)]
    cases = [sign_codes(3, 2), sign_codes(4, 2, centres=[3, 0]), lattice(3, 1), polygons(4), polygons(4, centres=[1])]
    for family in [*cases, knots(3), knots(4, path=[0, 1, 3, 2]), projections(columns, 1)]:
        listed = [family.make(i) for i in range(family.count)]
        assert sorted(family.spread(seed=5)) == sorted(listed)
        if not family.name.startswith("projections"):
            assert len(set(listed)) == family.count
    assert [family.count for family in cases] == [6, 12, 6, 6, 2]
    on_a_line = [(family.name.split()[0], family.count) for family in families(cell_task(Facts(zero_one(3))), 1)]
    assert sorted(on_a_line) == [("knots", 54), ("lattice", 6), ("projections", 27), ("sign", 0), ("sign", 3)]


@given(size=st.integers(1, 300) | st.just(2**70), seed=st.integers(0, 99))
def test_strides_visit_every_number_once(size, seed):
    first = list(islice(strides(size, seed), 300))
    assert len(set(first)) == len(first) == min(size, 300)
    assert first[0] == 0
    assert all(0 <= i < size for i in first)


@given(points=st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=3, max_size=6), data=st.data())
def test_affine_maps_keep_the_shape(points, data):
    points = tuple(points)
    a, b, c, d, e, f = data.draw(st.tuples(*[st.integers(-3, 3)] * 6).filter(lambda m: m[0] * m[3] != m[1] * m[2]))
    assert shape(tuple((a * x + b * y + e, c * x + d * y + f) for x, y in points)) == shape(points)
    assert shape(doubled(points)) == shape(points)
    flat = reference.affine_dimension(points) < 2 or len(set(points)) < len(points)
    assert (shape(points) is None) == flat


def test_moves_are_as_many_as_stated_and_change_one_or_two_points():
    points = ((0, 0), (4, 0), (0, 4))
    near = list(moves(points))
    assert len(set(near)) == len(near) == 3 + 2 * 2 * 3
    assert {sum(a != b for a, b in zip(points, other)) for other in near} == {1, 2}


def test_configurations_have_no_end_and_one_order():
    task = cell_task(Facts(zero_one(3)))
    first = list(islice(configurations(task, 2, seed=4), 500))
    assert first == list(islice(configurations(task, 2, seed=4), 500))
    assert first != list(islice(configurations(task, 2, seed=5), 500))
    assert all(len(points) == 3 and {len(point) for point in points} == {2} for _, points in first)
