"""The squared maximum of margins: smooth along each margin, but with kinks where scores are equal."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates.against_all import own_label
from lossmith.surrogates.chains import LawOfSlopes
from lossmith.surrogates.curvatures import BENDS
from lossmith.surrogates.families.crammer_singer import crammer_singer
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squared_maxima import AlongSquares
from lossmith.surrogates.traits import Order, ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_FEW = 12  # labels, up to which pieces are written out


@family(
    cite="K. Crammer, Y. Singer, On the algorithmic implementation of multiclass kernel-based vector machines, JMLR "
    "2001; squared in C.-J. Lin's LIBLINEAR, 2008",
    latex=r"\psi_y(u) = \left(1 + \max_{j \neq y} u_j - u_y\right)_+^2",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CNN", "docs/beyond-the-paper.md, 2026"),
        Published(ordinal, "CNN", "docs/beyond-the-paper.md, 2026"),
        Published(abstain, "CNN", "docs/beyond-the-paper.md, 2026"),
    ),
    formless="it has kinks where two scores are equal",
)
def squared_crammer_singer(n: int) -> SmoothSurrogate:
    """(1 + max_{j≠y} u_j − u_y)₊² on R^n.

    For n ≥ 3 u = 0 is optimal wherever no label has a probability above 1/2, as for the hinge: squaring does not help.
    And it loses what the hinge is right for, abstain(1/2): where p_i = (1 + c)/2 the score of i is c, as near to 0 as
    one likes.

    >>> squared_crammer_singer(3)([2, 0, 1])
    (0.0, 9.0, 4.0)
    """
    traits, along = Traits(), None
    if n == 2:  # of two scores it has no kink
        proper, curved = ProperComposite(LawOfSlopes(_slope), monotone=True), BENDS["squared-hinge"].of_two_labels()
        traits = Traits(proper=proper, order=Order("order", own_label(n)), curved=curved)
    elif n <= _FEW:
        along = AlongSquares(crammer_singer(n).terms)
    name = f"squared_crammer_singer(n={n})"
    return SmoothSurrogate(name, n, n, _value, _slope, traits, subgradients=_subgradients, along=along)


def _heights(U: Array) -> tuple[Array, Array]:
    """(1 + max_{j≠y} u_j − u_y)₊ for each label, and the largest other score's place."""
    import numpy as np

    n = U.shape[1]
    others = np.where(np.eye(n, dtype=bool), -np.inf, U[:, None, :])
    return np.maximum(1 + others.max(axis=2) - U, 0), others.argmax(axis=2)


def _value(U: Array) -> Array:
    result: Array = _heights(U)[0] ** 2
    return result


def _slope(U: Array) -> Array:
    import numpy as np

    heights, places = _heights(U)
    units = np.eye(U.shape[1])
    result: Array = 2 * heights[:, :, None] * (units[places] - units)
    return result


def _subgradients(u: tuple[Fraction, ...]) -> list[list[list[Fraction]]]:
    found = []
    for y, own in enumerate(u):
        top = max(x for j, x in enumerate(u) if j != y)
        height = 2 * max(1 + top - own, Fraction(0))
        tops = [j for j, x in enumerate(u) if j != y and x == top]
        found.append([[height * ((i == j) - (i == y)) for i in range(len(u))] for j in tops])
    return found
