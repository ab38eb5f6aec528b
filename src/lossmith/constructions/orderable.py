"""Losses whose predictions can be ordered so that one real number decides between them.

CCdim(L) = 1 exactly for these (Finocchiaro, Frongillo & Waggoner, *Embedding dimension of polyhedral losses*, COLT
2020; Lambert, *Elicitation and evaluation of statistical forecasts*, 2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

from lossmith.analysis.facts import Facts
from lossmith.analysis.sections import ratios
from lossmith.constructions.factorization import kept_predictions
from lossmith.dimension.construction import Construction
from lossmith.errors import BadInput
from lossmith.exact.vectors import Row, cleared, minus, primitive
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.tracing import Affine


def orderable(facts: Facts) -> Construction:
    """The one-dimensional surrogate of an orderable loss: ψ_y interpolates L_yr between knots φ_r on the line.

    With the order r_1 … r_k and v_j = ℓ_{r_{j+1}} − ℓ_{r_j}, the half-spaces v_j·p ≥ 0 of Δ are nested, so by Farkas'
    lemma c_j v_j ≤ c_{j+1} v_{j+1} for some c_j > 0 (c = 0 would make a prediction redundant). With knots at distances
    1/c_j the slopes c_j v_j increase: ψ is convex. Beyond the first and the last knot it rises for every label, as
    steeply as the steepest label beside it. So p·ψ is linear between knots, and some knot is optimal
    (`thm:condition-sufficient`). The distances are small integers, all 1 where possible.

    The pred takes the nearest knot φ_t: regret_L ≤ 2 regret_ψ. Between two knots p·ψ is linear, so that at least half
    of its excess at φ_t, which is regret_L(p, t), is left at u; beyond the last knots it rises. Half-way, no less than
    2 will do.

    >>> from lossmith.losses import ordinal
    >>> made = orderable(Facts(ordinal(3)))
    >>> made.surrogate.terms[1] == (((1, -1), (-1, 1)),)         # |u − 1|
    True
    >>> [made.pred([u]) for u in (-5, "2/5", "3/5", 2)]
    [0, 0, 1, 2]
    """
    kept_predictions(facts)
    loss, order = facts.loss, facts.order
    if order is None:
        raise BadInput(
            f"{loss.name} is not orderable: in no order of its predictions do consecutive cells meet in full sections "
            f"of the simplex, so one dimension is not enough; use max_min_hinge or linear"
        )
    columns, scale = [facts.columns[t] for t in order], loss.rational.denominator
    steps = [minus(two, one) for one, two in pairwise(columns)]
    gaps = _gaps(steps)
    knots = [Fraction(x) for x in accumulate(gaps, initial=0)]
    slopes = [tuple(Fraction(v, gap * scale) for v in step) for step, gap in zip(steps, gaps, strict=True)]
    ends = (min(slopes[0]), max(slopes[-1]))  # the first is negative, the last positive: no prediction is dominated
    terms = tuple(
        (_interpolation([row[t] for t in order], knots, [s[y] for s in slopes], ends),)
        for y, row in enumerate(loss.entries)
    )
    surrogate = PolyhedralSurrogate(terms, 1, name=f"orderable({loss.name})")
    return Construction("orderable", surrogate, _nearest(knots, order, loss.k), Fraction(2))


def _gaps(steps: Sequence[Sequence[int]]) -> Row:
    """Distances 1/c_j between the knots, as integers without common divisor: c_j v_j ≤ c_{j+1} v_{j+1}."""
    gaps = [Fraction(1)]
    for before, after in pairwise(steps):
        allowed = ratios(before, after)
        assert allowed is not None, "the half-spaces of an orderable loss are nested"
        gaps.append(gaps[-1] / _simplest(*allowed))
    return primitive(cleared(gaps))


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
