"""What is in use: which surrogates common estimators train, how they decide, and whether that suits a loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.calibration.checking import ask
from lossmith.calibration.printing import rounded
from lossmith.calibration.verdicts import NotCalibrated, Surrogate, Verdict
from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import RationalLike, as_rationals
from lossmith.families import Family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.losses.ordering import is_sorted, listed
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

_FEW_LABELS, _FEW_VERTICES = 8, 2_000  # for more labels cells are enumerated while they have so few vertices
_MOST_LABELS, _MOST_HINGED, _MOST_VOTERS = 250, 40, 4  # for which it is decided in passing


@dataclass(frozen=True)
class Practice:
    """A surrogate in use: what it is called, how its users decide, and who trains it.

    It `applies(n)` to n labels, for which `surrogate(n)` is trained; it is decided for up to `most`. `scores` is how to
    get its scores from a fitted model, `of_two` the same for two classes; empty where the model tells probabilities.
    `unnamed` says what they are where the model does not know which label is which. `written` is the surrogate as code,
    if it has no name.
    """

    trains: str
    pred: str
    estimators: tuple[str, ...]
    surrogate: Callable[[int], Surrogate]
    scores: str = ""
    of_two: str = ""
    unnamed: str = ""
    written: str = ""
    most: int = _MOST_LABELS
    applies: Callable[[int], bool] = bool

    def deciding(self, surrogate: Surrogate, weighted: bool) -> str:
        """How to decide by the costs with the model one has, as code for `model`, cases `X`, `loss` and `class_weight`.

        Class weights multiply the components of the surrogate, which the costs divided by them undo.
        """
        loss = "loss.scale_rows({label: 1 / w for label, w in class_weight.items()})" if weighted else "loss"
        if not self.scores:
            return f"{loss}.decide(model, X); with probabilities P alone, decide(P, classes=…)"
        code = self.written.format(n=surrogate.n) or f"lm.surrogates.{surrogate.name}"
        scores = self.of_two if self.of_two and surrogate.n == 2 else self.scores
        if self.unnamed:
            return f"lm.check({code}, {loss}).decide({scores}), for {self.unnamed} in the order of the rows"
        return f"lm.check({code}, {loss}.restrict(labels=model.classes_)).decide({scores}, classes=model.classes_)"


_SCORES = "model.decision_function(X)"
_TWO, _HALVES = f"{_SCORES}[:, None] * [-1, 1]", f"{_SCORES}[:, None] * [-0.5, 0.5]"
_GRADE = "model.predict(X)[:, None]"


def _one_against_rest(n: int) -> Surrogate:
    return square([[1 if x == y else -1 for x in range(n)] for y in range(n)])


def _grades(n: int) -> Surrogate:
    return square([[y + 1] for y in range(n)])


def _bits(n: int) -> Surrogate:
    return binary_relevance_logistic(n.bit_length() - 1)


def _sets_of_tags(n: int) -> bool:
    return n > 2 and n & (n - 1) == 0


PRACTICES: tuple[Practice, ...] = (
    Practice(
        "softmax cross-entropy",
        "argmax",
        (
            "sklearn LogisticRegression, MLPClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier",
            "xgboost multi:softprob, multi:softmax",
            "lightgbm multiclass",
            "torch CrossEntropyLoss, NLLLoss after LogSoftmax",
        ),
        softmax,
    ),
    Practice(
        "one-vs-all logistic",
        "argmax",
        (
            "sklearn OneVsRestClassifier(LogisticRegression)",
            "lightgbm multiclassova",
            "torch BCEWithLogitsLoss, one-hot",
        ),
        one_vs_all_logistic,
    ),
    Practice("one-vs-all squared hinge", "argmax", ("sklearn LinearSVC",), one_vs_all_squared_hinge, _SCORES, _TWO),
    Practice(
        "one-vs-all hinge",
        "argmax",
        ('sklearn LinearSVC(loss="hinge"), SGDClassifier',),
        one_vs_all_hinge,
        _SCORES,
        _TWO,
        most=_MOST_HINGED,
    ),
    Practice(
        "Crammer–Singer hinge",
        "argmax",
        ('sklearn LinearSVC(multi_class="crammer_singer")',),
        crammer_singer,
        _SCORES,
        _HALVES,
        most=_MOST_HINGED,
    ),
    Practice(
        "one-vs-one hinge",
        "votes",
        ("sklearn SVC, NuSVC",),
        one_vs_one_hinge,
        'model.set_params(decision_function_shape="ovo").decision_function(X)',
        f"-{_SCORES}[:, None]",
        most=_MOST_VOTERS,
    ),
    Practice(
        "squares on ±1",
        "argmax",
        ("sklearn RidgeClassifier", "torch MSELoss, one-hot"),
        _one_against_rest,
        _SCORES,
        _TWO,
        written="lm.surrogates.square([[1 if x == y else -1 for x in range({n})] for y in range({n})])",
    ),
    Practice(
        "Weston–Watkins hinge",
        "argmax",
        ("torch MultiMarginLoss",),
        weston_watkins,
        "U, classes=loss.labels",
        unnamed="scores U",
        most=_MOST_HINGED,
    ),
    Practice("all-threshold logistic", "sign", ("mord LogisticAT",), all_threshold_logistic),
    Practice(
        "squares on grades",
        "nearest",
        ("mord OrdinalRidge", "any regressor with squared error"),
        _grades,
        _GRADE,
        unnamed="grades 1 … n",
        written="lm.surrogates.square([[y + 1] for y in range({n})])",
    ),
    Practice(
        "absolute deviation",
        "nearest",
        ("mord LAD", "any regressor with absolute error"),
        absolute,
        _GRADE,
        unnamed="grades 1 … n",
        most=_MOST_HINGED,
    ),
    Practice(
        "binary relevance logistic",
        "sign",
        ("torch BCEWithLogitsLoss, multi-label", "sklearn MultiOutputClassifier(LogisticRegression)"),
        _bits,
        "U",
        unnamed="scores U",
        applies=_sets_of_tags,
    ),
)


@dataclass(frozen=True)
class Line:
    """A practice's verdict for a loss: with the way its users decide (None if that is no decision), and what to do."""

    practice: Practice
    surrogate: str
    verdict: Verdict | None
    advice: str
    price: Fraction | None = None

    def __str__(self) -> str:
        practice = self.practice
        status = (
            ""
            if self.verdict is None
            else ": calibrated"
            if self.verdict.status == "calibrated"
            else ": NOT calibrated"
        )
        price = ""
        if self.price is not None:
            price = f" (on its counterexample it loses {rounded(1000 * self.price)} per 1000 cases)"
        users = "; ".join(practice.estimators)
        return f"{practice.trains}, then {practice.pred}{status}{price}\n  {users}\n  → {self.advice}"

    def to_dict(self) -> dict[str, Any]:
        """The line as plain data."""
        found: dict[str, Any] = {
            "trains": self.practice.trains,
            "surrogate": self.surrogate,
            "pred": self.practice.pred,
            "estimators": list(self.practice.estimators),
            "status": None if self.verdict is None else self.verdict.status,
            "advice": self.advice,
        }
        return found | ({"price": str(self.price)} if self.price is not None else {})


class Lines(tuple[Line, ...]):
    """What `which` tells of each practice; printed one after the other."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def __repr__(self) -> str:
        return str(self)


def which(
    loss: LossLike,
    estimator: object = None,
    *,
    class_weight: Sequence[RationalLike] | None = None,
    max_vertices: int | None = None,
) -> Lines:
    """Tell of each practice that fits the loss whether what is trained, decided as its users decide, is calibrated.

    `estimator` picks practices by a part of an estimator's name, a class or an instance. `class_weight` multiplies
    the surrogate's components: calibrated for L if and only if the unweighted one is for L with rows divided by the
    weights. They come in the order of the rows. `max_vertices` bounds the cells that are enumerated. The loss is given
    as to `analyze`.

    >>> which("zero-one:n=3", "crammer")
    Crammer–Singer hinge, then argmax: NOT calibrated (on its counterexample it loses 200 per 1000 cases)
      sklearn LinearSVC(multi_class="crammer_singer")
      → train something else: no way of deciding makes it right
    """
    return Lines(each_line(as_loss(loss).matrix(), estimator, class_weight, max_vertices))


def each_line(
    loss: LossMatrix,
    estimator: object = None,
    class_weight: Sequence[RationalLike] | None = None,
    max_vertices: int | None = None,
) -> Iterator[Line]:
    """The same, line by line as it is decided."""
    if hasattr(class_weight, "dtype") and not is_sorted(loss.labels):
        raise BadInput(f"class_weight is a bare array; give a list in the order of the rows, {listed(loss.labels)}")
    weights = None if class_weight is None else as_rationals(class_weight, "class_weight")
    if weights is not None and (len(weights) != loss.n or min(weights) <= 0):
        raise BadInput(
            f"class_weight = ({', '.join(map(str, weights))}); give one positive weight for each of the {loss.n} labels"
        )
    facts = Facts(loss if weights is None else loss.scale_rows([1 / w for w in weights]))
    said, budget = _by_labels(facts), max_vertices or (MAX_VERTICES if loss.n <= _FEW_LABELS else _FEW_VERTICES)
    name = estimator if isinstance(estimator, str | None) else getattr(estimator, "__name__", type(estimator).__name__)
    part = (name or "").lower()
    chosen = [each for each in PRACTICES if any(part in name.lower() for name in each.estimators)]
    if not chosen:
        raise BadInput(f"no estimator's name contains {name!r}; lossmith which LOSS lists them all")
    for each in (practice for practice in chosen if practice.applies(loss.n)):
        if loss.n > each.most:
            yield _not_decided(each, loss)
        else:
            yield _line(each, each.surrogate(loss.n), facts, said, weights, budget)


def _not_decided(practice: Practice, loss: LossMatrix) -> Line:
    """What is said of more labels than are decided in passing."""
    made, reason = practice.surrogate, f"not decided here for more than {practice.most} labels"
    if not isinstance(made, Family):
        return Line(practice, practice.trains, None, reason)
    advice = _passed_on(practice, made, loss) if practice.scores else "loss.decide(model, X) decides by the costs"
    return Line(practice, f"{made.name}(n={loss.n})", None, f"{reason}: {advice}")


def _line(
    practice: Practice,
    surrogate: Surrogate,
    facts: Facts,
    said: Facts | None,
    weights: Sequence[Fraction] | None,
    budget: int,
) -> Line:
    name = surrogate.name
    try:
        best = ask(surrogate, facts, max_vertices=budget)
        verdict = None if said is None else _as_decided(practice, surrogate, said, budget)
    except TooLarge as error:
        return Line(practice, name, None, f"not decided here: {error}")
    if verdict is not None and verdict.status == "calibrated":
        return Line(practice, name, verdict, "fine as it is")
    if "undecided" in (best.status, verdict and verdict.status):
        how = "" if surrogate.made_by is None else f": {_passed_on(practice, surrogate.made_by, facts.loss)}"
        return Line(practice, name, None, f"not decided here{how}")
    advice = f"{practice.pred} says none of your decisions; " if verdict is None else ""
    if best.status != "calibrated":
        advice += "train something else: no way of deciding makes it right"
    else:
        advice += f"keep the model, decide with {practice.deciding(surrogate, weights is not None)}"
    return Line(practice, name, verdict, advice, _price(verdict, weights))


def _passed_on(practice: Practice, family: Family[..., Any], loss: LossMatrix) -> str:
    """The command that takes its time."""
    given = family.fits(loss)
    assert given is not None  # a practice trains the member for the loss
    return f"run lossmith check {family.words(**given)} … --pred {practice.pred}"


def _by_labels(facts: Facts) -> Facts | None:
    """The loss with its decisions in the order of the labels, which estimators say; None if some is no decision."""
    loss = facts.loss
    if not set(loss.labels) <= set(loss.predictions):
        return None
    if loss.k > loss.n or loss.predictions == loss.labels:
        return facts
    return Facts(loss.restrict(predictions=loss.labels))


def _as_decided(practice: Practice, surrogate: Surrogate, said: Facts, max_vertices: int) -> Verdict | None:
    try:
        return ask(surrogate, said, pred=practice.pred, max_vertices=max_vertices)
    except BadInput:
        return None


def _price(verdict: Verdict | None, weights: Sequence[Fraction] | None) -> Fraction | None:
    """What the counterexample costs. With class weights it is one for w∘p and the loss divided by w: undo both."""
    if not isinstance(verdict, NotCalibrated):
        return None
    [p] = verdict.distributions
    total = sum((x / w for x, w in zip(p, weights or [Fraction(1)] * len(p), strict=True)), Fraction(0))
    return verdict.price / total
