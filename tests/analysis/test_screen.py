"""What a practitioner sees first: the rule, what acting on the most probable label costs, lines that do it right."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

import lossmith as lm
from command import lossmith
from losses.refusal import assert_quotes
from lossmith.losses import abstain, hamming, ordinal, top_k, zero_one
from strategies import examples, loss_rows

FRAUD = lm.LossMatrix([[0, 5, "25.5"], ["350.75", 20, 0]], ["ok", "fraud"], ["approve", "review", "decline"], "fraud")
TRIAGE = lm.LossMatrix(
    [[0, 1, 4, 8, 10], [10, 3, 1, 5, 4], [60, 35, 12, 9, 0]],
    labels=["mild", "moderate", "severe"],
    predictions=["home", "clinic", "ward", "transfer", "icu"],
    name="triage",
)


def rule_of(study):
    return str(study).split("\n\n")[2]


def test_two_labels_are_decided_by_thresholds_in_one_sentence():
    # Where two lines meet: 5(1 − p) + 20p = 350.75p at 5/335.75, and 25.5(1 − p) = 5(1 − p) + 20p at 20.5/40.5.
    rule = r"approve when P\(fraud\) ≤ 20/1343 ≈ 0\.0149; review .* 41/81 ≈ 0\.506; .* decline"
    assert re.search(rule, str(lm.analyze(FRAUD)))


def test_ordered_decisions_are_a_ladder_of_conditions():
    assert rule_of(lm.analyze(TRIAGE)).splitlines()[1:] == [
        "  home    when P(mild) ≥ 7 P(moderate) + 25 P(severe)",
        "  clinic  when 3 P(mild) ≥ 2 P(moderate) + 23 P(severe)",
        "  ward    when 2 P(mild) + P(moderate) ≥ 4 P(severe)",
        "  icu     else",
    ]


def test_a_reject_option_is_a_threshold():
    lines = rule_of(lm.analyze(abstain(4, "1/10"))).splitlines()
    assert lines[1:3] == ["  0        when P(0) ≥ 0.9", "  1        when P(1) ≥ 0.9"]
    assert lines[5] == "  abstain  when 0.9 ≥ each of P(0), P(1), P(2), P(3)"


def test_decisions_of_one_kind_are_told_once():
    rule = " ".join(rule_of(lm.analyze(zero_one(10))).split())
    assert_quotes(rule, "10")
    assert rule.count("P(9)") == 1  # for nine decisions there is no condition


def worst_of_argmax(loss):
    """Over all uniform distributions on sets of labels: with ties the argmax may be any of them."""
    named, worst = set(loss.labels) <= set(loss.predictions), Fraction(0)
    for size in range(1, loss.n + 1):
        for members in combinations(range(loss.n), size):
            p = [Fraction(int(y in members), size) for y in range(loss.n)]
            risks = loss.risk(p)
            for y in members:
                row = loss.entries[y]
                act = loss.predictions.index(loss.labels[y]) if named else row.index(min(row))
                worst = max(worst, risks[act] - min(risks))
    return worst


@examples(4)
@given(loss_rows(), st.booleans())
def test_what_acting_on_the_most_probable_label_costs_at_most_is_found_without_a_search(rows, named):
    loss = lm.LossMatrix(rows, predictions=None if named else [f"do {t}" for t in range(len(rows[0]))])
    found = lm.analyze(loss).acting
    assert (0 if found is None else found.at_most) == worst_of_argmax(loss)
    if found is not None:
        risks = loss.risk(found.p)
        assert max(found.p) == found.p[found.label] > max(x for y, x in enumerate(found.p) if y != found.label)
        assert found.lost == risks[found.decision] - min(risks) <= found.at_most


@pytest.mark.parametrize("loss", [zero_one(7), ordinal(6), abstain(5), top_k(5, 2), hamming(3)], ids=str)
def test_and_by_one_label_of_each_kind_where_labels_can_be_exchanged(loss):
    found = lm.analyze(loss).acting
    assert (0 if found is None else found.at_most) == worst_of_argmax(loss)


def random_costs(n, k, seed, digits):
    costs = np.random.default_rng(seed).random((n, k)) * 1000
    return lm.LossMatrix(costs.round(digits) if digits else costs, [f"label {y}" for y in range(n)])


@pytest.mark.parametrize("digits", [pytest.param(0, marks=pytest.mark.exhaustive), 2])
@pytest.mark.parametrize(
    ("n", "k"),
    [
        (2, 2),
        (2, 5),
        (8, 8),
        *(pytest.param(*size, marks=pytest.mark.exhaustive) for size in ((3, 3), (4, 6), (20, 20))),
    ],
)
def test_lines_are_short_and_fractions_shorter_and_the_rule_stands_on_the_first_screen(n, k, digits):
    study = lm.analyze(random_costs(n, k, n + k, digits))
    for text in (
        str(study),
        study.theory,
        str(lm.ccdim(study.loss)),
        str(lm.check(lm.surrogates.softmax(n), study.loss)),
    ):
        assert max(map(len, text.splitlines())) <= 120
        assert all(len(a) + len(b) <= 6 for a, b in re.findall(r"(\d+)/(\d+)", text))
    assert rule_of(study) in "\n".join(str(study).splitlines()[:25])
    assert len(str(study).splitlines()) < 45


@pytest.mark.parametrize(
    "loss",
    [FRAUD, *(pytest.param(each, marks=pytest.mark.exhaustive) for each in (TRIAGE, ordinal(4), abstain(3, "1/5")))],
    ids=lambda loss: loss.name,
)
def test_the_printed_lines_decide_better_than_acting_on_the_most_probable_label(loss):
    """On data drawn from near where that loses most: every label occurs."""
    study = lm.analyze(loss)
    p = 0.98 * np.array(study.acting.p, dtype=float) + 0.02 / loss.n
    generator = np.random.default_rng(0)
    truth = generator.choice(loss.n, 600, p=p)
    X, y = np.zeros((600, 1)), np.array([loss.labels[i] for i in truth])
    model = LogisticRegression().fit(X, y)
    [deciding, training] = [line.strip() for line in str(study).splitlines() if line.startswith("  decisions = ")]
    costs = np.array(loss.entries, dtype=float)

    def mean_cost(line):
        names = {"lm": lm, "loss": loss, "model": model, "X": X, "y": y, "X_new": X}
        exec(line, names)
        return costs[truth, [loss.predictions.index(decision) for decision in names["decisions"].tolist()]].mean()

    lazy = costs[truth, study.acting.decision].mean()
    assert mean_cost(deciding) < lazy
    assert mean_cost(training) < lazy


def test_the_command_prints_the_line_that_reads_the_costs_and_it_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TRIAGE.to_csv("costs.csv")
    for words, loss in (("costs.csv", TRIAGE), ("abstain:n=3,cost=1/5", abstain(3, "1/5"))):
        [line] = [each for each in lossmith("analyze", words).stdout.splitlines() if each.startswith("  loss = ")]
        names = {"lm": lm}
        exec(line.strip(), names)
        assert names["loss"] == loss


def test_theory_exact_and_full_are_one_flag_away():
    assert "CCdim = 1" in lossmith("analyze", "ordinal:n=3", "--theory").stdout
    assert "0.25" in lossmith("analyze", "abstain:n=3,cost=1/4").stdout
    assert "1/4" in lossmith("analyze", "abstain:n=3,cost=1/4", "--exact").stdout
    assert lossmith("analyze", "ordinal:n=20", "--full").stdout.count(" when ") == 19
    assert lossmith("analyze", "ordinal:n=20").stdout.count(" when ") < 12


def test_a_factor_stays_with_its_probability():
    loss = lm.LossMatrix(
        [[0, 17, 31], [23, 0, 19], [29, 41, 0], [37, 13, 11]],
        labels=["mild disease", "moderate disease", "severe disease", "rare complication"],
        predictions=["stay at home", "go to the clinic", "stay overnight"],
    )
    text = lm.analyze(loss).theory
    assert re.search(r"\d P\(rare complication\)", text)
    assert not re.search(r"\d\n +P\(|P\([^()]*\n", text)


def test_one_is_one():
    loss = lm.LossMatrix([[1], [2]], name="none")
    for text in (f"{lm.analyze(loss)}", f"{lm.sensitivity(loss)}", lm.report(loss).to_html(), repr(loss)):
        assert "2 labels" in text
        assert re.search(r"\b1 (decision|prediction)\b", text)
        assert not re.search(r"\b1 (label|decision|prediction|example|case|cell)s\b", text)
