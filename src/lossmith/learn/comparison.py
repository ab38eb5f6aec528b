"""What a practice costs on one's own data: the same examples, decided in several ways."""

from __future__ import annotations

import html
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import _safe_indexing

from lossmith.errors import BadInput
from lossmith.exact.rational import quoted
from lossmith.learn.features_that_fit import refuse_missing
from lossmith.learn.labels import one_label_each
from lossmith.learn.models import refuse_words
from lossmith.learn.practices import Cases, decided_by, without_model
from lossmith.learn.scoring import float_costs, indices
from lossmith.losses.cost_arrays import cost_arrays
from lossmith.losses.example_costs import ExampleCosts
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import as_loss
from lossmith.losses.showing import aligned
from lossmith.text.numbers import counted

Array: TypeAlias = np.ndarray[Any, Any]

_Z = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class Practice:
    """One way to decide: what it paid for each example, in the order of the examples."""

    name: str
    paid: Array = field(repr=False)

    @property
    def mean(self) -> float:
        """The mean cost per example."""
        return float(self.paid.mean())

    @property
    def width(self) -> float:
        """Half the width of the 95 % interval of the mean."""
        return _width(self.paid)


@dataclass(frozen=True)
class Comparison:
    """Several ways to decide, the cheapest first; print it, or draw it with `lm.plot.comparison`."""

    name: str
    practices: tuple[Practice, ...]
    oracle: float
    how: str
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Practice:
        """The way that cost least."""
        return self.practices[0]

    @property
    def at_most(self) -> float:
        """What a better model could save at most, per example: down to what one pays who knows the truth."""
        return self.best.mean - self.oracle

    def __getitem__(self, name: str) -> Practice:
        return self.practices[int(indices([name], [each.name for each in self.practices], "practice", self.name)[0])]

    def difference(self, one: str, other: str) -> tuple[float, float]:
        """How much more one costs than the other per example, and half the width of the paired 95 % interval."""
        apart = self[one].paid - self[other].paid
        return float(apart.mean()), _width(apart)

    def __str__(self) -> str:
        rows = [["", "mean cost", "95 % interval", "above the cheapest", "95 % interval"]]
        for each in self.practices:
            more, width = self.difference(each.name, self.best.name)
            row = [each.name, _shown(each.mean), _interval(each.mean, each.width)]
            rows.append([*row, "–", "–"] if each is self.best else [*row, _shown(more), _interval(more, width)])
        rows.append(["knows the truth", _shown(self.oracle), "", "", ""])
        return "\n".join(
            [
                f"{self.name}: cost per example, {self.how}",
                *aligned(rows),
                f"A better model can save at most {_shown(self.at_most)} per example.",
                *self.notes,
            ]
        )

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def compare(
    loss: object,
    models: Any,
    X: Any,
    y: Any,
    *,
    costs: Any = None,
    held_out: tuple[Any, ...] | None = None,
    cv: int = 5,
    random_state: Any = 0,
) -> Comparison:
    """What ways to decide cost on these data: those usual with each model, the pool, and one decision for all.

    `models` is a mapping from names to estimators, one estimator, or None for logistic regression. A classifier with
    probabilities is asked in two or three ways: *argmax* takes its label for the truth, and the decision that is best
    then; *plug-in* takes the decision of least expected cost; with two labels, *tuned threshold* takes the threshold
    that was cheapest in inner folds. What decides by itself, such as `SurrogateClassifier`, is taken at its word.
    `costs` per example are as in `LossMatrix.decide`; the loss may be `ExampleCosts`.

    Every example is decided once, by a model that was not trained on it: in `cv` stratified folds, or trained on X and
    y, and `held_out=(X_new, y_new)` decided (with an array of costs, `(X_new, y_new, costs_new)`). Intervals are mean ±
    1.96 standard errors, those of differences over the same examples (paired). They take the examples for independent;
    folds share training examples, so theirs are a little too narrow.

    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = compare([[0, 5], [1, 0]], None, X[::3], y[::3], cv=3)
    >>> found["logistic regression, argmax"].paid.shape
    (190,)
    """
    named = loss if isinstance(loss, ExampleCosts) else as_loss(loss).matrix()
    costs = named if costs is None and isinstance(named, ExampleCosts) else costs
    cases = _cases(named, X, y, costs)
    names = _models(models)
    if models is None:  # logistic regression wants numbers, which models of one's own may not
        refuse_words(X)
        refuse_missing(X)
    if held_out is None:
        how = f"{counted(len(cases.truth), 'example')} in {cv} folds"
        parts = _folds(cases, cv, random_state)
    else:
        if len(held_out) not in (2, 3):
            raise BadInput(f"held_out has {len(held_out)} parts; give (X_new, y_new), or (X_new, y_new, costs_new)")
        new = _cases(named, held_out[0], held_out[1], held_out[2] if len(held_out) == 3 else costs)
        how = f"{counted(len(new.truth), 'example')} held out, trained on {len(cases.truth)}"
        parts = [(cases, new, np.arange(len(new.truth)))]
    size = sum(len(place) for _, _, place in parts)
    paid: dict[str, Array] = {}
    best = np.empty(size)
    notes: dict[str, None] = {}
    for old, new, place in parts:
        rows = np.arange(len(place))
        best[place] = new.costs[rows, new.truth].min(axis=1)
        ways = without_model(old, new, random_state, notes)
        for name, model in names.items():
            ways |= decided_by(name, model, old, new, random_state)
        for name, decided in ways.items():
            paid.setdefault(name, np.full(size, np.nan))[place] = new.costs[rows, new.truth, decided]
    whole = [Practice(name, each) for name, each in paid.items() if not np.isnan(each).any()]  # in every fold
    practices = sorted(whole, key=lambda each: each.mean)
    return Comparison(named.name, tuple(practices), float(best.mean()), how, tuple(notes))


def _cases(named: LossMatrix | ExampleCosts, X: Any, y: Any, costs: Any) -> Cases:
    y = one_label_each(y)
    truth = indices(y, named.labels, "label", named.name)
    size = X.shape[0] if hasattr(X, "shape") else len(X)
    if size != len(truth):
        raise BadInput(f"X has {size} rows and y {len(truth)} entries; give one label per example")
    if costs is None and isinstance(named, LossMatrix):
        told = np.broadcast_to(float_costs(named), (size, named.n, named.k))
    else:
        told = cost_arrays(costs, named, X, size)
    return Cases(named.labels, named.predictions, X, y, truth, told, costs is not None)


def _folds(cases: Cases, cv: int, random_state: Any) -> list[tuple[Cases, Cases, Array]]:
    if not isinstance(cv, (int, np.integer)) or not 2 <= cv <= len(cases.truth):
        raise BadInput(f"cv is {cv!r}; give a number of folds, at least 2 and at most {len(cases.truth)}")
    folds = StratifiedKFold(int(cv), shuffle=True, random_state=random_state)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        try:
            split = list(folds.split(np.zeros(len(cases.truth)), cases.truth))
        except ValueError:
            raise BadInput(f"no label has {cv} examples; take fewer folds than cv={cv}") from None
    return [(_part(cases, train), _part(cases, test), test) for train, test in split]


def _part(cases: Cases, rows: Array) -> Cases:
    X = _safe_indexing(cases.X, rows)
    return replace(cases, X=X, y=cases.y[rows], truth=cases.truth[rows], costs=cases.costs[rows])


def _models(models: Any) -> dict[str, Any]:
    if models is None:
        return {"logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))}
    named = dict(models) if isinstance(models, Mapping) else {type(models).__name__: models}
    for name, model in named.items():
        if isinstance(model, type) or not hasattr(model, "fit"):
            raise BadInput(f"the model {name!r} is {quoted(model)}; give estimators that are not fitted, by name")
    return named


def _width(values: Array) -> float:
    return float(_Z * values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")


def _shown(value: float) -> str:
    """Three digits that count, and no exponent."""
    return f"{value:#.3g}" if 1e-3 <= abs(value) < 100 else f"{value:.0f}" if abs(value) >= 100 else f"{value:.3f}"


def _interval(middle: float, width: float) -> str:
    return f"{_shown(middle - width)} … {_shown(middle + width)}"
