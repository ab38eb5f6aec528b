"""Mean surrogates ‖u − a_y‖²: they know the mean Aᵀp and nothing else, which is enough for some losses."""

from __future__ import annotations

import pickle
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import reference
from losses.refusal import refusal
from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.certificates.certificate import verify
from lossmith.losses import abstain, hamming, ordinal, zero_one
from lossmith.surrogates import class_probability, square
from lossmith.surrogates.pred import Pred
from reference import dot, normalised, rank, transpose
from strategies import competing_columns, distributions, examples, loss_rows, rationals, row_offsets


def accepted(verdict) -> None:
    answer = verify(verdict.certificate)
    assert answer.accepted, answer.why
    squares = verdict.certificate.content["surrogate"]["theorem"] == "squares"
    assert (len(answer.given), len(answer.theorems)) == ((0, 1) if squares else (1, 0))
    assert squares or " X" in answer.given[0]  # the set of all means


def grid(n, size):
    return [normalised(each) for each in product(range(size + 1), repeat=n) if sum(each) == size]


def mean_of(A, p):
    return tuple(dot(p, column) for column in transpose(A))


# The definitions.


def tells_the_differences(A, rows) -> bool:
    """Whether all differences of kept columns are in the span of 1 and the columns of A, by ranks."""
    columns = [(Fraction(1),) * len(rows), *transpose(A)]
    kept = [transpose(rows)[t] for t in reference.kept_predictions(rows)]
    differences = [tuple(a - b for a, b in zip(column, kept[0])) for column in kept[1:]]
    return rank([*columns, *differences]) == rank(columns)


def confused_points(A, rows, size):
    """Points of a grid that have the same mean and no optimal prediction in common, or None."""
    groups = defaultdict(list)
    for p in grid(len(rows), size):
        groups[mean_of(A, p)].append(p)
    for points in groups.values():
        if not set.intersection(*(set(reference.argmin(rows, p)) for p in points)):
            return points
    return None


def assert_confused(verdict, A) -> None:
    """By the definition: the same mean, so the same least point of the risk, and no prediction is right for all."""
    rows = verdict.loss.entries
    for p in verdict.distributions:
        assert min(p) >= 0
        assert sum(p) == 1
        assert mean_of(A, p) == verdict.u
        # p·ψ is strictly convex with slope 2 Σ p_y (u − a_y), which vanishes at u only.
        assert all(dot(p, [x - a[j] for a in A]) == 0 for j, x in enumerate(verdict.u))
    optimal = [set(reference.argmin(rows, p)) for p in verdict.distributions]
    assert set.intersection(*optimal) == set()
    assert verdict.ruled_out == tuple(tuple(t for t in range(len(rows[0])) if t not in best) for best in optimal)
    assert verdict.price > 0


@st.composite
def points(draw, n: int, max_dim: int = 2):
    """A row of integers or fractions for each label, not the same for all."""
    dim = draw(st.integers(1, max_dim))
    number = draw(st.sampled_from([st.integers(-2, 3).map(Fraction), rationals(-2, 3, 3)]))
    rows = [tuple(draw(number) for _ in range(dim)) for _ in range(n)]
    assume(len(set(rows)) > 1)
    return tuple(rows)


@st.composite
def told_by(draw, A, max_k: int = 4):
    """r1ᵀ + 1cᵀ + AB, at least 0."""
    n, k = len(A), draw(st.integers(2, max_k))
    B = [[draw(st.integers(-2, 2)) for _ in range(k)] for _ in A[0]]
    c, r = [draw(st.integers(0, 3)) for _ in range(k)], draw(row_offsets(n))
    rows = [[c[t] + dot(A[y], [b[t] for b in B]) for t in range(k)] for y in range(n)]
    return tuple(tuple(x - min(row) + r[y] for x in row) for y, row in enumerate(rows))


# Some pred.


@given(data=st.data())
def test_it_is_calibrated_exactly_if_the_means_tell_the_differences_of_the_losses(data):
    rows = data.draw(loss_rows(4, 4))
    A = data.draw(points(len(rows)))
    verdict = check(square(A), LossMatrix(rows))
    assert verdict.status == ("calibrated" if tells_the_differences(A, rows) else "not calibrated")
    accepted(verdict)
    if verdict.status == "not calibrated":
        assert_confused(verdict, A)


@examples(6)
@given(data=st.data())
def test_no_two_points_of_a_grid_contradict_a_verdict_of_calibration(data):
    n = data.draw(st.integers(2, 4))
    A = data.draw(points(n))
    columns = competing_columns(n, data.draw(st.integers(2, 4))).map(lambda columns: tuple(zip(*columns)))
    rows = data.draw(columns | told_by(A))
    if confused_points(A, rows, 12 if n < 4 else 8) is not None:
        assert check(square(A), LossMatrix(rows)).status == "not calibrated"


def test_a_grid_is_fine_enough_to_see_what_is_wrong():
    # The search above is not idle: with a line of means for three labels or more it finds the 0-1 loss confused.
    for n in (3, 4):
        assert confused_points([(y,) for y in range(n)], zero_one(n).entries, 8) is not None
        assert check(square([[y] for y in range(n)]), zero_one(n)).status == "not calibrated"


@examples(6)
@given(data=st.data())
def test_losses_made_from_the_means_are_calibrated(data):
    A = data.draw(points(data.draw(st.integers(2, 5))))
    verdict = check(square(A), LossMatrix(data.draw(told_by(A))), pred=data.draw(st.sampled_from([None, "decide"])))
    assert verdict.status == "calibrated"
    accepted(verdict)


@examples(6)
@given(data=st.data())
def test_redundant_columns_outside_the_span_do_not_matter(data):
    n = data.draw(st.integers(3, 5))
    A = data.draw(points(n, 1))
    rows = data.draw(told_by(A))
    t = data.draw(st.integers(0, len(rows[0]) - 1))
    dearer = [row[t] + data.draw(rationals(0, 3)) for row in rows]
    place = data.draw(st.sampled_from([0, len(rows[0])]))
    more = tuple((*row[:place], x, *row[place:]) for row, x in zip(rows, dearer))
    verdict = check(square(A), LossMatrix(more))
    assert verdict.status == "calibrated"
    accepted(verdict)


@examples(6)
@given(data=st.data())
def test_columns_that_are_optimal_and_outside_the_span_do_matter(data):
    # At p = e_y the new column alone costs nothing; unless it differs from the others within the span, that is lost.
    n = data.draw(st.integers(3, 4))
    A = data.draw(points(n, 1))
    rows = data.draw(told_by(A))
    cheap = [Fraction(0) if y == 0 else data.draw(rationals(0, 3)) for y in range(n)]
    more = tuple((*(x + 1 for x in row), c) for row, c in zip(rows, cheap))
    verdict = check(square(A), LossMatrix(more))
    assert verdict.status == ("calibrated" if tells_the_differences(A, more) else "not calibrated")


@examples(6)
@given(data=st.data())
def test_deciding_by_the_mean_is_optimal_where_one_prediction_is(data):
    n = data.draw(st.integers(2, 5))
    A = data.draw(points(n))
    rows = data.draw(told_by(A))
    if data.draw(st.booleans()):  # a column that is never optimal, and that the mean does not tell
        rows = tuple((max(row) + 1 + data.draw(rationals(0, 3)), *row) for row in rows)
    surrogate, sample = square(A), data.draw(st.lists(distributions(n), min_size=1, max_size=5))
    verdict = check(surrogate, LossMatrix(rows), pred="decide")
    assert verdict.status == "calibrated"
    accepted(verdict)
    clear = [p for p in sample if len(reference.argmin(rows, p)) == 1]
    U = np.array([[float(x) for x in mean_of(A, p)] for p in clear]).reshape(-1, len(A[0]))
    assert verdict.pred.decide(U).tolist() == [reference.argmin(rows, p)[0] for p in clear]


def test_the_square_of_the_loss_matrix_itself_always_suffices():
    for loss in (zero_one(4), ordinal(4), abstain(3, "1/3"), hamming(2), LossMatrix([[0, 5, 2], [1, 0, 3]])):
        verdict = check(square(loss), loss)
        assert verdict.status == "calibrated"
        accepted(verdict)


def test_class_probabilities_suffice_for_every_loss():
    for loss in (zero_one(4), ordinal(4, 2), abstain(4, "1/3")):
        assert check(class_probability(4), loss).status == "calibrated"


def test_points_that_coincide_tell_nothing():
    verdict = check(square([[1], [1], [1]]), zero_one(3))
    assert verdict.status == "not calibrated"
    assert_confused(verdict, [(1,), (1,), (1,)])


def test_one_kept_prediction_needs_no_knowledge():
    assert check(square([[0], [3], [3]]), LossMatrix([[0, 1], [2, 2], [0, 5]])).status == "calibrated"


@examples(6)
@given(data=st.data())
def test_moving_and_stretching_the_points_changes_no_verdict(data):
    rows = data.draw(loss_rows(4, 3))
    A = data.draw(points(len(rows)))
    factor, offset = data.draw(rationals(0, 3).filter(bool)), data.draw(st.integers(-2, 2))
    moved = [[factor * x + offset for x in row] for row in A]
    assert check(square(moved), LossMatrix(rows)).status == check(square(A), LossMatrix(rows)).status


# A given pred.


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_nearest_centre_is_right_for_squares(n):
    # E(y − t)² = (mean − t)² + variance.
    verdict = check(square([[y] for y in range(1, n + 1)]), ordinal(n, 2), pred="nearest")
    assert verdict.status == "calibrated"
    accepted(verdict)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_nearest_centre_is_wrong_for_distances(n):
    # Distances ask for the median, which is not near the mean; for two labels they are the squares.
    A = [(y,) for y in range(1, n + 1)]
    verdict = check(square(A), ordinal(n), pred="nearest")
    assert verdict.status == ("calibrated" if n == 2 else "not calibrated")
    accepted(verdict)
    if n > 2:
        assert_wrong(verdict, A)


def test_centres_elsewhere_are_wrong():
    A = [(y,) for y in range(3)]  # nearest counts from 1
    verdict = check(square(A), ordinal(3, 2), pred="nearest")
    assert verdict.status == "not calibrated"
    assert_wrong(verdict, A)


def assert_wrong(verdict, A) -> None:
    (p,), t = verdict.distributions, verdict.prediction
    assert min(p) >= 0
    assert sum(p) == 1
    assert mean_of(A, p) == verdict.u
    assert any(piece.contains(verdict.u) for piece in verdict.pred.regions[t])
    risks = reference.risks(verdict.loss.entries, p)
    assert risks[t] - min(risks) == verdict.price > 0


def between(low, high):
    return [
        lambda u: [u[0] <= low],
        lambda u: [u[0] >= low, u[0] <= high],
        lambda u: [u[0] >= high],
    ]


@examples(6)
@given(low=st.sampled_from(["3/2"]) | rationals(1, 2), high=st.sampled_from(["5/2"]) | rationals(2, 3))
def test_thresholds_are_right_for_squares_only_in_the_middle_between_centres(low, high):
    assume(1 < Fraction(low) < Fraction(high) < 3)
    A = [(y,) for y in (1, 2, 3)]
    verdict = check(square(A), ordinal(3, 2), pred=between(low, high))
    right = (Fraction(low), Fraction(high)) == (Fraction(3, 2), Fraction(5, 2))
    assert verdict.status == ("calibrated" if right else "not calibrated")
    accepted(verdict)
    if not right:
        assert_wrong(verdict, A)


def test_regions_may_be_given_by_the_names_of_predictions_or_as_a_pred():
    loss = LossMatrix(ordinal(3, 2).entries, predictions=["low", "mid", "high"])
    low, mid, high = between("3/2", "5/2")
    for pred in ({"high": high, "low": low, "mid": mid}, Pred.from_regions([low, mid, high], dim=1)):
        assert check(square([[1], [2], [3]]), loss, pred=pred).status == "calibrated"
    for pred in ({"high": low, "low": high, "mid": mid}, [low, high, mid]):
        assert check(square([[1], [2], [3]]), loss, pred=pred).status == "not calibrated"


@examples(6)
@given(data=st.data())
def test_a_pred_by_half_planes_is_right_if_no_grid_point_and_no_vertex_is_decided_wrongly(data):
    n = data.draw(st.integers(2, 4))
    A = data.draw(points(n))
    rows = data.draw(told_by(A, 2) | competing_columns(n, 2).map(lambda columns: tuple(zip(*columns))))
    a, b = (
        data.draw(st.lists(st.integers(-2, 2), min_size=len(A[0]), max_size=len(A[0])).filter(any)),
        data.draw(st.integers(-2, 2)),
    )
    sides = [lambda u, s=s: [s * (b + sum(x * y for x, y in zip(a, u))) >= 0] for s in (1, -1)]
    verdict = check(square(A), LossMatrix(rows), pred=sides)
    heights = [b + dot(a, each) for each in A]  # b + a·u at the mean is Σ p_y heights_y
    simplex = [[0, *(int(x == y) for x in range(n))] for y in range(n)]
    right = True
    for t, s in enumerate((1, -1)):
        corners = reference.program_vertices([*simplex, [0, *(s * h for h in heights)]], [[-1] + [1] * n])
        right &= all(t in reference.argmin(rows, p) for p in corners)
    assert verdict.status == ("calibrated" if right else "not calibrated")
    accepted(verdict)
    if not right:
        assert_wrong(verdict, A)


def test_a_pred_for_another_number_of_scores_is_refused():
    refused = refusal(check, square([[1, 0], [2, 0], [3, 1]]), ordinal(3), pred="nearest")
    assert "nearest" in refused
    assert "square(3 by 2 numbers)" in refused
    gap = [lambda u: [u[0] >= 1], lambda u: [u[0] <= 0]]
    assert "u = (1/2)" in refusal(check, square([[1], [2]]), zero_one(2), pred=gap)


# A set P of distributions.


def test_a_wrong_threshold_is_right_where_no_mean_comes_near_it():
    A, pred = [(y,) for y in (1, 2, 3)], between("5/4", "5/2")
    above = check(square(A), ordinal(3, 2), pred=pred, within=lambda p: [p[1] + 2 * p[2] >= "1/2"])  # mean ≥ 3/2
    assert above.status == "calibrated"
    accepted(above)
    below = check(square(A), ordinal(3, 2), pred=pred, within=lambda p: [p[1] + 2 * p[2] <= "1/2"])
    assert below.status == "not calibrated"
    accepted(below)
    assert_wrong(below, A)
    p = below.distributions[0]
    assert p[1] + 2 * p[2] <= Fraction(1, 2)


@examples(6)
@given(data=st.data())
def test_fewer_distributions_never_turn_calibrated_into_not(data):
    A = data.draw(points(3))
    rows = data.draw(told_by(A))
    a = data.draw(st.lists(st.integers(-2, 2), min_size=3, max_size=3).filter(lambda a: max(a) >= 0))
    part = check(square(A), LossMatrix(rows), within=lambda p: [sum(c * x for c, x in zip(a, p)) >= 0])
    assert part.status == "calibrated"
    accepted(part)


@examples(5)
@given(data=st.data())
def test_on_a_part_a_verdict_without_pred_is_right_or_open(data):
    rows = data.draw(competing_columns(3, 3).map(lambda columns: tuple(zip(*columns))))
    A = data.draw(points(3, 1))
    a = data.draw(st.lists(st.integers(-2, 2), min_size=3, max_size=3).filter(lambda a: max(a) > 0))
    verdict = check(square(A), LossMatrix(rows), within=lambda p: [sum(c * x for c, x in zip(a, p)) >= 0])
    if verdict.status == "not calibrated":
        assert_confused(verdict, A)
        assert all(dot(a, p) >= 0 for p in verdict.distributions)
        answer = verify(verdict.certificate)
        assert answer.accepted, answer.why
        assert not answer.conditional
    if verdict.status == "undecided":
        assert not tells_the_differences(A, rows)
    if verdict.status == "calibrated":  # perhaps on this part alone, where its pred is right at every mean
        assert verify(verdict.certificate).accepted
        part = [p for p in grid(3, 8) if dot(a, p) >= 0]
        assert all(verdict.pred(mean_of(A, p)) in reference.argmin(rows, p) for p in part)


def test_deciding_by_the_mean_on_a_part_is_answered_like_some_pred():
    # For the mean "decide" is whatever serves; on a part the rule is silent, which is no reason to refuse the question.
    part = {"within": lambda p: [p[0] >= "1/2"]}
    some = check(square([[1], [2], [3]]), zero_one(3), **part)
    assert check(square([[1], [2], [3]]), zero_one(3), pred="decide", **part).status == some.status


# Ranking two documents: gains 2^grade − 1, discounted by position, divided by the best possible.


def two_documents(grades):
    discounts = (Fraction(1), Fraction(5, 8))
    gains = [tuple(2**grade - 1 for grade in label) for label in product(range(grades), repeat=2)]
    best = [max(dot(label, order) for order in permutations(discounts)) for label in gains]
    rows = [
        [1 - dot(label, order) / top if top else Fraction(0) for order in permutations(discounts)]
        for label, top in zip(gains, best)
    ]
    normal = [tuple(Fraction(x) / top if top else Fraction(0) for x in label) for label, top in zip(gains, best)]
    return LossMatrix(rows), gains, normal


@pytest.mark.parametrize("grades", [2, 3])
def test_normalised_gains_are_right_for_ranking_and_raw_gains_only_with_two_grades(grades):
    loss, raw, normal = two_documents(grades)
    assert check(square(normal), loss).status == "calibrated"
    # The difference of the two orders is ∓3/8 for grades (0, 1) and for (0, 2), but the raw gains differ by 1 and 3.
    verdict = check(square(raw), loss)
    assert verdict.status == ("calibrated" if grades == 2 else "not calibrated")
    accepted(verdict)
    sorting = [lambda u: [u[0] >= u[1]], lambda u: [u[0] <= u[1]]]
    assert check(square(normal), loss, pred=sorting).status == "calibrated"
    assert check(square(raw), loss, pred=sorting).status == verdict.status


# Print.


VERDICTS = {
    "right": lambda: check(square([[1], [2], [3]]), ordinal(3, 2), pred="decide"),
    "confused": lambda: check(square([[1], [2], [3]]), ordinal(3)),
    "wrong": lambda: check(square([[1], [2], [3]]), ordinal(3), pred="nearest"),
}


@cache
def verdict_of(name):
    return VERDICTS[name]()


@pytest.fixture(params=VERDICTS)
def verdict(request):
    return verdict_of(request.param)


def test_verdicts_name_what_was_asked_and_show_exact_numbers(verdict):
    data, first, latex = verdict.to_dict(), str(verdict).splitlines()[0], verdict.to_latex()
    assert data["status"] == verdict.status
    for key in ("surrogate", "loss", "pred"):
        if key in data:
            assert data[key] in first
            assert rf"\emph{{{data[key]}}}" in latex
    assert "≈" not in str(verdict)
    assert r"\approx" not in latex


def test_verdicts_as_plain_data():
    assert verdict_of("right").to_dict()["pred"] == "decide"
    confused, wrong = verdict_of("confused"), verdict_of("wrong")
    data = confused.to_dict()
    assert [tuple(map(Fraction, each["p"])) for each in data["distributions"]] == list(confused.distributions)
    assert tuple(map(Fraction, data["u"])) == confused.u
    assert f"u = ({float(confused.u[0]):g})" in str(confused)
    assert "prediction" not in data
    assert "pred" not in data
    assert wrong.to_dict()["pred"] == "nearest"
    assert wrong.to_dict()["prediction"] == wrong.prediction
    assert Fraction(wrong.to_dict()["price"]) == wrong.price


def test_verdicts_survive_pickling(verdict):
    again = pickle.loads(pickle.dumps(verdict))
    assert again == verdict
    assert str(again) == str(verdict)
    assert again.certificate == verdict.certificate


def test_the_data_of_a_verdict_show_the_labels_of_its_distributions():
    verdict = verdict_of("confused")
    X, y = verdict.sample(200, seed=1)
    assert (len(X), len(y)) == (200, 200)
    assert set(y.tolist()) <= set(verdict.loss.labels)
