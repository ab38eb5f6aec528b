"""Bounds on CCdim of losses on sets, and their designs, against the matrix and against what is checked naively."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from set_definitions import IDS, SMALL, f_beta, sets

import lossmith as lm
from command import lossmith
from lossmith.constructions.squares_of_factors import SquaresOfFactors
from lossmith.errors import Impossible, NotFound, TooLarge
from lossmith.losses import f_measure, recall_at, weighted_hamming
from lossmith.losses.sets.core import Core, balanced, best_core
from surrogates.quotation import quotes

each_small = pytest.mark.parametrize(("loss", "predictions", "define"), SMALL, ids=IDS)
CORES = [Core(r, Fraction(beta) ** 2, b) for r in range(2, 6) for b in range(1, r) for beta in ("1", "2", "1/3", "3/2")]


def matrix_of(loss) -> lm.LossMatrix:
    return lm.LossMatrix(loss.matrix().entries)


# Bounds.


@each_small
def test_bounds_hold_beside_those_of_the_matrix(loss, predictions, define):
    bounds = lm.ccdim(loss)
    assert bounds.exact is not None or loss.family == "f_measure"
    if loss.r < 4:
        matrix = lm.ccdim(matrix_of(loss), designs=False)
        assert bounds.upper.value == matrix.upper.value
        assert bounds.lower.value <= matrix.upper.value
        assert bounds.lower.value >= matrix.lower.value


@pytest.mark.exhaustive
def test_four_tags_beside_the_matrix():
    for beta in (1, 2, "1/3"):
        loss = f_measure(4, beta)
        bounds, matrix = lm.ccdim(loss), lm.ccdim(matrix_of(loss), designs=False)
        assert bounds.upper.value == matrix.upper.value == 12
        assert bounds.lower.value >= matrix.lower.value - 1


@pytest.mark.parametrize(("r", "lower"), [(2, 2), (3, 3), (4, 6), (5, 9), (10, 36), (50, 960), (100, 3840)])
def test_f_one(r, lower):
    bounds = lm.ccdim(f_measure(r))
    assert (bounds.lower.value, bounds.upper.value, lm.affdim(f_measure(r))) == (lower, r * r - r, r * r - r + 1)


def test_others_at_any_size():
    assert lm.ccdim(weighted_hamming(range(1, 1001))).exact == 1000
    assert lm.ccdim(recall_at(1000, 10)).exact == 999
    assert quotes(str(lm.ccdim("f-measure:r=100").lower.why), "∅", "2^64", "36")


def test_a_certificate_that_the_checker_would_refuse_is_not_written():
    bounds = lm.ccdim(f_measure(300))
    assert bounds.lower.value > 30_000
    with pytest.raises(TooLarge, match=r"\b34,\d{3}\b.*f_measure\(r=300\)"):
        _ = bounds.lower.certificate
    assert lm.verify(bounds.upper.certificate).accepted


# The core, naively.


@pytest.mark.parametrize("core", CORES, ids=str)
def test_exactly_the_sets_with_the_core_tie(core):
    ties, define = core.ties(), f_beta_of(core.square)
    assert min(ties.weights.values()) > 0
    risks = {t: sum(w * define(y, t) for y, w in ties.weights.items()) for t in sets(core.r)}
    least = min(risks.values())
    optimal = {t for t, risk in risks.items() if risk == least}
    assert optimal == {t for t in sets(core.r) if not any(t) or all(t[: core.b])}
    assert set(ties.predictions) <= optimal


@pytest.mark.parametrize("core", CORES, ids=str)
def test_the_ties_span_the_dimension_that_is_claimed(core):
    """On the labels of the distribution, all optimal sets, and those that are listed."""
    ties, define = core.ties(), f_beta_of(core.square)
    optimal = [t for t in sets(core.r) if not any(t) or all(t[: core.b])]
    for predictions in (optimal, ties.predictions):
        entries = [[define(y, t) for t in predictions] for y in ties.weights]
        assert lm.LossMatrix(entries).affdim == core.dimension
    assert len(ties.columns) - core.tight(core.largest) == core.dimension


def f_beta_of(square):
    """From the square of β."""

    def define(y, t):
        sizes = square * sum(y) + sum(t)
        both = sum(a and b for a, b in zip(y, t, strict=True))
        return 1 - (1 + square) * both / sizes if sizes else Fraction(0)

    assert define((1, 0), (1, 1)) == 1 - (1 + square) / (square + 2)
    return define


def test_the_definition_by_the_square():
    assert all(f_beta(2)(y, t) == f_beta_of(Fraction(4))(y, t) for y in sets(3) for t in sets(3))


def test_weights_have_the_means_that_are_asked_for():
    means, total = (Fraction(3, 2), Fraction(1), Fraction(1, 2), Fraction(1)), Fraction(2)
    labels = [(1, 1, 0, 0), (0, 1, 0, 1), (0, 0, 1, 1)]
    weights = list(balanced(means, total, labels))
    assert {y for y, _ in weights} >= set(labels)
    assert min(w for _, w in weights) > 0
    assert sum(w for _, w in weights) == total
    assert all(sum(y) == 2 for y, _ in weights)
    assert [sum(w * y[i] for y, w in weights) for i in range(4)] == list(means)


def test_the_best_core_is_the_best():
    for r in range(2, 12):
        assert best_core(r, Fraction(1)).dimension == max(Core(r, Fraction(1), b).dimension for b in range(1, r))


def test_a_modulus_that_beta_rules_out_is_not_taken():
    loss = f_measure(3, 67_108_859)
    assert loss.core.modulus != 67_108_859
    assert lm.verify(lm.ccdim(loss).lower.certificate).accepted


# Designs.


@each_small
def test_designs_have_the_dimension_of_the_bound_and_decide_as_the_loss(loss, predictions, define):
    made = lm.design(loss)
    assert made.dim == lm.ccdim(loss).upper.value
    assert lm.verify(made.certificate).accepted
    labels = sets(loss.r)
    exact = np.array([[float(x) for x in made.target(y)] for y in labels])
    assert made.targets(np.array(labels)) == pytest.approx(exact)
    weights = made.weights(np.array(labels))
    assert weights == pytest.approx([float(made.weight(y)) for y in labels])
    rng = np.random.default_rng(0)
    for p in rng.dirichlet(np.ones(loss.n), size=8):
        chosen = loss.prediction(made.pred((p * weights) @ exact / (p @ weights)).predictions)
        risks = [sum(p[j] * float(define(y, t)) for j, y in enumerate(labels)) for t in predictions]
        assert risks[predictions.index(chosen)] == pytest.approx(min(risks))


def test_every_score_and_fewer():
    loss = f_measure(3)
    assert lm.design(loss, dim=8).dim == 8
    with pytest.raises(Impossible, match=r"\b3\b"):
        lm.design(loss, dim=2)
    with pytest.raises(NotFound, match=r"\b6\b.*\b8\b.*\b7\b"):
        lm.design(loss, dim=7)


def test_targets_of_many_tags_stay_near_one():
    """The coordinate that is made 0 is the largest of the functional, so that nothing blows up."""
    loss = f_measure(40)
    made = SquaresOfFactors(loss)
    Y = np.tril(np.ones((40, 40), dtype=int))
    assert np.abs(made.targets(Y)).max() <= 1 + 1e-12
    assert loss.losses(Y, made.pred(made.targets(Y)).predictions).max() == pytest.approx(0)


# The command line.


def test_the_command_line():
    shown = json.loads(lossmith("ccdim", "f-measure:r=100", "--json").stdout)
    assert (shown["lower"], shown["upper"]) == (3840, 9900)
    assert quotes(lossmith("design", "weighted-hamming:weights=(1 2 3)").stdout, "3", "weighted_hamming(weights=1 2 3)")
    assert "f-measure:r=…,beta=1" in lossmith("families").stdout
