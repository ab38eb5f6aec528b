"""An estimator of scikit-learn that learns to decide for a loss matrix: h = pred ∘ f."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from lossmith.certificates.certificate import Certificate
from lossmith.errors import BadInput
from lossmith.learn.choosing import choose
from lossmith.learn.chunked import chunks, comes_in_chunks
from lossmith.learn.example_costs import paid_in_squares, refuse_costs, rule_of, told_again, weights_of_rows
from lossmith.learn.explanation import Explanation, explained, of_costs, one_example
from lossmith.learn.features_that_fit import refuse_missing, refuse_no_table, refuse_other_columns
from lossmith.learn.labels import loss_for, names_or_codes, one_label_each, rows_of_labels
from lossmith.learn.learning_by_chunks import LearnsByChunks, exact_in_chunks
from lossmith.learn.levels import levels
from lossmith.learn.linear import LinearFit, fit_linear
from lossmith.learn.models import (
    Probabilities,
    Regression,
    fit_probabilities,
    fit_regression,
    fit_targets,
    refuse_words,
)
from lossmith.learn.pool import ProbabilityPool
from lossmith.learn.reliable import order_in_calibration, ratios_of_priors
from lossmith.learn.scoring import float_costs, indices
from lossmith.learn.telling import tell_gap, tell_missing, tell_uncertified
from lossmith.learn.weights import weights_of
from lossmith.losses.cost_arrays import cost_arrays, expected_costs
from lossmith.losses.example_costs import ExampleCosts
from lossmith.losses.named import as_loss
from lossmith.losses.reading import array_of
from lossmith.surrogates.pred import Decide
from lossmith.surrogates.smooth import SmoothSurrogate

Array: TypeAlias = np.ndarray[Any, Any]


def _scores_labels(model: SurrogateClassifier) -> bool:
    """Whether the decisions are the labels, and what is learned compares them all."""
    if hasattr(model, "surrogate_"):
        pred = model.surrogate_.pred
        told = model._plugged or model._paid
        comparable = told or (isinstance(pred, Decide) and pred.reads != "slopes" and None not in pred.affine)
        return comparable and set(model.loss_.labels) == set(model.loss_.predictions)
    if not isinstance(model.surrogate, str) or model.surrogate not in ("auto", "best", "plug-in", "square"):
        return False
    loss = model.loss if model.loss is None or isinstance(model.loss, ExampleCosts) else as_loss(model.loss).matrix()
    return loss is None or set(loss.labels) == set(loss.predictions)


def _gives_probabilities(model: SurrogateClassifier) -> bool:
    asked = isinstance(model.surrogate, str) and model.surrogate in ("auto", "best", "plug-in")
    if model._plugged if hasattr(model, "surrogate_") else asked:
        return True
    raise BadInput('it learns no probabilities; take surrogate="plug-in", which does')


class SurrogateClassifier(LearnsByChunks, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn to decide so that the mean loss is small: train f on a calibrated surrogate, predict with its pred.

    Parameters
    ----------
    loss : LossMatrix, its name, ExampleCosts, or None
        What each decision costs for each true label; None is the 0-1 loss on the classes seen in `fit`. Costs that
        differ from example to example are `ExampleCosts`, read from the columns of X, or are told to `fit` and
        `predict`: see `fit`.
    surrogate : "auto", "best", "square", "plug-in", a name, a surrogate, or what `lm.design` returns
        "auto" pools the probabilities of several models (`ProbabilityPool`) and takes the decision of least expected
        loss, for up to 30 labels; above that it trains the one-dimensional surrogate if the loss is orderable, "square"
        if that needs fewer than half as many functions as there are labels, and else "plug-in". With fewer than 100
        examples the pool is logistic regression alone; `surrogate_` says what was taken, and why. "best" is the pool
        for any number of labels, and from 2000 examples on a larger one. "square" trains a regressor on the rows a_y;
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
    calibration : None, "temperature", "isotonic" or "sigmoid"
        How to calibrate the probabilities of a plug-in, in inner folds, by `CalibratedClassifierCV`. Class weights of
        the estimator are divided out in any case, where they can be read; a warning tells where not.
    priors : mapping from labels, list in the order of the rows, or None
        How frequent the labels are in use, if not as in y.
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
    corrections_ : what was done to the probabilities of the estimator, in words
    model_ : the fitted model; of a polyhedral surrogate, `coef`, `intercept`, `objective` and the duality `gap`
    n_iter_ : the iterations of the solver, 1 if it has none; of chunks, their number
    chunks_seen_, examples_seen_ : how many were learned, where they came in chunks

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
        calibration: Any = None,
        priors: Any = None,
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
        self.calibration = calibration
        self.priors = priors
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, costs: Any = None) -> SurrogateClassifier:
        """Train on examples X with true labels y, by name; or on an iterable X of chunks (X, y), as `partial_fit` does.

        `costs` per example, as in `LossMatrix.decide`, replace those of the loss, which names them. A plug-in learns
        probabilities, in which they have no part, and takes `costs` in `predict`; "square" learns what each decision
        cost, and needs none later; other surrogates are trained with weights, where each row of costs is that of the
        loss, scaled and shifted. Functions and columns are remembered, and need not be told again.

        An ensemble may pass the places of the names in sorted order instead. Where it is certain that y holds such
        codes they are understood, and `classes_` and `predict` are codes, too; where they may be names they are
        refused.
        """
        if not (isinstance(self.C, (int, float, np.number)) and self.C > 0):
            raise BadInput(f"C is {self.C!r}; it must be positive")
        if isinstance(X, np.memmap) and costs is None and exact_in_chunks(self, X, y):
            X, y, sample_weight = chunks(X, y, sample_weight), None, None
        if comes_in_chunks(X, y):
            self._fit_chunks(X, y, sample_weight, costs)
            return self
        self._forget_chunks()
        frame = X
        X, y = self._read(X, y)
        weights = weights_of(sample_weight, X)
        self.loss_ = loss_for(self.loss, self.surrogate, y, frame)
        costs = self.loss if costs is None and isinstance(self.loss, ExampleCosts) else costs
        self._rule = rule_of(costs, self.loss_)
        told = None if costs is None else cost_arrays(costs, self.loss_, frame, len(y))
        truth, coded = rows_of_labels(y, self.loss_)
        if coded:
            y = array_of(self.loss_.labels)[truth]
        self._name(y, coded)
        tell_missing(truth, self.loss_)
        self.surrogate_ = choose(self.loss_, self.surrogate, self.pred, self.estimator, self.allow_uncertified)
        tell_uncertified(self.surrogate_)
        self._train(X, y, truth, weights, told)
        self._inherit()
        return self

    def _train(self, X: Any, y: Array, truth: Array, weights: Array | None, costs: Array | None) -> None:
        surrogate = self.surrogate_.surrogate
        ratios = None if self.priors is None else ratios_of_priors(self.priors, self.loss_, truth, weights)
        if self.surrogate_.kind != "plug-in":
            if self.calibration is not None:
                raise BadInput(
                    f"calibration is {self.calibration!r}, but {surrogate.name} learns no probabilities; leave it out, "
                    f'or take surrogate="plug-in"'
                )
            if ratios is not None:  # examples of y count as often as they will be met
                weights = ratios[truth] if weights is None else ratios[truth] * weights
        self._paid = costs is not None and self.surrogate_.kind == "square"
        if self.surrogate_.kind == "plug-in":
            self._model = fit_probabilities(
                self.loss_, self._classifier(y), X, y, weights, self.C, self.calibration, ratios
            )
            self.surrogate_ = self.surrogate_.told_by(self._model.classifier)
        elif costs is not None and self._paid:
            self.surrogate_ = paid_in_squares(self.surrogate_)
            self._model = fit_targets(self.estimator, X, costs[np.arange(len(y)), truth], weights, self.C, self.n_jobs)
        elif isinstance(surrogate, SmoothSurrogate):
            self._model = fit_regression(surrogate, self.estimator, X, truth, weights, self.C, self.n_jobs)
        else:
            if costs is not None:
                paid = weights_of_rows(costs, truth, self.loss_, surrogate.name)
                weights = paid if weights is None else paid * weights
            how: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter, "verbose": self.verbose}
            self._model = fit_linear(surrogate, X, truth, weights, C=self.C, **how)
            tell_gap(self._model, self.tol)

    def predict(self, X: Any, *, costs: Any = None) -> Array:
        """The decision for each row of X, by name; a plug-in decides for these `costs`, as in `fit`, if there are."""
        decided = self._decided(X, costs)
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
        if self._plugged or self._paid:
            losses = self.expected_loss(X)
        else:
            U = self._scores(X)
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

    def expected_loss(self, X: Any, *, costs: Any = None) -> Array:
        """The expected loss of every decision, one column each in the order of `decisions_`, for each row of X.

        A plug-in tells it, for `costs` per example if there are; least squares where their mean determines it;
        polyhedral surrogates tell which decision is best, not what it costs.
        """
        U = self._scores(X)
        told = self._told(X, costs, len(U))
        if self._plugged:
            return U @ float_costs(self.loss_) if told is None else expected_costs(U, told)
        if self._paid:
            return U
        rows = levels(self.surrogate_)
        expected: Array = rows[:, 0] + U @ rows[:, 1:].T
        return expected

    def explain(self, x: Any, *, costs: Any = None) -> Explanation:
        """Why the one example x is decided as it is: the expected cost of every decision, and what would change it.

        Where the model tells no expected loss there is nothing to explain by, and it is refused.
        """
        x = one_example(x)
        (expected,) = self.expected_loss(x, costs=costs)
        if not self._plugged:
            return of_costs(expected, self.decisions_.tolist())
        told = self._told(x, costs, 1)
        labels = names_or_codes(self.loss_.labels, self.loss_, self._coded).tolist()
        matrix = float_costs(self.loss_) if told is None else told[0]
        return explained(self._scores(x)[0], matrix, labels, self.decisions_.tolist())

    def score(self, X: Any, y: Any, sample_weight: Any = None, *, costs: Any = None) -> float:
        """The negative mean loss, or cost per example, of the decisions for X when y are the true labels."""
        decided = self._decided(X, costs if self._plugged else None)
        y = one_label_each(y)
        known = self.loss_.labels
        if self._coded and y.dtype.kind in "iu":
            known = tuple(self._order.argsort().tolist())
        truth = indices(y, known, "label", self.loss_.name)
        costs = told_again(costs, self._rule)
        told = float_costs(self.loss_)[None] if costs is None else cost_arrays(costs, self.loss_, X, len(truth))
        rows = np.arange(len(truth)) if len(told) == len(truth) else 0
        return -float(np.average(told[rows, truth, decided], weights=weights_of(sample_weight, y)))

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

    def _classifier(self, y: Array) -> Any:
        """The classifier of a plug-in; None is logistic regression."""
        pool, order = self.surrogate_.pool, self.surrogate_.order
        if pool is None:
            return self.estimator
        if order is not None and self.calibration is not None:
            order = order_in_calibration(order, self.calibration, y)
        how = {"random_state": self.random_state, "n_jobs": self.n_jobs, "verbose": self.verbose}
        return ProbabilityPool(pool, order=order, C=self.C, **how)

    def _read(self, X: Any, y: Any) -> tuple[Any, Array]:
        """Our own models want finite numbers; what another estimator is given, it reads itself."""
        y = one_label_each(y)
        if self.estimator is None:
            refuse_words(X)
            refuse_missing(X)
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        else:
            refuse_no_table(X)
            check_consistent_length(X, y)
        if self.loss is None:  # else its labels tell
            check_classification_targets(y)
        return X, y

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
        check_is_fitted(self)
        return bool(self.surrogate_.kind == "plug-in")

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        if self.estimator is not None:
            refuse_other_columns(X, self)
        else:
            refuse_missing(X)
            X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        model: LinearFit | Probabilities | Regression = self.model_
        return model.scores(X)

    def _decided(self, X: Any, costs: Any = None) -> Array:
        if self._plugged or self._paid:
            return np.asarray(self.expected_loss(X, costs=costs).argmin(axis=1), dtype=np.intp)
        U = self._scores(X)
        self._told(X, costs, len(U))
        return np.asarray(self.surrogate_.pred.decide(U), dtype=np.intp)

    def _told(self, X: Any, costs: Any, m: int) -> Array | None:
        """The costs of these examples, which a plug-in decides for; None are those of the loss."""
        if not self._plugged:
            refuse_costs(costs, self.surrogate_.surrogate.name)
            return None
        costs = told_again(costs, self._rule)
        return None if costs is None else cost_arrays(costs, self.loss_, X, m)
