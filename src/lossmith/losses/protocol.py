"""What every loss answers, written down as a matrix or known by factors."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from lossmith.exact.rational import RationalLike
from lossmith.families import Family

if TYPE_CHECKING:
    from lossmith.losses.factored import FactoredLoss
    from lossmith.losses.matrix import LossMatrix

MAX_ENTRIES = 4_000_000  # that are written down unasked


@runtime_checkable
class Loss(Protocol):
    """A loss, as the questions take it: a `LossMatrix`, or a `FactoredLoss`, which may be too large for one.

    >>> from lossmith.losses import ndcg, zero_one
    >>> [(loss.n, loss.k, loss.affdim, loss.factored is None) for loss in (zero_one(3), ndcg(3))]
    [(3, 3, 2, True), (8, 6, 2, False)]
    """

    @property
    def name(self) -> str:
        """What it is called, in print."""

    @property
    def made_by(self) -> Family[..., Any] | None:
        """The family that made it, None for one of your own."""

    @property
    def n(self) -> int:
        """The number of labels."""

    @property
    def k(self) -> int:
        """The number of predictions."""

    @property
    def affdim(self) -> int:
        """The dimension of the affine hull of the columns ℓ_t, exactly."""

    @property
    def factored(self) -> FactoredLoss | None:
        """The loss itself, if it is known by factors."""

    def risk(self, p: Sequence[RationalLike], /) -> tuple[Fraction, ...]:
        """The expected loss p·ℓ_t of every prediction t under the distribution p, exactly."""

    def matrix(self, limit: int = MAX_ENTRIES) -> LossMatrix:
        """The loss written down, by `limit` entries at most; what is written down already is returned as it is."""
