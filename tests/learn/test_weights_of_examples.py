"""Weights that are none are refused by their row, wherever weights are taken."""

from __future__ import annotations

import numpy as np
import pytest
from refused import refused

from lossmith.learn import ProbabilityPool, SubsetClassifier, SurrogateClassifier, loss_score
from lossmith.losses import zero_one

X = np.random.default_rng(0).standard_normal((60, 2))
Y = (X[:, 0] > 0) * 1
SETS = np.stack([Y, 1 - Y], axis=1)

FITS = {
    **{each: lambda w, each=each: SurrogateClassifier(zero_one(2), each).fit(X, Y, w) for each in ("auto", "square")},
    "orderable": lambda w: SurrogateClassifier(zero_one(2), "orderable").fit(X, Y, w),
    "pool": lambda w: ProbabilityPool().fit(X, Y, w),
    "sets": lambda w: SubsetClassifier("hamming").fit(X, SETS, w),
    "partial_fit": lambda w: SurrogateClassifier(zero_one(2)).partial_fit(X, Y, sample_weight=w),
    "score": lambda w: SurrogateClassifier(zero_one(2), "plug-in").fit(X, Y).score(X, Y, w),
    "score of sets": lambda w: SubsetClassifier("hamming").fit(X, SETS).score(X, SETS, w),
    "loss_score": lambda w: loss_score(zero_one(2), Y, 1 - Y, sample_weight=w),
}


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_a_weight_that_is_none_is_refused_by_its_row(fit):
    for bad, quoted in ((np.nan, "NaN"), (-0.5, "-0.5"), (np.inf, "inf"), (1e300, "1e+300")):
        with refused("sample_weight", quoted, "row 7"):
            fit(np.where(np.arange(60) == 7, bad, 1.0))


@pytest.mark.parametrize("weights", [np.arange(60.0), list(range(60))])
def test_the_mean_loss_is_weighted_as_one_counts(weights):
    decided = np.where(np.arange(60) < 20, 1 - Y, Y)
    each = np.broadcast_to(np.asarray(weights, dtype=float), 60)
    assert loss_score(zero_one(2), Y, decided, sample_weight=weights) == pytest.approx(each[:20].sum() / each.sum())
