"""Which member of a family of surrogates fits a loss: what the families declare as `fits`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.square_losses import zero_diagonal


def by_labels(loss: LossMatrix) -> Mapping[str, Any]:
    """The one for as many labels, n."""
    return {"n": loss.n}


def by_bits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one whose labels are all strings of r bits; none where the loss has not 2^r labels.

    >>> from lossmith.losses import hamming, zero_one
    >>> by_bits(hamming(3)), by_bits(zero_one(3))
    ({'r': 3}, None)
    """
    return {"r": loss.n.bit_length() - 1} if loss.n.bit_count() == 1 else None


def by_abstaining(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one for as many labels and the cost of abstaining; none where no decision is to abstain.

    >>> from lossmith.losses import abstain, zero_one
    >>> by_abstaining(abstain(3, "1/3")), by_abstaining(zero_one(3))
    ({'n': 3, 'cost': Fraction(1, 3)}, None)
    """
    cost = cost_of_abstaining(loss)
    return None if cost is None else {"n": loss.n, "cost": cost}


def by_loss(parameter: str) -> Callable[[LossMatrix], Mapping[str, Any]]:
    """The one that is made from the loss, under the name of this parameter."""
    return lambda loss: {parameter: loss}


def by_zero_diagonal(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one that is made from the loss, if its predictions are the labels, and cost nothing if they are right.

    >>> from lossmith.losses import abstain, ordinal
    >>> by_zero_diagonal(ordinal(3)) == {"loss": ordinal(3)}, by_zero_diagonal(abstain(3))
    (True, None)
    """
    return {"loss": loss} if zero_diagonal(loss) else None


def of_documents(loss: LossMatrix) -> None:
    """None: it has scores of documents, and belongs to ranking losses, which have sizes of their own."""


def cost_of_abstaining(loss: LossMatrix) -> Fraction | None:
    """What a decision costs that costs the same under every label, if that is positive and at most 1/2."""
    found = None
    for first, *others in zip(*loss.entries, strict=True):
        if 0 < first <= Fraction(1, 2) and set(others) == {first}:
            found = first
    return found
