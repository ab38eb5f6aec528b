"""One hinge for each pair of labels: support vector machines, one against one."""

from __future__ import annotations

from itertools import combinations

from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="J. Friedman, Another approach to polychotomous classification, Stanford University 1996",
    latex=r"\psi_y(u) = \sum_{j > y} (1 - u_{yj})_+ + \sum_{i < y} (1 + u_{iy})_+",
    preds=("votes",),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n * (n - 1) // 2),
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CCC", "Lin, ACML 2014"),
        Published(zero_one, "CCC", "Lin, ACML 2014", pred="votes"),
    ),
)
def one_vs_one_hinge(n: int) -> PolyhedralSurrogate:
    """Σ_{j>y} (1 − u_yj)₊ + Σ_{i<y} (1 + u_iy)₊, with one score for each pair i < j, in the order of combinations.

    >>> [str(x) for x in one_vs_one_hinge(3)([1, 1, 0])]
    ['0', '3', '3']
    """
    pairs = list(combinations(range(n), 2))
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 - (x if y == i else -x)) for (i, j), x in zip(pairs, u, strict=True) if y in (i, j)),
        n=n,
        dim=len(pairs),
        name=f"one_vs_one_hinge(n={n})",
    )
