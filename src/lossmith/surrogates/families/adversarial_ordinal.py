"""The adversarial surrogate of absolute loss between grades."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


@family(
    cite="R. Fathony, M. A. Bashiri, B. Ziebart, Adversarial surrogate losses for ordinal regression, NIPS 2017",
    latex=r"\psi_y(u) = \max_{i \leq j} \tfrac12 (u_i + u_j + j - i) - u_y",
    preds=("argmax",),
    kind="ordinal",
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(
        Published(ordinal, "CCC", "Fathony, Bashiri, Ziebart, NIPS 2017"),
        Published(ordinal, "CCC", "Fathony, Bashiri, Ziebart, NIPS 2017", pred="argmax"),
        Published(zero_one, "CNN", "docs/findings.md, 2026"),
    ),
)
def adversarial_ordinal(n: int) -> PolyhedralSurrogate:
    """max_{i≤j} (u_i + u_j + j − i)/2 − u_y on R^n: `max_min_margin` of `ordinal`.

    >>> [str(x) for x in adversarial_ordinal(3)([0, 1, 0])]
    ['1', '0', '1']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(*((u[i] + u[j] + j - i) / 2 for j in range(n) for i in range(j + 1))) - u[y],
        n=n,
        dim=n,
        name=f"adversarial_ordinal(n={n})",
    )
