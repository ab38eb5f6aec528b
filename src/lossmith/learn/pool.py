"""Probabilities of several models, pooled: where one is sure and wrong the others object.

Few expensive mistakes make the mean loss of a model noisy, so that choosing one by it is poor. The log-loss is less so,
and the weights of a pool, found by it, choose as far as the examples tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
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

FEWEST = 100  # examples: with as many, equal weights won on 34 of 38 tasks
_LEAST = 1e-5  # of a probability whose logarithm is taken
_MOST_PAIRED = 30  # classes
_FOLDS, _HELD_OUT, _ROUNDS = 5, 400, 200  # folds, examples and rounds of EM that weights take
_NO_SHARE = 0.01
_WEIGHTED = "weighted by their log-loss on examples held out"


class ProbabilityPool(MostProbable):
    """Pool the probabilities of several classifiers: their weighted mean.

    The weights are those of the mean with the least log-loss on examples that were held out, found by EM: as many folds
    of five as hold 400 examples, and all five with "best". Weights of examples that are whole numbers, some above 1,
    count repetitions, which are held out one by one; others weigh an example that is held out as a whole.

    Parameters
    ----------
    members : "quick", "best", or a list of (name, classifier)
        "quick" takes logistic regression, pairwise logistic regressions, logistic regression on 200 Nyström features,
        small histogram boosting and extra trees; "best" takes more of them, and some seconds. With fewer than 100
        examples they are logistic regression alone; two classes and more than 30 are not compared in pairs, and sparse
        features are not boosted. Features are standardised for their linear members.
    order : the classes in their order, or None
        Where they have one, proportional odds are a member, too.
    C : float
        Linear members minimise ½‖W‖² + C Σ log-loss, on Nyström features with ten times C; "best" also has logistic
        regression with a tenth and ten times C.
    random_state : int, RandomState or None
        Of Nyström features, boosting, trees and folds.
    n_jobs : int or None
        Members that are trained at a time.
    verbose : bool
        Print each member when it is trained, and how long it took.

    Attributes
    ----------
    members_ : the fitted members by name, but those of no weight
    weights_ : the weight of each by name
    scores_ : the mean log-loss of each on examples that were held out, and of the weighted mean, "the pool"
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
        C: float = 1.0,
        random_state: Any = None,
        n_jobs: Any = None,
        verbose: bool = False,
    ) -> None:
        self.members = members
        self.order = order
        self.C = C
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ProbabilityPool:
        """Train every member of some weight on all examples; before, all of them without a fold, for the weights."""
        X, y, codes, weights = self._read(X, y, sample_weight)
        random = check_random_state(self.random_state)
        members = self._members(X, weights, random)
        self.scores_: dict[str, float] = {}
        shares = np.full(len(members), 1 / len(members))
        if len(members) > 1:
            shares = self._shares(members, X, codes, weights, random)
        self.weights_ = {name: float(share) for (name, _), share in zip(members, shares, strict=True)}
        kept = [(name, model) for name, model in members if self.weights_[name] > 0]
        fitted = self._fitted(kept, X, y, weights, "all examples")
        self.members_ = dict(zip([name for name, _ in kept], fitted, strict=True))
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, in the order of `classes_`."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        told = np.stack([_told(model, X, self.classes_) for model in self.members_.values()])
        shares = np.array([self.weights_[name] for name in self.members_])
        P: Array = np.tensordot(shares, told, 1)
        return P

    def _members(self, X: Any, weights: Array | None, random: np.random.RandomState) -> Members:
        if not isinstance(self.members, str):
            names = [name for name, _ in self.members]
            if not names or len(set(names)) < len(names):
                raise BadInput(f"the members are called {names}; give at least one, each with a name of its own")
            self.why_ = f"the mean of {len(names)} models, {_WEIGHTED}"
            return list(self.members)
        if self.members not in ("quick", "best"):
            raise BadInput(f'members is {self.members!r}; give "quick", "best" or a list of (name, classifier)')
        examples = X.shape[0]
        if weights is not None:
            examples = int(weights.sum()) if _counted(weights) else int(np.count_nonzero(weights))
        if examples < FEWEST:
            self.why_ = f"logistic regression alone, as {examples} examples are fewer than {FEWEST}"
            # So few are fitted to the last digit in no time: then weights are repetitions, to the last digit, too.
            return [("logistic regression", _scaled(X, _logistic(self.C, tol=1e-10)))]
        made = _quick(X, self.order, self.C, random, paired=2 < len(self.classes_) <= _MOST_PAIRED)
        if self.members == "best":
            made += _more(X, self.C, random)
        self.why_ = f"the mean of {len(made)} models, {_WEIGHTED}"
        return made

    def _fitted(self, members: Members, X: Any, y: Array, weights: Array | None, when: str) -> list[Any]:
        fitted: list[Any] = Parallel(n_jobs=self.n_jobs)(
            delayed(_trained)(model, X, y, weights, f"{name}, {when}" if self.verbose else None)
            for name, model in members
        )
        return fitted

    def _shares(
        self, members: Members, X: Any, codes: Array, weights: Array | None, random: np.random.RandomState
    ) -> Array:
        """The weights of the mean with the least log-loss on what was held out, by EM; the least ones become 0."""
        shares = np.full(len(members), 1 / len(members))
        whole = np.ones(len(codes)) if weights is None else weights
        held = _held_out(codes, whole, self.members == "best", random)
        if not len(held):
            self.why_ = f"{len(members)} models of equal weight, as no class has the {_FOLDS} examples to tell a weight"
            return shares
        told: list[Array] = []  # the probability of what was true
        for fold, out in enumerate(held, 1):
            test, train = np.flatnonzero(out), np.flatnonzero((whole > out) | (whole == 0))
            of_train = None if weights is None else (whole - out)[train]
            when = f"fold {fold} of {len(held)}"
            models = self._fitted(members, X[train], self.classes_[codes[train]], of_train, when)
            P = np.stack([_told(model, X[test], self.classes_) for model in models])
            told.append(P[:, np.arange(len(test)), codes[test]])
        right = np.concatenate(told, axis=1).clip(min=_LEAST)
        mass = np.concatenate([out[out > 0] for out in held]) / held.sum()
        self.scores_ = {name: float(score) for (name, _), score in zip(members, -np.log(right) @ mass, strict=True)}
        for _ in range(_ROUNDS):
            shares *= (right / (shares @ right)) @ mass
        found: Array = np.where(shares < _NO_SHARE, 0.0, shares)
        found /= found.sum()
        self.scores_["the pool"] = float(-np.log(found @ right) @ mass)
        return found


def _counted(weights: Array) -> bool:
    """Whether weights are numbers of repetitions."""
    return bool(weights.max() > 1 and (weights == weights.round()).all())


def _held_out(codes: Array, weights: Array, thorough: bool, random: np.random.RandomState) -> Array:
    """The weight of each example that each fold holds out: all of it, or, of repetitions, some of them.

    Classes with fewer examples than folds are always trained on and never asked for, so that no fold misses one.
    """
    counts = weights if _counted(weights) else (weights > 0).astype(float)
    common = np.flatnonzero((np.bincount(codes, counts) >= _FOLDS)[codes] & (counts > 0))
    if not len(common):
        return np.zeros((0, len(codes)))
    held = np.zeros((_FOLDS, len(codes)))
    if _counted(weights):
        left = weights[common].astype(int)
        for fold in range(_FOLDS):
            held[fold, common] = random.binomial(left, 1 / (_FOLDS - fold))
            left -= held[fold, common].astype(int)
    else:
        splits = StratifiedKFold(_FOLDS, shuffle=True, random_state=random).split(common, codes[common])
        for fold, (_, chosen) in enumerate(splits):
            held[fold, common[chosen]] = weights[common[chosen]]
    enough = int(-(-_FOLDS * _HELD_OUT // counts[common].sum()))
    return held if thorough else held[:enough]


def _quick(X: Any, order: Sequence[Any] | None, C: float, random: np.random.RandomState, *, paired: bool) -> Members:
    made: Members = [("logistic regression", _scaled(X, _logistic(C)))]
    if paired:
        made.append(("pairwise logistic regressions", _scaled(X, PairwiseLogisticRegression(C))))
    if order is not None:
        made.append(("proportional odds", _scaled(X, ProportionalOdds(order, C))))
    examples = min(200, X.shape[0] * 3 // 4)  # a fold has as many, too
    features = Nystroem(n_components=examples, random_state=_seed(random))
    made.append(("Nyström features", _scaled(X, features, _logistic(10 * C))))
    if not issparse(X):  # boosting wants all numbers
        made.append(("boosting", _boosting(random, rounds=60, rate=0.15, leaves=8)))
    trees = ExtraTreesClassifier(n_estimators=50, min_samples_leaf=2, random_state=_seed(random))
    return [*made, ("extra trees", trees)]


def _more(X: Any, C: float, random: np.random.RandomState) -> Members:
    made = [(f"logistic regression, C = {each:g}", _scaled(X, _logistic(each))) for each in (C / 10, 10 * C)]
    if not issparse(X):
        made.append(("slower boosting", _boosting(random, rounds=50, rate=0.1, leaves=6)))
    return made


def _boosting(random: np.random.RandomState, rounds: int, rate: float, leaves: int) -> Any:
    how = {"early_stopping": False, "random_state": _seed(random)}
    return HistGradientBoostingClassifier(max_iter=rounds, learning_rate=rate, max_leaf_nodes=leaves, **how)


def _logistic(C: float, tol: float = 1e-4) -> Any:
    return LogisticRegression(C=C, tol=tol, max_iter=1000)


def _scaled(X: Any, *steps: Any) -> Any:
    return make_pipeline(StandardScaler(with_mean=not issparse(X)), *steps)


def _seed(random: np.random.RandomState) -> int:
    return int(random.randint(2**31 - 1))


def _trained(model: Any, X: Any, y: Array, weights: Array | None, told: str | None) -> Any:
    made, started = clone(model), perf_counter()
    if weights is not None and isinstance(made, Pipeline) and isinstance(made[0], StandardScaler):
        scaler = made[0].fit(X, sample_weight=weights)  # which a pipeline would fit without them
        made.steps[0] = (made.steps[0][0], FrozenEstimator(scaler))
    fit_weighted(made, X, y, weights)
    if told is not None:
        print(f"{told}: {perf_counter() - started:.1f} s", flush=True)
    return made


def _told(model: Any, X: Any, classes: Array) -> Array:
    """The probabilities of all classes; those that the model never saw have 0."""
    P = np.zeros((X.shape[0], len(classes)))
    P[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(X)
    return P
