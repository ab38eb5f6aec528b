"""One logistic regression for each pair of labels."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.surrogates.cross_entropies import link_of_shares, shares_of
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.signed_margins import signed_margins
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Curved, Order, ProperComposite, Traits, TwoScores

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@family(
    cite="T. Hastie, R. Tibshirani, Classification by pairwise coupling, 1998",
    latex=r"\psi_y(u) = \sum_{j > y} \log(1 + e^{-u_{yj}}) + \sum_{i < y} \log(1 + e^{u_{iy}})",
    preds=("decide", "votes"),
    small=({"n": 2}, {"n": 3}),
    size=lambda n: (at_least("n", n, 2), n * (n - 1) // 2),
    fits=by_labels,
    verdicts=(Published(zero_one, "CCC", "Hastie, Tibshirani, 1998"),),
    formless="the pairs without the label cost nothing, so that no row of bits describes it",
)
def one_vs_one_logistic(n: int) -> SmoothSurrogate:
    """A logistic loss for each pair i < j of labels with y among them: u_ij > 0 says that i is likelier.

    Where the risk is nearly least u_ij is nearly log(p_i/p_j), and 1/Σ_j e^{−u_ij} nearly p_i: with "decide" it is
    right for every loss. Between two impossible labels u_ij is free, and does not matter.

    >>> [round(x, 4) for x in one_vs_one_logistic(3)([0, 0, 0])]  # 2 log 2
    [1.3863, 1.3863, 1.3863]
    >>> one_vs_one_logistic(3).probabilities([[900, 900, -5]]).round(4).tolist()
    [[1.0, 0.0, 0.0]]
    """
    signs = tuple(tuple(Fraction((y == i) - (y == j)) for i, j in combinations(range(n), 2)) for y in range(n))
    proper = ProperComposite(_Probabilities(n), _Link(n), converse=False)  # not all u agree with one p
    curved = Curved("most", Fraction(2 * n - 2), Fraction(2))
    two = TwoScores(Fraction(2), Fraction(2 if n == 2 else 3), "halves", strict=False, pred="votes")
    traits = Traits(proper=proper, order=Order("signs", signs), curved=curved, two_scores=two)
    return signed_margins(f"one_vs_one_logistic(n={n})", signs, margin_named("logistic"), traits)


@dataclass(frozen=True)
class _Pairs:
    n: int

    def of_pairs(self) -> tuple[Array, Array]:
        """The first labels of the pairs, and the second ones."""
        import numpy as np

        first, second = np.triu_indices(self.n, 1)
        return first, second


class _Probabilities(_Pairs):
    """1/Σ_j e^{−u_ij} with u_ii = 0 and u_ji = −u_ij, divided by their sum, which tends to 1."""

    def __call__(self, U: Array) -> Array:
        import numpy as np

        first, second = self.of_pairs()
        against = np.zeros((len(U), self.n, self.n))
        against[:, first, second], against[:, second, first] = -U, U
        return shares_of(-np.logaddexp.reduce(against, axis=2))


class _Link(_Pairs):
    def __call__(self, p: Array) -> Array:
        first, second = self.of_pairs()
        logs = link_of_shares(p)
        result: Array = logs[first] - logs[second]
        return result
