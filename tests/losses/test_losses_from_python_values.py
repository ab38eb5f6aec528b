"""Loss matrices from Python values: lists, arrays, data frames, functions, gains."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import assert_quotes, refusal

from lossmith import LossMatrix

F = Fraction
TENTH = ((F(0), F(1, 10)), (F(1), F(0)))


# The same matrix in many guises.


@pytest.mark.parametrize(
    "entries",
    [
        [[0, 0.1], [1, 0]],
        ((0, 0.1), (1, 0)),
        [["0", "0.1"], ["1", "0"]],
        [[0, "1/10"], ["10/10", " 0 "]],
        [[0, F(1, 10)], [F(1), F(0)]],
        [[0, Decimal("0.1")], [Decimal(1), Decimal("0.00")]],
        [[False, np.float32(0.1)], [True, np.int8(0)]],
        [np.array([0, 0.1], dtype=np.float32), np.array([1, 0])],
        np.array([[0, 0.1], [1, 0]]),
        np.array([[0, 0.1], [1, 0]], dtype=np.float32),
        np.array([[0, 0.1], [1, 0]], dtype=np.float16),
        np.array([[0, F(1, 10)], ["1", Decimal(0)]], dtype=object),
        np.array([["0", "1/10"], ["1", "0"]]),
        np.asfortranarray([[0, 0.1], [1, 0]]),
        pd.DataFrame([[0, 0.1], [1, 0]]),
        pd.DataFrame(np.array([[0, 0.1], [1, 0]], dtype=np.float32)),
        pd.DataFrame([["0", "1/10"], ["1", "0"]]),
        pd.DataFrame({0: [0, 1], 1: np.array([0.1, 0], dtype=np.float32)}),
        pd.DataFrame({0: pd.array([0, 1], dtype="Int64"), 1: pd.array([0.1, 0], dtype="Float32")}),
    ],
)
def test_a_tenth_is_a_tenth_in_any_container(entries):
    loss = LossMatrix(entries)
    assert loss.entries == TENTH
    assert all(type(entry) is Fraction for row in loss.entries for entry in row)
    assert (loss.n, loss.k, loss.labels, loss.predictions) == (2, 2, (0, 1), (0, 1))


def test_rows_may_come_from_generators():
    assert LossMatrix(iter(row) for row in [(0, 0.1), (1, 0)]).entries == TENTH


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32, float, object])
def test_zeros_and_ones_are_read_from_arrays_of_every_kind(dtype):
    assert LossMatrix(np.array([[0, 1], [1, 0]], dtype=dtype)) == LossMatrix([[0, 1], [1, 0]])


def test_integers_beyond_64_bits_stay_exact():
    huge = 2**200 + 1
    for entries in ([[0, huge], [1, 0]], [[0, str(huge)], [1, 0]], np.array([[0, huge], [1, 0]], dtype=object)):
        assert LossMatrix(entries).entries[0][1] == huge
    assert LossMatrix(np.array([[0, 2**64 - 1], [1, 0]], dtype=np.uint64)).entries[0][1] == 2**64 - 1


def test_a_data_frame_brings_the_names_of_its_rows_and_columns():
    frame = pd.DataFrame([[0, 1, 2], [3, 0, 1]], index=["mild", "severe"], columns=["home", "ward", "icu"])
    loss = LossMatrix(frame)
    assert (loss.labels, loss.predictions) == (("mild", "severe"), ("home", "ward", "icu"))
    assert loss.entries == ((0, 1, 2), (3, 0, 1))
    assert LossMatrix(frame, labels=["a", "b"]).labels == ("a", "b")
    assert LossMatrix(frame.loc[["severe", "mild"]]).entries == ((3, 0, 1), (0, 1, 2))


def test_names_from_numpy_are_plain_python_names():
    loss = LossMatrix([[0, 1], [1, 0]], labels=np.array([3, 5]), predictions=np.array(["a", "b"]))
    assert [type(name) for name in (*loss.labels, *loss.predictions)] == [int, int, str, str]


def test_a_function_sees_plain_numbers_so_that_small_integers_do_not_wrap_around():
    loss = LossMatrix.from_function(lambda y, t: abs(y - t), labels=np.arange(3, dtype=np.uint8))
    assert loss.entries == ((0, 1, 2), (1, 0, 1), (2, 1, 0))
    assert loss == LossMatrix.from_function(lambda y, t: abs(y - t), labels=range(3), predictions=iter(range(3)))


def test_a_function_may_have_predictions_that_are_no_labels():
    loss = LossMatrix.from_function(lambda y, t: len(t) * y, labels=[1, 2], predictions=["a", "bcd"], name="odd")
    assert (loss.entries, loss.predictions, loss.name) == (((1, 3), (2, 6)), ("a", "bcd"), "odd")


@given(st.lists(st.lists(st.fractions(-9, 9), min_size=3, max_size=3), min_size=2, max_size=4))
def test_gains_become_losses_by_a_row_shift_that_makes_the_best_one_free(gains):
    loss = LossMatrix.from_gains(gains)
    for gain, row in zip(gains, loss.entries, strict=True):
        assert min(row) == 0
        assert {a + b for a, b in zip(gain, row, strict=True)} == {max(gain)}


def test_gains_may_come_in_a_data_frame():
    loss = LossMatrix.from_gains(pd.DataFrame([[5, -2], [0, 3]], index=["a", "b"], columns=["x", "y"]))
    assert loss == LossMatrix([[0, 7], [3, 0]], labels=["a", "b"], predictions=["x", "y"])


# Values.


def test_losses_compare_and_hash_by_value_and_not_by_name():
    one = LossMatrix([[0, "1/2"], [2, 0]], name="one")
    other = LossMatrix([["0", 0.5], ["2", 0]], name="other")
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, LossMatrix([[0, 1], [2, 0]])}) == 2
    assert one != LossMatrix([[0, "1/2"], [2, 0]], labels=["a", "b"])
    assert one != LossMatrix([[0, "1/2"], [2, 0]], predictions=["a", "b"])
    assert one != LossMatrix([[0, "1/2", 0], [2, 0, 0]])
    assert one != one.entries


@given(st.lists(st.lists(st.fractions(0, 9), min_size=2, max_size=2), min_size=2, max_size=3))
def test_a_loss_survives_pickle_and_copies(entries):
    loss = LossMatrix(entries, name="travels")
    loss.decide(np.full((1, loss.n), 1 / loss.n))  # what is made on demand travels too
    for twin in (pickle.loads(pickle.dumps(loss)), copy.copy(loss), copy.deepcopy(loss)):
        assert twin == loss
        assert (hash(twin), twin.name, twin.entries) == (hash(loss), "travels", loss.entries)


def test_a_loss_cannot_be_changed():
    loss = LossMatrix([[0, 1], [1, 0]])
    with pytest.raises(AttributeError):
        loss.labels = (1, 2)  # type: ignore[misc]
    assert loss.labels == (0, 1)


# Refusals.


@pytest.mark.parametrize("negative", [-1, "-1", -1.0, F(-1), np.int8(-1), Decimal(-1)])
def test_a_negative_loss_is_named_and_the_way_out_offered(negative):
    message = refusal(LossMatrix, [[0, 2], [negative, 0]], labels=["well", "ill"], predictions=["wait", "treat"])
    assert_quotes(message, "'ill'", "'wait'", "-1", "from_gains", "1")


def test_the_offered_row_shift_covers_the_lowest_entry_of_the_row():
    message = refusal(LossMatrix, [[-1, "-7/2"], [1, 0]])
    assert_quotes(message, "7/2")
    assert LossMatrix([[-1 + F(7, 2), 0], [1, 0]]).entries[0] == (F(5, 2), 0)


@pytest.mark.parametrize(
    ("value", "quotes"),
    [
        (float("nan"), ("nan",)),
        (np.float32("nan"), ("nan",)),
        (Decimal("NaN"), ("NaN",)),
        (float("inf"), ("inf",)),
        (-np.inf, ("inf",)),
        ("abc", ("'abc'", "3", "0.25", "1/3")),
        ("two\nlines", ("'two\\nlines'",)),
        ("1,500", ("'1,500'", "1,5000", "1500")),
        ("1/0", ("'1/0'",)),
        (None, ("3", "0.25", "1/3")),
        ("", ("3", "0.25", "1/3")),
        (pd.NA, ("3", "0.25", "1/3")),
        (pd.NaT, ("3", "0.25", "1/3")),
        (1j, ("1j",)),
        ([1], ("[1]",)),
        (np.zeros((2, 2)), ("array([[0., 0.], [0., 0.]])",)),
        ("x" * 500, ("'" + "x" * 68 + "…",)),
        ("1e99999", ("4000",)),
        ("1e-99999", ("4000",)),
        pytest.param("9" * 5000, ("4000",), id="5000 digits"),
        pytest.param("1/" + "9" * 5000, ("4000",), id="5000 digits below"),
        pytest.param(10**5000, ("4000",), id="10^5000"),
    ],
)
def test_what_is_no_number_is_named_by_row_and_column(value, quotes):
    message = refusal(LossMatrix, [[0, 1], [value, 0]], labels=["a", "b"], predictions=["x", "y"])
    assert_quotes(message, "'b'", "'x'")
    assert_quotes(message, *quotes)
    assert len(message) < 300
    assert message == refusal(LossMatrix.from_gains, [[0, 1], [value, 0]], labels=["a", "b"], predictions=["x", "y"])


@pytest.mark.parametrize("frame", [pd.DataFrame([[0, None], [1, 0]]), pd.DataFrame([[0, np.nan], [1, 0]])])
def test_a_missing_cell_of_a_data_frame_is_named(frame):
    assert_quotes(refusal(LossMatrix, frame), "0", "1")


def test_a_masked_cell_is_missing():
    assert_quotes(refusal(LossMatrix, np.ma.array([[0, 1], [1, 0]], mask=[[0, 1], [0, 0]])), "0", "1")


@pytest.mark.parametrize(
    ("entries", "quotes"),
    [
        ([[0, 1], [1]], ("1", "0", "2")),
        ([[0, 1], [1, 0, 2]], ("1", "3", "0", "2")),
        ([], ()),
        ([[], []], ()),
        (np.zeros((0, 3)), ()),
        (np.zeros((3, 0)), ()),
        (pd.DataFrame(), ()),
        ([[0, 1]], ("0",)),
        (np.zeros(4), ("1",)),
        (np.array(4), ("0",)),
        (np.zeros((2, 2, 2)), ("3",)),
        (pd.Series([1, 2]), ("1",)),
        ("costs.csv", ("from_file",)),
        (None, ("None",)),
        (3, ("3",)),
        ({"a": [0, 1], "b": [1, 0]}, ("{'a': [0, 1], 'b': [1, 0]}",)),
        ({(0, 1), (1, 0)}, ("(0, 1)", "(1, 0)")),
        (["01", "10"], ("0", "'01'")),
        ([0, 1], ("0",)),
        ([{"a": 0}, {"a": 1}], ("0", "{'a': 0}")),
        ([{0, 1}, {1, 0}], ("0", "{0, 1}")),
    ],
)
def test_what_is_no_matrix_is_refused(entries, quotes):
    assert_quotes(refusal(LossMatrix, entries), *quotes)


def test_the_row_that_is_too_short_is_called_by_its_name():
    message = refusal(LossMatrix, [[0, 1], [1]], labels=["mild", "severe"])
    assert_quotes(message, "'severe'", "1", "'mild'", "2")


class _FrameByColumns:
    """Like the frames of polars, which iterate over their columns."""

    columns = ("a", "b")

    def __iter__(self):
        return iter([[0, 2], [1, 0]])


def test_a_frame_without_row_names_is_not_taken_for_its_transpose():
    assert_quotes(refusal(LossMatrix, _FrameByColumns()), "_FrameByColumns")


class _Tensor:
    """Like the tensors of torch, whose element types are not numpy's."""

    dtype = "float32"
    ndim = 2

    def __array__(self, dtype=None, copy=None):
        return np.array([[0, 0.1], [1, 0]], dtype=np.float32)


def test_a_tensor_is_read_as_the_array_it_is():
    assert LossMatrix(_Tensor()).entries == TENTH


@pytest.mark.parametrize(
    ("names", "quotes"),
    [
        (["a"], ("1", "('a')", "2")),
        (["a", "b", "c"], ("3", "('a', 'b', 'c')", "2")),
        (list("abcdefgh"), ("8", "('a', 'b', 'c', 'd', 'e', 'f', …)", "2")),
        (["a", "a"], ("'a'",)),
        ([1, 1.0], ("1.0",)),
        ([1, "1"], ("'1'",)),
        (["a", "a "], ("'a '",)),
        (["a", ""], ("1",)),
        (["a", " "], ("1",)),
        ([None, "a"], ("0",)),
        ([float("nan"), "a"], ("0",)),
        (["a", pd.NA], ("1",)),
        ([["a"], ["b"]], ("['a']",)),
        (np.eye(2, dtype=int), ("array([1, 0])",)),
        ("ab", ("'ab'",)),
        ({"a": 1, "b": 2}, ("{'a': 1, 'b': 2}",)),
        (2, ("2",)),
    ],
)
def test_names_that_do_not_fit_are_refused(names, quotes):
    message = refusal(LossMatrix, [[0, 1], [1, 0]], labels=names)
    assert_quotes(message, *quotes)
    assert (
        message.replace("label", "prediction").replace("row", "column").split(";")[0]
        == (refusal(LossMatrix, [[0, 1], [1, 0]], predictions=names).replace("label", "prediction").split(";")[0])
    )


def test_a_set_of_names_has_no_order():
    assert_quotes(refusal(LossMatrix, [[0, 1], [1, 0]], labels={"a", "b"}), "'a'", "'b'")


def test_the_words_none_and_nan_may_be_names():
    assert LossMatrix([[0, 1], [1, 0]], labels=["None", "nan"]).labels == ("None", "nan")


# Orientation of data frames.


def _frame(index_name=None, columns_name=None, index=("a", "b"), columns=("x", "y")) -> pd.DataFrame:
    return pd.DataFrame(
        [[0, 1], [2, 0]], index=pd.Index(index, name=index_name), columns=pd.Index(columns, name=columns_name)
    )


@pytest.mark.parametrize(
    "frame",
    [
        _frame("predicted"),
        _frame("Prediction", "Truth"),
        _frame(columns_name="true label"),
        _frame("y_pred", "y_true"),
        _frame("t", "y"),
        _frame("PredictedClass"),
        _frame(index=["pred_a", "pred_b"]),
        _frame(columns=["true_a", "true_b"]),
        _frame(index=["Predicted a", "Predicted b"], columns=["Actual a", "Actual b"]),
        _frame(index=["action a", "action b"], columns=["ill", "well"]),
    ],
)
def test_a_data_frame_that_says_it_is_the_transpose_is_refused(frame):
    assert_quotes(refusal(LossMatrix, frame), "'truth'")


@pytest.mark.parametrize(
    "frame",
    [
        _frame("truth", "decision"),
        _frame("actual", "predicted"),
        _frame("y", "t"),
        _frame("disease", "treatment"),
        _frame("interaction"),
        _frame("true class"),
        _frame(3, 4),
        _frame(index=["true_a", "true_b"], columns=["pred_a", "pred_b"]),
        _frame(index=["action_run", "action_walk"], columns=["action_run", "action_walk"]),
        _frame(index=["T1", "T2"], columns=["T1", "T2"]),
        _frame(index=["predator", "prey"], columns=["predator", "prey"]),
        _frame(index=[True, False], columns=["True", "False"]),
        _frame("truth", index=["pred_a", "pred_b"], columns=["true_a", "true_b"]),
    ],
)
def test_a_data_frame_that_says_it_is_right_or_says_nothing_is_taken(frame):
    assert LossMatrix(frame).entries == ((0, 1), (2, 0))
