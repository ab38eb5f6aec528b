"""Cross-entropy after softmax: multinomial logistic regression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.surrogates.against_all import own_label
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.forms import Form
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@family(
    cite="T. Zhang, Statistical analysis of some multi-category large margin classification methods, JMLR 2004; "
    "E. Vernet, R. C. Williamson, M. D. Reid, Composite multiclass losses, NeurIPS 2011",
    latex=r"\psi_y(u) = \log \sum_j e^{u_j} - u_y",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(Published(None, "CCC", "Vernet, Williamson, Reid, NeurIPS 2011"),),
)
def softmax(n: int) -> SmoothSurrogate:
    """log Σ_j e^{u_j} − u_y on R^n; strictly proper composite with the probabilities e^{u_y} / Σ_j e^{u_j}.

    >>> [round(x, 4) for x in softmax(3)([1, 0, 0])]  # e^u = (e, 1, 1)
    [0.5514, 1.5514, 1.5514]
    """
    traits = Traits(proper=ProperComposite(_probabilities, _link, monotone=True))
    return SmoothSurrogate(f"softmax(n={n})", n, n, _value, _slope, traits, form=Form.of("softmax", own_label(n)))


def _value(U: Array) -> Array:
    import numpy as np

    below = U - U.max(axis=1, keepdims=True)
    result: Array = np.log(np.exp(below).sum(axis=1, keepdims=True)) - below
    return result


def _probabilities(U: Array) -> Array:
    import numpy as np

    shares = np.exp(U - U.max(axis=1, keepdims=True))
    result: Array = shares / shares.sum(axis=1, keepdims=True)
    return result


def _slope(U: Array) -> Array:
    import numpy as np

    result: Array = _probabilities(U)[:, None, :] - np.eye(U.shape[1])
    return result


def _link(p: Array) -> Array:
    import numpy as np

    result: Array = np.log(np.maximum(p, np.finfo(float).tiny))
    return result
