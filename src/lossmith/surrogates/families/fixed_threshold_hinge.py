"""Hinges of thresholds that are the same for all examples: one score for all grades."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, one_of, rational_where
from lossmith.losses import ordinal, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.number_lists import Numbers, rising, spelled
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


def _thresholds(n: int, thresholds: Numbers, spacing: RationalLike | None) -> tuple[Fraction, ...]:
    b = rising("thresholds", thresholds)
    if len(b) != n - 1:
        raise BadInput(f"{len(b)} thresholds, {spelled(b)}, are between {len(b) + 1} grades, and n is {n}; change one")
    if spacing is not None:
        raise BadInput(f"the thresholds {spelled(b)} and the spacing {spacing} are given; give one of them")
    return b


def _size(
    n: int, form: str = "immediate", spacing: RationalLike | None = None, thresholds: Numbers | None = None
) -> tuple[int, int]:
    return at_least("n", n, 2), 1


@family(
    cite="W. Chu, S. S. Keerthi, New approaches to support vector ordinal regression, ICML 2005",
    latex=r"\psi_y(u) = \sum_{i < y} (1 + s(i + \tfrac32 - u))_+ + \sum_{i \geq y} (1 - s(i + \tfrac32 - u))_+ ",
    preds=("nearest",),
    kind="ordinal",
    small=({"n": 2}, {"n": 3}, {"n": 4, "form": "all"}, {"n": 4, "spacing": "1"}, {"n": 4, "thresholds": "0 1 3"}),
    size=_size,
    fits=by_labels,
    verdicts=(
        Published(ordinal, "CCC", "docs/findings.md, 2026"),
        Published(ordinal, "CCC", "docs/findings.md, 2026", pred="nearest"),
        Published(zero_one, "CNN", "docs/findings.md, 2026"),
    ),
)
def fixed_threshold_hinge(
    n: int, form: str = "immediate", spacing: RationalLike | None = None, thresholds: Numbers | None = None
) -> PolyhedralSurrogate:
    """Σ_{i<y} (1 + s(i + 3/2 − u))₊ + Σ_{i≥y} (1 − s(i + 3/2 − u))₊, u ∈ R: grades at 1 … n, thresholds s > 0 apart.

    With form="all" the sums are over all thresholds i = 0 … n − 2, with form="immediate" over the two next to y. It is
    what `all_threshold_hinge` and `immediate_threshold_hinge` become if thresholds do not depend on the example. They
    are s = 2 apart; `spacing` is another s. Any others, b_0 < b_1 < …, are given as `thresholds`, in place of it: then
    b_i − u stands for s(i + 3/2 − u), and what is "nearest" with equal spacing is "cuts:at=b_0 b_1 …".

    "immediate" suits `ordinal` if and only if all b_{i+2} − b_i > 2, and with that pred if and only if all
    b_{i+1} − b_i > 1; "all" does not, for n ≥ 3 (docs/findings.md).

    >>> [str(x) for x in fixed_threshold_hinge(3)([2])]
    ['2', '0', '2']
    >>> [str(x) for x in fixed_threshold_hinge(4, thresholds="0 1 3")([2])]
    ['3', '2', '0', '2']
    """
    immediate = one_of("form", form, ("immediate", "all")) == "immediate"
    if thresholds is None:
        s = rational_where("spacing", "2" if spacing is None else spacing, lambda x: x > 0, "positive")
        b, told = tuple(s * Fraction(2 * i + 3, 2) for i in range(n - 1)), f"spacing={s}"
    else:
        s, b = Fraction(1), _thresholds(n, thresholds, spacing)
        told = f"thresholds={spelled(b)}"

    def psi(y: int, u: list[Any]) -> Any:
        near = [i for i in ((y - 1, y) if immediate else range(n - 1)) if 0 <= i < n - 1]
        return sum(pos(1 + b[i] - s * u[0] if i < y else 1 - b[i] + s * u[0]) for i in near)

    name = f"fixed_threshold_hinge(n={n}, form={form}, {told})"
    return PolyhedralSurrogate.from_function(psi, n=n, dim=1, name=name)
