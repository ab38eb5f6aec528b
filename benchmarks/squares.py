"""Squares that `lm.design` makes against probabilities and the decision of least expected cost, on ten tasks.

    OMP_NUM_THREADS=1 python benchmarks/squares.py      # prints the tables of docs/learning.md, in four minutes

Each task is one half for training and one half for the test, three times. The costs are drawn once, before anything is
trained. "plug-in" learns probabilities and takes the decision of least expected cost. "squares" learns the targets of
`lm.design(loss, method="square")`, weighed by the costs; "plain" those of the same dimension in the coordinates of a
basis of the differences of the columns. Both of a pair are the same kind of model.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_friedman1,
)
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.dimension.le_affdim import squares
from lossmith.dimension.le_surrogate import CertifiedSurrogate
from lossmith.dimension.lt_affdim_of_positive_vector import scaled_squares

Task = tuple[str, Any, Any, lm.LossMatrix]
SPLITS = 3


def drawn(n: int, most: int, seed: int) -> lm.LossMatrix:
    """Costs of mistakes from 1 to `most`, most of them small."""
    generator = np.random.default_rng(seed)
    costs = np.ceil(most * generator.uniform(size=(n, n)) ** 3).astype(int)
    np.fill_diagonal(costs, 0)
    return lm.LossMatrix(costs.tolist())


def drawn_data(n: int, rows: int, seed: int) -> tuple[Any, Any]:
    """Overlapping classes, twenty features."""
    how: dict[str, Any] = {"n_features": 20, "n_informative": 12, "n_clusters_per_class": 1, "class_sep": 1.0}
    return make_classification(rows, n_classes=n, flip_y=0.05, random_state=seed, **how)


def graded(target: Any, n: int) -> Any:
    """A number cut into n grades of equal size."""
    return np.searchsorted(np.quantile(target, np.linspace(0, 1, n + 1)[1:-1]), target)


def tasks() -> Iterator[Task]:
    """Ten tasks: name, features, labels, costs."""
    yield "iris, drawn costs", *load_iris(return_X_y=True), drawn(3, 10, 1)
    yield "wine, abstain 1/4", *load_wine(return_X_y=True), lm.losses.abstain(3, cost="1/4")
    yield "tumours, 1 : 10", *load_breast_cancer(return_X_y=True), lm.LossMatrix([[0, 10], [1, 0]])
    yield "digits, 0-1", *load_digits(return_X_y=True), lm.losses.zero_one(10)
    yield "digits, drawn costs", *load_digits(return_X_y=True), drawn(10, 100, 2)
    X, target = load_diabetes(return_X_y=True)
    yield "diabetes, 5 grades, squared", X, graded(target, 5), lm.losses.ordinal(5, power=2)
    X, target = make_friedman1(3000, random_state=0)
    yield "friedman1, 6 grades, drawn costs", X, graded(target, 6), drawn(6, 50, 3)
    yield "drawn, 4 classes, drawn costs", *drawn_data(4, 4000, 4), drawn(4, 20, 4)
    yield "drawn, 6 classes, drawn costs", *drawn_data(6, 4000, 5), drawn(6, 100, 5)
    yield "drawn, 20 classes, drawn costs", *drawn_data(20, 5000, 6), drawn(20, 100, 6)


def plain_squares(loss: lm.LossMatrix) -> Any:
    """Squares of the same dimension that do not look at the costs."""
    facts = Facts(loss)
    return CertifiedSurrogate(facts, squares if facts.positive is None else scaled_squares).verdict


def linear(task: Task, X: Any, y: Any) -> dict[str, Callable[[Any], Any]]:
    """Logistic regression, ridge, and the hinge of `lm.design` where it is small."""
    *_, loss = task
    ways = {"plug-in": "plug-in", "squares": "square"} | ({"hinge": "max-min-hinge"} if loss.n <= 6 else {})
    models = {way: lm.learn.SurrogateClassifier(loss, surrogate) for way, surrogate in ways.items()}
    return {way: make_pipeline(StandardScaler(), model).fit(X, y).predict for way, model in models.items()}


def of_kind(kind: str, task: Task, X: Any, y: Any) -> dict[str, Callable[[Any], Any]]:
    """A plug-in, and squares in both coordinates, by boosting or by a network."""
    *_, loss = task
    found = {}
    for name, surrogate in (("plug-in", "plug-in"), ("squares", "square"), ("plain", plain_squares(loss))):
        boosted = HistGradientBoostingClassifier if name == "plug-in" else HistGradientBoostingRegressor
        network = MLPClassifier if name == "plug-in" else MLPRegressor
        if kind == "boosting":
            estimator: Any = boosted(max_iter=60, max_leaf_nodes=8, random_state=0)
        else:
            estimator = make_pipeline(StandardScaler(), network(hidden_layer_sizes=(64,), max_iter=150, random_state=0))
        found[name] = lm.learn.SurrogateClassifier(loss, surrogate, estimator).fit(X, y).predict
    return found


KINDS: dict[str, Callable[..., dict[str, Callable[[Any], Any]]]] = {
    "linear": linear,
    "boosting": lambda *given: of_kind("boosting", *given),
    "network": lambda *given: of_kind("network", *given),
}


def measured(kind: str, task: Task) -> dict[str, tuple[float, float]]:
    """Mean cost on the halves for the test, and the standard error of its difference from that of the plug-in."""
    _, X, y, loss = task
    costs = np.array(loss.entries, dtype=float)
    paid: dict[str, list[Any]] = {}
    for seed in range(SPLITS):
        X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=seed, stratify=y)
        for way, predict in KINDS[kind](task, X_train, y_train).items():
            decisions = [loss.predictions.index(each) for each in predict(X_test).tolist()]
            paid.setdefault(way, []).append(costs[y_test, decisions])
    each = {way: np.concatenate(list_) for way, list_ in paid.items()}
    base = each["plug-in"]
    return {way: (x.mean(), (x - base).std() / len(x) ** 0.5) for way, x in each.items()}


def main() -> None:
    """Print a table for each kind of model."""
    warnings.simplefilter("ignore")
    start = process_time()
    given = list(tasks())
    for kind, third in (("linear", "hinge"), ("boosting", "plain"), ("network", "plain")):
        print(f"| {kind}: data, loss | plug-in | squares | more by | {third} |\n|" + " --- |" * 5)
        for task in given:
            found = measured(kind, task)
            base, _ = found["plug-in"]
            mean, error = found["squares"]
            more = f"{100 * (mean / base - 1):+.0f} %" if abs(mean - base) > 2 * error else "–"
            other = f"{found[third][0]:.3g}" if third in found else ""
            print(f"| {task[0]} | {base:.3g} | {mean:.3g} | {more} | {other} |", flush=True)
        print()
    print(f"{process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()
