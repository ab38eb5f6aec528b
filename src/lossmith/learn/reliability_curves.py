"""Whether probabilities are what they say: how often a label is true among examples that got about the same number."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from lossmith.errors import BadInput
from lossmith.exact.rational import quoted
from lossmith.learn.labels import one_label_each
from lossmith.learn.scoring import indices
from lossmith.losses.reading import Name, plain
from lossmith.losses.showing import aligned

Array: TypeAlias = np.ndarray[Any, Any]

_Z = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class ReliabilityCurve:
    """For one label, in each group of examples: the mean probability, the share that has the label, its interval."""

    label: Name
    predicted: tuple[float, ...]
    observed: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    examples: tuple[int, ...]

    @property
    def error(self) -> float:
        """The mean distance of the shares from the probabilities, over the examples."""
        apart = np.abs(np.array(self.observed) - np.array(self.predicted))
        return float(np.average(apart, weights=self.examples))


@dataclass(frozen=True)
class Reliability:
    """A curve for each label; print it, or draw it with `lm.plot.reliability`."""

    curves: tuple[ReliabilityCurve, ...]

    @property
    def error(self) -> float:
        """The mean error of the labels: 0 where every probability is the share that it predicts."""
        return float(np.mean([curve.error for curve in self.curves]))

    def __str__(self) -> str:
        rows = [["label", "predicted", "observed", "95 % interval", "examples"]]
        for curve in self.curves:
            told = zip(curve.predicted, curve.observed, curve.low, curve.high, curve.examples, strict=True)
            rows += [[f"{curve.label}", f"{p:.3f}", f"{o:.3f}", f"{a:.3f} … {b:.3f}", f"{m}"] for p, o, a, b, m in told]
        return "\n".join([*aligned(rows), f"mean distance {self.error:.3f}"])

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def reliability(model: Any, X: Any, y: Any, *, bins: int = 10) -> Reliability:
    """Compare the probabilities of a fitted classifier with what is true, on examples that it was not trained on.

    Examples are put into `bins` groups of about equal size by the probability of each label; intervals are Wilson's.

    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="prior").fit([[0]] * 4, [0, 0, 0, 1])
    >>> print(reliability(model, [[0]] * 10, [0, 1] * 5))
    label  predicted  observed  95 % interval  examples
    0          0.750     0.500  0.237 … 0.763        10
    1          0.250     0.500  0.237 … 0.763        10
    mean distance 0.250
    """
    if not hasattr(model, "predict_proba"):
        raise BadInput(f"{quoted(model)} has no predict_proba; reliability is about probabilities")
    if not isinstance(bins, (int, np.integer)) or bins < 1:
        raise BadInput(f"bins is {bins!r}; give a whole number of groups, at least 1")
    P = np.asarray(model.predict_proba(X), dtype=float)
    names = [plain(each) for each in model.classes_]
    truth = indices(one_label_each(y), names, "label", "the model")
    if len(truth) != len(P):
        raise BadInput(f"y has {len(truth)} entries for {len(P)} rows of X; give one label per example")
    return Reliability(tuple(_curve(name, P[:, j], truth == j, int(bins)) for j, name in enumerate(names)))


def _curve(label: Name, predicted: Array, true: Array, bins: int) -> ReliabilityCurve:
    edges = np.unique(np.quantile(predicted, np.arange(1, bins) / bins))
    group = np.searchsorted(edges, predicted, side="right")  # equal probabilities stay together
    group = np.unique(group, return_inverse=True)[1]
    m = np.bincount(group)
    shares = np.bincount(group, weights=true) / m
    # Wilson: the shares π with |share − π| ≤ z √(π(1 − π)/m).
    middle = (shares + _Z**2 / (2 * m)) / (1 + _Z**2 / m)
    reach = _Z * np.sqrt(shares * (1 - shares) / m + _Z**2 / (4 * m**2)) / (1 + _Z**2 / m)
    means = np.bincount(group, weights=predicted) / m
    ends = ((middle - reach).clip(min=0.0), (middle + reach).clip(max=1.0))  # where they are, but for rounding
    p, o, low, high = (tuple(each.tolist()) for each in (means, shares, *ends))
    return ReliabilityCurve(label, p, o, low, high, tuple(m.tolist()))
