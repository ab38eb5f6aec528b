"""Surrogates with one score for each document of a ranking loss: what a label says of documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lossmith.errors import BadInput, TooLarge
from lossmith.families import count
from lossmith.losses.families.ranking.pairwise_disagreement import PairwiseDisagreement
from lossmith.losses.named import loss_named
from lossmith.losses.protocol import Loss
from lossmith.losses.ranking.ranking_loss import RankingLoss

MOST_LABELS = 2_000


def documents_of(ranking: RankingLoss | str) -> tuple[RankingLoss, int]:
    """A loss on documents, and how many there are."""
    given: Loss = loss_named(ranking) if isinstance(ranking, str) else ranking
    loss = given.factored
    if not isinstance(loss, RankingLoss):
        raise BadInput(f"{given.name} is no ranking loss; give one such as mean_average_precision(3)")
    if loss.n > MOST_LABELS:
        raise TooLarge(f"{loss.name} has {count(loss.n)} labels, more than {MOST_LABELS:,}; rank fewer documents")
    return loss, loss.r


def preferences(loss: RankingLoss, y: Any) -> Iterator[tuple[int, int]]:
    """The pairs (i, j) of documents such that the label prefers i to j."""
    if isinstance(loss, PairwiseDisagreement):
        return iter(y)
    return ((i, j) for i, more in enumerate(y) for j, less in enumerate(y) if more > less)


def labels_and_documents(ranking: RankingLoss | str) -> tuple[int, int]:
    """How many there are: the size of a surrogate with a score for each document."""
    loss, r = documents_of(ranking)
    return loss.n, r
