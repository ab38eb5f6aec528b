"""Preds by name: maps from the surrogate's domain to predictions.

A *rule*, such as `argmax` or `argmax_gap("1/2")`, is a function of (surrogate, loss) that makes a pred. On the command
line rules are written "argmax" and "argmax-gap:tau=1/2". Ties go to the prediction that comes first, for all of them;
so to a label rather than to abstaining.

The regions of a rule cover R^d, which is proved here once for all members: of finitely many scores some is the largest,
and beats the second by τ or not; a score has a sign, and lies between two thresholds that follow each other; on some
level of a tree, the deepest, a score is positive, or on none; votes are counted whatever the signs; scores have an
order, for each of which there is a prediction. `top-k` alone depends on the costs: it refuses a loss without a decision
for some set of labels. A pred that is given by its regions is tested when it enters a question (`pred.fitting`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import factorial
from typing import Any, TypeAlias

from lossmith.errors import BadInput, LossmithError, UnknownName
from lossmith.errors import nearest as nearest_name
from lossmith.exact.rational import RationalLike
from lossmith.families import rational_where
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.families.sets.recall_at import RecallAt
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.losses.ranking.rankings import order_of_documents
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import AnyPred, Pred, Scores, fitting
from lossmith.surrogates.preds_of_grades import Cuts, cuts, nearest
from lossmith.surrogates.preds_of_sets import OpenTags, deepest, open_tags, reject, top_k
from lossmith.surrogates.score_regions import few, half_space, largest, orthant
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.votes import Votes, vote_regions

Rule: TypeAlias = Callable[[Scores, LossMatrix], Pred]


def argmax(surrogate: Scores, loss: LossMatrix) -> Pred:
    """The prediction with the largest score, of equal ones the first.

    One score per label belongs to the prediction of the same name, where every label has one; else, and where the
    surrogate is made for the loss, with one score per prediction, each belongs to the prediction in its place.
    """
    scores, places = surrogate.dim, list(range(surrogate.dim))
    by_name = scores == loss.n and set(loss.labels) <= set(loss.predictions)
    if by_name and not (scores == loss.k and _made_for_a_loss(surrogate)):
        places = [loss.predictions.index(label) for label in loss.labels]
    elif scores != loss.k:
        raise BadInput(
            f"argmax needs one score per prediction, or per label with its name; {surrogate.name} has {scores} scores "
            f"and {loss.name} has {loss.k} predictions: give regions, or decide by the costs (the pred decide)"
        )
    _several(surrogate, "argmax")
    regions: list[tuple[Polyhedron, ...]] = [()] * loss.k
    for place, rows in zip(places, largest(scores), strict=True):
        regions[place] = (Polyhedron(scores, rows),)
    return Pred("argmax", scores, tuple(regions), argmax)


def is_argmax(pred: Pred, surrogate: Scores, loss: LossMatrix) -> bool:
    """Return whether a pred has the regions of argmax for this surrogate and loss, if there are such."""
    try:
        return pred.regions == argmax(surrogate, loss).regions
    except BadInput:
        return False


def _made_for_a_loss(surrogate: Scores) -> bool:
    family = getattr(surrogate, "made_by", None)
    return family is not None and "loss" in family.parameters


@dataclass(frozen=True)
class ArgmaxGap:
    """The rule of `argmax_gap`, with its τ."""

    tau: Fraction

    @property
    def name(self) -> str:
        """As it is written."""
        return f"argmax-gap:tau={self.tau}"

    def __call__(self, surrogate: Scores, loss: LossMatrix) -> Pred:
        """The pred for this surrogate and loss."""
        size, gap = _scores(surrogate, loss, self.name), self.tau
        tops = largest(size)
        ahead = [(Polyhedron(size, tuple((-gap, *row[1:]) for row in rows)),) for rows in tops]
        near = [
            Polyhedron(size, (*rows, (gap, *(-x for x in row[1:])))) for rows in tops for row in rows
        ]  # t is the top, and some other is within τ of it
        return Pred(self.name, size, (*ahead, tuple(near)), self)


def argmax_gap(tau: RationalLike = "1/2") -> ArgmaxGap:
    """The prediction with the largest score if it beats the second by at least τ ≥ 0, else the last one: abstain."""
    return ArgmaxGap(rational_where("tau", tau, lambda x: x >= 0, "at least 0"))


@dataclass(frozen=True)
class ArgmaxThreshold:
    """The rule of `argmax_threshold`, with its τ."""

    tau: Fraction

    @property
    def name(self) -> str:
        """As it is written."""
        return f"argmax-threshold:tau={self.tau}"

    def __call__(self, surrogate: Scores, loss: LossMatrix) -> Pred:
        """The pred for this surrogate and loss."""
        size = _scores(surrogate, loss, self.name)
        above = [half_space(size, {t: 1}, -self.tau) for t in range(size)]
        tops = [(Polyhedron(size, (*rows, above[t])),) for t, rows in enumerate(largest(size))]
        low = Polyhedron(size, tuple(half_space(size, {t: -1}, self.tau) for t in range(size)))
        return Pred(self.name, size, (*tops, (low,)), self)


def argmax_threshold(tau: RationalLike = 0) -> ArgmaxThreshold:
    """The prediction with the largest score if that is at least τ, else the last prediction: abstain."""
    return ArgmaxThreshold(rational_where("tau", tau, lambda x: True, "a number"))


def sign(surrogate: Scores, loss: LossMatrix) -> Pred:
    """Decide by the signs of the d scores.

    k = 2 and d = 1: one prediction on each side of 0, each where its own ψ falls (the first on the positive side if
    nothing tells). k = 2^d: the bits of the prediction, most significant first, 1 where the score is positive.
    k = d + 1: as many steps up as scores are negative. A score of 0 goes with the prediction that comes first.
    """
    size, k = surrogate.dim, loss.k
    patterns: list[list[tuple[int, ...]]]
    if k == 2 and size == 1:
        patterns = [[(1,)], [(-1,)]] if _first_is_positive(surrogate) else [[(-1,)], [(1,)]]
    elif k == 2**size:
        patterns = [[tuple(1 if bit == "1" else -1 for bit in format(t, f"0{size}b"))] for t in range(k)]
    elif k == size + 1:
        few(2**size, "sign")
        patterns = [
            [tuple(-1 if i in below else 1 for i in range(size)) for below in combinations(range(size), t)]
            for t in range(k)
        ]
    else:
        raise BadInput(
            f"sign decides between 2^d or d + 1 predictions with d scores; {surrogate.name} has {size} scores and "
            f"{loss.name} has {k} predictions"
        )
    few(sum(map(len, patterns)), "sign")
    orthants = [tuple(orthant(pattern, Fraction(0)) for pattern in each) for each in patterns]
    return Pred("sign", size, tuple(orthants), sign)


def votes(surrogate: Scores, loss: LossMatrix) -> Pred:
    """The prediction that wins most pairs, of equal ones the first; the score of a pair i < j is positive if i wins.

    By regions, of which there are few for up to five predictions; `Votes`, counted, is the same function.
    """
    k = loss.k
    pairs = list(combinations(range(k), 2))
    if surrogate.dim != len(pairs):
        raise BadInput(
            f"votes needs a score for each pair of predictions; {surrogate.name} has {surrogate.dim} scores and "
            f"{loss.name} has {k} predictions, {len(pairs)} pairs"
        )
    few(2 ** len(pairs), "votes")
    return Pred("votes", len(pairs), vote_regions(k), votes)


def sort(surrogate: Scores, loss: LossMatrix) -> Pred:
    """Rank the documents by their scores, largest first; where predictions are sets of q of them, the q largest.

    What a prediction says of documents is known of losses by factors; in a loss of your own, rankings stand in the
    order of `itertools.permutations`, each as the positions of the documents.
    """
    r, k, documents = surrogate.dim, loss.k, loss.written_from
    if isinstance(documents, RankingLoss | RecallAt) and (documents.r, documents.k) == (r, k):
        above = {documents.prediction_name(t): documents.above(t) for t in documents.each_prediction()}
        pairs = [above[t] for t in loss.predictions]
    elif documents is None and k == factorial(r):
        pairs = [list(pairwise(order_of_documents(sigma))) for sigma in permutations(range(r))]
    else:
        raise BadInput(
            f"sort needs a score for each document; {surrogate.name} has {r} scores and {loss.name} has {k} "
            f"predictions, neither {factorial(r)} rankings nor the sets of precision_at or recall_at"
        )
    few(k, "sort")
    regions = [(Polyhedron(r, tuple(half_space(r, {i: 1, j: -1}) for i, j in each)),) for each in pairs]
    return Pred("sort", r, tuple(regions), sort)


@dataclass(frozen=True)
class SignCode:
    """The rule of `sign_code`, with its τ."""

    tau: Fraction

    @property
    def name(self) -> str:
        """As it is written."""
        return f"sign-code:tau={self.tau}"

    def __call__(self, surrogate: Scores, loss: LossMatrix) -> Pred:
        """The pred for this surrogate and loss."""
        size, labels = surrogate.dim, loss.k - 1
        if size != max(labels - 1, 0).bit_length():
            raise BadInput(
                f"{self.name} decides between abstaining and up to 2^d labels with d scores; {surrogate.name} has "
                f"{size} scores and {loss.name} has {loss.k} predictions"
            )
        few(2**size, self.name)
        patterns = [tuple(-1 if bit == "1" else 1 for bit in format(y, f"0{size}b")) for y in range(2**size)]
        orthants = [orthant(pattern, self.tau) for pattern in patterns]
        small = [
            Polyhedron(size, (half_space(size, {j: 1}, self.tau), half_space(size, {j: -1}, self.tau)))
            for j in range(size)
        ]
        return Pred(self.name, size, (*((each,) for each in orthants[:labels]), (*small, *orthants[labels:])), self)


def sign_code(tau: RationalLike = "1/2") -> SignCode:
    """The label whose code is −sign(u) if all |u_j| ≥ τ ≥ 0, else, and for a code without label, abstain: last.

    The code of label y is y in binary, most significant bit first, with +1 for a one.
    """
    return SignCode(rational_where("tau", tau, lambda x: x >= 0, "at least 0"))


def decide(surrogate: Scores, loss: LossMatrix) -> Pred:
    """The rule of least expected loss: a function of what a surrogate estimates, which has no regions of u."""
    raise BadInput("decide needs a surrogate that tells probabilities or means, such as softmax; name another pred")


_RULES: dict[str, Rule] = {
    "argmax": argmax,
    "sign": sign,
    "nearest": nearest,
    "votes": votes,
    "sort": sort,
    "top-k": top_k,
    "deepest": deepest,
    "reject": reject,
}
_WITH_PARAMETER: dict[str, tuple[Callable[..., Rule], str]] = {  # and how that is written
    "argmax-gap": (argmax_gap, "tau=1/2"),
    "argmax-threshold": (argmax_threshold, "tau=1/2"),
    "sign-code": (sign_code, "tau=1/2"),
    "open-tags": (open_tags, "tau=1/2"),
    "cuts": (cuts, "at=3/2 5/2"),
}


@dataclass(frozen=True)
class Named:
    """A pred that is asked about by name: as it was written, what kind it is, and the rule, with its parameter.

    Where a surrogate estimates something, the estimates may follow the rule as well as u does.
    """

    text: str
    kind: str
    rule: Rule


def rule_named(text: str) -> Rule:
    """The rule that text such as "argmax" or "argmax-gap:tau=1/2" stands for.

    >>> rule_named("argmax") is argmax
    True
    """
    return named(text).rule


def named(text: str) -> Named:
    """Read the name of a pred.

    >>> named("argmax_gap:tau=0.5").rule
    ArgmaxGap(tau=Fraction(1, 2))
    """
    text = text.strip()
    name, colon, rest = (part.strip() for part in text.partition(":"))
    name = name.replace("_", "-")
    if name == "decide" and not colon:
        return Named(text, name, decide)
    if name in _RULES and not colon:
        return Named(text, name, _RULES[name])
    if name in _WITH_PARAMETER:
        made, example = _WITH_PARAMETER[name]
        if not colon and name != "cuts":
            return Named(text, name, made())
        key, equals, value = (part.strip() for part in rest.partition("="))
        if equals and example.startswith(f"{key}="):
            return Named(text, name, made(value))
        raise BadInput(f"cannot read the pred {text!r}; write {name}:{example}")
    known = [*_RULES, *_WITH_PARAMETER, "decide"]
    if name in known:
        raise BadInput(f"cannot read the pred {text!r}; write {name}")
    raise UnknownName(f"no pred is called {text!r}; {nearest_name(name, known)}")


def as_named(given: object) -> Named | None:
    """A pred that is asked about by name: given by it, or by the rule that has it; None if by neither.

    >>> as_named(argmax) == named("argmax"), as_named(argmax_gap("1/3")) == named("argmax-gap:tau=1/3")
    (True, True)
    """
    if isinstance(given, str):
        return named(given)
    if isinstance(given, (ArgmaxGap, ArgmaxThreshold, SignCode, OpenTags, Cuts, Votes)):
        return named(given.name)
    return next((named(name) for name, rule in {**_RULES, "decide": decide}.items() if rule is given), None)


def as_pred(given: object, surrogate: Scores, loss: LossMatrix) -> Pred:
    """Read a pred for this surrogate and loss: a name, a rule, a `Pred`, or its regions (a list, or by prediction)."""
    asked = as_named(given)
    if asked is not None:
        return asked.rule(surrogate, loss)
    if isinstance(given, Pred):
        pred = given
    elif isinstance(given, AnyPred):  # one that a verdict made
        raise BadInput(f"{given!r} is not given by regions; it is calibrated where the verdict that made it says so")
    elif isinstance(given, Mapping):
        names = [str(name) for name in loss.predictions]
        by_name = {str(name): region for name, region in given.items()}
        for name in by_name:
            if name not in names:
                raise UnknownName(f"no prediction of {loss.name} is called {name!r}; {nearest_name(name, names)}")
        pred = Pred.from_regions([by_name.get(name) for name in names], surrogate.dim)
    elif callable(given):
        try:
            pred = given(surrogate, loss)
        except LossmithError:
            raise
        except Exception as error:
            raise BadInput(
                f"the pred {_named(given)} failed as a rule with {type(error).__name__}: {error}; give a function of "
                f"(surrogate, loss) that returns a Pred, or a list with one region per prediction"
            ) from None
        if not isinstance(pred, Pred):
            raise BadInput(f"the rule {_named(given)} made {pred!r}; it must return a Pred")
    elif isinstance(given, Iterable):
        pred = Pred.from_regions(list(given), surrogate.dim)
    else:
        raise BadInput(f'the pred is {given!r}; give a name such as "argmax", a Pred, or one region per prediction')
    return fitting(pred, surrogate, loss)


def _scores(surrogate: Scores, loss: LossMatrix, name: str) -> int:
    """The number of scores, one less than predictions."""
    if surrogate.dim + 1 != loss.k:
        raise BadInput(
            f"{name} needs one prediction per score and one more, last, to abstain; {surrogate.name} has "
            f"{surrogate.dim} scores and {loss.name} has {loss.k} predictions"
        )
    return _several(surrogate, name)


def _several(surrogate: Scores, name: str) -> int:
    if surrogate.dim < 2:
        raise BadInput(f"{name} needs at least 2 scores; {surrogate.name} has {surrogate.dim}: use sign or nearest")
    return surrogate.dim


def _first_is_positive(surrogate: Scores) -> bool:
    """Whether of two labels the first has the smaller ψ at u = 1 than at u = −1, compared with the second."""
    ahead, back = [Fraction(1)], [Fraction(-1)]
    if surrogate.n != 2 or not isinstance(surrogate, PolyhedralSurrogate | SmoothSurrogate):
        return True
    if isinstance(surrogate, PolyhedralSurrogate) and not (surrogate.contains(ahead) and surrogate.contains(back)):
        return True
    values: Sequence[Any] = (*surrogate(ahead), *surrogate(back))
    return bool(values[0] - values[2] <= values[1] - values[3])


def _named(function: object) -> str:
    return getattr(function, "__name__", repr(function))
