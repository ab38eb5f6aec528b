"""Losses beside the catalogue: against their definitions, closed forms, and what is known of their dimensions."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, coverage_error, label_ranking_loss

import lossmith as lm
from command import lossmith
from losses.refusal import assert_quotes
from lossmith.errors import LossmithError
from lossmith.losses import (
    MORE,
    SETS,
    abstain,
    balanced_error,
    capped,
    coverage,
    dead_zone,
    defer,
    f_measure,
    hamming,
    hamming_abstain,
    jaccard,
    kappa_cost,
    lca_height,
    newsvendor,
    one_error,
    ordered_partitions,
    ordinal,
    precision_at,
    reject_costs,
    set_function,
    set_utility,
    structured_abstain,
    superset,
    tag_ranking,
    top_k_costs,
    tversky,
    winkler,
    wu_palmer,
    zero_one,
)

TREE = {"animal": {"cat": {}, "dog": {}, "bird": {"owl": {}, "hen": {}}}, "car": {}}


def entries(loss) -> list[list[Fraction]]:
    return [list(row) for row in loss.entries]


# Special cases that are other families.


@pytest.mark.parametrize(
    ("loss", "other", "factor"),
    [
        (kappa_cost(4), ordinal(4), Fraction(1, 3)),
        (kappa_cost(5, power=2), ordinal(5, power=2), Fraction(1, 16)),
        (dead_zone(4, width=0), ordinal(4), 1),
        (dead_zone(4, width=0, power=2), ordinal(4, power=2), 1),
        (capped(4, cap=1), zero_one(4), 1),
        (capped(4, cap=3), ordinal(4), 1),
        (newsvendor(4, tau="1/2"), ordinal(4), Fraction(1, 2)),
        (reject_costs(["1/3"] * 3), abstain(3, "1/3"), 1),
        (balanced_error(["1/4"] * 4), zero_one(4), 1),
        (tversky(3), f_measure(3).matrix(), 1),
        (tversky(3, 1, 1), jaccard(3), 1),
        (tversky(3, "1/5", "4/5"), f_measure(3, beta=2).matrix(), 1),
        (set_function([0, 1, 1, 2, 1, 2, 2, 3]), hamming(3), 1),
        (structured_abstain([0, 1, 1, 2]), hamming_abstain(2, "1/2"), 2),
        (set_utility(3, [1, 0, 0]).restrict(predictions=["{0}", "{1}", "{2}"]), zero_one(3), 1),
        (lca_height([None, 0, 0, 0]), zero_one(3), 1),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_special_cases(loss, other, factor):
    assert entries(loss) == [[factor * x for x in row] for row in entries(other)]


# By their definitions.


def test_grades():
    assert entries(dead_zone(5, width="1/2", power=2))[0] == [0, Fraction(1, 4), Fraction(9, 4), Fraction(25, 4), 12.25]
    assert entries(capped(4, cap="3/2"))[3] == [Fraction(3, 2), Fraction(3, 2), 1, 0]
    assert entries(newsvendor(4, tau="1/5"))[2] == [Fraction(2, 5), Fraction(1, 5), 0, Fraction(4, 5)]


@pytest.mark.parametrize("tau", ["1/3", "3/4"])
def test_the_newsvendor_orders_a_quantile(tau):
    loss, share = newsvendor(5, tau), Fraction(tau)
    for weights in ([1, 2, 3, 4, 5], [5, 1, 1, 1, 1], [0, 0, 7, 1, 0]):
        p = [Fraction(w, sum(weights)) for w in weights]
        below = [sum(p[: t + 1]) for t in range(5)]
        quantiles = [t for t in range(5) if below[t] >= share and (t == 0 or below[t - 1] <= share)]
        assert list(loss.optimal_predictions(p)) == quantiles


def test_intervals():
    loss = winkler(4, alpha="1/5")
    places = {name: t for t, name in enumerate(loss.predictions)}
    for y, (a, b) in product(range(4), [(0, 0), (1, 2), (0, 3), (3, 3)]):
        outside = max(a - y, 0) + max(y - b, 0)
        assert loss.entries[y][places[f"[{a},{b}]"]] == b - a + 10 * outside


def test_answers_that_are_sets_are_worth_what_their_names_say():
    assert 1 - set_utility(3, "u65").entries[0][3] == Fraction(65, 100)  # two labels
    assert 1 - set_utility(3, "u80").entries[0][3] == Fraction(80, 100)
    assert 1 - set_utility(3, "discounted").entries[0][6] == Fraction(1, 3)
    for g in ("u65", "u80", "discounted"):
        assert set_utility(4, g).entries[0][0] == 0
        assert all(row[t] == 1 for y, row in enumerate(set_utility(4, g).entries) for t in range(4) if t != y)
    kept = [t.prediction for t in lm.trigger_sets(set_utility(3, "discounted")) if t.polytope.dim == 2]
    assert kept == [0, 1, 2]  # only sets of one label


def test_experts():
    loss = defer(3, experts=2, fees=["0", "1/4"])
    assert (loss.n, loss.k, loss.predictions) == (12, 5, (0, 1, 2, "defer 0", "defer 1"))
    row = dict(zip(loss.predictions, loss.entries[loss.labels.index("1+-")], strict=True))
    assert row == {0: 1, 1: 0, 2: 1, "defer 0": 0, "defer 1": Fraction(5, 4)}


def test_balanced_error_is_that_of_scikit_learn():
    truth, told = [0, 0, 0, 1, 1, 2, 2, 2, 2, 2], [0, 1, 0, 1, 2, 2, 2, 0, 1, 2]
    loss = balanced_error([Fraction(truth.count(y), 10) for y in range(3)])
    mean = sum(loss.entries[y][t] for y, t in zip(truth, told, strict=True)) / 10
    assert float(mean) == pytest.approx(1 - balanced_accuracy_score(truth, told))


def test_partial_labels():
    loss = superset(3)
    assert loss.labels == ("{0}", "{1}", "{2}", "{0,1}", "{0,2}", "{1,2}", "{0,1,2}")
    assert entries(loss)[3] == [0, 0, 1]
    assert entries(loss)[6] == [0, 0, 0]


def test_ordered_partitions_are_the_values_of_the_hinge_on_levels():
    """Scores that fall by 1 from part to part: Weston–Watkins has exactly these losses there."""
    for n in (2, 3, 4):
        loss, hinge = ordered_partitions(n), lm.surrogates.weston_watkins(n)
        assert loss.k == [None, 1, 3, 13, 75][n]
        for t, name in enumerate(loss.predictions):
            u = [0] * n
            for level, part in enumerate(name.split("|")):
                for y in part.split(","):
                    u[int(y)] = -level
            assert [row[t] for row in loss.entries] == list(hinge(u))


@pytest.mark.parametrize("n", [3, 4])
def test_weston_watkins_is_calibrated_for_ordered_partitions(n):
    verdict = lm.check(lm.surrogates.weston_watkins(n), ordered_partitions(n))
    assert verdict.status == "calibrated"
    assert lm.verify(verdict.certificate).accepted


def test_trees():
    loss = wu_palmer(TREE, predictions="nodes")
    place = {name: t for t, name in enumerate(loss.predictions)}
    row = loss.entries[loss.labels.index("owl")]  # root, animal, bird, owl
    assert row[place["hen"]] == 1 - Fraction(2 * 3, 8)
    assert row[place["cat"]] == 1 - Fraction(2 * 2, 7)
    assert row[place["car"]] == 1 - Fraction(2 * 1, 6)
    assert row[place["bird"]] == 1 - Fraction(2 * 3, 7)
    assert row[place["owl"]] == 0
    tall = lca_height(TREE)
    row = dict(zip(tall.predictions, tall.entries[tall.labels.index("owl")], strict=True))
    assert row == {"cat": 2, "dog": 2, "owl": 0, "hen": 1, "car": 3}


def test_orders_of_tags_agree_with_scikit_learn():
    for loss, metric, shift in ((tag_ranking(3), label_ranking_loss, 0), (coverage(3), coverage_error, 1)):
        for y, t in product(range(1, 8), range(6)):
            tags = [int(bit) for bit in loss.labels[y]]
            scores = np.zeros(3)
            for place, tag in enumerate(loss.predictions[t].split(">")):
                scores[int(tag)] = -place
            assert float(loss.entries[y][t]) == pytest.approx(metric([tags], [scores]) - shift)
        assert set(loss.entries[0]) == {0}


def test_one_error_is_precision_of_one():
    shown = precision_at(1, 3).matrix()  # without the set of no tags
    assert entries(one_error(3))[1:] == entries(shown)[-7:]


def test_open_tags():
    loss = hamming_abstain(2, "1/5")
    row = dict(zip(loss.predictions, loss.entries[loss.labels.index("01")], strict=True))
    assert (row["01"], row["0?"], row["??"], row["1?"], row["10"]) == (
        0,
        Fraction(1, 5),
        Fraction(2, 5),
        Fraction(6, 5),
        2,
    )
    f = structured_abstain([0, 1, 3, "7/2"])
    row = dict(zip(f.predictions, f.entries[f.labels.index("01")], strict=True))
    assert row["0?"] == 0 + 1  # the last tag open
    assert row["1?"] == 3 + Fraction(7, 2)  # the first wrong, both wrong or open
    assert row["?0"] == 1 + Fraction(7, 2)


# Dimensions.


@pytest.mark.parametrize(
    ("loss", "dimension"),
    [
        *((newsvendor(n, tau), 1) for n in (3, 5) for tau in ("1/3", "3/4")),  # orderable
        *((kappa_cost(n, power), 1) for n in (3, 4) for power in (1, 2)),
        (dead_zone(5, "1/2"), 1),
        *((set_utility(n, g), n - 1) for n in (3, 4) for g in ("u65", "u80", "discounted")),
        (balanced_error("1/2 1/3 1/6"), 2),  # rows of 0-1, scaled
        (superset(3), 2),
        (winkler(3), 2),
        *((lca_height(tree), n - 1) for tree, n in (([None, 0, 0, 1, 1], 3), ([None, 0, 0, 1, 1, 2, 2], 4))),
        (one_error(3), 2),  # r − 1, as precision
        *((defer(n), n) for n in (2, 3)),  # n probabilities of being right, and that of the expert, up to their level
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_dimensions(loss, dimension):
    bounds = lm.ccdim(loss, designs=False)
    assert bounds.exact == dimension
    assert lm.verify(bounds.lower.certificate).accepted


@pytest.mark.parametrize(("n", "alpha"), [(3, Fraction(1, 2)), (4, Fraction(1, 5))])
def test_two_quantiles_are_enough_for_intervals(n, alpha):
    """Two pinball losses, one for each end: calibrated, so intervals of any number of grades need two dimensions."""

    def psi(y, u):
        return sum(
            lm.maximum(share * (y - u[end]), (1 - share) * (u[end] - y))
            for end, share in ((0, alpha / 2), (1, 1 - alpha / 2))
        )

    surrogate = lm.PolyhedralSurrogate.from_function(psi, n=n, dim=2)
    assert lm.check(surrogate, winkler(n, alpha)).status == "calibrated"


def test_verdicts_that_are_known():
    assert lm.check(lm.surrogates.absolute(3), capped(3)).status == "calibrated"  # min(|y − t|, 2) is the distance
    assert lm.check(lm.surrogates.absolute(4), capped(4)).status == "not calibrated"
    for name in ("crammer_singer", "weston_watkins"):
        assert lm.check(getattr(lm.surrogates, name)(3), set_utility(3)).status == "not calibrated"
    assert lm.check(lm.surrogates.absolute(4), newsvendor(4, "3/4")).status == "not calibrated"


# What is wrong, and the catalogue.


@pytest.mark.parametrize(
    ("ask", "quotes"),
    [
        (lambda: kappa_cost(1), ("n", "1", "2")),
        (lambda: dead_zone(3, width=2), ("width", "2", "0")),
        (lambda: dead_zone(3, width=-1), ("width", "-1", "0")),
        (lambda: capped(3, cap=0), ("cap", "0")),
        (lambda: newsvendor(3, tau=1), ("tau", "1", "0")),
        (lambda: winkler(3, alpha=0), ("alpha", "0", "1")),
        (lambda: reject_costs([1, -1]), ("1", "-1", "0")),
        (lambda: reject_costs([1]), ("costs", "[1]")),
        (lambda: defer(2, experts=2, fees=[1]), ("1", "2")),
        (lambda: defer(2, fees=[-1]), ("0", "-1")),
        (lambda: set_utility(3, "u70"), ("g", "'u70'", "'discounted'", "'u65'", "'u80'", "1", "2")),
        (
            lambda: set_utility(3, "1 1/2"),
            ("g", "2", "'discounted'", "'u65'", "'u80'", "3", "0", "1"),
        ),
        (
            lambda: set_utility(30),
            ("n", "30", "set_utility", "12", "top_k_costs"),
        ),
        (lambda: balanced_error([1, 1]), ("2", "1")),
        (lambda: balanced_error([0, 1]), ("0",)),
        (lambda: balanced_error({0.5, 0.25}), ("0.5", "0.25")),
        (lambda: superset(40), ("n", "40", "superset", "12")),
        (lambda: ordered_partitions(9), ("n", "9", "ordered_partitions", "7")),
        (lambda: wu_palmer([None, 0]), ("1",)),
        (lambda: lca_height([None, 0]), ("1",)),
        (lambda: tversky(3, a=0), ("a", "0")),
        (lambda: tversky(40), ("r", "40", "tversky", "10", "f_measure")),
        (lambda: hamming_abstain(2, -1), ("-1", "0")),
        (lambda: hamming_abstain(9), ("r", "9", "hamming_abstain", "7")),
        (lambda: set_function([0, 1, 1]), ("3", "2", "4", "8")),
        (lambda: set_function([1, 1]), ("1", "0")),
        (lambda: structured_abstain([0, -1]), ("1", "-1", "0")),
        (lambda: tag_ranking(1), ("r", "1", "2")),
        (lambda: coverage(12), ("r", "12", "coverage", "6")),
        (
            lambda: one_error(12),
            ("r", "12", "one_error", "10", "precision_at", "1"),
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(ask, quotes):
    with pytest.raises(LossmithError) as caught:
        ask()
    assert_quotes(str(caught.value), *quotes)
    assert len(str(caught.value).splitlines()) == 1


def test_they_go_by_name():
    assert lm.ccdim("newsvendor:n=4,tau=1/3").exact == 1
    assert lm.ccdim("set-utility:n=3,g=u80").exact == 2
    assert lm.affdim("balanced-error:priors=1/2 1/4 1/4") == 2
    assert top_k_costs in SETS
    assert newsvendor in MORE


def test_the_table_is_of_the_core_unless_all_are_asked_for():
    usual = lossmith("catalogue", "--surrogates", "absolute").stdout
    every = lossmith("catalogue", "--surrogates", "absolute", "--all").stdout
    assert "ordinal(n=3)" in usual
    assert "newsvendor" not in usual
    assert "newsvendor(n=3, tau=3/4)" in every
    assert (
        "newsvendor(n=3, tau=3/4)" in lossmith("catalogue", "--surrogates", "absolute", "--losses", "newsvendor").stdout
    )


@pytest.mark.parametrize("make", [reject_costs, partial(top_k_costs, k=1)])
def test_a_series_names_the_labels(make):
    costs = pd.Series([1.5, 1, 3], index=["lynx", "cat", "dog"])
    assert make(costs).matrix() == make(costs.to_dict()).matrix()
    assert make(costs).matrix().labels == ("lynx", "cat", "dog")
    with pytest.raises(LossmithError, match=r"\['a', 'b', 'a'\]"):
        make(pd.Series([1, 2, 3], index=["a", "b", "a"]))
