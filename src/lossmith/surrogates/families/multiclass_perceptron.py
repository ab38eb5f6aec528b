"""The perceptron: how far the label is from the largest score, without a margin."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


@family(
    cite="M. Blondel, A. Martins, V. Niculae, Learning with Fenchel-Young losses, JMLR 2020",
    latex=r"\psi_y(u) = \max_j u_j - u_y",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=tuple(Published(loss, "NNN", "docs/findings.md, 2026") for loss in (zero_one, ordinal, abstain)),
)
def multiclass_perceptron(n: int) -> PolyhedralSurrogate:
    """max_j u_j − u_y on R^n. At u = 0 every label costs nothing, so that it is calibrated only if nothing is learned.

    >>> [str(x) for x in multiclass_perceptron(3)([1, 0, 0])]
    ['0', '1', '1']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(*(u[j] - u[y] for j in range(n))), n=n, dim=n, name=f"multiclass_perceptron(n={n})"
    )
