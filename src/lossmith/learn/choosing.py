"""Which surrogate is trained for a loss, with which pred, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias

from sklearn.base import is_classifier, is_regressor

from lossmith.analysis.facts import Facts
from lossmith.answers.designing import METHODS, by_method
from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Surrogate, Undecided, Verdict
from lossmith.constructions.cost_squares import cost_squares
from lossmith.dimension.le_surrogate import CertifiedSurrogate
from lossmith.errors import BadInput, UnknownName
from lossmith.families import by_name
from lossmith.learn.penalties import penalized
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import CATALOGUE, softmax
from lossmith.surrogates.named import surrogate_named
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.preds import as_pred
from lossmith.surrogates.smooth import SmoothSurrogate

FEW_LABELS = 30  # up to here models of all probabilities are cheap and hard to beat: docs/learning.md
_MOST_ORDERED = 40  # predictions that are compared in pairs
ASKED = ("auto", "best", "plug-in", *(each for each in METHODS if each != "search"))
_ASKED = ", ".join(f'"{each}"' for each in ASKED)

Kind: TypeAlias = Literal["plug-in", "square", "polyhedral"]


@dataclass(frozen=True)
class Chosen:
    """What is trained, how it decides, and why it was chosen; print it.

    `verdict` says whether surrogate and pred are calibrated for the loss. That of a plug-in is about softmax, and holds
    for any classifier as far as its probabilities are right.
    """

    kind: Kind
    loss: LossMatrix
    why: str
    decided: Verdict | None = field(default=None, repr=False)
    pred: Any = field(default=None, repr=False)
    pool: str | None = None  # whose probabilities they are: the members of a `ProbabilityPool`, or one classifier
    order: tuple[Any, ...] | None = None  # of the labels, if the loss orders them

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict on the surrogate for the loss; for a plug-in it is made when it is asked for."""
        return self.decided or _checked(softmax(self.loss.n), self.loss, None)

    @property
    def surrogate(self) -> Surrogate:
        """The surrogate itself; for a plug-in the softmax cross-entropy."""
        return self.decided.surrogate if self.decided else softmax(self.loss.n)

    def told_by(self, classifier: Any) -> Chosen:
        """The same, and how a pool of probabilities was made in the end."""
        if self.pool is None or not hasattr(classifier, "weights_"):  # one in folds, calibrated, does not tell
            return self
        alone = len(classifier.weights_) == 1  # and then it says why
        return replace(self, why=classifier.why_ if alone else f"{classifier.why_}; {self.why}")

    def __str__(self) -> str:
        if self.kind == "plug-in":
            return f"plug-in for {self.loss.name}: probabilities, then the decision of least expected loss; {self.why}"
        size = self.surrogate.dim
        trained = "least squares" if self.kind == "square" else "a linear model"
        functions = "1 function" if size == 1 else f"{size} functions"
        return f"{self.surrogate.name} for {self.loss.name}: {trained}, {functions}; {self.why}"


def choose(
    loss: LossMatrix, surrogate: object, pred: object = None, estimator: object = None, uncertified: bool = False
) -> Chosen:
    """Choose what to train. "auto" looks at the loss and at the kind of the estimator; it never searches.

    >>> from lossmith.losses import hamming, ordinal
    >>> print(choose(ordinal(5), "orderable"))
    orderable(ordinal(n=5)) for ordinal(n=5): a linear model, 1 function; as asked
    >>> choose(ordinal(5), "auto").pool, choose(hamming(6), "auto").surrogate.dim
    ('quick', 6)
    """
    if surrogate == "auto":
        chosen = _automatic(loss, estimator)
    elif surrogate == "best":
        chosen = _pooled(loss, "best", "as asked") if estimator is None else _automatic(loss, estimator)
    elif surrogate == "plug-in":
        chosen = Chosen("plug-in", loss, "as asked")
    elif surrogate == "square":
        chosen = _of(_squared(loss), loss, "as asked")
    else:
        chosen = _given(loss, surrogate, pred, uncertified)
    if pred is not None and isinstance(surrogate, str) and surrogate in (*METHODS, "auto", "best", "plug-in"):
        raise BadInput(f"pred is {pred!r}, but {surrogate!r} decides by itself; give a pred with a surrogate of yours")
    if chosen.kind == "square" and estimator is not None and is_classifier(estimator):
        raise BadInput(
            f"{chosen.surrogate.name} trains a regressor, and {estimator!r} is a classifier; give a regressor, or "
            f'surrogate="plug-in"'
        )
    if estimator is not None and chosen.kind == "polyhedral":
        raise BadInput(
            f"{chosen.surrogate.name} is trained as a linear model of its own, without the estimator {estimator!r}; "
            f"leave it out, and put what prepares the features before it in a pipeline"
        )
    return chosen


def _automatic(loss: LossMatrix, estimator: object) -> Chosen:
    if estimator is not None and is_regressor(estimator):
        return _of(_squared(loss), loss, "the estimator is a regressor")
    if estimator is not None and (is_classifier(estimator) or hasattr(estimator, "predict_proba")):
        return Chosen("plug-in", loss, "the estimator is a classifier")
    if estimator is None and loss.n <= FEW_LABELS:
        return _pooled(loss, "quick", f"{loss.n} labels are few")
    if estimator is None and loss.k <= _MOST_ORDERED and _facts(loss).order is not None:
        return _of(_designed(loss, "orderable"), loss, "one number orders its decisions")
    verdict = _squared(loss)
    size = verdict.surrogate.dim
    if estimator is None and loss.n <= 2 * size:
        return Chosen("plug-in", loss, f"least squares would need {size} functions, too, for {loss.n} labels")
    tell = "one number tells" if size == 1 else f"{size} numbers tell"
    return _of(verdict, loss, f"{loss.n} labels, of which {tell} all that matters")


def _pooled(loss: LossMatrix, members: str, why: str) -> Chosen:
    return Chosen("plug-in", loss, why, pool=members, order=order_of_labels(loss))


def order_of_labels(loss: LossMatrix) -> tuple[Any, ...] | None:
    """The labels in the order of their best decisions, if one number orders the decisions; None if any two tie.

    Two labels have no order to speak of.

    >>> from lossmith.losses import ordinal, zero_one
    >>> order_of_labels(ordinal(4)), order_of_labels(zero_one(3))
    ((0, 1, 2, 3), None)
    """
    if not 2 < loss.n <= loss.k <= _MOST_ORDERED or _facts(loss).order is None:
        return None
    places = []
    for row in loss.entries:
        along = [row[t] for t in _facts(loss).order]
        best = [i for i, x in enumerate(along) if x == min(along)]
        places.append(best[0] + best[-1])
    if len(set(places)) < loss.n:
        return None
    return tuple(label for _, label in sorted(zip(places, loss.labels, strict=True), key=lambda pair: pair[0]))


def _given(loss: LossMatrix, surrogate: object, pred: object, uncertified: bool) -> Chosen:
    if isinstance(surrogate, str) and surrogate in ASKED:
        return _of(_designed(loss, surrogate), loss, "as asked")
    if isinstance(surrogate, (Calibrated, NotCalibrated, Undecided)):
        verdict: Verdict = surrogate
        if verdict.loss != loss:
            raise BadInput(f"the verdict is about {verdict.loss.name}, not about {loss.name}; design one for this loss")
        if pred is not None:
            raise BadInput(f"pred is {pred!r}, but the verdict on {verdict.surrogate.name} brings one; leave it out")
        if isinstance(verdict.surrogate, PolyhedralSurrogate) and verdict.surrogate.inequalities:
            verdict = penalized(verdict.surrogate, loss)
        return _of(_allowed(verdict, uncertified), loss, "as designed", None, uncertified)
    made = _named(surrogate, loss) if isinstance(surrogate, str) else surrogate
    if not isinstance(made, (PolyhedralSurrogate, SmoothSurrogate)):
        raise BadInput(
            f"surrogate is {surrogate!r}; give {_ASKED}, a name such as "
            f'"crammer-singer:n=3", a surrogate, or what lm.design returns'
        )
    if isinstance(made, SmoothSurrogate) and (made.traits.mean is None or made.traits.reading is not None):
        raise BadInput(
            f'{made.name} is no squared distance and not polyhedral; use surrogate="plug-in" with an estimator that '
            f"trains it, such as LogisticRegression for softmax"
        )
    if pred is None:
        for customary in _customary(made):
            try:
                verdict = _checked(made, loss, customary)
            except BadInput:  # it fits other losses
                continue
            if isinstance(verdict, Calibrated):
                return _of(verdict, loss, f"as asked, with {customary}")
    verdict = _allowed(_checked(made, loss, pred), uncertified)
    return _of(verdict, loss, "as asked", pred, uncertified)


def _named(text: str, loss: LossMatrix) -> Surrogate:
    """What a name stands for; one that nothing carries is refused with all that can be asked for."""
    families = list(by_name(CATALOGUE))
    name = text.partition(":")[0].strip()
    if name.replace("_", "-") in families or ".py" in text or name[:1].isupper():  # an estimator: it says so
        return surrogate_named(text, loss)
    near = get_close_matches(name, [*ASKED, *families], 1)
    meant = f"did you mean {near[0]!r}? Give" if near else "give"
    raise UnknownName(
        f"no surrogate is called {text!r}; {meant} {_ASKED}, or a family such as {families[0]!r}: lossmith families"
    )


def _allowed(verdict: Verdict, uncertified: bool) -> Verdict:
    if isinstance(verdict, Calibrated) or uncertified:
        return verdict
    told = " ".join(str(verdict).split())
    raise BadInput(f"{told} Train with another surrogate, or with allow_uncertified=True")


def _of(verdict: Verdict, loss: LossMatrix, why: str, pred: object = None, uncertified: bool = False) -> Chosen:
    surrogate = verdict.surrogate
    kind: Kind = "polyhedral" if isinstance(surrogate, PolyhedralSurrogate) else "square"
    if isinstance(verdict, Calibrated):
        return Chosen(kind, loss, why, verdict, verdict.pred)
    assert uncertified
    for each in [pred] if pred is not None else _customary(surrogate):
        try:
            return Chosen(kind, loss, f"{why}, though {verdict.status}", verdict, as_pred(each, surrogate, loss))
        except BadInput:
            if pred is not None:
                raise
    raise BadInput(f"{surrogate.name} is {verdict.status} for {loss.name}, so no pred is known; say pred=…")


def _customary(surrogate: Surrogate) -> tuple[str, ...]:
    """The preds that are used with a family; whether they are right is checked."""
    return () if surrogate.made_by is None else surrogate.made_by.preds


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """Remember a few answers: a search over parameters asks the same of every fold."""
    cached = lru_cache(maxsize=32)(function)

    def asked(*arguments: Any) -> Any:
        try:
            return cached(*arguments)
        except TypeError:  # a pred made of functions cannot be looked up
            return function(*arguments)

    return asked


@remembered
def _checked(surrogate: Surrogate, loss: LossMatrix, pred: object) -> Verdict:
    if isinstance(surrogate, PolyhedralSurrogate) and surrogate.inequalities:
        return penalized(surrogate, loss, pred)
    return check(surrogate, loss, pred)


@remembered
def _facts(loss: LossMatrix) -> Facts:
    return Facts(loss)


@remembered
def _squared(loss: LossMatrix) -> Calibrated:
    return CertifiedSurrogate(_facts(loss), cost_squares).verdict


@remembered
def _designed(loss: LossMatrix, method: str) -> Calibrated:
    verdict = by_method(_facts(loss), method)
    if isinstance(verdict.surrogate, PolyhedralSurrogate) and verdict.surrogate.inequalities:
        made = penalized(verdict.surrogate, loss)
        assert isinstance(made, Calibrated)
        return made
    return verdict
