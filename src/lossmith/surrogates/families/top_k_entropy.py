"""Softmax against the k largest other scores on average: the top-k entropy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.against_all import own_label
from lossmith.surrogates.cases import top_two
from lossmith.surrogates.cross_entropies import link_of_shares, shares_of
from lossmith.surrogates.fitting import by_sets_of_labels
from lossmith.surrogates.margins import power_of_two
from lossmith.surrogates.sigmoids import sigmoid
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Order, ProperComposite, Together, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_MOST_SETS = 200


def _size(n: int, k: int) -> tuple[int, int]:
    if at_least("k", k, 1) >= at_least("n", n, 2):
        raise BadInput(f"k is {k}; it must be less than n = {n}")
    return n, n


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """That of the sets of k labels; for 0-1 loss, of two."""
    found = by_sets_of_labels(loss)
    return {"n": loss.n, "k": min(2, loss.n - 1)} if found is not None and found["k"] == 1 else found


@family(
    cite="M. Lapin, M. Hein, B. Schiele, Loss functions for top-k error: analysis and insights, CVPR 2016",
    latex=r"\psi_y(u) = \max_{0 \leq x_j \leq s/k,\; s = \sum x \leq 1} \sum_{j \neq y} x_j (u_j - u_y) - "
    r"\sum_j x_j \log x_j - (1 - s) \log(1 - s)",
    preds=("argmax", "top-k"),
    small=({"n": 2, "k": 1}, {"n": 3, "k": 2}, {"n": 4, "k": 2}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(zero_one, "CNN", "docs/findings.md, 2026"),
        Published(top_two, "··C", "docs/beyond-the-paper.md, 2026"),
        Published(top_two, "··C", "docs/beyond-the-paper.md, 2026", pred="top-k"),
    ),
    formless="its curvature is no sum over scores",
)
def top_k_entropy(n: int, k: int) -> SmoothSurrogate:
    """log(1 + e^V) on R^n, where V is the largest of q·(u − u_y) + H(q) over shares q of the others, each at most 1/k.

    k = 1 is softmax. For k ≥ 2 any k labels are served together where their scores run off, so that it is not
    calibrated for 0-1. Its k largest scores belong to the k likeliest labels: it is right for top-k.

    >>> [round(x, 4) for x in top_k_entropy(3, 2)([0, 0, 0])]  # log 3: q is (1/2, 1/2)
    [1.0986, 1.0986, 1.0986]
    """
    name, traits = f"top_k_entropy(n={n}, k={k})", Traits()
    if k == 1:
        traits = Traits(proper=ProperComposite(shares_of, link_of_shares, monotone=True), divergence="Kullback-Leibler")
    else:
        sets = islice(combinations(range(n), k), _MOST_SETS)
        together = tuple(Together(labels, tuple(Fraction(y in labels) for y in range(n))) for labels in sets)
        order = Order("smallest", own_label(n)) if k == n - 1 else Order("first", own_label(n), k)
        traits = Traits(order=order, together=together)
    return SmoothSurrogate(name, n, n, _Value(k), _Slope(k), traits, at_logs=_AtLogs(k) if k == n - 1 else None)


@dataclass(frozen=True)
class _Capped:
    k: int

    def shares(self, U: Array) -> tuple[Array, Array]:
        """For each row and label, q over the others (0 for the label itself), and V."""
        import numpy as np

        n = U.shape[1]
        heights = np.where(np.eye(n, dtype=bool), -np.inf, U[:, None, :] - U[:, :, None]).reshape(-1, n)
        order = np.argsort(-heights, axis=1)
        falling = np.take_along_axis(heights, order, axis=1)[:, :-1]  # without the label itself
        found = np.full_like(falling, np.nan)
        for full in range(self.k):  # so many of the largest have their 1/k; the others share what is left
            rest = np.exp(falling[:, full:] - falling[:, full : full + 1])
            rest *= (1 - full / self.k) / rest.sum(axis=1, keepdims=True)
            fits = np.isnan(found[:, 0]) & ((rest[:, 0] <= (1 + 1e-12) / self.k) | (full == self.k - 1))
            found[fits, :full] = 1 / self.k
            found[fits, full:] = rest[fits]
        entropy = -(found * np.log(np.maximum(found, np.finfo(float).tiny))).sum(axis=1)
        q = np.zeros_like(heights)
        np.put_along_axis(q, order[:, :-1], found, axis=1)
        return q.reshape(-1, n, n), ((found * falling).sum(axis=1) + entropy).reshape(-1, n)


class _Value(_Capped):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        result: Array = np.logaddexp(0, self.shares(U)[1])
        return result


class _Slope(_Capped):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        q, height = self.shares(U)
        result: Array = sigmoid(height)[:, :, None] * (q - np.eye(U.shape[1]))
        return result


class _AtLogs(_Capped):
    """For k = n − 1 the gradients at u = s log 2: all others share alike, and V is their mean less u_y, plus log k."""

    def __call__(self, s: tuple[Fraction, ...]) -> list[list[list[Fraction]]] | None:
        total, found = sum(s, Fraction(0)), []
        for y, own in enumerate(s):
            power = power_of_two((total - own) / self.k - own)
            if power is None:
                return None
            rate = self.k * power / (1 + self.k * power)
            found.append([[-rate if j == y else rate / self.k for j in range(len(s))]])
        return found
