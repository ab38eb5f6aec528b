"""Balanced error: the mean of the error rates of the labels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.errors import BadInput
from lossmith.exact.rational import quoted
from lossmith.families import family
from lossmith.losses.by_label import ByLabel, by_label
from lossmith.losses.matrix import LossMatrix


def _read(priors: ByLabel) -> dict[Any, Fraction]:
    found = by_label(priors, "priors", "how frequent each label is")
    for label, prior in found.items():
        if prior <= 0:
            raise BadInput(f"the prior of label {quoted(label)} is {prior}; it must be positive")
    total = sum(found.values())
    if total != 1:
        raise BadInput(f"priors sum to {total}; give frequencies that sum to 1, as fractions if they are not round")
    return found


def _size(priors: ByLabel) -> tuple[int, int]:
    return len(_read(priors)), len(_read(priors))


@family(
    cite="A. Menon, H. Narasimhan, S. Agarwal, S. Chawla, On the statistical consistency of algorithms for binary "
    "classification under class imbalance, ICML 2013",
    small=({"priors": "1/4 3/4"}, {"priors": "1/2 1/3 1/6"}),
    size=_size,
    of_size=lambda n: [{"priors": " ".join(str(Fraction(2 * y + 2, n * (n + 1))) for y in range(n))}],
)
def balanced_error(priors: ByLabel) -> LossMatrix:
    """1/(n π_y) if the label y, of frequency π_y, is missed: its mean is the mean error rate of the n labels.

    `priors` are in the order of the labels, or a mapping from their names.

    >>> print(balanced_error({"ill": "1/10", "well": "9/10"}))
    truth ↓ decision →  ill   well
    ill                   0      5
    well                5/9      0
    """
    read = _read(priors)
    rows = [[0 if t == y else 1 / (len(read) * prior) for t in read] for y, prior in read.items()]
    return LossMatrix(rows, list(read), list(read), f"balanced_error({' '.join(map(str, read.values()))})")
