"""What depends on the costs: intervals against brute force on both sides of their ends, worst cases against samples."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.patches import Rectangle

import lossmith as lm
from command import assert_refused, lossmith
from lossmith.analysis.cost_interval import Interval
from lossmith.analysis.redundancy import needed_predictions
from lossmith.analysis.useful_while import with_cost
from lossmith.answers.sensitivity_text import decimal, while_text
from lossmith.errors import BadInput
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.text.numbers import as_fractions
from reference import argmin, dot, kept_predictions, transpose
from strategies import distributions, examples, loss_rows, rationals

TINY = Fraction(1, 10**9)
TRIAGE = [[0, 1, 4, 8, 10], [10, 3, 1, 5, 4], [60, 35, 12, 9, 0]]
FRAUD = lm.LossMatrix(
    [[0, 5, "20.5"], [350, "25.25", 0]],
    labels=["genuine", "fraud"],
    predictions=["approve", "review", "decline"],
    name="fraud",
)


@pytest.fixture(autouse=True, scope="module")
def few_matrices():
    """Sample less than usual: most of these tests do not look at it, and it takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lossmith.answers.uncertain.MOST_MATRICES", 5)
        yield


@pytest.fixture
def all_matrices(monkeypatch):
    monkeypatch.setattr("lossmith.answers.uncertain.MOST_MATRICES", 200)


def moved(rows, y, t, x):
    return tuple(tuple(x if (i, j) == (y, t) else cost for j, cost in enumerate(row)) for i, row in enumerate(rows))


def inside_and_outside(interval, now):
    """Costs in the interval, near its ends where these are, and costs just beyond."""
    low, high = interval.low, interval.high
    inside = [now, (low + now) / 2 if low < now else now]
    inside.append(low if interval.low_included else low + TINY)
    outside = [low - TINY if interval.low_included else low]
    if high is None:
        inside.append(1000 * now + 10**6)
    else:
        inside.append(high if interval.high_included else high - TINY)
        outside.append(high + TINY if interval.high_included else high)
    return inside, [x for x in outside if x >= 0]


@st.composite
def one_cost(draw, matrices):
    """A matrix and a place in it."""
    rows = draw(matrices)
    return rows, draw(st.integers(0, len(rows) - 1)), draw(st.integers(0, len(rows[0]) - 1))


def cost_of(rows, y, t, **options):
    study = lm.sensitivity(lm.LossMatrix(rows), **options)
    return study, study.by_name[y, t]


# The set of useful decisions.


@examples(10)
@given(one_cost(loss_rows()))
def test_the_useful_decisions_stay_exactly_in_the_interval(case):
    rows, y, t = case
    _, cost = cost_of(rows, y, t, practice=None, uncertainty=[10])
    kept = kept_predictions(rows)

    inside, outside = inside_and_outside(cost.useful, rows[y][t])
    assert rows[y][t] in cost.useful
    assert [x for x in inside if kept_predictions(moved(rows, y, t, x)) != kept] == []
    assert [x for x in outside if kept_predictions(moved(rows, y, t, x)) == kept] == []


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (2, 3))])
def test_the_same_for_more_labels_than_are_decided_without_a_guess(seed):
    random = Random(seed)
    rows = [[round(random.random() * 100 + 1, 2) for _ in range(20)] for _ in range(17)]
    loss = lm.LossMatrix(rows)
    study = lm.sensitivity(loss, practice=None, uncertainty=[10])
    bounded = [each for each in study.costs if each.useful is not None and not each.useful.everything]

    assert bounded
    assert all(each.useful is not None for each in study.costs)
    for each in bounded[: 6 if seed else 2]:
        inside, outside = inside_and_outside(each.useful, each.cost)
        place = each.label, each.prediction
        assert all(needed_predictions(with_cost(loss, *place, x)) == study.kept for x in inside)
        assert all(needed_predictions(with_cost(loss, *place, x)) != study.kept for x in outside)


@given(rationals(0, 4).filter(bool), rationals(0, 4).filter(bool))
@examples(7)
def test_two_labels_and_two_decisions_have_their_closed_forms(a, b):
    study = lm.sensitivity(lm.LossMatrix([[0, a], [b, 0]]), uncertainty=[20])
    [threshold] = study.thresholds

    assert threshold.value == a / (a + b)
    assert threshold.bands == ((a * 8 / (a * 8 + b * 12), a * 12 / (a * 12 + b * 8)),)
    assert study.by_name[0, 1].useful == Interval(Fraction(0), None, False)
    assert study.by_name[0, 0].useful == Interval(Fraction(0), a)
    assert study.right == (a == b)
    if a < b:
        assert study.by_name[0, 1].verdict == Interval(Fraction(0), b)
    if a > b:
        assert study.by_name[0, 1].verdict == Interval(b, None, False)
    if a == b:
        assert study.by_name[0, 1].verdict == Interval(b, b, True, True)


def test_abstaining_between_two_labels_is_useful_below_the_line_between_them():
    study = lm.sensitivity(abstain(2, cost="1/3"))
    assert study.by_name[0, "abstain"].useful == Interval(Fraction(0), Fraction(2, 3), False)


def test_of_two_equal_decisions_the_first_gives_way_as_soon_as_it_costs_more():
    study = lm.sensitivity(lm.LossMatrix([[0, 0, 3], [2, 2, 0]]))
    assert study.kept == (0, 2)
    assert study.by_name[1, 0].useful == Interval(Fraction(0), Fraction(2), False, True)  # at 2 it is still the first
    assert study.by_name[1, 1].useful == Interval(Fraction(2), None)  # below 2 the copy is the better one


def test_a_decision_that_is_never_needed_comes_back_at_a_price():
    study = lm.sensitivity(lm.LossMatrix([[0, 3, 4], [4, 3, 0]]))  # needed below the line from (0, 4) to (4, 0)
    assert study.kept == (0, 2)
    assert study.by_name[0, 1].useful == Interval(Fraction(1), None)
    # Raised to x, the first decision leaves (3, 3) above the line from (x, 4) to (4, 0) until x = 8/3.
    assert study.by_name[0, 0].useful == Interval(Fraction(0), Fraction(8, 3), True, True)


# The order.


def sections(rows):
    """Pairs of kept decisions such that one of them is optimal wherever the two tie, from the definition."""
    n, columns, kept = len(rows), transpose(rows), kept_predictions(rows)
    for s, t in combinations(kept, 2):
        gap = [a - b for a, b in zip(columns[s], columns[t])]
        ends = [tuple(Fraction(z == y) for z in range(n)) for y in range(n) if gap[y] == 0]
        for y, z in combinations(range(n), 2):
            if gap[y] * gap[z] < 0:
                share = gap[y] / (gap[y] - gap[z])
                ends.append(tuple((1 - share) * (i == y) + share * (i == z) for i in range(n)))
        if all(s in argmin(rows, p) for p in ends):
            yield s, t


def order_of(rows):
    """The path of the pairs, from its smaller end; None if they are none."""
    kept, pairs = kept_predictions(rows), list(sections(rows))
    near = {t: [s for pair in pairs for s in pair if t in pair and s != t] for t in kept}
    path = [next((t for t in kept if len(near[t]) < 2), kept[0])]
    while following := [t for t in near[path[-1]] if t not in path]:
        path.append(following[0])
    return tuple(path) if len(path) == len(kept) else None


@st.composite
def in_a_row(draw):
    """Decisions on a convex curve for three or four labels, a cost of which may then be any other."""
    n, k = draw(st.integers(3, 4)), draw(st.integers(2, 4))
    weights = [draw(st.integers(1, 3)) for _ in range(n)]
    return tuple(tuple(Fraction(weights[y] * abs(y - t)) for t in range(k)) for y in range(n))


@examples(10)
@given(one_cost(in_a_row() | loss_rows(max_n=3, max_k=4)))
def test_the_order_stays_exactly_in_the_interval(case):
    rows, y, t = case
    study, cost = cost_of(rows, y, t, practice=None, uncertainty=[10])
    kept, order = kept_predictions(rows), order_of(rows)

    if len(rows) > 2:
        assert study.order == order
    if order is None:
        assert cost.ordered is None
        return
    inside, outside = inside_and_outside(cost.ordered, rows[y][t])

    def same(x):
        other = moved(rows, y, t, x)
        return kept_predictions(other) == kept and order_of(other) == order

    assert all(map(same, inside))
    assert not any(map(same, outside))


# The practice.


def likeliest_is_right(rows, decisions):
    """Whether the decision of y is optimal at the uniform distributions on all sets with y in them."""
    n = len(rows)
    return all(
        decisions[y] in argmin(rows, [Fraction(z in chosen, len(chosen)) for z in range(n)])
        for size in range(1, n + 1)
        for chosen in combinations(range(n), size)
        for y in chosen
    )


@st.composite
def nearly_zero_one(draw):
    """Matrices for which argmax is right, or nearly."""
    n, k = draw(st.integers(2, 4)), draw(st.integers(0, 1))
    rows = [[Fraction(y != t) for t in range(n)] + [Fraction(1)] * k for y in range(n)]
    for _ in range(draw(st.integers(0, 2))):
        rows[draw(st.integers(0, n - 1))][draw(st.integers(0, n + k - 1))] = draw(rationals(0, 2))
    return tuple(map(tuple, rows))


@examples(10)
@given(one_cost(nearly_zero_one() | loss_rows()))
def test_the_verdict_on_the_likeliest_label_stays_exactly_in_the_interval(case):
    rows, y, t = case
    study, cost = cost_of(rows, y, t, uncertainty=[10])
    decisions = study.decisions

    assert study.right == likeliest_is_right(rows, decisions)
    inside, outside = inside_and_outside(cost.verdict, rows[y][t])
    assert all(likeliest_is_right(moved(rows, y, t, x), decisions) == study.right for x in inside)
    assert all(likeliest_is_right(moved(rows, y, t, x), decisions) != study.right for x in outside)


@pytest.mark.parametrize(
    "loss",
    [zero_one(3), ordinal(3), *(pytest.param(abstain(3, c), marks=pytest.mark.exhaustive) for c in ("1/2", "2/3"))],
    ids=lambda loss: loss.name,
)
def test_the_verdict_is_that_of_check(loss):
    status = lm.check(lm.surrogates.softmax(3), loss, pred="argmax").status
    assert lm.sensitivity(loss).right == (status == "calibrated")
    assert lm.sensitivity(loss, practice="LogisticRegression").right == (status == "calibrated")


def test_decisions_that_are_no_labels_are_those_that_are_cheapest():
    assert lm.sensitivity(FRAUD).decisions == (0, 2)


def test_what_tells_no_probabilities_is_not_told_of():
    study = lm.sensitivity(zero_one(3), practice="SVC")
    assert study.right is None
    assert study.costs[0].verdict is None
    assert "SVC" in str(study).splitlines()[-1]
    assert len(study.notes) == 1
    assert lm.sensitivity(zero_one(3), practice=None).notes == ()


# All costs at once.


@examples(7)
@given(loss_rows(), st.data())
def test_no_costs_within_the_limits_and_no_distribution_cost_more_than_the_worst(rows, data):
    [told] = lm.sensitivity(lm.LossMatrix(rows), uncertainty=[30]).together
    p = data.draw(distributions(len(rows)))
    factors = [[data.draw(st.sampled_from([7, 8, 10, 12, 13])) for _ in row] for row in rows]
    true = [[cost * f / 10 for cost, f in zip(row, by)] for row, by in zip(rows, factors)]

    decided = argmin(rows, p)[0]
    best = min(dot(p, column) for column in transpose(true))
    price = dot(p, transpose(true)[decided]) - best
    assert price <= told.most
    assert price <= told.most_relative * best


@examples(7)
@given(loss_rows())
def test_the_worst_is_what_opposite_errors_cost_there(rows):
    [told] = lm.sensitivity(lm.LossMatrix(rows), uncertainty=[30]).together
    risks = [dot(told.at, column) for column in transpose(rows)]
    decided = argmin(rows, told.at)
    prices = [
        Fraction(13, 10) * risks[t] - Fraction(7, 10) * risks[s] for t in decided for s in range(len(risks)) if s != t
    ]

    assert told.attained
    assert max([Fraction(0), *prices]) == told.most


def test_where_the_program_is_large_the_worst_is_bounded_from_above():
    random = Random(1)
    loss = lm.LossMatrix([[0 if y == t else random.randint(1, 9) for t in range(60)] for y in range(60)])
    [told] = lm.sensitivity(loss, uncertainty=[50], practice=None).together

    assert not told.attained
    assert 0.999 * float(told.most) < float(loss.bayes_risk(told.at)) <= float(told.most)


def test_one_cost_moves_the_threshold_as_far_as_its_closed_form_does():
    study = lm.sensitivity(lm.LossMatrix([[0, 1], [3, 0]]))
    cost = study.by_name[0, 1]
    assert cost.higher == pytest.approx(1.2 / 4.2 - 1 / 4, abs=1e-3)
    assert cost.lower == pytest.approx(1 / 4 - 0.8 / 3.8, abs=1e-3)
    assert study.by_name[0, 0].swing == 0


def test_for_two_labels_the_mean_price_is_that_of_the_moved_threshold(all_matrices):
    """With costs a and b the rule decides at 1/2 and should at a/(a + b): a triangle of price lies in between."""
    [told] = lm.sensitivity(zero_one(2), uncertainty=[50]).together
    random = np.random.default_rng(5).uniform(0.5, 1.5, size=(20000, 2))
    a, b = random.T
    shift, slope = np.abs(a / (a + b) - 1 / 2), a + b
    assert told.changed == pytest.approx(shift.mean(), rel=0.15)
    assert float(told.mean_price) == pytest.approx((shift**2 * slope / 2).mean(), rel=0.25)
    assert told.another_set == 0


def test_the_set_changes_as_often_as_it_does(all_matrices):
    """The middle decision is needed while both its costs, each off by up to half, sum to less than the outer ones."""
    loss = lm.LossMatrix([[0, 45, 100], [100, 45, 0]])
    [told] = lm.sensitivity(loss, uncertainty=[50]).together
    factor = np.random.default_rng(7).uniform(0.5, 1.5, size=(20000, 4))
    middle, outer = 45 * factor[:, :2], 100 * factor[:, 2:]
    gone = (middle[:, 0] >= outer[:, 0] * (1 - middle[:, 1] / outer[:, 1])).mean()
    assert told.sets == told.matrices
    assert told.another_set == pytest.approx(gone, abs=0.1)


def test_samples_are_the_same_for_the_same_seed():
    assert lm.sensitivity(FRAUD, seed=3) == lm.sensitivity(FRAUD, seed=3)
    assert lm.sensitivity(FRAUD, seed=3).together != lm.sensitivity(FRAUD, seed=4).together


# Odd cases.


ODD = [[[1], [2]], [[0, 0], [0, 0]], [[0, 0, 1], [0, 0, 2]], [["1e400", 0], [0, "1e-400"]], [[0, 1], [0, 1]]]


@pytest.mark.parametrize("rows", ODD, ids=str)
def test_odd_matrices_are_told_of(rows):
    study = lm.sensitivity(lm.LossMatrix(rows))
    assert all(each.cost in each.useful for each in study.costs)
    assert len(str(study).splitlines()) < 40
    study.to_json()


@pytest.mark.parametrize(
    "rows", [ODD[0], *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ODD[1:])], ids=str
)
def test_odd_matrices_are_drawn(rows):
    lm.plot.sensitivity(lm.sensitivity(lm.LossMatrix(rows)))


def test_one_decision_alone_stays_whatever_it_costs():
    study = lm.sensitivity(lm.LossMatrix([[1], [2]]))
    assert all(each.useful.everything and each.verdict.everything for each in study.costs)
    assert study.together[0].most == 0


@pytest.mark.parametrize("uncertainty", [[], [0], [101], ["ten"], [-5], "10", 10])
def test_uncertainties_that_mean_nothing_are_refused(uncertainty):
    with pytest.raises(BadInput, match="uncertainty"):  # the parameter
        lm.sensitivity(zero_one(2), uncertainty=uncertainty)


# Print.


def named(n, k, seed):
    random = Random(seed)
    names = [f"{''.join(random.choices('abcdefgh', k=30))} {i}" for i in range(max(n, k))]
    rows = [[0 if y == t else random.random() * 10 ** random.randint(-3, 6) for t in range(k)] for y in range(n)]
    return lm.LossMatrix(rows, labels=names[:n], predictions=names[:k] if k < n else [f"do {x}" for x in names[:k]])


@pytest.mark.parametrize(("n", "k"), [(2, 2), (2, 6), (3, 3), (5, 2), (12, 12), (20, 20)])
def test_it_fits_a_screen_in_decimals_whatever_the_size(n, k):
    lines = str(lm.sensitivity(named(n, k, seed=n + k))).splitlines()
    assert len(lines) <= 32
    assert max(map(len, lines)) <= 120
    assert not any(re.search(r"\d/\d|\d{10}", line) for line in lines)


def test_what_is_printed_holds_for_the_costs_it_names():
    """Ends are rounded inwards, and the present cost stays inside."""
    third = Fraction(1, 3)
    assert while_text(Interval(third, 2 * third, False, True), Fraction(1, 2)) == "0.3334 < cost ≤ 0.6666"
    near = Interval(third, None)
    shown = while_text(near, third + TINY)
    assert third <= Fraction(shown.removeprefix("cost ≥ ")) <= third + TINY
    assert not re.search(r"\d", while_text(None, third))


@given(st.fractions(min_value=Fraction(1, 10**12), max_value=10**12))
def test_decimals_are_near_what_they_stand_for(x):
    assert abs(Fraction(decimal(x)) - x) <= x / 1000


def test_full_prints_every_cost():
    study = lm.sensitivity(ordinal(5))
    assert len(study.text(full=True).splitlines()) - len(str(study).splitlines()) == 25 - 10 - 1


@pytest.mark.exhaustive
def test_of_two_hundred_labels_a_part_of_the_costs_is_told():
    study = lm.sensitivity(named(200, 200, seed=1))
    assert len(study.costs) == 1000
    assert re.search(r"39,000\D+40,000", str(study))


# The command.


def test_the_command_prints_and_draws(tmp_path):
    FRAUD.to_csv(tmp_path / "fraud.csv")
    run = lossmith("sensitivity", "fraud.csv", "-o", "fraud.png", cwd=tmp_path)
    assert run.returncode == 0
    assert run.stdout == f"{lm.sensitivity(FRAUD)}\nwrote fraud.png\n"
    assert (tmp_path / "fraud.png").stat().st_size > 10_000


def test_the_command_refuses_what_it_does_not_know():
    assert_refused(lossmith("sensitivity", "zero-one:n=3", "--practice", "guesswork"), "'guesswork'")
    assert_refused(lossmith("sensitivity", "zero-one:n=3", "--uncertainty", "200"), "200")
    assert_refused(lossmith("sensitivity", "zero-one:n=3", "--uncertainty", "5,x"), "'x'", "10")


def test_numbers_are_rounded_or_exact():
    study = lm.sensitivity(TRIAGE)
    rounded = str(study)
    assert "≤ 23.33 " in rounded
    assert re.search(r" 2,667\n", rounded)  # as other screens write sums of costs
    with as_fractions():
        exact = str(study)
    assert "≤ 70/3 " in exact
    assert re.search(r" 8000/3\n", exact)


# Pictures.


def test_bands_stand_where_the_thresholds_can_be():
    study = lm.sensitivity(FRAUD)
    [ax] = lm.plot.sensitivity(study).axes
    hatched = [each for each in ax.patches if isinstance(each, Rectangle) and each.get_hatch() == "//////"]
    drawn = {(round(each.get_x(), 9), round(each.get_x() + each.get_width(), 9)) for each in hatched}
    bands = {(round(float(low), 9), round(float(high), 9)) for each in study.thresholds for low, high in each.bands}
    assert drawn == bands


def test_a_tornado_is_as_wide_as_what_changes():
    study = lm.sensitivity(ordinal(4))
    [ax] = lm.plot.sensitivity(study).axes
    widths = [each.get_width() for each in ax.patches]
    assert widths == [*(-each.lower for each in study.costs[:12]), *(each.higher for each in study.costs[:12])]
    assert ax.get_yticklabels()[0].get_text() == "0 → 2: 2"


def test_a_picture_is_drawn_of_a_study():
    with pytest.raises(BadInput, match=r"lm\.sensitivity"):
        lm.plot.sensitivity(zero_one(3))
