"""One hinge per threshold between ordered grades, each with its own function."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.thresholds import domain_of
from lossmith.surrogates.tracing import pos


@family(
    cite="F. Pedregosa, F. Bach, A. Gramfort, On the consistency of ordinal regression methods, JMLR 2017",
    latex=r"\psi_y(\alpha) = \sum_{i < y} (1 + \alpha_i)_+ + \sum_{i \geq y} (1 - \alpha_i)_+",
    preds=("sign",),
    kind="ordinal",
    small=({"n": 2}, {"n": 3}, {"n": 4}, {"n": 3, "thresholds": "ordered"}),
    size=lambda n, thresholds="free": (at_least("n", n, 2), n - 1),
    fits=by_labels,
    verdicts=(Published(ordinal, "CCC", "Pedregosa, Bach, Gramfort, JMLR 2017"),),
    aliases=("svor_imc",),
)
def all_threshold_hinge(n: int, thresholds: str = "free") -> PolyhedralSurrogate:
    """Σ_{i<y} (1 + α_i)₊ + Σ_{i≥y} (1 − α_i)₊ on R^{n−1}; the thresholds need not be ordered.

    With thresholds="ordered" the domain is α_0 ≤ α_1 ≤ …

    >>> [str(x) for x in all_threshold_hinge(3)([-1, 1])]
    ['2', '0', '2']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, a: sum(pos(1 + a[i] if i < y else 1 - a[i]) for i in range(n - 1)),
        n=n,
        dim=n - 1,
        domain=domain_of(thresholds),
        name=f"all_threshold_hinge(n={n}{', thresholds=ordered' * (thresholds == 'ordered')})",
    )
