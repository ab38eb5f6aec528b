"""Verdicts on the hinges of the literature beyond those that their families declare: other parameters, more labels."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
from lossmith.losses import (
    abstain,
    f_measure,
    hamming,
    jaccard,
    mean_average_precision,
    ordinal,
    top_k,
    zero_one,
)
from lossmith.surrogates import (
    CATALOGUE,
    all_threshold_hinge,
    augmented_reject,
    bent_simplex_hinge,
    cost_all_threshold_hinge,
    cost_sensitive_svm,
    defer_hinge,
    defer_one_vs_all_hinge,
    fixed_threshold_hinge,
    gain_weighted,
    immediate_threshold_hinge,
    label_ranking_hinge,
    listmle,
    lovasz_hinge,
    lovasz_hinge_jaccard,
    margin_lee_lin_wahba,
    max_min_margin,
    naive_hinge,
    partial_label_hinge,
    pinball,
    reinforced_hinge,
    rejection_max_hinge,
    rejection_plus_hinge,
    restricted_max_margin,
    structured_tag_hinge,
    superset_hinge,
    svm_map,
    top_k_hinge_averaged,
    top_k_hypersimplex,
    top_k_max_min,
    total_max_hinge,
    total_sum_hinge,
    uneven_margin_hinge,
    weighted_all_pairs_hinge,
)
from lossmith.surrogates.cases import by_sets, deferring, mismatches, newsvendor, open_tags
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos
from reference import argmin
from strategies import examples

exhaustive = pytest.mark.exhaustive


@cache
def uneven():
    return lm.LossMatrix([[0, 3, 1], [2, 0, 5], [4, 1, 0]], name="uneven")


@cache
def wide():
    return lm.LossMatrix([[0, 3, 1, 2], [2, 0, 5, 2], [4, 1, 0, 2]], name="wide")


@cache
def v_shaped():
    return lm.LossMatrix([[0, 5, 6, 6], [3, 0, 1, 9], [4, 4, 0, 2], [9, 2, 2, 0]], name="V-shaped")


@cache
def thirds():
    return lm.LossMatrix([[0, "2/3"], ["1/3", 0]], name="costs 2/3 and 1/3")


def assert_verdict(surrogate, loss, pred, calibrated):
    verdict = lm.check(surrogate, loss, pred)
    expected = "calibrated" if calibrated else "not calibrated"
    assert verdict.status == expected, (surrogate.name, loss.name, pred)
    answer = lm.verify(verdict.certificate)
    assert answer.accepted, answer


def without_the_factor(alpha, gamma):
    """Uneven margins without the factor 1/γ that the costs need."""
    a, g = Fraction(alpha), Fraction(gamma)
    return PolyhedralSurrogate.from_function(
        lambda y, u: a * pos(1 + g * u[0]) if y else (1 - a) * pos(1 - u[0]), n=2, dim=1, name="without 1/γ"
    )


def reinforced(n):
    """The threshold of the reinforced hinge is 1/2."""
    yield from ((reinforced_hinge(n, gamma), zero_one(n), "argmax", True) for gamma in ("0", "1/4", "1/2"))
    yield from ((reinforced_hinge(n, gamma), zero_one(n), None, False) for gamma in ("51/100", "3/5", "1"))


def exclusion():
    """The naive hinge tells which label to exclude."""
    yield naive_hinge(4), top_k(4, 3), "top-k", True
    yield naive_hinge(3), zero_one(3), None, False


def absolute_margins(n):
    """The maximum of absolute margins is for abstaining at 1/n."""
    yield total_max_hinge(n), abstain(n, Fraction(1, n)), None, True


def costs_of_two_labels():
    """Costs that are not the parameters of the hinge."""
    yield cost_sensitive_svm(3, 2), lm.LossMatrix([[0, 3], [3, 0]]), "sign", True
    for gamma in ("1/2", "1", "2"):
        yield uneven_margin_hinge("1/3", gamma), thirds(), "sign", True
        yield without_the_factor("1/3", gamma), thirds(), None, gamma == "1"


def margins():
    """Margins do not weigh mistakes."""
    yield margin_lee_lin_wahba("1 2 5", "label"), zero_one(3), "argmax", True
    yield margin_lee_lin_wahba("1 2 5", "label"), zero_one(3).scale_rows([1, 2, 5]), None, False


def any_loss(loss):
    yield max_min_margin(loss), loss, None, True
    yield weighted_all_pairs_hinge(loss), loss, None, True
    yield gain_weighted(loss, "lee-lin-wahba"), loss, "argmax", True
    yield gain_weighted(loss, "adversarial-zero-one"), loss, "argmax", True
    yield gain_weighted(loss, "crammer-singer"), loss, None, False


def grades():
    yield immediate_threshold_hinge(3, "free"), zero_one(3), None, False
    yield all_threshold_hinge(3, "ordered"), ordinal(3), "sign", True
    yield cost_all_threshold_hinge(v_shaped()), v_shaped(), None, True
    yield cost_all_threshold_hinge(v_shaped()), v_shaped(), "sign", False
    yield cost_all_threshold_hinge(v_shaped(), "free"), v_shaped(), None, False
    yield cost_all_threshold_hinge("ordinal:n=3,power=2", "free"), ordinal(3, power=2), "sign", True
    yield pinball(3, "3/4"), newsvendor("3/4")(3), "nearest", True
    yield pinball(3, "1/3"), ordinal(3), None, False


def four_grades():
    yield all_threshold_hinge(4, "ordered"), ordinal(4), "sign", True
    yield cost_all_threshold_hinge("ordinal:n=4,power=2", "free"), ordinal(4, power=2), "sign", True


def fixed_thresholds(spacings):
    for spacing in spacings:
        yield fixed_threshold_hinge(4, "immediate", spacing), ordinal(4), None, Fraction(spacing) > 1
        yield from ((fixed_threshold_hinge(n, "all", spacing), ordinal(n), None, False) for n in (3, 4))


def rejecting(ratios):
    """The two losses need different ratios of α and β."""
    for a, b in ratios:
        yield rejection_max_hinge("1/3", a, b), abstain(2, "1/3"), "reject", b == 3 * a
        yield rejection_plus_hinge("1/3", a, b), abstain(2, "1/3"), "reject", a == b


def augmented(cost):
    yield augmented_reject(3, cost, "adversarial-zero-one"), abstain(3, cost), "argmax", True


def without_calibration():
    for base in ("crammer-singer", "weston-watkins", "one-vs-all-hinge"):
        yield augmented_reject(3, "2/5", base), abstain(3, "2/5"), None, False
    yield defer_hinge(2, base="crammer-singer"), deferring(2), None, False
    yield structured_tag_hinge("hamming:r=2", "slack"), hamming(2), None, False


def candidates():
    yield superset_hinge(3), by_sets(7), "argmax", True
    yield partial_label_hinge(3), by_sets(7), None, False


def tags(counted):
    yield lovasz_hinge(counted), mismatches(counted.split()), None, counted == "0 1 2 3"


GROUPS = {
    "reinforced hinge": lambda: reinforced(3),
    "exclusion": exclusion,
    "absolute margins": lambda: absolute_margins(3),
    "costs of two labels": costs_of_two_labels,
    "margins": margins,
    "any loss": lambda: any_loss(uneven()),
    "grades": grades,
    "fixed thresholds": lambda: fixed_thresholds(["1", "3/2"]),
    "rejecting": lambda: rejecting([(1, 3), (1, 1)]),
    "augmented": lambda: augmented("1/4"),
    "without calibration": without_calibration,
    "candidates": candidates,
    "tags": lambda: tags("0 1 1 1"),
    "tags that are counted": lambda: tags("0 1 2 3"),
    "tags, a concave function": lambda: tags("0 1 3/2 7/4"),
    "tags that may be left open": lambda: [(lovasz_hinge("0 1 1"), open_tags([0, 1, 1]), None, True)],
}
MORE = {
    "reinforced hinge, 4 labels": lambda: reinforced(4),
    "absolute margins, 4 labels": lambda: absolute_margins(4),
    "any loss, 4 decisions": lambda: any_loss(wide()),
    "4 grades": four_grades,
    "fixed thresholds, other spacings": lambda: fixed_thresholds(["1/2", "2", "3"]),
    "rejecting, other ratios": lambda: rejecting([(3, 9), (2, 3), (2, 2)]),
    "augmented at 3/5": lambda: augmented("3/5"),
    "exclusion, 5 labels": lambda: ((naive_hinge(5), top_k(5, 4), pred, True) for pred in (None, "top-k")),
    "sum of margins": lambda: [(total_sum_hinge(5), zero_one(5), None, False)],
    "reinforced hinge, 5 labels": lambda: (
        (reinforced_hinge(5, gamma), zero_one(5), None, gamma == "1/2") for gamma in ("1/2", "51/100")
    ),
    "averaged top k": lambda: ((top_k_hinge_averaged(5, k), top_k(5, k), None, k == 4) for k in (2, 3, 4)),
    "other top k": lambda: (
        (family(5, 2), top_k(5, 2), "top-k", True) for family in (top_k_max_min, top_k_hypersimplex)
    ),
    "5 and 6 grades": lambda: ((cost_all_threshold_hinge(f"zero-one:n={n}"), zero_one(n), None, True) for n in (5, 6)),
    "deferring": lambda: [
        (defer_hinge(3), deferring(3), "argmax", True),
        (defer_hinge(2, 2), deferring(2, 2), "argmax", True),
        (defer_one_vs_all_hinge(3), deferring(3), None, False),
    ],
    "3 tags": lambda: [
        (lovasz_hinge("0 1 3/2 7/4"), open_tags([0, 1, "3/2", "7/4"]), None, True),
        (lovasz_hinge_jaccard(3), jaccard(3).matrix(), None, False),
    ],
    "structured tags": lambda: (
        (structured_tag_hinge(loss.matrix(), form), loss.matrix(), None, False)
        for loss in (f_measure(3), jaccard(3))
        for form in ("margin", "slack")
    ),
    "rankings": lambda: (
        (family("mean-average-precision:r=3"), mean_average_precision(3).matrix(), None, False)
        for family in (svm_map, label_ranking_hinge)
    ),
}


@pytest.mark.parametrize("name", [*GROUPS, *(pytest.param(name, marks=exhaustive) for name in MORE)])
def test_the_verdict_is_the_known_one(name):
    for surrogate, loss, pred, calibrated in {**GROUPS, **MORE}[name]():
        assert_verdict(surrogate, loss, pred, calibrated)


@exhaustive
@pytest.mark.parametrize("n", [10, 30])
def test_hinges_that_exchange_labels_are_decided_for_many_of_them(n):
    assert lm.check(reinforced_hinge(n), zero_one(n)).status == "calibrated"
    assert lm.check(total_sum_hinge(n), zero_one(n)).status == "not calibrated"
    assert lm.check(naive_hinge(n), zero_one(n)).status == "not calibrated"


def test_the_averaged_top_k_hinge_of_all_but_one_is_the_naive_hinge():
    averaged, naive = top_k_hinge_averaged(4, 3), naive_hinge(4)
    for u in permutations([Fraction(-2), Fraction(1, 3), Fraction(1), Fraction(5, 2)]):
        mean = sum(u) / 4
        assert averaged(u) == naive([Fraction(4, 3) * (x - mean) for x in u])


@examples(15)
@given(st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_restricted_max_margins_are_calibrated_where_the_possible_labels_of_each_corner_are_optimal(costs):
    rows = [[0 if y == t else costs[3 * y + t - (t > y)] for t in range(4)] for y in range(4)]
    corners = {p for cell in lm.trigger_sets(rows, reduced=False) for p in cell.polytope.vertices}
    if all(y in argmin(rows, p) for p in corners for y in range(4) if p[y]):
        assert lm.check(restricted_max_margin(rows), rows).status == "calibrated"


@examples(10)
@given(st.fractions(1, 6, max_denominator=6), st.fractions(Fraction(1, 6), Fraction(1, 2), max_denominator=6))
def test_no_slope_makes_the_bent_hinge_of_three_labels_calibrated_for_abstaining(slope, cost):
    assert lm.check(bent_simplex_hinge(3, slope), abstain(3, cost)).status == "not calibrated"


def test_the_page_of_findings_has_a_word_on_every_verdict_that_is_in_no_paper():
    page = (Path(__file__).parent.parent.parent / "docs" / "findings.md").read_text()
    findings, _, table = page.partition("## All verdicts")
    for family in CATALOGUE:
        for claim in family.verdicts:
            if claim.printed:
                assert f"`{family.name}`" in findings or family.name.replace("_", "-") in findings
                assert len(claim.printed) == len(claim.marks)
                assert claim.printed != claim.marks
            assert f"| `{family.name}` | " in table


def test_a_family_that_is_consistent_in_print_and_not_here_quotes_print():
    page = (Path(__file__).parent.parent.parent / "docs" / "findings.md").read_text()
    rows = [line.split(" | ") for line in page.partition("| surrogate | in print | here |")[2].splitlines()]
    differing = {row[0].split("`")[1] for row in rows if len(row) == 3 and "onsistent" in row[1] and " not" in row[2]}
    quoted = {family.name for family in CATALOGUE if any(claim.printed for claim in family.verdicts)}

    assert differing == {"margin_vector", "immediate_threshold_logistic", "listmle"}
    assert quoted == {"margin_vector", "immediate_threshold_logistic", "top_k_hinge_averaged"}
    assert [claim.marks for claim in listmle.verdicts] == ["C––"]  # it has 2 or 6 labels, and print is right for 2
