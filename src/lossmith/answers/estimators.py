"""Which practices an estimator stands for: told by its name, its class, or a model with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from lossmith.answers.practice import PRACTICES, Practice, Used
from lossmith.errors import BadInput, nearest
from lossmith.exact.rational import quoted
from lossmith.surrogates.smooth import SmoothSurrogate

# What a class trains unless told otherwise: the parameter that says it, and its values.
_USUAL: Mapping[str, Mapping[str, tuple[str | None, ...]]] = MappingProxyType(
    {
        "SGDClassifier": {"loss": ("hinge",)},
        "PassiveAggressiveClassifier": {"loss": ("hinge",)},
        "GradientBoostingClassifier": {"loss": ("log_loss",)},
        "HistGradientBoostingClassifier": {"loss": ("log_loss",)},
        "XGBClassifier": {"objective": (None, "binary:logistic", "multi:softprob", "multi:softmax")},
        "LGBMClassifier": {"objective": (None, "binary", "multiclass")},
        "CatBoostClassifier": {
            "loss_function": (None, "Logloss", "MultiClass"),
            "objective": (None, "Logloss", "MultiClass"),
        },
    }
)
_OTHER_NAMES = {
    "softmax": "multiclass",
    "multiclass_ova": "multiclassova",
    "ova": "multiclassova",
    "ovr": "multiclassova",
}


def practices_of(estimator: object) -> list[Practice]:
    """The practices that an estimator stands for: by a part of its name, by its class, or by the model itself.

    Of a model the parameters count; of a pipeline or a search, the model inside.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> [each.trains for each in practices_of(make_pipeline(LinearSVC(loss="hinge")))]
    ['one-vs-all hinge']
    >>> [each.trains for each in practices_of("crossentropyloss")]
    ['softmax cross-entropy']
    """
    if isinstance(estimator, str):
        return _by_name(estimator)
    if isinstance(estimator, type):
        known = {used.name for each in PRACTICES for used in each.used if not used.given}
        name = next((each for each in _class_names(estimator) if each in known), None)
        found = [each for each in PRACTICES if any(used.name == name and not used.given for used in each.used)]
    else:
        model = _inner(estimator)
        own = _with_own_objective(model)
        if own is not None:
            return [own]
        fitting = {id(each): [_nearness(used, model) for used in each.used if _fits(used, model)] for each in PRACTICES}
        most = max((max(sizes) for sizes in fitting.values() if sizes), default=(0, 0))
        found = [each for each in PRACTICES if most in fitting[id(each)]]
        if not found and "RegressorMixin" in _class_names(type(model)):
            found = [each for each in PRACTICES if any(used.package == "any" for used in each.used)]
    if not found:
        kind = estimator if isinstance(estimator, type) else type(_inner(estimator))
        for key, value, values in _objectives(None if isinstance(estimator, type) else _inner(estimator)):
            if value not in values:
                raise BadInput(_unknown_objective(kind.__name__, key, value))
        raise BadInput(
            f"{kind.__name__} is not among the estimators whose surrogate is known; if it has predict_proba, "
            f"loss.decide(model, X) decides by the costs"
        )
    return found


def _params(model: Any) -> dict[str, Any]:
    get = getattr(model, "get_params", None)
    params: dict[str, Any] = dict(get(deep=False) if get is not None else vars(model))
    if "LGBMClassifier" in _class_names(type(model)) and isinstance(params.get("objective"), str):
        params["objective"] = _OTHER_NAMES.get(params["objective"], params["objective"])
    return params


def _objectives(model: object) -> list[tuple[str, Any, tuple[str | None, ...]]]:
    """Which parameter of the model says what it trains, its value, and the usual ones."""
    usual = next((_USUAL[name] for name in _class_names(type(model)) if name in _USUAL), {})
    return [(key, _params(model).get(key), values) for key, values in usual.items()]


def _class_names(kind: type) -> list[str]:
    return [each.__name__ for each in kind.__mro__]


def _same(given: object, wanted: object) -> bool:
    return given == wanted or wanted in _class_names(given if isinstance(given, type) else type(given))


def _fits(used: Used, model: object) -> bool:
    """Whether an instance is such a model, as far as its class and its parameters tell."""
    if used.name not in _class_names(type(model)):
        return False
    params, named = _params(model), {key for key, _ in used.given}
    usual = all(value in values for key, value, values in _objectives(model) if key not in named)
    return usual and all(_same(params.get(key), value) for key, value in used.given)


def _nearness(used: Used, model: object) -> tuple[int, int]:
    """How near the class is to that of the model, and how many of its parameters are meant."""
    return -_class_names(type(model)).index(used.name), len(used.given)


def _unknown_objective(name: str, key: str, value: object) -> str:
    words = quoted(value) if isinstance(value, str) else getattr(value, "__qualname__", type(value).__name__)
    known = [*_USUAL.get(name, {}).get(key, ())]
    known += [
        dict(used.given)[key]
        for each in PRACTICES
        for used in each.used
        if used.name == name and key in dict(used.given)
    ]
    listed = ", ".join(dict.fromkeys(repr(each) for each in known if each is not None))
    own = ", and the objectives of lm.boosting" if name.startswith(("LGBM", "XGB")) else ""
    return (
        f"{name} has an unknown objective, {key}={words} (known: {listed}{own}); if you know its surrogate, ask "
        f"lm.check(surrogate, loss)"
    )


def _with_own_objective(model: Any) -> Practice | None:
    """The practice of a model that trains an objective of lossmith.boosting, or of the objective alone."""
    names = _class_names(type(model))
    package, asked = next(
        (each for each in (("lightgbm", "LGBMClassifier"), ("xgboost", "XGBClassifier")) if each[1] in names), ("", "")
    )
    objective = _params(model).get("objective") if package else model
    surrogate = getattr(objective, "surrogate", None)
    if not isinstance(surrogate, SmoothSurrogate) or not hasattr(objective, "outputs"):
        return None
    column = "" if surrogate.dim > 1 else "[:, None]"
    sorted_labels = package == "lightgbm"
    scores, unnamed = f"model.predict(X, raw_score=True){column}", ""
    if not sorted_labels:
        told = f"model.predict(X, output_margin=True){column}" if package else "U"
        scores, unnamed = f"{told}, classes=loss.labels", "labels 0 … n−1" if package else "scores U, of labels 0 … n−1"
    return Practice(
        surrogate.name,
        "",
        (Used(package or "lossmith", asked or "Objective", (("objective", surrogate.name),)),),
        partial(_given, surrogate),
        scores,
        unnamed=unnamed,
        written="model.objective.surrogate" if package else "objective.surrogate",
        sorted_labels=sorted_labels,
    )


def _given(surrogate: SmoothSurrogate, n: int) -> SmoothSurrogate:
    """The surrogate of an objective, which is for one number of labels."""
    if surrogate.n != n:
        raise BadInput(f"the objective is that of {surrogate.name}, for {surrogate.n} labels; the loss has {n}")
    return surrogate


def _by_name(text: str) -> list[Practice]:
    """Those with an estimator of that very name, else those with the text in the names of any."""
    part = "".join(text.lower().split())
    same = [each for each in PRACTICES if any(used.name.lower() == part and not used.given for used in each.used)]
    found = same or [each for each in PRACTICES if part in "".join(each.users.lower().split())]
    if not found:
        names = dict.fromkeys(used.name for each in PRACTICES for used in each.used)
        raise BadInput(
            f"no estimator's name contains {text!r}; {nearest(text, names)} lossmith which LOSS lists them all"
        )
    return found


def _inner(model: Any) -> Any:
    """The model at the end of a pipeline, or inside a search; wrappers that are practices themselves stay."""
    if hasattr(model, "steps"):
        return _inner(model.steps[-1][1])
    if hasattr(model, "param_grid") or hasattr(model, "param_distributions"):
        return _inner(model.estimator)
    return model
