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
from lossmith.losses.sets.set_loss import SetLoss

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


def relevance_of(loss: Loss | str) -> tuple[Loss, tuple[tuple[int, ...], ...]]:
    """A loss on sets of tags or documents, and for each label which of them are relevant.

    >>> relevance_of("recall-at:r=2,q=1")[1]
    ((0, 0), (0, 1), (1, 0), (1, 1))
    """
    given: Loss = loss_named(loss) if isinstance(loss, str) else loss
    known = given.factored
    if not isinstance(known, RankingLoss | SetLoss) or isinstance(known, PairwiseDisagreement):
        raise BadInput(f"{given.name} is no loss on sets; give one such as precision_at(1, r=3) or recall_at(3, 1)")
    if known.n > MOST_LABELS:
        raise TooLarge(f"{known.name} has {count(known.n)} labels, more than {MOST_LABELS:,}; take fewer of them")
    labels = tuple(tuple(y) for y in known.each_label())
    if not {x for y in labels for x in y} <= {0, 1}:
        raise BadInput(f"{given.name} has graded labels; give a loss on sets, such as precision_at(1, r=3)")
    return given, labels


def sets_and_tags(loss: Loss | str) -> tuple[int, int]:
    """How many sets there are as labels, and how many tags."""
    labels = relevance_of(loss)[1]
    return len(labels), len(labels[0])
