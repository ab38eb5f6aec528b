"""What is wrong is said in one line that quotes the input and names the next step."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lossmith.errors import BadInput, LossmithError, TooLarge
from lossmith.losses import f_measure, jaccard, recall_at, weighted_hamming
from lossmith.surrogates import gain_regression
from surrogates.quotation import quotes

LOSS, RECALL, WEIGHTED = f_measure(3), recall_at(4, 2), weighted_hamming([1, 2])


@pytest.mark.parametrize(
    ("ask", "quoted"),
    [
        (lambda: weighted_hamming([1, -2]), ("1", "-2")),
        (lambda: weighted_hamming(["0", 1]), ("0", "0")),
        (lambda: weighted_hamming([]), ("weights", "[]")),
        (lambda: weighted_hamming({1, 2}), ("weights", "{1, 2}")),
        (lambda: weighted_hamming("1 x"), ("'x'",)),
        (lambda: weighted_hamming(3), ("weights",)),
        (lambda: f_measure(3, 0), ("beta", "0")),
        (lambda: f_measure(3, "-1/2"), ("beta", "-1/2")),
        (lambda: f_measure(3, "two"), ("beta",)),
        (lambda: f_measure(0), ("r", "0", "2")),
        (lambda: f_measure(-3), ("r", "-3", "2")),
        (lambda: f_measure(1), ("r", "1", "2")),
        (lambda: f_measure(2.5), ("r", "2.5")),
        (lambda: jaccard(0), ("r", "0", "1")),
        (lambda: recall_at(3, 3), ("q", "3", "r", "3")),
        (lambda: recall_at(3, 0), ("q", "0", "1")),
        (lambda: LOSS.label({0, 3}), ("{0, 3}", "3", "0", "2")),
        (lambda: LOSS.label([-1]), ("[-1]", "-1", "0", "2")),
        (lambda: LOSS.prediction([0, 5]), ("[0, 5]", "5", "0", "2")),
        (lambda: LOSS.loss("01", "011"), ("'01'", "3")),
        (lambda: LOSS.loss("011", "021"), ("'021'", "3")),
        (lambda: LOSS.label([1, 1]), ("[1, 1]", "3")),
        (lambda: LOSS.label([0.5, 1, 0]), ("0.5",)),
        (lambda: LOSS.label(7), ("7", "3")),
        (lambda: LOSS.label({0: 1}), ("{0: 1}",)),
        (lambda: LOSS.label(None), ("None",)),
        (lambda: RECALL.prediction({0}), ("1000", "1", "2", "4")),
        (lambda: LOSS.targets([[0, 1, 2]]), ("Y", "2", "0", "2", "1", "0")),
        (lambda: LOSS.targets([[0, 1, 0], [0, 0.5, 0]]), ("Y", "0.5", "1", "1")),
        (lambda: LOSS.targets([[0, 1, np.nan]]), ("Y", "nan", "0", "2")),
        (lambda: LOSS.targets([0, 1, 1]), ("Y", "(3,)", "3")),
        (lambda: LOSS.offsets([[0, 1]]), ("Y", "(1, 2)", "3")),
        (lambda: LOSS.losses([[0, 1, 1]], [[0, -1, 1]]), ("T", "-1", "0", "1")),
        (lambda: WEIGHTED.targets("tags"), ("Y", "'tags'")),
        (lambda: RECALL.losses([[0, 1, 1, 0]], [[0, 1, 1, 1]]), ("T", "3", "0", "2")),
        (lambda: LOSS.decode([1, 2, 3]), ("(3,)", "8")),
        (lambda: LOSS.decode([[np.inf] * 8]), None),
        (lambda: LOSS.risk({"011": "1/2", (0, 1, 1): "1/2"}, "000"), ("p",)),
        (lambda: gain_regression(LOSS), ("f_measure(r=3)",)),
    ],
)
def test_what_is_wrong_is_quoted_in_one_line(ask, quoted):
    with pytest.raises(BadInput) as caught:
        ask()
    assert quoted is None or quotes(str(caught.value), *quoted), str(caught.value)  # None: there is nothing to quote
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("ask", "quoted"),
    [
        (lambda: jaccard(11), ("r", "11", "jaccard", "10", "2^r", "1")),
        (lambda: f_measure(501), ("r", "501", "f_measure", "250,502", "500", "weighted_hamming", "recall_at")),
        (lambda: f_measure(100).matrix(), ("10^30", "10^30", "4,000,000")),
        (lambda: LOSS.matrix(limit=60), ("8", "8", "60")),
        (
            lambda: f_measure(100).risk({"0" * 100: 1}),
            ("10^30", "4,000,000"),
        ),
        (lambda: f_measure(100).risk([Fraction(1)]), ("4,000,000",)),
    ],
)
def test_what_is_too_large_is_refused_with_its_size(ask, quoted):
    with pytest.raises(TooLarge) as caught:
        ask()
    assert quotes(str(caught.value), *quoted), str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    "junk", [None, 3, "x", "01x", [[]], [None], {}, object(), [True, 2, 0], b"011", 1.5, ["1", "0", "1"]]
)
def test_junk_is_refused_with_a_lossmith_error(junk):
    for ask in (LOSS.label, LOSS.prediction, LOSS.targets, LOSS.decode):
        with pytest.raises(LossmithError):
            ask(junk)
