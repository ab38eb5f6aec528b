"""What is said of estimators without a surrogate and of objectives, of the worst case of argmax, and of thresholds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from printed import messages

import lossmith as lm
from lossmith.boosting import lightgbm_objective, xgboost_objective
from lossmith.losses import abstain, cost_sensitive_binary, zero_one
from lossmith.surrogates import softmax
from lossmith.text.numbers import as_fractions


class Model:
    def __init__(self, **parameters):
        self.parameters = parameters

    def get_params(self, deep=True):
        return self.parameters


class LGBMClassifier(Model):
    pass


class XGBClassifier(Model):
    pass


def own(labels, scores):
    return scores - labels, scores


REFUSED = {
    "a function of one's own": lambda: lm.which(zero_one(3), LGBMClassifier(objective=own)),
    "an objective without a line": lambda: lm.which(zero_one(3), XGBClassifier(objective="binary:hinge")),
    "another number of labels": lambda: lm.which(zero_one(4), xgboost_objective(softmax(3))),
    "labels that are not sorted": lambda: lm.which(
        lm.LossMatrix([[0, 1], [5, 0]], ["well", "ill"]), LGBMClassifier(objective=lightgbm_objective(softmax(2)))
    ),
}


def test_messages(snapshot):
    assert messages(REFUSED) == snapshot


@pytest.mark.parametrize(
    "estimator",
    ["GaussianNB", LGBMClassifier(objective=lightgbm_objective(softmax(3))), xgboost_objective(softmax(3))],
    ids=["no surrogate", "an objective of ours in LightGBM", "the objective alone"],
)
def test_a_practice(estimator, snapshot):
    assert str(lm.which(abstain(3), estimator)) == snapshot


COSTS = lm.LossMatrix([["1/3", 0, "1/7"], ["2/9", "5/7", "1/11"], ["1/13", "3/17", "2/3"]], list("abc"), list("xyz"))


def test_thresholds_and_worst_cases(snapshot):
    told = [lm.analyze(cost_sensitive_binary(Fraction(cost))).rule for cost in ("1/2", "2/3", "123456/654321")]
    with as_fractions():
        told.append(lm.analyze(cost_sensitive_binary("2/3")).rule)
    assert "\n".join([*map(str, told), str(lm.analyze(COSTS))]) == snapshot
