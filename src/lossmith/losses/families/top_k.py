"""Top-k loss: name k labels, pay 1 if the true one is not among them."""

from __future__ import annotations

from itertools import combinations
from math import comb

from lossmith.errors import BadInput
from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names


def _size(n: int, k: int, labels: Labels = None) -> tuple[int, int]:
    if at_least("k", k, 1) >= at_least("n", n, 2):
        raise BadInput(f"k is {k}; it must be less than n = {n}, or nothing could go wrong")
    return n, comb(n, k)


@family(
    cite="M. Lapin, M. Hein, B. Schiele, Top-k multiclass SVM, NIPS 2015",
    small=({"n": 3, "k": 1}, {"n": 3, "k": 2}, {"n": 4, "k": 2}),
    size=_size,
    of_size=lambda n: [{"n": n, "k": 1}, {"n": n, "k": 2}],
)
def top_k(n: int, k: int, labels: Labels = None) -> LossMatrix:
    """1 if the label is not in the predicted set; the predictions are the k-subsets of n labels, 1 ≤ k < n.

    The labels are 0 … n−1 unless they are named.

    >>> print(top_k(3, 2))
    truth ↓ decision →  {0,1}  {0,2}  {1,2}
    0                       0      0      1
    1                       0      1      0
    2                       1      0      0
    """
    subsets = list(combinations(range(n), k))
    names = label_names(labels, n)
    sets = ["{" + ",".join(str(names[y]) for y in subset) + "}" for subset in subsets]
    return LossMatrix([[int(y not in t) for t in subsets] for y in range(n)], names, sets, f"top_k(n={n}, k={k})")
