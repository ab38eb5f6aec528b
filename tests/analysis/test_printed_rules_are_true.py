"""Rules as they are printed, read literally: each inequality is one between two decisions of the loss."""

from __future__ import annotations

import re
from fractions import Fraction
from math import lcm

import pytest

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.answers.rule import rule_of
from lossmith.exact.vectors import minus, primitive
from lossmith.losses import CATALOGUE, abstain, add_abstain, cost_sensitive_binary, ordinal
from lossmith.text.numbers import as_fractions, difference, threshold_text, threshold_texts

ROUNDED = re.compile(r"about|rounded")
TERM = re.compile(r"(?:(\S+) )?P\((.*)\)")


def instances(every):
    """Yield the losses of the catalogue, these with a reject option, and with rows scaled."""
    for family in CATALOGUE:
        for parameters in family.small:
            loss = family(**parameters).matrix()
            yield loss
            yield loss.scale_rows(range(1, loss.n + 1))
            if every:
                yield loss.scale_rows(range(loss.n, 0, -1))
                yield from (add_abstain(loss, cost, "ask") for cost in ("1/3", "1/7", "3/8"))


def rule(loss):
    """Return the rule as `analyze` tells it, which also does what takes longer."""
    facts = Facts(loss)
    return rule_of(facts, facts.cells(10_000))


def side(text, labels):
    """Return the coefficients of one side of an inequality; a constant is one on every label."""
    text, row = text.partition(" ≈ ")[0], dict.fromkeys(map(str, labels), Fraction(0))
    for term in text.split(" + "):
        found = TERM.fullmatch(term)
        factor, label = found.groups() if found else (term, None)
        for each in row if label is None else [label]:
            row[each] += Fraction(factor or 1)
    return list(row.values())


def inequalities(loss):
    """Yield the inequalities of the rule, as they are printed: the larger side, the smaller one."""
    labels, told = loss.labels, rule(loss)
    for sentence in () if told is None else told.sentences:
        if len(labels) == 2:
            for bound in re.findall(r"(?:≤|up to) (about \S+|\S+(?: ≈ \S+)??)(?:;|$)", sentence):
                yield bound, f"P({labels[1]})"
        else:
            conditions = re.sub(r" \(\d+ decisions of one kind.*", "", sentence).partition("  when ")[2]
            for condition in conditions.split(" and ") if conditions else ():
                larger, smaller = condition.split(" ≥ ")
                several = smaller.removeprefix("each of ")
                yield from ((larger, each) for each in (several.split(", ") if several != smaller else [smaller]))


def scaled(row):
    """Return the row with coprime integers."""
    common = lcm(*(x.denominator for x in row))
    return primitive([int(x * common) for x in row])


def wrong(loss):
    """Return the inequalities that hold between no two decisions, but for those that are said to be rounded."""
    columns = list(zip(*loss.entries, strict=True))
    true = {scaled(minus(a, b)) for a in columns for b in columns if a != b}
    printed = [each for each in inequalities(loss) if not ROUNDED.search(" ".join(each))]
    return [each for each in printed if scaled(minus(*(side(part, loss.labels) for part in each))) not in true]


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_printed_inequalities_are_those_of_the_loss(every):
    losses = list(instances(every))
    assert {loss.name: wrong(loss) for loss in losses if wrong(loss)} == {}
    printed = [each for loss in losses for each in inequalities(loss)]
    assert len(printed) > 100
    assert not any(ROUNDED.search(" ".join(each)) for each in printed)


@pytest.mark.parametrize("cost", ["2/3", "1/7", "0.123456789", "1234567/4000001"])
def test_a_threshold_is_exact_or_said_to_be_about_so_much(cost):
    exact = threshold_text(Fraction(cost))
    assert exact.startswith("about ") or Fraction(exact.partition(" ≈ ")[0]) == Fraction(cost)
    assert wrong(cost_sensitive_binary(cost)) == []
    assert wrong(abstain(3, "1/3")) == []
    with as_fractions():
        assert threshold_text(Fraction(cost)) == str(Fraction(cost))


def test_two_long_thresholds_look_different():
    first, second = threshold_texts([Fraction(12340, 67891), Fraction(12341, 67891)])
    assert first != second


def test_factors_that_are_rounded_say_so():
    loss = lm.LossMatrix([[0, 1234567, 1], [4000000, 0, 2], [2469134, 5, 0]])
    assert "rounded" in str(rule(loss))
    with as_fractions():
        assert "rounded" not in str(rule(loss))


def test_a_rule_prints_as_its_lines():
    for loss in (ordinal(4), cost_sensitive_binary("1/6"), lm.LossMatrix([[0, 1], [0, 1]])):
        assert str(rule(loss)).splitlines() == rule(loss).lines()


# The worst case of acting on the most probable label.


def amounts(text):
    """Return what is taken, what is best, what is between them and the bound, as they are printed."""
    found = re.search(r"costs ([\d,.]+), .* costs ([\d,.]+), excess ([\d,.]+) \(at most ([\d,.]+) ", text)
    return [Fraction(each.replace(",", "")) for each in found.groups()]


@pytest.mark.parametrize(
    "loss",
    [
        lm.LossMatrix([[0, 5], [350, 20]], ["good", "fraud"], ["approve", "review"]),
        lm.LossMatrix([["1/3", 0, "1/7"], ["2/9", "5/7", "1/11"], ["1/13", "3/17", "2/3"]]),
        ordinal(5),
    ],
    ids=["costs", "fractions", "grades"],
)
def test_the_numbers_of_the_worst_case_are_those_of_one_distribution_and_subtract(loss):
    study = lm.analyze(loss)
    text = " ".join(str(study).split())
    taken, best, excess, bound = amounts(text)
    assert taken - best == excess <= bound
    risks = [1000 * x for x in loss.risk(study.acting.p)]
    for printed, exact in (
        (taken, risks[study.acting.decision]),
        (best, min(risks)),
        (excess, 1000 * study.acting.lost),
    ):
        assert abs(printed - exact) < 1
    assert bound >= 1000 * study.acting.at_most


@pytest.mark.parametrize(
    "pair", [("200/3", "100/3"), ("1e-30", 0), ("1e30", 1), (5, 5), ("66.75", "33.45"), ("2/3", "1/3")]
)
def test_two_sums_and_what_is_between_them_subtract(pair):
    larger, smaller = map(Fraction, pair)
    first, second, between = (Fraction(each.replace(",", "")) for each in difference(larger, smaller))
    assert abs(between - (larger - smaller)) <= max(larger - smaller, 1) / 100
    assert first - second == between or larger > 10**16


def test_and_so_do_those_of_a_counterexample():
    for line in lm.which(ordinal(3)):
        if line.price is not None:
            found = re.search(r"costs (\S+), \S+ costs (\S+), excess ([\d.,]*\d)", str(line.price)).groups()
            taken, best, excess = (Fraction(each.replace(",", "")) for each in found)
            assert taken - best == excess


def test_a_counterexample_names_the_decision_that_is_taken_whatever_the_order_of_the_decisions():
    rows = [[0, 1, 5], [2, 0, 1], [9, 4, 0]]
    turned = lm.LossMatrix([row[::-1] for row in rows], ["a", "b", "c"], ["c", "b", "a"])
    for line in lm.which(turned):
        if line.price is not None:
            assert line.price.taken[1] - line.price.best[1] == line.price.lost
