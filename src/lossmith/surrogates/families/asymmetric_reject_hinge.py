"""The bent hinge of two labels, for abstaining and mistakes whose costs depend on the label."""

from __future__ import annotations

from fractions import Fraction

from lossmith.errors import BadInput
from lossmith.families import Published, family
from lossmith.losses import abstain
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


def _uneven(n: int) -> LossMatrix | None:
    """Mistakes that cost 3 and 2, and abstaining at 1 and 1/2."""
    return LossMatrix([[0, 3, 1], [2, 0, Fraction(1, 2)]], name="uneven") if n == 2 else None


def _slopes(loss: LossMatrix) -> tuple[Fraction, Fraction] | None:
    """The slopes a_0 and a_1; None if the loss has no such shape, or one of them is less than 1."""
    if (loss.n, loss.k) != (2, 3) or loss.entries[0][0] or loss.entries[1][1]:
        return None
    (_, first, ask), (second, _, ask_too) = loss.entries
    if not ask or not ask_too:
        return None
    slopes = (first - ask) / ask_too, (second - ask_too) / ask
    return slopes if min(slopes) >= 1 else None


@family(
    cite="R. Herbei, M. H. Wegkamp, Classification with reject option, Canadian Journal of Statistics 2006",
    latex=r"\psi_y(u) = \max\{0,\, 1 - s_y u,\, 1 - a_y s_y u\}, \quad a_y = (L_{y,1-y} - L_{y2}) / L_{1-y,2}",
    preds=("sign-code:tau=1/2",),
    kind="abstaining",
    small=({"loss": "abstain:n=2,cost=1/4"}, {"loss": "abstain:n=2"}),
    size=lambda loss: (2, 1),
    fits=lambda loss: None if _slopes(loss) is None else {"loss": loss},
    verdicts=(
        Published(abstain, "C––", "Herbei, Wegkamp, Canadian Journal of Statistics 2006"),
        Published(_uneven, "C––", "docs/findings.md, 2026"),
        Published(_uneven, "C––", "docs/findings.md, 2026", pred="sign-code:tau=1/2"),
    ),
)
def asymmetric_reject_hinge(loss: LossLike) -> PolyhedralSurrogate:
    """max{0, 1 − s_y u, 1 − a_y s_y u} for u ∈ R, with s = 1 for label 0 and −1 for label 1.

    The loss has three decisions: the labels, which cost nothing if they are right, and abstaining.
    a_y = (what mistaking y costs more than abstaining) / (what abstaining costs under the other label), at least 1.

    >>> from lossmith.surrogates import bartlett_wegkamp
    >>> asymmetric_reject_hinge("abstain:n=2,cost=1/4") == bartlett_wegkamp("1/4")
    True
    """
    read = as_loss(loss).matrix()
    slopes = _slopes(read)
    if slopes is None:
        raise BadInput(
            f"asymmetric_reject_hinge needs two labels, and abstaining as a third decision that is worth its cost; "
            f"{read.name} is not like that: try cost_weighted_hinge, which takes any loss"
        )
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(0, *(1 + slope * (u[0] if y else -u[0]) for slope in (1, slopes[y]))),
        n=2,
        dim=1,
        name=f"asymmetric_reject_hinge({read.name})",
    )
