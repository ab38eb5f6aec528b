"""Surrogates with a score for each label, made from a loss whose predictions are the labels."""

from __future__ import annotations

from lossmith.errors import BadInput
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss


def with_zero_diagonal(loss: LossLike, name: str) -> LossMatrix:
    """The loss, if each of its predictions is a label, in the same order, that costs nothing if it is right."""
    read = as_loss(loss).matrix()
    if not zero_diagonal(read):
        raise BadInput(
            f"{name} needs as many predictions as labels, and no cost for the right one; {read.name} has not: try "
            f"cost_weighted_hinge, which takes any loss"
        )
    return read


def zero_diagonal(loss: LossMatrix) -> bool:
    """Whether there are as many predictions as labels, and the label itself costs nothing."""
    return loss.n == loss.k and not any(loss.entries[y][y] for y in range(loss.n))


def labels_and_labels(loss: LossLike) -> tuple[int, int]:
    """The size of a surrogate with a score for each label."""
    n = as_loss(loss).n
    return n, n


def labels_and_predictions(loss: LossLike) -> tuple[int, int]:
    """The size of a surrogate with a score for each prediction."""
    read = as_loss(loss)
    return read.n, read.k
