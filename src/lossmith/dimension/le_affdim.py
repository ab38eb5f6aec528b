"""CCdim(L) ≤ affdim(L) (`thm:ccdim-upper-bound`), hence ≤ rank(L) (`cor:ccdim-upper-bound`)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from lossmith.certificates.certificate import Certificate, vector
from lossmith.dimension.bounds import Bound
from lossmith.dimension.claims import Case, dimension_certificate
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank, row_basis
from lossmith.exact.solve import combinations_of


@dataclass(frozen=True)
class Basis:
    """Kept columns whose differences from the first kept one span those of all kept ones."""

    case: Case

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Which of the kept columns they are."""
        return row_basis(integer_matrix(self.case.differences))

    @cached_property
    def coefficients(self) -> tuple[tuple[Fraction, ...], ...]:
        """For each kept t the numbers x with ℓ_t − ℓ_0 = Σ_j x_j (ℓ_{b_j} − ℓ_0)."""
        differences = self.case.differences
        return combinations_of([differences[b] for b in self.places], differences)

    def evidence(self) -> dict[str, Any]:
        """The reason *factor*."""
        kept = self.case.kept
        return {
            "basis": [kept[0], *(kept[b] for b in self.places)],
            "coefficients": {str(t): vector(row) for t, row in zip(kept, self.coefficients, strict=True)},
            "mixtures": self.case.mixtures,
        }

    def certificate(self, bound: Bound) -> Certificate:
        """All kept columns lie in the affine hull of a few."""
        return dimension_certificate(bound, self.evidence())


def le_affdim(case: Case) -> Bound:
    """The bound affdim(L): the columns themselves are a linear surrogate.

    >>> from lossmith.losses import hamming
    >>> le_affdim(Case.of(hamming(3))).value
    3
    """
    basis = Basis(case)
    why = f"the columns span {len(basis.places)} affine dimensions"
    return Bound("upper", len(basis.places), "affdim (thm:ccdim-upper-bound)", why, case.loss, basis)


def le_rank(case: Case) -> Bound:
    """The bound rank(L), which affdim(L) never exceeds."""
    columns = case.loss.matrix.integer_columns()
    size = rank(integer_matrix([columns[t] for t in case.kept]))
    return Bound("upper", size, "rank (cor:ccdim-upper-bound)", f"the rank is {size}", case.loss, Basis(case))
