"""One logistic regression for each pair of labels."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.surrogates.fitting import by_naming
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.signed_margins import signed_margins
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Order, Traits


@family(
    cite="T. Hastie, R. Tibshirani, Classification by pairwise coupling, 1998",
    latex=r"\psi_y(u) = \sum_{j > y} \log(1 + e^{-u_{yj}}) + \sum_{i < y} \log(1 + e^{u_{iy}})",
    preds=("votes",),
    small=({"n": 2}, {"n": 3}),
    size=lambda n: (at_least("n", n, 2), n * (n - 1) // 2),
    fits=lambda loss: by_naming(loss) if loss.k == loss.n and loss.entries[0].count(Fraction(0)) == 1 else None,
    verdicts=(Published(zero_one, "CCC", "Hastie, Tibshirani, 1998"),),
    formless="the pairs without the label cost nothing, so that no row of bits describes it",
)
def one_vs_one_logistic(n: int) -> SmoothSurrogate:
    """A logistic loss for each pair i < j of labels with y among them: u_ij > 0 says that i is likelier.

    At p > 0 u_ij = log(p_i/p_j). Between two impossible labels u_ij is free, so that more than signs is not claimed.

    >>> [round(x, 4) for x in one_vs_one_logistic(3)([0, 0, 0])]  # 2 log 2
    [1.3863, 1.3863, 1.3863]
    """
    signs = tuple(tuple(Fraction((y == i) - (y == j)) for i, j in combinations(range(n), 2)) for y in range(n))
    traits = Traits(order=Order("signs", signs))
    return signed_margins(f"one_vs_one_logistic(n={n})", signs, margin_named("logistic"), traits)
