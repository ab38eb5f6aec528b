"""Objectives on a cluster of one worker or two, on this machine: where the bins are the same, so are the trees."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.preprocessing import KBinsDiscretizer

import lossmith as lm
from lossmith.boosting import lightgbm_objective, xgboost_objective

pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore")]

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "boosting.md"
ORDERS = ("mixed", "sorted by label")
COMMON = {"boost_from_average": False, "min_data_in_bin": 1, "verbose": -1}


@dataclass(frozen=True)
class Examples:
    """Continuous features, the same ones in 16 bins, labels, and weights."""

    continuous: np.ndarray
    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray


@cache
def examples():
    generator = np.random.default_rng(0)
    continuous = generator.normal(size=(4000, 5))
    y = np.digitize(continuous[:, 0] + continuous[:, 1] ** 2 + 0.3 * generator.normal(size=4000), [0, 1.5])
    how = {"encode": "ordinal", "quantile_method": "averaged_inverted_cdf"}  # the default from scikit-learn 1.9 on
    X = KBinsDiscretizer(16, **how).fit_transform(continuous)  # workers that see a half of X find the same bins
    return Examples(continuous, X, y, 1.0 + np.arange(4000) % 3)


@cache
def least_squares():
    return lm.design(lm.losses.abstain(3, cost="1/4"), method="square")


@pytest.fixture(scope="module", params=[1, 2], ids=["one worker", "two workers"])
def client(request):
    from dask.distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=request.param, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0")
    with cluster, Client(cluster) as connected:
        yield connected


@pytest.fixture
def in_halves(client):
    """An array of dask, with a half on each worker: left to itself, dask may leave all with one."""
    import dask.array as da
    from dask import delayed

    workers = [*client.scheduler_info()["workers"]] * 2

    def placed(array):
        halves = zip(np.split(array, 2), workers, strict=False)
        return da.concatenate(
            [
                da.from_delayed(delayed(client.scatter(half, workers=[worker])), half.shape, half.dtype)
                for half, worker in halves
            ]
        )

    return placed


@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
def test_xgboost_grows_the_trees_of_one_machine(client, in_halves, strategy):
    import xgboost as xgb
    from xgboost import dask as of_cluster

    data = examples()
    objective = xgboost_objective(least_squares())
    settings = {"num_class": objective.outputs, "base_score": 0, "nthread": 1, "multi_strategy": strategy}
    alone = xgb.train(settings, xgb.DMatrix(data.X, data.y, weight=data.weights), num_boost_round=10, obj=objective)
    parts = of_cluster.DaskDMatrix(client, in_halves(data.X), in_halves(data.y), weight=in_halves(data.weights))
    together = of_cluster.train(client, settings, parts, num_boost_round=10, obj=objective)["booster"]

    scores = [each.predict(xgb.DMatrix(data.X), output_margin=True) for each in (alone, together)]
    np.testing.assert_allclose(*scores, rtol=1e-4, atol=1e-5)
    assert (least_squares().decide(scores[0]) == least_squares().decide(scores[1])).mean() > 0.999


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("surrogate", "largest"),
    [
        pytest.param(least_squares, 2, id="least squares"),
        pytest.param(lambda: lm.surrogates.one_vs_all_logistic(3), 1 / 4, id="one against all"),
        pytest.param(lambda: lm.surrogates.softmax(3), 3 / 8, id="softmax"),
    ],
)
def test_lightgbm_grows_the_trees_of_one_machine(client, in_halves, surrogate, largest, order):
    """Leaves are bounded by curvature, as `largest` in an example of weight 1, since several machines guess counts.

    Sorted by label, no worker of two has all labels.
    """
    import lightgbm as lgb

    data, objective = examples(), lightgbm_objective(surrogate())
    rows = np.arange(4000) if order == "mixed" else np.argsort(data.y, kind="stable")
    bounded = {"min_child_samples": 1, "min_child_weight": 8.01 * largest * data.weights.max()}
    settings = {"objective": objective, "num_class": objective.outputs, "metric": "none", **COMMON, **bounded}
    alone = lgb.LGBMRegressor(n_jobs=1, **settings).fit(data.X[rows], data.y[rows], sample_weight=data.weights[rows])
    together = lgb.DaskLGBMRegressor(client=client, **settings).fit(
        *(in_halves(each[rows]) for each in (data.X, data.y)), sample_weight=in_halves(data.weights[rows])
    )
    np.testing.assert_allclose(alone.predict(data.X), together.to_local().predict(data.X), rtol=1e-6, atol=1e-6)


def test_where_all_curvatures_are_equal_lightgbm_counts_on_a_cluster_as_on_one_machine(client, in_halves):
    """Least squares without weights: the counts that it guesses are the counts, and `min_child_samples` holds."""
    import lightgbm as lgb

    data = examples()
    objective = lightgbm_objective(least_squares())
    settings = {"objective": objective, "num_class": objective.outputs, "metric": "none", **COMMON}
    alone = lgb.LGBMRegressor(n_jobs=1, **settings).fit(data.X, data.y).predict(data.X)
    together = (
        lgb.DaskLGBMRegressor(client=client, **settings)
        .fit(in_halves(data.X), in_halves(data.y))
        .to_local()
        .predict(data.X)
    )

    np.testing.assert_allclose(alone, together, rtol=1e-6, atol=1e-6)


def test_lightgbm_grows_the_trees_of_its_own_objective_where_workers_see_the_same_values(client, in_halves):
    """Continuous features and leaves as by default; both halves are alike, so that it does not matter who bins what."""
    import lightgbm as lgb

    data = examples()
    given = [in_halves(np.concatenate([each[:600]] * 2)) for each in (data.continuous, data.y, data.weights)]
    ours, own = (
        lgb.DaskLGBMClassifier(objective=each, client=client, n_estimators=20, **COMMON)
        .fit(given[0], given[1], sample_weight=given[2])
        .to_local()
        .predict(data.continuous, raw_score=True)
        for each in (lightgbm_objective(lm.surrogates.one_vs_all_logistic(3)), "multiclassova")
    )
    np.testing.assert_allclose(ours, own, rtol=1e-4, atol=1e-5)


def test_the_tutorial_prints_what_it_says(tmp_path):
    page = PAGE.read_text()
    program = page.split("<!-- file: boost_together.py -->\n```python\n")[1].split("\n```")[0]
    (tmp_path / "boost_together.py").write_text(program)
    command = [sys.executable, "boost_together.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)

    assert run.returncode == 0, run.stderr
    assert f"$ python boost_together.py\n{run.stdout.splitlines()[-1]}\n```" in page
