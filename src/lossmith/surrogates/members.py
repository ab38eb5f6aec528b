"""The members of the catalogue that fit a loss."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lossmith.families import Family
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.surrogate import Surrogate

_MOST_WIDTH = 200  # dimensions of a surrogate that the loss determines


def fitting_surrogates(loss: LossMatrix, families: Iterable[Family[..., Any]] = CATALOGUE) -> list[Surrogate]:
    """The members of the families that fit the loss.

    >>> from lossmith.losses import hamming
    >>> [each.name for each in fitting_surrogates(hamming(2)) if each.name.startswith("binary_relevance_")]
    ['binary_relevance_hinge(r=2)', 'binary_relevance_logistic(r=2)']
    """
    fitting = (fitting_surrogate(family, loss) for family in families)
    return [surrogate for surrogate in fitting if surrogate is not None]


def fitting_surrogate(row: Family[..., Any] | Surrogate, loss: LossMatrix) -> Surrogate | None:
    """The surrogate, or the member of a family that the loss determines; None if there is none for so many labels.

    Nor is there one with a dimension for each of more than 200 decisions.

    A cost of abstaining is that of the loss, if one of its decisions costs the same under every label.

    >>> from lossmith.losses import abstain, zero_one
    >>> from lossmith.surrogates import abstain_one_vs_all
    >>> fitting_surrogate(abstain_one_vs_all, abstain(3, "1/3")).name
    'abstain_one_vs_all(n=3, cost=1/3)'
    >>> fitting_surrogate(abstain_one_vs_all, zero_one(3)) is None
    True
    """
    if not isinstance(row, Family):
        return row if row.n == loss.n else None
    given = _fitting_parameters(row, loss)
    return None if given is None else row(**given)


def polyhedral_between(loss: LossMatrix, low: int, high: int) -> list[PolyhedralSurrogate]:
    """The polyhedral members of the catalogue that fit the loss in low ≤ d < high dimensions, the fewest first.

    >>> from lossmith.losses import abstain
    >>> [each.name for each in polyhedral_between(abstain(30), 1, 10)]
    ['absolute(n=30)', 'epsilon_insensitive(n=30, eps=1/4)', 'binary_encoded(n=30, cost=1/2)']
    """
    found = []
    for family in CATALOGUE:
        given = _fitting_parameters(family, loss) if family.makes is PolyhedralSurrogate else None
        if given is not None and low <= family.size(**given)[1] < high:
            found.append(family(**given))
    return sorted(found, key=lambda each: each.dim)


def _fitting_parameters(family: Family[..., Any], loss: LossMatrix) -> Mapping[str, Any] | None:
    given = family.fits(loss)
    if given is None:
        return None
    labels, width = family.size(**given)
    return given if labels == loss.n and width <= _MOST_WIDTH else None
