"""The structured support vector machine of sets of tags, with one score for each tag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import Published, family, one_of
from lossmith.losses import f_measure, hamming, jaccard
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import with_zero_diagonal, zero_diagonal
from lossmith.surrogates.tracing import maximum


def _size(loss: LossLike, form: str = "margin") -> tuple[int, int]:
    n = as_loss(loss).n
    return n, max(n.bit_length() - 1, 1)


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    return {"loss": loss} if zero_diagonal(loss) and loss.n.bit_count() == 1 else None


@family(
    cite="J. Petterson, T. Caetano, Submodular multi-label learning, NIPS 2011",
    latex=r"\psi_y(u) = \max_t (L_{yt} + (t - y) \cdot u) \text{ or } \max_t L_{yt} (1 + (t - y) \cdot u)_+",
    preds=("sign",),
    kind="sets",
    small=({"loss": "hamming:r=2"}, {"loss": "hamming:r=2", "form": "slack"}, {"loss": "hamming:r=1"}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(hamming, "C–C", "Gao, Zhou, Artificial Intelligence 2013"),
        Published(of_two_tags(lambda: jaccard(2).matrix()), "··N", "docs/findings.md, 2026"),
        Published(of_two_tags(lambda: f_measure(2).matrix()), "··N", "docs/findings.md, 2026"),
    ),
)
def structured_tag_hinge(loss: LossLike, form: str = "margin") -> PolyhedralSurrogate:
    """max_t (L_yt + Σ_i (t_i − y_i)u_i) on R^r; or with form="slack" max_t L_yt (1 + Σ_i (t_i − y_i)u_i)₊.

    Labels and predictions are the r-bit strings in binary order. Of Hamming loss it is
    `binary_relevance_hinge`.

    >>> from lossmith.surrogates import binary_relevance_hinge
    >>> structured_tag_hinge("hamming:r=2")([3, -1]) == binary_relevance_hinge(2)([3, -1])
    True
    """
    read = with_zero_diagonal(loss, "structured_tag_hinge")
    slack, r = one_of("form", form, ("margin", "slack")) == "slack", read.n.bit_length() - 1
    if read.n != 2**r:
        raise BadInput(f"structured_tag_hinge needs 2^r sets of tags as labels; {read.name} has {read.n} labels")
    bits = [[int(bit) for bit in format(y, f"0{r}b")] for y in range(read.n)]

    def psi(y: int, u: list[Any]) -> Any:
        ahead = [sum((a - b) * x for a, b, x in zip(each, bits[y], u, strict=True)) for each in bits]
        pairs = list(zip(read.entries[y], ahead, strict=True))
        return maximum(0, *(cost * (1 + x) if slack else cost + x for cost, x in pairs if cost))

    name = f"structured_tag_hinge({read.name}{', form=slack' * slack})"
    return PolyhedralSurrogate.from_function(psi, n=read.n, dim=r, name=name)
