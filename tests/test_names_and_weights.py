"""What a new user met: names in another order, weights that a model was trained with, codes, long names."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, SGDClassifier

import lossmith as lm
from command import lossmith
from test_advice_as_printed import recipe_in

PERMUTED = lm.LossMatrix([[1, 0, 1], [1, 1, 0], [0, 1, 1]], ["a", "b", "c"], ["c", "a", "b"])


@pytest.mark.parametrize("surrogate", ["softmax", "one-vs-all-logistic", "lee-lin-wahba"])
def test_argmax_says_labels_by_name_also_where_the_decisions_stand_in_another_order(surrogate):
    # 0-1 loss, its columns permuted: for each of these argmax is right.
    assert lm.check(surrogate, PERMUTED, pred="argmax").status == "calibrated"


def test_a_surrogate_made_for_a_loss_has_its_scores_in_the_order_of_the_decisions():
    psi = lm.surrogates.cost_weighted_hinge(PERMUTED)
    assert lm.check(psi, PERMUTED, pred="argmax").status == "calibrated"
    assert lm.check(psi, PERMUTED, pred="argmax").pred([2, -1, -1]) == 0


def test_class_weights_of_a_model_count():
    weighted = lm.which(lm.losses.zero_one(3), LogisticRegression(class_weight={0: 1, 1: 1, 2: 5}))
    [line] = weighted
    assert line.verdict.status == "not calibrated"
    [plain] = lm.which(lm.losses.zero_one(3), LogisticRegression())
    assert plain.verdict.status == "calibrated"
    balanced = lm.which(lm.losses.zero_one(3), LogisticRegression(class_weight="balanced"))
    assert "class_weight='balanced'" in balanced.note


def test_weights_against_the_rest_alone_are_not_divided_out():
    generator = np.random.default_rng(0)
    y = generator.choice(["a", "b", "c"], 600)
    model = SGDClassifier(loss="log_loss", class_weight={"a": 5}, random_state=0).fit(np.zeros((600, 1)), y)
    loss = lm.LossMatrix(lm.losses.zero_one(3).entries, ["a", "b", "c"])
    with pytest.warns(UserWarning, match="class_weight"):
        loss.decide(model, np.zeros((1, 1)))
    lines = {line.practice.trains: line for line in lm.which(loss, class_weight=[5, 1, 1])}
    assert lines["one-vs-all squared hinge"].verdict is None
    assert "class_weight" in lines["one-vs-all squared hinge"].advice


def test_regressors_are_known():
    trained = {line.practice.trains for line in lm.which(lm.losses.ordinal(3), LinearRegression())}
    assert trained == {"squares on grades", "absolute deviation"}


def test_codes_with_zeros_in_front_are_text_and_can_be_learned(tmp_path):
    lm.losses.hamming(3).to_csv(tmp_path / "tags.csv")
    loss = lm.LossMatrix.from_file(tmp_path / "tags.csv")
    assert loss.labels == lm.losses.hamming(3).labels


def test_the_recipe_of_the_theory_runs_for_two_labels():
    loss = lm.LossMatrix([[0, 1], [5, 0]], ["well", "ill"], ["wait", "treat"])
    printed = "\n".join(recipe_in(lm.analyze(loss).theory))
    names = {"lm": lm, "Ridge": Ridge, "loss": loss, "X": np.eye(2)[[0, 0, 1, 1]], "X_new": np.eye(2)}
    exec("\n".join(line.strip() for line in printed.splitlines()), names | {"y": ["well", "well", "ill", "ill"]}, names)
    assert names["decisions"].tolist() == ["wait", "treat"]


def test_long_names_leave_columns_out(tmp_path):
    names = [f"a rather long name of number {i}" for i in range(6)]
    lm.LossMatrix(lm.losses.zero_one(6).entries, names).to_csv(tmp_path / "long.csv")
    told = lossmith("analyze", "long.csv", cwd=tmp_path).stdout
    assert max(map(len, told.splitlines())) <= 120


def test_what_is_lost_at_most_is_rounded_up():
    # The worst is at 1/2, 1/2: (12.477 − 1)/2 per case, which is 5738.5 per 1000.
    study = lm.analyze(lm.LossMatrix([[0, 1], ["12.477", 0]], predictions=["a", "b"]))
    assert re.search(r"\b5,739\b", str(study))


def test_an_estimator_that_nobody_has_is_refused_before_anything_is_said(tmp_path):
    (tmp_path / "costs.csv").write_text("truth,approve,decline\nok,0,5\nfraud,9,0\n")
    run = lossmith("which", "costs.csv", "--estimator", "LogsticRegression", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
