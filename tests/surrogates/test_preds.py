"""Preds by name against plain definitions, preds by regions, and what is refused."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from losses.refusal import refusal
from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.errors import UnknownName
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses import FAMILIES, abstain, hamming, ordinal, tag_ranking, zero_one
from lossmith.surrogates import (
    CATALOGUE,
    absolute,
    all_threshold_hinge,
    binary_encoded,
    binary_relevance,
    binary_relevance_hinge,
    binary_relevance_logistic,
    cost_weighted_hinge,
    crammer_singer,
    lee_lin_wahba,
    one_vs_all_hinge,
    one_vs_all_logistic,
    one_vs_one_hinge,
    softmax,
    weighted_binary_relevance,
)
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import (
    argmax,
    argmax_gap,
    argmax_threshold,
    as_pred,
    decide,
    nearest,
    rule_named,
    sign,
    sign_code,
)
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.tracing import pos
from reference import dot
from strategies import examples

HINGE = PolyhedralSurrogate.from_function(lambda y, u: pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, name="hinge")
EXPONENTIAL = SmoothSurrogate.from_margin(lambda u: np.exp(-u), lambda u: -np.exp(-u), "exponential")
CLINIC = LossMatrix([[0, 1], [5, 0]], labels=["well", "ill"], predictions=["wait", "treat"], name="clinic")

# The definitions: each gives the prediction at u, or None at a tie.


def top(u) -> int | None:
    return u.index(max(u)) if u.count(max(u)) == 1 else None


def by_argmax(u, k):
    return top(u)


def by_gap(tau):
    def definition(u, k):
        first, second = sorted(u, reverse=True)[:2]
        if first - second == tau:
            return None
        return top(u) if first - second > tau else k - 1

    return definition


def by_threshold(tau):
    def definition(u, k):
        if max(u) == tau:
            return None
        return top(u) if max(u) > tau else k - 1

    return definition


def by_nearest(u, k):
    distances = [abs(u[0] - (t + 1)) for t in range(k)]
    return distances.index(min(distances)) if distances.count(min(distances)) == 1 else None


def by_bits(u, k):
    if 0 in u:
        return None
    value = 0
    for x in u:
        value = 2 * value + (x > 0)
    return value


def by_count(u, k):
    return None if 0 in u else sum(x < 0 for x in u)


def by_votes(u, k):
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    wins = [0] * k
    for (i, j), x in zip(pairs, u):
        wins[i if x > 0 else j] += 1
    return None if 0 in u else wins.index(max(wins))


def by_side(positive, negative):
    return lambda u, k: None if u[0] == 0 else positive if u[0] > 0 else negative


def by_code(tau):
    def definition(u, k):
        if any(abs(x) == tau for x in u):
            return None
        label = by_bits([-x for x in u], k) if all(abs(x) > tau for x in u) else k - 1
        return min(label, k - 1)  # the codes beyond the labels abstain

    return definition


NAMED = [
    ("argmax", crammer_singer(3), zero_one(3), by_argmax),
    ("argmax", crammer_singer(5), ordinal(5), by_argmax),
    ("argmax", crammer_singer(3), abstain(3), by_argmax),
    ("argmax", cost_weighted_hinge(abstain(3)), abstain(3), by_argmax),
    ("argmax-gap:tau=0", crammer_singer(3), abstain(3), by_gap(0)),
    ("argmax-gap:tau=1/2", crammer_singer(3), abstain(3), by_gap(Fraction(1, 2))),
    ("argmax-gap:tau=1/2", crammer_singer(2), abstain(2), by_gap(Fraction(1, 2))),
    ("argmax-gap:tau=1.5", crammer_singer(4), abstain(4), by_gap(Fraction(3, 2))),
    ("argmax-threshold:tau=0", one_vs_all_hinge(3), abstain(3), by_threshold(0)),
    ("argmax-threshold:tau=-2/3", one_vs_all_hinge(2), abstain(2), by_threshold(Fraction(-2, 3))),
    ("argmax-threshold:tau=1", one_vs_all_hinge(4), abstain(4), by_threshold(1)),
    ("nearest", absolute(2), ordinal(2), by_nearest),
    ("nearest", absolute(4), ordinal(4), by_nearest),
    ("nearest", absolute(3), abstain(3), by_nearest),
    ("sign", binary_relevance_hinge(2), hamming(2), by_bits),
    ("sign", binary_relevance_hinge(3), hamming(3), by_bits),
    ("sign", all_threshold_hinge(3), ordinal(3), by_count),
    ("sign", all_threshold_hinge(5), ordinal(5), by_count),
    ("sign", binary_relevance_hinge(1), hamming(1), by_side(1, 0)),  # (1 + u)₊ for label 0
    ("sign", all_threshold_hinge(2), ordinal(2), by_side(0, 1)),  # (1 − u)₊ for grade 0
    ("sign", HINGE, CLINIC, by_side(0, 1)),
    ("votes", one_vs_one_hinge(3), zero_one(3), by_votes),
    ("sign-code:tau=0", binary_encoded(3), abstain(3), by_code(0)),
    ("sign-code:tau=1/2", binary_encoded(2), abstain(2), by_code(Fraction(1, 2))),
    ("sign-code:tau=1/2", binary_encoded(3), abstain(3), by_code(Fraction(1, 2))),
    ("sign-code:tau=1/2", binary_encoded(4), abstain(4), by_code(Fraction(1, 2))),
    ("sign-code:tau=1/3", binary_encoded(5), abstain(5), by_code(Fraction(1, 3))),
]
EACH = pytest.mark.parametrize(
    ("name", "surrogate", "loss", "definition"),
    [pytest.param(*case, id=f"{case[0]} of {case[1].name} for {case[2].name}") for case in NAMED],
)


def points(dim: int):
    return st.lists(st.fractions(-4, 4, max_denominator=7) | st.fractions(1, 5), min_size=dim, max_size=dim)


@EACH
@examples(8)
@given(data=st.data())
def test_a_named_pred_is_what_its_definition_says(name, surrogate, loss, definition, data):
    pred = as_pred(name, surrogate, loss)
    u = data.draw(points(surrogate.dim))
    expected = definition(u, loss.k)
    assume(expected is not None)
    assert pred(u) == expected
    inside = [t for t, pieces in enumerate(pred.regions) if any(strictly_inside(piece, u) for piece in pieces)]
    assert [t for t, pieces in enumerate(pred.regions) if any(piece.contains(u) for piece in pieces)] == [expected]
    assert set(inside) <= {expected}  # unions may have a border between their own pieces


@EACH
def test_a_named_pred_decides_batches_of_floats(name, surrogate, loss, definition):
    pred = as_pred(name, surrogate, loss)
    batch = np.random.default_rng(0).uniform(-4, 5, size=(200, surrogate.dim))
    decided = pred.decide(batch)
    assert decided.shape == (200,)
    assert decided.tolist() == [definition(row, loss.k) for row in batch.tolist()]
    assert len(set(decided.tolist())) > 1


@EACH
def test_a_named_pred_passes_the_check_of_its_regions(name, surrogate, loss, definition):
    pred = as_pred(name, surrogate, loss)
    assert as_pred(pred, surrogate, loss) is pred  # regions given as such are checked to cover and not to overlap
    assert len(pred.regions) == loss.k
    assert pred.dim == surrogate.dim


@EACH
def test_a_pred_compares_by_value_and_pickles(name, surrogate, loss, definition):
    pred = as_pred(name, surrogate, loss)
    assert pred == as_pred(name, surrogate, loss)
    assert pickle.loads(pickle.dumps(pred)) == pred
    assert hash(pickle.loads(pickle.dumps(pred))) == hash(pred)
    assert pred.name == name.replace("1.5", "3/2")
    assert pred.name in repr(pred)
    assert "\n" not in repr(pred)


def strictly_inside(piece, u) -> bool:
    return not piece.equations and all(row[0] + dot(row[1:], u) > 0 for row in piece.inequalities)


def test_different_preds_are_not_equal():
    made = [as_pred(f"argmax-gap:tau={tau}", crammer_singer(3), abstain(3)) for tau in ("0", "1/2", "1")]
    assert len(set(made)) == 3


def test_a_prediction_without_a_score_is_never_made_by_argmax():
    assert as_pred("argmax", crammer_singer(3), abstain(3)).regions[3] == ()


def test_scores_of_labels_belong_to_the_predictions_of_the_same_name():
    entries = [[*row, "1/2"] for row in zero_one(3).entries]
    loss = LossMatrix(entries, labels=["a", "b", "c"], predictions=["c", "a", "b", "wait"])
    assert [as_pred("argmax", crammer_singer(3), loss)(u) for u in ([1, 0, 0], [0, 1, 0], [0, 0, 1])] == [1, 2, 0]


def test_where_regions_touch_the_first_prediction_is_made():
    assert as_pred("argmax", crammer_singer(3), zero_one(3))([1, 1, 0]) == 0
    assert as_pred("nearest", absolute(3), ordinal(3))(["3/2"]) == 0


def test_names_rules_and_dashes_mean_the_same():
    both = (crammer_singer(3), abstain(3))
    assert rule_named("argmax") is argmax
    assert as_pred("argmax_gap:tau=1/2", *both) == as_pred(argmax_gap("1/2"), *both) == as_pred("argmax-gap", *both)
    assert as_pred(" argmax-gap : tau = 0.5 ", *both) == as_pred("argmax-gap:tau=1/2", *both)
    assert as_pred("argmax-threshold", *both) == as_pred(argmax_threshold(0), *both)
    assert as_pred(sign_code(), binary_encoded(3), abstain(3)) == as_pred(
        "sign-code:tau=1/2", binary_encoded(3), abstain(3)
    )


@pytest.mark.parametrize(
    ("rule", "name", "surrogate", "loss"),
    [
        (argmax, "argmax", softmax(3), zero_one(3)),
        (argmax, "argmax", crammer_singer(3), zero_one(3)),
        (sign, "sign", EXPONENTIAL, zero_one(2)),  # of which only a theorem knows what the sign means
        (decide, "decide", softmax(3), ordinal(3)),
        (nearest, "nearest", absolute(3), ordinal(3)),
        (argmax_gap("1/2"), "argmax-gap:tau=1/2", crammer_singer(3), abstain(3)),
        (argmax_threshold(0), "argmax-threshold:tau=0", one_vs_all_logistic(3), abstain(3)),
    ],
)
def test_a_rule_is_asked_about_as_by_its_name(rule, name, surrogate, loss):
    by_rule, by_name = check(surrogate, loss, rule), check(surrogate, loss, name)
    assert by_rule.status == by_name.status != "undecided"
    assert str(by_rule) == str(by_name)
    assert by_rule.certificate == by_name.certificate


def test_as_many_labels_as_codes_fit_the_scores():
    for n in range(2, 10):
        pred = as_pred("sign-code", binary_encoded(n), abstain(n))
        assert pred([-10 if bit == "1" else 10 for bit in format(n - 1, f"0{pred.dim}b")]) == n - 1
        beyond = [pred([-10] * pred.dim)]  # the last code; it is that of a label only if n is a power of 2
        assert beyond == [n - 1 if n & (n - 1) == 0 else n]


# Preds by regions.


def test_regions_may_be_unions_and_predictions_may_be_missing():
    pred = Pred.from_regions(
        [[lambda u: [u[0] <= -1], lambda u: [u[0] >= 1]], None, lambda u: [u[0] >= -1, u[0] <= 1]], dim=1, name="far"
    )
    assert [pred([x]) for x in (-3, "-1/2", 0, "1/2", 2)] == [0, 2, 2, 2, 0]
    assert pred.decide([[-3.0], [-0.5], [0.0], [2.0]]).tolist() == [0, 2, 2, 0]
    assert [len(pieces) for pieces in pred.regions] == [2, 0, 1]
    assert as_pred(pred, absolute(3), ordinal(3)) == pred


def test_regions_by_prediction_are_those_in_order():
    regions = {"treat": lambda u: [u[0] <= "1/3"], "wait": lambda u: [u[0] >= "1/3"]}
    by_name = as_pred(regions, HINGE, CLINIC)
    assert by_name == as_pred([regions["wait"], regions["treat"]], HINGE, CLINIC)
    assert [by_name([x]) for x in (0, 1)] == [1, 0]
    only = as_pred({"treat": lambda u: []}, HINGE, CLINIC)
    assert only([7]) == 1
    assert only.regions[0] == ()


def test_regions_may_be_one_comparison_or_polyhedra():
    left = Polyhedron(1, ((Fraction(0), Fraction(-1)),))
    mixed = Pred.from_regions([lambda u: u[0] >= 0, left], dim=1)
    assert mixed == Pred.from_regions([lambda u: [u[0] >= 0], [lambda u: [u[0] <= 0]]], dim=1)


def test_regions_need_to_cover_the_domain_only():
    positive = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - y), n=2, dim=1, domain=lambda u: [u[0] >= 0], name="positive"
    )
    regions = [lambda u: [u[0] >= 0, u[0] <= "1/2"], lambda u: [u[0] >= "1/2"]]
    assert as_pred(regions, positive, zero_one(2))([1]) == 1
    assert "cover" in refusal(as_pred, regions, absolute(2), zero_one(2))
    # On Σ u = 0 the regions may overlap elsewhere.
    crossing = [lambda u: [u[0] >= 0, u[1] <= 0], lambda u: [u[0] <= 0]]
    assert as_pred(crossing, lee_lin_wahba(2), zero_one(2))([1, -1]) == 0


def test_only_borders_in_common_are_no_overlap():
    halves = [lambda u: [u[0] >= 0], [lambda u: [u[0] <= 0], lambda u: [u[0] == 3]]]
    assert as_pred(halves, HINGE, CLINIC)([3]) == 0


# Refusals.


def named_point(message: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, re.search(r"u = \(([^)]*)\)", message).group(1).split(", ")))


thresholds = st.lists(st.fractions(-3, 3, max_denominator=5), min_size=2, max_size=2, unique=True).map(sorted)


@given(thresholds)
def test_where_regions_overlap_the_first_decides(ends):
    low, high = ends
    above, below = (lambda u: [u[0] >= low]), (lambda u: [u[0] <= high])
    for x in (low, (low + high) / 2, high):
        assert as_pred([above, below], HINGE, CLINIC)([x]) == 0
        assert as_pred([below, above], HINGE, CLINIC)([x]) == 0
    assert as_pred([above, below], HINGE, CLINIC)([low - 1]) == 1
    assert as_pred([above, below], HINGE, CLINIC).decide([[float(high)], [float(low) - 1]]).tolist() == [0, 1]


@given(thresholds)
def test_a_domain_that_is_not_covered_is_refused_by_naming_a_point_of_none(ends):
    low, high = ends
    (x,) = named_point(refusal(as_pred, [lambda u: [u[0] >= high], lambda u: [u[0] <= low]], HINGE, CLINIC))
    assert low < x < high


def test_in_the_plane_what_a_union_leaves_out_is_named():
    def regions(shift):
        return [
            [lambda u: [u[0] >= 0, u[1] >= 0], lambda u: [u[0] <= 0, u[1] <= 0]],
            [lambda u: [u[0] >= 0, u[1] <= shift], lambda u: [u[0] <= 0, u[1] >= 0]],
        ]

    assert as_pred(regions(0), crammer_singer(2), zero_one(2))([1, -1]) == 1
    assert as_pred(regions(1), crammer_singer(2), zero_one(2))([1, "1/2"]) == 0
    x, y = named_point(refusal(as_pred, regions(-1), crammer_singer(2), zero_one(2)))
    assert x > 0
    assert -1 < y < 0


def test_the_point_of_no_region_is_not_one_of_a_thin_region():
    (x,) = named_point(refusal(as_pred, [lambda u: [u[0] == 0], lambda u: [u[0] >= 1]], HINGE, CLINIC))
    assert x < 1
    assert x != 0


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_regions_is_refused(count):
    message = refusal(as_pred, [lambda u: [u[0] >= 0], lambda u: [u[0] <= 0], None][:count], HINGE, CLINIC)
    assert f"{count} regions" in message
    assert "2 predictions" in message
    assert "one region per prediction" in message


def test_a_wrong_dimension_is_refused():
    plane = Pred.from_regions([lambda u: [u[0] >= u[1]], lambda u: [u[0] <= u[1]]], dim=2, name="diagonal")
    message = refusal(check, HINGE, CLINIC, pred=plane)
    assert "diagonal" in message
    assert "2 scores" in message
    assert "dimension 1" in message
    assert "2 coordinates" in refusal(as_pred("sign", HINGE, CLINIC), [1, 2])
    assert "(3, 2)" in refusal(as_pred("sign", HINGE, CLINIC).decide, np.zeros((3, 2)))
    assert "(3,)" in refusal(as_pred("sign", HINGE, CLINIC).decide, np.zeros(3))


@pytest.mark.parametrize("dims", [(1, 2), (2, 1), (2, 2)])
def test_polyhedra_of_a_wrong_dimension_are_refused(dims):
    rows = {1: (Fraction(0), Fraction(1)), 2: (Fraction(0), Fraction(1), Fraction(0))}
    first = Polyhedron(dims[0], (rows[dims[0]],))
    second = Polyhedron(dims[1], (tuple(-x for x in rows[dims[1]]),))
    message = refusal(as_pred, [first, second], HINGE, CLINIC)
    assert "2" in message
    assert "dim" in message or "scores" in message


def test_a_point_outside_all_regions_is_refused():
    gap = Pred.from_regions([lambda u: [u[0] >= 1], lambda u: [u[0] <= 0]], dim=1, name="gap")
    message = refusal(gap, ["1/2"])
    assert "1/2" in message
    assert "gap" in message


@pytest.mark.parametrize("name", ["argmax-gap", "argmax-threshold", "sign-code"])
@pytest.mark.parametrize("tau", ["x", "", "1/0", "nan", "1,5"])
def test_a_tau_that_cannot_be_read_is_refused(name, tau):
    message = refusal(rule_named, f"{name}:tau={tau}")
    assert "tau" in message
    assert tau in message
    assert "write" in message


@pytest.mark.parametrize("name", ["argmax-gap", "sign-code"])
def test_a_negative_tau_is_refused_where_it_means_nothing(name):
    message = refusal(rule_named, f"{name}:tau=-1/2")
    assert "-1/2" in message
    assert "at least 0" in message


@pytest.mark.parametrize("text", ["argmax:tau=1", "argmax-gap:1/2", "argmax-gap:t=1/2", "sign:", "argmax-gap:tau"])
def test_a_pred_that_is_written_wrong_is_refused_by_writing_it_right(text):
    message = refusal(rule_named, text)
    assert repr(text) in message
    right = message.rpartition("write ")[2]
    assert rule_named(right)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("argmx", "argmax"), ("sgin", "sign"), ("argmax-gp:tau=1", "argmax-gap"), ("nearst", "nearest")],
)
def test_an_unknown_name_is_refused_with_the_nearest_ones(wrong, right):
    message = refusal(check, crammer_singer(3), abstain(3), pred=wrong)
    assert repr(wrong) in message
    assert f"did you mean {right!r}" in message


def test_a_name_that_means_nothing_lists_the_known_ones():
    with pytest.raises(UnknownName, match=r"'argmax'.*'sign'.*'nearest'"):
        rule_named("zzz")


def test_a_name_is_never_explained_by_itself():
    message = refusal(check, crammer_singer(3), zero_one(3), pred="decide")
    assert "did you mean 'decide'" not in message


def test_predictions_that_a_loss_does_not_have_are_refused_with_the_nearest_ones():
    message = refusal(check, HINGE, CLINIC, pred={"wait": lambda u: [u[0] >= 0], "treet": lambda u: [u[0] <= 0]})
    assert "clinic" in message
    assert "'treet'" in message
    assert "did you mean 'treat'" in message


@pytest.mark.parametrize("region", [3, "u[0] >= 0", True, 1.5, {}])
def test_a_region_that_is_no_function_is_refused(region):
    message = refusal(as_pred, [region, lambda u: [u[0] <= 0]], HINGE, CLINIC)
    assert "region 0" in message
    assert repr(region) in message
    assert "lambda u" in message


@pytest.mark.parametrize(
    ("region", "why"),
    [(lambda u: 1 / 0, "ZeroDivisionError"), (lambda u: [u[1] >= 0], "IndexError"), (lambda u, v: [], "TypeError")],
    ids=["division", "index", "two arguments"],
)
def test_functions_that_raise_are_refused_by_naming_the_region_and_the_error(region, why):
    message = refusal(as_pred, [lambda u: [u[0] >= 0], region], HINGE, CLINIC)
    assert "region 1" in message
    assert why in message


@pytest.mark.parametrize(
    ("region", "why"),
    [
        (lambda u: [u[0] * u[0] >= 1], "product"),
        (lambda u: [abs(u[0]) >= 1], "not linear"),
        (lambda u: [u[0] > 0], "strict"),
        (lambda u: [0 <= u[0] <= 1], "two comparisons"),
        (lambda u: 3, "3"),
        (lambda u: [True], "True"),
        (lambda u: None, "None"),
    ],
    ids=["product", "maximum", "strict", "chain", "number", "truth", "nothing"],
)
def test_regions_that_are_not_linear_comparisons_are_refused(region, why):
    assert why in refusal(as_pred, [region, lambda u: [u[0] <= 0]], HINGE, CLINIC)


@pytest.mark.parametrize("given_pred", [3, 2.5, object()], ids=["integer", "float", "object"])
def test_what_is_no_pred_at_all_is_refused(given_pred):
    message = refusal(check, HINGE, CLINIC, pred=given_pred)
    assert '"argmax"' in message
    assert "region" in message


def test_a_rule_must_make_a_pred():
    def half(surrogate, loss):
        return "argmax"

    message = refusal(check, HINGE, CLINIC, pred=half)
    assert "half" in message
    assert "Pred" in message


def test_one_function_of_u_is_no_pred():
    refusal(check, HINGE, CLINIC, pred=lambda u: [u[0] >= 0])


@pytest.mark.parametrize(
    ("name", "surrogate", "loss", "why"),
    [
        ("argmax", HINGE, CLINIC, "hinge has 1 scores"),
        ("argmax", binary_encoded(4), abstain(4), "one score per prediction"),
        ("argmax-gap:tau=1/2", crammer_singer(3), zero_one(3), "to abstain"),
        ("argmax-threshold:tau=0", one_vs_all_hinge(3), zero_one(3), "to abstain"),
        ("nearest", crammer_singer(3), zero_one(3), "dimension 3"),
        ("sign", crammer_singer(3), zero_one(3), "3 scores"),
        ("sign-code:tau=1/2", crammer_singer(3), abstain(3), "3 scores"),
        ("sign-code:tau=1/2", binary_encoded(3), zero_one(3), "3 predictions"),
    ],
)
def test_a_name_that_does_not_fit_the_surrogate_and_the_loss_is_refused(name, surrogate, loss, why):
    message = refusal(check, surrogate, loss, pred=name)
    assert why in message
    assert name in message


def members(families):
    return [pytest.param(family(**given), id=family.words(**given)) for family in families for given in family.small]


ORDERS = [
    each
    for each in members(FAMILIES)
    if isinstance(each.values[0].matrix().predictions[0], str) and ">" in each.values[0].matrix().predictions[0]
]


@pytest.mark.parametrize("loss", ORDERS)
def test_sorting_says_the_order_of_the_scores_by_its_name(loss):
    """Of every loss whose decisions are called by the order that they put documents in, largest score first."""
    matrix = loss.matrix()
    r = len(matrix.predictions[0].split(">"))
    if r != len({*matrix.predictions[0].split(">")}) or matrix.k != factorial(r):
        return  # sets of some documents
    pred = rule_named("sort")(one_vs_all_hinge(r), matrix)
    for u in permutations(range(r)):
        order = sorted(range(r), key=lambda i: -u[i])
        assert matrix.predictions[pred(u)] == ">".join(map(str, order))


def test_there_are_losses_of_orders():
    assert len(ORDERS) > 10
    assert {"tag_ranking(r=3)", "coverage(r=3)"} < {each.values[0].name for each in ORDERS}


ONE_SCORE = [
    each
    for each in members(CATALOGUE)
    if (each.values[0].n, each.values[0].dim) == (2, 1) and "sign" in each.values[0].made_by.preds
]


@pytest.mark.parametrize("surrogate", [*ONE_SCORE, binary_relevance_logistic(1), binary_relevance(1, "exponential")])
def test_the_sign_of_one_score_says_the_label_that_it_is_trained_for(surrogate):
    pred = rule_named("sign")(surrogate, zero_one(2))
    for y, p in enumerate([(Fraction(99, 100), Fraction(1, 100)), (Fraction(1, 100), Fraction(99, 100))]):
        if isinstance(surrogate, PolyhedralSurrogate):
            u = surrogate.minimum(p).point[:1]
        else:
            u = [Fraction(float(x)) for x in surrogate.minimizer(p)]
        assert pred(u) == y


def test_one_tag_is_decided_by_the_sign_of_its_score():
    for surrogate in (binary_relevance_hinge(1), binary_relevance_logistic(1), binary_relevance(1, "squared-hinge")):
        assert check(surrogate, hamming(1), "sign").status == "calibrated"


def test_tags_are_ordered_by_their_weighted_means():
    """Dembczyński, Kotłowski & Hüllermeier 2012, of three tags."""
    weighted = weighted_binary_relevance("precision-at:q=1,r=3")
    assert check(weighted, tag_ranking(3), "sort").status == "calibrated"


def test_the_sign_of_one_score_of_three_labels_says_the_first_decision_where_it_is_positive():
    pred = rule_named("sign")(absolute(3), LossMatrix([[0, 1], [1, 0], [1, 0]]))
    assert (pred([2]), pred([-2])) == (0, 1)
