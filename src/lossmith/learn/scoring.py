"""Mean loss: the score that a loss matrix asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import make_scorer
from sklearn.utils.validation import check_consistent_length

from lossmith.errors import BadInput, UnknownName, nearest
from lossmith.exact.matrix import integer_rows
from lossmith.learn.weights import weights_of
from lossmith.losses.cost_arrays import cost_arrays
from lossmith.losses.example_costs import ExampleCosts
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import as_loss
from lossmith.losses.reading import array_of


def loss_score(
    loss: object,
    y_true: Iterable[Any],
    decisions: Iterable[Any],
    *,
    sample_weight: Any = None,
    costs: Any = None,
    X: Any = None,
) -> float:
    """The mean loss of the decisions, by name, when these labels, by name, are true; less is better.

    `costs` that differ from example to example replace those of the loss, as in `LossMatrix.decide`; text and functions
    among them are about X. The loss may be `ExampleCosts`, too.

    >>> from lossmith.losses import abstain
    >>> loss_score(abstain(3), [0, 1, 2, 2], [0, 2, "abstain", 2])
    0.375
    >>> loss_score([[0, 5], [0, 5]], [0, 1], [0, 0], costs=[[0, 5], [[30, 800], 5]])
    400.0
    """
    check_consistent_length(y_true, decisions, sample_weight)
    paid = paid_costs(loss, y_true, decisions, costs, X)
    if not len(paid):
        raise BadInput("y_true is empty; a mean loss needs at least one example")
    return float(np.average(paid, weights=weights_of(sample_weight, paid)))


def paid_costs(
    loss: object, y_true: Iterable[Any], decisions: Iterable[Any], costs: Any = None, X: Any = None
) -> np.ndarray[Any, Any]:
    """What each decision cost, as floats; all as in `loss_score`."""
    named = loss if isinstance(loss, ExampleCosts) else as_loss(loss).matrix()
    truth = indices(y_true, named.labels, "label", named.name)
    decided = indices(decisions, named.predictions, "decision", named.name)
    if costs is None and isinstance(named, LossMatrix):
        return np.asarray(float_costs(named)[truth, decided])
    told = cost_arrays(named if costs is None else costs, named, X, len(truth))
    return np.asarray(told[np.arange(len(truth)), truth, decided])


def make_loss_scorer(loss: object) -> Any:
    """A scorer of scikit-learn, for `scoring=`: the negative mean loss of what an estimator predicts.

    Costs per example: that of `ExampleCosts` reads their columns in the X it is given. That of a loss matrix takes
    `costs` where scikit-learn routes metadata: `make_loss_scorer(loss).set_score_request(costs=True)`.

    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="constant", constant=1).fit([[0], [0]], [0, 1])
    >>> make_loss_scorer("cost_sensitive_binary:c=1/5")(model, [[0], [0]], [0, 1])
    -0.1
    """
    if isinstance(loss, ExampleCosts):
        return ScorerOfColumns(loss)
    return make_scorer(_mean_loss, greater_is_better=False, loss=as_loss(loss).matrix())


def _mean_loss(y_true: Any, decisions: Any, *, loss: LossMatrix, sample_weight: Any = None, costs: Any = None) -> float:
    return loss_score(loss, y_true, decisions, sample_weight=sample_weight, costs=costs)


@dataclass(frozen=True)
class ScorerOfColumns:
    """The negative mean cost of what an estimator predicts, where columns of X tell the costs."""

    costs: ExampleCosts

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score the decisions for X, as scikit-learn asks it."""
        return -loss_score(self.costs, y, estimator.predict(X), sample_weight=sample_weight, X=X)


def float_costs(loss: LossMatrix) -> np.ndarray[Any, Any]:
    """The losses as floats, an array of shape (n, k)."""
    try:
        return np.array(integer_rows(loss.rational.numerators), dtype=float) / loss.rational.denominator
    except OverflowError:
        raise BadInput(f"{loss.name} has an entry beyond the range of floats; change the unit") from None


def indices(names: Iterable[Any], known: Sequence[Any], what: str, whose: str) -> np.ndarray[Any, Any]:
    """The place of each name among the known ones.

    >>> indices(["b", "a"], ("a", "b"), "label", "costs").tolist()
    [1, 0]
    """
    places = {name: i for i, name in enumerate(known)}
    values = np.asarray(names) if hasattr(names, "dtype") else array_of(tuple(names))
    if values.ndim != 1:
        raise BadInput(f"the {what}s have shape {values.shape}; give one {what} per example")
    try:
        return np.fromiter((places[name] for name in values.tolist()), dtype=np.intp, count=len(values))
    except (KeyError, TypeError):
        name = next(each for each in values.tolist() if not _known(each, places))
        same = next((f"did you mean {each!r}?" for each in known if str(each) == str(name)), None)
        raise UnknownName(f"no {what} of {whose} is called {name!r}; {same or nearest(name, known)}") from None


def _known(name: Any, places: dict[Any, int]) -> bool:
    try:
        return name in places
    except TypeError:
        return False
