"""The loss of sparsemax: probabilities that may be exactly zero."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.projections import exactly_on_simplex, on_simplex
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@family(
    cite="A. Martins, R. Astudillo, From softmax to sparsemax: a sparse model of attention and multi-label "
    "classification, ICML 2016; M. Blondel, A. Martins, V. Niculae, Learning with Fenchel-Young losses, JMLR 2020",
    latex=r"\psi_y(u) = \max_{q \in \Delta} \left(u \cdot q - \tfrac12 \lVert q \rVert^2\right) + \tfrac12 - u_y",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(Published(None, "CCC", "Blondel, Martins, Niculae, JMLR 2020"),),
    formless="its curvature is that of a projection, which is no sum over scores",
)
def sparsemax(n: int) -> SmoothSurrogate:
    """max_q (u·q − ‖q‖²/2) + 1/2 − u_y on R^n; strictly proper composite, with the projection of u on Δ.

    A Fenchel–Young loss: docs/beyond-the-paper.md has the theorem.

    >>> sparsemax(3)([1, 0, 0])  # the projection of u on Δ is u itself
    (0.0, 1.0, 1.0)
    >>> sparsemax(3).probabilities([[1, 0.5, -3]]).tolist()
    [[0.75, 0.25, 0.0]]
    """
    traits = Traits(proper=ProperComposite(on_simplex, _link, monotone=True), divergence="half square")
    return SmoothSurrogate(f"sparsemax(n={n})", n, n, _value, _slope, traits, _exact_slope)


def _value(U: Array) -> Array:
    import numpy as np

    below = U - U.max(axis=1, keepdims=True)  # a constant added to u changes nothing
    q = on_simplex(below)
    result: Array = np.maximum((below * q - q * q / 2).sum(axis=1, keepdims=True) + 0.5 - below, 0)
    return result


def _slope(U: Array) -> Array:
    import numpy as np

    result: Array = on_simplex(U)[:, None, :] - np.eye(U.shape[1])
    return result


def _exact_slope(u: tuple[Fraction, ...]) -> list[list[Fraction]]:
    q = exactly_on_simplex(u)
    return [[x - (j == y) for j, x in enumerate(q)] for y in range(len(u))]


def _link(p: Array) -> Array:
    return p
