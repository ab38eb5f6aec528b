"""Costs that differ from example to example, against loops that follow the definition."""

from __future__ import annotations

import pickle
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from refusal import assert_quotes, refusal
from sklearn.linear_model import LogisticRegression

from lossmith import ExampleCosts, LossMatrix
from lossmith.losses import zero_one

FRAUD = ExampleCosts([[0, 5], ["amount", 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
NAMES = LossMatrix([[0, 5], [1, 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
FRAME = pd.DataFrame({"amount": [30.0, 800.0, 49.0, 51.0], "rate": [0.1, 0.2, 0.3, 0.4]})
P = np.array([[0.9, 0.1]] * 4)
ORDER = ["legit", "fraud"]


def test_an_entry_is_the_value_of_its_column():
    given = FRAUD.at(FRAME)
    assert given.shape == (4, 2, 2)
    assert given.tolist() == [[[0, 5], [amount, 5]] for amount in FRAME["amount"]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("amount * rate", lambda row: row.amount * row.rate),
        ("0.2*amount + 5", lambda row: 0.2 * row.amount + 5),
        ("max(amount, 100) - min(rate, 1)", lambda row: max(row.amount, 100) - min(row.rate, 1)),
        ("-(1 - amount) / 2", lambda row: (row.amount - 1) / 2),
        ("1/3", lambda row: 1 / 3),
    ],
)
def test_a_formula_is_evaluated_row_by_row(text, value):
    told = ExampleCosts([[0, 1], [text, 0]]).at(FRAME)[:, 1, 0]
    assert told == pytest.approx([value(row) for row in FRAME.itertuples()])


def test_a_column_may_have_any_name():
    frame = pd.DataFrame({"amount - fee": [1.0], "monthly fee (€)": [2.0], "amount": [50.0], "fee": [20.0]})
    assert ExampleCosts([["amount - fee", "monthly fee (€)"], [0, 0]]).at(frame)[0, 0].tolist() == [1, 2]


def test_decisions_have_the_least_expected_cost_of_their_example():
    generator = np.random.default_rng(0)
    for m, n, k in ((7, 2, 2), (20, 3, 5), (11, 4, 3)):
        Q, costs = generator.dirichlet(np.ones(n), m), generator.uniform(0, 9, (m, n, k))
        decided = LossMatrix(np.zeros((n, k))).decide(Q, costs=costs)
        for i in range(m):
            risks = [sum(Q[i, y] * costs[i, y, t] for y in range(n)) for t in range(k)]
            assert decided[i] == risks.index(min(risks))


def test_a_missed_fraud_costs_its_amount():
    # P(fraud) = 1/10: paying costs amount/10, reviewing costs 5.
    expected = ["pay" if amount < 50 else "review" for amount in FRAME["amount"]]
    amounts = FRAME["amount"].to_numpy()
    as_array = np.array([[[0, 5], [amount, 5]] for amount in amounts])
    for costs in (
        FRAUD,
        as_array,
        [[0, 5], ["amount", 5]],
        [[0, 5], [amounts, "5"]],
        lambda row: [[0, 5], [row["amount"], 5]],
    ):
        assert NAMES.decide(P, FRAME, classes=ORDER, costs=costs).tolist() == expected
    assert FRAUD.decide(P, FRAME, classes=ORDER).tolist() == expected
    assert FRAUD.decide(P[:, ::-1], FRAME, classes=["fraud", "legit"]).tolist() == expected
    assert FRAUD.decide(pd.DataFrame(P, columns=ORDER), FRAME).tolist() == expected
    assert NAMES.decide(P[0], classes=ORDER, costs=as_array[1:2]) == "review"


def test_costs_by_name_may_stand_in_another_order():
    turned = ExampleCosts([[5, "amount"], [5, 0]], labels=["fraud", "legit"], predictions=["review", "pay"])
    assert (
        NAMES.decide(P, FRAME, classes=ORDER, costs=turned).tolist() == FRAUD.decide(P, FRAME, classes=ORDER).tolist()
    )
    assert (
        NAMES.decide(P, classes=ORDER, costs=NAMES.restrict(["fraud", "legit"], ["review", "pay"])).tolist()
        == NAMES.decide(P, classes=ORDER).tolist()
    )


def test_a_frame_of_costs_is_read_by_its_names():
    turned = pd.DataFrame([[5, "amount"], [5, 0]], index=["fraud", "legit"], columns=["review", "pay"])
    assert NAMES.decide(P, FRAME, classes=ORDER, costs=turned).tolist() == ["pay", "review", "pay", "review"]
    same = pd.DataFrame([[5, 30], [5, 0]], index=["fraud", "legit"], columns=["review", "pay"])
    assert NAMES.decide(P, classes=ORDER, costs=same).tolist() == ["pay"] * 4


def test_a_model_is_asked_for_its_probabilities():
    generator = np.random.default_rng(1)
    X = pd.DataFrame({"amount": generator.uniform(1, 100, 60), "x": generator.standard_normal(60)})
    y = np.where(X["x"] + generator.standard_normal(60) > 1, "fraud", "legit")
    model = LogisticRegression().fit(X[["x"]], y)
    with pytest.raises(ValueError, match="feature names"):
        FRAUD.decide(model, X)  # it was not trained on the amount
    decided = FRAUD.decide(model.predict_proba(X[["x"]]), X, classes=model.classes_)
    fraud = model.predict_proba(X[["x"]])[:, 0]
    assert decided.tolist() == ["pay" if p * a <= 5 else "review" for p, a in zip(fraud, X["amount"], strict=True)]


def test_the_mean_is_a_loss_matrix():
    assert FRAUD.mean(FRAME) == LossMatrix([[0, 5], [232.5, 5]], FRAUD.labels, FRAUD.predictions)


def test_costs_are_values():
    assert pickle.loads(pickle.dumps(FRAUD)) == FRAUD == deepcopy(FRAUD)
    assert hash(FRAUD) == hash(deepcopy(FRAUD))
    assert ExampleCosts([[0, 5], ["sum", 5]], labels=["legit", "fraud"], predictions=["pay", "review"]) != FRAUD
    assert "<td>amount</td>" in FRAUD._repr_html_()
    assert "by ('amount')" in repr(FRAUD)


@pytest.mark.parametrize(
    ("entries", "quotes"),
    [
        ([[0, -1], [1, 0]], ("0", "1", "-1")),
        ([[0, ""], [1, 0]], ("0", "1")),
        ([[0, None], [1, 0]], ("0", "1")),
        ([[0, 1]], ("0",)),
    ],
)
def test_what_is_no_table_of_costs_is_refused(entries, quotes):
    assert_quotes(refusal(ExampleCosts, entries), *quotes)


@pytest.mark.parametrize(
    ("text", "X", "quotes"),
    [
        ("amout", FRAME, ("'amout'", "'amount'")),
        ("2 * amout", FRAME, ("'amout'",)),
        ("the amount", FRAME, ("'the amount'",)),
        ("amount", FRAME.to_numpy(), ("X",)),
        ("amount", None, ("'amount'", "X")),
        ("__import__('os').getcwd()", FRAME, ("\"__import__('os').getcwd()\"", "X")),
        ("amount ** 9", FRAME, ("'amount ** 9'", "X")),
        ("amount / 0", FRAME, ("0", "1", "inf")),
        ("rate - amount", FRAME, ("0", "1", "-29.9")),
        ("name", pd.DataFrame({"name": ["x"]}), ("'name'", "X")),
    ],
)
def test_text_that_tells_no_costs_is_refused(text, X, quotes):
    assert_quotes(refusal(ExampleCosts([[0, 1], [text, 0]]).at, X), *quotes)


@pytest.mark.parametrize(
    ("costs", "quotes"),
    [
        (np.zeros((3, 2, 2)), ("(3, 2, 2)", "4", "2", "(4, 2, 2)")),
        (FRAME["amount"], ("(4,)", "4", "2", "(4, 2, 2)")),
        (np.full((4, 2, 2), np.nan), ("0", "'pay'", "'legit'", "nan")),
        (lambda row: [[0, 1]], ("0", "(1, 2)", "(2, 2)")),
        (lambda row: "much", ("0",)),
        (
            [[0, 1], [[1, 2], 0]],
            ("'pay'", "'fraud'", "[1, 2]", "4"),
        ),
        ([[0, 1, 2], [1, 0, 2]], ("2", "('pay', 'review')", "3")),
        ("amount", ("'amount'", "m × n × k")),
        (zero_one(2), ("zero_one(n=2)", "(0, 1)", "('legit', 'fraud')")),
    ],
)
def test_costs_that_do_not_fit_are_refused(costs, quotes):
    def decide():
        return NAMES.decide(P, FRAME, classes=ORDER, costs=costs)

    assert_quotes(refusal(decide), *quotes)


def test_the_example_is_told_whose_row_lacks_a_column():
    with pytest.raises(KeyError, match="amout") as told:
        NAMES.decide(P, FRAME, classes=ORDER, costs=lambda row: [[0, 5], [row["amout"], 5]])
    [note] = told.value.__notes__
    assert_quotes(note, "0", "X")


def test_no_examples_have_no_mean():
    assert_quotes(refusal(FRAUD.mean, FRAME[:0]), "X")


def test_a_function_needs_the_examples():
    def decide():
        return NAMES.decide(P, classes=ORDER, costs=lambda row: [[0, 1], [1, 0]])

    assert_quotes(refusal(decide), "X")
