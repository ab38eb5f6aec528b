"""`partial_fit`, and `fit` on chunks: one pass over examples of which only a part is in memory at a time."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.frozen import FrozenEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_consistent_length, validate_data

from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Undecided
from lossmith.errors import BadInput, LossmithError
from lossmith.learn.choosing import Chosen, choose
from lossmith.learn.chunked import Chunks, each_chunk, is_dask, rows_of_each
from lossmith.learn.features_that_fit import missing_in, refuse_missing, refuse_no_table, refuse_other_columns
from lossmith.learn.labels import in_sorted_order, loss_for, names_or_codes, one_label_each
from lossmith.learn.models import Probabilities, refuse_words
from lossmith.learn.reliable import ratios_of_counts
from lossmith.learn.scoring import indices
from lossmith.learn.streams import Stream, stream_of
from lossmith.learn.telling import tell_missing, tell_uncertified
from lossmith.learn.weights import weights_of
from lossmith.losses.example_costs import ExampleCosts
from lossmith.text.numbers import counted

Array: TypeAlias = np.ndarray[Any, Any]


def _can_stream(model: LearnsByChunks) -> bool:
    refuse_streams(model)
    return True


class LearnsByChunks(BaseEstimator):  # type: ignore[misc]
    """The part of `SurrogateClassifier` that learns one chunk after another."""

    @available_if(_can_stream)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Any:
        """Learn from one chunk of examples more.

        The first chunk must say all labels: `classes`, unless the loss names them. Least squares come to what `fit` on
        all examples would, to rounding; logistic regression and polyhedral surrogates come close, in blocks of 4096
        examples, if the chunks are in no order; other estimators are given each chunk by their own `partial_fit`.
        `chunks_seen_` and `examples_seen_` count. What "auto" takes here is in `surrogate_`.
        """
        going_on = self.__dict__.get("_stream") is not None
        if not going_on and "_model" in self.__dict__:
            classes = self.classes_ if classes is None else classes
            warnings.warn(
                "what was fitted to all examples at once is forgotten: a new model is learned in chunks; to go on from "
                "there, fit(lm.learn.chunks(X, y))",
                stacklevel=2,
            )
        where = f"chunk {self.chunks_seen_}: " if going_on else ""
        self._learn(X, y, sample_weight, classes, where)
        return self

    def _fit_chunks(self, X: Any, y: Any, sample_weight: Any, costs: Any) -> Any:
        """Forget all, and learn from every chunk."""
        refuse_streams(self)
        if costs is not None:
            raise BadInput(
                "costs per example cannot be told beside chunks; a plug-in takes them in predict(X, costs=…)"
            )
        self._stream: Stream | None = None
        self.__dict__.pop("_model", None)
        self.chunks_seen_ = self.examples_seen_ = 0
        try:
            classes = _classes_before(self, X, y)
            for number, (table, labels, weights) in enumerate(each_chunk(X, y, sample_weight)):
                if _num_samples(table):
                    where = f", from row {number * rows_of_each(X)} of X on" if isinstance(X, Chunks) and number else ""
                    self._learn(table, labels, weights, classes, f"chunk {number}{where}: ")
                    classes = None
                    if self.verbose:
                        print(f"chunk {number}: {self.examples_seen_} examples so far", flush=True)
        except BaseException as error:
            error.add_note(self._how_far())
            raise
        if self._stream is None:
            raise BadInput("there is no chunk with examples; a generator can be used once: make a new one")
        tell_missing(np.flatnonzero(self._counts), self.loss_)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """Whether anything was learned, which attributes do not tell after a first chunk that did not fit."""
        return "_model" in self.__dict__ or self.__dict__.get("_stream") is not None

    def _forget_chunks(self) -> None:
        self._stream = None
        for name in ("chunks_seen_", "examples_seen_"):
            self.__dict__.pop(name, None)

    def _how_far(self) -> str:
        if not self.examples_seen_:
            return "nothing was learned"
        were = "was" if self.chunks_seen_ == 1 else "were"
        learned = f"{counted(self.chunks_seen_, 'chunk')} with {counted(self.examples_seen_, 'example')} {were} learned"
        return f"{learned}; the model can be used as it is, and partial_fit goes on"

    def _learn(self, X: Any, y: Any, sample_weight: Any, classes: Any, where: str) -> None:
        first = self.__dict__.get("_stream") is None
        try:
            if not (isinstance(self.C, (int, float, np.number)) and self.C > 0):
                raise BadInput(f"C is {self.C!r}; it must be positive")
            X, y, weights, frame = self._read_chunk(X, y, sample_weight, first)
            stream = self._first_chunk(y, classes, frame) if first else self._stream
            if classes is not None and not first and {*np.asarray(classes).tolist()} != {*self.classes_.tolist()}:
                raise BadInput(f"classes are {classes!r}, in the first chunk they were {self.classes_.tolist()}")
            truth = indices(y, self.loss_.labels, "label", self.loss_.name)
            assert stream is not None
            stream.add(X, truth, weights)
        except LossmithError as error:
            raise type(error)(f"{where}{error}") from None
        except ValueError as error:
            missing = missing_in(X) if "X contains" in str(error) else ""  # of an estimator, which names no row
            raise BadInput(f"{where}{missing or ' '.join(str(error).split())}") from None  # of one line
        self.__dict__.pop("_model", None)  # it is made when it is asked for
        before = np.zeros(self.loss_.n) if first else self._counts
        self._counts: Array = before + np.bincount(truth, weights, minlength=self.loss_.n)
        self.chunks_seen_ = 1 if first else self.chunks_seen_ + 1
        self.examples_seen_ = len(truth) if first else self.examples_seen_ + len(truth)
        self.n_iter_ = self.chunks_seen_
        self._stream = stream

    def _read_chunk(self, X: Any, y: Any, sample_weight: Any, first: bool) -> tuple[Any, Array, Array | None, Any]:
        """As `fit` reads examples; later chunks must have the columns of the first."""
        y, frame = one_label_each(y), X
        refuse_no_table(X)
        if self.estimator is None:
            refuse_words(X)
            refuse_missing(X)
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=first)
        else:
            check_consistent_length(X, y)
            if not first:
                refuse_other_columns(X, self)
            validate_data(self, X, skip_check_array=True, reset=first)
        if self.loss is None:
            check_classification_targets(y)
        if sample_weight is None or not np.any(sample_weight):  # a chunk may count for nothing
            return X, y, None if sample_weight is None else np.zeros(len(y)), frame
        return X, y, weights_of(sample_weight, X), frame

    def _first_chunk(self, y: Array, classes: Any, frame: Any) -> Stream:
        """The labels, the surrogate, and a stream that has learned nothing."""
        if (
            classes is None
            and self.loss is None
            and not isinstance(self.surrogate, (Calibrated, NotCalibrated, Undecided))
        ):
            raise BadInput(
                "the first chunk need not have all labels; say them, partial_fit(X, y, classes=[…]), or give the loss, "
                "which names them"
            )
        names = y if classes is None else np.asarray(classes)
        self.loss_ = loss_for(self.loss, self.surrogate, names, frame)
        indices(names, self.loss_.labels, "label", self.loss_.name)
        self._rule, self._paid = None, False
        self._name(names, coded=False)
        chosen = choose(self.loss_, self.surrogate, self.pred, self.estimator, self.allow_uncertified)
        self.surrogate_ = streamed(chosen, self.estimator)
        if self.priors is not None and self.surrogate_.kind != "plug-in":
            raise BadInput(
                "priors weigh examples by how frequent their labels are, which chunks tell at the end; give a "
                'sample_weight, or surrogate="plug-in"'
            )
        tell_uncertified(self.surrogate_)
        return stream_of(self.surrogate_, self.estimator, self.C, self.tol, self.max_iter, self.n_jobs)

    def _name(self, names: Array, coded: bool) -> None:
        """The labels in sorted order, and the decisions; where the loss is made of y, in the type of y."""
        self._coded = coded
        self._order = in_sorted_order(self.loss_.labels)
        self.classes_ = names_or_codes([self.loss_.labels[i] for i in self._order], self.loss_, coded)
        self.decisions_ = names_or_codes(self.loss_.predictions, self.loss_, coded)
        if self.loss is None and np.unique(names).tolist() == list(self.decisions_):
            self.classes_ = self.decisions_ = np.unique(names)

    @property
    def model_(self) -> Any:
        """The fitted model; of chunks it is made when it is asked for."""
        if "_model" not in self.__dict__:
            stream = self.__dict__.get("_stream")
            if stream is None:
                raise AttributeError("the model is not fitted yet; it has no model_")
            made = stream.model()
            if self.priors is not None:
                made = made.times(ratios_of_counts(self.priors, self.loss_, self._counts))
            self._model = made
        return self._model

    @property
    def corrections_(self) -> tuple[str, ...]:
        """What was done to the probabilities of the estimator, in words."""
        told: tuple[str, ...] = self.model_.corrections if isinstance(self.model_, Probabilities) else ()
        return told


def refuse_streams(model: Any) -> None:
    """Refuse what cannot learn from chunks, with what to do instead."""
    estimator = model.estimator
    if isinstance(model.loss, ExampleCosts):
        raise BadInput(
            "costs per example are averaged over all of them, which chunks do not tell; give a loss matrix, and a "
            "plug-in takes the costs in predict(X, costs=…)"
        )
    if model.calibration is not None:
        raise BadInput(
            f"calibration is {model.calibration!r}, which takes folds of all examples, but chunks come once; leave it "
            f"out"
        )
    if estimator is None and isinstance(model.surrogate, str) and model.surrogate == "best":
        raise BadInput('"best" pools models in folds of all examples, and chunks come once; take "auto" or "plug-in"')
    if isinstance(estimator, FrozenEstimator):
        raise BadInput(
            f"{estimator!r} is fitted and stays as it is, so that chunks teach it nothing; fit it on a few examples"
        )
    if estimator is not None and not hasattr(estimator, "partial_fit"):
        raise BadInput(
            f"{estimator!r} has no partial_fit; give one that has, such as SGDClassifier(loss='log_loss'), or fit on "
            f"all examples at once"
        )


def streamed(chosen: Chosen, estimator: Any) -> Chosen:
    """What is trained in place of what was chosen: logistic regression for a pool, which takes several passes.

    >>> from lossmith.losses import zero_one
    >>> print(streamed(choose(zero_one(3), "auto"), None).why)
    logistic regression in one pass over the chunks, as a pool of models takes several; 3 labels are few
    """
    if chosen.kind != "plug-in" or estimator is not None:
        return chosen
    if chosen.pool is None:
        return replace(chosen, why=f"logistic regression in one pass over the chunks; {chosen.why}")
    why = f"logistic regression in one pass over the chunks, as a pool of models takes several; {chosen.why}"
    return replace(chosen, why=why, pool=None, order=None)


def exact_in_chunks(model: Any, X: Any, y: Any) -> bool:
    """Whether `fit` on an array on disk can read it in blocks, and come to the same model: least squares can."""
    plain = model.estimator is None and model.priors is None and model.calibration is None
    if not plain or y is None or isinstance(model.loss, ExampleCosts) or np.ndim(X) != 2 or issparse(X):
        return False
    names = np.unique(one_label_each(y))
    loss = loss_for(model.loss, model.surrogate, names, X)
    by_name = set(names.tolist()) <= set(loss.labels)  # codes are read in `fit`
    return by_name and choose(loss, model.surrogate, model.pred, None, model.allow_uncertified).kind == "square"


def _classes_before(model: Any, X: Any, y: Any) -> Any:
    """The labels, where the loss does not name them, and all of y is at hand."""
    if model.loss is not None or isinstance(model.surrogate, (Calibrated, NotCalibrated, Undecided)):
        return None
    if isinstance(X, Chunks) or (is_dask(X) and y is not None):
        return np.unique(one_label_each(np.asarray(X.y if isinstance(X, Chunks) else y)))
    raise BadInput(
        "the loss is None, and chunks tell the labels at their end; give the loss, which names them, or "
        "partial_fit(X, y, classes=[…]) chunk by chunk"
    )
