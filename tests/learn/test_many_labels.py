"""Tags: 2^r labels learned through r functions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from lossmith.learn import SurrogateClassifier, loss_score
from lossmith.losses import hamming


def tags(m, r, seed=0):
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((m, 20))
    bits = X @ generator.standard_normal((20, r)) + 2 * generator.standard_normal((m, r)) > 0
    return X, bits, np.array(["".join("01"[int(bit)] for bit in row) for row in bits])


@pytest.mark.filterwarnings("ignore::UserWarning")  # some of the sets do not occur
def test_six_functions_are_as_good_as_deciding_each_tag_alone():
    """Least squares on the rows of the loss is least squares on the tags: each is decided by its own mean."""
    X, bits, y = tags(3000, 6)
    model = SurrogateClassifier(hamming(6), C=1e6).fit(X[:2000], y[:2000])
    alone = np.linalg.lstsq(np.c_[X[:2000], np.ones(2000)], bits[:2000], rcond=None)[0]
    decided = np.c_[X[2000:], np.ones(1000)] @ alone > 0.5

    assert model.surrogate_.surrogate.dim == 6
    said = np.array([[letter == "1" for letter in word] for word in model.predict(X[2000:])])
    assert (said == decided).mean() > 0.999
    assert loss_score(hamming(6), y[2000:], model.predict(X[2000:])) == (said != bits[2000:]).sum(axis=1).mean()


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
def test_ten_functions_lose_no_more_than_logistic_regression_on_1024_classes():
    loss = hamming(10)
    X, _, y = tags(8000, 10)
    ours = SurrogateClassifier(loss).fit(X[:4000], y[:4000])
    theirs = LogisticRegression().fit(X[:4000], y[:4000])

    assert ours.surrogate_.surrogate.dim == 10
    assert loss_score(loss, y[4000:], ours.predict(X[4000:])) <= loss_score(loss, y[4000:], theirs.predict(X[4000:]))
