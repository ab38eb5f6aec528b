"""Dimensions of the set of columns of a loss matrix."""

from __future__ import annotations

from lossmith.exact import rank as exact
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss


def affdim(loss: LossLike) -> int:
    """The dimension of the affine hull of the columns ℓ_1, …, ℓ_k, exactly.

    CCdim(L) ≤ affdim(L) (`thm:ccdim-upper-bound`). The loss is given as to `analyze`.

    >>> from lossmith.losses import zero_one, hamming
    >>> affdim(zero_one(4)), affdim(hamming(3))
    (3, 3)
    """
    return as_loss(loss).affdim


def rank(loss: LossMatrix) -> int:
    """The rank of the matrix over the rationals, exactly.

    >>> from lossmith.losses import ordinal
    >>> rank(ordinal(5, power=2))
    3
    """
    return exact.rank(loss.rational.numerators)
