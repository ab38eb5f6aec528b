"""The adversarial surrogate of abstaining."""

from __future__ import annotations

from itertools import permutations

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import abstain
from lossmith.surrogates.cases import abstain_at
from lossmith.surrogates.fitting import by_abstaining
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


@family(
    cite="R. Fathony et al., Consistent robust adversarial prediction for general multiclass classification, 2018",
    latex=r"\psi_y(u) = \max\bigl\{\max_j u_j,\, \max_{i \neq j} ((1-c) u_i + c u_j + c)\bigr\} - u_y",
    preds=("argmax-gap:tau=1/2",),
    kind="abstaining",
    small=({"n": 2, "cost": "1/2"}, {"n": 3, "cost": "1/3"}),
    size=lambda n, cost: (at_least("n", n, 2), n),
    fits=by_abstaining,
    verdicts=(
        Published(abstain, "CCC", "Fathony et al., 2018"),
        Published(abstain_at("1/4"), "CCC", "Fathony et al., 2018"),
        Published(abstain_at("1/4"), "CC·", "Fathony et al., 2018", pred="argmax-gap:tau=1/2"),
    ),
)
def adversarial_abstain(n: int, cost: RationalLike) -> PolyhedralSurrogate:
    """max{max_j u_j, max_{i≠j} ((1−c)u_i + c u_j + c)} − u_y on R^n, for abstaining at cost 0 < c ≤ 1/2.

    >>> [str(x) for x in adversarial_abstain(3, "1/4")([1, 0, 0])]
    ['0', '1', '1']
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x <= 1, "greater than 0 and at most 1/2")
    pairs = list(permutations(range(n), 2))
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(*u, *((1 - c) * u[i] + c * u[j] + c for i, j in pairs)) - u[y],
        n=n,
        dim=n,
        name=f"adversarial_abstain(n={n}, cost={c})",
    )
