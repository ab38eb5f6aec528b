"""Losses for labels that are sets of tags, by name, with the number of tags taken from y."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from lossmith.errors import BadInput, UnknownName, nearest
from lossmith.exact.rational import quoted
from lossmith.losses.families.ranking.precision_at import PrecisionAt, precision_at
from lossmith.losses.families.sets.f_measure import f_measure
from lossmith.losses.families.sets.jaccard import jaccard
from lossmith.losses.families.sets.recall_at import recall_at
from lossmith.losses.families.sets.weighted_hamming import weighted_hamming
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import as_loss
from lossmith.losses.sets.set_loss import SetLoss

LossOfSets: TypeAlias = SetLoss | PrecisionAt | LossMatrix

_NAMES = ("f1", "f2", "f0.5", "hamming", "jaccard", "recall@5", "precision@5")
_AT: dict[str, Callable[[int, int], LossOfSets]] = {"recall": recall_at, "precision": lambda r, q: precision_at(q, r)}


def loss_of_sets(given: Any, r: int) -> LossOfSets:
    """The loss for r tags: a name that takes r from y, a loss of sets, or a matrix whose labels are bits.

    >>> loss_of_sets("f2", 3).name, loss_of_sets("recall@2", 5).name, loss_of_sets("hamming", 2).name
    ('f_measure(r=3, beta=2)', 'recall_at(r=5, q=2)', 'weighted_hamming(weights=1 1)')
    """
    loss = _named(given, r) if isinstance(given, str) and ":" not in given else as_loss(given)
    if not isinstance(loss, (SetLoss, PrecisionAt)):
        loss = _of_bits(loss)
    tags = len(str(loss.labels[0])) if isinstance(loss, LossMatrix) else loss.r
    if tags != r:
        raise BadInput(
            f'y has {r} tags, but {loss.name} has {tags}; give the loss for {r}, or a name such as "f1", which takes '
            f"the number from y"
        )
    return loss


def _named(name: str, r: int) -> LossOfSets:
    word, at, count = name.strip().lower().partition("@")
    if at and word in _AT:
        if not (count.isdecimal() and int(count) > 0):
            raise BadInput(f"the loss is {name!r}; write {word}@ and how many tags are predicted: {word}@5")
        if int(count) >= r:
            raise BadInput(f"the loss is {name!r}, but y has {r} tags; predict fewer, or there is nothing to choose")
        return _AT[word](r, int(count))
    if re.fullmatch(r"f\d+(\.\d+)?", word) and not at:
        return f_measure(r, word[1:]) if r > 1 else weighted_hamming([1])  # of one tag they are the same
    if word == "hamming":
        return weighted_hamming([1] * r)
    if word == "jaccard":
        return jaccard(r)
    raise UnknownName(f"no loss of sets is called {name!r}; {nearest(name, _NAMES)}")


def _of_bits(loss: Any) -> LossMatrix:
    """A matrix whose rows and columns are sets, written as bits."""
    names = [*loss.labels, *loss.predictions] if isinstance(loss, LossMatrix) else []
    sets = [name for name in names if isinstance(name, str) and re.fullmatch("[01]+", name)]
    if not sets or len(sets) < len(names) or len({*map(len, sets)}) > 1:
        other = next((name for name in names if name not in sets), None)
        why = f": {quoted(other)} is no string of zeros and ones" if other is not None else ""
        raise BadInput(f'{loss.name} is no loss of sets of tags{why}; give one such as lm.losses.f_measure(5), or "f1"')
    return loss  # type: ignore[no-any-return]
