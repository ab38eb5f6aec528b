"""The max-min hinge and the low-rank form of a loss it rests on."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_linear import kept_columns, random_rows

import reference
from losses.refusal import assert_quotes
from lossmith import LossMatrix, check, design, losses, verify
from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.answers.designing import by_method
from lossmith.constructions.factorization import factorize
from lossmith.constructions.max_min_hinge import max_min_hinge
from lossmith.errors import BadInput, TooLarge
from strategies import examples, loss_rows, row_factors


def span(rows, kept):
    """The differences of the kept columns, as rows."""
    columns = reference.transpose(rows)
    return [[a - b for a, b in zip(columns[t], columns[kept[0]])] for t in kept]


def is_equalised(rows, kept):
    """Whether some p ∈ Δ makes all p·ℓ_t equal: then the polytope of these p has a vertex."""
    n = len(rows)
    corners = [(0, *(int(y == z) for z in range(n))) for y in range(n)]
    equations = [(-1, *[1] * n), *((0, *each) for each in span(rows, kept) if any(each))]
    independent = [equations[i] for i in range(len(equations)) if raises_rank(equations, i)]
    return bool(reference.program_vertices(corners, independent))


def raises_rank(equations, i):
    return reference.rank(equations[: i + 1]) > (reference.rank(equations[:i]) if i else 0)


def holds(rows, factors):
    """L_yt = w_y (r_y + c_t + a_y·b_t)."""
    return all(
        row[t] == w * (r + c + reference.dot(a, b))
        for row, a, r, w in zip(rows, factors.rows, factors.offsets, factors.weights, strict=True)
        for t, c, b in zip(factors.kept, factors.constants, factors.columns, strict=True)
    )


@given(loss_rows(), st.data())
def test_the_low_rank_form_is_exact_for_any_choice_of_columns(rows, data):
    kept = data.draw(st.lists(st.integers(0, len(rows[0]) - 1), min_size=1, unique=True))
    for weighted in (True, False):
        factors = factorize(LossMatrix(rows), kept, weighted=weighted)
        assert holds(rows, factors)
        assert min(factors.weights) > 0


@given(loss_rows())
def test_without_weights_its_size_is_the_rank_of_the_differences_and_ones_minus_one(rows):
    kept = range(len(rows[0]))
    factors = factorize(LossMatrix(rows), kept, weighted=False)
    assert set(factors.weights) == {1}
    assert factors.dim == reference.rank([*span(rows, kept), [1] * len(rows)]) - 1


@given(loss_rows())
def test_with_weights_one_dimension_is_saved_unless_some_distribution_equalises(rows):
    """Gordan: either some p ∈ Δ is orthogonal to V, or V contains some w > 0."""
    kept = range(len(rows[0]))
    factors = factorize(LossMatrix(rows), kept)
    dimension = reference.rank(span(rows, kept))
    assert factors.dim == dimension - (not is_equalised(rows, kept))
    if factors.mixture is None:
        assert set(factors.weights) == {1}
    else:
        mixed = [reference.dot(factors.mixture, column) for column in zip(*span(rows, kept))]
        assert tuple(mixed) == factors.weights


@given(row_factors(4))
def test_weights_undo_a_scaling_of_the_rows(scale):
    """For (y − t)² V is the span of y and 1; after scaling by s it contains s, and m stays 1."""
    loss = losses.ordinal(4, power=2).scale_rows(scale)
    assert factorize(loss, range(4)).dim == 1
    assert holds(loss.entries, factorize(loss, range(4)))


@pytest.mark.parametrize("kept", [[], [0, 0], [3], [-1]])
def test_predictions_that_are_not_there_are_refused(kept):
    with pytest.raises(BadInput) as refusal:
        factorize(losses.zero_one(3), kept)
    assert_quotes(str(refusal.value), str(tuple(kept)), "0", "2")


# The hinge.


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.exhaustive) for first in range(12, 192, 12))]
)
def test_it_is_calibrated_on_the_whole_space(first):
    for seed in range(first, first + 12):
        loss = LossMatrix(random_rows(seed))
        surrogate = max_min_hinge(Facts(loss)).surrogate
        verdict = check(surrogate, loss)
        assert verdict.status == "calibrated", loss.entries
        assert verify(verdict.certificate).accepted, loss.entries
        assert surrogate.inequalities == surrogate.equations == ()


@pytest.mark.parametrize(
    "seed", [*range(10), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(10, 30))]
)
def test_its_dimension_is_affdim_or_one_less_and_its_bayes_risk_is_that_of_the_loss(seed):
    rows = random_rows(seed, max_n=4, max_k=5)
    loss, kept = LossMatrix(rows), reference.kept_predictions(rows)
    surrogate = max_min_hinge(Facts(loss)).surrogate
    assert surrogate.dim == reference.rank(span(rows, kept)) - (not is_equalised(rows, kept))
    assert {cell.z for cell in check(surrogate, loss).cells} == kept_columns(rows)
    draw = random.Random(seed)
    for _ in range(3):
        p = reference.normalised([draw.randint(0, 6) for _ in rows[1:]] + [1])
        assert surrogate.bayes_risk(p) == loss.bayes_risk(p)
    for y, row in enumerate(rows):  # ψ_y ≥ min_t L_yt, with equality because H_ψ = H_L at the corners
        assert surrogate.minimum([int(y == z) for z in range(loss.n)]).value == min(row)


@pytest.mark.parametrize(
    "seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(5, 15))]
)
def test_its_pred_is_certified(seed):
    loss = LossMatrix(random_rows(seed, max_n=3, max_k=4))
    made = max_min_hinge(Facts(loss))
    assert made.pred is not None
    verdict = check(made.surrogate, loss, pred=made.pred)
    assert verdict.status == "calibrated"
    assert verify(verdict.certificate).accepted


def test_a_constant_column_costs_no_dimension():
    """0-1 has the constant (1 − 1/n)·1 in its affine hull, so with the constant 1/2 the span contains 1."""
    assert [max_min_hinge(Facts(losses.abstain(n))).surrogate.dim for n in (3, 4, 5)] == [2, 3, 4]


def test_rows_that_are_scaled_keep_the_dimension():
    loss = losses.ordinal(4, power=2).scale_rows([1, 2, 3, 5])
    made = max_min_hinge(Facts(loss))
    assert made.surrogate.dim == 1
    assert check(made.surrogate, loss, pred=made.pred).status == "calibrated"


@pytest.mark.parametrize(
    ("loss", "dim"),
    [(losses.zero_one(4), 3), (losses.hamming(3), 3), (losses.ordinal(5, power=2), 1), (losses.top_k(4, 2), 3)],
    ids=lambda each: getattr(each, "name", None),
)
def test_known_losses_have_their_known_dimension(loss, dim):
    """0-1 and top-k: n − 1; Hamming: r; (y − t)² = y² − 2yt + t²: one product."""
    made = max_min_hinge(Facts(loss))
    assert made.surrogate.dim == dim
    assert made.pred is not None


def test_for_two_labels_it_is_a_hinge():
    """a = ±1, g(x) = min(0, x): ψ_0 = max(−1 − u, 0, u) − u and ψ_1 = max(−1 − u, 0, u) + u + 1."""
    surrogate = max_min_hinge(Facts(losses.zero_one(2))).surrogate
    for x in range(-12, 9):
        u = Fraction(x, 4)
        assert surrogate([u]) == (max(-1 - 2 * u, -u, 0), max(0, u + 1, 2 * u + 1))


def test_where_scores_do_not_decide_coordinates_do():
    loss = losses.abstain(4)
    made = max_min_hinge(Facts(loss))
    assert max(map(len, made.pred.regions)) > 1
    cells = check(made.surrogate, loss).cells
    assert {cell.z for cell in cells} == {loss.column(t) for t in range(5)}
    assert all(loss.column(made.pred(cell.u)) == cell.z for cell in cells)


def test_more_vertices_than_the_budget_are_refused():
    with pytest.raises(TooLarge, match="max_vertices"):
        max_min_hinge(Facts(losses.hamming(4)), max_vertices=20)


@examples(6)
@given(loss_rows())
def test_what_the_theorem_tells_of_its_cells_is_what_an_enumeration_finds_and_the_checker_accepts_it(rows):
    facts = Facts(LossMatrix(rows))
    if len(facts.kept) == 1:
        return
    made = max_min_hinge(facts)
    told = made.subdivision()
    found = positive_normal_sets(made.surrogate)
    assert {cell.polytope.rays for cell in told.cells} == {cell.polytope.rays for cell in found.cells}
    assert {p: weights.bound for p, weights in told.proofs.items()} == {
        p: weights.bound for p, weights in found.proofs.items()
    }
    assert verify(by_method(facts, "max-min-hinge").certificate).accepted


@examples(6)
@given(loss_rows(max_k=4))
def test_its_points_reach_one_in_every_coordinate(rows):
    facts = Facts(LossMatrix(rows))
    if len(facts.kept) > 1:
        cells = by_method(facts, "max-min-hinge").cells
        assert all(max(map(abs, coordinate)) == 1 for coordinate in zip(*(cell.u for cell in cells)))


@pytest.mark.parametrize(("n", "k"), [(3, 4), *(pytest.param(n, n, marks=pytest.mark.exhaustive) for n in (4, 5))])
def test_costs_of_sixteen_digits_have_numbers_of_order_one(n, k):
    """Where integers of a common unit would have a hundred digits."""
    loss = LossMatrix(np.random.default_rng(n + k).random((n, k)) * 1000)
    assert verify(design(loss, method="max-min-hinge").certificate).accepted
    squares = design(loss, method="square")
    assert 0.1 < abs(squares.surrogate.targets[0]).max() < 20
    assert verify(squares.certificate).accepted
