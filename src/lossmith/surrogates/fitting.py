"""Which member of a family of surrogates fits a loss: what the families declare as `fits`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from typing import Any

from lossmith.losses.matrix import LossMatrix


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


def of_documents(loss: LossMatrix) -> None:
    """None: it has scores of documents, and belongs to ranking losses, which have sizes of their own."""


def cost_of_abstaining(loss: LossMatrix) -> Fraction | None:
    """What a decision costs that costs the same under every label, if that is positive and at most 1/2."""
    found = None
    for first, *others in zip(*loss.entries, strict=True):
        if 0 < first <= Fraction(1, 2) and set(others) == {first}:
            found = first
    return found


def by_naming(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one for as many labels, where one names labels and pays the same whenever the true one is not named.

    All sets of the same number of labels can be named: 0-1 and top-k, up to a factor.

    >>> from lossmith.losses import abstain, top_k
    >>> by_naming(top_k(4, 2)), by_naming(abstain(3))
    ({'n': 4}, None)
    """
    columns = {*zip(*loss.entries, strict=True)}
    named = {frozenset(y for y, x in enumerate(column) if not x) for column in columns}
    sizes = {len(each) for each in named}
    same = len({x for column in columns for x in column if x}) == 1 and len(sizes) == 1
    return {"n": loss.n} if same and len(named) == comb(loss.n, min(sizes)) else None
