"""CCdim(L) ≤ n − 1 (`lem:surrogate-universal`): the probabilities of all labels but one tell everything."""

from __future__ import annotations

from dataclasses import dataclass

from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound
from lossmith.dimension.claims import Case, dimension_certificate


@dataclass(frozen=True)
class Labels:
    """Nothing but the number of labels."""

    def certificate(self, bound: Bound) -> Certificate:
        """Accepted given the lemma."""
        return dimension_certificate(bound, {"labels": True})


def le_labels(case: Case) -> Bound:
    """The bound n − 1.

    >>> from lossmith.losses import ordinal
    >>> le_labels(Case.of(ordinal(5))).value
    4
    """
    n = case.loss.n
    return Bound("upper", n - 1, "labels − 1 (lem:surrogate-universal)", f"{n} labels", case.loss, Labels())
