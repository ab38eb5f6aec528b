"""Tasks as new users have them: the first screen tells the rule, and what it prints costs less than argmax."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import lossmith as lm
from command import lossmith

NAMES = ["owl", "ant", "yak", "bee", "fox", "cow", "elk", "hen", "ram", "bat"]
TREE = {"food": ["apple", "bread"], "tools": ["saw", "axe", "drill"]}
WEIGHTS = (1, 2.5)


def random_costs(names):
    costs = np.random.default_rng(3).uniform(1, 90, (len(names), len(names))).round(2)
    np.fill_diagonal(costs, 0)
    return lm.LossMatrix(costs, names, name="animals")


TASKS = {
    "fraud 2 × 2": lm.LossMatrix([[0, 5], [350.75, 0]], ["ok", "fraud"], ["approve", "decline"]),
    "fraud 2 × 3": lm.LossMatrix([[0, 5, 25.5], [350.75, 20, 0]], ["ok", "fraud"], ["approve", "review", "decline"]),
    "severity 5 × 5": lm.LossMatrix(
        [[abs(y - t) * (3 if t < y else 1) for t in range(5)] for y in range(5)], ["none", "low", "mid", "high", "top"]
    ),
    "triage 4 × 6": lm.LossMatrix(
        [[0, 1, 4, 8, 10, 20], [6, 2, 1, 4, 7, 15], [30, 12, 5, 2, 3, 8], [90, 60, 30, 9, 4, 0]],
        ["well", "mild", "bad", "severe"],
        ["home", "phone", "clinic", "ward", "icu", "surgery"],
    ),
    "reject at 0.1": lm.losses.abstain(3, cost=0.1),
    "product hierarchy": lm.losses.hierarchical(TREE),
    "weighted tags": lm.LossMatrix.from_function(
        lambda y, t: sum(w for w, a, b in zip(WEIGHTS, y, t) if a != b), ["00", "01", "10", "11"]
    ),
    "twenty labels": random_costs([f"{a} {b}" for a in ("old", "new") for b in NAMES]),
    "gains": lm.LossMatrix.from_gains([[30, 0, 45], [-1, 0, -6]], ["buyer", "no"], ["mail", "wait", "call"]),
}


@pytest.fixture(params=[*list(TASKS)[:-2], "gains", pytest.param("twenty labels", marks=pytest.mark.exhaustive)])
def loss(request):
    return TASKS[request.param]


def test_the_rule_is_on_the_first_screen_and_says_what_decide_does(loss, tmp_path):
    loss.to_csv(tmp_path / "costs.csv")
    run = lossmith("analyze", "costs.csv", cwd=tmp_path)
    lines = run.stdout.splitlines()
    assert (run.returncode, run.stderr) == (0, "")
    assert max(map(len, lines)) <= 120
    rule = lm.analyze(loss).rule
    assert rule is None or rule.heading in lines[:25]
    [read] = [line.strip() for line in lines if line.startswith("  loss = ")]
    names = {"lm": lm}
    exec(read.replace('"costs.csv"', repr(str(tmp_path / "costs.csv"))), names)
    assert names["loss"].entries == loss.entries


@pytest.mark.exhaustive
def test_the_printed_lines_cost_no_more_than_argmax_where_that_costs_most(loss):
    study = lm.analyze(loss)
    if study.acting is None:
        pytest.fail("each of these costs makes argmax wrong somewhere")
    generator = np.random.default_rng(1)
    p = 0.96 * np.array(study.acting.p, dtype=float) + 0.04 / loss.n
    truth = np.concatenate([np.arange(loss.n), generator.choice(loss.n, 800, p=p)])
    X, y = np.zeros((len(truth), 1)), np.array([loss.labels[i] for i in truth])
    model = LogisticRegression().fit(X, y)
    costs = np.array(loss.entries, dtype=float)
    lazy = costs[truth, study.acting.decision].mean()
    printed = [line.strip() for line in str(study).splitlines() if line.startswith("  decisions = ")]
    assert len(printed) == 2
    for line in printed:
        names = {"lm": lm, "loss": loss, "model": model, "X": X, "y": y, "X_new": X}
        exec(line, names)
        decided = [loss.predictions.index(decision) for decision in names["decisions"].tolist()]
        assert costs[truth, decided].mean() < lazy
