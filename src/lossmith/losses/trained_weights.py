"""Class weights that a classifier was trained with: what they do to its probabilities, and how to undo it.

Trained with the weight w_y on every example of y, a model of probabilities learns w_y p_y / Σ_z w_z p_z instead of p_y.
So dividing by w_y, and by the sum, gives p back; decisions for a loss need p. Whatever the model is part of is asked by
its attributes: nothing of scikit-learn is loaded here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lossmith.exact.rational import quoted
from lossmith.losses.reading import Name, plain

if TYPE_CHECKING:
    import numpy as np

# Their objective is a sum over examples, each times its weight, whose minimiser is the weighted frequency.
_FREQUENCIES = (
    "LogisticRegression",
    "LogisticRegressionCV",
    "DecisionTreeClassifier",
    "ExtraTreeClassifier",
    "RandomForestClassifier",
    "ExtraTreesClassifier",
    "HistGradientBoostingClassifier",
    "LGBMClassifier",
    "XGBClassifier",
)
_RECALIBRATED = ("SVC", "NuSVC", "SurrogateClassifier")  # what they tell is fitted, or corrected, without the weights
_ONE_WEIGHT = {"LGBMClassifier", "XGBClassifier"}


@dataclass(frozen=True)
class TrainedWeights:
    """Where the weights stand, and what they are by class; None where they cannot be read.

    "balanced" is one over the frequency, times a constant; "ratio" gives the rarer of two the odds of the other.
    """

    said: str
    weights: Mapping[Any, float] | str | None
    times: float = 1  # of the second class, besides

    def by_class(self, classes: Sequence[Name], counts: Sequence[float] | None) -> list[float] | None:
        """The weight of each class, where it is known; counts are the examples of each in training.

        >>> TrainedWeights("class_weight", "balanced").by_class(["a", "b"], [30, 10])
        [0.666..., 2.0]
        """
        if self.weights is None or (isinstance(self.weights, str) and counts is None):
            return None
        if isinstance(self.weights, str) and counts is not None:
            if min(counts) <= 0:
                return None
            if self.weights == "ratio":
                found = [max(1.0, counts[1] / counts[0]), max(1.0, counts[0] / counts[1])]
            else:
                found = [sum(counts) / (len(counts) * count) for count in counts]
        else:
            found = [float(self.weights.get(plain(each), 1)) for each in classes]  # type: ignore[union-attr]
        if self.times != 1:
            found[1] *= self.times
        return found if min(found) > 0 else None


def trained_weights(model: Any) -> TrainedWeights | None:
    """The class weights of a fitted classifier, in a pipeline, a search or another wrapper too; None without.

    >>> class LogisticRegression:
    ...     class_weight = "balanced"
    >>> trained_weights(LogisticRegression()).said
    "class_weight='balanced' of LogisticRegression"
    """
    kind = type(model).__name__
    if kind in _RECALIBRATED or (kind == "CalibratedClassifierCV" and model.method != "temperature"):
        return None
    inner = _inner(model, kind)
    if inner is not None:
        found = trained_weights(inner)
        tempered = found is not None and kind == "CalibratedClassifierCV"  # a power of the odds, weights and all
        return TrainedWeights(f"{found.said}, tempered", None) if found is not None and tempered else found
    parameters = _parameters(model)
    if kind in _ONE_WEIGHT and len(getattr(model, "classes_", (0, 1))) == 2:
        times = float(parameters.get("scale_pos_weight") or 1)
        if any(parameters.get(word) for word in ("is_unbalance", "unbalance", "unbalanced_sets")):
            return TrainedWeights(f"is_unbalance=True of {kind}", "ratio", times)
        if times != 1:
            return TrainedWeights(f"scale_pos_weight={times:g} of {kind}", parameters.get("class_weight") or {}, times)
    weights = getattr(model, "class_weight", None)
    if weights is not None:
        said = f"class_weight={weights!r} of {kind}" if len(repr(weights)) < 40 else f"class_weight of {kind}"
        # With several classes it weights each in its own problem against the rest alone, which is no reweighting.
        two = len(getattr(model, "classes_", ())) == 2
        logistic = kind == "SGDClassifier" and model.loss == "log_loss" and two
        readable = (kind in _FREQUENCIES or logistic) and isinstance(weights, (str, Mapping))
        if weights == "balanced_subsample":
            weights = "balanced"
        return TrainedWeights(said, weights if readable else None)
    for name, value in [*parameters.items(), *_of_members(model)]:
        unset = value is None or (isinstance(value, (int, float)) and value == 1)
        if name.endswith(("class_weight", "class_weights", "scale_pos_weight")) and not unset:
            return TrainedWeights(f"{name}={quoted(value)} of {kind}", None)
    return None


def without_weights(P: Any, weights: Sequence[float]) -> np.ndarray[Any, Any]:
    """The probabilities behind those that weights of the classes have turned.

    >>> without_weights([[0.5, 0.5]], [1, 3]).tolist()
    [[0.75, 0.25]]
    """
    import numpy as np

    told = np.asarray(P, dtype=float) / np.asarray(weights)
    divided: np.ndarray[Any, Any] = told / told.sum(axis=1, keepdims=True)
    return divided


def _inner(model: Any, kind: str) -> Any:
    """The part whose probabilities a wrapper tells."""
    if isinstance(getattr(model, "steps", None), list) and model.steps:
        return model.steps[-1][1]
    if kind in ("FrozenEstimator", "CalibratedClassifierCV"):
        return model.estimator
    if kind in ("TunedThresholdClassifierCV", "FixedThresholdClassifier"):  # others have a pattern for many there
        return model.estimator_
    return next(
        (getattr(model, name) for name in ("best_estimator_", "final_estimator_") if hasattr(model, name)), None
    )


def _parameters(model: Any) -> Mapping[str, Any]:
    asked = getattr(model, "get_params", None)
    try:
        return asked() if callable(asked) and not isinstance(model, type) else {}
    except Exception:  # a model of someone else's, whose parameters cannot be had
        return {}


def _of_members(model: Any) -> list[tuple[str, Any]]:
    members = getattr(model, "members", None)
    if not isinstance(members, (list, tuple)):
        return []
    return [(f"{name}__{key}", value) for name, each in members for key, value in _parameters(each).items()]
