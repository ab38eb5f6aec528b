"""Probabilities of several models, pooled: where one is sure and wrong the others object.

Few expensive mistakes make the mean loss of a model noisy, so that choosing one by it is poor; pooling needs no choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from lossmith.errors import BadInput
from lossmith.learn.models import fit_weighted
from lossmith.learn.most_probable import MostProbable
from lossmith.learn.pairwise import PairwiseLogisticRegression
from lossmith.learn.proportional_odds import ProportionalOdds

Array: TypeAlias = np.ndarray[Any, Any]
Members: TypeAlias = list[tuple[str, Any]]

FEWEST = 500  # examples: with fewer, pooling gained nothing
_LEAST = 1e-5  # of a probability before its logarithm is taken
_FOLDS, _ROUNDS = 5, 200


class ProbabilityPool(MostProbable):
    """Pool the probabilities of several classifiers.

    Parameters
    ----------
    members : "quick", "best", or a list of (name, classifier)
        "quick" takes the normalised geometric mean of logistic regression, pairwise logistic regressions, logistic
        regression on 200 Nyström features and small histogram boosting, all on standardised features. "best" takes the
        mean, weighted by EM on out-of-fold log-loss, of more of them, extra trees among them; it takes some seconds. A
        list is pooled like "quick". With fewer than 500 examples "quick" and "best" are logistic regression alone.
    order : the classes in their order, or None
        Where they have one, proportional odds are a member, too.
    random_state : int, RandomState or None
        Of Nyström features, boosting, trees and folds.
    n_jobs : int or None
        Members that are trained at a time.

    Attributes
    ----------
    members_ : the fitted members by name
    weights_ : the weight of each by name
    scores_ : the mean out-of-fold log-loss of each, and of "the pool", with "best"
    why_ : how they are pooled, in words

    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> pool = ProbabilityPool([("linear", LogisticRegression(max_iter=5000)), ("odds", ProportionalOdds())])
    >>> pool.fit(X[:, :3], y).predict_proba(X[:2, :3]).shape
    (2, 3)
    """

    def __init__(
        self,
        members: Any = "quick",
        *,
        order: Sequence[Any] | None = None,
        random_state: Any = None,
        n_jobs: Any = None,
    ) -> None:
        self.members = members
        self.order = order
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ProbabilityPool:
        """Train every member on all examples; with "best", in folds before, for the weights."""
        X, y, _, weights = self._read(X, y, sample_weight)
        random = check_random_state(self.random_state)
        members = self._members(X, random)
        self._linear = self.members == "best" and len(members) > 1
        self.scores_: dict[str, float] = {}
        shares = np.full(len(members), 1 / len(members))
        if self._linear:
            shares = self._shares(members, X, y, weights, random)
        fitted = self._fitted([model for _, model in members], X, y, weights)
        self.members_ = dict(zip([name for name, _ in members], fitted, strict=True))
        self.weights_ = dict(zip(self.members_, shares.tolist(), strict=True))
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, in the order of `classes_`."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        told = np.stack([_told(model, X, self.classes_) for model in self.members_.values()])
        shares = np.array(list(self.weights_.values()))
        if self._linear:
            P = np.tensordot(shares, told, 1)
        else:
            P = np.exp(np.tensordot(shares, np.log(told.clip(min=_LEAST)), 1))
        pooled: Array = P / P.sum(axis=1, keepdims=True)
        return pooled

    def _members(self, X: Any, random: np.random.RandomState) -> Members:
        if not isinstance(self.members, str):
            names = [name for name, _ in self.members]
            if not names or len(set(names)) < len(names):
                raise BadInput(f"the members are called {names}; give at least one, each with a name of its own")
            self.why_ = "the geometric mean of the members that were given"
            return list(self.members)
        if self.members not in ("quick", "best"):
            raise BadInput(f'members is {self.members!r}; give "quick", "best" or a list of (name, classifier)')
        if X.shape[0] < FEWEST:
            self.why_ = f"logistic regression alone, as {X.shape[0]} examples are fewer than {FEWEST}"
            return _quick(X, None, random)[:1]
        self.why_ = "the geometric mean" if self.members == "quick" else "the mean, weighted by out-of-fold log-loss"
        made = _quick(X, self.order, random)
        return made if self.members == "quick" else [*made, *_more(X, random)]

    def _fitted(self, models: Sequence[Any], X: Any, y: Array, weights: Array | None) -> list[Any]:
        fitted: list[Any] = Parallel(n_jobs=self.n_jobs)(delayed(_trained)(model, X, y, weights) for model in models)
        return fitted

    def _shares(
        self, members: Members, X: Any, y: Array, weights: Array | None, random: np.random.RandomState
    ) -> Array:
        """The weights with the least out-of-fold log-loss of the mean, by EM."""
        codes = np.searchsorted(self.classes_, y)
        folds = min(_FOLDS, max(2, int(np.bincount(codes).max())))
        right = np.empty((len(members), len(y)))  # the probability of what was true
        for train, test in StratifiedKFold(folds, shuffle=True, random_state=random).split(X, codes):
            of_train = None if weights is None else weights[train]
            models = self._fitted([model for _, model in members], X[train], y[train], of_train)
            for i, model in enumerate(models):
                P = _told(model, X[test], self.classes_)
                right[i, test] = P[np.arange(len(test)), codes[test]].clip(min=_LEAST)
        mass = np.ones(len(y)) if weights is None else weights
        scores = -(np.log(right) @ mass) / mass.sum()
        self.scores_ = {name: float(score) for (name, _), score in zip(members, scores, strict=True)}
        shares = np.full(len(members), 1 / len(members))
        for _ in range(_ROUNDS):
            shares *= (right / (shares @ right)) @ mass / mass.sum()
        found: Array = shares / shares.sum()
        self.scores_["the pool"] = float(-np.log(found @ right) @ mass / mass.sum())
        return found


def _quick(X: Any, order: Sequence[Any] | None, random: np.random.RandomState) -> Members:
    made: Members = [
        ("logistic regression", _scaled(X, LogisticRegression(max_iter=1000))),
        ("pairwise logistic regressions", _scaled(X, PairwiseLogisticRegression())),
    ]
    if order is not None:
        made.append(("proportional odds", _scaled(X, ProportionalOdds(order))))
    features = Nystroem(n_components=min(200, X.shape[0]), random_state=_seed(random))
    made.append(("Nyström features", _scaled(X, features, LogisticRegression(C=10, max_iter=1000))))
    if not issparse(X):  # boosting wants all numbers
        boosting = HistGradientBoostingClassifier(
            max_iter=100, learning_rate=0.05, max_leaf_nodes=6, random_state=_seed(random)
        )
        made.append(("boosting", boosting))
    return made


def _more(X: Any, random: np.random.RandomState) -> Members:
    return [
        *((f"logistic regression, C = {C}", _scaled(X, LogisticRegression(C=C, max_iter=1000))) for C in (0.1, 10)),
        ("extra trees", ExtraTreesClassifier(n_estimators=200, min_samples_leaf=2, random_state=_seed(random))),
    ]


def _scaled(X: Any, *steps: Any) -> Any:
    return make_pipeline(StandardScaler(with_mean=not issparse(X)), *steps)


def _seed(random: np.random.RandomState) -> int:
    return int(random.randint(2**31 - 1))


def _trained(model: Any, X: Any, y: Array, weights: Array | None) -> Any:
    made = clone(model)
    if weights is not None and isinstance(made, Pipeline) and isinstance(made[0], StandardScaler):
        scaler = made[0].fit(X, sample_weight=weights)  # which a pipeline would fit without them
        made.steps[0] = (made.steps[0][0], FrozenEstimator(scaler))
    fit_weighted(made, X, y, weights)
    return made


def _told(model: Any, X: Any, classes: Array) -> Array:
    """The probabilities of all classes; those that the model never saw have 0."""
    P = np.zeros((X.shape[0], len(classes)))
    P[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(X)
    return P
