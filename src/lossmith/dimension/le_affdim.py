"""CCdim(L) ≤ affdim(L) (`thm:ccdim-upper-bound`), hence ≤ rank(L) (`cor:ccdim-upper-bound`).

The paper's surrogate is linear on a polytope. The certificate is for another one of the same dimension: the squared
distance to the rows of a basis of the differences of the columns, whose mean tells all differences of risks.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from lossmith.dimension.bounds import Bound
from lossmith.dimension.claims import Case
from lossmith.dimension.le_surrogate import CertifiedSurrogate
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares import squared_distance


def le_affdim(case: Case) -> Bound:
    """The bound affdim(L) of the kept columns.

    >>> from lossmith.losses import hamming
    >>> le_affdim(Case.of(hamming(3))).value
    3
    """
    size = len(case.basis)
    why = f"the columns span {size} affine dimensions"
    proof = CertifiedSurrogate(partial(squares, case), case.loss)
    return Bound("upper", size, "affdim (thm:ccdim-upper-bound)", why, case.loss, proof)


def le_rank(case: Case, affine: Bound) -> Bound:
    """The bound rank(L), which affdim(L) never exceeds."""
    columns = case.loss.matrix.integer_columns()
    size = rank(integer_matrix([columns[t] for t in case.kept]))
    return Bound("upper", size, "rank (cor:ccdim-upper-bound)", f"the rank is {size}", case.loss, affine.evidence)


def squares(case: Case) -> SmoothSurrogate:
    """‖u − a_y‖² for the rows of a basis of the differences of columns; on R^1 if there is none."""
    columns = [case.differences[b] for b in case.basis] or [[0] * case.loss.n]
    rows = tuple(tuple(map(Fraction, row)) for row in zip(*columns, strict=True))
    return squared_distance(f"squares({case.loss.name})", rows)
