"""Scores against a background of exponentials: Poisson regression on the label."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.against_all import own_label
from lossmith.surrogates.cross_entropies import link_of_shares
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Reading, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_MOST = 700.0  # e^709 is the largest power that floats hold


@family(
    cite="T. Zhang, Statistical analysis of some multi-category large margin classification methods, JMLR 2004",
    latex=r"\psi_y(u) = \sum_j e^{u_j} - u_y",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(Published(None, "CCC", "Zhang, JMLR 2004"),),
    formless="boosting has the objective poisson, one score at a time",
)
def background_discriminative(n: int) -> SmoothSurrogate:
    """Σ_j e^{u_j} − u_y on R^n: e^{u_j} tells the probability of label j. It is at least 1.

    With σ = Σ_j e^{u_j} its regret is σ − 1 − log σ ≥ 0 and the divergence of e^u/σ.

    >>> background_discriminative(3)([0, 0, 0])
    (3.0, 3.0, 3.0)
    """
    positive = tuple((Fraction(0), *row) for row in own_label(n))
    reading = Reading(_exponential, link_of_shares, Polyhedron(n, positive), ordered=True)
    traits = Traits(mean=own_label(n), reading=reading, divergence="Kullback-Leibler")
    return SmoothSurrogate(f"background_discriminative(n={n})", n, n, _value, _slope, traits)


def _exponential(U: Array) -> Array:
    import numpy as np

    result: Array = np.exp(np.minimum(U, _MOST))
    return result


def _value(U: Array) -> Array:
    result: Array = _exponential(U).sum(axis=1, keepdims=True) - U
    return result


def _slope(U: Array) -> Array:
    import numpy as np

    result: Array = _exponential(U)[:, None, :] - np.eye(U.shape[1])
    return result
