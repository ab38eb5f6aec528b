"""The ways to decide that one finds in practice, each trained on some examples and asked about others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import _safe_indexing

from lossmith.errors import BadInput
from lossmith.learn.classifier import SurrogateClassifier
from lossmith.learn.models import fit_probabilities
from lossmith.learn.pool import ProbabilityPool
from lossmith.learn.scoring import indices
from lossmith.losses.cost_arrays import NamedCosts, expected_costs
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ordering import listed
from lossmith.losses.reading import Name, array_of

Array: TypeAlias = np.ndarray[Any, Any]
Ways: TypeAlias = dict[str, Array]

_INNER = 3  # folds in which a threshold is tuned


@dataclass(frozen=True)
class Cases:
    """Examples with their labels, by name and by row, and with what each decision costs; `told` for each example."""

    labels: tuple[Name, ...]
    predictions: tuple[Name, ...]
    X: Any
    y: Array
    truth: Array
    costs: Array
    told: bool

    @property
    def names(self) -> LossMatrix:
        """A loss that only names labels and decisions."""
        return LossMatrix([[0] * len(self.predictions)] * len(self.labels), self.labels, self.predictions)

    @property
    def named(self) -> NamedCosts:
        """The costs, by the names of labels and decisions."""
        return NamedCosts(self.costs, self.labels, self.predictions)


def without_model(old: Cases, new: Cases, random_state: Any, notes: dict[str, None]) -> Ways:
    """One decision for all, the cheapest in training, and the pool of probabilities, where the features are numbers."""
    paid = old.costs[np.arange(len(old.truth)), old.truth].mean(axis=0)
    ways = {"one decision for all": np.full(len(new.truth), paid.argmin())}
    notes[f"One decision for all is {old.predictions[paid.argmin()]!r}."] = None
    if _numbers(old.X) and _numbers(new.X):
        pool = fit_probabilities(old.names, ProbabilityPool(random_state=random_state), old.X, old.y, None, 1.0)
        ways["pool, plug-in"] = expected_costs(pool.scores(new.X), new.costs).argmin(axis=1)
    else:
        notes["The pool is left out: it wants numbers in all features."] = None
    return ways


def decided_by(name: str, model: Any, old: Cases, new: Cases, random_state: Any) -> Ways:
    """What a model decides: by itself, or in the ways in which one decides by a classifier."""
    if isinstance(model, SurrogateClassifier):
        trained = clone(model).fit(old.X, old.y, costs=old.named if old.told else None)
        told = new.named if new.told and trained.surrogate_.kind == "plug-in" else None
        return {name: indices(trained.predict(new.X, costs=told), new.predictions, "decision", name)}
    if not hasattr(model, "predict_proba"):
        return {name: _as_decisions(clone(model).fit(old.X, old.y).predict(new.X), new, name)}
    fitted = fit_probabilities(old.names, model, old.X, old.y, None, 1.0)
    P = fitted.scores(new.X)
    ways = {
        f"{name}, argmax": _as_decisions(fitted.classifier.predict(new.X), new, name),
        f"{name}, plug-in": expected_costs(P, new.costs).argmin(axis=1),
    }
    if len(old.labels) == 2 and min(np.bincount(old.truth, minlength=2)) >= _INNER and not _is_frozen(model):
        low, high, threshold = tuned_threshold(_inner(model, old, random_state), old.truth, old.costs)
        ways[f"{name}, tuned threshold"] = np.where(P[:, 1] > threshold, high, low)
    return ways


def tuned_threshold(P: Array, truth: Array, costs: Array) -> tuple[int, int, float]:
    """The decisions that are best for each of two labels on average, and the threshold on P that was cheapest.

    >>> tuned_threshold(np.array([0.1, 0.2, 0.8]), np.array([0, 1, 1]), np.array([[[0.0, 1], [3, 0]]] * 3))
    (0, 1, 0.15...)
    """
    low, high = (int(costs[:, y].mean(axis=0).argmin()) for y in (0, 1))
    order = np.argsort(P, kind="stable")
    paid = costs[np.arange(len(truth)), truth][order]
    # Cut i decides `low` for the first i examples: what they pay, and what the others pay for `high`.
    below = np.concatenate([[0], np.cumsum(paid[:, low])])
    above = np.concatenate([[0], np.cumsum(paid[::-1, high])])[::-1]
    ends = np.concatenate([[-1.0], P[order], [2.0]])
    total = np.where(np.diff(ends) > 0, below + above, np.inf)  # no cut between equals
    cut = int(total.argmin())
    return low, high, float(ends[cut] + ends[cut + 1]) / 2


def _inner(model: Any, old: Cases, random_state: Any) -> Array:
    """The probability of the second label, out of fold."""
    P = np.empty(len(old.truth))
    folds = StratifiedKFold(_INNER, shuffle=True, random_state=random_state)
    for train, test in folds.split(np.zeros(len(P)), old.truth):
        told = fit_probabilities(old.names, model, _safe_indexing(old.X, train), old.y[train], None, 1.0)
        P[test] = told.scores(_safe_indexing(old.X, test))[:, 1]
    return P


def _as_decisions(told: Any, new: Cases, name: str) -> Array:
    """Decisions by name as they are; labels as the decision that is best where they are true."""
    seen = set(array_of(tuple(told)).tolist()) if not hasattr(told, "tolist") else set(told.tolist())
    if seen <= set(new.predictions):
        return indices(told, new.predictions, "decision", name)
    if not seen <= set(new.labels):
        raise BadInput(
            f"{name} predicts {listed(sorted(seen, key=str))}; give a model that predicts decisions "
            f"{listed(new.predictions)} or labels {listed(new.labels)}"
        )
    truth = indices(told, new.labels, "label", name)
    best: Array = new.costs[np.arange(len(truth)), truth].argmin(axis=1)
    return best


def _is_frozen(model: Any) -> bool:
    return isinstance(model, FrozenEstimator)


def _numbers(X: Any) -> bool:
    if issparse(X):
        return True
    try:
        return bool(np.isfinite(np.asarray(X, dtype=float)).all())
    except (TypeError, ValueError):
        return False
