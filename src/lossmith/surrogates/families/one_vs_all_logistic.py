"""One logistic regression for each label, each against all others."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.surrogates.against_all import one_vs_all_slopes, one_vs_all_values, own_label, own_sign
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.forms import Form
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.sigmoids import logit, sigmoid
from lossmith.surrogates.signed_margins import SignedAtLogs
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@family(
    cite="T. Zhang, Statistical analysis of some multi-category large margin classification methods, JMLR 2004",
    latex=r"\psi_y(u) = \log(1 + e^{-u_y}) + \sum_{j \neq y} \log(1 + e^{u_j})",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(Published(None, "CCC", "Zhang, JMLR 2004"),),
)
def one_vs_all_logistic(n: int) -> SmoothSurrogate:
    """log(1 + e^{−u_y}) + Σ_{j≠y} log(1 + e^{u_j}) on R^n; strictly proper with the probabilities 1 / (1 + e^{−u_y}).

    Away from the optimum these probabilities need not sum to 1.

    >>> [round(x, 4) for x in one_vs_all_logistic(3)([0, 0, 0])]  # 3 log 2
    [2.0794, 2.0794, 2.0794]
    """
    proper = ProperComposite(sigmoid, logit, monotone=True, threshold=_threshold, separate=True)
    form = Form.of("logistic", own_label(n))
    traits, at_logs = Traits(proper=proper, separate=True), SignedAtLogs(own_sign(n), margin_named("logistic"))
    return SmoothSurrogate(f"one_vs_all_logistic(n={n})", n, n, _value, _slope, traits, form=form, at_logs=at_logs)


def _value(U: Array) -> Array:
    import numpy as np

    return one_vs_all_values(np.logaddexp(0, -U), np.logaddexp(0, U))


def _slope(U: Array) -> Array:
    return one_vs_all_slopes(-sigmoid(-U), sigmoid(U))


def _threshold(tau: Fraction) -> Fraction | None:
    return Fraction(1, 2) if tau == 0 else None  # 1 / (1 + e^−τ) is irrational for other rational τ
