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
        (0, "r is 0; it must be at least 2"),
        (1, "r is 1; it must be at least 2"),
        (-3, "r is -3; it must be at least 2"),
        (True, "r is True; it must be a whole number"),
        (3.0, "r is 3.0; it must be a whole number"),
        ("3", "r is '3'; it must be a whole number"),
        (None, "r is None; it must be a whole number"),
        ([3], "r is [3]; it must be a whole number"),
        (np.float64(3), "3.0"),
        (np.int64(1), "r is 1; it must be at least 2"),
        (F(3, 2), "Fraction(3, 2)"),
        (10**30, "r is about 10^30; choose at most"),
    ],
    ids=repr,
)
def test_a_number_of_documents_that_makes_no_sense(family, r, what):
    assert what in refused(family, r)
    assert what in refused(family.size, r)


@pytest.mark.parametrize(
    ("q", "r", "what"),
    [
        (3, 3, "q is 3; it must be less than r = 3"),
        (4, 3, "q is 4; it must be less than r = 3"),
        (0, 3, "q is 0; it must be at least 1"),
        (-1, 3, "q is -1"),
        (1, 1, "r is 1; it must be at least 2"),
        (1, 0, "r is 0"),
        (1.0, 3, "q is 1.0; it must be a whole number"),
        ("1", 3, "q is '1'; it must be a whole number"),
        (True, 3, "q is True"),
        (1, "3", "r is '3'"),
        (None, 3, "q is None"),
    ],
)
def test_precision_of_nothing_or_of_everything(q, r, what):
    assert what in refused(precision_at, q, r)


@pytest.mark.parametrize("family", [ndcg, dcg, expected_reciprocal_rank], ids=lambda family: family.name)
@pytest.mark.parametrize("levels", [1, 0, -2, 2.0, "2", True, None])
def test_levels_that_make_no_sense(family, levels):
    assert f"levels is {levels!r}; it must be" in refused(family, 3, levels)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        case(lambda: kendall_tau(7), "r is 7; kendall_tau is written down", "pairwise_disagreement(r, graphs="),
        case(lambda: spearman_rho(8), "r is 8; spearman_rho is written down", "pairwise_disagreement"),
        case(lambda: spearman_footrule(20), "r is 20; spearman_footrule is written down", "pairwise_disagreement"),
        case(lambda: expected_reciprocal_rank(7), "r is 7; expected_reciprocal_rank", "mean_average_precision"),
        case(lambda: expected_reciprocal_rank(6, 9), "expected_reciprocal_rank would have 531,441 × 720 entries"),
        case(lambda: mean_average_precision(99_999), "r is 99,999; mean_average_precision has a factor", "at most 200"),
        case(lambda: pairwise_disagreement(1000), "r is 1,000; pairwise_disagreement has a factor", "ndcg"),
        case(lambda: pairwise_disagreement(1000, [[(0, 1)], []]), "r is 1,000; pairwise_disagreement has a factor"),
        case(lambda: ndcg(3, 5000), "levels is 5,000; choose at most 1,000"),
        case(
            lambda: mean_average_precision(40).matrix(),
            "1,099,511,627,775 × about 10^47 entries",
            "lm.ccdim",
            ".risk(p, t)",
        ),
        case(lambda: ndcg(10_000).matrix(), "about 10^3010 × about 10^35659 entries", "use the factors"),
        case(lambda: precision_at(50, 100).matrix(), "precision_at(q=50, r=100) has about 10^30", "use the factors"),
        case(lambda: pairwise_disagreement(30).matrix(), "pairwise_disagreement(r=30) has", "use the factors"),
        case(lambda: mean_average_precision(3).matrix(limit=41), "7 × 6 entries, more than the limit of 41"),
        case(lambda: ndcg(10_000).risk({(1,) * 10_000: 1}), "predictions, more than the limit", "risk(p, t)"),
        case(lambda: mean_average_precision(60).mean([1, 0]), "labels, more than the limit", "{label: probability}"),
        case(lambda: lm.ccdim(ndcg(10_000)), "a lower bound for ndcg(r=10000", "lm.affdim is 9,999"),
        case(
            lambda: lm.ccdim(pairwise_disagreement(150, "total orders")), "124,880,625 numbers", "lm.affdim is 11,175"
        ),
        case(
            lambda: lm.check(lm.surrogates.softmax(3), mean_average_precision(30)), "mean_average_precision(r=30) has"
        ),
    ],
)
def test_what_is_too_large_is_refused_before_anything_is_made(call, what):
    tracemalloc.start()
    try:
        message = refused(call)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert all(each in message for each in what), message
    assert peak < 40_000_000


def test_a_large_loss_costs_nothing_until_it_is_asked():
    tracemalloc.start()
    try:
        assert mean_average_precision(200).m == 20_100
        assert pairwise_disagreement(200, "total orders").m == 19_900
        assert ndcg(2000).loss((1,) + (0,) * 1999, range(2000)) == 0
        assert "about 10^" in repr(ndcg(5000, 3))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.parametrize("limit", [None, "many", True, [10]])
def test_a_limit_is_a_number(limit):
    assert f"limit is {limit!r}" in refused(mean_average_precision(3).matrix, limit)


# Discounts and gains.


@pytest.mark.parametrize("family", [ndcg, dcg], ids=lambda family: family.name)
@pytest.mark.parametrize(
    ("discount", "what"),
    [
        ([1, F(1, 2)], "2 discounts were given; give one for each of the 3 positions"),
        ([1, 2, 3, 4], "4 discounts were given"),
        ([], "0 discounts were given"),
        ([1, "1/2", -0.25], "the discount of position 3 is -1/4"),
        ([1, 1, 1], "all discounts are 1"),
        ([0, 0, 0], "all discounts are 0"),
        ([1, "half", 0], "entry 1 of discount is 'half', which is not a number"),
        ([1, None, 0], "entry 1 of discount is missing"),
        ([1, float("nan"), 0], "nan"),
        ([1, float("inf"), 0], "inf"),
        ([[1, 2, 3]], "entry 0 of discount is [1, 2, 3]"),
        ("log", "'log'"),
        ("1 1/2", "2 discounts were given"),
        ("", "0 discounts were given"),
        (None, "discount is None"),
        (0.5, "discount is 0.5"),
        ({1: 1, 2: 0, 3: 0}, "discount is {1: 1, 2: 0, 3: 0}"),
        ({1, 2, 3}, "discount is {1, 2, 3}, a set, which has no order"),
        (np.array([1.0, 0.5]), "2 discounts were given"),
        (np.eye(3), "entry 0 of discount"),
        (lambda j: -j, "the discount of position 1 is -1"),
        (lambda _: 1, "all discounts are 1"),
        (lambda _: "x", "entry 0 of discount is 'x'"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_discounts_that_make_no_sense(family, discount, what):
    assert what in refused(family, 3, discount=discount)


@pytest.mark.parametrize("family", [ndcg, dcg], ids=lambda family: family.name)
@pytest.mark.parametrize(
    ("gain", "what"),
    [
        ([0, 3, 1], "the gains are 0, 3, 1; they must start at 0 or above, not decrease"),
        ([-1, 0, 1], "the gains are -1, 0, 1"),
        ([1, 1, 1], "the gains are 1, 1, 1"),
        ([0, 1], "2 gains were given; give one for each of the 3 levels"),
        ("exp", "'exp'"),
        (None, "gain is None"),
        (lambda level: -level, "the gains are 0, -1, -2"),
        ({0, 1, 3}, "gain is {0, 1, 3}, a set"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_gains_that_make_no_sense(family, gain, what):
    assert what in refused(family, 3, 3, gain=gain)


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
        ("ndcg:r=1", "r is 1; it must be at least 2"),
        ("ndcg", "lacks r"),
        ("ndcg:r=x", "r is 'x'; it must be a whole number"),
        ("ndcg:r=3,discount=1 1/2", "2 discounts were given; give one for each of the 3 positions"),
        ("ndcg:r=3,discount=log", "'log', which is not a number"),
        ("precision-at:q=3,r=3", "q is 3; it must be less than r = 3"),
        ("precision-at:r=3", "lacks q"),
        ("map:r=3", "no family is called 'map'"),
        ("pairwise-disagreement:r=3,graphs=dags", "no kind of graphs is called 'dags'"),
        ("kendall-tau:r=9", "r is 9; kendall_tau is written down"),
    ],
)
def test_names_on_the_command_line_that_make_no_sense(name, what):
    assert what in refused(loss_named, name)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("mean-average-precision:r=40", "CCdim(mean_average_precision(r=40)) = 818"),
        ("pairwise-disagreement:r=4,graphs=total orders", "CCdim(pairwise_disagreement(r=4, graphs=total orders)) = 6"),
        ("ndcg:r=3,discount=1 1/2 1/4", "CCdim(ndcg(r=3, levels=2, discount=1 1/2 1/4)) = 2"),
    ],
)
def test_ccdim_prints_the_dimension(name, what):
    run = lossmith("ccdim", name)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(what)
    assert run.stderr == ""


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("mean-average-precision:r=1", "r is 1"),
        ("ndcg:r=5000", "a lower bound for ndcg"),
        ("precision-at:q=5,r=4", "q is 5"),
    ],
)
def test_ccdim_refuses_in_one_line(name, what):
    run = lossmith("ccdim", name)
    assert run.returncode == 2
    assert run.stdout == ""
    assert len(run.stderr.strip().splitlines()) == 1
    assert what in run.stderr
