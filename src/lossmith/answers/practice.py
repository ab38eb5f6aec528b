"""What is in use: which surrogates common estimators and losses of packages train, and how their users decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lossmith.surrogates import (
    absolute,
    all_threshold_logistic,
    binary_relevance_logistic,
    crammer_singer,
    one_vs_all_hinge,
    one_vs_all_logistic,
    one_vs_all_squared_hinge,
    one_vs_one_hinge,
    softmax,
    square,
    weston_watkins,
)
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate

_MOST_LABELS, _MOST_HINGED, _MOST_VOTERS = 250, 40, 25  # for which it is decided in passing


@dataclass(frozen=True)
class Used:
    """An estimator, or a loss, of a package: its name there, and with which parameters."""

    package: str
    name: str
    given: tuple[tuple[str, Any], ...] = ()
    note: str = ""

    def __str__(self) -> str:
        inner = ", ".join(
            value if key == "estimator" else f"{key}={value!r}".replace("'", '"') for key, value in self.given
        )
        return self.name + (f"({inner})" if inner else "") + (f", {self.note}" if self.note else "")


@dataclass(frozen=True)
class Practice:
    """A surrogate in use: what it is called, how its users decide, and who trains it.

    It `applies(n)` to n labels, for which `surrogate(n)` is trained; it is decided for up to `most`. `scores` is how to
    get its scores from a fitted model, `of_two` the same for two classes; empty where the model tells probabilities.
    `unnamed` says what they are where the model does not know which label is which. `written` is the surrogate as code,
    if it has no name. `by_probabilities`: what is trained tells probabilities, and the largest one decides.
    `weights_apart`: class weights do not multiply the components of the surrogate.

    Where `surrogate` is None, what is trained tells probabilities and minimises no surrogate: there is no verdict.
    Where `pred` is empty, its users decide by the pred that `check` finds. `sorted_labels`: labels are numbered in
    sorted order.
    """

    trains: str
    pred: str
    used: tuple[Used, ...]
    surrogate: Callable[[int], PolyhedralSurrogate | SmoothSurrogate] | None
    scores: str = ""
    of_two: str = ""
    unnamed: str = ""
    written: str = ""
    most: int = _MOST_LABELS
    applies: Callable[[int], bool] = bool
    by_probabilities: bool = False
    weights_apart: bool = False
    sorted_labels: bool = False

    @property
    def way(self) -> str:
        """What is trained, and how it decides."""
        return f"{self.trains}, then {self.pred or 'the pred of lm.check'}"

    def deciding(self, surrogate: PolyhedralSurrogate | SmoothSurrogate, weighted: bool) -> str:
        """How to decide by the costs with the model one has, as code for `model`, cases `X`, `loss` and `class_weight`.

        Class weights multiply the components of the surrogate, which the costs divided by them undo.
        """
        loss = "loss.scale_rows({label: 1 / w for label, w in class_weight.items()})" if weighted else "loss"
        if not self.scores:
            undone = ", which divides class_weight out" if weighted else ""
            alone = f"{loss}.decide(P, classes=…)" if weighted else "decide(P, classes=…)"
            return f"loss.decide(model, X){undone}; with probabilities P alone, {alone}"
        code = self.written.format(n=surrogate.n) or f"lm.surrogates.{surrogate.name}"
        scores = self.of_two if self.of_two and surrogate.n == 2 else self.scores
        if self.unnamed:
            return f"lm.check({code}, {loss}).decide({scores}), for {self.unnamed} in the order of the rows"
        return f"lm.check({code}, {loss}.restrict(labels=model.classes_)).decide({scores}, classes=model.classes_)"

    @property
    def users(self) -> str:
        """Who trains it, by package."""
        packages: dict[str, list[str]] = {}
        for each in self.used:
            packages.setdefault(each.package, []).append(str(each))
        return "; ".join(f"{package} {', '.join(names)}" for package, names in packages.items())


_SCORES = "model.decision_function(X)"
_TWO, _HALVES = f"{_SCORES}[:, None] * [-1, 1]", f"{_SCORES}[:, None] * [-0.5, 0.5]"
_GRADE = "model.predict(X)[:, None]"


def _one_against_rest(n: int) -> SmoothSurrogate:
    return square([[1 if x == y else -1 for x in range(n)] for y in range(n)])


def _grades(n: int) -> SmoothSurrogate:
    return square([[y + 1] for y in range(n)])


def _bits(n: int) -> SmoothSurrogate:
    return binary_relevance_logistic(n.bit_length() - 1)


def _sets_of_tags(n: int) -> bool:
    return n > 2 and n & (n - 1) == 0


def _of(package: str, *names: str) -> tuple[Used, ...]:
    return tuple(Used(package, name) for name in names)


PRACTICES: tuple[Practice, ...] = (
    Practice(
        "softmax cross-entropy",
        "argmax",
        (
            *_of("sklearn", "LogisticRegression", "LogisticRegressionCV", "MLPClassifier"),
            *_of("sklearn", "GradientBoostingClassifier", "HistGradientBoostingClassifier"),
            *_of("xgboost", "XGBClassifier", "multi:softprob", "multi:softmax", "binary:logistic"),
            *_of("lightgbm", "LGBMClassifier", "multiclass", "binary"),
            *_of("catboost", "CatBoostClassifier", "MultiClass", "Logloss"),
            *_of("torch", "CrossEntropyLoss"),
            Used("torch", "NLLLoss", note="after LogSoftmax"),
            *_of("keras", "CategoricalCrossentropy", "SparseCategoricalCrossentropy"),
        ),
        softmax,
        by_probabilities=True,
    ),
    Practice(
        "class probabilities",
        "argmax",
        (
            *_of("sklearn", "RandomForestClassifier", "ExtraTreesClassifier", "DecisionTreeClassifier"),
            *_of("sklearn", "ExtraTreeClassifier", "BaggingClassifier", "KNeighborsClassifier"),
            *_of("sklearn", "RadiusNeighborsClassifier", "GaussianNB", "MultinomialNB", "BernoulliNB", "ComplementNB"),
            *_of("sklearn", "CategoricalNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"),
            *_of("sklearn", "CalibratedClassifierCV"),
            Used("sklearn", "SVC", (("probability", True),)),
            *_of("xgboost", "XGBRFClassifier"),
            Used("lightgbm", "LGBMClassifier", (("boosting_type", "rf"),)),
        ),
        None,
        by_probabilities=True,
    ),
    Practice(
        "one-vs-all logistic",
        "argmax",
        (
            Used("sklearn", "OneVsRestClassifier", (("estimator", "LogisticRegression"),)),
            Used("sklearn", "SGDClassifier", (("loss", "log_loss"),)),
            Used("lightgbm", "LGBMClassifier", (("objective", "multiclassova"),)),
            *_of("lightgbm", "multiclassova"),
            *_of("catboost", "MultiClassOneVsAll"),
            Used("torch", "BCEWithLogitsLoss", note="one-hot"),
            Used("keras", "BinaryCrossentropy", note="one-hot"),
        ),
        one_vs_all_logistic,
        by_probabilities=True,
    ),
    Practice(
        "one-vs-all squared hinge",
        "argmax",
        (
            *_of("sklearn", "LinearSVC"),
            Used("sklearn", "SGDClassifier", (("loss", "squared_hinge"),)),
            Used("keras", "SquaredHinge", note="one-hot"),
        ),
        one_vs_all_squared_hinge,
        _SCORES,
        _TWO,
        by_probabilities=True,
        weights_apart=True,
    ),
    Practice(
        "one-vs-all hinge",
        "argmax",
        (
            Used("sklearn", "LinearSVC", (("loss", "hinge"),)),
            *_of("sklearn", "SGDClassifier", "PassiveAggressiveClassifier"),
            Used("keras", "Hinge", note="one-hot"),
        ),
        one_vs_all_hinge,
        _SCORES,
        _TWO,
        most=_MOST_HINGED,
        weights_apart=True,
    ),
    Practice(
        "Crammer–Singer hinge",
        "argmax",
        (Used("sklearn", "LinearSVC", (("multi_class", "crammer_singer"),)), *_of("keras", "CategoricalHinge")),
        crammer_singer,
        _SCORES,
        _HALVES,
        most=_MOST_HINGED,
    ),
    Practice(
        "one-vs-one hinge",
        "votes",
        _of("sklearn", "SVC", "NuSVC"),
        one_vs_one_hinge,
        'model.set_params(decision_function_shape="ovo").decision_function(X)',
        f"-{_SCORES}[:, None]",
        most=_MOST_VOTERS,
    ),
    Practice(
        "squares on ±1",
        "argmax",
        (
            *_of("sklearn", "RidgeClassifier", "RidgeClassifierCV"),
            Used("torch", "MSELoss", note="one-hot"),
            Used("keras", "MeanSquaredError", note="one-hot"),
        ),
        _one_against_rest,
        _SCORES,
        _TWO,
        written="lm.surrogates.square([[1 if x == y else -1 for x in range({n})] for y in range({n})])",
        by_probabilities=True,
    ),
    Practice(
        "Weston–Watkins hinge",
        "argmax",
        _of("torch", "MultiMarginLoss"),
        weston_watkins,
        "U, classes=loss.labels",
        unnamed="scores U",
        most=_MOST_HINGED,
    ),
    Practice("all-threshold logistic", "sign", _of("mord", "LogisticAT"), all_threshold_logistic),
    Practice(
        "squares on grades",
        "nearest",
        (*_of("mord", "OrdinalRidge"), Used("any", "regressor", note="squared error")),
        _grades,
        _GRADE,
        unnamed="grades 1 … n",
        written="lm.surrogates.square([[y + 1] for y in range({n})])",
    ),
    Practice(
        "absolute deviation",
        "nearest",
        (*_of("mord", "LAD"), Used("any", "regressor", note="absolute error")),
        absolute,
        _GRADE,
        unnamed="grades 1 … n",
        most=_MOST_HINGED,
    ),
    Practice(
        "binary relevance logistic",
        "sign",
        (
            Used("torch", "BCEWithLogitsLoss", note="multi-label"),
            Used("sklearn", "MultiOutputClassifier", (("estimator", "LogisticRegression"),)),
        ),
        _bits,
        "np.column_stack([each.decision_function(X) for each in model.estimators_])",
        unnamed="tags as binary digits, first to last (torch: the logits),",
        applies=_sets_of_tags,
    ),
)
