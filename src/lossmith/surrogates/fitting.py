"""Which member of a family of surrogates fits a loss: what the families declare as `fits`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, factorial
from typing import Any

from lossmith.errors import BadInput
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.surrogates.cases import deferring
from lossmith.surrogates.documents import relevance_of
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


def by_rejecting(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one of two labels with this cost of abstaining.

    >>> from lossmith.losses import abstain
    >>> by_rejecting(abstain(2, "1/3")), by_rejecting(abstain(3, "1/3"))
    ({'cost': Fraction(1, 3)}, None)
    """
    found = by_abstaining(loss)
    return {"cost": found["cost"]} if found is not None and loss.n == 2 else None


def by_sets_of_labels(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one for sets of k labels, where the loss is top-k loss, or 0-1 loss.

    >>> from lossmith.losses import ordinal, top_k
    >>> by_sets_of_labels(top_k(4, 2)), by_sets_of_labels(ordinal(3))
    ({'n': 4, 'k': 2}, None)
    """
    columns = {*zip(*loss.entries, strict=True)}
    sizes = {column.count(Fraction(0)) if {*column} == {0, 1} else 0 for column in columns}
    k = min(sizes)
    return {"n": loss.n, "k": k} if k and sizes == {k} and len(columns) == loss.k == comb(loss.n, k) else None


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


def by_candidates(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one whose labels are the non-empty sets of as many classes as there are predictions.

    >>> from lossmith.losses import zero_one
    >>> by_candidates(LossMatrix([[0, 1], [1, 0], [0, 0]])), by_candidates(zero_one(3))
    ({'classes': 2}, None)
    """
    return {"classes": loss.k} if loss.k > 1 and loss.n.bit_length() == loss.k and loss.n + 1 == 2**loss.k else None


def by_deferring(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one for a class and which experts are right, where the loss is that of asking them.

    >>> from lossmith.losses import zero_one
    >>> from lossmith.surrogates.cases import deferring
    >>> by_deferring(deferring(2)), by_deferring(zero_one(4))
    ({'classes': 2, 'experts': 1}, None)
    """
    for classes in range(2, loss.k):
        experts = loss.k - classes
        if classes * 2**experts == loss.n and deferring(classes, experts).entries == loss.entries:
            return {"classes": classes, "experts": experts}
    return None


def of_documents(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one with a score for each document of a ranking loss; none for other losses.

    >>> from lossmith.losses import precision_at, zero_one
    >>> of_documents(precision_at(q=1, r=3).matrix()), of_documents(zero_one(3))
    ({'ranking': precision_at(q=1, r=3): 8 labels × 3 predictions, 3 factors}, None)
    """
    return {"ranking": loss.written_from} if isinstance(loss.written_from, RankingLoss) else None


def of_sets(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one with a score for each tag, or document, of a loss on sets of them; none for other losses.

    It is made from the sets alone: where a loss on r tags is not known by factors, those of another one are named.

    >>> from lossmith.losses import recall_at, tag_ranking, zero_one
    >>> of_sets(recall_at(2, 1).matrix())["loss"].name, of_sets(tag_ranking(3)), of_sets(zero_one(4))
    ('recall_at(r=2, q=1)', {'loss': 'precision-at:q=1,r=3'}, None)
    """
    if loss.written_from is not None:
        try:
            labels = relevance_of(loss.written_from)[1]
        except BadInput:
            return None
        return {"loss": loss.written_from} if len(labels[0]) > 1 else None
    r = loss.n.bit_length() - 1
    strings = tuple(format(y, f"0{r}b") for y in range(2**r))
    return {"loss": f"precision-at:q=1,r={r}"} if r > 1 and loss.labels == strings else None


def cost_of_abstaining(loss: LossMatrix) -> Fraction | None:
    """What a decision costs that costs the same under every label, if that is positive and at most 1/2."""
    found = None
    for first, *others in zip(*loss.entries, strict=True):
        if 0 < first <= Fraction(1, 2) and set(others) == {first}:
            found = first
    return found


def by_rankings(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one whose labels are all rankings of r documents; none where the loss has not r! labels and predictions.

    >>> from lossmith.losses import spearman_rho, zero_one
    >>> by_rankings(spearman_rho(3)), by_rankings(zero_one(3))
    ({'r': 3}, None)
    """
    found = next((r for r in range(2, 7) if factorial(r) == loss.n == loss.k), None)
    return None if found is None else {"r": found}
