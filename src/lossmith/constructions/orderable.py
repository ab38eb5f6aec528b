"""Losses whose predictions can be ordered so that one real number decides between them.

CCdim(L) = 1 exactly for these (Finocchiaro, Frongillo & Waggoner, *Embedding dimension of polyhedral losses*, COLT
2020; Lambert, *Elicitation and evaluation of statistical forecasts*, 2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, combinations, pairwise
from math import gcd, lcm

from lossmith.analysis.redundancy import redundant_predictions
from lossmith.constructions import Construction
from lossmith.constructions.factorization import kept_predictions
from lossmith.errors import BadInput
from lossmith.geometry.double_description import Row
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.tracing import Affine

_THEOREM = (
    "ψ is convex, ψ(φ_j) = ℓ of the j-th prediction, and between two knots p·ψ is linear: some knot is optimal, "
    "and nearly optimal u are near optimal knots (thm:condition-sufficient)"
)


def order_of(loss: LossMatrix) -> tuple[int, ...] | None:
    """The predictions that are not redundant, ordered so that consecutive cells meet in a full section of the simplex.

    The cells Q_s and Q_t meet in a full section if {p ∈ Δ : p·ℓ_s = p·ℓ_t} ⊆ Q_s. Such a section separates Δ, and no
    cell has interior points on both sides of it, so the pairs of cells that meet in full sections form a forest; the
    order exists if this is a path through all of them. Of the two directions, the one that begins with the smaller
    index is returned; None if there is no order.

    >>> from lossmith.losses import abstain, ordinal, zero_one
    >>> order_of(ordinal(4)), order_of(zero_one(3)), order_of(abstain(2, cost="1/3"))
    ((0, 1, 2, 3), None, (0, 2, 1))
    """
    near = sections_of(loss)
    kept = list(near)
    order = [next((t for t in kept if len(near[t]) < 2), kept[0])]
    while following := [t for t in near[order[-1]] if t not in order]:
        order.append(following[0])
    return tuple(order) if len(order) == len(kept) else None


def sections_of(loss: LossMatrix) -> dict[int, list[int]]:
    """For each prediction that is not redundant, those whose cells meet its cell in a full section of the simplex.

    >>> from lossmith.losses import abstain
    >>> sections_of(abstain(3))
    {0: [3], 1: [3], 2: [3], 3: [0, 1, 2]}
    """
    columns = loss.matrix.integer_columns()
    dropped = {each.prediction for each in redundant_predictions(loss)}
    kept = [t for t in range(loss.k) if t not in dropped]
    near: dict[int, list[int]] = {t: [] for t in kept}
    for s, t in combinations(kept, 2):
        if _meet_in_full_section(columns, kept, s, t):
            near[s].append(t)
            near[t].append(s)
    return near


def orderable(loss: LossMatrix) -> Construction:
    """The one-dimensional surrogate of an orderable loss: ψ_y interpolates L_yr between knots φ_r on the line.

    With the order r_1 … r_k and v_j = ℓ_{r_{j+1}} − ℓ_{r_j}, the half-spaces v_j·p ≥ 0 of Δ are nested, so by Farkas'
    lemma c_j v_j ≤ c_{j+1} v_{j+1} for some c_j > 0 (c = 0 would make a prediction redundant). With knots at distances
    1/c_j the slopes c_j v_j increase: ψ is convex. Beyond the first and the last knot it rises for every label, as
    steeply as the steepest label beside it. The distances are small integers, all 1 where possible.

    The pred takes the nearest knot φ_t: regret_L ≤ 2 regret_ψ. Between two knots p·ψ is linear, so that at least half
    of its excess at φ_t, which is regret_L(p, t), is left at u; beyond the last knots it rises. Half-way, no less than
    2 will do.

    >>> from lossmith.losses import ordinal
    >>> made = orderable(ordinal(3))
    >>> made.surrogate.terms[1] == (((1, -1), (-1, 1)),)         # |u − 1|
    True
    >>> [made.pred([u]) for u in (-5, "2/5", "3/5", 2)]
    [0, 0, 1, 2]
    """
    kept_predictions(loss)
    order = order_of(loss)
    if order is None:
        raise BadInput(
            f"{loss.name} is not orderable: in no order of its predictions do consecutive cells meet in full sections "
            f"of the simplex, so one dimension is not enough; use max_min_hinge or linear"
        )
    columns = [loss.column(t) for t in order]
    steps = [tuple(b - a for a, b in zip(one, two, strict=True)) for one, two in pairwise(columns)]
    gaps = _gaps(steps)
    knots = [Fraction(x) for x in accumulate(gaps, initial=0)]
    slopes = [tuple(v / gap for v in step) for step, gap in zip(steps, gaps, strict=True)]
    ends = (min(slopes[0]), max(slopes[-1]))  # the first is negative, the last positive: no prediction is dominated
    terms = tuple(
        (_interpolation([c[y] for c in columns], knots, [s[y] for s in slopes], ends),) for y in range(loss.n)
    )
    surrogate = PolyhedralSurrogate(terms, 1, name=f"orderable({loss.name})")
    return Construction("orderable", surrogate, _nearest(knots, order, loss.k), _THEOREM, Fraction(2))


def _meet_in_full_section(columns: Sequence[Sequence[int]], kept: Sequence[int], s: int, t: int) -> bool:
    """Whether s is optimal at all vertices of the section {p ∈ Δ : p·(ℓ_t − ℓ_s) = 0}, among the kept predictions."""
    own = columns[s]
    others = [[a - b for a, b in zip(columns[r], own, strict=True)] for r in kept if r not in (s, t)]
    step = [a - b for a, b in zip(columns[t], own, strict=True)]
    for y, at in enumerate(step):
        if at == 0 and any(other[y] < 0 for other in others):
            return False
    crossed = [(y, z) for y, at in enumerate(step) if at > 0 for z, below in enumerate(step) if below < 0]
    # On the edge from y to z the section has the point proportional to −step_z e_y + step_y e_z.
    return all(step[y] * other[z] >= step[z] * other[y] for other in others for y, z in crossed)


def _gaps(steps: Sequence[Sequence[Fraction]]) -> Row:
    """Distances 1/c_j between the knots, as integers without common divisor: c_j v_j ≤ c_{j+1} v_{j+1}."""
    gaps = [Fraction(1)]
    for before, after in pairwise(steps):
        least, most = _ratios(before, after)
        gaps.append(gaps[-1] / _simplest(least, most))
    common = lcm(*(gap.denominator for gap in gaps))
    whole = [int(gap * common) for gap in gaps]
    return tuple(gap // gcd(*whole) for gap in whole)


def _ratios(before: Sequence[Fraction], after: Sequence[Fraction]) -> tuple[Fraction, Fraction | None]:
    """The interval of all x > 0 with before ≤ x · after; None for no upper end, and 0 for a lower end that is open."""
    least = max((a / b for a, b in zip(before, after, strict=True) if b > 0), default=Fraction(0))
    most = min((a / b for a, b in zip(before, after, strict=True) if b < 0), default=None)
    flat = any(a > 0 for a, b in zip(before, after, strict=True) if b == 0)
    if flat or (most is not None and (most <= 0 or most < least)):
        raise AssertionError("the half-spaces of an orderable loss are nested")
    return max(least, Fraction(0)), most


def _simplest(least: Fraction, most: Fraction | None) -> Fraction:
    """The positive number of least denominator, then least numerator, from `least` to `most`; 1 if possible."""
    if least <= 1 and (most is None or most >= 1):
        return Fraction(1)
    whole = -(-least.numerator // least.denominator)
    if whole > 0 and (most is None or whole <= most):
        return Fraction(whole)
    assert most is not None  # else the next integer would do
    below = least.numerator // least.denominator
    rest = None if least == below else 1 / (least - below)
    return below + 1 / _simplest(1 / (most - below), rest)


def _interpolation(
    values: Sequence[Fraction], knots: Sequence[Fraction], slopes: Sequence[Fraction], ends: tuple[Fraction, Fraction]
) -> tuple[Affine, ...]:
    """The lines through the knots whose maximum is ψ_y: they are all below it, since the slopes increase."""
    lines = [(values[0] - ends[0] * knots[0], ends[0])]
    lines += [(value - slope * knot, slope) for value, slope, knot in zip(values, slopes, knots)]
    lines.append((values[-1] - ends[1] * knots[-1], ends[1]))
    return tuple(dict.fromkeys(lines))


def _nearest(knots: Sequence[Fraction], order: Sequence[int], k: int) -> Pred:
    regions: list[tuple[Polyhedron, ...]] = [()] * k
    middles = [(a + b) / 2 for a, b in pairwise(knots)]
    for j, t in enumerate(order):
        above = [(-middles[j - 1], Fraction(1))] if j else []
        below = [(middles[j], Fraction(-1))] if j < len(middles) else []
        regions[t] = (Polyhedron(1, (*above, *below)),)
    return Pred("nearest knot", 1, tuple(regions))
