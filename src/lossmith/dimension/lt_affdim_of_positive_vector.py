"""CCdim(L) ≤ affdim(L) − 1 if the differences of the columns span a positive vector.

Proof. Let w = Σ_t x_t (ℓ_t − ℓ_0) > 0. Scaling row y by 1/w_y changes no verdict, and puts 1 into the span V of the
differences. So L = r1ᵀ + 1cᵀ + AB with affdim(L) − 1 inner columns: p·1 = 1 is known, so the coordinate along 1 need
not be learned. The surrogate ‖u − a_y‖² on the rows of A is calibrated with pred(u) = argmin_t c_t + u·b_t; scaled back
it is w_y ‖u − a_y‖². ∎ By Gordan's theorem there is no such w exactly if some p ∈ Δ makes all p·ℓ_t equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lossmith.certificates.certificate import Certificate, vector
from lossmith.dimension.bounds import Bound
from lossmith.dimension.claims import Case, dimension_certificate
from lossmith.dimension.le_affdim import Basis
from lossmith.exact.solve import combination
from lossmith.geometry.linear_program import maximize


@dataclass(frozen=True)
class PositiveVector:
    """A basis, and the numbers x with w = Σ_j x_j (ℓ_{b_j} − ℓ_0) > 0."""

    basis: Basis
    x: tuple[Fraction, ...]

    def certificate(self, bound: Bound) -> Certificate:
        """The reason *factor*, and the positive vector."""
        return dimension_certificate(bound, {**self.basis.evidence(), "positive": vector(self.x)})


def lt_affdim_of_positive_vector(case: Case) -> Bound | None:
    """The bound affdim(L) − 1, or None if the differences span no positive vector.

    >>> from lossmith.losses import abstain
    >>> lt_affdim_of_positive_vector(Case.of(abstain(4))).value                 # affdim is 4
    3
    """
    basis = Basis(case)
    x = _positive(basis)
    if x is None:
        return None
    why = "the differences of the columns span a positive vector"
    return Bound("upper", len(basis.places) - 1, "affdim − 1", why, case.loss, PositiveVector(basis, x))


def _positive(basis: Basis) -> tuple[Fraction, ...] | None:
    columns = [basis.case.differences[b] for b in basis.places]
    if not columns:
        return None
    if len(columns) == len(columns[0]):  # they span everything
        return combination([[Fraction(x) for x in column] for column in columns], [Fraction(1)] * len(columns))
    best = maximize([0] * len(columns), [(-1, *row) for row in zip(*columns, strict=True)])
    return None if best is None else best.point
