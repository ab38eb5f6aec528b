"""Strictly proper composite surrogates: right for every loss by least expected loss, with argmax only for some."""

from __future__ import annotations

import copy
import json
import math
import pickle
import random
import re
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import reference
from losses.refusal import refusal
from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.certificates.certificate import verify
from lossmith.losses import abstain, hamming, ordinal, top_k, zero_one
from lossmith.surrogates import (
    class_probability,
    one_vs_all_logistic,
    one_vs_all_squared_hinge,
    rejection_exponential,
    softmax,
    square,
)
from lossmith.surrogates.pred import Pred
from lossmith_verify.surrogates import THEOREMS
from reference import dot, normalised, program_vertices
from strategies import distributions, examples, loss_rows, row_factors, row_offsets

FAMILIES = [softmax, one_vs_all_logistic, one_vs_all_squared_hinge, class_probability]
SCORED = FAMILIES[:3]  # one score for each label
EACH_FAMILY = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
families, scored = st.sampled_from(FAMILIES), st.sampled_from(SCORED)


def exhaustive(*values, **options):
    return pytest.param(*values, marks=pytest.mark.exhaustive, **options)


def accepted(verdict) -> None:
    answer = verify(verdict.certificate)
    assert answer.accepted, answer.why
    assert len((*answer.given, *answer.theorems)) == 1  # what arithmetic cannot check of the surrogate, or squares


# Where argmax says t, the closure is {p : w_t p_t ≥ w_j p_j for all j}: the hull of the p proportional to 1/w on some
# set of labels with t in it, and 0 elsewhere (w = 1 without class weights).


def corners_of_argmax(n, t, w):
    others = [j for j in range(n) if j != t]
    for size in range(n):
        for chosen in combinations(others, size):
            yield normalised([Fraction(1) / w[y] if y == t or y in chosen else 0 for y in range(n)])


def argmax_is_right(rows, w=None) -> bool:
    n = len(rows)
    weights = w or (1,) * n
    return all(t in reference.argmin(rows, p) for t in range(n) for p in corners_of_argmax(n, t, weights))


def grid(n, size):
    return [normalised(each) for each in product(range(size + 1), repeat=n) if sum(each) == size]


@pytest.mark.parametrize("n", [3, exhaustive(2), exhaustive(4)])
def test_the_corners_above_are_those_of_the_trigger_sets_of_the_0_1_loss(n):
    rows = zero_one(n).entries
    for t in range(n):
        assert sorted(corners_of_argmax(n, t, (1,) * n)) == list(reference.cell_vertices(rows, t))


@st.composite
def like_zero_one(draw, n: int):
    """The 0-1 loss, scaled, with constants added to rows, perhaps one more column, and perhaps one entry moved."""
    factor, offsets = draw(st.sampled_from([Fraction(1), Fraction(1, 3), Fraction(5)])), draw(row_offsets(n))
    rows = [[factor * (y != t) + offsets[y] for t in range(n)] for y in range(n)]
    kind = draw(st.sampled_from(["none", "copy", "mixture", "constant"]))
    more = {"none": None, "copy": [row[0] for row in rows], "mixture": [(row[0] + row[1]) / 2 for row in rows]}
    column = more.get(kind, [x + factor * draw(st.sampled_from([Fraction(1, 2), Fraction(1)])) for x in offsets])
    if column is not None:
        rows = [[*row, x] for row, x in zip(rows, column)]
    if draw(st.booleans()):
        y, t = draw(st.integers(0, n - 1)), draw(st.integers(0, len(rows[0]) - 1))
        rows[y][t] += draw(st.sampled_from([Fraction(1, 4), Fraction(2)]))
    return tuple(map(tuple, rows))


@st.composite
def enough_predictions(draw, max_n: int = 4):
    """Loss matrices with a prediction for each label, or more."""
    if draw(st.booleans()):
        return draw(like_zero_one(draw(st.integers(2, max_n))))
    return draw(loss_rows(max_n, max_n + 1).filter(lambda rows: len(rows) <= len(rows[0])))


# Argmax.


@EACH_FAMILY
@pytest.mark.parametrize("n", [3, exhaustive(2), exhaustive(4)])
def test_with_argmax_it_is_calibrated_for_the_0_1_loss(family, n):
    verdict = check(family(n), zero_one(n), pred="argmax")
    assert verdict.status == "calibrated"
    accepted(verdict)


@examples(18)
@given(family=families, rows=enough_predictions())
def test_with_argmax_it_is_calibrated_exactly_where_the_trigger_sets_contain_those_of_the_0_1_loss(family, rows):
    verdict = check(family(len(rows)), LossMatrix(rows), pred="argmax")
    assert verdict.status == ("calibrated" if argmax_is_right(rows) else "not calibrated")
    accepted(verdict)
    if verdict.status == "not calibrated":
        assert_argmax_is_wrong(verdict)


@examples(8)
@given(rows=enough_predictions(3))
def test_if_argmax_is_calibrated_it_is_optimal_at_every_point_of_a_grid(rows):
    n = len(rows)
    wrong = [p for p in grid(n, 12) for t in range(n) if p[t] == max(p) and t not in reference.argmin(rows, p)]
    if wrong:
        assert check(softmax(n), LossMatrix(rows), pred="argmax").status == "not calibrated"


@pytest.mark.parametrize("n", [2, 3, exhaustive(4), exhaustive(5)])
def test_argmax_fails_for_losses_with_other_cells(n):
    expected = {ordinal(n): n == 2, abstain(n): n == 2, zero_one(n).scale_rows([2] + [1] * (n - 1)): False}
    for loss, right in expected.items():  # at n = 2 abstaining at 1/2 is never needed, and ordinal is the 0-1 loss
        verdict = check(softmax(n), loss, pred="argmax")
        assert verdict.status == ("calibrated" if right else "not calibrated")
        accepted(verdict)
    if n > 2:  # the one label that is left out should be the least likely one
        assert check(softmax(n), top_k(n, n - 1), pred="argmax").status == "not calibrated"


def assert_argmax_is_wrong(verdict, w=None) -> None:
    """By the definition: u is optimal at p, near it argmax says a prediction, and that one is not optimal at p."""
    (p,), rows, t = verdict.distributions, verdict.loss.entries, verdict.prediction
    n = len(rows)
    assert min(p) >= 0
    assert sum(p) == 1
    scores = [x * y for x, y in zip(p, w or (1,) * n)]
    assert scores[t] == max(scores)  # scores and u are in the same order, so argmax says t at u or next to it
    risks = reference.risks(rows, p)
    assert risks[t] > min(risks)
    assert verdict.price == risks[t] - min(risks)
    assert verdict.ruled_out == (tuple(s for s, risk in enumerate(risks) if risk > min(risks)),)
    assert verdict.pred.name == "argmax"
    q = normalised(scores)
    assert minimises(verdict.surrogate.name, [float(x) for x in q], verdict.u)


def minimises(name, q, u) -> bool:
    """Whether u is where the risk is least, by the closed form of each surrogate; labels of probability 0 are free."""
    some = [y for y, x in enumerate(q) if x > 0]
    if name.startswith("softmax"):  # log p, up to a constant
        differences = [u[y] - math.log(q[y]) for y in some]
        return max(differences) - min(differences) < 1e-9
    if name.startswith("one_vs_all_logistic"):
        return all(math.isclose(u[y], math.log(q[y] / (1 - q[y])), abs_tol=1e-9) for y in some if q[y] < 1)
    if name.startswith("one_vs_all_squared_hinge"):
        return all(math.isclose(u[y], 2 * q[y] - 1, abs_tol=1e-9) for y in some if q[y] < 1)
    assert name.startswith("class_probability")
    return all(math.isclose(x, y, abs_tol=1e-9) for x, y in zip(u, q))


def test_a_loss_with_fewer_predictions_than_labels_has_no_argmax():
    assert "argmax" in refusal(check, softmax(3), LossMatrix([[0, 1], [1, 0], [1, 1]]), pred="argmax")


# Least expected loss.


@examples(12)
@given(family=families, rows=loss_rows(), pred=st.sampled_from([None, "decide"]))
def test_by_least_expected_loss_it_is_calibrated_for_every_loss(family, rows, pred):
    verdict = check(family(len(rows)), LossMatrix(rows), pred=pred)
    assert verdict.status == "calibrated"
    assert (verdict.asked is None) == (pred is None)
    accepted(verdict)


@examples(12)
@given(family=families, rows=loss_rows(), data=st.data())
def test_the_pred_of_the_verdict_is_optimal_where_the_surrogate_is(family, rows, data):
    surrogate = family(len(rows))
    verdict = check(surrogate, LossMatrix(rows))
    p = data.draw(distributions(len(rows)))
    best = reference.argmin(rows, p)
    assume(len(best) == 1)
    assert verdict.pred.decide([surrogate.minimizer(p)]).tolist() == list(best)
    assert verdict.pred(surrogate.minimizer(p)) == best[0]


@EACH_FAMILY
def test_weights_do_not_trouble_the_least_expected_loss(family):
    loss, weighted = ordinal(3), family(3).weighted([1, 5, "1/3"])
    for pred in (None, "decide"):
        verdict = check(weighted, loss, pred=pred)
        assert verdict.status == "calibrated"
        accepted(verdict)
    for p in grid(3, 7):  # the weights are known, and taken out again
        best = loss.optimal_predictions(p)
        if len(best) == 1:
            assert verdict.pred.decide([weighted.minimizer(p)])[0] == best[0]


# Thresholds: max p ≥ 1 − c is where the most likely label is worth its risk.


def threshold_is_right(n, cost, least) -> bool:
    """Abstain where all estimates are < least, else argmax; right is: abstain where all p_y ≤ 1 − cost.

    The estimates need not sum to 1, so that p = (1/n, …) is reached from below even if least is 1/n.
    """
    top, bottom = 1 - cost, Fraction(1, n)
    abstains_rightly = least < bottom or least <= top
    decides_rightly = top <= bottom or least >= top
    return abstains_rightly and decides_rightly


COSTS = [Fraction(c) for c in ("0", "1/5", "1/3", "1/2", "3/5", "2/3", "3/4", "1")]
FEW_COSTS = [(2, Fraction(1, 2)), (3, Fraction(1, 5)), (3, Fraction(2, 3)), (3, Fraction(1))]


@pytest.mark.parametrize(
    ("n", "cost"),
    [(n, cost) if (n, cost) in FEW_COSTS else exhaustive(n, cost) for n in (2, 3, 4) for cost in COSTS],
    ids=str,
)
def test_squared_hinges_need_the_threshold_that_belongs_to_the_cost(n, cost):
    surrogate, loss = one_vs_all_squared_hinge(n), abstain(n, cost)
    seen = set()
    for tau in {1 - 2 * cost, *(1 - 2 * c for c in COSTS), Fraction(1, 7)} - {-1, 1}:
        verdict = check(surrogate, loss, pred=f"argmax-threshold:tau={tau}")
        right = threshold_is_right(n, cost, (1 + tau) / 2)
        assert verdict.status == ("calibrated" if right else "not calibrated")
        accepted(verdict)
        if right and 1 - cost > Fraction(1, n):
            seen.add(tau)
        if not right:
            (p,), t = verdict.distributions, verdict.prediction
            assert (max(p) <= (1 + tau) / 2) if t == n else (p[t] == max(p) >= (1 + tau) / 2)
            assert t not in reference.argmin(loss.entries, p)
    assert seen == ({1 - 2 * cost} if Fraction(1, n) < 1 - cost < 1 else set())  # only that one, if abstaining matters


@pytest.mark.parametrize("n", [3, exhaustive(2), exhaustive(4)])
def test_logistic_scores_above_zero_mean_more_than_one_half(n):
    surrogate = one_vs_all_logistic(n)
    for cost in COSTS:
        verdict = check(surrogate, abstain(n, cost), pred="argmax-threshold:tau=0")
        right = threshold_is_right(n, cost, Fraction(1, 2))
        assert verdict.status == ("calibrated" if right else "not calibrated"), cost
        assert n == 2 or right == (cost == Fraction(1, 2)), cost
        accepted(verdict)


@pytest.mark.parametrize("family", [softmax, one_vs_all_logistic], ids=lambda family: family.name)
def test_a_threshold_without_a_rational_meaning_is_never_called_right(family):
    # 1 / (1 + e^−τ) is no rational 1 − c; and softmax's scores have no level: adding a constant changes nothing.
    verdict = check(family(3), abstain(3), pred="argmax-threshold:tau=1/2")
    assert verdict.status == "undecided"
    assert "1/2" in dict(verdict.declined)["by_proper_composite"]
    assert verdict.evidence.gap > 0


@pytest.mark.parametrize("tau", ["-1", "2", exhaustive("-2"), exhaustive("1")])
def test_thresholds_outside_the_range_of_squared_hinges_are_never_called_right(tau):
    # With τ ≤ −1 it never abstains inside the simplex, with τ ≥ 1 always; at cost 1/2 both are wrong.
    assert check(one_vs_all_squared_hinge(3), abstain(3), pred=f"argmax-threshold:tau={tau}").status != "calibrated"


# Class weights: w_y ψ_y at p is, up to a factor, ψ at the normalised w∘p.


@examples(9)
@given(family=scored, data=st.data())
def test_class_weights_are_right_for_the_0_1_loss_if_and_only_if_they_are_equal(family, data):
    n = data.draw(st.integers(2, 4))
    w = data.draw(row_factors(n) | st.sampled_from([(Fraction(1),) * n, (Fraction(2, 3),) * n]))
    weighted = family(n).weighted(w)
    plain = check(weighted, zero_one(n), pred="argmax")
    assert plain.status == ("calibrated" if len(set(w)) == 1 else "not calibrated")
    accepted(plain)
    if plain.status == "not calibrated":
        assert_argmax_is_wrong(plain, w)
    scaled = check(weighted, zero_one(n).scale_rows(w), pred="argmax")
    assert scaled.status == "calibrated"
    accepted(scaled)


@examples(10)
@given(family=scored, rows=enough_predictions(3), data=st.data())
def test_with_class_weights_argmax_compares_weighted_probabilities(family, rows, data):
    w = data.draw(row_factors(len(rows)))
    loss = LossMatrix(rows)
    if data.draw(st.booleans()):
        loss = loss.scale_rows(w)
    verdict = check(family(len(rows)).weighted(w), loss, pred="argmax")
    assert verdict.status == ("calibrated" if argmax_is_right(loss.entries, w) else "not calibrated")
    accepted(verdict)
    if verdict.status == "not calibrated":
        assert_argmax_is_wrong(verdict, w)


def test_weights_on_weights_multiply():
    twice = softmax(3).weighted([1, 2, 3]).weighted([6, 3, 2])
    assert check(twice, zero_one(3), pred="argmax").status == "calibrated"
    assert check(twice.weighted([1, 1, 2]), zero_one(3), pred="argmax").status == "not calibrated"
    assert check(twice.weighted([1, 1, 2]), zero_one(3).scale_rows([1, 1, 2]), pred="argmax").status == "calibrated"


def test_probabilities_that_are_not_the_scores_are_freed_of_the_weights():
    # class_probability has n − 1 scores, so argmax means that of the probabilities, in which the weights cancel.
    weighted = class_probability(3).weighted([1, 4, 2])
    assert check(weighted, zero_one(3), pred="argmax").status == "calibrated"
    assert check(weighted, zero_one(3).scale_rows([1, 4, 2]), pred="argmax").status == "not calibrated"


# A set P of distributions.


@st.composite
def halves(draw, n: int):
    """a·p ≥ 0 with a label that satisfies it."""
    return draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n).filter(lambda a: max(a) >= 0))


def within(a):
    return lambda p: [sum(c * x for c, x in zip(a, p)) >= 0]


@examples(8)
@given(rows=enough_predictions(3), data=st.data())
def test_on_a_part_of_the_distributions_only_that_part_counts(rows, data):
    n = len(rows)
    parts = data.draw(st.lists(halves(n), min_size=1, max_size=2))
    verdict = check(softmax(n), LossMatrix(rows), pred="argmax", within=[within(a) for a in parts])
    right = True
    for a, t in product(parts, range(n)):
        rest = [[0, *(int(y == x) for x in range(n))] for y in range(n)]
        tops = [[0, *(int(x == t) - int(x == j) for x in range(n))] for j in range(n) if j != t]
        corners = program_vertices([*rest, *tops, [0, *a]], [[-1] + [1] * n])
        right &= all(t in reference.argmin(rows, p) for p in corners)
    assert verdict.status == ("calibrated" if right else "not calibrated")
    accepted(verdict)
    if not right:
        assert any(dot(a, verdict.distributions[0]) >= 0 for a in parts)
        assert_argmax_is_wrong(verdict)
        assert check(softmax(n), LossMatrix(rows), pred="argmax").status == "not calibrated"


@examples(8)
@given(family=families, rows=enough_predictions(3), data=st.data())
def test_fewer_distributions_never_turn_calibrated_into_not(family, rows, data):
    a, pred = data.draw(halves(len(rows))), data.draw(st.sampled_from([None, "decide", "argmax"]))
    surrogate, loss = family(len(rows)), LossMatrix(rows)
    if check(surrogate, loss, pred=pred).status == "calibrated":
        part = check(surrogate, loss, pred=pred, within=within(a))
        assert part.status == "calibrated"
        accepted(part)


def test_argmax_is_right_for_the_ordinal_loss_where_one_label_has_the_majority():
    often = [lambda p, y=y: [p[y] >= "1/2"] for y in range(3)]  # then it is the median as well
    verdict = check(softmax(3), ordinal(3), pred="argmax", within=often)
    assert verdict.status == "calibrated"
    accepted(verdict)
    often = [lambda p, y=y: [p[y] >= "2/5"] for y in range(3)]
    assert check(softmax(3), ordinal(3), pred="argmax", within=often).status == "not calibrated"


# What is not known.


def test_regions_of_scores_are_not_known_as_regions_of_probabilities():
    far = Pred.from_regions([lambda u: [u[0] >= 5], lambda u: [u[0] <= 5], None], dim=3)
    verdict = check(softmax(3), zero_one(3), pred=far)
    assert verdict.status == "undecided"
    assert "by_proper_composite" in dict(verdict.declined)


def test_gaps_between_scores_are_known_only_at_zero():
    # With gap 0 it never abstains: at p = (2/5, 3/10, 3/10) it says 0, where abstaining costs 1/2 < 3/5; at cost 2/3
    # abstaining is never needed. With ties broken otherwise it would abstain at p = (2/5, 2/5, 1/5), for 2/3 > 3/5.
    assert check(softmax(3), abstain(3), pred="argmax-gap:tau=0").status == "not calibrated"
    dear = check(softmax(3), abstain(3, "2/3"), pred="argmax-gap:tau=0")
    assert dear.status == "calibrated"
    assert dear.ties
    assert check(softmax(3), abstain(3), pred="argmax-gap:tau=1/2").status == "undecided"


def test_a_pred_without_meaning_is_refused_in_one_line():
    assert "argmx" in refusal(check, softmax(3), zero_one(3), pred="argmx")
    assert "argmax:tau=1" in refusal(check, softmax(3), zero_one(3), pred="argmax:tau=1")
    assert "tau" in refusal(check, softmax(3), abstain(3), pred="argmax-gap:tau=-1")
    assert "zero_one(n=4)" in refusal(check, softmax(3), zero_one(4))
    # Also where argmax is that of the probabilities, which has no τ either.
    assert "argmax:tau=1" in refusal(check, class_probability(3), zero_one(3), pred="argmax:tau=1")
    assert "argmax:tau=1" in refusal(check, class_probability(3).weighted([1, 2, 3]), zero_one(3), pred="argmax:tau=1")


# One number changed: for surrogates known by any of the theorems, an accepted certificate still proves its claim.


def numbers(rows):
    return [[Fraction(x) for x in row] for row in rows]


def holds(content) -> bool:
    """Whether the evidence proves the claim, given the theorem, from the definitions."""
    rows, estimates = numbers(content["loss"]["entries"]), numbers(content["surrogate"]["estimates"])
    evidence, n, k = content["evidence"], len(rows), len(rows[0])
    units = [[Fraction(int(x == y)) for x in range(n)] for y in range(n)]
    if min(map(min, rows)) < 0 or (content["surrogate"]["theorem"] not in ("mean", "squares") and estimates != units):
        return False
    regions = content.get("pred", {}).get("regions")
    if content["claim"] == "calibrated" and regions is None:
        affine = numbers(evidence["affine"])
        return all(
            rows[y][t] - rows[y][0] == c + dot(x, estimates[y]) for y in range(n) for t, (c, *x) in enumerate(affine)
        )
    if content["claim"] == "calibrated":
        return all(
            t in reference.argmin(rows, p)
            for t, region in enumerate(regions)
            for piece in region
            for p in distributions_with_estimates_in(piece, estimates)
        )
    u, points = [Fraction(x) for x in evidence["u"]], numbers(each["p"] for each in evidence["points"])
    if any(min(p) < 0 or sum(p) != 1 or [dot(p, c) for c in zip(*estimates)] != u for p in points):
        return False
    if regions is None:
        beaten = [(t, points[i], s) for t, i, s in evidence["better"]]
        if [t for t, _, _ in beaten] != list(range(k)):
            return False
    else:
        beaten = [(evidence["prediction"], points[0], evidence["better"])]
        piece = regions[evidence["prediction"]][evidence["piece"]]
        if any(b + dot(a, u) < 0 for b, *a in numbers(piece["inequalities"])):
            return False
    return all(reference.risks(rows, p)[s] < reference.risks(rows, p)[t] for t, p, s in beaten)


def distributions_with_estimates_in(piece, estimates):
    n = len(estimates)
    rows = [[0, *(b + dot(a, each) for each in estimates)] for b, *a in numbers(piece["inequalities"])]
    assert piece["equations"] == []
    return program_vertices([*rows, *([0, *(int(x == y) for x in range(n))] for y in range(n))], [[-1] + [1] * n])


def number_places(value, path):
    if isinstance(value, list):
        for i, each in enumerate(value):
            yield from number_places(each, (*path, i))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from number_places(each, (*path, key))
    elif isinstance(value, str):
        yield path


def inner(content, path):
    for key in path:
        content = content[key]
    return content


MEANS = [[1], [2], [3]]
FORGED_FROM = {
    "softmax ordinal": lambda: (softmax(3), ordinal(3), None),
    "softmax ordinal argmax": lambda: (softmax(3), ordinal(3), "argmax"),
    "softmax zero-one argmax": lambda: (softmax(3), zero_one(3), "argmax"),
    "squared hinge, right threshold": lambda: (
        one_vs_all_squared_hinge(3),
        abstain(3, "2/5"),
        "argmax-threshold:tau=1/5",
    ),
    "squared hinge, wrong threshold": lambda: (
        one_vs_all_squared_hinge(3),
        abstain(3, "2/5"),
        "argmax-threshold:tau=0",
    ),
    "square ordinal squared": lambda: (square(MEANS), ordinal(3, 2), None),
    "square ordinal squared nearest": lambda: (square(MEANS), ordinal(3, 2), "nearest"),
    "square ordinal nearest": lambda: (square(MEANS), ordinal(3), "nearest"),
    "square zero-one": lambda: (square(MEANS), zero_one(3), None),
    "class probability hamming decide": lambda: (class_probability(4), hamming(2), "decide"),
}
LARGE = {"softmax zero-one argmax", "squared hinge, right threshold"}  # many numbers prove that the regions cover


@cache
def forged_from(name):
    surrogate, loss, pred = FORGED_FROM[name]()
    return check(surrogate, loss, pred=pred).certificate.text


@pytest.mark.parametrize("name", [exhaustive(name) if name in LARGE else name for name in FORGED_FROM])
def test_a_certificate_with_one_number_changed_is_accepted_only_if_it_still_proves_its_claim(name):
    content = json.loads(forged_from(name))
    assert holds(content)
    chance, rejected, places = random.Random(3), 0, []
    for path in (("loss", "entries"), ("surrogate", "estimates"), ("evidence",), ("pred", "regions")):
        if path[0] in content:
            places += [*number_places(inner(content, path), path)]
    for *path, last in chance.sample(places, min(len(places), 40)):
        forged = copy.deepcopy(content)
        number = Fraction(inner(forged, path)[last])
        others = [number + 1, number - 1, -number, number / 2, number + Fraction(1, 7), 2 * number + Fraction(1, 3)]
        inner(forged, path)[last] = str(chance.choice([x for x in others if x != number]))
        answer = verify(json.dumps(forged))
        if {"pred", "cover", "toward"} & {*path}:  # that regions cover, or are not hidden, has evidence of its own
            assert holds(forged) or not answer.accepted, (path, last)
        else:
            assert answer.accepted == holds(forged), (path, last, answer.why)
        rejected += not answer.accepted
    assert rejected > min(len(places), 40) / 4


def test_a_claim_turned_around_is_rejected():
    for name in FORGED_FROM:
        content = json.loads(forged_from(name))
        content["claim"] = "not calibrated" if content["claim"] == "calibrated" else "calibrated"
        assert not verify(json.dumps(content)).accepted, name


# Print.


@cache
def right():
    return check(softmax(3), zero_one(3), pred="argmax")


@cache
def wrong():
    return check(softmax(3), ordinal(3), pred="argmax")


@cache
def part():
    return check(softmax(3), ordinal(3), pred="argmax", within=lambda p: [p[0] >= "1/3"])


@cache
def without_pred():
    return check(softmax(3), ordinal(3))


def test_verdicts_name_what_was_asked_and_show_what_is_wrong():
    for verdict, loss in ((right(), "zero_one(n=3)"), (wrong(), "ordinal(n=3)"), (part(), "ordinal(n=3)")):
        first = str(verdict).splitlines()[0]
        assert re.search(rf"softmax\(n=3\) .*argmax .*{re.escape(loss)}", first)
    assert re.search(r"argmax \w+ [02]:", str(wrong()))  # the middle is always a median then
    assert "≈" in str(wrong())  # log p is rounded
    assert re.search(r"P\(2\) = \S+ .*: 1$", str(wrong()), re.MULTILINE)  # the best decision
    assert "loss.decide" in str(without_pred())


def test_verdicts_as_latex_name_the_pred_and_escape_the_names():
    right_one, wrong_one, partial = (verdict.to_latex() for verdict in (right(), wrong(), part()))
    for name in ("softmax(n=3)", "argmax", r"zero\_one(n=3)"):
        assert rf"\emph{{{name}}}" in right_one
    assert r"\approx" not in right_one
    assert r"\approx" in wrong_one
    assert r"\mathcal{P} = \mathrm{conv}" in partial


def test_verdicts_as_plain_data():
    assert right().to_dict() == {
        "status": "calibrated",
        "surrogate": "softmax(n=3)",
        "loss": "zero_one(n=3)",
        "pred": "argmax",
        "conditions": list(right().conditions),
        "why": str(right().proof),
    }
    data = wrong().to_dict()
    assert data["status"] == "not calibrated"
    assert tuple(map(Fraction, data["distributions"][0]["p"])) == wrong().distributions[0]
    assert Fraction(data["price"]) == wrong().price
    assert data["prediction"] == wrong().prediction
    assert all(isinstance(x, float) for x in data["u"])
    assert "pred" not in without_pred().to_dict()
    assert len(part().to_dict()["within"]) == 1


@pytest.mark.parametrize("made", [right, wrong, part, without_pred])
def test_verdicts_survive_pickling(made):
    verdict = made()
    again = pickle.loads(pickle.dumps(verdict))
    assert again == verdict
    assert str(again) == str(verdict)
    assert again.certificate == verdict.certificate


@pytest.mark.parametrize("pred", [None, "decide", "argmax"])
@EACH_FAMILY
def test_it_is_given_that_probabilities_lie_in_the_simplex_only_where_they_do(family, pred):
    """Those that are read off one by one need not sum to 1, and a linear one may be negative."""
    surrogate = family(3)
    read = surrogate.probabilities([[0, 0, 0][: surrogate.dim], [-1, -1, -1][: surrogate.dim]])
    certificate = check(surrogate, zero_one(3), pred=pred).certificate
    answer = verify(certificate)
    (given_of_it,) = (*answer.given, *answer.theorems)
    in_the_simplex = read.min() >= 0 and abs(read.sum(axis=1) - 1).max() < 1e-9
    assert ("Δ" in given_of_it) == in_the_simplex
    assert (certificate.content["surrogate"]["theorem"] == "proper composite") == in_the_simplex


def test_it_is_not_given_that_scores_that_tell_the_probabilities_are_optimal():
    """Whatever r is, h tells the same probabilities."""
    certificate = check(rejection_exponential("1/5"), abstain(2, "1/5")).certificate
    assert certificate.content["surrogate"]["theorem"] == "told"
    assert verify(certificate).given == (THEOREMS["told"],)
