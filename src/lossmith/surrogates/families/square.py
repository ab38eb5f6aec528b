"""The squared distance to a point for each label: least squares regression on the rows of a matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_rationals, quoted
from lossmith.families import Published, family
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import loss_named
from lossmith.losses.protocol import Loss
from lossmith.surrogates.fitting import by_loss
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares import Rows, squared_distance


def _size(A: Sequence[Sequence[RationalLike]] | Loss | str) -> tuple[int, int]:
    rows, _ = _read(A)
    return len(rows), len(rows[0])


@family(
    cite="H. G. Ramaswamy, S. Agarwal, A. Tewari, Convex calibrated surrogates for low-rank loss matrices with "
    "applications to subset ranking losses, NeurIPS 2013",
    latex=r"\psi_y(u) = \lVert u - a_y \rVert^2",
    preds=("decide",),
    small=({"A": "zero-one:n=3"}, {"A": "abstain:n=3"}),
    size=_size,
    fits=by_loss("A"),
    verdicts=(Published(None, "CCC", "Ramaswamy, Agarwal, Tewari, NeurIPS 2013"),),
    aliases=("polytope_square",),
)
def square(A: Sequence[Sequence[RationalLike]] | Loss | str) -> SmoothSurrogate:
    """‖u − a_y‖² on R^d for the rows a_y of A, which may be a loss matrix; p·ψ is minimised at u = Aᵀp only.

    >>> square([[0, 0], [3, 4]])([0, 0])
    (0.0, 25.0)
    >>> square("ordinal:n=3").minimizer([0, "1/2", "1/2"])
    (1.5, 0.5, 0.5)
    """
    rows, name = _read(A)
    return squared_distance(f"square({name})", rows)


def _read(A: Sequence[Sequence[RationalLike]] | Loss | str) -> tuple[Rows, str]:
    """The rows, and what to call them."""
    given = loss_named(A) if isinstance(A, str) else A
    if isinstance(given, (LossMatrix, FactoredLoss)):
        loss = given.matrix()
        return loss.entries, loss.name
    if not isinstance(given, Iterable):
        raise BadInput(f"A is {quoted(A)}; give a list of rows, one for each label, or a loss")
    rows = tuple(as_rationals(row, f"row {y} of A") for y, row in enumerate(given))
    widths = sorted({len(row) for row in rows})
    if len(rows) < 2 or len(widths) != 1 or widths == [0]:
        raise BadInput(f"A = {quoted(A)} has {len(rows)} rows of lengths {widths}; give equal rows, one for each label")
    return rows, f"{len(rows)} by {widths[0]} numbers"
