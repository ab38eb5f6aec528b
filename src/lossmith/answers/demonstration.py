"""The proof in data: train on samples of a counterexample, and see what the decisions cost.

An example says from which of finitely many distributions its label is drawn, so that training is a small convex problem
for each of them, with the counts of the labels as weights; it is solved, and nothing but the surrogate is to blame.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from lossmith.analysis.facts import Facts
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.answers.designing import design
from lossmith.calibration.by_positive_normals import by_positive_normals
from lossmith.calibration.checking import check
from lossmith.calibration.question import Question
from lossmith.calibration.remembering import certificate_text, named
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.certificates.certificate import vector
from lossmith.errors import BadInput, TooLarge
from lossmith.families import at_least
from lossmith.losses.named import LossLike
from lossmith.losses.sampling import draw
from lossmith.surrogates.families.crammer_singer import crammer_singer
from lossmith.surrogates.families.weston_watkins import weston_watkins
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import argmax
from lossmith.sweeping import questions
from lossmith.sweeping.running import Form, Progress, asked_once
from lossmith.sweeping.store import Store
from lossmith.text.numbers import folded

Array: TypeAlias = np.ndarray[Any, Any]
Counts: TypeAlias = tuple[tuple[int, ...], ...]  # of the labels, for each distribution
Points: TypeAlias = tuple[tuple[Fraction, ...], ...]

SIZES = (30, 100, 300, 1_000, 3_000, 10_000)
REPETITIONS = 20
_STEPS = 400
MANY_PIECES = 4000  # of a surrogate: from here on one program is kept for all samples
_MEANING = 2  # raise it when samples are drawn or trained on in another way


@dataclass(frozen=True)
class Curve:
    """What the decisions of one way to train cost more than necessary: a row for each size, a column per repetition."""

    name: str
    excess: tuple[tuple[float, ...], ...]

    @property
    def means(self) -> tuple[float, ...]:
        """The mean over the repetitions, for each size."""
        return tuple(float(np.mean(row)) for row in self.excess)

    @property
    def widths(self) -> tuple[float, ...]:
        """Half the width of a 95% confidence interval of each mean."""
        return tuple(map(_half_width, self.excess))


@dataclass(frozen=True)
class Demonstration:
    """Excess losses of what a verdict says goes wrong, and, last, of a certified design, on growing samples.

    >>> from lossmith.calibration.checking import check
    >>> from lossmith.losses import ordinal
    >>> from lossmith.surrogates import softmax
    >>> shown = demonstrate(check(softmax(3), ordinal(3), pred="argmax"), sizes=[10, 1000], repetitions=5)
    >>> shown.curves[0].means[-1], shown.curves[-1].means[-1]
    (0.2, 0.0)
    """

    verdict: NotCalibrated
    distributions: Points
    sizes: tuple[int, ...]
    curves: tuple[Curve, ...]

    @property
    def gap(self) -> tuple[float, float]:
        """How much the first curve lies above the last at the largest size, and half the width of a 95% interval."""
        apart = np.subtract(self.curves[0].excess[-1], self.curves[-1].excess[-1])
        return float(apart.mean()), _half_width(apart)

    def __str__(self) -> str:
        loss = self.verdict.loss
        often = ", equally often," if len(self.distributions) > 1 else ""
        lines = [str(self.verdict).split("\n")[0], f"Examples are drawn{often} from"]
        for p in self.distributions:
            shown = ", ".join(f"P({label}) = {x}" for label, x in zip(loss.labels, p, strict=True) if x)
            best = " or ".join(f"{loss.predictions[t]}" for t in loss.optimal_predictions(p))
            lines.append(f"  {shown}   best decision: {best}")
        repetitions = len(self.curves[0].excess[0])
        lines.append(
            f"Trained on m of them, you lose so much more than necessary per 1000 cases ({repetitions} samples, 95%):"
        )
        titles = ["m", *(curve.name for curve in self.curves)]
        rows = [
            [f"{m:,}", *(_cell(curve.means[i], curve.widths[i]) for curve in self.curves)]
            for i, m in enumerate(self.sizes)
        ]
        widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
        table = [[each.rjust(width) for each, width in zip(row, widths, strict=True)] for row in [titles, *rows]]
        end = f"At m = {self.sizes[-1]:,} the certified design loses {_cell(*self.gap)} less per 1000 cases."
        return "\n".join([folded(lines), *("  ".join(row) for row in table), end])

    def to_dict(self) -> dict[str, Any]:
        """As plain data: excess losses per case."""
        curves = [
            {"name": curve.name, "mean": list(curve.means), "half_width": list(curve.widths)} for curve in self.curves
        ]
        return {
            "status": self.verdict.status,
            "surrogate": self.verdict.surrogate.name,
            "loss": self.verdict.loss.name,
            "distributions": [[str(x) for x in p] for p in self.distributions],
            "repetitions": len(self.curves[0].excess[0]),
            "confidence": 0.95,
            "sizes": list(self.sizes),
            "curves": curves,
            "gap": dict(zip(("mean", "half_width"), self.gap, strict=True)),
        }


def demonstrate(
    verdict: Any,
    loss: LossLike = None,
    pred: object = None,
    *,
    sizes: Sequence[int] = SIZES,
    repetitions: int = REPETITIONS,
    seed: int = 0,
    n_jobs: int | None = 1,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Demonstration:
    """Draw growing samples from the counterexample of a verdict and train on each with its surrogate and with a design.

    `demonstrate(surrogate, loss, pred)` asks `check` for the verdict, and takes what it takes.
    The design is least squares, `lm.design(loss, method="square")`. Where no pred serves a polyhedral surrogate, the
    distributions are those that it cannot tell apart, so that ties do not matter; and if the verdict names no pred,
    its decisions are as good as one who knows the distributions can make them. `n_jobs` workers of joblib train; what
    a `store` holds is not trained again.
    """
    if loss is not None:
        verdict = check(verdict, loss, pred)
    if not isinstance(verdict, NotCalibrated):
        raise BadInput(f"{verdict!r} is no verdict of a pair that is not calibrated; there is nothing to demonstrate")
    sizes = tuple(sorted({at_least("a size", m, 1) for m in sizes}))
    at_least("repetitions", repetitions, 2)
    points = _distributions(verdict)
    learners = _learners(verdict, points)
    repeat = partial(_repetition, verdict, points, sizes, learners)
    form = Form(partial(_named, verdict, points, sizes, learners), partial(_written, verdict), _read)
    seeds = range(seed, seed + repetitions)
    repeated = asked_once(repeat, seeds, form, n_jobs=n_jobs, store=store, progress=progress)
    by_learner = zip(learners, zip(*repeated, strict=True), strict=True)
    curves = tuple(Curve(name, tuple(zip(*rows, strict=True))) for (name, _), rows in by_learner)
    return Demonstration(verdict, points, sizes, curves)


def _repetition(
    verdict: NotCalibrated, points: Points, sizes: Sequence[int], learners: Sequence[Learner], seed: int
) -> list[list[float]]:
    """What the decisions cost more than necessary on one growing sample: a row for each learner, a column per size."""
    excess = _excess(verdict, points)
    which, drawn = _sample(verdict, points, sizes[-1], seed)
    counts = [_counts(which[:m], drawn[:m], len(points), verdict.loss.n) for m in sizes]

    def paid(decided: Sequence[int]) -> float:
        return float(sum((excess[x][t] for x, t in enumerate(decided)), Fraction(0)) / len(points))

    return [[paid(decide(each)) for each in counts] for _, decide in learners]


def _named(
    verdict: NotCalibrated, points: Points, sizes: Sequence[int], learners: Sequence[Learner], seed: int
) -> questions.Question:
    """A repetition for a store: the pair, all else that its numbers follow from, and those who compute them."""
    asked = verdict.asked if verdict.asked is None or isinstance(verdict.asked, Pred) else verdict.asked.name
    names = [name for name, _ in learners]
    inputs = {
        **named(verdict.surrogate, verdict.loss, 0, asked, verdict.within).inputs,
        "points": [vector(p) for p in points],
        "sizes": list(sizes),
        "learners": names,
        "seed": seed,
    }
    packages = ["numpy", "scikit-learn", *(["torch"] if any("torch" in name for name in names) else [])]
    return questions.Question("demonstrate", inputs, {each: questions.installed(each) for each in packages}, _MEANING)


def _written(verdict: NotCalibrated, rows: list[list[float]]) -> questions.Answer:
    proof = certificate_text(verdict)
    return questions.Answer(rows, {} if proof is None else {"proof": proof})


def _read(seed: int, kept: questions.Answer) -> list[list[float]]:
    rows: list[list[float]] = kept.value
    return rows


def _distributions(verdict: NotCalibrated) -> Points:
    """Those that no pred tells apart, where there are such; else that of the given pred."""
    if verdict.pred is None or not isinstance(verdict.surrogate, PolyhedralSurrogate):
        return verdict.distributions
    try:
        without = by_positive_normals(Question(verdict.surrogate, Facts(verdict.loss), within=verdict.within))
    except TooLarge:
        return verdict.distributions
    return without.distributions if isinstance(without, NotCalibrated) else verdict.distributions


def _excess(verdict: NotCalibrated, points: Points) -> list[list[Fraction]]:
    """What each decision costs more than necessary, for each distribution."""
    risks = [verdict.loss.risk(p) for p in points]
    return [[each - min(row) for each in row] for row in risks]


def _sample(verdict: NotCalibrated, points: Points, m: int, seed: int) -> tuple[Array, Array]:
    """Which distribution, and which label, by number."""
    X, y = draw(verdict.loss, points, m, seed)
    places = {label: number for number, label in enumerate(verdict.loss.labels)}
    return X.argmax(axis=1), np.array([places[label] for label in y.tolist()])


def _counts(which: Array, drawn: Array, sets: int, n: int) -> Counts:
    """How often each label was drawn from each distribution; where nothing was, what was drawn from all."""
    table = np.zeros((sets, n), dtype=int)
    np.add.at(table, (which, drawn), 1)
    pooled = table.sum(axis=0)
    return tuple(tuple((row if row.any() else pooled).tolist()) for row in table)


# Ways to train: from counts of labels to a decision for each distribution.

Learner: TypeAlias = tuple[str, Callable[[Counts], Sequence[int]]]


def _learners(verdict: NotCalibrated, points: Points) -> list[Learner]:
    surrogate, loss = verdict.surrogate, verdict.loss
    pred = "" if verdict.asked is None else f", {verdict.asked.name}"
    minimizer = None
    if isinstance(surrogate, PolyhedralSurrogate) and sum(map(len, surrogate.maxima)) > MANY_PIECES:
        minimizer = RiskMinimizer(surrogate)
    found: list[Learner] = [(f"{surrogate.name}{pred}", partial(_with_surrogate, verdict, points, minimizer))]
    by_argmax = verdict.asked is None or (isinstance(verdict.asked, Pred) and verdict.asked.rule is argmax)
    named = loss.labels == loss.predictions and by_argmax
    if named and surrogate == crammer_singer(loss.n):
        found.append(('LinearSVC(multi_class="crammer_singer")', _linear_svc))
    if named and surrogate == weston_watkins(loss.n) and _torch_is_there():
        found.append(("torch MultiMarginLoss, argmax", _multi_margin))
    found.append(("certified design", partial(_by_least_squares, design(loss, method="square"))))
    return found


def _by_least_squares(made: Any, counts: Counts) -> Sequence[int]:
    """The mean of the rows a_y, which is what least squares learn, and the decision of the design there."""
    rows, weights = made.surrogate.targets
    shares = np.array(counts) * weights
    decided: Sequence[int] = made.pred.decide(shares @ rows / shares.sum(axis=1, keepdims=True))
    return decided


def _with_surrogate(
    verdict: NotCalibrated, points: Points, minimizer: RiskMinimizer | None, counts: Counts
) -> Sequence[int]:
    """Minimise Σ_y counts_y ψ_y(u) for each distribution, exactly if ψ is polyhedral, and decide."""
    surrogate = verdict.surrogate
    if not isinstance(surrogate, PolyhedralSurrogate):
        if verdict.pred is None:
            raise BadInput(
                f"{surrogate.name} is not polyhedral, so that no single u is reached; name the pred that decides, such "
                f"as argmax or sort"
            )
        shares = [[Fraction(count, sum(row)) for count in row] for row in counts]
        decided: Sequence[int] = verdict.pred.decide([surrogate.minimizer(p) for p in shares])
        return decided
    if minimizer is not None:
        found = [minimizer.at(row) for row in counts]
        minima, values = [each.u for each in found], [each.z for each in found]
    else:
        minima = [surrogate.minimum(row).point for row in counts]
        values = [] if verdict.pred is not None else [surrogate(u) for u in minima]
    if verdict.pred is None:
        return _decided_well(_excess(verdict, points), values)
    return [_decided(verdict, points, u) for u in minima]


def _decided(verdict: NotCalibrated, points: Points, u: tuple[Fraction, ...]) -> int:
    """The decision of the pred; on a boundary, of which rounding decides, that of the verdict if it is about one p."""
    pred, wrong = verdict.pred, verdict.prediction
    pieces = pred.regions[wrong] if len(points) == 1 and wrong is not None and isinstance(pred, Pred) else ()
    return wrong if wrong is not None and any(piece.contains(u) for piece in pieces) else int(pred(u))


def _decided_well(excess: list[list[Fraction]], values: list[tuple[Fraction, ...]]) -> list[int]:
    """Of all distributions that training took to the same ψ(u), the decision that is best for them together."""
    decided = []
    for value in values:
        same = [row for row, other in zip(excess, values, strict=True) if other == value]
        costs = [sum(column, Fraction(0)) for column in zip(*same, strict=True)]
        decided.append(costs.index(min(costs)))
    return decided


def _examples(counts: Counts) -> tuple[Array, Array, Array]:
    """One row for each distribution and label that was drawn: a column each, the label, and how often."""
    table = np.array(counts)
    which, y = np.nonzero(table)
    return np.eye(len(table))[which], y, table[which, y]


def _linear_svc(counts: Counts) -> Sequence[int]:
    """What scikit-learn's solver of the Crammer–Singer hinge decides."""
    from sklearn.svm import LinearSVC

    X, y, times = _examples(counts)
    if len(set(y.tolist())) == 1:  # scikit-learn refuses a single class
        return [int(y[0])] * len(counts)
    model = LinearSVC(multi_class="crammer_singer", fit_intercept=False, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has not converged
        model.fit(X.repeat(times, axis=0), y.repeat(times))
    decided: Sequence[int] = model.predict(np.eye(len(counts))).tolist()
    return decided


def _torch_is_there() -> bool:
    from importlib.util import find_spec

    return find_spec("torch") is not None


def _multi_margin(counts: Counts) -> Sequence[int]:
    """What PyTorch's MultiMarginLoss, which is Weston and Watkins's, leads to after some hundred steps of Adam.

    The least risk is at a tie. Steps that stop short of it often stop on the right side, by luck and not by the loss.
    """
    import torch

    X, y, times = _examples(counts)
    features, labels = torch.tensor(X), torch.tensor(y)
    shares = torch.tensor(times / times.sum())
    scores = torch.zeros(len(counts), len(counts[0]), dtype=features.dtype, requires_grad=True)
    optimizer = torch.optim.Adam([scores], lr=0.1)
    decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, 1e-4 ** (1 / _STEPS))
    margin = torch.nn.MultiMarginLoss(reduction="none")
    for _ in range(_STEPS):
        optimizer.zero_grad()
        (shares * margin(features @ scores, labels)).sum().backward()
        optimizer.step()
        decay.step()
    decided: Sequence[int] = scores.argmax(dim=1).tolist()
    return decided


def _half_width(values: Any) -> float:
    from scipy.stats import t

    size = len(values)
    if np.ptp(values) == 0:  # else rounding would show
        return 0.0
    return float(t.ppf(0.975, size - 1) * np.std(values, ddof=1) / size**0.5)


def _cell(mean: float, width: float) -> str:
    """Both per 1000 cases."""
    return " ± ".join(f"{1000 * x:.{3 - i}g}" if x < 1 else f"{1000 * x:,.0f}" for i, x in enumerate((mean, width)))
