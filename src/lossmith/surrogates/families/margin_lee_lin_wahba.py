"""The hinge of Lee, Lin and Wahba with a margin for each label."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.families import Published, family, one_of
from lossmith.losses import zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.number_lists import Numbers, numbers, spelled
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


def _margins(margins: Numbers) -> tuple[Fraction, ...]:
    return numbers("margins", margins, 2, lambda x: x > 0, "positive")


def _size(margins: Numbers, form: str = "score") -> tuple[int, int]:
    n = len(_margins(margins))
    return n, n


def _fits(loss: LossMatrix) -> dict[str, Any]:
    """Margins 1 … n."""
    return {"margins": " ".join(str(y + 1) for y in range(loss.n))}


@family(
    cite="Y. Lee, Y. Lin, G. Wahba, Multicategory support vector machines, JASA 2004",
    latex=r"\psi_y(u) = \sum_{j \neq y} (m_j + u_j)_+ \text{ or } \sum_{j \neq y} (m_y + u_j)_+, \quad \sum_j u_j = 0",
    preds=("argmax",),
    small=({"margins": "1 2"}, {"margins": "1 2 5"}, {"margins": "1 2 5", "form": "label"}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(zero_one, "CCC", "docs/findings.md, 2026"),
        Published(zero_one, "CCC", "docs/findings.md, 2026", pred="argmax"),
    ),
)
def margin_lee_lin_wahba(margins: Numbers, form: str = "score") -> PolyhedralSurrogate:
    """Σ_{j≠y} (m_j + u_j)₊, or with form="label" Σ_{j≠y} (m_y + u_j)₊, on {u ∈ R^n : Σ u_j = 0}; margins m_j > 0.

    Margins do not weigh mistakes: with either form it remains calibrated for 0-1 loss. `weighted` does.

    >>> from lossmith.surrogates import lee_lin_wahba
    >>> margin_lee_lin_wahba([1, 1, 1]) == lee_lin_wahba(3)
    True
    """
    m = _margins(margins)
    own = one_of("form", form, ("score", "label")) == "label"

    def psi(y: int, u: list[Any]) -> Any:
        return sum(pos((m[y] if own else m[j]) + x) for j, x in enumerate(u) if j != y)

    name = f"margin_lee_lin_wahba(margins={spelled(m)}{', form=label' * own})"
    return PolyhedralSurrogate.from_function(psi, n=len(m), dim=len(m), domain=lambda u: [sum(u) == 0], name=name)
