"""An estimator for labels that are sets of tags: it learns the factors of a loss, and decides exactly."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from lossmith.errors import BadInput
from lossmith.learn.features_that_fit import refuse_missing, refuse_no_table, refuse_other_columns
from lossmith.learn.models import fit_targets, refuse_words
from lossmith.learn.set_losses import loss_of_sets
from lossmith.learn.set_tasks import FactoredTask, WrittenTask, parts, task_of
from lossmith.learn.tag_matrix import in_order_of, lists_labels, names_of_tags, tag_matrix, tags_of_labels, tell_unused
from lossmith.learn.tags_and_sizes import TagsAndSizes, fit_tags_and_sizes, fit_whole_sets
from lossmith.learn.weights import weights_of
from lossmith.losses.families.sets.top_k_costs import TopKCosts

Array: TypeAlias = np.ndarray[Any, Any]

_PENALTIES = np.logspace(-2, 5, 15)


def _tells_tags(model: SubsetClassifier) -> bool:
    return isinstance(model.model_, TagsAndSizes) if hasattr(model, "model_") else model.estimator is None


class SubsetClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn which tags to give so that the mean loss of the sets is small, for hundreds of tags.

    What is learned are the means of the factors of the loss: for F_β whether an example has tag i and size m, of the
    sizes that occur; for recall@q y_i/|y|; for Hamming and precision@q each tag. The set of least expected loss
    follows exactly, by sorting. As far as the means are learned, the sets are the best ones: the loss is calibrated,
    and tags need not be independent.

    Parameters
    ----------
    loss : a name, or a loss of sets
        "f1", "f2", "f0.5", "hamming" (the number of wrong tags), "jaccard" (up to ten tags), "recall@q" and
        "precision@q" take the number of tags from y. Else a loss such as `lm.losses.weighted_hamming([1, 5, 2])`,
        `lm.losses.f_measure(20, beta=3)`, or a matrix whose labels are sets in bits. With `lm.losses.top_k_costs(…)`
        each example has one label, and y may list those; the sets are guesses.
    estimator : a regressor, or None
        What learns the means, by least squares; one of a single output is trained once for each. By default they
        come from logistic regressions of the size, and of each tag given the size, on the features and on 300 Nyström
        features; those of a matrix from a logistic regression of the sets that occur.
    C : float, or None
        The default minimises ½‖W‖² + C Σ log-loss; None chooses C by the log-loss on examples held out.
    n_jobs : int, or None
        Regressors of a single output that are trained at a time.
    random_state : int, RandomState or None
        Of the examples held out, and of the Nyström features.

    Attributes
    ----------
    tags_ : the names of the columns of y, or their numbers
    loss_ : the loss
    task_ : what is learned: `dim` functions, of which `columns` tells the numbers of the factors
    model_ : the fitted model
    n_features_in_ : the number of features

    >>> X = np.array([[0.0], [0], [1], [1]] * 10)
    >>> Y = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 0, 0]] * 10)
    >>> model = SubsetClassifier("f1").fit(X, Y)
    >>> model.predict([[0], [1]]).tolist()
    [[1, 1, 0], [0, 0, 0]]
    >>> print(f"{model.score(X, Y):.3f}")
    -0.333
    """

    def __init__(
        self, loss: Any = "f1", estimator: Any = None, *, C: Any = None, n_jobs: Any = None, random_state: Any = 0
    ) -> None:
        self.loss = loss
        self.estimator = estimator
        self.C = C
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SubsetClassifier:
        """Train on examples X, with a row of zeros and ones in y for each and a column for each tag."""
        self._refuse_parameters(sample_weight)
        tags, names = self._tags(y)
        X = self._read(X, len(tags))
        weights = weights_of(sample_weight, X)
        self.loss_ = loss_of_sets(self.loss, tags.shape[1])
        self.tags_ = np.array(names, dtype=None if len({*map(type, names)}) == 1 else object)
        self.classes_ = np.arange(tags.shape[1])
        tell_unused(tags, names)
        if weights is not None and self.estimator is None:  # what weighs nothing is not there
            X, tags, weights = X[weights > 0], tags[weights > 0], weights[weights > 0]
        self.task_ = task_of(self.loss_, tags)
        self.model_ = self._trained(X, tags, weights)
        if self.estimator is not None:
            for name in ("n_features_in_", "feature_names_in_"):
                if hasattr(self.model_.regressor, name):
                    setattr(self, name, getattr(self.model_.regressor, name))
        return self

    def predict(self, X: Any) -> Array:
        """The set of least expected loss for each row of X: zeros and ones, a column for each tag."""
        return self._by_parts(X, lambda part: self.task_.decide(self.model_.scores(part)))

    def scores(self, X: Any) -> Array:
        """What was learned: the means of the factors `task_.columns` for each row of X; of a matrix, probabilities.

        There may be more of them than tags, or fewer; a column for each tag has `predict_proba`.
        """
        check_is_fitted(self)
        return self._by_parts(X, self.model_.scores)

    @available_if(_tells_tags)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """The probability of each tag for each row of X, which the default model tells."""
        return self._by_parts(X, lambda part: self.model_.joint(part).of_tag.sum(axis=1))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The negative mean loss of the sets for X when y are the true ones; columns with names may be in any order."""
        decided, tags = self.predict(X), self._tags(y, self.tags_.tolist())[0]
        if tags.shape != decided.shape:
            raise BadInput(
                f"y has shape {tags.shape}, but the sets for X have shape {decided.shape}; give one for each"
            )
        return -float(np.average(self.task_.losses(tags, decided), weights=weights_of(sample_weight, tags)))

    @property
    def construction_(self) -> Any:
        """What is certified: `.certificate` is the proof, for `lm.verify`, that such functions are enough."""
        check_is_fitted(self)
        return self.task_.construction

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        tags.classifier_tags.multi_label, tags.classifier_tags.multi_class = True, False
        if self.estimator is None:
            tags.input_tags.sparse = True
        else:
            tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def _refuse_parameters(self, sample_weight: Any) -> None:
        if self.C is not None and not self.C > 0:
            raise BadInput(f"C is {self.C!r}; it must be positive, or None to have it chosen")
        if self.estimator is not None and is_classifier(self.estimator):
            raise BadInput(
                f"{self.estimator!r} is a classifier; the means of factors are numbers: give a regressor, or None"
            )
        if sample_weight is not None and not np.any(sample_weight):
            raise BadInput(
                "sample_weight is 0 for all examples. Sample weights must contain at least one non-zero number."
            )

    def _tags(self, y: Any, known: list[Any] | None = None) -> tuple[Array, list[Any]]:
        """Zeros and ones, and the names of the columns, in the order that is known; y may list labels of guesses."""
        if isinstance(self.loss, TopKCosts):
            known = list(self.loss.names)
            if lists_labels(y):
                return tags_of_labels(y, known), known
        tags = tag_matrix(y)
        if known is None or tags.shape[1] != len(known):
            return tags, names_of_tags(y, tags.shape[1])
        return in_order_of(y, tags, known), known

    def _read(self, X: Any, examples: int) -> Any:
        """Our own models want finite numbers; what another estimator is given, it reads itself."""
        if self.estimator is None:
            refuse_words(X)
            refuse_missing(X)
            X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        else:
            refuse_no_table(X)
        count = X.shape[0] if hasattr(X, "shape") else len(X)
        if count != examples:
            raise BadInput(f"X has {count} rows and y has {examples}; give a row of each for every example")
        return X

    def _trained(self, X: Any, tags: Array, weights: Array | None) -> Any:
        task: FactoredTask | WrittenTask = self.task_
        if self.estimator is not None:
            return fit_targets(self.estimator, X, task.targets(tags), weights, 1.0, self.n_jobs)
        random, whole = check_random_state(self.random_state), np.ones(len(tags)) if weights is None else weights
        if isinstance(task, WrittenTask) or isinstance(task.loss, TopKCosts):  # probabilities that sum to 1
            return fit_whole_sets(task, X, tags, whole, self.C, random)
        if task.by_joint:
            return fit_tags_and_sizes(task, X, tags, whole, self.C, random)
        # Of other losses with factors nothing more is known: their means, by least squares.
        ridge = make_pipeline(StandardScaler(with_mean=not issparse(X)), RidgeCV(_PENALTIES))
        return fit_targets(ridge, X, task.targets(tags), weights, 1.0)

    def _by_parts(self, X: Any, told: Any) -> Array:
        """What a function tells of the rows of X, some at a time: there may be thousands of numbers for each."""
        check_is_fitted(self)
        if self.estimator is not None:
            refuse_other_columns(X, self)
            return np.asarray(told(X))
        refuse_missing(X)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return np.concatenate([told(X[rows]) for rows in parts(X.shape[0], self.task_.together)])
