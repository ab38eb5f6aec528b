"""Objectives on a cluster of one worker or two, on this machine: XGBoost's trees are those of one machine."""

from __future__ import annotations

import numpy as np
import pytest

import lossmith as lm
from lossmith.boosting import lightgbm_objective, xgboost_objective

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

GENERATOR = np.random.default_rng(0)
X = GENERATOR.integers(10, size=(600, 4)).astype(float)  # few values: workers that see a half of X find the same bins
Y = (X[:, 0] + X[:, 1] + GENERATOR.normal(size=600) > 9).astype(int) + (X[:, 2] > 7)
WEIGHTS = 1.0 + np.arange(600) % 3


@pytest.fixture(params=[1, 2], ids=["one worker", "two workers"])
def client(request):
    from dask.distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=request.param, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    with cluster, Client(cluster) as connected:
        yield connected


def in_blocks(array):
    import dask.array as da

    return da.from_array(array, chunks=(300, *array.shape[1:]))


@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
def test_xgboost_grows_the_trees_of_one_machine(client, strategy):
    import xgboost as xgb
    from xgboost import dask as of_cluster

    best = lm.design(lm.losses.abstain(3, cost="1/4"), method="square")
    objective = xgboost_objective(best)
    settings = {"num_class": objective.outputs, "base_score": 0, "nthread": 1, "multi_strategy": strategy}
    alone = xgb.train(settings, xgb.DMatrix(X, Y, weight=WEIGHTS), num_boost_round=10, obj=objective)
    data = of_cluster.DaskDMatrix(client, in_blocks(X), in_blocks(Y), weight=in_blocks(WEIGHTS))
    together = of_cluster.train(client, settings, data, num_boost_round=10, obj=objective)["booster"]

    scores = [each.predict(xgb.DMatrix(X), output_margin=True) for each in (alone, together)]
    np.testing.assert_allclose(*scores, rtol=1e-4, atol=1e-5)
    assert (best.decide(scores[0]) == best.decide(scores[1])).mean() > 0.999


def test_lightgbm_grows_the_trees_of_its_own_objective(client):
    """On one worker they are those of one machine; on two LightGBM grows others, with its own objective, too."""
    import lightgbm as lgb

    settings = {"n_estimators": 10, "num_leaves": 4, "boost_from_average": False, "verbose": -1}
    objectives = lightgbm_objective(lm.surrogates.one_vs_all_logistic(3)), "multiclassova"
    ours, own = (
        lgb.DaskLGBMClassifier(objective=each, client=client, **settings)
        .fit(in_blocks(X), in_blocks(Y), sample_weight=in_blocks(WEIGHTS))
        .to_local()
        .predict(X, raw_score=True)
        for each in objectives
    )
    np.testing.assert_allclose(ours, own, rtol=1e-4, atol=1e-5)
    if len(client.scheduler_info()["workers"]) == 1:
        alone = lgb.LGBMClassifier(objective=objectives[0], n_jobs=1, **settings).fit(X, Y, sample_weight=WEIGHTS)
        np.testing.assert_allclose(ours, alone.predict(X, raw_score=True), rtol=1e-4, atol=1e-5)
