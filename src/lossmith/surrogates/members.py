"""The members of the catalogue that fit a loss."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lossmith.errors import TooLarge
from lossmith.families import Family
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import (
    absolute,
    abstain_crammer_singer,
    abstain_one_vs_all,
    adversarial_zero_one,
    all_threshold_hinge,
    all_threshold_logistic,
    binary_encoded,
    binary_relevance_hinge,
    binary_relevance_logistic,
    class_probability,
    cost_weighted_hinge,
    crammer_singer,
    epsilon_insensitive,
    lee_lin_wahba,
    one_vs_all_hinge,
    one_vs_all_logistic,
    one_vs_all_squared_hinge,
    one_vs_one_hinge,
    softmax,
    square,
    weston_watkins,
)
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.surrogate import Surrogate

# What studies, reports and bounds try in passing: the best known of each kind. The others are asked about by name.
TRIED: tuple[Family[..., Any], ...] = (
    crammer_singer,
    weston_watkins,
    lee_lin_wahba,
    one_vs_all_hinge,
    one_vs_one_hinge,
    absolute,
    epsilon_insensitive,
    binary_encoded,
    abstain_crammer_singer,
    abstain_one_vs_all,
    all_threshold_hinge,
    binary_relevance_hinge,
    cost_weighted_hinge,
    adversarial_zero_one,
    class_probability,
    softmax,
    one_vs_all_logistic,
    one_vs_all_squared_hinge,
    all_threshold_logistic,
    binary_relevance_logistic,
    square,
)
_MOST_WIDTH = 200  # dimensions of a surrogate that the loss determines


def fitting_surrogates(loss: LossMatrix, families: Iterable[Family[..., Any]] = TRIED) -> list[Surrogate]:
    """The members of the families that fit the loss; of those that are tried in passing, if none are given.

    >>> from lossmith.losses import hamming
    >>> [each.name for each in fitting_surrogates(hamming(2)) if each.name.startswith("binary_relevance_")]
    ['binary_relevance_hinge(r=2)', 'binary_relevance_logistic(r=2)']
    """
    fitting = (fitting_surrogate(family, loss) for family in families)
    return [surrogate for surrogate in fitting if surrogate is not None]


def fitting_surrogate(row: Family[..., Any] | Surrogate, loss: LossMatrix) -> Surrogate | None:
    """The surrogate, or the member of a family that the loss determines; None if there is none for so many labels.

    Nor is there one with a dimension for each of more than 200 decisions, or with more pieces than can be written down.

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
    try:
        return None if given is None else row(**given)
    except TooLarge:
        return None


def polyhedral_between(loss: LossMatrix, low: int, high: int) -> list[PolyhedralSurrogate]:
    """The polyhedral surrogates tried in passing that fit the loss in low ≤ d < high dimensions, the fewest first.

    >>> from lossmith.losses import abstain
    >>> [each.name for each in polyhedral_between(abstain(30), 1, 10)]
    ['absolute(n=30)', 'epsilon_insensitive(n=30, eps=1/4)', 'binary_encoded(n=30, cost=1/2)']
    """
    found = []
    for family in TRIED:
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
