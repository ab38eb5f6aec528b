"""Calibration on a set of distributions: how sets are read, and verdicts against the definition."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lossmith as lm
import reference
from calibration.test_given_preds import assert_shown, cases, grid, violates
from losses.refusal import refusal
from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.calibration.within import read_within
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import absolute, adversarial_zero_one, crammer_singer, lee_lin_wahba, weston_watkins
from reference import dot
from strategies import examples
from surrogates import second_opinion
from surrogates.random_surrogates import pairs


def exhaustive(*values):
    return pytest.param(*values, marks=pytest.mark.exhaustive)


WARDS = LossMatrix(zero_one(3).entries, labels=["mild", "moderate", "severe"], name="wards")


def corners(within, loss=WARDS):
    """The vertices of each set, as texts."""
    return [{" ".join(map(str, p)) for p in region.polytope.vertices} for region in read_within(within, loss)]


# Reading.


@pytest.mark.parametrize(
    ("within", "expected"),
    [
        ("p[0] >= 1/2", {"1 0 0", "1/2 1/2 0", "1/2 0 1/2"}),
        ("mild >= 1/2", {"1 0 0", "1/2 1/2 0", "1/2 0 1/2"}),
        ('p["mild"] >= 0.5', {"1 0 0", "1/2 1/2 0", "1/2 0 1/2"}),
        ("p[0] >= 1/2, severe <= 0.3", {"1 0 0", "1/2 1/2 0", "1/2 1/5 3/10", "7/10 0 3/10"}),
        ("1/4 <= p[0] <= 1/2", {"1/4 3/4 0", "1/4 0 3/4", "1/2 1/2 0", "1/2 0 1/2"}),
        ("p[0] == p[1]", {"0 0 1", "1/2 1/2 0"}),
        ("2*mild + 3*moderate/2 - severe >= 1", {"1 0 0", "0 1 0", "2/3 0 1/3", "0 4/5 1/5"}),
        ("-(p[0] - p[1]) >= 1/3", {"0 1 0", "0 1/3 2/3", "1/3 2/3 0"}),
        ("p[2] <= 0", {"1 0 0", "0 1 0"}),
        ("p[2] == 1", {"0 0 1"}),
        (lambda p: [p[0] >= "1/2"], {"1 0 0", "1/2 1/2 0", "1/2 0 1/2"}),
        (lambda p: p[0] >= Fraction(1, 2), {"1 0 0", "1/2 1/2 0", "1/2 0 1/2"}),
        (lambda p: [p[0] >= p[1], p[1] >= p[2]], {"1 0 0", "1/2 1/2 0", "1/3 1/3 1/3"}),
        (lambda p: [p[0] + p[1] == 1], {"1 0 0", "0 1 0"}),
        (lambda p: [], {"1 0 0", "0 1 0", "0 0 1"}),
        (lambda p: [sum(p) == 1], {"1 0 0", "0 1 0", "0 0 1"}),
        (lambda p: [p[0] >= p[0]], {"1 0 0", "0 1 0", "0 0 1"}),
    ],
)
def test_a_set_of_distributions_is_read(within, expected):
    assert corners(within) == [expected]
    assert corners([within]) == [expected]


def test_a_list_is_a_union():
    union = ["p[0] == 1", lambda p: [p[1] >= "1/2"], "severe == 1"]
    assert corners(union) == [{"1 0 0"}, {"0 1 0", "1/2 1/2 0", "0 1/2 1/2"}, {"0 0 1"}]
    assert corners(tuple(union)) == corners(union)


def test_regions_that_were_read_are_read_again():
    regions = read_within(["p[0] >= 1/2", "p[1] >= 1/2"], WARDS)
    assert read_within(regions, WARDS) == regions


def test_labels_that_are_no_words_are_quoted():
    loss = LossMatrix(zero_one(2).entries, labels=["very ill", "p"])
    assert corners('p["very ill"] <= 1/4', loss) == [{"1/4 3/4", "0 1"}]
    assert corners("p >= 3/4", loss) == [{"1/4 3/4", "0 1"}]


def test_a_float_in_a_function_is_its_shortest_decimal_and_told():
    with pytest.warns(UserWarning, match="3/10"):
        assert corners(lambda p: [p[0] <= 0.3, p[1] == 0]) == [{"0 0 1", "3/10 0 7/10"}]


# Refusals.


@pytest.mark.parametrize(
    ("within", "words"),
    [
        ("p[0] >= 2", ("mild, moderate, severe",)),
        ("p[0] >= 1/2, p[1] >= 2/3", ("mild, moderate, severe",)),
        (lambda p: [p[0] + p[1] + p[2] <= "1/2"], ("mild, moderate, severe",)),
        (["p[0] >= 1/2", "p[1] >= 2"], ("1", "mild, moderate, severe")),
        ([], ("within",)),
        ((), ("within",)),
        ("p[0] * p[1] >= 0", ("p[0]", "p[1]")),
        (lambda p: [p[0] * p[1] >= 0], ("p[0]", "p[1]")),
        (lambda p: [abs(p[0]) <= "1/2"], ("p[0]",)),
        ("p[0] ** 2 >= 0", ("p[0] ** 2 >= 0",)),
        ("p[0] > 1/2", ("'p[0] > 1/2'", ">=")),
        ("p[0] < 1/2", ("'p[0] < 1/2'", "<=")),
        ("p[0] != 1/2", ("p[0] != 1/2",)),
        (lambda p: [p[0] > 0], ("<=",)),
        ("sevre <= 1", ("'sevre'", "'severe'")),
        ('p["mid"] <= 1', ("'mid'", "'mild'")),
        ("p[3] >= 0", ("p[3]", "2")),
        ("p[-1] >= 0", ("p[-1]",)),
        ("p[0]", ("'p[0]'",)),
        ("1 >= 0", ("1 >= 0",)),
        ("", ("''",)),
        ("p[0] >=", ("'p[0] >='",)),
        ("p[0] >= 1/2 and p[1] >= 0", ("p[0] >= 1/2 and p[1] >= 0",)),
        ("p[0] >= True", ("p[0] >= True",)),
        ("abs(p[0]) >= 1", ("abs(p[0]) >= 1",)),
        ("__import__('os')", ("__import__('os')",)),
        (lambda p: 3, ("3",)),
        (lambda p: [3], ("3",)),
        (lambda p: [True], ("True",)),
        (lambda p: [p[4] >= 0], ("IndexError",)),
        (lambda p: 1 / 0, ("ZeroDivisionError",)),
        (lambda u, v: [], ("TypeError",)),
        (3, ("3", "lambda p")),
        ({"mild": 1}, ("mild", "lambda p")),
        ([["p[0] >= 1/2"]], ("p[0] >= 1/2", "lambda p")),
    ],
)
def test_what_is_no_set_of_distributions_is_refused(within, words):
    message = refusal(check, crammer_singer(3), WARDS, within=within)
    for word in words:
        assert word in message


@pytest.mark.parametrize("text", ["p[0] >= 1/0", "p[0] >= 1_0", "p[0] >= 0x1", "p[0] / p[1] >= 1"])
def test_a_text_with_a_number_that_cannot_be_read_is_quoted(text):
    assert f"'{text}'" in refusal(check, crammer_singer(3), WARDS, within=text)


# Known verdicts.


def decided(surrogate, loss, pred=None, within=None) -> str:
    verdict = check(surrogate, loss, pred=pred, within=within)
    answer = lm.verify(verdict.certificate)
    assert answer.accepted, answer
    return verdict.status


def likely(n: int, least: str) -> list:
    """Some label has this probability at least."""
    return [f"p[{y}] >= {least}" for y in range(n)]


@pytest.mark.parametrize(
    ("n", "least", "calibrated"),
    [
        (3, "501/1000", True),
        (3, "1/2", False),
        exhaustive(3, "3/5", True),
        exhaustive(4, "501/1000", True),
        exhaustive(3, "2/5", False),
        exhaustive(4, "3/5", True),
        exhaustive(4, "1/2", False),
        exhaustive(4, "2/5", False),
    ],
)
def test_crammer_singer_is_calibrated_where_some_label_has_more_than_half(n, least, calibrated):
    # N(0) = {p : max p ≤ 1/2}; at 1/2 it still holds the middles of edges, which have no best label in common.
    status = "calibrated" if calibrated else "not calibrated"
    assert decided(crammer_singer(n), zero_one(n), within=likely(n, least)) == status
    assert decided(crammer_singer(n), zero_one(n), pred="argmax", within=likely(n, least)) == status


@pytest.mark.parametrize("pred", [None, "argmax"])
def test_the_cells_that_a_set_does_not_meet_decide_nothing(pred):
    verdict = check(crammer_singer(3), zero_one(3), pred=pred, within="p[0] >= 3/5")
    assert [cell.prediction for cell in verdict.cells if cell.reached] == [0]
    assert [cell.z for cell in verdict.cells if cell.reached] == [(0, 2, 2)]
    assert len(verdict.cells) == 4


@pytest.mark.parametrize("p", [(1, 0, 0), (1, 2, 3), exhaustive((1, 1, 1)), exhaustive((5, 5, 1))])
def test_every_surrogate_is_calibrated_on_a_single_distribution(p):
    point = [f"p[{y}] == {Fraction(x, sum(p))}" for y, x in enumerate(p)]
    for surrogate in (crammer_singer(3), weston_watkins(3), absolute(3)):
        for loss in (zero_one(3), ordinal(3), abstain(3)):
            assert decided(surrogate, loss, within=", ".join(point)) == "calibrated"


def test_each_of_two_sets_may_be_fine_and_their_union_not():
    # Within one trigger set its prediction is always right; N(0) reaches into the insides of two of them.
    first, second = "p[0] >= p[1], p[0] >= p[2]", "p[1] >= p[0], p[1] >= p[2]"
    for pair in ((crammer_singer(3), zero_one(3)), (weston_watkins(3), zero_one(3))):
        assert decided(*pair, within=first) == decided(*pair, within=second) == "calibrated"
        assert decided(*pair, within=[first, second]) == "not calibrated"


def test_a_pred_may_fail_on_a_set_on_which_another_one_works():
    # Where 0 is the likeliest label, all pred needs to say is 0; argmax says 1 near u = 0 as well.
    likeliest = "p[0] >= p[1], p[0] >= p[2]"
    assert decided(crammer_singer(3), zero_one(3), within=likeliest) == "calibrated"
    assert decided(crammer_singer(3), zero_one(3), "argmax", likeliest) == "not calibrated"
    assert decided(crammer_singer(3), zero_one(3), [lambda u: [], None, None], likeliest) == "calibrated"
    assert decided(crammer_singer(3), zero_one(3), [lambda u: [], None, None]) == "not calibrated"


@pytest.mark.parametrize(("tau", "calibrated"), [("0", False), ("1/2", True), ("1", False)])
def test_gaps_for_abstaining_where_no_label_is_certain(tau, calibrated):
    # Abstaining at gaps up to 1 is wrong at e_y only where p_y > 1/2, and so it is on this set.
    pred = f"argmax-gap:tau={tau}"
    expected = "calibrated" if calibrated else "not calibrated"
    assert decided(crammer_singer(3), abstain(3), pred, "p[0] <= 9/10, p[1] <= 9/10, p[2] <= 9/10") == expected
    # Where no label has more than half, abstaining is always right, and so is every gap but 0.
    unsure = "p[0] <= 1/2, p[1] <= 1/2, p[2] <= 1/2"
    assert decided(crammer_singer(3), abstain(3), pred, unsure) == ("not calibrated" if tau == "0" else "calibrated")


# Properties.


@examples(4)
@given(pairs(), st.booleans())
def test_within_the_whole_simplex_is_within_nothing(pair, as_text):
    surrogate, loss = pair
    whole = "p[0] >= 0" if as_text else (lambda p: [])
    assert decided(surrogate, loss, within=whole) == check(surrogate, loss).status


@st.composite
def sets(draw, n: int):
    """Inequalities, and equations, on distributions: at most two rows, and some distribution satisfies them."""
    row = st.tuples(*[st.integers(-3, 3)] * n)
    wide = st.tuples(*[st.integers(-1, 3)] * n)
    inequalities = draw(st.lists(wide, min_size=1, max_size=1) | st.lists(row, min_size=1, max_size=2))
    equations = draw(st.lists(row, max_size=1)) if draw(st.integers(0, 3)) == 0 else []
    if not set_vertices((inequalities, equations), n):
        sides = [[inequalities[0]], [tuple(-x for x in inequalities[0])]]  # one of them meets Δ
        inequalities, equations = next(side for side in sides if set_vertices((side, []), n)), []
    return inequalities, equations


def set_vertices(each, n: int, more=()):
    """The vertices of the distributions with a·p ≥ 0 for the inequalities and `more`, a·p = 0 for the equations."""
    inequalities, equations = each
    units = [tuple(int(x == y) for x in range(n)) for y in range(n)]
    rows = list(dict.fromkeys(tuple(row) for row in (*units, *inequalities, *more) if any(row)))
    flat = [row for row in equations if any(row)]
    found = set()
    for tight in combinations([*flat, *rows], n - 1):
        p = reference.only_solution([*tight, (1,) * n], [0] * (n - 1) + [1])
        if p is not None and belongs(p, (rows, flat)):
            found.add(p)
    return sorted(found)


def belongs(p, each) -> bool:
    inequalities, equations = each
    return all(dot(row, p) >= 0 for row in inequalities) and all(dot(row, p) == 0 for row in equations)


def written(union):
    """Sets as the functions that a user would write."""

    def one(inequalities, equations):
        return lambda p: [
            *(sum(a * x for a, x in zip(row, p)) >= 0 for row in inequalities),
            *(sum(a * x for a, x in zip(row, p)) == 0 for row in equations),
        ]

    return [one(*each) for each in union]


@st.composite
def pairs_within(draw):
    surrogate, loss = draw(pairs(max_maxima=1) | pairs())
    return surrogate, loss, draw(st.lists(sets(surrogate.n), min_size=1, max_size=2))


@examples(5)
@given(pairs_within(), st.data())
def test_on_a_smaller_set_what_was_calibrated_still_is(case, data):
    surrogate, loss, union = case
    inequalities, equations = union[0]
    more = [data.draw(st.tuples(*[st.integers(-3, 3)] * surrogate.n))]
    smaller = ([*inequalities, *more], equations)
    if not set_vertices(smaller, surrogate.n):
        smaller = ([*inequalities, tuple(-x for x in more[0])], equations)
    before = [check(surrogate, loss), check(surrogate, loss, within=written(union))]
    after = decided(surrogate, loss, within=written([smaller]))
    assert after == "calibrated" or all(verdict.status == "not calibrated" for verdict in before)


@examples(5)
@given(pairs_within().filter(lambda case: len(case[2]) == 2))
def test_a_union_is_calibrated_only_if_each_member_is(case):
    surrogate, loss, union = case
    each = [check(surrogate, loss, within=written([one])).status for one in union]
    if decided(surrogate, loss, within=written(union)) == "calibrated":
        assert each == ["calibrated", "calibrated"]


@examples(3)
@given(cases(), st.data())
def test_with_a_pred_a_union_is_calibrated_exactly_if_each_member_is(case, data):
    surrogate, loss, pred = case
    union = [data.draw(sets(surrogate.n)), data.draw(sets(surrogate.n))]
    each = [decided(surrogate, loss, pred, written([one])) for one in union]
    expected = "calibrated" if each == ["calibrated", "calibrated"] else "not calibrated"
    assert decided(surrogate, loss, pred, written(union)) == expected


# The definition: every z has one prediction that is optimal on all of N(z) ∩ P.


def parts(surrogate, union):
    """For each cell, the vertices of its part in the union."""
    values = second_opinion.values(surrogate)
    for z in second_opinion.cells(surrogate):
        rows = [tuple(a - b for a, b in zip(other, z)) for other in values if other != z]
        yield z, [p for each in union for p in set_vertices(each, len(z), rows)]


def refuted_on_the_grid(surrogate, rows, union, steps: int) -> bool:
    """Whether grid points in P with one optimal value in common have no optimal prediction in common."""
    n = len(rows)
    points = [p for p in grid(n, steps) if any(belongs(p, each) for each in union)]
    for z in second_opinion.cells(surrogate):
        reached = [p for p in points if dot(p, z) == second_opinion.bayes_risk(surrogate, p)]
        if reached and not second_opinion.common_predictions(rows, reached):
            return True
    return False


def assert_counterexample_within(verdict, union) -> None:
    """u is optimal at distributions of P that no prediction serves."""
    surrogate, rows = verdict.surrogate, verdict.loss.entries
    assert second_opinion.contains(surrogate, verdict.u)
    for p in verdict.distributions:
        assert sum(p) == 1
        assert min(p) >= 0
        assert any(belongs(p, each) for each in union)
        assert second_opinion.is_normal(surrogate, verdict.u, p)
    assert not second_opinion.common_predictions(rows, verdict.distributions)
    wasted = [
        sum(reference.risks(rows, p)[t] - min(reference.risks(rows, p)) for p in verdict.distributions)
        for t in range(len(rows[0]))
    ]
    assert verdict.price == min(wasted) / len(verdict.distributions) > 0


def test_the_verdict_within_a_random_set_is_that_of_the_definition():
    seen = Counter()

    @examples(12)
    @given(pairs_within())
    def compare(case):
        surrogate, loss, union = case
        verdict = check(surrogate, loss, within=written(union))
        reached = dict(parts(surrogate, union))
        served = [not points or second_opinion.common_predictions(loss.entries, points) for points in reached.values()]
        assert (verdict.status == "calibrated") == all(served)
        if refuted_on_the_grid(surrogate, loss.entries, union, {2: 24, 3: 8}[surrogate.n]):
            assert verdict.status == "not calibrated"
        if verdict.status == "calibrated":
            assert {cell.z for cell in verdict.cells if cell.reached} == {z for z, points in reached.items() if points}
            for cell in verdict.cells:
                assert all(cell.prediction in reference.argmin(loss.entries, p) for p in reached[cell.z])
        else:
            assert_counterexample_within(verdict, union)
        answer = lm.verify(verdict.certificate)
        assert answer.accepted, answer
        if loss.k > 1:
            seen[verdict.status] += 1

    compare()
    assert min(seen["calibrated"], seen["not calibrated"]) >= 1


def test_the_verdict_with_a_pred_within_a_random_set_is_that_of_the_definition():
    seen = Counter()

    @examples(6)
    @given(cases(), st.data())
    def compare(case, data):
        surrogate, loss, pred = case
        union = data.draw(st.lists(sets(surrogate.n), min_size=1, max_size=2))
        verdict = check(surrogate, loss, pred=pred, within=written(union))
        points = {p for _, reached in parts(surrogate, union) for p in reached}
        points |= {p for p in grid(surrogate.n, {2: 24, 3: 8}[surrogate.n]) if any(belongs(p, each) for each in union)}
        refuted = any(violates(surrogate, loss.entries, pred.regions, p) for p in sorted(points))
        assert (verdict.status == "not calibrated") == refuted
        if refuted:
            assert_shown(verdict)
            assert any(belongs(verdict.distributions[0], each) for each in union)
        answer = lm.verify(verdict.certificate)
        assert answer.accepted, answer
        if loss.k > 1:
            seen[verdict.status] += 1

    compare()
    assert min(seen["calibrated"], seen["not calibrated"]) >= 1


@pytest.mark.exhaustive
@settings(max_examples=1500)
@given(pairs_within())
def test_many_verdicts_within_random_sets_are_those_of_the_definition(case):
    surrogate, loss, union = case
    verdict = check(surrogate, loss, within=written(union))
    served = all(
        not points or second_opinion.common_predictions(loss.entries, points) for _, points in parts(surrogate, union)
    )
    assert (verdict.status == "calibrated") == served
    assert lm.verify(verdict.certificate).accepted
    if not served:
        assert_counterexample_within(verdict, union)


@pytest.mark.exhaustive
@settings(max_examples=1500)
@given(cases(), st.data())
def test_many_verdicts_with_preds_within_random_sets_are_those_of_the_definition(case, data):
    surrogate, loss, pred = case
    union = data.draw(st.lists(sets(surrogate.n), min_size=1, max_size=2))
    verdict = check(surrogate, loss, pred=pred, within=written(union))
    points = {p for _, reached in parts(surrogate, union) for p in reached}
    refuted = any(violates(surrogate, loss.entries, pred.regions, p) for p in sorted(points))
    assert (verdict.status == "not calibrated") == refuted
    assert lm.verify(verdict.certificate).accepted
    if refuted:
        assert_shown(verdict)


@pytest.mark.parametrize("n", [3, exhaustive(4)])
def test_families_that_are_calibrated_everywhere_are_so_on_every_set(n):
    for within in ("p[0] >= 1/2", "p[0] == p[1]", ["p[0] == 1", "p[1] >= 1/3, p[2] >= 1/3"]):
        for surrogate in (lee_lin_wahba(n), adversarial_zero_one(n)):
            assert decided(surrogate, zero_one(n), within=within) == "calibrated"
            assert decided(surrogate, zero_one(n), "argmax", within) == "calibrated"
