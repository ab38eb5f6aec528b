"""One hinge for each pair of decisions, weighted by how much their costs differ."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import Published, family
from lossmith.losses import ordinal, zero_one
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.cases import squared
from lossmith.surrogates.fitting import by_loss
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


def _size(loss: LossLike) -> tuple[int, int]:
    read = as_loss(loss)
    if read.k < 2:
        raise BadInput(f"weighted_all_pairs_hinge compares decisions, and {read.name} has one only")
    return read.n, read.k * (read.k - 1) // 2


@family(
    cite="H.-T. Lin, Reduction from cost-sensitive classification to one-versus-one classification, ACML 2014",
    latex=r"\psi_y(u) = \sum_{i < j} |L_{yi} - L_{yj}| \bigl(1 - \operatorname{sgn}(L_{yj} - L_{yi})\, u_{ij}\bigr)_+",
    preds=("votes",),
    small=({"loss": "zero-one:n=3"}, {"loss": "ordinal:n=3"}, {"loss": "abstain:n=2"}),
    size=_size,
    fits=by_loss("loss"),
    verdicts=(
        Published(None, "CC·", "Lin, ACML 2014"),
        Published(zero_one, "·C·", "Lin, ACML 2014", pred="votes"),
        Published(ordinal, "·C·", "Lin, ACML 2014", pred="votes"),
        Published(squared, "·C·", "Lin, ACML 2014", pred="votes"),
    ),
)
def weighted_all_pairs_hinge(loss: LossLike) -> PolyhedralSurrogate:
    """Σ_{i<j} |L_yi − L_yj| (1 − sgn(L_yj − L_yi) u_ij)₊, a score for each pair i < j of decisions; any L, all of R^d.

    The sign of u_ij is that of p·ℓ_j − p·ℓ_i: every comparison of two decisions is learned. 0-1 loss gives
    `one_vs_one_hinge`.

    >>> from lossmith.surrogates import one_vs_one_hinge
    >>> weighted_all_pairs_hinge("zero-one:n=3") == one_vs_one_hinge(3)
    True
    """
    read = as_loss(loss).matrix()
    pairs = list(combinations(range(read.k), 2))

    def psi(y: int, u: list[Any]) -> Any:
        gains = [(read.entries[y][j] - read.entries[y][i], x) for (i, j), x in zip(pairs, u, strict=True)]
        return sum(abs(gain) * pos(1 - (x if gain > 0 else -x)) for gain, x in gains if gain)

    return PolyhedralSurrogate.from_function(
        psi, n=read.n, dim=len(pairs), name=f"weighted_all_pairs_hinge({read.name})"
    )
