"""The Lovász hinge of Jaccard loss, whose submodular function depends on the label."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

from lossmith.families import Published, at_least, family
from lossmith.losses import jaccard
from lossmith.surrogates.cases import of_two_tags, tags_of
from lossmith.surrogates.fitting import by_bits
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum, pos


@family(
    cite="J. Yu, M. Blaschko, Learning submodular losses with the Lovász hinge, ICML 2015",
    latex=r"\psi_y(u) = \max_\pi \sum_j (1 - s_{y\pi_j} u_{\pi_j})_+ \, \Delta_j f_y(\pi)",
    preds=("sign",),
    kind="sets",
    small=({"r": 1}, {"r": 2}),
    size=lambda r: (2 ** at_least("r", r, 1), r),
    fits=by_bits,
    verdicts=(Published(of_two_tags(lambda: jaccard(2).matrix()), "··N", "docs/findings.md, 2026"),),
)
def lovasz_hinge_jaccard(r: int) -> PolyhedralSurrogate:
    """max_π Σ_j (1 − s_yi u_i)₊ (f_y(π_1 … π_j) − f_y(π_1 … π_{j−1})), i = π_j, over the orders π of r tags.

    f_y(S) = |S| / |y ∪ S| is the Jaccard loss of a set that differs from y in S; labels are the r-bit strings in binary
    order, s_yi is 1 for a one and −1 for a zero.

    >>> [str(x) for x in lovasz_hinge_jaccard(2)([1, -1])]
    ['2', '2', '0', '1']
    """
    tags = tags_of(r)

    def psi(y: int, u: list[Any]) -> Any:
        gaps = [pos(1 - s * x) for s, x in zip(tags[y], u, strict=True)]
        return maximum(*(sum(step * gaps[i] for i, step in _steps(tags[y], order)) for order in permutations(range(r))))

    return PolyhedralSurrogate.from_function(psi, n=2**r, dim=r, name=f"lovasz_hinge_jaccard(r={r})")


def _steps(tags: list[int], order: tuple[int, ...]) -> list[tuple[int, Fraction]]:
    """Each tag, and how much f_y grows by it."""
    found, before, size = [], Fraction(0), tags.count(1)
    for j, i in enumerate(order, start=1):
        size += tags[i] < 0
        found.append((i, Fraction(j, size) - before))
        before = Fraction(j, size)
    return found
