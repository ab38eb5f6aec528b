"""Collections of dask are chunks: each of their blocks is computed when its turn comes."""

from __future__ import annotations

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from refused import refused

import lossmith as lm
from lossmith.learn import SurrogateClassifier

X = np.random.default_rng(0).standard_normal((90, 3))
Y = np.digitize(X[:, 0], [-0.5, 0.5])


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.mark.parametrize("whose", ["blocks like those of X", "other blocks", "in memory"])
def test_arrays_are_learned_block_by_block(whose):
    blocks, labels, weights = da.from_array(X, chunks=(40, 2)), Y, np.ones(90)
    if whose != "in memory":
        size = 40 if whose.startswith("blocks") else 70
        labels, weights = da.from_array(Y, chunks=size), da.from_array(weights, chunks=size)
    model = SurrogateClassifier(lm.losses.ordinal(3), "square").fit(blocks, labels, weights)

    assert model.chunks_seen_ == 3
    whole = SurrogateClassifier(lm.losses.ordinal(3), "square").fit(X, Y)
    np.testing.assert_allclose(model.scores(X), whole.scores(X), rtol=1e-9)


def test_labels_are_looked_up_first_where_no_loss_names_them():
    model = SurrogateClassifier().fit(da.from_array(X, chunks=(40, 3)), da.from_array(Y, chunks=40))
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.chunks_seen_ == 3


def test_frames_are_learned_partition_by_partition():
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=Y)
    parts = dd.from_pandas(frame, npartitions=4)
    model = SurrogateClassifier(lm.losses.ordinal(3), "square").fit(parts[["a", "b", "c"]], parts["y"])

    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert model.chunks_seen_ == 4
    assert (
        model.predict(frame[["a", "b", "c"]])
        == SurrogateClassifier(lm.losses.ordinal(3), "square").fit(X, Y).predict(X)
    ).all()
    with refused("4 blocks", "y 2"):
        model.fit(parts[["a", "b", "c"]], parts["y"].repartition(npartitions=2))


def test_y_that_is_missing():
    with refused("y"):
        SurrogateClassifier(lm.losses.ordinal(3), "square").fit(da.from_array(X))


@pytest.mark.parametrize("labels", [Y[:-3], da.from_array(Y[:-3], chunks=40)])
def test_other_numbers_of_labels_are_refused_before_anything_is_computed(labels):
    with refused("90 rows", "y 87"):
        SurrogateClassifier(lm.losses.zero_one(3), "square").fit(da.from_array(X, chunks=(40, 3)), labels)
