"""What a hurried user may type: refused in one line that quotes it, before anything large is made."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from ranking_definitions import refused

import lossmith as lm
from command import lossmith
from lossmith.losses import (
    RANKING,
    dcg,
    expected_reciprocal_rank,
    kendall_tau,
    mean_average_precision,
    ndcg,
    pairwise_disagreement,
    precision_at,
    spearman_footrule,
    spearman_rho,
)
from lossmith.losses.named import loss_named
from surrogates.quotation import quotes

F = Fraction
ONE_PARAMETER = (
    ndcg,
    dcg,
    mean_average_precision,
    pairwise_disagreement,
    expected_reciprocal_rank,
    kendall_tau,
    spearman_rho,
    spearman_footrule,
)


def case(call, *what: str):
    return pytest.param(call, what, id=what[0][:50])


# Sizes.


@pytest.mark.parametrize("family", ONE_PARAMETER, ids=lambda family: family.name)
@pytest.mark.parametrize(
    ("r", "what"),
    [
        (0, ("r", "0", "2")),
        (1, ("r", "1", "2")),
        (-3, ("r", "-3", "2")),
        (True, ("r", "True")),
        (3.0, ("r", "3.0")),
        ("3", ("r", "'3'")),
        (None, ("r", "None")),
        ([3], ("r", "[3]")),
        (np.float64(3), ("3.0",)),
        (np.int64(1), ("r", "1", "2")),
        (F(3, 2), ("Fraction(3, 2)",)),
        (10**30, ("r", "10^30")),
    ],
    ids=repr,
)
def test_a_number_of_documents_that_makes_no_sense(family, r, what):
    assert quotes(refused(family, r), *what)
    assert quotes(refused(family.size, r), *what)


@pytest.mark.parametrize(
    ("q", "r", "what"),
    [
        (3, 3, ("q", "3", "r", "3")),
        (4, 3, ("q", "4", "r", "3")),
        (0, 3, ("q", "0", "1")),
        (-1, 3, ("q", "-1")),
        (1, 1, ("r", "1", "2")),
        (1, 0, ("r", "0")),
        (1.0, 3, ("q", "1.0")),
        ("1", 3, ("q", "'1'")),
        (True, 3, ("q", "True")),
        (1, "3", ("r", "'3'")),
        (None, 3, ("q", "None")),
    ],
)
def test_precision_of_nothing_or_of_everything(q, r, what):
    assert quotes(refused(precision_at, q, r), *what)


@pytest.mark.parametrize("family", [ndcg, dcg, expected_reciprocal_rank], ids=lambda family: family.name)
@pytest.mark.parametrize("levels", [1, 0, -2, 2.0, "2", True, None])
def test_levels_that_make_no_sense(family, levels):
    assert quotes(refused(family, 3, levels), "levels", repr(levels), "2")


@pytest.mark.parametrize(
    ("call", "what"),
    [
        case(lambda: kendall_tau(7), "r", "7", "kendall_tau", "pairwise_disagreement(r, graphs="),
        case(lambda: spearman_rho(8), "r", "8", "spearman_rho", "pairwise_disagreement"),
        case(lambda: spearman_footrule(20), "r", "20", "spearman_footrule", "pairwise_disagreement"),
        case(lambda: expected_reciprocal_rank(7), "r", "7", "expected_reciprocal_rank", "mean_average_precision"),
        case(lambda: expected_reciprocal_rank(6, 9), "expected_reciprocal_rank", "531,441", "720"),
        case(lambda: mean_average_precision(99_999), "r", "99,999", "mean_average_precision", "200"),
        case(lambda: pairwise_disagreement(1000), "r", "1,000", "pairwise_disagreement", "ndcg"),
        case(lambda: pairwise_disagreement(1000, [[(0, 1)], []]), "r", "1,000", "pairwise_disagreement"),
        case(lambda: ndcg(3, 5000), "levels", "5,000", "1,000"),
        case(
            lambda: mean_average_precision(40).matrix(),
            "1,099,511,627,775",
            "10^47",
            "lm.ccdim",
            ".risk(p, t)",
        ),
        case(lambda: ndcg(10_000).matrix(), "ndcg(r=10000, levels=2)", "10^3010", "10^35659"),
        case(lambda: precision_at(50, 100).matrix(), "precision_at(q=50, r=100)", "10^30"),
        case(lambda: pairwise_disagreement(30).matrix(), "pairwise_disagreement(r=30)"),
        case(lambda: mean_average_precision(3).matrix(limit=41), "7", "6", "41"),
        case(lambda: ndcg(10_000).risk({(1,) * 10_000: 1}), "ndcg(r=10000, levels=2)", "10^35659", "risk(p, t)"),
        case(
            lambda: mean_average_precision(60).mean([1, 0]),
            "mean_average_precision(r=60)",
            "10^18",
            "{label: probability}",
        ),
        case(lambda: lm.ccdim(ndcg(10_000)), "ndcg(r=10000", "lm.affdim", "9,999"),
        case(lambda: lm.ccdim(pairwise_disagreement(150, "total orders")), "124,880,625", "lm.affdim", "11,175"),
        case(lambda: lm.check(lm.surrogates.softmax(3), mean_average_precision(30)), "mean_average_precision(r=30)"),
    ],
)
def test_what_is_too_large_is_refused_before_anything_is_made(call, what):
    tracemalloc.start()
    try:
        message = refused(call)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert quotes(message, *what), message
    assert peak < 40_000_000


def test_a_large_loss_costs_nothing_until_it_is_asked():
    tracemalloc.start()
    try:
        assert mean_average_precision(200).m == 20_100
        assert pairwise_disagreement(200, "total orders").m == 19_900
        assert ndcg(2000).loss((1,) + (0,) * 1999, range(2000)) == 0
        assert quotes(repr(ndcg(5000, 3)), "ndcg(r=5000, levels=3)", "10^2385")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.parametrize("limit", [None, "many", True, [10]])
def test_a_limit_is_a_number(limit):
    assert quotes(refused(mean_average_precision(3).matrix, limit), "limit", repr(limit))


# Discounts and gains.


@pytest.mark.parametrize("family", [ndcg, dcg], ids=lambda family: family.name)
@pytest.mark.parametrize(
    ("discount", "what"),
    [
        ([1, F(1, 2)], ("2", "3")),
        ([1, 2, 3, 4], ("4",)),
        ([], ("0",)),
        ([1, "1/2", -0.25], ("discount", "3", "-1/4")),
        ([1, 1, 1], ("1",)),
        ([0, 0, 0], ("0",)),
        ([1, "half", 0], ("1", "discount", "'half'")),
        ([1, None, 0], ("1", "discount")),
        ([1, float("nan"), 0], ("nan",)),
        ([1, float("inf"), 0], ("inf",)),
        ([[1, 2, 3]], ("0", "discount", "[1, 2, 3]")),
        ("log", ("'log'",)),
        ("1 1/2", ("2",)),
        ("", ("0",)),
        (None, ("discount", "None")),
        (0.5, ("discount", "0.5")),
        ({1: 1, 2: 0, 3: 0}, ("discount", "{1: 1, 2: 0, 3: 0}")),
        ({1, 2, 3}, ("discount", "{1, 2, 3}")),
        (np.array([1.0, 0.5]), ("2",)),
        (np.eye(3), ("0", "discount")),
        (lambda j: -j, ("discount", "1", "-1")),
        (lambda _: 1, ("1",)),
        (lambda _: "x", ("0", "discount", "'x'")),
    ],
)
def test_discounts_that_make_no_sense(family, discount, what):
    assert quotes(refused(family, 3, discount=discount), *what)


@pytest.mark.parametrize("family", [ndcg, dcg], ids=lambda family: family.name)
@pytest.mark.parametrize(
    ("gain", "what"),
    [
        ([0, 3, 1], ("0", "3", "1", "0")),
        ([-1, 0, 1], ("-1", "0", "1")),
        ([1, 1, 1], ("1", "1", "1")),
        ([0, 1], ("2", "3", "levels")),
        ("exp", ("'exp'",)),
        (None, ("gain", "None")),
        (lambda level: -level, ("0", "-1", "-2")),
        ({0, 1, 3}, ("gain", "{0, 1, 3}")),
    ],
)
def test_gains_that_make_no_sense(family, gain, what):
    assert quotes(refused(family, 3, 3, gain=gain), *what)


def test_what_is_allowed_though_it_looks_odd():
    """Increasing, tied and zero discounts; arrays and generators; gains that do not start at 0."""
    assert ndcg(3, discount=[0, 1, 2]).loss((0, 0, 1), (0, 1, 2)) == 0
    assert ndcg(3, discount=np.array([1, 0.5, 0.25])) == ndcg(3, discount=[1, "1/2", "1/4"])
    assert ndcg(3, discount=(F(1, j) for j in (1, 2, 3))) == ndcg(3, discount=lambda j: F(1, j))
    assert ndcg(3, gain=np.array([0, 1])) == ndcg(3)
    assert ndcg(3, discount="1 1/2 1/4") == ndcg(3, discount=[1, "1/2", "1/4"])
    assert ndcg(2, gain=[1, 2], discount=[1, 0]).loss((0, 1), (0, 1)) == F(1, 2)


# On the command line.


@pytest.mark.parametrize(
    ("name", "loss"),
    [
        ("mean-average-precision:r=40", mean_average_precision(40)),
        ("mean_average_precision:r=3", mean_average_precision(3)),
        ("pairwise-disagreement:r=4,graphs=total orders", pairwise_disagreement(4, "total orders")),
        ("pairwise-disagreement:r=4", pairwise_disagreement(4)),
        ("ndcg:r=3,discount=1 1/2 1/4", ndcg(3, discount=[1, "1/2", "1/4"])),
        ("ndcg:r=3,levels=3,gain=0 1 2", ndcg(3, 3, gain=[0, 1, 2])),
        ("dcg:r=2,discount=log2", dcg(2)),
        ("precision-at:q=2,r=5", precision_at(2, 5)),
        ("kendall-tau:r=3", kendall_tau(3)),
        ("expected-reciprocal-rank:r=2,levels=3", expected_reciprocal_rank(2, 3)),
    ],
)
def test_names_on_the_command_line(name, loss):
    assert loss_named(name) == loss


@pytest.mark.parametrize("family", RANKING, ids=lambda family: family.name)
def test_small_instances_can_be_named_in_words(family):
    for small in family.small:
        words = ",".join(f"{key}={value}" for key, value in small.items())
        assert loss_named(f"{family.name.replace('_', '-')}:{words}") == family(**small)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("ndcg:r=1", ("r", "1", "2")),
        ("ndcg", ("r",)),
        ("ndcg:r=x", ("r", "'x'")),
        ("ndcg:r=3,discount=1 1/2", ("2", "3")),
        ("ndcg:r=3,discount=log", ("'log'",)),
        ("precision-at:q=3,r=3", ("q", "3", "r", "3")),
        ("precision-at:r=3", ("q",)),
        ("map:r=3", ("'map'",)),
        ("pairwise-disagreement:r=3,graphs=dags", ("'dags'",)),
        ("kendall-tau:r=9", ("r", "9", "kendall_tau")),
    ],
)
def test_names_on_the_command_line_that_make_no_sense(name, what):
    assert quotes(refused(loss_named, name), *what)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("mean-average-precision:r=40", ("mean_average_precision(r=40)", "818")),
        ("pairwise-disagreement:r=4,graphs=total orders", ("pairwise_disagreement(r=4, graphs=total orders)", "6")),
        ("ndcg:r=3,discount=1 1/2 1/4", ("ndcg(r=3, levels=2, discount=1 1/2 1/4)", "2")),
    ],
)
def test_ccdim_prints_the_dimension(name, what):
    run = lossmith("ccdim", name)
    assert run.returncode == 0, run.stderr
    assert quotes(run.stdout.splitlines()[0], *what)
    assert run.stderr == ""


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("mean-average-precision:r=1", ("r", "1")),
        ("ndcg:r=5000", ("ndcg",)),
        ("precision-at:q=5,r=4", ("q", "5")),
    ],
)
def test_ccdim_refuses_in_one_line(name, what):
    run = lossmith("ccdim", name)
    assert run.returncode == 2
    assert run.stdout == ""
    assert len(run.stderr.strip().splitlines()) == 1
    assert quotes(run.stderr, *what)
