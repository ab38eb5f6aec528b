"""How much regret of the loss a regret of the surrogate can mean."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from test_linear import random_rows

import reference
from lossmith import LossMatrix, PolyhedralSurrogate, check, losses, pos, surrogates
from lossmith.constructions.linear import linear
from lossmith.constructions.max_min_hinge import max_min_hinge
from lossmith.constructions.orderable import order_of, orderable
from lossmith.constructions.regret import regret_constant, worst_ratio

HINGE = PolyhedralSurrogate.from_function(lambda y, u: pos(1 + (1, -1)[y] * u[0]), n=2, dim=1, name="hinge")


def regrets(surrogate, loss, p, u, t):
    risks = loss.risk(p)
    return risks[t] - min(risks), reference.dot(p, surrogate(u)) - surrogate.bayes_risk(p)


def points(surrogate, draw, count):
    """Points of the domain: mixtures and, without constraints, extrapolations of the points of the cells."""
    cells = [cell.u for cell in check_cells(surrogate)]
    for _ in range(count):
        weights = reference.normalised([draw.randint(0, 4) for _ in cells[1:]] + [1])
        mixed = [reference.dot(weights, column) for column in zip(*cells)]
        if surrogate.inequalities or surrogate.equations:
            yield mixed
        else:
            yield [x + Fraction(draw.randint(-3, 3), 2) for x in mixed]


def check_cells(surrogate):
    """Its cells, by way of a loss for which everything is calibrated."""
    return check(surrogate, LossMatrix([[0]] * surrogate.n)).cells


def distributions(n, draw, count):
    return [reference.normalised([draw.randint(0, 5) for _ in range(n - 1)] + [1]) for _ in range(count)]


# The pred of the proof.


@pytest.mark.parametrize(
    ("surrogate", "loss", "constant"),
    [
        (surrogates.absolute(3), losses.ordinal(3), 3),  # ψ = L at the knots
        (surrogates.absolute(2), losses.ordinal(2), 2),
        (surrogates.absolute(3), losses.ordinal(3).scale_rows([2, 2, 2]), 6),  # 2L = 2ψ
        (surrogates.lee_lin_wahba(3), losses.zero_one(3), 1),  # (0, 3, 3) at (2, −1, −1): ψ = 3L
        (surrogates.crammer_singer(3), losses.abstain(3), Fraction(3, 2)),  # ψ = 2L, 4 cells but 3 labels
    ],
    ids=lambda each: getattr(each, "name", None),
)
def test_the_constant_is_the_smaller_of_cells_and_labels_over_the_factor(surrogate, loss, constant):
    assert regret_constant(check(surrogate, loss)) == constant


def test_constants_of_rows_do_not_matter():
    loss = losses.ordinal(3).shift_rows([1, 0, 5])
    assert regret_constant(check(surrogates.absolute(3), loss)) == 3


def test_where_the_loss_is_not_embedded_no_constant_is_known():
    """Crammer–Singer has four cells, ordinal regression three; and the rows of a scaled loss have no common factor."""
    assert regret_constant(check(surrogates.crammer_singer(3), losses.ordinal(3))) is None
    weighted = losses.zero_one(2).scale_rows([1, 3])
    tripled = PolyhedralSurrogate.from_function(lambda y, u: (1, 3)[y] * pos(1 + (1, -1)[y] * u[0]), n=2, dim=1)
    assert regret_constant(check(tripled, weighted)) == 1  # ψ = 2L
    assert check(HINGE, weighted).status == "not calibrated"


def test_no_constant_is_told_for_a_given_pred_a_smooth_surrogate_or_some_distributions():
    ordinal = losses.ordinal(3)
    assert regret_constant(check(surrogates.absolute(3), ordinal, pred="nearest")) is None
    assert regret_constant(check(surrogates.softmax(3), ordinal)) is None
    assert regret_constant(check(surrogates.absolute(3), ordinal, within=lambda p: [p[0] >= "1/2"])) is None


def test_where_one_decision_is_always_best_there_is_no_regret():
    assert regret_constant(check(HINGE, LossMatrix([[0, 1], [0, 1]]))) is None  # two cells of ψ, one decision
    flat = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0]), n=2, dim=1)
    assert regret_constant(check(flat, LossMatrix([[0, 1], [0, 1]]))) == 0


@pytest.mark.parametrize("make", [linear, max_min_hinge])
@pytest.mark.parametrize("seed", range(8))
def test_the_bound_holds_for_the_pred_of_the_proof(make, seed):
    loss, draw = LossMatrix(random_rows(seed, max_n=4, max_k=5)), random.Random(seed)
    surrogate = make(loss).surrogate
    verdict = check(surrogate, loss)
    constant = regret_constant(verdict)
    assert constant == min(len(verdict.cells), loss.n)  # ψ = L at the points of the cells
    for u in points(surrogate, draw, 6):
        t = verdict.pred(u)
        for p in distributions(loss.n, draw, 4):
            ours, theirs = regrets(surrogate, loss, p, u, t)
            assert ours <= constant * theirs


# A given pred.


def test_the_hinge_pays_at_least_the_regret_of_zero_one():
    """Zhang's inequality, and at u → 0 with a sure label both regrets are 1."""
    assert worst_ratio(HINGE, losses.zero_one(2), "sign") == 1


@pytest.mark.parametrize("n", [2, 3, 4])
def test_half_way_between_two_grades_half_the_regret_is_paid(n):
    assert worst_ratio(surrogates.absolute(n), losses.ordinal(n), "nearest") == 2


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_linear_surrogate_of_zero_one_pays_one_nth_in_the_centre(n):
    """At the centre every coordinate is 1/n; with a label excluded, deciding it costs 1/(n − 1), and 1/n of it is paid.

    More is impossible: the largest coordinate is at least 1/n.
    """
    made = linear(losses.zero_one(n))
    assert worst_ratio(made.surrogate, losses.zero_one(n), made.pred) == n


@pytest.mark.parametrize("tau", ["1/4", "1/2", "3/4"])
def test_the_threshold_of_a_reject_option_trades_one_ratio_for_another(tau):
    """Crammer–Singer with n = 3: the vertices of its cells are the corners and the middles of the edges.

    With label 0 sure, abstaining loses 1/2 and pays 1 − τ or more, deciding 1 loses 1 and pays 1 + τ or more. With
    labels 0 and 1 equally likely, deciding 2 loses 1/2, and pays 1 + τ or more where 1 is least.
    """
    ratio = worst_ratio(surrogates.crammer_singer(3), losses.abstain(3), f"argmax-gap:tau={tau}")
    gap = Fraction(tau)
    assert ratio == max(1 / (2 * (1 - gap)), 1 / (1 + gap), 1 / (2 * gap))


def test_no_ratio_exists_without_calibration():
    assert worst_ratio(surrogates.crammer_singer(3), losses.zero_one(3), "argmax") is None


def test_where_every_decision_is_equal_the_ratio_is_zero():
    assert worst_ratio(HINGE, LossMatrix([[1, 1], [2, 2]]), "sign") == 0


@pytest.mark.parametrize("make", [linear, max_min_hinge, orderable])
@pytest.mark.parametrize("seed", range(8))
def test_no_pair_of_distribution_and_point_beats_the_worst_ratio(make, seed):
    loss, draw = LossMatrix(random_rows(seed, max_n=3, max_k=4)), random.Random(seed)
    if make is orderable and order_of(loss) is None:
        loss = losses.ordinal(3)
    made = make(loss)
    worst = worst_ratio(made.surrogate, loss, made.pred)
    for u in points(made.surrogate, draw, 8):
        for p in distributions(loss.n, draw, 5):
            ours, theirs = regrets(made.surrogate, loss, p, u, made.pred(u))
            assert ours <= worst * theirs
