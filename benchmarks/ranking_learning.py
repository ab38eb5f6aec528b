"""How well rankings are learned: pointwise regression, LightGBM's lambdarank and SubsetRanker, by each metric.

All three grow 100 trees of 31 leaves, have the means over the query as features, and take the size of a leaf that is
best on queries for validation. Shown are means over test queries, with 95% intervals over the rounds, each with its own
queries of all three kinds. Then: preferences for which scores with the least pairwise hinge, sorted, are wrong for
certain, as excess loss. Needs lightgbm.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

DOCUMENTS = 10
LEAVES = (20, 200)  # at least so many examples in a leaf
ROUNDS = 10


def main(rounds: int = ROUNDS) -> None:
    if find_spec("lightgbm") is None:
        raise SystemExit("this compares with LightGBM: pip install lightgbm")
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before numpy is imported
    import numpy as np
    from scipy.stats import t

    def cells(values: Any) -> str:
        half = t.ppf(0.975, rounds - 1) * values.std(axis=0, ddof=1) / rounds**0.5
        shown = [f"{mean:.3f} ± {width:.3f}" for mean, width in zip(values.mean(axis=0), half, strict=True)]
        return "".join(f"{each:>18}" for each in shown)

    warnings.simplefilter("ignore")
    print(f"{'data':<21}{'metric':<13}{'pointwise':>18}{'lambdarank':>18}{'SubsetRanker':>18}{'less lambdarank':>18}")
    for name, draw in DATA.items():
        for metric in ("ndcg", "precision@3", "map", "pd"):
            values = np.array([one_round(draw, metric, seed) for seed in range(rounds)])
            shown = np.column_stack([values, values[:, 2] - values[:, 1]])
            print(f"{name:<21}{metric:<13}{cells(shown)}", flush=True)
    print(f"\n{'cyclic preferences':<34}{'pointwise':>18}{'lambdarank':>18}{'SubsetRanker':>18}{'pairwise hinge':>18}")
    for m in (1_000, 10_000):
        values = np.array([cyclic(m, seed) for seed in range(rounds)])
        print(f"{m:<34,}{cells(values)}", flush=True)


def one_round(draw: Callable[..., Any], metric: str, seed: int) -> list[float]:
    """The metric of the three on test queries."""
    import numpy as np

    train, validation, test = draw(np.random.default_rng(seed), graded=metric in ("ndcg", "pd"))
    values = []
    for way in (pointwise, lambdarank, subset_ranker):
        made = [way(metric, leaf, *train) for leaf in LEAVES]
        values.append(max(made, key=lambda value: value(*validation))(*test))
    return values


def pointwise(metric: str, leaf: int, X: Any, y: Any) -> Callable[[Any, Any], float]:
    from sklearn.ensemble import HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(min_samples_leaf=leaf, early_stopping=False).fit(with_means(X), y)
    return lambda X, y: sorted_value(metric, model.predict(with_means(X)), y)


def lambdarank(metric: str, leaf: int, X: Any, y: Any) -> Callable[[Any, Any], float]:
    import lightgbm

    model = lightgbm.LGBMRanker(min_child_samples=leaf, verbose=-1, n_jobs=1)
    model.fit(with_means(X), y, group=groups(y))
    return lambda X, y: sorted_value(metric, model.predict(with_means(X)), y)


def subset_ranker(metric: str, leaf: int, X: Any, y: Any) -> Callable[[Any, Any], float]:
    from sklearn.ensemble import HistGradientBoostingRegressor

    from lossmith.learn import SubsetRanker

    trees = HistGradientBoostingRegressor(min_samples_leaf=leaf, early_stopping=False)
    model = SubsetRanker(metric, trees).fit(X, y, group=groups(y))
    return lambda X, y: model.score(X, y, group=groups(y))


def groups(y: Any) -> list[int]:
    return [DOCUMENTS] * (len(y) // DOCUMENTS)


def with_means(X: Any) -> Any:
    """The features of the documents and, as SubsetRanker has them, the means over their query."""
    import numpy as np

    means = X.reshape(-1, DOCUMENTS, X.shape[1]).mean(axis=1)
    return np.hstack([X, np.repeat(means, DOCUMENTS, axis=0)])


def sorted_value(metric: str, scores: Any, y: Any) -> float:
    """The mean over queries when documents are sorted by their scores."""
    import numpy as np

    from lossmith.learn.metrics import metric_named

    values = []
    for u, relevance in zip(scores.reshape(-1, DOCUMENTS), y.reshape(-1, DOCUMENTS), strict=True):
        positions = np.argsort(np.argsort(-u, kind="stable"))
        label = np.argwhere(relevance[:, None] > relevance) if metric == "pd" else relevance
        if metric != "map" or relevance.any():
            values.append(metric_named(metric).value(label, positions))
    return float(np.mean(values))


def diabetes(random: Any, graded: bool) -> tuple[Any, ...]:
    """Patients of scikit-learn's diabetes data in groups of ten, by how ill they are a year later."""
    import numpy as np
    from sklearn.datasets import load_diabetes

    X, progression = load_diabetes(return_X_y=True)
    cuts = [0.2, 0.4, 0.6, 0.8] if graded else [0.75]
    y = np.searchsorted(np.quantile(progression, cuts), progression)
    order = random.permutation(len(y))
    parts = order[:200], order[200:300], order[300:440]
    drawn = [np.concatenate([random.permutation(part) for _ in range(10)]) for part in parts]
    return tuple((X[rows], y[rows]) for rows in drawn)


def ambiguous(random: Any, graded: bool) -> tuple[Any, ...]:
    """Made up: a query has one of two meanings, and documents of one meaning only are relevant.

    The features are how likely the first meaning is, to which one a document belongs, and how good it is.
    """
    import numpy as np

    def queries(count: int) -> tuple[Any, Any]:
        share = random.uniform(0.2, 0.8, (count, 1)) * np.ones(DOCUMENTS)
        first = random.random((count, DOCUMENTS)) < random.uniform(0.2, 0.8, (count, 1))
        quality = random.random((count, DOCUMENTS))
        meant = (random.random((count, 1)) < share) == first
        good = meant & (random.random((count, DOCUMENTS)) < quality)
        y = good * (1 + (random.random((count, DOCUMENTS)) < quality)) if graded else good.astype(int)
        return np.stack([share, first, quality], axis=2).reshape(-1, 3), y.ravel()

    return queries(400), queries(200), queries(1000)


def cyclic(m: int, seed: int) -> list[float]:
    """Excess loss on the counterexample of the pairwise hinge: m comparisons of two documents out of three."""
    import lightgbm
    import numpy as np
    from sklearn.ensemble import HistGradientBoostingRegressor

    import lossmith as lm
    from lossmith.learn import SubsetRanker

    loss = lm.losses.pairwise_disagreement(3, "single edges")
    verdict = lm.check(lm.surrogates.pairwise_hinge(loss), loss)
    graphs = {loss.label_name(graph): graph for graph in loss.each_label()}
    documents = np.eye(3 * len(verdict.distributions))
    X, y = verdict.sample(m, seed)
    first = 3 * X.argmax(axis=1)
    compared = np.array([graphs[name][0] for name in y]) + first[:, None]  # the preferred one, and the other
    told, relevance = documents[compared.ravel()], np.tile([1, 0], m)
    ranker = lightgbm.LGBMRanker(verbose=-1, n_jobs=1).fit(told, relevance, group=[2] * m)
    regressor = HistGradientBoostingRegressor(early_stopping=False).fit(told, relevance)
    ours = SubsetRanker("pd", HistGradientBoostingRegressor(early_stopping=False))
    ours.fit(documents[(first[:, None] + np.arange(3)).ravel()], [graphs[name] for name in y], group=[3] * m)
    drawn = [y[column > 0].tolist() for column in X.T]
    hinge = [verdict.surrogate.minimum([each.count(name) for name in verdict.loss.labels]).point for each in drawn]
    scores = [regressor.predict(documents), ranker.predict(documents), np.array(hinge, dtype=float)]
    sorting = [np.argsort(np.argsort(-each.reshape(-1, 3), axis=1, kind="stable"), axis=1) for each in scores]
    decided = [*sorting[:2], ours.predict(documents, group=[3] * len(drawn)).reshape(-1, 3), sorting[2]]
    risks = [dict(zip(verdict.loss.predictions, verdict.loss.risk(p), strict=True)) for p in verdict.distributions]

    def excess(positions: Any) -> float:
        names = [loss.prediction_name(tuple(each)) for each in positions.tolist()]
        return float(np.mean([float(risk[name] - min(risk.values())) for risk, name in zip(risks, names, strict=True)]))

    return [excess(positions) for positions in decided]


DATA = {"diabetes (real)": diabetes, "ambiguous (made up)": ambiguous}

if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
