"""Features that do not fit are refused early, in one line that says where."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from lossmith.errors import BadInput
from lossmith.learn import SurrogateClassifier
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
    with pytest.raises(BadInput, match=r"^X has NaN in row 7, column 1; impute it first"):
        model.fit(spoiled(np.nan), Y)
    with pytest.raises(BadInput, match=r"^X has infinity in row 7, column 'height'; impute it first"):
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
    with pytest.raises(BadInput, match=r"^X has 3 features, but the model was trained on 2; give the same columns"):
        model.predict(np.zeros((4, 3)))
    named = SurrogateClassifier(zero_one(2), "plug-in", LogisticRegression()).fit(FRAME, Y)
    with pytest.raises(BadInput, match=r"^X lacks the column 'height'; the model was trained on .'age', 'height'.$"):
        named.predict(FRAME[["age"]])


def test_what_is_no_table_is_refused_before_training():
    for bad, what in ((X[:, 0], r"X has shape \(60,\); give a table"), (X[:0], r"X has shape \(0, 2\), no examples")):
        with pytest.raises(BadInput, match=what):
            SurrogateClassifier(zero_one(2), "plug-in", Dear()).fit(bad, Y[: len(bad)])
