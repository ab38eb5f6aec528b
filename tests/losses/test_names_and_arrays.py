"""Names of decisions and of derived losses, renaming, arrays and data frames, expected losses of many cases."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import assert_quotes, refusal

import lossmith as lm
from lossmith import LossMatrix
from lossmith.errors import NotInstalled, TooLarge
from lossmith.losses import abstain, cost_sensitive_binary, ordinal, top_k, zero_one
from reference import dot

ROWS = [[0, 1, 4], [2, 0, 1], [9, 3, 0]]
NAMED = LossMatrix(ROWS, ["mild", "moderate", "severe"], ["home", "ward", "icu"], "triage")


# A square matrix with named labels decides for labels.


def test_the_decisions_of_a_square_matrix_are_called_like_its_labels():
    for entries in (ROWS, np.array(ROWS), pd.DataFrame(ROWS)):
        assert LossMatrix(entries, labels=["a", "b", "c"]).predictions == ("a", "b", "c")
        assert LossMatrix.from_gains(entries, labels=["a", "b", "c"]).predictions == ("a", "b", "c")


def test_decisions_with_names_of_their_own_or_of_another_number_are_not():
    frame = pd.DataFrame(ROWS, columns=["x", "y", "z"])
    assert LossMatrix(frame, labels=["a", "b", "c"]).predictions == ("x", "y", "z")
    assert LossMatrix(ROWS, ["a", "b", "c"], ["x", "y", "z"]).predictions == ("x", "y", "z")
    assert LossMatrix([[0, 1], [1, 0], [1, 1]], labels=["a", "b", "c"]).predictions == (0, 1)
    assert LossMatrix(ROWS).predictions == (0, 1, 2)
    assert LossMatrix(pd.DataFrame(ROWS, index=["a", "b", "c"])).predictions == (0, 1, 2)  # said by nobody


# Families.


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        (zero_one, {"n": 3}),
        (ordinal, {"n": 3, "power": 2}),
        (abstain, {"n": 3, "cost": "1/3"}),
        (top_k, {"n": 3, "k": 2}),
        (cost_sensitive_binary, {"c": "1/3"}),
    ],
)
def test_the_labels_of_a_family_can_be_named(family, parameters):
    plain, names = family(**parameters), ["low", "mid", "high"]
    names = names[: plain.n]
    loss = family(**parameters, labels=names)
    assert (loss.entries, loss.labels, loss.name) == (plain.entries, tuple(names), plain.name)
    number = dict(zip(map(str, plain.labels), names, strict=True))
    spelled = ["".join(number.get(part, part) for part in str(t)) for t in plain.predictions]
    assert [str(t) for t in loss.predictions] == spelled
    words = family.words(**parameters, labels=",".join(names))
    assert lm.affdim(words) == plain.affdim


def test_names_that_do_not_fit_are_refused():
    assert_quotes(refusal(zero_one, 3, labels=["a", "b"]), "2", "3")
    assert_quotes(refusal(zero_one, 2, labels=["a", "a"]), "'a'")
    assert_quotes(refusal(abstain, 2, labels=["a", "abstain"]), "'abstain'")
    assert_quotes(refusal(zero_one, 2, labels=5), "5")


# Renaming.


def test_names_are_changed_by_a_list_or_by_a_mapping():
    assert NAMED.rename(labels=["a", "b", "c"]).labels == ("a", "b", "c")
    assert NAMED.rename(labels={"mild": "light"}).labels == ("light", "moderate", "severe")
    changed = NAMED.rename(predictions={"icu": "intensive"}, name="clinic")
    assert (changed.predictions, changed.name) == (("home", "ward", "intensive"), "clinic")
    assert changed.entries == NAMED.entries
    assert NAMED.rename() == NAMED


def test_decisions_that_are_the_labels_follow_them():
    assert zero_one(2).rename(labels=["ham", "spam"]).predictions == ("ham", "spam")
    assert zero_one(2).rename(labels=["ham", "spam"], predictions=[0, 1]).predictions == (0, 1)
    assert NAMED.rename(labels=["a", "b", "c"]).predictions == NAMED.predictions


@pytest.mark.parametrize(
    ("names", "quotes"),
    [
        (["a", "b"], ("2", "3")),
        ({"mld": "a"}, ("'mld'", "'mild'")),
        ({"mild": "severe"}, ("'severe'",)),
        ("abc", ("'abc'",)),
    ],
)
def test_new_names_that_do_not_fit_are_refused(names, quotes):
    assert_quotes(refusal(NAMED.rename, labels=names), *quotes)


def test_a_loss_by_factors_stays_known_under_other_names():
    matrix = lm.losses.ndcg(2).matrix()
    assert matrix.rename(labels=[str(y) for y in range(matrix.n)]).written_from == matrix.written_from


# Names of losses that are made from others.


def test_a_part_of_a_loss_says_so():
    assert NAMED.restrict(labels=["mild", "severe"]).name == "triage on 2 of 3 labels"
    assert NAMED.restrict(predictions=["home"]).name == "triage with 1 of 3 decisions"
    assert NAMED.restrict(["mild", "severe"], ["icu"]).name == "triage on 2 of 3 labels with 1 of 3 decisions"
    assert NAMED.restrict(labels=["severe", "moderate", "mild"]).name == "triage"  # another order, nothing left out
    assert NAMED.restrict(labels=["mild", "severe"], name="cut").name == "cut"


def test_scaled_and_shifted_rows_say_so():
    assert NAMED.scale_rows({"mild": 2}).name == "triage with scaled rows"
    assert NAMED.shift_rows([1, 0, 0]).name == "triage with shifted rows"
    assert NAMED.scale_rows([1, 1, 1]).name == NAMED.shift_rows({}).name == "triage"
    assert NAMED.scale_rows([2, 2, 2], name="in cents").name == "in cents"
    assert "triage with scaled rows" in repr(NAMED.scale_rows({"mild": 2}))


# Arrays and data frames.


def test_entries_are_given_as_floats_or_exactly():
    loss = LossMatrix([[0, "1/3"], [1, 0]], labels=["a", "b"])
    assert loss.to_numpy().dtype == float
    assert loss.to_numpy()[0, 1] == 1 / 3
    assert loss.to_numpy(dtype=object)[0, 1] == Fraction(1, 3)
    loss.to_numpy()[0, 0] = 7  # a copy
    assert loss.to_numpy()[0, 0] == 0


def test_entries_beyond_floats_are_refused_and_exact_ones_are_not():
    loss = LossMatrix([[0, "1e400"], [1, 0]])
    with pytest.raises(TooLarge, match="dtype=object"):
        loss.to_numpy()
    assert loss.to_numpy(dtype=object)[0, 1] == 10**400
    assert loss.decide([[0.5, 0.5]]).tolist() == [0]  # ratios decide, whatever the unit


@pytest.mark.parametrize("loss", [NAMED, zero_one(3), abstain(3)], ids=lambda loss: loss.name)
def test_a_data_frame_brings_the_loss_back(loss):
    frame = loss.to_frame()
    assert (frame.index.name, frame.columns.name) == ("truth", "decision")
    assert LossMatrix(frame) == loss
    assert LossMatrix(loss.scale_rows(["1/3"] * 3).to_frame(dtype=object)) == loss.scale_rows(["1/3"] * 3)


def test_without_pandas_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(NotInstalled, match=r"pip install pandas.*to_numpy"):
        NAMED.to_frame()


# Expected losses.


@given(st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=1, max_size=4))
def test_the_risks_of_many_cases_are_those_of_each(weights):
    P = [[Fraction(x, sum(row)) for x in row] for row in weights]
    exact = [NAMED.risk(p) for p in P]
    assert exact == [tuple(dot(p, NAMED.column(t)) for t in range(3)) for p in P]
    floats = np.array([[float(x) for x in p] for p in P])
    told = NAMED.risk(floats, classes=NAMED.labels)
    assert told.shape == (len(P), 3)
    assert np.allclose(told, [[float(x) for x in row] for row in exact], rtol=1e-14)
    assert np.array_equal(NAMED.bayes_risk(floats, classes=NAMED.labels), told.min(axis=1))
    frame = pd.DataFrame(floats, columns=list(NAMED.labels))
    assert np.allclose(NAMED.risk(frame[["severe", "mild", "moderate"]]), told, rtol=1e-14)
    assert NAMED.bayes_risk(P[0]) == min(exact[0])


def test_cases_whose_columns_could_be_in_another_order_are_refused():
    unsorted = NAMED.rename(labels=["b", "c", "a"])
    for message in (refusal(unsorted.risk, np.eye(3)), refusal(unsorted.bayes_risk, [[1, 0, 0]])):
        assert_quotes(message, "P", "('b', 'c', 'a')", "classes=loss.labels")
    assert unsorted.risk([1, 0, 0]) == (0, 1, 4)  # one list is in the order of the rows


@pytest.mark.parametrize(
    ("P", "quotes"),
    [
        ([[0.5, 0.6, 0.1]], ("0", "1")),
        ([[1.5, -0.5, 0]], ("0", "1")),
        ([[float("nan"), 0.5, 0.5]], ("0", "1")),
        ([[0.5, 0.5]], ("3",)),
    ],
)
def test_cases_that_are_no_distributions_are_refused(P, quotes):
    assert_quotes(refusal(zero_one(3).risk, P), *quotes)


def test_classes_belong_to_tables():
    assert_quotes(refusal(NAMED.risk, [1, 0, 0], classes=NAMED.labels), "risk([p], classes=…)")
