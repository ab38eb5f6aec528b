"""Whether what common estimators train, decided as their users decide, suits a loss."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.answers.estimators import practices_of
from lossmith.answers.practice import PRACTICES, Practice
from lossmith.answers.rule import several
from lossmith.calibration.checking import ask
from lossmith.calibration.proofs import loss_section, plain
from lossmith.calibration.remembering import MEANING, Told, answer, named, told
from lossmith.calibration.verdicts import NotCalibrated, Surrogate, Verdict
from lossmith.certificates.certificate import vector
from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import RationalLike, as_rationals
from lossmith.families import Family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.losses.ordering import is_sorted, listed
from lossmith.losses.trained_weights import trained_weights
from lossmith.sweeping.questions import Answer, Question
from lossmith.sweeping.running import Form, Progress, asked_once
from lossmith.sweeping.store import Store
from lossmith.text.numbers import WIDTH, amount, as_float, difference, lines_of

CONDITION = "Calibrated means: right with enough data and a rich enough model. No linear model learns XOR."
_STATUS = {
    None: "",
    "calibrated": ": calibrated",
    "not calibrated": ": NOT calibrated",
    "no verdict": ": no verdict, it minimises no surrogate",
}
_LOOK = (
    "look at its probabilities: lm.learn.reliability(model, X_test, y_test); calibrate them where they are off: "
    'CalibratedClassifierCV(model); compare costs on data: lm.learn.compare(loss, {"model": model}, X, y)'
)
_FEW_LABELS, _FEW_VERTICES = 8, 2_000  # for more labels cells are enumerated while they have so few vertices


@dataclass(frozen=True)
class Price:
    """What a practice loses per case on its counterexample p, and what deciding always the same costs there.

    In print the numbers are those of p, and subtract.
    """

    lost: Fraction
    p: tuple[Fraction, ...]
    taken: tuple[object, Fraction]
    best: tuple[object, Fraction]
    worst: tuple[object, Fraction]

    def __str__(self) -> str:
        (taken, paid), (best, least), (worst, most) = self.taken, self.best, self.worst
        much, little, excess = difference(1000 * paid, 1000 * least)
        text = f"on its counterexample, per 1000 cases: {taken} costs {much}, {best} costs {little}, excess {excess}"
        return text if worst == taken else f"{text} ({worst}, the worst decision there, costs {amount(1000 * most)})"


@dataclass(frozen=True)
class Line:
    """A practice's verdict for a loss: with the way its users decide (None if that is no decision), and what to do.

    `keep` tells whether some way of deciding makes what is trained right; None where that is not decided.
    """

    practice: Practice
    surrogate: str
    verdict: Verdict | Told | None
    advice: str
    price: Price | None = None
    keep: bool | None = None

    def __str__(self) -> str:
        practice = self.practice
        status = _STATUS[self.status]
        return "\n".join(
            [
                f"{practice.way}{status}",
                *([] if self.price is None else lines_of(f"{self.price}", "  ")),
                *lines_of(practice.users, "  ", "  "),
                f"  → {self._told}",
            ]
        )

    @property
    def status(self) -> str | None:
        """That of the verdict; "no verdict" where no surrogate is minimised, None where nothing was decided."""
        if self.practice.surrogate is None:
            return "no verdict"
        return None if self.verdict is None else self.verdict.status

    @property
    def _told(self) -> str:
        """The advice; code that is too long for a line goes on in the next, as Python allows behind a parenthesis."""
        if len(self.advice) <= WIDTH:
            return self.advice
        if self.practice.surrogate is None:
            return self.advice.replace("; ", ";\n    ")
        broken = self.advice.replace(" with l", " with\n    l", 1).replace("; with prob", ";\n    with prob")
        broken = broken.replace(").decide(", ").decide(\n        ", 1).replace("lm.check(", "lm.check(\n        ", 1)
        broken = broken.replace(", loss.", ",\n        loss.", 1)
        return re.sub(r", (for \w.* in the order of the rows)", r"\n    \1", broken)  # what is pasted ends before it

    def to_dict(self) -> dict[str, Any]:
        """The line as plain data."""
        found: dict[str, Any] = {
            "trains": self.practice.trains,
            "surrogate": self.surrogate,
            "pred": self.practice.pred,
            "estimators": [f"{used.package} {used}" for used in self.practice.used],
            "status": self.status,
            "keep": self.keep,
            "advice": self.advice,
        }
        if self.price is not None:
            found |= {
                "price": str(self.price.lost),
                "price_per_1000": as_float(1000 * self.price.lost),
                "distribution": [str(x) for x in self.price.p],
                "taken_per_1000": [plain(self.price.taken[0]), as_float(1000 * self.price.taken[1])],
                "constant_per_1000": {
                    "best": [plain(self.price.best[0]), as_float(1000 * self.price.best[1])],
                    "worst": [plain(self.price.worst[0]), as_float(1000 * self.price.worst[1])],
                },
            }
        return found


@dataclass(frozen=True)
class Practices:
    """What `which` tells: a line for each practice, and what is true for all of them; print it, or go through it."""

    loss: LossMatrix
    note: str
    lines: tuple[Line, ...]

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    @property
    def condition(self) -> str:
        """What "calibrated" takes; empty if it is said of none."""
        return CONDITION if any(line.status == "calibrated" or line.keep for line in self.lines) else ""

    def __str__(self) -> str:
        return "\n".join(filter(None, [self.note, *map(str, self.lines), self.condition]))

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        practices = [line.to_dict() for line in self.lines]
        return {"loss": self.loss.name, "note": self.note, "practices": practices, "condition": self.condition}


def which(
    loss: LossLike,
    estimator: object = None,
    *,
    class_weight: Sequence[RationalLike] | None = None,
    max_vertices: int | None = None,
    n_jobs: int | None = 1,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Practices:
    """Tell of each practice that fits the loss whether what is trained, decided as its users decide, is calibrated.

    `estimator` picks one: a part of its name, its class, or the model itself. `class_weight` multiplies the surrogate's
    components: calibrated for L if and only if the unweighted one is for L with rows divided by the weights. They come
    in the order of the rows. `max_vertices` bounds the cells that are enumerated. The loss is given as to `analyze`.
    `n_jobs` workers of joblib decide; None leaves their number and kind to `joblib.parallel_config`. What a `store`
    holds is not decided again.

    >>> print(which("zero-one:n=3", "crammer"))
    Crammer–Singer hinge, then argmax: NOT calibrated
      on its counterexample, per 1000 cases: 0 costs 800, 1 costs 600, excess 200
      sklearn LinearSVC(multi_class="crammer_singer"); keras CategoricalHinge
      → train something else: no way of deciding makes it right
    """
    matrix = as_loss(loss).matrix()
    note, weights = note_on(matrix), class_weight
    found = None if class_weight is not None or isinstance(estimator, (str, type)) else trained_weights(estimator)
    if found is not None and isinstance(found.weights, Mapping) and found.times == 1:
        weights = [found.weights.get(label, 1) for label in matrix.labels]
    elif found is not None:
        told = f"What follows is for the model without {found.said}, which is to be undone: train without it."
        note = "\n".join(filter(None, [note, *lines_of(told, "", "")]))
    lines = each_line(matrix, estimator, weights, max_vertices, n_jobs=n_jobs, store=store, progress=progress)
    return Practices(matrix, note, tuple(lines))


def note_on(loss: LossMatrix) -> str:
    """What is true for all practices: where decisions are no labels, that predicting a label decides nothing."""
    if set(loss.labels) <= set(loss.predictions):
        return ""
    decisions, labels = (several(names, 5) for names in (loss.predictions, loss.labels))
    text = (
        f"Your decisions ({decisions}) are not the labels ({labels}): a model that predicts a label has not decided "
        f"yet. Let its probabilities decide: loss.decide(model, X)."
    )
    return "\n".join(lines_of(text, "", ""))


def each_line(
    loss: LossMatrix,
    estimator: object = None,
    class_weight: Sequence[RationalLike] | None = None,
    max_vertices: int | None = None,
    *,
    n_jobs: int | None = 1,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Iterator[Line]:
    """The lines of `which`, one by one as they are decided; with a store all at the end."""
    weights = _weights(loss, class_weight)
    facts = Facts(loss if weights is None else loss.scale_rows([1 / w for w in weights]))
    said, budget = _by_labels(facts), max_vertices or (MAX_VERTICES if loss.n <= _FEW_LABELS else _FEW_VERTICES)
    chosen = list(PRACTICES) if estimator is None else practices_of(estimator)
    line_of = partial(_line_of, loss, facts, said, weights, budget)
    form = Form(partial(_named, loss, weights, budget), _written, partial(_read, facts.loss, said, weights))
    asked = [each for each in chosen if each.applies(loss.n)]
    if any(each.sorted_labels for each in asked) and not is_sorted(loss.labels):
        raise BadInput(
            f"LightGBM's estimators number classes in sorted order; the labels are {listed(loss.labels)}: ask about "
            f"loss.restrict(labels=sorted(loss.labels))"
        )
    return asked_once(line_of, asked, form, n_jobs=n_jobs, store=store, progress=progress)


def _named(loss: LossMatrix, weights: Sequence[Fraction] | None, budget: int, practice: Practice) -> Question:
    """A practice for a loss; which decisions are labels is told apart, as plain names do not tell True from "True"."""
    same = [loss.predictions.index(label) if label in loss.predictions else None for label in loss.labels]
    inputs = {
        "practice": [practice.trains, practice.pred],
        "loss": loss_section(loss),
        "labels_as_decisions": same,
        "class_weight": None if weights is None else vector(weights),
    }
    if not practice.pred:  # of a surrogate that somebody gave the name does not tell all
        assert practice.surrogate is not None
        inputs["surrogate"] = named(practice.surrogate(loss.n), loss, budget).inputs["surrogate"]
    return Question("which", inputs, {"max_vertices": budget}, MEANING)


def _written(line: Line) -> Answer:
    """A line as plain data, and the certificate of its verdict; of a price what it follows from."""
    verdict, price = line.verdict, None
    if isinstance(verdict, NotCalibrated) and line.price is not None:
        price = {"p": vector(verdict.distributions[0]), "taken": verdict.prediction, "lost": str(verdict.price)}
    said = Answer(None) if verdict is None else answer(verdict)
    value = {"surrogate": line.surrogate, "verdict": said.value, "advice": line.advice, "price": price}
    return Answer({**value, "keep": line.keep}, said.certificates)


def _read(
    loss: LossMatrix, said: Facts | None, weights: Sequence[Fraction] | None, practice: Practice, kept: Answer
) -> Line:
    value, verdict, price = kept.value, None, None
    if value["verdict"] is not None:
        assert practice.surrogate is not None
        decided = loss if said is None or not practice.pred else said.loss
        verdict = told(practice.surrogate(loss.n), decided, Answer(value["verdict"], kept.certificates))
    if value["price"] is not None:
        p, lost = tuple(map(Fraction, value["price"]["p"])), Fraction(value["price"]["lost"])
        assert said is not None
        price = _price(p, said.loss.predictions[value["price"]["taken"]], lost, loss, weights)
    return Line(practice, value["surrogate"], verdict, value["advice"], price, value["keep"])


def _line_of(
    loss: LossMatrix,
    facts: Facts,
    said: Facts | None,
    weights: Sequence[Fraction] | None,
    budget: int,
    practice: Practice,
) -> Line:
    if practice.surrogate is None:
        return Line(practice, "", None, _LOOK)
    if weights is not None and loss.n > 2 and practice.weights_apart:
        reason = "class_weight weights each class against the rest alone here, which is another surrogate"
        return Line(practice, practice.trains, None, f"not decided: {reason}; train without it")
    if loss.n > practice.most:
        return _not_decided(practice, loss)
    return _line(practice, practice.surrogate(loss.n), facts, said, weights, budget)


def _weights(loss: LossMatrix, class_weight: Sequence[RationalLike] | None) -> Sequence[Fraction] | None:
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        raise BadInput(
            f"class_weight is {class_weight!r}, which depends on the data; give the weights, m/(n · count) for each of "
            f"{listed(loss.labels)}, or let SurrogateClassifier(loss, 'plug-in', model) undo them"
        )
    if isinstance(class_weight, Mapping):
        class_weight = [class_weight.get(label, 1) for label in loss.labels]
    if hasattr(class_weight, "dtype") and not is_sorted(loss.labels):
        raise BadInput(f"class_weight is a bare array; give a list in the order of the rows, {listed(loss.labels)}")
    weights = as_rationals(class_weight, "class_weight")
    if len(weights) != loss.n or min(weights) <= 0:
        raise BadInput(
            f"class_weight = ({', '.join(map(str, weights))}); give one positive weight for each of the {loss.n} labels"
        )
    return weights


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
        verdict = best if not practice.pred else _as_decided(practice, surrogate, said, budget)
    except TooLarge as error:
        return Line(practice, name, None, f"not decided here: {error}")
    if practice.pred and verdict is not None and verdict.status == "calibrated":
        return Line(practice, name, verdict, "fine as it is", keep=True)
    if "undecided" in (best.status, verdict and verdict.status):
        how = "" if surrogate.made_by is None else f": {_passed_on(practice, surrogate.made_by, facts.loss)}"
        return Line(practice, name, None, f"not decided here{how}")
    keep = best.status == "calibrated"
    advice = "train something else: no way of deciding makes it right"
    if keep:
        advice = f"keep the model, decide with {practice.deciding(surrogate, weights is not None)}"
    price = None
    if isinstance(verdict, NotCalibrated) and practice.pred:
        [p], taken = verdict.distributions, verdict.prediction
        assert taken is not None
        price = _price(p, verdict.loss.predictions[taken], verdict.price, facts.loss, weights)
    return Line(practice, name, verdict, advice, price, keep)


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


def _as_decided(practice: Practice, surrogate: Surrogate, said: Facts | None, max_vertices: int) -> Verdict | None:
    if said is None:
        return None
    try:
        return ask(surrogate, said, pred=practice.pred, max_vertices=max_vertices)
    except BadInput:
        return None


def _price(
    p: Sequence[Fraction], decided: object, lost: Fraction, loss: LossMatrix, weights: Sequence[Fraction] | None
) -> Price:
    """What the counterexample p costs. With class weights it is one for w∘p and the loss divided by w: undo both."""
    weighted = [x / w for x, w in zip(p, weights or [Fraction(1)] * len(p), strict=True)]
    total = sum(weighted, Fraction(0))
    risks = [risk / total for risk in loss.risk(p)]
    cheap, dear = (choose(range(loss.k), key=risks.__getitem__) for choose in (min, max))
    places = (loss.predictions.index(decided), cheap, dear)
    taken, best, worst = ((loss.predictions[t], risks[t]) for t in places)
    return Price(lost / total, tuple(x / total for x in weighted), taken, best, worst)
