"""Features that do not fit are refused early, in one line that says where."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from refused import refused
from scipy.sparse import csr_array
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from lossmith.learn import ProbabilityPool, SurrogateClassifier
from lossmith.losses import zero_one

X = np.random.default_rng(0).standard_normal((60, 2))
Y = np.arange(60) % 2
FRAME = pd.DataFrame(X, columns=["age", "height"])


def spoiled(value, table=X):
    bad = table.copy()
    if hasattr(bad, "iloc"):
        bad.iloc[7, 1] = value
    else:
        bad[7, 1] = value
    return bad


@pytest.mark.parametrize("surrogate", ["plug-in", "square", "orderable"])
def test_missing_numbers_are_found_by_row_and_column(surrogate):
    model = SurrogateClassifier(zero_one(2), surrogate)
    with refused("X", "NaN", "row 7", "column 1"):
        model.fit(spoiled(np.nan), Y)
    with refused("X", "row 7", "'height'"):
        model.fit(FRAME, Y).predict(spoiled(np.inf, FRAME))


def test_an_estimator_that_takes_missing_numbers_is_given_them():
    model = SurrogateClassifier(zero_one(2), "plug-in", HistGradientBoostingClassifier(max_iter=2))
    assert len(model.fit(spoiled(np.nan), Y).predict(spoiled(np.nan))) == 60


class Dear(DecisionTreeClassifier):
    """It must not be asked in vain."""

    def fit(self, X, y, sample_weight=None):
        assert X.ndim == 2
        return super().fit(X, y, sample_weight)

    def predict_proba(self, X):
        assert X.shape[1] == 2
        return super().predict_proba(X)


def test_other_columns_are_refused_before_the_estimator_is_asked():
    model = SurrogateClassifier(zero_one(2), "plug-in", Dear()).fit(X, Y)
    with refused("X", "3 features", 2):
        model.predict(np.zeros((4, 3)))
    named = SurrogateClassifier(zero_one(2), "plug-in", LogisticRegression()).fit(FRAME, Y)
    with refused("X", "'height'", "'age', 'height'"):
        named.predict(FRAME[["age"]])


def test_what_is_no_table_is_refused_before_training():
    for bad, shape in ((X[:, 0], "(60,)"), (X[:0], "(0, 2)")):
        with refused("X", shape):
            SurrogateClassifier(zero_one(2), "plug-in", Dear()).fit(bad, Y[: len(bad)])


@pytest.mark.parametrize("surrogate", ["plug-in", "square", "orderable", "auto"])
@pytest.mark.parametrize("shape", [np.asarray, csr_array])
def test_numbers_that_are_too_large_are_refused_by_row_and_column(surrogate, shape):
    model = SurrogateClassifier(zero_one(2), surrogate)
    with refused("X", "-1e+200", "row 7", "column 1"):
        model.fit(shape(spoiled(-1e200)), Y)
    with refused("X", "1e+200", "row 7"):
        model.fit(shape(X), Y).predict(shape(spoiled(1e200)))


def test_numbers_below_that_are_learned_from(without_folds):
    """From 100 examples on, where trees are in the pool, which round to floats of 4 bytes."""
    large, both = 2e37 * np.concatenate([X, X]), np.concatenate([Y, Y])
    assert set(SurrogateClassifier(zero_one(2), random_state=0).fit(large, both).predict(large)) <= {0, 1}


@pytest.mark.parametrize("kind", ["Float64", "Int64"])
def test_numbers_of_frames_without_a_value_are_missing_numbers(kind):
    frame = (100 * FRAME).round().astype(kind)
    assert SurrogateClassifier(zero_one(2), "plug-in").fit(frame, Y).score(frame, Y) > -0.5
    with refused("X", "NaN", "row 7", "'height'"):
        SurrogateClassifier(zero_one(2), "plug-in").fit(spoiled(pd.NA, frame), Y)


@pytest.mark.parametrize(
    ("values", "shown"),
    [(pd.Timestamp("2020-02-29"), "Timestamp('2020"), ([1, 2], "[1, 2]"), (pd.Timedelta(1, "D"), "Timedelta")],
)
def test_columns_without_numbers_are_refused_by_name(values, shown):
    frame = FRAME.assign(born=[values] * 60)
    with refused("'born'", "X", shown):
        SurrogateClassifier(zero_one(2), "plug-in").fit(frame, Y)


def test_the_pool_tells_where_a_number_is_missing():
    with refused("X", "NaN", "row 7", "column 1"):
        ProbabilityPool().fit(spoiled(np.nan), Y)
    with refused("X", "row 7", "column 1"):
        ProbabilityPool().fit(X, Y).predict_proba(spoiled(np.inf))
