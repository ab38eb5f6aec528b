"""CCdim(L) ≤ affdim(L) − 1 if the differences of the columns span a positive vector.

Proof. Let w = Σ_t x_t (ℓ_t − ℓ_0) > 0. Scaling row y by 1/w_y changes no verdict, and puts 1 into the span V of the
differences. So L = r1ᵀ + 1cᵀ + AB with affdim(L) − 1 inner columns: p·1 = 1 is known, so the coordinate along 1 need
not be learned. The surrogate ‖u − a_y‖² on the rows of A is calibrated with pred(u) = argmin_t c_t + u·b_t; scaled back
it is w_y ‖u − a_y‖². ∎ By Gordan's theorem there is no such w exactly if some p ∈ Δ makes all p·ℓ_t equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.dimension.bounds import Bound
from lossmith.dimension.construction import Construction
from lossmith.dimension.le_surrogate import CertifiedSurrogate
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import row_basis
from lossmith.exact.vectors import Row, cleared, powers_of_ten
from lossmith.surrogates.squares import squared_distance


def lt_affdim_of_positive_vector(facts: Facts) -> Bound | None:
    """The bound affdim(L) − 1, or None if the differences span no positive vector.

    >>> from lossmith.losses import abstain
    >>> lt_affdim_of_positive_vector(Facts(abstain(4))).value                 # affdim is 4
    3
    """
    if facts.positive is None:
        return None
    why = "the differences of the columns span a positive vector"
    proof = CertifiedSurrogate(facts, scaled_squares)
    return Bound("upper", len(facts.basis) - 1, "affdim − 1", why, facts.loss, proof)


def scaled_squares(facts: Facts) -> Construction:
    """w_y ‖u − a_y‖², where the columns of A and 1 are a basis of the differences with rows divided by w."""
    n, w = facts.loss.n, facts.positive
    assert w is not None
    spanning = [cleared(w), *(facts.differences[b] for b in facts.basis)]  # before the rows are divided by w
    chosen = [b for b in row_basis(integer_matrix(spanning), len(facts.basis)) if b]  # w lies in the span
    inner = [spanning[b] for b in chosen] or [(0,) * n]
    units = powers_of_ten([_size(column, w) for column in inner])
    # First by the power of ten, as w has long numbers.
    columns = [[Fraction(x, u) / v for x, v in zip(column, w, strict=True)] for column, u in zip(inner, units)]
    rows = tuple(zip(*columns, strict=True))
    plain = squared_distance(f"squares({facts.loss.name})", rows)
    return Construction("square", plain if len(set(w)) == 1 else plain.weighted(w))


def _size(column: Row, w: Sequence[Fraction]) -> int:
    """About how many bits the largest entry has when they are divided by w_y."""
    return max(x.bit_length() - v.numerator.bit_length() + v.denominator.bit_length() for x, v in zip(column, w))
