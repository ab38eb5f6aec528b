"""Probabilities of several models, pooled: where one is sure and wrong the others object.

Few expensive mistakes make the mean loss of a model noisy, so that choosing one by it is poor. The log-loss is less so,
and the weights of a pool, found by it, choose as far as the examples tell. They are powers: see `powers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier
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
from lossmith.exact.rational import quoted
from lossmith.learn.features_that_fit import refuse_missing
from lossmith.learn.models import fit_weighted
from lossmith.learn.most_probable import MostProbable
from lossmith.learn.pairwise import PairwiseLogisticRegression
from lossmith.learn.powers import fitted_powers, product
from lossmith.learn.proportional_odds import ProportionalOdds
from lossmith.learn.rounds import EVERY, StoppedBoosting, first_good
from lossmith.learn.softmax_regression import SoftmaxRegression
from lossmith.learn.threads import few_threads

Array: TypeAlias = np.ndarray[Any, Any]
Members: TypeAlias = list[tuple[str, Any]]

FEWEST = 100  # examples: with as many, equal weights won on 34 of 38 tasks
MANY = 2000  # examples: with fewer, "best" is "quick"
_LEAST = 1e-5  # of a probability whose logarithm is taken
_MOST_PAIRED = 30  # classes
_FEATURES, _MORE_FEATURES = 200, 400  # of Nyström; the latter for "best", with many examples
FOLDS, _HELD_OUT = 5, 1500  # folds and examples that weights take
_LEAVING = 2  # folds, after each of which members of little weight leave
_TREES = 400  # of one boosting at most, as each round has one for each class
_BINS = 64  # of a feature, for boosting: takes three quarters of the time that 255 take, and is as good
_LARGE_TREES = 500  # examples: with fewer, each leaf needing 20, those of 31 leaves won nothing
_NO_WEIGHT, _LITTLE_WEIGHT = 0.01, 0.05
_MOST_COUNTED = 2**53  # repetitions in all; above that weights are in some small unit
_WEIGHTED = "weighted by their log-loss on examples held out"
_GIVE = 'give "quick", "best" or a list of (name, classifier)'


class ProbabilityPool(MostProbable):
    """Pool the probabilities of several classifiers: their product, each to the power of its weight, normalised.

    The weights are those of the product with the least log-loss on examples that were held out: as many folds of five
    as hold 1500 examples. They need not add up to 1. Weights of examples that are whole numbers, some above 1, count
    repetitions, which are held out one by one; others weigh an example that is held out as a whole.

    Parameters
    ----------
    members : "quick", "best", or a list of (name, classifier)
        "quick" takes logistic regression with three C, pairwise logistic regressions, logistic regression on 200
        Nyström features of three widths, histogram boosting with 8 and with 31 leaves, stopped where it is best on what
        is held out, and extra trees; who is of little weight after one fold, or two, leaves. "best" is the same with
        fewer than 2000 examples, and takes 400 Nyström features else. With fewer than 100 examples it is logistic
        regression alone; two classes and more than 30 are not compared in pairs, sparse features are not boosted, and
        31 leaves take 500 examples. Features are standardised for their linear members.
    order : the classes in their order, or None
        Where they have one, proportional odds are a member, too.
    C : float
        Linear members minimise ½‖W‖² + C Σ log-loss; logistic regression also with a tenth and ten times C, and on
        Nyström features with ten or thirty times C.
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
    scores_ : the mean log-loss of each on examples that were held out while it was in, and of the product, "the pool"
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
        """Train every member of some weight on all examples; before, members without a fold, for the weights."""
        X, y, codes, weights = self._read(X, y, sample_weight)
        random = check_random_state(self.random_state)
        members = self._members(X, weights, random)
        self.scores_: dict[str, float] = {}
        self.weights_ = {name: 1 / len(members) for name, _ in members}
        kept = self._weighted(members, X, codes, weights, random) if len(members) > 1 else members
        when = "all examples" if self.verbose else None
        fitted = self._each(_trained, [(name, model, X, y, weights) for name, model in kept], when)
        self.members_ = dict(zip([name for name, _ in kept], fitted, strict=True))
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, in the order of `classes_`."""
        check_is_fitted(self)
        refuse_missing(X)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        with few_threads(X):
            told = np.stack([_told(model, model.predict_proba(X), self.classes_) for model in self.members_.values()])
        P: Array = told[0]
        return (
            P if len(self.weights_) == 1 else product(told, np.array([self.weights_[name] for name in self.members_]))
        )

    def _members(self, X: Any, weights: Array | None, random: np.random.RandomState) -> Members:
        if not (isinstance(self.C, (int, float, np.number)) and 0 < self.C < np.inf):
            raise BadInput(f"C is {self.C!r}; the members of a pool want a number above 0 that is finite")
        if not isinstance(self.members, str):
            given = _given(self.members)
            alone = len(given) == 1
            self.why_: str = f"{given[0][0]} alone" if alone else f"the product of {len(given)} models, {_WEIGHTED}"
            return given
        if self.members not in ("quick", "best"):
            raise BadInput(f"members is {self.members!r}; {_GIVE}")
        examples = X.shape[0]
        if weights is not None:
            examples = int(weights.sum()) if _counted(weights) else int(np.count_nonzero(weights))
        if examples < FEWEST:
            self.why_ = f"logistic regression alone, as {examples} examples are fewer than {FEWEST}"
            # So few are fitted to the last digit in no time: then weights are repetitions, to the last digit, too.
            return [("logistic regression", _scaled(X, _logistic(self.C, tol=1e-10)))]
        features = _MORE_FEATURES if self.members == "best" and examples >= MANY else _FEATURES
        made = candidates(X, self.order, self.C, random, len(self.classes_), features)
        counted = ", whole weights being numbers of repetitions" if weights is not None and _counted(weights) else ""
        self.why_ = f"the product of {len(made)} models, {_WEIGHTED}{counted}"
        return made

    def _each(self, work: Any, tasks: list[tuple[Any, ...]], when: str | None) -> list[Any]:
        done: list[Any] = Parallel(n_jobs=self.n_jobs)(
            delayed(_timed)(work, *rest, told=when and f"{name}, {when}") for name, *rest in tasks
        )
        return done

    def _weighted(
        self, members: Members, X: Any, codes: Array, weights: Array | None, random: np.random.RandomState
    ) -> Members:
        """Find the weights on what is held out; the members that have some, with as many rounds as were best."""
        whole = np.ones(len(codes)) if weights is None else weights
        held = held_out_rows(codes, whole, random)
        if not len(held):
            self.why_ = f"{len(members)} models of equal weight, as no class has the {FOLDS} examples to tell a weight"
        told: dict[str, list[Array]] = {name: [] for name, _ in members}  # by fold: stages × examples × classes
        for fold, out in enumerate(held, 1):
            test, train = np.flatnonzero(out), np.flatnonzero((whole > out) | (whole == 0))
            of_train = None if weights is None else (whole - out)[train]
            of_test = X[test], self.classes_[codes[test]], out[test]
            rest = X[train], self.classes_[codes[train]], of_train, of_test, self.classes_
            when = f"fold {fold} of {len(held)}" if self.verbose else None
            answers = self._each(_asked, [(name, model, *rest) for name, model in members], when)
            for (name, _), each in zip(members, answers, strict=True):
                told[name].append(each)
            if fold == len(held):
                members = self._found(members, told, codes, held, whole, _NO_WEIGHT)
            elif fold <= _LEAVING and isinstance(self.members, str):
                members = self._found(members, told, codes, held[:fold], whole, _LITTLE_WEIGHT)
        return members

    def _found(
        self, members: Members, told: dict[str, list[Array]], codes: Array, held: Array, whole: Array, least: float
    ) -> Members:
        """Set weights and scores by what was told of the examples held out; the members that weigh enough."""
        truth = np.concatenate([codes[out > 0] for out in held])
        mass = np.concatenate([out[out > 0] for out in held])
        count = mass.sum() if _counted(whole) else len(mass)
        members, stage = _best_stages(members, told, truth, mass)
        names, scores = [name for name, _ in members], _log_losses(stage, truth, mass)
        powers = fitted_powers(stage, truth, mass / mass.sum(), count)
        powers[powers < least] = 0.0
        if not powers.any():  # nobody knows anything
            powers[int(np.argmin(scores))] = least
        self.scores_ |= zip(names, scores, strict=True)
        self.scores_["the pool"] = _log_losses(product(stage, powers)[None], truth, mass)[0]
        self.weights_ |= zip(names, powers.tolist(), strict=True)
        return [each for each, power in zip(members, powers, strict=True) if power > 0]


def _given(members: Any) -> Members:
    """Members of one's own, by name."""
    if not isinstance(members, (list, tuple)) or not all(isinstance(each, (list, tuple)) for each in members):
        raise BadInput(f"members is {quoted(members)}; {_GIVE}")
    names = [name for name, _ in members]
    if not names or len(set(names)) < len(names):
        raise BadInput(f"the members are called {names}; give at least one, each with a name of its own")
    for name, model in members:
        if isinstance(model, type) or not hasattr(model, "predict_proba"):
            wanted = "give a classifier with predict_proba, such as LogisticRegression()"
            raise BadInput(f"the member {name!r} is {quoted(model)}; {wanted}")
    return [(name, model) for name, model in members]


def _counted(weights: Array) -> bool:
    """Whether weights are numbers of repetitions."""
    return bool(weights.max() > 1 and weights.sum() < _MOST_COUNTED and (weights == weights.round()).all())


def held_out_rows(codes: Array, weights: Array, random: np.random.RandomState) -> Array:
    """The weight of each example that each fold holds out: all of it, or, of repetitions, some of them.

    Classes with fewer examples than folds are always trained on and never asked for, so that no fold misses one.
    """
    counts = weights if _counted(weights) else (weights > 0).astype(float)
    common = np.flatnonzero((np.bincount(codes, counts) >= FOLDS)[codes] & (counts > 0))
    if not len(common):
        return np.zeros((0, len(codes)))
    held = np.zeros((FOLDS, len(codes)))
    if _counted(weights):
        left = weights[common].astype(int)
        for fold in range(FOLDS):
            held[fold, common] = random.binomial(left, 1 / (FOLDS - fold))
            left -= held[fold, common].astype(int)
    else:
        splits = StratifiedKFold(FOLDS, shuffle=True, random_state=random).split(common, codes[common])
        for fold, (_, chosen) in enumerate(splits):
            held[fold, common[chosen]] = weights[common[chosen]]
    enough = int(-(-FOLDS * _HELD_OUT // counts[common].sum()))
    return held[:enough]


def candidates(
    X: Any, order: Sequence[Any] | None, C: float, random: np.random.RandomState, classes: int, features: int
) -> Members:
    """Return the models that may join the pool, by name."""
    made: Members = [("logistic regression", _scaled(X, _logistic(C)))]
    made += [(f"logistic regression, C = {each:g}", _scaled(X, _logistic(each))) for each in (C / 10, 10 * C)]
    if 2 < classes <= _MOST_PAIRED:
        made.append(("pairwise logistic regressions", _scaled(X, PairwiseLogisticRegression(C))))
    if order is not None:
        made.append(("proportional odds", _scaled(X, ProportionalOdds(order, C))))
    for kind, more, times in (("", 10, 1.0), ("wide ", 30, 0.2), ("narrow ", 10, 3.0)):
        last = SoftmaxRegression(more * C) if classes > 2 else _logistic(more * C)
        made.append((f"{kind}Nyström features", _nystroem(X, last, times, random, features)))
    if not issparse(X):  # boosting wants all numbers
        rounds = _TREES // classes
        made.append(("small boosting", _boosting(random, 8, min(60, rounds))))
        if X.shape[0] >= _LARGE_TREES:
            made.append(("boosting", _boosting(random, 31, min(150, rounds))))
    return [*made, ("extra trees", ExtraTreesClassifier(n_estimators=50, random_state=_seed(random)))]


def _boosting(random: np.random.RandomState, leaves: int, rounds: int) -> Any:
    how = {"early_stopping": False, "random_state": _seed(random), "max_bins": _BINS}
    return StoppedBoosting(max_iter=max(24, rounds), learning_rate=0.15, max_leaf_nodes=leaves, **how)


def _nystroem(X: Any, last: Any, times: float, random: np.random.RandomState, most: int) -> Any:
    """A classifier on the kernels exp(−γ‖x − x'‖²) of some x', γ being so many times 1 / number of features."""
    examples = min(most, X.shape[0] * 3 // 4)  # a fold has as many, too
    return _scaled(X, Nystroem(gamma=times / X.shape[1], n_components=examples, random_state=_seed(random)), last)


def _logistic(C: float, tol: float = 1e-4) -> Any:
    return LogisticRegression(C=C, tol=tol, max_iter=1000)


def _scaled(X: Any, *steps: Any) -> Any:
    return make_pipeline(StandardScaler(with_mean=not issparse(X)), *steps)


def _seed(random: np.random.RandomState) -> int:
    return int(random.randint(2**31 - 1))


def _timed(work: Any, *task: Any, told: str | None) -> Any:
    started = perf_counter()
    with few_threads(task[1]):
        done = work(*task)
    if told is not None:
        print(f"{told}: {perf_counter() - started:.1f} s", flush=True)
    return done


def _trained(model: Any, X: Any, y: Array, weights: Array | None) -> Any:
    made = clone(model)
    if weights is not None and isinstance(made, Pipeline) and isinstance(made[0], StandardScaler):
        scaler = made[0].fit(X, sample_weight=weights)  # which a pipeline would fit without them
        made.steps[0] = (made.steps[0][0], FrozenEstimator(scaler))
    fit_weighted(made, X, y, weights)
    return made


def _asked(
    model: Any, X: Any, y: Array, weights: Array | None, unseen: tuple[Any, Array, Array], classes: Array
) -> Array:
    """What a model tells of examples that it is not trained on: stages × examples × classes."""
    if isinstance(model, StoppedBoosting):
        made = clone(model)
        return np.stack([_told(made, P, classes) for P in made.told_by_round(X, y, weights, *unseen)])
    made = _trained(model, X, y, weights)
    return _told(made, made.predict_proba(unseen[0]), classes)[None]


def _told(model: Any, P: Array, classes: Array) -> Array:
    """The probabilities of all classes; those that the model never saw have 0."""
    whole = np.zeros((len(P), len(classes)))
    whole[:, np.searchsorted(classes, model.classes_)] = P
    return whole


def _log_losses(told: Array, truth: Array, mass: Array) -> list[float]:
    """The mean log-loss of each (models × examples × classes)."""
    right = told[:, np.arange(len(truth)), truth].clip(min=_LEAST)
    return [float(each) for each in -np.log(right) @ mass / mass.sum()]


def _best_stages(members: Members, told: dict[str, list[Array]], truth: Array, mass: Array) -> tuple[Members, Array]:
    """Members of as many rounds as are best on average over the folds, and what they told then."""
    chosen, best_told = [], []
    for name, model in members:
        both = min(len(each) for each in told[name])
        stages = np.concatenate([each[:both] for each in told[name]], axis=1)
        best = first_good(_log_losses(stages, truth, mass))
        stopped = isinstance(model, StoppedBoosting)
        chosen.append((name, clone(model).set_params(max_iter=EVERY * (best + 1)) if stopped else model))
        best_told.append(stages[best])
    return chosen, np.stack(best_told)
