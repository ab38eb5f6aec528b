"""CCdim(L) ≤ d if a convex surrogate on R^d, or on a part of it, is calibrated for L: the definition of CCdim."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial

from lossmith.analysis.facts import Facts
from lossmith.calibration.by_positive_normals import of_cells
from lossmith.calibration.checking import certify
from lossmith.calibration.verdicts import Calibrated, Verdict
from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound
from lossmith.dimension.construction import Construction
from lossmith.errors import TooLarge


@dataclass(frozen=True)
class CertifiedSurrogate:
    """A surrogate that is calibrated for the loss; made and decided when it is asked for, unless it was before."""

    facts: Facts
    make: Callable[[Facts], Construction]

    @classmethod
    def of(cls, facts: Facts, verdict: Calibrated, made_by: str) -> CertifiedSurrogate:
        """One that was decided before."""
        known = cls(facts, partial(_itself, Construction(made_by, verdict.surrogate)))
        known.__dict__["verdict"] = verdict  # what the cached property would find again
        return known

    @cached_property
    def construction(self) -> Construction:
        """The surrogate, how it was made, and its pred in closed form, if it has one."""
        return self.make(self.facts)

    @cached_property
    def verdict(self) -> Calibrated:
        """The verdict on the surrogate."""
        made = self.construction
        verdict = self._by_its_cells() or certify(made.surrogate, self.facts)
        assert isinstance(verdict, Calibrated), f"{made.name} is {verdict.status} for {self.facts.loss.name}"
        return verdict if made.pred is None else replace(verdict, found_pred=made.pred)

    def _by_its_cells(self) -> Verdict | None:
        """The verdict where a theorem tells the cells, if they have not too many vertices."""
        if self.construction.subdivision is None:
            return None
        with suppress(TooLarge):
            return of_cells(self.facts.loss, self.construction.subdivision())
        return None

    def certificate(self, bound: Bound) -> Certificate:
        """That the surrogate is calibrated."""
        return self.verdict.certificate


def of_verdict(facts: Facts, verdict: Calibrated, made_by: str) -> Bound:
    """The bound that a calibrated surrogate is."""
    surrogate, proof = verdict.surrogate, CertifiedSurrogate.of(facts, verdict, made_by)
    return Bound("upper", surrogate.dim, "certified surrogate", f"{surrogate.name} is calibrated", facts.loss, proof)


def _itself(made: Construction, facts: Facts) -> Construction:
    return made
