"""What is wrong is said in one line that quotes the input and names the next step."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lossmith.errors import BadInput, LossmithError, TooLarge
from lossmith.losses import f_measure, jaccard, recall_at, weighted_hamming
from lossmith.surrogates import gain_regression

LOSS, RECALL, WEIGHTED = f_measure(3), recall_at(4, 2), weighted_hamming([1, 2])


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: weighted_hamming([1, -2]), "the weight of tag 1 is -2; give a positive one, or leave the tag out"),
        (lambda: weighted_hamming(["0", 1]), "the weight of tag 0 is 0; give a positive one, or leave the tag out"),
        (lambda: weighted_hamming([]), "weights is []: there are no tags; give a positive weight for each tag"),
        (lambda: weighted_hamming({1, 2}), "weights is {1, 2}, a set, which has no order; give a list"),
        (lambda: weighted_hamming("1 x"), "'x'"),
        (lambda: weighted_hamming(3), "weights"),
        (lambda: f_measure(3, 0), "beta is 0; it must be positive"),
        (lambda: f_measure(3, "-1/2"), "beta is -1/2; it must be positive"),
        (lambda: f_measure(3, "two"), "beta"),
        (lambda: f_measure(0), "r is 0; give the number of tags, 2 or more"),
        (lambda: f_measure(-3), "r is -3; give the number of tags, 2 or more"),
        (lambda: f_measure(1), "r is 1; give the number of tags, 2 or more"),
        (lambda: f_measure(2.5), "r is 2.5; it must be a whole number"),
        (lambda: jaccard(0), "r is 0; give the number of tags, 1 or more"),
        (lambda: recall_at(3, 3), "q is 3; it must be less than r = 3, or there is nothing to choose"),
        (lambda: recall_at(3, 0), "q is 0; it must be at least 1"),
        (lambda: LOSS.label({0, 3}), "the label {0, 3} has 3, which is none of the tags 0 … 2; give numbers of tags"),
        (lambda: LOSS.label([-1]), "the label [-1] has -1, which is none of the tags 0 … 2"),
        (lambda: LOSS.prediction([0, 5]), "the prediction [0, 5] has 5, which is none of the tags 0 … 2"),
        (lambda: LOSS.loss("01", "011"), "the label '01' is no string of 3 zeros and ones; give one for each tag"),
        (lambda: LOSS.loss("011", "021"), "the prediction '021' is no string of 3 zeros and ones"),
        (lambda: LOSS.label([1, 1]), "the label [1, 1] names a tag twice; give each tag once, or 3 zeros and ones"),
        (lambda: LOSS.label([0.5, 1, 0]), "has 0.5, which is none of the tags"),
        (lambda: LOSS.label(7), "the label 7 is no set of tags; give tag numbers, or 3 zeros and ones"),
        (lambda: LOSS.label({0: 1}), "the label {0: 1} is no set of tags"),
        (lambda: LOSS.label(None), "the label None is no set of tags"),
        (lambda: RECALL.prediction({0}), "the prediction 1000 has 1 tags; give 2 of the 4 tags"),
        (lambda: LOSS.targets([[0, 1, 2]]), "Y has 2 in row 0 for tag 2; give 1 if the row has the tag, else 0"),
        (lambda: LOSS.targets([[0, 1, 0], [0, 0.5, 0]]), "Y has 0.5 in row 1 for tag 1"),
        (lambda: LOSS.targets([[0, 1, np.nan]]), "Y has nan in row 0 for tag 2"),
        (lambda: LOSS.targets([0, 1, 1]), "Y has shape (3,); give a row per example, with 3 zeros and ones"),
        (lambda: LOSS.offsets([[0, 1]]), "Y has shape (1, 2); give a row per example, with 3 zeros and ones"),
        (lambda: LOSS.losses([[0, 1, 1]], [[0, -1, 1]]), "T has -1 in row 0 for tag 1"),
        (lambda: WEIGHTED.targets("tags"), "Y is 'tags'; give an array of zeros and ones, a row per example"),
        (lambda: RECALL.losses([[0, 1, 1, 0]], [[0, 1, 1, 1]]), "T has 3 tags in row 0; give 2 in each row"),
        (lambda: LOSS.decode([1, 2, 3]), "the scores have shape (3,); give 8 numbers per query"),
        (lambda: LOSS.decode([[np.inf] * 8]), "a score is not finite"),
        (lambda: LOSS.risk({"011": "1/2", (0, 1, 1): "1/2"}, "000"), "p names a label twice"),
        (lambda: gain_regression(LOSS), "f_measure(r=3) is no ranking loss"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(ask, words):
    with pytest.raises(BadInput) as caught:
        ask()
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: jaccard(11), "r is 11; jaccard is written down, for at most 10 tags: its affine dimension is 2^r − 1"),
        (lambda: f_measure(501), "f_measure has r² − r + 2 = 250,502 factors: choose at most 500 tags, or weighted_"),
        (lambda: f_measure(100).matrix(), "about 10^30 × about 10^30 entries, more than the limit of 4,000,000; use"),
        (lambda: LOSS.matrix(limit=60), "8 × 8 entries, more than the limit of 60"),
        (
            lambda: f_measure(100).risk({"0" * 100: 1}),
            "about 10^30 predictions, more than the limit of 4,000,000; name",
        ),
        (lambda: f_measure(100).risk([Fraction(1)]), "more than the limit of 4,000,000"),
    ],
)
def test_what_is_too_large_is_told_with_its_size_and_what_to_ask_instead(ask, words):
    with pytest.raises(TooLarge) as caught:
        ask()
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    "junk", [None, 3, "x", "01x", [[]], [None], {}, object(), [True, 2, 0], b"011", 1.5, ["1", "0", "1"]]
)
def test_junk_is_refused_with_a_lossmith_error(junk):
    for ask in (LOSS.label, LOSS.prediction, LOSS.targets, LOSS.decode):
        with pytest.raises(LossmithError):
            ask(junk)
