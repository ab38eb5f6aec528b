"""CCdim(L) ≤ affdim(L) − 1 if the differences of the columns span a positive vector.

Proof. Let w = Σ_t x_t (ℓ_t − ℓ_0) > 0. Scaling row y by 1/w_y changes no verdict, and puts 1 into the span V of the
differences. So L = r1ᵀ + 1cᵀ + AB with affdim(L) − 1 inner columns: p·1 = 1 is known, so the coordinate along 1 need
not be learned. The surrogate ‖u − a_y‖² on the rows of A is calibrated with pred(u) = argmin_t c_t + u·b_t; scaled back
it is w_y ‖u − a_y‖². ∎ By Gordan's theorem there is no such w exactly if some p ∈ Δ makes all p·ℓ_t equal.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from lossmith.dimension.bounds import Bound
from lossmith.dimension.claims import Case
from lossmith.dimension.le_surrogate import CertifiedSurrogate
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import row_basis
from lossmith.exact.rational import over_common_denominator
from lossmith.exact.solve import combination
from lossmith.geometry.linear_program import maximize
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares import squared_distance


def lt_affdim_of_positive_vector(case: Case) -> Bound | None:
    """The bound affdim(L) − 1, or None if the differences span no positive vector.

    >>> from lossmith.losses import abstain
    >>> lt_affdim_of_positive_vector(Case.of(abstain(4))).value                 # affdim is 4
    3
    """
    w = _positive(case)
    if w is None:
        return None
    why = "the differences of the columns span a positive vector"
    proof = CertifiedSurrogate(partial(scaled_squares, case, w), case.loss)
    return Bound("upper", len(case.basis) - 1, "affdim − 1", why, case.loss, proof)


def scaled_squares(case: Case, w: tuple[Fraction, ...]) -> SmoothSurrogate:
    """w_y ‖u − a_y‖², where the columns of A and 1 are a basis of the differences with rows divided by w."""
    n = case.loss.n
    scaled = [[Fraction(x) / v for x, v in zip(case.differences[b], w, strict=True)] for b in case.basis]
    integers = [over_common_denominator(column)[0] for column in ([Fraction(1)] * n, *scaled)]
    chosen = [b for b in row_basis(integer_matrix(integers)) if b] or [0]
    rows = tuple(zip(*([Fraction(0)] * n if b == 0 else scaled[b - 1] for b in chosen), strict=True))
    plain = squared_distance(f"squares({case.loss.name})", rows)
    return plain if len(set(w)) == 1 else plain.weighted(w)


def _positive(case: Case) -> tuple[Fraction, ...] | None:
    """A positive vector in the span of the differences."""
    columns = [case.differences[b] for b in case.basis]
    if not columns:
        return None
    ones = (Fraction(1),) * case.loss.n
    if len(columns) == case.loss.n:  # they span everything
        return ones
    if len(columns) == case.loss.n - 1:
        if case.balance is None:  # 1 lies in the span
            return ones
        up, down = (sum((abs(x) for x in case.balance if x * sign > 0), Fraction(0)) for sign in (1, -1))
        if not down:
            return None
        return tuple(
            down if x > 0 else up if x < 0 else Fraction(1) for x in case.balance
        )  # the balance annihilates it
    if combination([[Fraction(x) for x in column] for column in columns], ones) is not None:
        return ones
    best = maximize([0] * len(columns), [(-1, *row) for row in zip(*columns, strict=True)])
    if best is None:
        return None
    rows = zip(*columns, strict=True)
    return tuple(sum((x * entry for x, entry in zip(best.point, row, strict=True)), Fraction(0)) for row in rows)
