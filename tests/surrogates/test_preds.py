"""Preds by name against plain definitions, preds by regions, and what is refused."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import factorial
from random import Random

import numpy as np
import pytest
from hypothesis import given
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
from surrogates.members import case
from surrogates.quotation import quotes


@cache
def hinge():
    return PolyhedralSurrogate.from_function(lambda y, u: pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, name="hinge")


@cache
def clinic():
    return LossMatrix([[0, 1], [5, 0]], labels=["well", "ill"], predictions=["wait", "treat"], name="clinic")


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


@cache
def named():
    """Preds by name, with surrogates and losses, and the definition."""
    return [
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
        ("sign", hinge(), clinic(), by_side(0, 1)),
        ("votes", one_vs_one_hinge(3), zero_one(3), by_votes),
        ("sign-code:tau=0", binary_encoded(3), abstain(3), by_code(0)),
        ("sign-code:tau=1/2", binary_encoded(2), abstain(2), by_code(Fraction(1, 2))),
        ("sign-code:tau=1/2", binary_encoded(3), abstain(3), by_code(Fraction(1, 2))),
        ("sign-code:tau=1/2", binary_encoded(4), abstain(4), by_code(Fraction(1, 2))),
        ("sign-code:tau=1/3", binary_encoded(5), abstain(5), by_code(Fraction(1, 3))),
    ]


def points(surrogate, count):
    """Some with small denominators, where scores tie."""
    rng = Random(surrogate.name)
    return [
        [Fraction(rng.randint(-28, 28), rng.choice((1, 2, 5, 7))) for _ in range(surrogate.dim)] for _ in range(count)
    ]


@pytest.mark.parametrize("count", [4, pytest.param(40, marks=pytest.mark.exhaustive)])
def test_a_named_pred_is_what_its_definition_says(count):
    for name, surrogate, loss, definition in named():
        pred, compared = as_pred(name, surrogate, loss), 0
        for u in points(surrogate, count):
            expected = definition(u, loss.k)
            if expected is None:
                continue
            compared += 1
            with case((name, surrogate.name, u)):
                assert pred(u) == expected
                at = [t for t, pieces in enumerate(pred.regions) if any(piece.contains(u) for piece in pieces)]
                assert at == [expected]
                inside = [t for t, pieces in enumerate(pred.regions) if any(strictly_inside(x, u) for x in pieces)]
                assert set(inside) <= {expected}  # unions may have a border between their own pieces
        assert compared > 0, (name, surrogate.name)


def test_a_named_pred_decides_batches_of_floats():
    for name, surrogate, loss, definition in named():
        batch = np.random.default_rng(0).uniform(-4, 5, size=(200, surrogate.dim))
        decided = as_pred(name, surrogate, loss).decide(batch)
        with case((name, surrogate.name)):
            assert decided.shape == (200,)
            assert decided.tolist() == [definition(row, loss.k) for row in batch.tolist()]
            assert len(set(decided.tolist())) > 1


def test_a_named_pred_passes_the_check_of_its_regions():
    for name, surrogate, loss, _ in named():
        pred = as_pred(name, surrogate, loss)
        with case((name, surrogate.name)):
            assert as_pred(pred, surrogate, loss) is pred  # regions as such are checked to cover and not to overlap
            assert len(pred.regions) == loss.k
            assert pred.dim == surrogate.dim


def test_a_pred_compares_by_value_and_pickles():
    for name, surrogate, loss, _ in named():
        pred = as_pred(name, surrogate, loss)
        with case((name, surrogate.name)):
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


def test_a_rule_is_asked_about_as_by_its_name():
    for rule, name, surrogate, loss in [
        (argmax, "argmax", softmax(3), zero_one(3)),
        (argmax, "argmax", crammer_singer(3), zero_one(3)),
        (
            sign,
            "sign",
            SmoothSurrogate.from_margin(lambda u: np.exp(-u), lambda u: -np.exp(-u), "exponential"),
            zero_one(2),
        ),  # of which only a theorem knows what the sign means
        (decide, "decide", softmax(3), ordinal(3)),
        (nearest, "nearest", absolute(3), ordinal(3)),
        (argmax_gap("1/2"), "argmax-gap:tau=1/2", crammer_singer(3), abstain(3)),
        (argmax_threshold(0), "argmax-threshold:tau=0", one_vs_all_logistic(3), abstain(3)),
    ]:
        by_rule, by_name = check(surrogate, loss, rule), check(surrogate, loss, name)
        assert by_rule.status == by_name.status != "undecided", name
        assert str(by_rule) == str(by_name), name
        assert by_rule.certificate == by_name.certificate, name


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
    by_name = as_pred(regions, hinge(), clinic())
    assert by_name == as_pred([regions["wait"], regions["treat"]], hinge(), clinic())
    assert [by_name([x]) for x in (0, 1)] == [1, 0]
    only = as_pred({"treat": lambda u: []}, hinge(), clinic())
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
    assert named_point(refusal(as_pred, regions, absolute(2), zero_one(2))) == (-1,)
    # On Σ u = 0 the regions may overlap elsewhere.
    crossing = [lambda u: [u[0] >= 0, u[1] <= 0], lambda u: [u[0] <= 0]]
    assert as_pred(crossing, lee_lin_wahba(2), zero_one(2))([1, -1]) == 0


def test_only_borders_in_common_are_no_overlap():
    halves = [lambda u: [u[0] >= 0], [lambda u: [u[0] <= 0], lambda u: [u[0] == 3]]]
    assert as_pred(halves, hinge(), clinic())([3]) == 0


# Refusals.


def named_point(message: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, re.search(r"u = \(([^)]*)\)", message).group(1).split(", ")))


thresholds = st.lists(st.fractions(-3, 3, max_denominator=5), min_size=2, max_size=2, unique=True).map(sorted)


@examples(4)
@given(thresholds)
def test_where_regions_overlap_the_first_decides(ends):
    low, high = ends
    above, below = (lambda u: [u[0] >= low]), (lambda u: [u[0] <= high])
    for x in (low, (low + high) / 2, high):
        assert as_pred([above, below], hinge(), clinic())([x]) == 0
        assert as_pred([below, above], hinge(), clinic())([x]) == 0
    assert as_pred([above, below], hinge(), clinic())([low - 1]) == 1
    assert as_pred([above, below], hinge(), clinic()).decide([[float(high)], [float(low) - 1]]).tolist() == [0, 1]


@examples(6)
@given(thresholds)
def test_a_domain_that_is_not_covered_is_refused_by_naming_a_point_of_none(ends):
    low, high = ends
    (x,) = named_point(refusal(as_pred, [lambda u: [u[0] >= high], lambda u: [u[0] <= low]], hinge(), clinic()))
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
    (x,) = named_point(refusal(as_pred, [lambda u: [u[0] == 0], lambda u: [u[0] >= 1]], hinge(), clinic()))
    assert x < 1
    assert x != 0


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_regions_is_refused(count):
    message = refusal(as_pred, [lambda u: [u[0] >= 0], lambda u: [u[0] <= 0], None][:count], hinge(), clinic())
    assert quotes(message, str(count), "clinic", "2", "None")


def test_a_wrong_dimension_is_refused():
    plane = Pred.from_regions([lambda u: [u[0] >= u[1]], lambda u: [u[0] <= u[1]]], dim=2, name="diagonal")
    message = refusal(check, hinge(), clinic(), pred=plane)
    assert "diagonal" in message
    assert quotes(message, "2", "hinge", "1", "dim=1")
    assert quotes(refusal(as_pred("sign", hinge(), clinic()), [1, 2]), "u = (1, 2)", "2", "sign", "1")
    assert "(3, 2)" in refusal(as_pred("sign", hinge(), clinic()).decide, np.zeros((3, 2)))
    assert "(3,)" in refusal(as_pred("sign", hinge(), clinic()).decide, np.zeros(3))


@pytest.mark.parametrize("dims", [(1, 2), (2, 1), (2, 2)])
def test_polyhedra_of_a_wrong_dimension_are_refused(dims):
    rows = {1: (Fraction(0), Fraction(1)), 2: (Fraction(0), Fraction(1), Fraction(0))}
    first = Polyhedron(dims[0], (rows[dims[0]],))
    second = Polyhedron(dims[1], (tuple(-x for x in rows[dims[1]]),))
    message = refusal(as_pred, [first, second], hinge(), clinic())
    assert quotes(message, str(dims.index(2)), "R^2", "1")


def test_a_point_outside_all_regions_is_refused():
    gap = Pred.from_regions([lambda u: [u[0] >= 1], lambda u: [u[0] <= 0]], dim=1, name="gap")
    message = refusal(gap, ["1/2"])
    assert "1/2" in message
    assert "gap" in message


@pytest.mark.parametrize("name", ["argmax-gap", "argmax-threshold", "sign-code"])
@pytest.mark.parametrize("tau", ["x", "", "1/0", "nan", "1,5"])
def test_a_tau_that_cannot_be_read_is_refused(name, tau):
    message = refusal(rule_named, f"{name}:tau={tau}")
    assert message.startswith("tau ")
    assert not tau or repr(tau) in message


@pytest.mark.parametrize("name", ["argmax-gap", "sign-code"])
def test_a_negative_tau_is_refused_where_it_means_nothing(name):
    message = refusal(rule_named, f"{name}:tau=-1/2")
    assert quotes(message, "tau", "-1/2", "0")


@pytest.mark.parametrize("text", ["argmax:tau=1", "argmax-gap:1/2", "argmax-gap:t=1/2", "sign:", "argmax-gap:tau"])
def test_a_pred_that_is_written_wrong_is_refused_by_writing_it_right(text):
    message = refusal(rule_named, text)
    assert repr(text) in message
    right = re.search(r"\S+$", message)[0]
    assert rule_named(right)
    assert right.partition(":")[0] == text.partition(":")[0]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("argmx", "argmax"), ("sgin", "sign"), ("argmax-gp:tau=1", "argmax-gap"), ("nearst", "nearest")],
)
def test_an_unknown_name_is_refused_with_the_nearest_ones(wrong, right):
    message = refusal(check, crammer_singer(3), abstain(3), pred=wrong)
    assert repr(wrong) in message
    assert repr(right) in message
    assert repr("votes") not in message


def test_a_name_that_means_nothing_lists_the_known_ones():
    with pytest.raises(UnknownName, match=r"'argmax'.*'sign'.*'nearest'"):
        rule_named("zzz")


def test_a_name_is_never_explained_by_itself():
    message = refusal(check, crammer_singer(3), zero_one(3), pred="decide")
    assert "decide" in message
    assert "'decide'" not in message


def test_predictions_that_a_loss_does_not_have_are_refused_with_the_nearest_ones():
    message = refusal(check, hinge(), clinic(), pred={"wait": lambda u: [u[0] >= 0], "treet": lambda u: [u[0] <= 0]})
    assert "clinic" in message
    assert "'treet'" in message
    assert "'treat'" in message
    assert "'wait'" not in message


@pytest.mark.parametrize("region", [3, "u[0] >= 0", True, 1.5, {}])
def test_a_region_that_is_no_function_is_refused(region):
    message = refusal(as_pred, [region, lambda u: [u[0] <= 0]], hinge(), clinic())
    assert quotes(message, "0", repr(region), "lambda u")


@pytest.mark.parametrize(
    ("region", "why"),
    [(lambda u: 1 / 0, "ZeroDivisionError"), (lambda u: [u[1] >= 0], "IndexError"), (lambda u, v: [], "TypeError")],
    ids=["division", "index", "two arguments"],
)
def test_functions_that_raise_are_refused_by_naming_the_region_and_the_error(region, why):
    message = refusal(as_pred, [lambda u: [u[0] >= 0], region], hinge(), clinic())
    assert quotes(message, "1", why)


@pytest.mark.parametrize(
    ("region", "why"),
    [
        (lambda u: [u[0] * u[0] >= 1], "(u[0]) * (u[0])"),
        (lambda u: [abs(u[0]) >= 1], "max(u[0], -u[0])"),
        (lambda u: [u[0] > 0], "<="),
        (lambda u: [0 <= u[0] <= 1], "0 <= u[0] <= 1"),
        (lambda u: 3, "3"),
        (lambda u: [True], "True"),
        (lambda u: None, "None"),
    ],
    ids=["product", "maximum", "strict", "chain", "number", "truth", "nothing"],
)
def test_regions_that_are_not_linear_comparisons_are_refused(region, why):
    assert why in refusal(as_pred, [region, lambda u: [u[0] <= 0]], hinge(), clinic())


def quoted_value(value):
    return "object" if type(value) is object else repr(value)


@pytest.mark.parametrize("given_pred", [3, 2.5, object()], ids=["integer", "float", "object"])
def test_what_is_no_pred_at_all_is_refused(given_pred):
    message = refusal(check, hinge(), clinic(), pred=given_pred)
    assert '"argmax"' in message
    assert quoted_value(given_pred) in message


def test_a_rule_must_make_a_pred():
    def half(surrogate, loss):
        return "argmax"

    message = refusal(check, hinge(), clinic(), pred=half)
    assert "half" in message
    assert "Pred" in message


def test_one_function_of_u_is_no_pred():
    refusal(check, hinge(), clinic(), pred=lambda u: [u[0] >= 0])


def test_a_name_that_does_not_fit_the_surrogate_and_the_loss_is_refused():
    for name, surrogate, loss, scores in [
        ("argmax", hinge(), clinic(), "1"),
        ("argmax", binary_encoded(4), abstain(4), "2"),
        ("argmax-gap:tau=1/2", crammer_singer(3), zero_one(3), "3"),
        ("argmax-threshold:tau=0", one_vs_all_hinge(3), zero_one(3), "3"),
        ("nearest", crammer_singer(3), zero_one(3), "3"),
        ("sign", crammer_singer(3), zero_one(3), "3"),
        ("sign-code:tau=1/2", crammer_singer(3), abstain(3), "3"),
        ("sign-code:tau=1/2", binary_encoded(3), zero_one(3), "2"),
    ]:
        assert quotes(refusal(check, surrogate, loss, pred=name), name, surrogate.name, scores), name


@cache
def losses_of_orders():
    """Those of the catalogue whose decisions are called by the order that they put documents in."""
    made = [family(**given) for family in FAMILIES for given in family.small]
    return {each.name: each.matrix() for each in made if is_an_order(each.matrix().predictions[0])}


def is_an_order(prediction):
    return isinstance(prediction, str) and ">" in prediction


def test_sorting_says_the_order_of_the_scores_by_its_name():
    """Largest score first."""
    sorted_by = 0
    for name, matrix in losses_of_orders().items():
        r = len(matrix.predictions[0].split(">"))
        if r != len({*matrix.predictions[0].split(">")}) or matrix.k != factorial(r):
            continue  # sets of some documents
        sorted_by += 1
        pred = rule_named("sort")(one_vs_all_hinge(r), matrix)
        for u in permutations(range(r)):
            order = sorted(range(r), key=lambda i, u=u: -u[i])
            assert matrix.predictions[pred(u)] == ">".join(map(str, order)), name
    assert sorted_by > 10


def test_there_are_losses_of_orders():
    assert len(losses_of_orders()) > 10
    assert {"tag_ranking(r=3)", "coverage(r=3)"} < {*losses_of_orders()}


def test_the_sign_of_one_score_says_the_label_that_it_is_trained_for():
    made = [family(**given) for family in CATALOGUE if "sign" in family.preds for given in family.small]
    one_score = [each for each in made if (each.n, each.dim) == (2, 1)]
    assert one_score
    for surrogate in (*one_score, binary_relevance_logistic(1), binary_relevance(1, "exponential")):
        pred = rule_named("sign")(surrogate, zero_one(2))
        for y, p in enumerate([(Fraction(99, 100), Fraction(1, 100)), (Fraction(1, 100), Fraction(99, 100))]):
            if isinstance(surrogate, PolyhedralSurrogate):
                u = surrogate.minimum(p).point[:1]
            else:
                u = [Fraction(float(x)) for x in surrogate.minimizer(p)]
            assert pred(u) == y, surrogate.name


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
