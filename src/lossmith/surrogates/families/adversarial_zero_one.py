"""The adversarial surrogate of 0-1 loss: a game between the learner and the label."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum, sum_largest


@family(
    cite="R. Fathony et al., Adversarial multiclass classification: a risk minimization perspective, NIPS 2016",
    latex=r"\psi_y(u) = 1 - u_y + \max_{m} \tfrac{1}{m}\bigl(\textstyle\sum_{j=1}^m u_{(j)} - 1\bigr)",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(Published(zero_one, "CCC", "Fathony et al., NIPS 2016"),),
)
def adversarial_zero_one(n: int) -> PolyhedralSurrogate:
    """1 − u_y + max over m of (sum of the m largest u_j − 1)/m, on R^n.

    >>> [str(x) for x in adversarial_zero_one(3)([1, 0, 0])]
    ['0', '1', '1']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: 1 - u[y] + maximum(*((sum_largest(u, m) - 1) / m for m in range(1, n + 1))),
        n=n,
        dim=n,
        name=f"adversarial_zero_one(n={n})",
    )
