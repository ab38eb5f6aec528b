"""An estimator of scikit-learn that learns to decide for a loss matrix: h = pred ∘ f."""

from __future__ import annotations

import warnings
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Undecided
from lossmith.certificates.certificate import Certificate
from lossmith.errors import BadInput
from lossmith.exact.solve import combinations
from lossmith.learn.choosing import Chosen, choose
from lossmith.learn.labels import in_sorted_order, names_or_codes, one_label_each, rows_of_labels
from lossmith.learn.linear import LinearFit, fit_linear
from lossmith.learn.models import Probabilities, Regression, fit_probabilities, fit_regression, refuse_words
from lossmith.learn.pool import ProbabilityPool
from lossmith.learn.scoring import as_loss, costs, indices
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.reading import array_of
from lossmith.surrogates.pred import Decide
from lossmith.surrogates.smooth import SmoothSurrogate

Array: TypeAlias = np.ndarray[Any, Any]


def _scores_labels(model: SurrogateClassifier) -> bool:
    """Whether the decisions are the labels, and what is learned compares them all."""
    if hasattr(model, "surrogate_"):
        pred = model.surrogate_.pred
        comparable = model._plugged or (isinstance(pred, Decide) and pred.reads != "slopes" and None not in pred.affine)
        return comparable and set(model.loss_.labels) == set(model.loss_.predictions)
    if not isinstance(model.surrogate, str) or model.surrogate not in ("auto", "best", "plug-in", "square"):
        return False
    loss = None if model.loss is None else as_loss(model.loss)
    return loss is None or set(loss.labels) == set(loss.predictions)


def _gives_probabilities(model: SurrogateClassifier) -> bool:
    if hasattr(model, "surrogate_"):
        return model._plugged
    return isinstance(model.surrogate, str) and model.surrogate in ("auto", "best", "plug-in")


class SurrogateClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn to decide so that the mean loss is small: train f on a calibrated surrogate, predict with its pred.

    Parameters
    ----------
    loss : LossMatrix, its name, or None
        What each decision costs for each true label; None is the 0-1 loss on the classes seen in `fit`.
    surrogate : "auto", "best", "square", "plug-in", a name, a surrogate, or what `lm.design` returns
        "auto" pools the probabilities of several models (`ProbabilityPool`) and takes the decision of least expected
        loss, for up to 30 labels; above that it trains the one-dimensional surrogate if the loss is orderable, "square"
        if that needs fewer than half as many functions as there are labels, and else "plug-in". With fewer than 100
        examples the pool is logistic regression alone; `surrogate_` says what was taken, and why. "best" pools more
        models, weighted by what they are worth, which takes some seconds. "square" trains a regressor on the rows a_y;
        "plug-in" trains a classifier and takes the decision of least expected loss; a polyhedral surrogate, such as
        "crammer-singer:n=3", "orderable" or "max-min-hinge", trains a linear model.
    estimator : an estimator, or None
        The regressor of "square" (default: ridge) or the classifier of a plug-in (default: logistic regression). One
        that is fitted already is wrapped in `sklearn.frozen.FrozenEstimator`. With one, "auto" and "best" train it
        alone.
    pred : a pred, or None
        How to decide, where the surrogate is one of yours; by default one that is certified.
    C : float
        Default models minimise ½‖W‖² + C Σ_i ψ_{y_i}(Wx_i + b).
    tol, max_iter : float, int
        Polyhedral surrogates: the relative duality gap at which to stop, and steps for each smoothing.
    allow_uncertified : bool
        Warn, rather than refuse, if the surrogate is not calibrated for the loss.
    random_state : int, RandomState or None
        Of the pool: the same number gives the same model.
    n_jobs : int or None
        Models that are trained at a time, of the pool and of a regressor with one output.
    verbose : bool
        Print what has been trained, and how long it took.

    Attributes
    ----------
    classes_ : the labels in sorted order, which is that of the columns of `predict_proba`
    decisions_ : the decisions that `predict` returns, in the order of the loss
    surrogate_ : what is trained, how it decides, and why; print it
    loss_ : the loss matrix
    model_ : the fitted model; of a polyhedral surrogate, `coef`, `intercept`, `objective` and the duality `gap`
    n_iter_ : the iterations of the solver, 1 if it has none

    >>> from lossmith.losses import abstain
    >>> X, y = np.array([[-3.0], [-2], [-0.1], [0.1], [2], [3]]), [0, 0, 1, 0, 1, 1]
    >>> model = SurrogateClassifier(abstain(2, cost="1/5")).fit(X, y)
    >>> model.predict([[-3], [0], [3]]).tolist()
    [0, 'abstain', 1]
    >>> print(model.surrogate_.why)
    logistic regression alone, as 6 examples are fewer than 100
    """

    def __init__(
        self,
        loss: Any = None,
        surrogate: Any = "auto",
        estimator: Any = None,
        *,
        pred: Any = None,
        C: float = 1.0,
        tol: float = 1e-4,
        max_iter: int = 1000,
        allow_uncertified: bool = False,
        random_state: Any = None,
        n_jobs: Any = None,
        verbose: bool = False,
    ) -> None:
        self.loss = loss
        self.surrogate = surrogate
        self.estimator = estimator
        self.pred = pred
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.allow_uncertified = allow_uncertified
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SurrogateClassifier:
        """Train on examples X with true labels y, by name.

        An ensemble may pass the places of the names in sorted order instead. Where it is certain that y holds such
        codes they are understood, and `classes_` and `predict` are codes, too; where they may be names they are
        refused.
        """
        if not self.C > 0:
            raise BadInput(f"C is {self.C!r}; it must be positive")
        X, y = self._read(X, y)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        self.loss_ = self._losses(y)
        truth, self._coded = rows_of_labels(y, self.loss_)
        if self._coded:
            y = array_of(self.loss_.labels)[truth]
        self._order = in_sorted_order(self.loss_.labels)
        self.classes_ = names_or_codes([self.loss_.labels[i] for i in self._order], self.loss_, self._coded)
        self.decisions_ = names_or_codes(self.loss_.predictions, self.loss_, self._coded)
        if self.loss is None and np.unique(y).tolist() == list(self.decisions_):
            self.classes_ = self.decisions_ = np.unique(y)  # in the type of y
        self._tell_missing(truth)
        self.surrogate_ = choose(self.loss_, self.surrogate, self.pred, self.estimator, self.allow_uncertified)
        self._tell_uncertified(self.surrogate_)
        surrogate = self.surrogate_.surrogate
        if self.surrogate_.kind == "plug-in":
            self.model_: Any = fit_probabilities(self.loss_, self._classifier(), X, y, weights, self.C)
            self.surrogate_ = self.surrogate_.told_by(self.model_.classifier)
        elif isinstance(surrogate, SmoothSurrogate):
            self.model_ = fit_regression(surrogate, self.estimator, X, truth, weights, self.C, self.n_jobs)
        else:
            how: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter, "verbose": self.verbose}
            self.model_ = fit_linear(surrogate, X, truth, weights, C=self.C, **how)
            self._tell_gap(self.model_)
        self._inherit()
        return self

    def predict(self, X: Any) -> Array:
        """The decision for each row of X, by name."""
        decided = self._decided(X)
        others = [name for name in self.loss_.predictions if name not in self.loss_.labels] if self._coded else []
        if others:
            raise BadInput(
                f"the labels came as codes, as ensembles pass them, but the decision {others[0]!r} is no label and has "
                f"no code; let the ensemble average probabilities, and decide with loss.decide(ensemble, X)"
            )
        named: Array = self.decisions_[decided]
        return named

    def scores(self, X: Any) -> Array:
        """The scores u of each row of X that were learned, one column for each function; a plug-in has none."""
        U = self._scores(X)
        if self._plugged:
            raise BadInput("a plug-in learns probabilities, no scores u; ask for predict_proba")
        return U

    @available_if(_scores_labels)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Array:
        """How good it is to decide for each of `classes_`; of two, the difference: positive for the second.

        It is the negative expected loss; least squares know it only up to what all decisions have in common, and make
        their mean 0. There is one where the decisions are the labels. The scores u are `scores`.
        """
        U = self._scores(X)
        if self._plugged:
            losses = U @ costs(self.loss_)
        else:
            pred = self.surrogate_.pred
            told = pred.surrogate.estimates(U) if pred.reads == "means" else pred.surrogate.probabilities(U)
            rows = np.array(pred.affine, dtype=float)
            losses = rows[:, 0] + told @ rows[:, 1:].T
            losses -= losses.mean(axis=1, keepdims=True)
        places = [self.loss_.predictions.index(self.loss_.labels[i]) for i in self._order]
        good: Array = -losses[:, places]
        return good[:, 1] - good[:, 0] if len(places) == 2 else good

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the labels, in the order of `classes_`, which a plug-in has."""
        P: Array = self._scores(X)[:, self._order]
        return P

    def expected_loss(self, X: Any) -> Array:
        """The expected loss of every decision, one column each in the order of `decisions_`, for each row of X.

        A plug-in tells it; least squares where their mean determines it; polyhedral surrogates tell which decision is
        best, not what it costs.
        """
        U = self._scores(X)
        rows = np.hstack([np.zeros((self.loss_.k, 1)), costs(self.loss_).T]) if self._plugged else self._levels()
        expected: Array = rows[:, 0] + U @ rows[:, 1:].T
        return expected

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The negative mean loss of the decisions for X when y are the true labels."""
        decided = self._decided(X)
        y = one_label_each(y)
        known = self.loss_.labels
        if self._coded and y.dtype.kind in "iu":
            known = tuple(self._order.argsort().tolist())
        truth = indices(y, known, "label", self.loss_.name)
        return -float(np.average(costs(self.loss_)[truth, decided], weights=sample_weight))

    @property
    def certificate_(self) -> Certificate | None:
        """The proof that surrogate and pred are calibrated for the loss, for `lm.verify`."""
        check_is_fitted(self)
        certificate: Certificate | None = self.surrogate_.verdict.certificate
        return certificate

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if self.estimator is None:
            tags.input_tags.sparse = True
        else:
            tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    # What goes in.

    def _classifier(self) -> Any:
        """The classifier of a plug-in; None is logistic regression."""
        pool, order = self.surrogate_.pool, self.surrogate_.order
        if pool is None:
            return self.estimator
        how = {"random_state": self.random_state, "n_jobs": self.n_jobs, "verbose": self.verbose}
        return ProbabilityPool(pool, order=order, C=self.C, **how)

    def _read(self, X: Any, y: Any) -> tuple[Any, Array]:
        """Our own models want finite numbers; what another estimator is given, it reads itself."""
        y = one_label_each(y)
        if self.estimator is None:
            refuse_words(X)
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        else:
            check_consistent_length(X, y)
        if self.loss is None:  # else its labels tell
            check_classification_targets(y)
        return X, y

    def _losses(self, y: Array) -> LossMatrix:
        """The loss; 0-1 on the classes seen if none is given."""
        if self.loss is not None:
            return as_loss(self.loss)
        if isinstance(self.surrogate, (Calibrated, NotCalibrated, Undecided)):
            return self.surrogate.loss
        names = np.unique(y).tolist()
        if len(names) < 2:
            raise BadInput(f"y has one class only, {names[0]!r}; a classifier needs two, or give the loss")
        return LossMatrix.from_function(lambda a, b: int(a != b), names, name=f"zero_one(n={len(names)})")

    def _tell_missing(self, truth: Array) -> None:
        missing = np.flatnonzero(np.bincount(truth, minlength=self.loss_.n) == 0)
        if missing.size:
            shown = ", ".join(repr(self.loss_.labels[i]) for i in missing[:5]) + ", …" * (missing.size > 5)
            warnings.warn(f"y has no example of {missing.size} of {self.loss_.n} labels: {shown}", stacklevel=3)

    def _tell_uncertified(self, chosen: Chosen) -> None:
        if chosen.decided is not None and not isinstance(chosen.decided, Calibrated):
            warnings.warn(str(chosen.decided), stacklevel=3)

    def _tell_gap(self, model: LinearFit) -> None:
        if model.gap > self.tol * model.objective:
            warnings.warn(
                f"the objective {model.objective:.6g} may be {model.gap:.2g} above the least one, more than tol = "
                f"{self.tol:g} of it; raise max_iter, or scale the features",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _inherit(self) -> None:
        """What the fitted model knows: its iterations, and of an estimator that read X itself, the features."""
        if isinstance(self.model_, LinearFit):
            self.n_iter_ = max(self.model_.iterations, 1)
            return
        inner = self.model_.regressor if isinstance(self.model_, Regression) else self.model_.classifier
        steps = getattr(inner, "n_iter_", None)
        self.n_iter_ = 1 if steps is None else int(np.max(steps))
        for name in ("n_features_in_", "feature_names_in_"):
            if self.estimator is not None and hasattr(inner, name):
                setattr(self, name, getattr(inner, name))

    # What comes out.

    @property
    def _plugged(self) -> bool:
        return bool(self.surrogate_.kind == "plug-in")

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        if self.estimator is None:
            X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        model: LinearFit | Probabilities | Regression = self.model_
        return model.scores(X)

    def _decided(self, X: Any) -> Array:
        U = self._scores(X)
        decided = (U @ costs(self.loss_)).argmin(axis=1) if self._plugged else self.surrogate_.pred.decide(U)
        return np.asarray(decided, dtype=np.intp)

    def _levels(self) -> Array:
        """Rows (c, b) with p·ℓ_t = c_t + b_t·u for the mean u, if there are such."""
        chosen = self.surrogate_
        if isinstance(chosen.surrogate, SmoothSurrogate) and chosen.surrogate.traits.scales is None:
            means = chosen.surrogate.traits.mean or ()
            unit = self.loss_.rational.denominator
            ones = [type(means[0][0])(1)] * self.loss_.n
            found = combinations([ones, *zip(*means, strict=True)], self.loss_.rational.integer_columns())
            if all(x is not None for x in found):
                return np.array([[float(each) for each in x or ()] for x in found]) / unit
        raise BadInput(
            f'{chosen.surrogate.name} tells which decision is best, not what it costs; use surrogate="plug-in" for that'
        )
