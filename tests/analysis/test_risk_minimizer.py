"""Weights that prove a Bayes risk: checked by plain multiplication, whoever made them, and made without floats too."""

from __future__ import annotations

from fractions import Fraction
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.calibration.checking import check
from lossmith.geometry.float_lp import WarmProgram
from lossmith.losses import abstain, zero_one
from lossmith.surrogates import (
    absolute,
    adversarial_zero_one,
    binary_encoded,
    crammer_singer,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum, pos
from reference import dot
from strategies import examples
from surrogates import second_opinion
from surrogates.random_surrogates import points_of, surrogates

SMALL = [crammer_singer(3), weston_watkins(3), lee_lin_wahba(3), one_vs_all_hinge(3), absolute(3), binary_encoded(3)]
FAMILIES = pytest.mark.parametrize("surrogate", SMALL, ids=lambda surrogate: surrogate.name)


def integer_weights(n: int):
    return st.tuples(*[st.integers(0, 7)] * n).filter(any)


def assert_proof(surrogate, p, weights) -> None:
    """The weights of each maximum sum to what its labels weigh, the gradients cancel, and the bound is what remains.

    Weights are given once for a maximum that several labels share. Then p·ψ(u) ≥ bound for all u ∈ C.
    """
    for g in range(len(surrogate.maxima)):
        share = sum(p[y] * groups.count(g) for y, groups in enumerate(surrogate.groups))
        assert sum(w for maximum, _, w in weights.pieces if maximum == g) == share
    rows = [*surrogate.inequalities, *surrogate.equations]
    assert all(w > 0 for _, _, w in weights.pieces)
    assert all(w > 0 for i, w in weights.domain if i < len(surrogate.inequalities))
    chosen = [(surrogate.maxima[g][j], w) for g, j, w in weights.pieces]
    domain = [(rows[i], w) for i, w in weights.domain]
    for i in range(1, surrogate.dim + 1):
        assert sum(w * piece[i] for piece, w in chosen) == sum(w * row[i] for row, w in domain)
    assert weights.bound == sum(w * piece[0] for piece, w in chosen) - sum(w * row[0] for row, w in domain)


def assert_minimum(surrogate, p, minimum) -> None:
    """u ∈ C with ψ(u) = z attains the bound, and the bound is H_ψ by the definition."""
    assert_proof(surrogate, p, minimum.weights)
    assert second_opinion.contains(surrogate, minimum.u)
    assert second_opinion.psi(surrogate, minimum.u) == minimum.z
    assert dot(p, minimum.z) == minimum.weights.bound
    assert minimum.weights.bound == min(dot(p, z) for z in second_opinion.values(surrogate))


class Nobody:
    """A program that never finds an optimum."""

    def __init__(self, *_):
        pass

    def minimize(self, costs):
        return None


class Liar:
    """A program that claims that 0 is optimal, and proved by every row, or by none."""

    support: list[int]

    def __init__(self, width, inequalities, equations):
        self.rows, self.width = len(inequalities) + len(equations), width

    def minimize(self, costs):
        return [0.0] * self.width, self.support


class LiarWithEveryRow(Liar):
    @property
    def support(self):
        return list(range(self.rows))


class LiarWithNoRow(Liar):
    support: tuple = ()


class Blurred:
    """The true program, with a point that is off by a little."""

    def __init__(self, *rows):
        self.program = WarmProgram(*rows)

    def minimize(self, costs):
        guess = self.program.minimize(costs)
        return guess and ([x + 0.013 for x in guess[0]], guess[1])


def width(surrogate) -> int:
    return surrogate.dim + len(surrogate.maxima)


def guessing_with(program):
    """Minimisers take their guesses from this program, not from HiGHS."""
    return mock.patch.object(
        RiskMinimizer, "program", property(lambda self: program(width(self.surrogate), *self.surrogate.program))
    )


BAD_PROGRAMS = [Nobody, LiarWithEveryRow, LiarWithNoRow, Blurred]
FEWER_BAD_PROGRAMS = [
    Nobody,
    LiarWithEveryRow,
    *(pytest.param(each, marks=pytest.mark.exhaustive) for each in (LiarWithNoRow, Blurred)),
]


# What is returned is proved.


@examples(6)
@given(surrogates(), st.data())
def test_the_minimum_at_any_weights_is_attained_and_proved(surrogate, data):
    minimizer = RiskMinimizer(surrogate)
    for p in data.draw(st.lists(integer_weights(surrogate.n), min_size=1, max_size=3)):
        assert_minimum(surrogate, p, minimizer.at(p))


@FAMILIES
def test_the_minima_of_the_families_are_attained_and_proved(surrogate):
    minimizer = RiskMinimizer(surrogate)
    for p in [(1, 0, 0), (0, 1, 1), (1, 1, 1), (2, 1, 1), (3, 2, 1), (5, 5, 1), (100, 1, 1), (10**9, 10**9 + 1, 1)]:
        assert_minimum(surrogate, p, minimizer.at(p))


@pytest.mark.parametrize("surrogate", [weston_watkins(4), adversarial_zero_one(4)], ids=lambda each: each.name)
def test_the_proofs_of_all_vertices_multiply_out(surrogate):
    for p, proof in positive_normal_sets(surrogate).proofs.items():
        assert_proof(surrogate, p, proof)


@given(surrogates(), st.data())
def test_values_are_those_of_the_surrogate(surrogate, data):
    u = data.draw(points_of(surrogate))
    assert RiskMinimizer(surrogate).values(u) == second_opinion.psi(surrogate, u)


# Without a guess.


@examples(6)
@given(surrogates(), st.data())
def test_without_floats_the_minimum_is_the_same_and_proved(surrogate, data):
    p = data.draw(integer_weights(surrogate.n))
    exact = RiskMinimizer(surrogate).exactly_at(p)
    assert_minimum(surrogate, p, exact)
    assert exact.weights.bound == RiskMinimizer(surrogate).at(p).weights.bound


@examples(6)
@given(surrogates(), st.data())
def test_the_program_for_the_weights_alone_proves_the_same_bound(surrogate, data):
    p = data.draw(integer_weights(surrogate.n))
    by_program = RiskMinimizer(surrogate).weights_by_program(p)
    assert_proof(surrogate, p, by_program)
    assert by_program.bound == RiskMinimizer(surrogate).at(p).weights.bound


@FAMILIES
def test_the_exact_path_finds_values_at_which_cells_have_full_dimension(surrogate):
    # A slightly tilted p lies inside one cell, so its optimal value belongs to a cell of full dimension.
    for p in [(1, 1, 1), (1, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 1)]:
        assert RiskMinimizer(surrogate).exactly_at(p).z in second_opinion.cells(surrogate)


@pytest.mark.parametrize("program", BAD_PROGRAMS)
@FAMILIES
def test_whatever_the_guess_the_minimum_is_right(surrogate, program):
    with guessing_with(program):
        minimizer = RiskMinimizer(surrogate)
        for p in [(1, 0, 0), (1, 1, 1), (3, 2, 1), (0, 5, 4)]:
            assert_minimum(surrogate, p, minimizer.at(p))


@pytest.mark.parametrize("program", FEWER_BAD_PROGRAMS)
@FAMILIES
def test_whatever_the_guess_the_cells_are_the_same(surrogate, program):
    with guessing_with(program):
        cells = positive_normal_sets(surrogate).cells
    assert {cell.z: cell.polytope.vertices for cell in cells} == second_opinion.cells(surrogate)


@pytest.mark.parametrize("program", FEWER_BAD_PROGRAMS)
def test_whatever_the_guess_the_verdicts_are_the_same(program):
    with guessing_with(program):
        assert check(crammer_singer(3), zero_one(3)).status == "not calibrated"
        assert check(crammer_singer(3), abstain(3)).status == "calibrated"
        assert check(weston_watkins(3), zero_one(3)).status == "not calibrated"
        assert check(lee_lin_wahba(3), zero_one(3)).status == "calibrated"


# Weights on given rows.


def hinge() -> PolyhedralSurrogate:
    """(1 − u)₊ and (1 + u)₊; the rows of the program are the pieces 0, 1 − u, 0, 1 + u."""
    zero = (Fraction(0), Fraction(0))
    return PolyhedralSurrogate(
        (((zero, (Fraction(1), Fraction(-1))),), ((zero, (Fraction(1), Fraction(1))),)), 1, name="hinge"
    )


def weights_on(p, rows):
    """The weights at p that are zero outside the given rows of the program of the hinge."""
    proof = RiskMinimizer(hinge()).proof_on(rows)
    return None if proof is None else proof.at(p)


def test_weights_on_given_rows_are_solved_for():
    # At p = (2, 1): u = 1 is optimal with risk 2; −q + 1 = 0, so the falling piece takes 1 and the flat one 1.
    weights = weights_on((2, 1), [0, 1, 3])
    assert weights.bound == 2
    assert sorted(weights.pieces) == [(0, 0, 1), (0, 1, 1), (1, 1, 1)]
    assert weights.domain == ()


@pytest.mark.parametrize(
    "rows",
    [
        [1, 3],  # −2 + 1 is not 0
        [0, 1],  # nothing for the second hinge
        [0, 3],  # the gradient of the second hinge remains
        [],
    ],
)
def test_rows_that_prove_nothing_give_no_weights(rows):
    assert weights_on((2, 1), rows) is None


def test_rows_that_would_need_negative_weights_give_none():
    # At p = (1, 2) the pieces 0, 1 − u of the first and 1 + u of the second would need −q + 2 = 0 with q ≤ 1.
    assert weights_on((1, 2), [0, 1, 3]) is None


def test_a_label_without_weight_needs_no_rows():
    weights = weights_on((0, 3), [2])
    assert weights.bound == 0
    assert weights.pieces == ((1, 0, 3),)


def test_multipliers_of_a_domain_join_the_proof():
    # ψ = (u, 2 − u) on 0 ≤ u ≤ 2: at p = (2, 1) the slope is 1, held by the row u ≥ 0 at u = 0.
    pieces = ((((Fraction(0), Fraction(1)),),), (((Fraction(2), Fraction(-1)),),))
    domain = ((Fraction(0), Fraction(1)), (Fraction(2), Fraction(-1)))
    surrogate = PolyhedralSurrogate(pieces, 1, domain)
    minimum = RiskMinimizer(surrogate).at((2, 1))
    assert minimum.u == (0,)
    assert minimum.weights.bound == 2
    assert minimum.weights.domain == ((0, 1),)
    assert_minimum(surrogate, (2, 1), minimum)


def test_multipliers_of_equations_may_be_negative():
    # ψ = (|u₀|, |u₁|) on u₀ + u₁ = −1: at equal weights the gradients (−1, −1) are held by −1 times the row.
    distance = [
        ((Fraction(0), *row), (Fraction(0), *(-x for x in row)))
        for row in ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    ]
    surrogate = PolyhedralSurrogate(
        tuple((each,) for each in distance), 2, (), ((Fraction(1), Fraction(1), Fraction(1)),)
    )
    minimum = RiskMinimizer(surrogate).at((1, 1))
    assert minimum.weights.bound == 1
    assert minimum.weights.domain == ((0, -1),)
    assert_minimum(surrogate, (1, 1), minimum)


def test_the_tilt_points_into_the_simplex():
    for n in (2, 3, 7):
        tilt = RiskMinimizer(lee_lin_wahba(n)).tilt
        assert min(tilt) > 0
        assert abs(sum(tilt) - 1) < 1e-12
        assert len(set(tilt)) == n


def test_minima_near_a_vertex_are_told_apart_exactly():
    # 0-1 cells meet at p ∝ (1, 1, 1); one part in 10^12 decides.
    minimizer = RiskMinimizer(lee_lin_wahba(3))
    big = 10**12
    for y in range(3):
        p = tuple(big + int(y == x) for x in range(3))
        assert dot(p, minimizer.at(p).z) == min(3 * (sum(p) - x) for x in p)


def test_a_minimiser_with_a_large_denominator_is_solved_for_from_the_pieces_that_tie(monkeypatch):
    """Rounding finds no a/1000003: the median of three such numbers, in each of two coordinates."""
    centres = [
        (Fraction(a, 1_000_003), Fraction(b, 999_983)) for a, b in ((12_345, 99), (777_777, 31), (500_009, 4_242))
    ]
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - centres[y][0]) + abs(u[1] - centres[y][1]), n=3, dim=2
    )

    def never(*_):
        raise AssertionError("an exact program was asked")

    monkeypatch.setattr(RiskMinimizer, "exactly_at", never)
    found = RiskMinimizer(surrogate).at((1, 1, 1))
    assert found.u == (centres[2][0], centres[0][1])
    assert found.z == surrogate(found.u)
    assert found.weights.bound == sum(found.z)


def of_single_scores(slopes, knots) -> PolyhedralSurrogate:
    """Three labels and two scores; each label has |w| (m ∓ u)₊ of each score, and twice the first again, bent."""

    def psi(y, u):
        terms = [abs(w) * pos(m - (x if w > 0 else -x)) for w, m, x in zip(slopes[2 * y :], knots[2 * y :], u)]
        return sum(terms) + 2 * maximum(0, u[0] - knots[y], 3 * u[0] - 9)

    return PolyhedralSurrogate.from_function(psi, n=3, dim=2)


@examples(6)
@given(
    st.lists(st.sampled_from([-3, -1, 1, Fraction(1, 2)]), min_size=6, max_size=6),
    st.lists(st.sampled_from([0, 1, Fraction(3, 2)]), min_size=6, max_size=6),
    integer_weights(3),
)
def test_score_by_score_is_as_good_as_a_program(slopes, knots, p):
    surrogate = of_single_scores(slopes, knots)
    minimizer = RiskMinimizer(surrogate)
    assert minimizer.scores is not None
    found = minimizer.exactly_at(p)
    assert_minimum(surrogate, p, found)
    with mock.patch.object(RiskMinimizer, "scores", None):
        by_program = RiskMinimizer(surrogate).exactly_at(p)
    assert by_program.weights.bound == found.weights.bound
    # Nearby inside the simplex both are optimal, too: the risks there are the same.
    near = [10**9 * x + Fraction(tilt).limit_denominator(10**6) for x, tilt in zip(p, minimizer.tilt, strict=True)]
    assert dot(near, found.z) == dot(near, by_program.z)


def test_maxima_of_several_scores_or_on_a_domain_are_not_minimised_score_by_score():
    for surrogate in (crammer_singer(3), lee_lin_wahba(3), binary_encoded(3)):
        assert RiskMinimizer(surrogate).scores is None
    assert RiskMinimizer(one_vs_all_hinge(3)).scores is not None
