"""What a regret of the surrogate costs: the best constant, the calibration function, its hull; or bounds on them."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import Any

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.answers import regret_text
from lossmith.calibration.by_catalogue import by_catalogue
from lossmith.calibration.by_probes import by_probes
from lossmith.calibration.calibration_function import Attained, CalibrationFunction, Hull
from lossmith.calibration.checking import answer, question_of
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.calibration.few_distributions import largest_ratio
from lossmith.calibration.proofs import ChambersApart, Cover
from lossmith.calibration.question import Question
from lossmith.calibration.regret_budgets import too_large_programs, too_many_pieces, within_budget
from lossmith.calibration.regrets_of_regions import RegionRegrets, regrets_of_regions
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Verdict
from lossmith.certificates.certificate import Certificate
from lossmith.constructions.regret_bounds import RegretBound, mixture_bounds, rounded_up
from lossmith.constructions.roots import RootRegrets, Touching, root_regrets
from lossmith.errors import BadInput, Impossible, NotFound, TooLarge
from lossmith.exact.rational import RationalLike, rational_called
from lossmith.families import Family
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.families.weighted_all_pairs_hinge import weighted_all_pairs_hinge
from lossmith.surrogates.named import as_surrogate
from lossmith.surrogates.pred import AnyPred, Pred
from lossmith.surrogates.preds import votes
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.surrogate import Surrogate
from lossmith.surrogates.votes import Votes

_MOST_VOTERS = 5  # decisions, whose votes are looked at by regions


@dataclass(frozen=True)
class Regret:
    """How much of the surrogate's regret becomes regret of the loss, with `pred`.

    `upper` holds for all distributions and models, and less than `lower` does not: they are None where nothing is
    known, and both are if the pair is not calibrated. `chosen` says how the pred was found. Of a polyhedral surrogate
    with a pred by regions `regions` knows all: its constant, calibration function, hull and certificate are exact.
    Where that takes more than the budget, `too_large` says so: then `upper` is None, though some constant will do.
    """

    surrogate: Surrogate
    loss: LossMatrix
    pred: AnyPred
    chosen: str
    calibrated: bool
    lower: RegretBound | None
    upper: RegretBound | None
    regions: RegionRegrets | None = field(default=None, repr=False, compare=False)
    verdict: Verdict | None = field(default=None, repr=False, compare=False)
    touching: Touching | None = field(default=None, repr=False, compare=False)
    theorem: str = ""
    too_large: str = ""

    @property
    def exact(self) -> bool:
        """Whether the constant is known: upper and lower bound agree, or there is none."""
        return not self.calibrated if self.upper is None else self.lower == self.upper

    @property
    def constant(self) -> Fraction | float | None:
        """The least c with regret_L ≤ c · regret_ψ; `math.inf` if there is none, None if it is not known exactly.

        Nor is there one of a bound with a root: then regret_L² ≤ `upper.constant` · regret_ψ. That one may be
        irrational (`upper.exactly`), with `upper.above` a fraction just above it.
        """
        if self.upper is None:
            return None if self.calibrated else inf
        return self.upper.constant if self.exact and not self.upper.root else None

    @property
    def calibration_function(self) -> CalibrationFunction:
        """δ(ε), the least regret of the surrogate at which the regret of the loss can be ε, exactly."""
        return self._by_regions.calibration_function

    @property
    def hull(self) -> Hull:
        """δ**, its convex hull, which transfers to expectations."""
        return self._by_regions.hull

    def delta(self, epsilon: RationalLike) -> Fraction | float:
        """δ(ε) for a rational ε, exactly; `math.inf` beyond the largest regret of the loss."""
        return self.calibration_function(epsilon)

    def attained(self, epsilon: RationalLike) -> Attained:
        """A distribution, a u and the prediction there, with a regret of the loss of ε or more, and δ(ε)."""
        return self.calibration_function.attained(epsilon)

    def at_most(self, surrogate_regret: RationalLike) -> Fraction:
        """What a regret of the surrogate, on average, costs at most, on average; with a root, rounded up."""
        if self.regions is not None:
            return self.hull.at_most(surrogate_regret)
        given = rational_called("the regret of the surrogate", surrogate_regret)
        if given < 0:
            raise BadInput(f"the regret of the surrogate is {surrogate_regret}; a regret is 0 or more")
        largest = max(max(row) - min(row) for row in self.loss.entries)
        if self.upper is None:
            return largest
        cost = self.upper.above * given
        return min(largest, Fraction(rounded_up(cost)) if self.upper.root and cost else cost)

    @property
    def certificate(self) -> Certificate | None:
        """The proof of the hull, for `lm.verify`; of what is not calibrated, that it is not; None for other bounds."""
        if self.regions is not None:
            return self.regions.certificate
        return None if self.calibrated or self.verdict is None else self.verdict.certificate

    @property
    def delta_certificate(self) -> Certificate:
        """The proof of the whole calibration function, and so of the hull; `TooLarge` if it is too large to check."""
        return self._by_regions.delta_certificate

    def __str__(self) -> str:
        return regret_text.text(self)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data: numbers as "a/b", predictions by name."""
        return regret_text.data(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    @property
    def _by_regions(self) -> RegionRegrets:
        if self.too_large:
            raise TooLarge(self.too_large)
        if self.regions is None:
            raise NotFound(
                f"the calibration function of {self.surrogate.name} with {self.pred.name} is not known exactly; it is "
                f'for a polyhedral surrogate and a pred by regions, such as pred="argmax", of fewer labels'
            )
        return self.regions


def regret(
    surrogate: Surrogate | str | Family[..., Any],
    loss: LossLike,
    pred: object = None,
    *,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> Regret:
    """How much of the surrogate's regret becomes regret of the loss, exactly where it is polyhedral, else by bounds.

    With a pred as for `check`; without one, with the first customary pred of the surrogate that is calibrated, else
    with the pred of the proof that it is. Surrogate and loss are given as to `check`. Raises `Impossible` where no pred
    would do and none is customary, and `NotFound` where nothing is known. `max_vertices` bounds the cells, and programs
    and comparisons by their work: where that is not enough, what is known in part is told, else `TooLarge` is raised.

    >>> from lossmith.losses import abstain
    >>> found = regret("crammer-singer", abstain(3), pred="argmax-gap:tau=1/2")
    >>> found.constant, found.delta("1/4"), found.delta(1), found.delta(2)
    (Fraction(1, 1), Fraction(1, 4), Fraction(3, 2), inf)
    >>> print(regret("softmax", abstain(3)).upper)
    regret_L ≤ √2 √regret_ψ
    """
    matrix = as_loss(loss).matrix()
    psi, facts = as_surrogate(surrogate, matrix), Facts(matrix)
    limits: dict[str, Any] = {"max_vertices": max_vertices, "progress": progress}
    question = question_of(psi, facts, pred, **limits)
    if isinstance(psi, SmoothSurrogate):
        return _smooth(question, psi)
    voting = (question.pred is None or question.rule is votes) and psi.dim == matrix.k * (matrix.k - 1) // 2
    if voting and matrix.k > _MOST_VOTERS and psi == weighted_all_pairs_hinge(matrix):
        return _by_pairs(question)
    refused = too_large_programs(question)
    if pred is not None:
        return _by_verdict([question], "as asked", refused) if refused else _by_regions(question, "as asked")
    customary = [question_of(psi, facts, name, **limits) for name in (psi.made_by.preds if psi.made_by else ())]
    customary = [asked for asked in customary if _fits(asked)]
    if refused and customary and isinstance(by_probes(question), NotCalibrated):
        return _by_verdict(customary[:1], "customary; no pred would do", refused)
    if refused:
        return _by_verdict(customary, "customary", refused)
    for asked in customary:
        verdict = answer(within_budget(asked))
        if isinstance(verdict, Calibrated):
            return _by_regions(asked, "customary", verdict)
    return _by_proof(answer(question), customary)


def _by_pairs(question: Question) -> Regret:
    """All pairs with votes of many decisions: regret_L ≤ regret_ψ, and mostly no smaller constant will do.

    *Proof.* Let R = p·ℓ, s be optimal, and votes say t. The part of p·ψ with the score of i and j is A (1 − u)₊ +
    B (1 + u)₊ with A − B = R_j − R_i; where u has not the right sign it is at least A + B, which is |R_i − R_j| above
    its least value 2 min(A, B). t has the vote against s, or against some r that has the vote against s: else s had the
    votes against t and all that t has the votes against, more than t. So R_t − R_s, or (R_t − R_r) + (R_r − R_s), is at
    most what scores without the right sign cost. ∎ Where s alone is optimal, t is next, all other scores are right, and
    that of s and t is a little beyond 0, t wins, and both regrets are R_t − R_s, or a little more.
    """
    loss, columns = question.loss, question.facts.columns
    upper = RegretBound(Fraction(len({*columns}) > 1))
    sharp = not upper.factor or any(columns.count(columns[s]) == 1 for s in question.facts.kept)
    chosen = "customary" if question.pred is None else "as asked"
    theorem = "what costs more wins by at most two scores with a wrong sign"
    verdict = answer(question)
    return Regret(
        question.surrogate,
        loss,
        Votes(loss.k),
        chosen,
        True,
        upper if sharp else None,
        upper,
        verdict=verdict,
        theorem=theorem,
    )


def _fits(asked: Question) -> bool:
    """Whether the pred decides what the loss does: some are for others; and whether its regions can be compared."""
    try:
        return not too_many_pieces(asked)
    except BadInput:
        return False


def _by_regions(asked: Question, chosen: str, verdict: Verdict | None = None) -> Regret:
    """All that there is to know of a pred by regions; where that takes more than the budget, what is known in part."""
    refused = too_many_pieces(asked)
    if refused:
        raise TooLarge(refused)
    try:
        return _polyhedral(regrets_of_regions(asked) if verdict is None else _known(asked, verdict), chosen)
    except TooLarge as error:
        return _in_part(asked, chosen, verdict or answer(within_budget(asked)), error)


def _known(asked: Question, verdict: Verdict) -> RegionRegrets:
    """The regrets, from the cells that the verdict rests on."""
    proof = verdict.proof if isinstance(verdict, Calibrated) else None
    if isinstance(proof, Cover):
        return RegionRegrets(asked, proof.subdivision)
    if isinstance(proof, ChambersApart):
        return RegionRegrets(asked, proof.found, proof.symmetry)
    return regrets_of_regions(asked)


def _polyhedral(regions: RegionRegrets, chosen: str) -> Regret:
    constant, question = regions.hull.constant, regions.question
    bound = RegretBound(constant) if isinstance(constant, Fraction) else None
    return Regret(question.surrogate, question.loss, regions.pred, chosen, bound is not None, bound, bound, regions)


def _by_verdict(asked: Sequence[Question], chosen: str, refused: str) -> Regret:
    """Where even a program is too large: whether the first pred is calibrated that is known to be or not to be."""
    for question in asked:
        for rule in (by_probes, by_catalogue):
            verdict = rule(question)
            if isinstance(verdict, Calibrated) or (chosen != "customary" and isinstance(verdict, NotCalibrated)):
                pair, calibrated = (question.surrogate, question.loss), isinstance(verdict, Calibrated)
                assert question.regions is not None
                found = Regret(*pair, question.regions, chosen, calibrated, None, None, verdict=verdict)
                return replace(found, too_large=refused * calibrated)
    raise TooLarge(refused)


def _in_part(asked: Question, chosen: str, verdict: Verdict, refused: TooLarge) -> Regret:
    """What is known though not all vertices can be looked at: the verdict, and what no constant is below."""
    least = largest_ratio(asked)
    calibrated = isinstance(verdict, Calibrated) and least < inf
    lower = RegretBound(least) if isinstance(least, Fraction) else None
    if not calibrated and not isinstance(verdict, NotCalibrated) and lower is not None:
        raise TooLarge(f"{refused}; whether any constant will do is not known, but none below {lower.written}")
    assert asked.regions is not None
    found = Regret(asked.surrogate, asked.loss, asked.regions, chosen, calibrated, lower, None, verdict=verdict)
    return replace(found, too_large=str(refused)) if calibrated else replace(found, lower=None)


def _by_proof(verdict: Verdict, customary: Sequence[Question]) -> Regret:
    """Where no customary pred is calibrated: the first of them if none is, else the pred of the proof."""
    psi, loss = verdict.surrogate, verdict.loss
    if isinstance(verdict, NotCalibrated):
        if customary:
            return _by_regions(customary[0], "customary; no pred would do")
        raise Impossible(f"{psi.name} is not calibrated for {loss.name} with any pred; name one to learn what is lost")
    pred = verdict.pred
    if not isinstance(pred, DecompositionPred) or not isinstance(verdict, Calibrated):
        raise NotFound(f"no bound on the regrets of {psi.name} for {loss.name} is known without a pred; name one")
    if not isinstance(verdict.proof, Cover):
        raise NotFound(f"the pred of the proof for {psi.name} and {loss.name} rests on symmetry; name another")
    lower, upper = map(RegretBound, mixture_bounds(verdict.proof.subdivision, loss, pred))
    theorem = "it follows the largest of at most n shares"
    return Regret(psi, loss, pred, "of the proof", True, lower, upper, verdict=verdict, theorem=theorem)


def _called(question: Question) -> str:
    pred = question.pred
    return "decide" if pred is None else pred.name if isinstance(pred, Pred) else pred.text


def _smooth(question: Question, psi: SmoothSurrogate) -> Regret:
    verdict = answer(question)
    chosen = "as asked" if question.pred is not None else "of least expected loss"
    if isinstance(verdict, NotCalibrated):
        pred = verdict.pred or question.regions
        if pred is None:
            raise Impossible(
                f"{psi.name} is not calibrated for {question.loss.name} with any pred: no constant will do"
            )
        return Regret(psi, question.loss, pred, chosen, False, None, None, verdict=verdict)
    found: RootRegrets | None = None
    if isinstance(verdict, Calibrated):
        found = root_regrets(psi, question.facts, verdict)
    if not isinstance(verdict, Calibrated) or found is None:
        raise NotFound(
            f"no bound on the regrets of {psi.name} for {question.loss.name} with {_called(question)} is known; "
            f"docs/regret.md lists the surrogates of which there is one, such as softmax, squares and logistic losses"
        )
    bounds = (found.lower, found.upper)
    lower, upper = (None if x is None else RegretBound(x, root=True, doublings=found.doublings) for x in bounds)
    return Regret(
        psi, question.loss, verdict.pred, chosen, True, lower, upper, None, verdict, found.touching, found.theorem
    )
