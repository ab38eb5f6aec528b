"""The rule for pairs that are too large to prove, but that a theorem of the literature settles at any size.

A family declares the theorem in its own file (`settles`). The pair is recognised by its numbers, not by its name: the
member of the family for this loss, made anew, has the same pieces and the same domain. What is not proved here is told
as *given*, by the verdict and by the checker, which compares the numbers once more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lossmith.calibration.proofs import certificate, polyhedral, regions_asked
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated
from lossmith.certificates.certificate import Certificate
from lossmith.families import Family, Theorem
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.preds import rule_named


@dataclass(frozen=True)
class Given:
    """A theorem that is cited, not proved."""

    theorem: Theorem

    def __str__(self) -> str:
        return (
            f"No proof fits the budget; it is given by a theorem: the {self.theorem.name} with {self.theorem.pred} is "
            f"calibrated for this loss, whatever its size ({self.theorem.source})."
        )

    def certificate(self, verdict: Calibrated) -> Certificate:
        """The inputs, and the name of the theorem."""
        assert isinstance(verdict.surrogate, PolyhedralSurrogate)
        evidence = {"theorem": self.theorem.name}
        return certificate(
            verdict.status, verdict.loss, polyhedral(verdict.surrogate), evidence, regions_asked(verdict), None
        )


def by_catalogue(question: Question) -> Calibrated | Declined:
    """Find the theorem about this surrogate and this loss, with its own pred if one is asked about."""
    surrogate, loss = question.surrogate, question.loss
    if not isinstance(surrogate, PolyhedralSurrogate) or question.within is not None or loss.k < 2:
        return Declined()
    asked = question.regions
    for family in CATALOGUE:
        theorem = family.settles
        if theorem is not None and _settles(family, theorem, surrogate, loss):
            own = rule_named(theorem.pred)(surrogate, loss)
            if asked is None or asked.regions == own.regions:
                return Calibrated(surrogate, loss, (), Given(theorem), asked, found_pred=own)
    return Declined()


def _settles(family: Family[..., Any], theorem: Theorem, surrogate: PolyhedralSurrogate, loss: LossMatrix) -> bool:
    """Whether this is the loss of the theorem, and the member of the family that is for it."""
    given = family.fits(loss)
    if given is None or family.size(**given) != (surrogate.n, surrogate.dim):
        return False
    if theorem.loss is not None and theorem.loss(**given).entries != loss.entries:
        return False
    return bool(family(**given) == surrogate)
