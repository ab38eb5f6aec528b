"""Hinges of thresholds that are the same for all examples: one score for all grades."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, one_of, rational_where
from lossmith.losses import ordinal, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="W. Chu, S. S. Keerthi, New approaches to support vector ordinal regression, ICML 2005",
    latex=r"\psi_y(u) = \sum_{i < y} (1 + s(i + \tfrac32 - u))_+ + \sum_{i \geq y} (1 - s(i + \tfrac32 - u))_+ ",
    preds=("nearest",),
    kind="ordinal",
    small=({"n": 2}, {"n": 3}, {"n": 4, "form": "all"}, {"n": 4, "spacing": "1"}),
    size=lambda n, form="immediate", spacing="2": (at_least("n", n, 2), 1),
    fits=by_labels,
    verdicts=(
        Published(ordinal, "CCC", "docs/findings.md, 2026"),
        Published(zero_one, "CNN", "docs/findings.md, 2026"),
    ),
)
def fixed_threshold_hinge(n: int, form: str = "immediate", spacing: RationalLike = "2") -> PolyhedralSurrogate:
    """Σ_{i<y} (1 + s(i + 3/2 − u))₊ + Σ_{i≥y} (1 − s(i + 3/2 − u))₊, u ∈ R: grades at 1 … n, thresholds s > 0 apart.

    With form="all" the sums are over all thresholds i = 0 … n − 2, with form="immediate" over the two next to y. It is
    what `all_threshold_hinge` and `immediate_threshold_hinge` become if thresholds do not depend on the example: then
    "immediate" suits `ordinal`, if s > 1, and "all" does not.

    >>> [str(x) for x in fixed_threshold_hinge(3)([2])]
    ['2', '0', '2']
    """
    immediate = one_of("form", form, ("immediate", "all")) == "immediate"
    s = rational_where("spacing", spacing, lambda x: x > 0, "positive")

    def psi(y: int, u: list[Any]) -> Any:
        near = [i for i in ((y - 1, y) if immediate else range(n - 1)) if 0 <= i < n - 1]
        scores = [(i, s * (i + Fraction(3, 2) - u[0])) for i in near]
        return sum(pos(1 + x if i < y else 1 - x) for i, x in scores)

    name = f"fixed_threshold_hinge(n={n}, form={form}, spacing={s})"
    return PolyhedralSurrogate.from_function(psi, n=n, dim=1, name=name)
