"""The linear surrogate: dimension, values, and calibration, with and without its pred."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

import reference
from lossmith import LossMatrix, check, losses, verify
from lossmith.analysis.facts import Facts
from lossmith.constructions.affine_cells import Face, barycentric_regions, best_score_regions
from lossmith.constructions.linear import linear
from lossmith.errors import BadInput
from lossmith.surrogates.pred import Pred


def random_rows(seed: int, max_n: int = 5, max_k: int = 6) -> tuple[tuple[int, ...], ...]:
    """Small integers, with a copy of a column or a dearer one now and then, and at least two kept predictions."""
    draw = random.Random(seed)
    while True:
        n, k = draw.randint(2, max_n), draw.randint(2, max_k)
        columns = [tuple(draw.randint(0, 5) for _ in range(n)) for _ in range(k)]
        if draw.random() < 0.4:
            copied = draw.choice(columns)
            columns[draw.randrange(k)] = tuple(x + draw.choice((0, 0, 1)) for x in copied)
        rows = tuple(zip(*columns))
        if not any(all(row[t] == min(row) for row in rows) for t in range(k)):  # none is optimal everywhere
            return rows


def kept_columns(rows):
    return {tuple(row[t] for row in rows) for t in reference.kept_predictions(rows)}


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.exhaustive) for first in range(15, 195, 15))]
)
def test_it_is_calibrated(first):
    for seed in range(first, first + 15):
        loss = LossMatrix(random_rows(seed))
        verdict = check(linear(Facts(loss)).surrogate, loss)
        assert verdict.status == "calibrated", loss.entries
        assert verify(verdict.certificate).accepted, loss.entries


@pytest.mark.parametrize(
    "seed", [*range(10), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(10, 30))]
)
def test_its_cells_have_the_kept_columns_as_points_and_its_dimension_is_their_affdim(seed):
    rows = random_rows(seed, max_n=4, max_k=5)
    surrogate = linear(Facts(LossMatrix(rows))).surrogate
    assert {cell.z for cell in check(surrogate, LossMatrix(rows)).cells} == kept_columns(rows)
    assert surrogate.dim == reference.affine_dimension(sorted(kept_columns(rows)))


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(4, 12))]
)
def test_its_pred_is_certified(seed):
    loss = LossMatrix(random_rows(seed, max_n=4, max_k=5))
    made = linear(Facts(loss))
    verdict = check(made.surrogate, loss, pred=made.pred)
    assert verdict.status == "calibrated"
    assert verify(verdict.certificate).accepted


def test_for_zero_one_the_points_are_the_corners_of_a_simplex():
    """ψ(0) = ℓ_0 and ψ(e_j) = ℓ_j make ψ_0 = Σ u and ψ_j = 1 − u_j, with u_1, …, u_{n−1} ≥ 0 and Σ u ≤ 1."""
    made = linear(Facts(losses.zero_one(4))).surrogate
    u = [Fraction(1, 2), Fraction(1, 3), Fraction(0)]
    assert made(u) == (Fraction(5, 6), Fraction(1, 2), Fraction(2, 3), 1)
    assert set(made.inequalities) == {(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, -1, -1, -1)}


def test_for_zero_one_the_pred_takes_the_largest_coordinate():
    """All corners play the same part in the program for the scores: its solution favours none of them."""
    pred = linear(Facts(losses.zero_one(3))).pred
    for numerators in product(range(11), repeat=2):
        u = [Fraction(x, 10) for x in numerators]
        coordinates = [1 - sum(u), *u]
        if coordinates[0] >= 0:
            assert coordinates[pred(u)] == max(coordinates)


def test_for_hamming_it_is_the_sum_of_absolute_deviations_on_the_cube():
    """L_yt = Σ |y_i − t_i| is affine in each t_i ∈ {0, 1}, and so is Σ |y_i − u_i| on the cube."""
    loss = losses.hamming(3)
    made = linear(Facts(loss)).surrogate
    assert len(made.inequalities) == 6
    bits = [[int(bit) for bit in format(y, "03b")][::-1] for y in range(8)]
    for u in product([Fraction(0), Fraction(1, 3), Fraction(1)], repeat=3):
        assert made(u) == tuple(sum(abs(b - x) for b, x in zip(row, u)) for row in bits)


def test_redundant_predictions_have_no_region():
    loss = LossMatrix([[0, 2, 4], [4, 2, 0]])
    made = linear(Facts(loss))
    assert made.surrogate.dim == 1
    assert [len(region) for region in made.pred.regions] == [1, 0, 1]


def test_a_loss_with_one_decision_is_refused_by_naming_it():
    loss = LossMatrix([[0, 1], [0, 2]], predictions=["wait", "act"], name="easy")
    with pytest.raises(BadInput, match=r"\beasy\b.*\bwait\b"):
        linear(Facts(loss))


# The two ways to make regions.

SQUARE = [tuple(map(Fraction, corner)) for corner in product((0, 1), repeat=2)]


def test_barycentric_regions_of_a_square_are_certified():
    loss = losses.hamming(2)
    surrogate = linear(Facts(loss)).surrogate
    corners = [(Fraction(t & 1), Fraction(t >> 1)) for t in range(4)]
    regions = barycentric_regions(corners, [Face((0, 1, 2, 3))])
    assert sum(map(len, regions)) == 6  # two triangles
    pred = Pred("by hand", 2, tuple(map(tuple, regions)))
    assert check(surrogate, loss, pred=pred).status == "calibrated"


def test_barycentric_regions_of_a_strip_are_divided_half_way():
    """The half-strip over [0, 1]: two simplices, each with the ray; both points are nearer than half."""
    ends = [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(0))]
    left, right = barycentric_regions(ends, [Face((0, 1), ((0, 1),))])
    for x, y in product(range(5), repeat=2):
        u = (Fraction(x, 4), Fraction(y))
        inside = [any(piece.contains(u) for piece in region) for region in (left, right)]
        assert any(inside)
        assert not (inside[0] and x == 4)
        assert not (inside[1] and x == 0)


def test_scores_give_up_where_two_faces_contradict_each_other():
    """If the mean of f_0 and f_2 exceeds f_1 at u_0 and u_2, then also at u_1 between them, where f_1 should win."""
    line = [(Fraction(0),), (Fraction(1),), (Fraction(2),)]
    assert best_score_regions(line, [Face((0, 2)), Face((1,))], []) is None
    assert best_score_regions(line, [Face((0, 1)), Face((1, 2)), Face((0,)), Face((1,)), Face((2,))], []) is not None
