"""CCdim(L) ≤ d if a convex surrogate on R^d, or on a part of it, is calibrated for L: the definition of CCdim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import Calibrated, Surrogate
from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound
from lossmith.losses.matrix import LossMatrix


@dataclass(frozen=True)
class CertifiedSurrogate:
    """A surrogate that is calibrated for the loss; made and decided when it is asked for, unless it was before."""

    make: Callable[[], Surrogate]
    loss: LossMatrix

    @cached_property
    def verdict(self) -> Calibrated:
        """The verdict on the surrogate."""
        surrogate = self.make()
        verdict = check(surrogate, self.loss)
        assert isinstance(verdict, Calibrated), f"{surrogate.name} is {verdict.status} for {self.loss.name}"
        return verdict

    def certificate(self, bound: Bound) -> Certificate:
        """That the surrogate is calibrated."""
        return self.verdict.certificate


def of_verdict(verdict: Calibrated) -> Bound:
    """The bound that a calibrated surrogate is."""
    surrogate, loss = verdict.surrogate, verdict.loss
    proof = CertifiedSurrogate(partial(_itself, surrogate), loss)
    proof.__dict__["verdict"] = verdict  # what the cached property would find again
    return Bound("upper", surrogate.dim, "certified surrogate", f"{surrogate.name} is calibrated", loss, proof)


def le_surrogate(loss: LossMatrix, surrogate: Surrogate) -> Bound | None:
    """The bound d of a surrogate, or None if it is not calibrated for the loss.

    >>> from lossmith.losses import abstain
    >>> from lossmith.surrogates import binary_encoded
    >>> le_surrogate(abstain(6), binary_encoded(6)).value
    3
    """
    verdict = check(surrogate, loss)
    return of_verdict(verdict) if isinstance(verdict, Calibrated) else None


def _itself(surrogate: Surrogate) -> Surrogate:
    return surrogate
