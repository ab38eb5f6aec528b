"""CCdim(L) ≤ affdim(L) (`thm:ccdim-upper-bound`), hence ≤ rank(L) (`cor:ccdim-upper-bound`).

The paper's surrogate is linear on a polytope. The certificate is for another one of the same dimension: the squared
distance to the rows of a basis of the differences of the columns, whose mean tells all differences of risks.
"""

from __future__ import annotations

from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.dimension.bounds import Bound
from lossmith.dimension.construction import Construction
from lossmith.dimension.le_surrogate import CertifiedSurrogate
from lossmith.exact.vectors import moderate
from lossmith.surrogates.squares import squared_distance


def le_affdim(facts: Facts) -> Bound:
    """The bound affdim(L) of the kept columns.

    >>> from lossmith.losses import hamming
    >>> le_affdim(Facts(hamming(3))).value
    3
    """
    size = len(facts.basis)
    why = f"the columns span {size} affine dimensions"
    proof = CertifiedSurrogate(facts, squares)
    return Bound("upper", size, "affdim (thm:ccdim-upper-bound)", why, facts.loss, proof)


def le_rank(facts: Facts, affine: Bound) -> Bound:
    """The bound rank(L), which affdim(L) never exceeds."""
    size = facts.rank
    return Bound("upper", size, "rank (cor:ccdim-upper-bound)", f"the rank is {size}", facts.loss, affine.evidence)


def squares(facts: Facts) -> Construction:
    """‖u − a_y‖² for the rows of a basis of the differences of columns; on R^1 if there is none."""
    columns = moderate([facts.differences[b] for b in facts.basis]) or [(0,) * facts.loss.n]
    rows = tuple(tuple(map(Fraction, row)) for row in zip(*columns, strict=True))
    return Construction("square", squared_distance(f"squares({facts.loss.name})", rows))
