"""What really is a (weighted) sum of squares says so in its certificates, and then nothing is taken on trust."""

from __future__ import annotations

import numpy as np
import pytest

import lossmith as lm
from lossmith.losses import dcg, ordinal, zero_one
from lossmith.surrogates.smooth import SmoothSurrogate, Traits

LINE = [[0], [1], [2]]
SQUARED = [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
MADE = {
    "calibrated": lambda: lm.check(lm.surrogates.square(LINE), lm.LossMatrix(SQUARED)),
    "calibrated, equal weights": lambda: lm.check(
        lm.surrogates.square(LINE).weighted([2, 2, 2]), lm.LossMatrix(SQUARED)
    ),
    "not calibrated": lambda: lm.check(lm.surrogates.square(LINE), ordinal(3)),
    "not calibrated, weighted": lambda: lm.check(lm.surrogates.square(LINE).weighted([1, 2, 3]), ordinal(3)),
    "calibrated, with a pred": lambda: lm.check("class-probability:n=3", zero_one(3), pred="argmax"),
    "not calibrated, with a pred": lambda: lm.check("class-probability:n=3", lm.losses.abstain(3), pred="argmax"),
    "the least expected cost": lambda: lm.check("class-probability:n=3", ordinal(3), pred="decide"),
    "another scalar product": lambda: lm.check(
        lm.surrogates.weighted_gain_regression("dcg:r=2", "2 1"), dcg(2).matrix()
    ),
    "of all surrogates": lambda: lm.ccdim(lm.losses.hamming(2)).upper,
}


@pytest.mark.parametrize("name", MADE)
def test_squares_are_proved_without_a_condition(name):
    made = MADE[name]()
    answer = lm.verify(made.certificate)
    assert made.certificate.content["surrogate"]["theorem"] == "squares"
    assert (answer.accepted, answer.conditional, answer.given, len(answer.theorems)) == (True, False, (), 1)


def test_what_only_declares_a_mean_stays_conditional():
    """Its functions are not looked at: a declaration is not more than that."""
    centres = np.arange(3.0)
    declared = SmoothSurrogate(
        "declared",
        3,
        1,
        lambda U: (U - centres) ** 2,
        lambda U: 2 * (U - centres)[:, :, None],
        Traits(mean=LINE),
    )
    tail = lm.surrogates.weighted_gain_regression("dcg:r=2", "2 1", tail=3)
    for surrogate, loss in ((declared, lm.LossMatrix(SQUARED)), (tail, dcg(2).matrix())):
        certificate = lm.check(surrogate, loss).certificate
        assert certificate.content["surrogate"]["theorem"] == "mean"
        assert lm.verify(certificate).conditional
