"""An ordered weighted average of the violations of the margin."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import all_but_one, top_two
from lossmith.surrogates.number_lists import Numbers, numbers, spelled
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum, sum_largest


def _weights(weights: Numbers) -> tuple[Fraction, ...]:
    read = numbers("weights", weights, 1, lambda x: x >= 0, "at least 0")
    if not read[0] or any(before < after for before, after in pairwise(read)):
        raise BadInput(f"weights are {spelled(read)}; the first must be positive, and none larger than the one before")
    return read


def _size(weights: Numbers) -> tuple[int, int]:
    n = at_least("n", len(_weights(weights)) + 1, 2)
    return n, n


def _fits(loss: LossMatrix) -> Mapping[str, Any]:
    """Weights 1, 1/2, 1/3 and so on."""
    return {"weights": " ".join(str(Fraction(1, i)) for i in range(1, loss.n))}


@family(
    cite="N. Usunier, D. Buffoni, P. Gallinari, Ranking with ordered weighted pairwise classification, ICML 2009",
    latex=r"\psi_y(u) = \sum_i w_i \bigl((1 + u_j - u_y)_+ : j \neq y\bigr)_{(i)}",
    preds=("argmax",),
    kind="top-k",
    small=({"weights": "1"}, {"weights": "1 1/2"}, {"weights": "1 1/2 1/4"}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(zero_one, "CNN", "docs/findings.md, 2026"),
        Published(top_two, "··N", "docs/findings.md, 2026"),
        Published(all_but_one, "·NN", "docs/findings.md, 2026"),
    ),
)
def owa_hinge(weights: Numbers) -> PolyhedralSurrogate:
    """Σ_i w_i times the i-th largest of (1 + u_j − u_y)₊, j ≠ y, on R^n; w_1 ≥ … ≥ w_{n−1} ≥ 0.

    With weights 1, 0, … it is `crammer_singer`, with equal ones `weston_watkins`.

    >>> [str(x) for x in owa_hinge("1 1/2")([1, 0, 0])]
    ['0', '5/2', '5/2']
    """
    w = _weights(weights)
    n, drops = len(w) + 1, [before - after for before, after in pairwise((*w, Fraction(0)))]

    def psi(y: int, u: list[Any]) -> Any:
        gaps = [1 + x - u[y] for j, x in enumerate(u) if j != y]
        sums = [maximum(0, *(sum_largest(gaps, m) for m in range(1, i + 1))) for i in range(1, n)]
        return sum(drop * each for drop, each in zip(drops, sums, strict=True) if drop)

    return PolyhedralSurrogate.from_function(psi, n=n, dim=n, name=f"owa_hinge(weights={spelled(w)})")
