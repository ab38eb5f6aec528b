"""The likelihood of a ranking that is drawn document by document: Plackett and Luce's model."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, family
from lossmith.losses import zero_one
from lossmith.losses.ranking.rankings import written_documents
from lossmith.surrogates.cross_entropies import link_of_shares, shares_of
from lossmith.surrogates.fitting import by_rankings
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def _size(r: int) -> tuple[int, int]:
    return factorial(written_documents(r, "listmle", "listnet, on grades, takes more")), r


@family(
    cite="F. Xia, T.-Y. Liu, J. Wang, W. Zhang, H. Li, Listwise approach to learning to rank: theory and algorithm, "
    "ICML 2008",
    latex=r"\psi_y(u) = \sum_k \left(\log \sum_{l \geq k} e^{u_{\pi(l)}} - u_{\pi(k)}\right), \; \pi = y^{-1}",
    preds=("decide",),
    small=({"r": 2}, {"r": 3}),
    size=_size,
    fits=by_rankings,
    verdicts=(Published(zero_one, "C––", "docs/findings.md, 2026"),),
    formless="each score meets those of all documents that are ranked lower",
)
def listmle(r: int) -> SmoothSurrogate:
    """Σ_k (log Σ_{l≥k} e^{u_π(l)} − u_π(k)) on R^r, π(k) the document in position k; labels are all r! rankings.

    Consistent for 0-1 loss of rankings if p keeps an order (Xia et al. 2008). Among all p it is not, for r ≥ 3: at
    equal scores rankings are optimal that have nothing in common.

    >>> [round(x, 4) for x in listmle(3)([0, 0, 0])][:2]  # log 3 + log 2
    [1.7918, 1.7918]
    """
    orders = tuple(tuple(y.index(k) for k in range(r)) for y in permutations(range(r)))
    proper = ProperComposite(shares_of, link_of_shares, monotone=True) if r == 2 else None
    traits = Traits(proper=proper, divergence="Kullback-Leibler" if proper else None)  # of two documents it is softmax
    return SmoothSurrogate(
        f"listmle(r={r})", len(orders), r, _Value(orders), _Slope(orders), traits, subgradients=_Even(orders)
    )


@dataclass(frozen=True)
class _Orders:
    orders: tuple[tuple[int, ...], ...]

    @cached_property
    def places(self) -> Array:
        import numpy as np

        return np.array(self.orders)

    def sums(self, U: Array) -> tuple[Array, Array]:
        """The scores of each order, and log Σ_{l≥k} e^u of them."""
        import numpy as np

        ranked = U[:, self.places]
        return ranked, np.logaddexp.accumulate(ranked[:, :, ::-1], axis=2)[:, :, ::-1]


class _Value(_Orders):
    def __call__(self, U: Array) -> Array:
        ranked, sums = self.sums(U)
        result: Array = (sums - ranked).sum(axis=2)
        return result


class _Slope(_Orders):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        ranked, sums = self.sums(U)
        r = U.shape[1]
        chances = np.exp(np.minimum(ranked[:, :, None, :] - sums[:, :, :, None], 0)) * np.triu(np.ones((r, r)))
        found = np.empty_like(ranked)
        places = np.broadcast_to(self.places, ranked.shape)
        np.put_along_axis(found, places, chances.sum(axis=2) - 1, axis=2)
        return found


class _Even(_Orders):
    """The gradients at u = 0: the document in position k has Σ_{l≤k} 1/(r−l) − 1."""

    def __call__(self, u: tuple[Fraction, ...]) -> list[list[list[Fraction]]] | None:
        if any(u):
            return None
        r = len(u)
        steps = [sum((Fraction(1, r - l) for l in range(k + 1)), Fraction(-1)) for k in range(r)]  # noqa: E741
        return [[[steps[order.index(i)] for i in range(r)]] for order in self.orders]
