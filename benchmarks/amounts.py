"""Mean cost per example where costs differ from example to example: our estimators, and those of empulse.

    pip install empulse                          # three real tasks with amounts, and methods made for them
    python benchmarks/amounts.py --write         # the table of docs/tutorials/amounts.md

Every method sees the same standardised features and the same two-fold splits, repeated; nothing is tuned.
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before numpy is loaded

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from empulse.datasets import load_churn_tv_subscriptions, load_credit_scoring_pakdd, load_upsell_bank_telemarketing
from empulse.models import CSForestClassifier, CSLogitClassifier, CSThresholdClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.preprocessing import StandardScaler

import lossmith as lm
from lossmith.learn import ProbabilityPool, SurrogateClassifier
from lossmith.text.files import replacing

PAGE = Path(__file__).parent.parent / "docs" / "tutorials" / "amounts.md"
BEGIN, END = "<!-- table: benchmarks/amounts.py -->\n", "<!-- end of table -->\n"
ROWS = 10_000  # of the larger tasks, the first ones after shuffling
LOSS = lm.LossMatrix([[0, 1], [1, 0]], name="0-1")
Array = np.ndarray[Any, Any]


def tasks() -> Iterator[tuple[str, Array, Array, Array]]:
    """Name, X, y (1 is the rare class), and the costs m × 2 × 2: [[tn, fp], [fn, tp]]."""
    churn = load_churn_tv_subscriptions(backend=pd)
    given = churn.instance_costs
    entries = [[given["tn_cost"], given["fp_cost"]], [given["fn_cost"], given["tp_cost"]]]
    yield cut("churn of TV subscribers", churn, entries)
    credit = load_credit_scoring_pakdd(backend=pd)
    given = credit.instance_costs
    yield cut("credit scoring PAKDD", credit, [[0, given["fp_cost"]], [0.75 * given["cl"], 0]])
    upsell = load_upsell_bank_telemarketing(backend=pd)
    balance = upsell.instance_costs["balance"]  # a quarter of it is deposited, at 2.46 %; a call costs 1
    missed = np.maximum(1, 0.25 * 0.02463333 * balance)
    yield cut("deposits by telephone", upsell, [[0, 1], [missed, 1]])


def cut(name: str, data: Any, entries: list[list[Any]]) -> tuple[str, Array, Array, Array]:
    y = np.asarray(data.target, dtype=int)
    costs = np.empty((len(y), 2, 2))
    for truth in (0, 1):
        for decision in (0, 1):
            costs[:, truth, decision] = entries[truth][decision]
    features = pd.get_dummies(pd.DataFrame(data.data)).astype(float)
    features = features.fillna(features.median())
    chosen = np.random.default_rng(0).permutation(len(y))[:ROWS]
    return f"{name} ({len(chosen)} × {features.shape[1]})", features.to_numpy()[chosen], y[chosen], costs[chosen]


Method = Callable[[Array, Array, Array, Array, Array], Array]


def argmax(X: Array, y: Array, costs: Array, new: Array, told: Array) -> Array:
    return LogisticRegression(max_iter=1000).fit(X, y).predict(new)


def mean_costs(X: Array, y: Array, costs: Array, new: Array, told: Array) -> Array:
    return lm.LossMatrix(costs.mean(axis=0)).decide(LogisticRegression(max_iter=1000).fit(X, y), new)


def plug_in(estimator: Any) -> Method:
    def decided(X: Array, y: Array, costs: Array, new: Array, told: Array) -> Array:
        return SurrogateClassifier(LOSS, "plug-in", estimator).fit(X, y).predict(new, costs=told)

    return decided


def square(estimator: Any) -> Method:
    def decided(X: Array, y: Array, costs: Array, new: Array, told: Array) -> Array:
        return SurrogateClassifier(LOSS, "square", estimator).fit(X, y, costs=costs).predict(new)

    return decided


def by_name(costs: Array) -> dict[str, Array]:
    return {"tn_cost": costs[:, 0, 0], "fp_cost": costs[:, 0, 1], "fn_cost": costs[:, 1, 0], "tp_cost": costs[:, 1, 1]}


def cslogit(X: Array, y: Array, costs: Array, new: Array, told: Array) -> Array:
    return CSLogitClassifier().fit(X, y, **by_name(costs)).predict(new)


def minimum_risk(X: Array, y: Array, costs: Array, new: Array, told: Array) -> Array:
    model = CSThresholdClassifier(LogisticRegression(max_iter=1000)).fit(X, y)
    return model.predict(new, **by_name(told))


def csforest(X: Array, y: Array, costs: Array, new: Array, told: Array) -> Array:
    return CSForestClassifier(n_estimators=50, random_state=0).fit(X, y, **by_name(costs)).predict(new)


METHODS: dict[str, Method] = {
    "LR argmax": argmax,
    "LR, mean costs": mean_costs,
    "plug-in LR": plug_in(None),
    "plug-in pool": plug_in(ProbabilityPool(random_state=0)),
    "plug-in HGB": plug_in(HistGradientBoostingClassifier(random_state=0)),
    "square ridge": square(None),
    "square HGB": square(HistGradientBoostingRegressor(random_state=0)),
    "empulse CSLogit": cslogit,
    "empulse minimum risk": minimum_risk,
    "empulse CSForest": csforest,
}


def measured(X: Array, y: Array, costs: Array) -> dict[str, tuple[Array, float]]:
    """What each method paid for each example, averaged over the repetitions, and the median seconds of a split."""
    folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=3, random_state=0)
    paid = {name: np.zeros(len(y)) for name in METHODS}
    seconds: dict[str, list[float]] = {name: [] for name in METHODS}
    for train, test in folds.split(X, y):
        scaler = StandardScaler().fit(X[train])
        old, new = scaler.transform(X[train]), scaler.transform(X[test])
        for name, method in METHODS.items():
            start = time.process_time()
            decided = np.asarray(method(old, y[train], costs[train], new, costs[test]), dtype=int)
            seconds[name].append(time.process_time() - start)
            paid[name][test] += costs[test, y[test], decided] / 3
    return {name: (paid[name], float(np.median(seconds[name]))) for name in METHODS}


def table() -> str:
    """Mean cost ± 1.96 standard errors of its difference from the least one."""
    lines = [f"| data | {' | '.join(METHODS)} | knows the truth |", "| --- " * (len(METHODS) + 2) + "|"]
    for name, X, y, costs in tasks():
        found = measured(X, y, costs)
        best = min(found.values(), key=lambda each: each[0].mean())[0]
        cells = []
        for paid, seconds in found.values():
            error = 1.96 * (paid - best).std() / np.sqrt(len(y))
            took = f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"
            cell = f"{paid.mean():.3g} ± {error:.2g}, {took}"
            cells.append(f"**{paid.mean():.3g}, {took}**" if paid is best else cell)
        oracle = costs[np.arange(len(y)), y].min(axis=1).mean()
        lines.append(f"| {name} | {' | '.join(cells)} | {oracle:.3g} |")
        print(lines[-1], flush=True)
    return "\n".join([*lines, ""])


def main() -> None:
    warnings.simplefilter("ignore")
    made = table()
    print(made)
    if "--write" in sys.argv:
        page = PAGE.read_text()
        before, rest = page.split(BEGIN)
        with replacing(PAGE) as stream:
            stream.write(f"{before}{BEGIN}{made}{END}{rest.split(END)[1]}".encode())


if __name__ == "__main__":
    main()
