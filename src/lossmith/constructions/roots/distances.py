"""Surrogates whose regret is at least κ ‖x − x̂‖², for the mean x and the estimate x̂ that u tells.

*Above.* p·(ℓ_t − ℓ_s) = c + x·d for d = b_t − b_s. If t is decided only where c + x̂·d ≤ 0, and s is optimal, then
regret_L ≤ (x − x̂)·d, and c² = max ‖d‖² / κ will do, times the largest v²/w for costs v (c + x·d) and weights w of the
labels. Any c and d that are no less at all means will do as well, so for other preds than those that costs decide a
linear program finds some, with a short d, or that there are none.

* Squares: κ = 1, with equality. Projections (`divergence`): κ = 1/2, with equality where u = x̂.
* For a bit with the mean x, the squared hinge has the regret 4 (x − x̂)² for x̂ = (1 + u)/2 in [0, 1], and more beyond,
  and so has modified Huber; the logistic loss has kl(x, x̂) ≥ 2 (x − x̂)², Pinsker; the least risk of exponentials is
  2 √(x(1 − x)), with the second derivative −½ (x(1 − x))^{−3/2} ≤ −4: κ = 4, 4, 2, 2.
* The least risk of the smooth hinge is 5/2 − 1/2x − 2x for x ≥ 1/2, and the same for 1 − x, with the second derivative
  −1/x³: κ = 1/2. From 1/2 it has the regret (2x − 1)²/2x ≥ 2 (x − 1/2)², and more from beyond 1/2 on the other side: so
  κ = 2 where c + x·d = Σ d_i (x_i − 1/2), and t is decided only where every d_i (x̂_i − 1/2) ≤ 0.

*Below.* Let q be where t and s tie, and no other costs less, and let x = q + εd be a mean of the a_y, ε > 0.
* Squares, squared hinges (q in [0, 1]^d for these), projections (q a mean): regret_L ≥ ε ‖d‖² at regret_ψ = κ ε² ‖d‖².
  So c² ≥ ‖d‖² / κ. Where the pred is given by regions q is a mean for all of them: there t is decided nearby.
* Logistic losses and exponentials, if q is a mean and q_i = 1/2 wherever d_i ≠ 0: kl(1/2 + h, 1/2) = 2h² + O(h⁴), and
  1 − √(1 − 4h²) likewise, so the same as ε → 0. For the smooth hinge that is 4h² + O(h³), and (2x − 1)²/2x = 2h² for
  h = 1/2, where x_i is 0 or 1.
Points of the region of t, where it is strictly the best, come as near to q as one likes, if t is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

from lossmith.analysis.facts import Facts
from lossmith.calibration.estimates import EstimateProof
from lossmith.constructions.regret_bounds import widest_square
from lossmith.constructions.roots.bounds import NOTHING_LOST, RootRegrets, Touching
from lossmith.constructions.roots.regions import Costs, by_costs, centred, costs_of, holds, said, told, vanishing
from lossmith.exact.vectors import Row, cleared, minus, rational_dot, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polyhedron import Polyhedron

KAPPA = {
    "square": Fraction(1),
    "logistic": Fraction(2),
    "exponential": Fraction(2),
    "squared hinge": Fraction(4),
    "modified huber": Fraction(4),
    "smooth hinge": Fraction(1, 2),
    "projection": Fraction(1, 2),
}
_THEOREMS = {
    "square": "the regret of squares is a squared distance",
    "logistic": "Pinsker's inequality, coordinate by coordinate",
    "exponential": "the curvature of its least risk",
    "squared hinge": "the regret of squared hinges is at least a squared distance",
    "modified huber": "the regret is at least a squared distance",
    "smooth hinge": "the curvature of its least risk",
    "projection": "the regret is at least half a squared distance",
}
_AT_HALVES = ("logistic", "exponential", "smooth hinge")
_IN_CUBE = ("squared hinge", "modified huber")
_FROM_HALVES = Fraction(2)  # κ of the smooth hinge from 1/2; twice as much next to it
_MOST_PAIRS = 100  # of predictions, for which a linear program is solved
_MOST_PIECES = 400
_ZERO, _ONE, _HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def by_distances(
    proof: EstimateProof,
    facts: Facts,
    pred: object,
    kind: str,
    weights: Sequence[Fraction] | None = None,
    kappa: Fraction | None = None,
) -> RootRegrets | None:
    """Both bounds; with a κ of its own (`kappa`) none from below."""
    rows = costs_of(proof, facts, pred)
    if rows is not None and kind == "projection":  # what is told has all that means have in common
        rows = _centred(rows, proof)
    widths = None if rows is None else _above(proof, facts, pred, rows, kind, kappa)
    if rows is None or widths is None:
        return None
    scales = proof.scales or (_ONE,) * facts.loss.n
    unit = largest_unit(scales, weights)
    if not widths:
        return NOTHING_LOST
    if kappa is not None:
        return RootRegrets(None, widths * unit, None, "the curvature of its least risk")
    needed = {t: row for t, row in rows.items() if t in facts.kept}
    if not by_costs(pred):
        needed = _centred(needed, proof)
    inside = kind == "projection" or kind in _AT_HALVES or not by_costs(pred)
    ratio, found = _below(needed, proof.rows, scales, kind, inside)
    return RootRegrets(ratio * unit if found else None, widths * unit, found, _THEOREMS[kind])


def largest_unit(scales: Sequence[Fraction], weights: Sequence[Fraction] | None) -> Fraction:
    """The largest v²/w, for costs v (c + x·b) and weights w."""
    weights = weights or (_ONE,) * len(scales)
    return max((v * v / w for v, w in zip(scales, weights, strict=True) if w), default=_ZERO)


def _above(
    proof: EstimateProof, facts: Facts, pred: object, rows: Costs, kind: str, kappa: Fraction | None
) -> Fraction | None:
    """The largest ‖d‖²/κ; None if where t is decided does not tell that c + x̂·d ≤ 0."""
    usual, regions = kappa or KAPPA[kind], said(proof, pred)
    if by_costs(pred):
        if kind != "smooth hinge" or len(rows) ** 2 > _MOST_PAIRS:
            return widest_square([row[1:] for row in rows.values()]) / usual
        return max((_near_halves(regions[t], minus(rows[t], rows[s])) for t, s in permutations(rows, 2)), default=_ZERO)
    if not regions or sum(map(len, regions.values())) * len(facts.kept) > _MOST_PIECES:
        return None
    worst = _ZERO
    for t, pieces in regions.items():
        for row in (minus(rows[t], rows[s]) for s in facts.kept if s != t):
            for piece in pieces:
                least = told(piece, row, proof.rows)
                if least is None:
                    return None
                square = rational_dot(least[1:], least[1:])
                worst = max(worst, _near_halves([piece], least) if kind == "smooth hinge" else square / usual)
    return worst


def _near_halves(pieces: Sequence[Polyhedron], row: tuple[Fraction, ...]) -> Fraction:
    """‖d‖²/κ for the smooth hinge: less if c + x·d = Σ d_i (x_i − 1/2), and all d_i (x̂_i − 1/2) ≤ 0 on them."""
    d, halves = row[1:], row[0] == -sum(row[1:], _ZERO) / 2
    singles = [(-x / 2, *(x * y for y in unit)) for x, unit in zip(d, unit_rows(len(d)), strict=True) if x]
    sided = halves and all(holds(piece, single) for piece in pieces for single in singles)
    return rational_dot(d, d) / (_FROM_HALVES if sided else KAPPA["smooth hinge"])


def _below(
    rows: Costs, points: Sequence[tuple[Fraction, ...]], scales: Sequence[Fraction], kind: str, inside: bool
) -> tuple[Fraction, Touching | None]:
    """The largest ‖d‖²/κ of a pair that is needed and for which there is a q and a mean q + εd."""
    for t, s in _widest(rows):
        touching = _touching(rows, points, scales, t, s, kind, inside)
        if touching is not None:
            d = minus(rows[t][1:], rows[s][1:])
            width = rational_dot(d, d)
            if kind != "smooth hinge":
                return width / KAPPA[kind], touching
            far = [sum((touching.p[y] * a[i] for y, a in enumerate(points)), _ZERO) for i, x in enumerate(d) if x]
            if {*far} <= {_ZERO, _ONE}:
                return width / _FROM_HALVES, Touching(touching.p, touching.q, t, s, False)
            return width / (2 * _FROM_HALVES), touching
    return _ZERO, None


def _widest(rows: Costs) -> Iterator[tuple[int, int]]:
    """Pairs of predictions, those with the largest ‖b_t − b_s‖ first, and not too many."""

    def apart(pair: tuple[int, int]) -> Fraction:
        step = minus(rows[pair[0]][1:], rows[pair[1]][1:])
        return -rational_dot(step, step)

    yield from sorted(permutations(rows, 2), key=apart)[:_MOST_PAIRS]


def _touching(
    rows: Costs,
    points: Sequence[tuple[Fraction, ...]],
    scales: Sequence[Fraction],
    t: int,
    s: int,
    kind: str,
    inside: bool,
) -> Touching | None:
    """A q where t and s tie, and a mean q + εd of the points whose labels have the largest scale, ε > 0; or None.

    The variables are q, ε, the weights of the mean, and where q must be one those of q.
    """
    step, size = minus(rows[t][1:], rows[s][1:]), len(points[0])
    labels = [y for y, v in enumerate(scales) if v == max(scales)]
    count = len(labels) * (2 if inside else 1)
    wide = (_ZERO,) * count
    above = [(*minus(row, rows[t]), _ZERO, *wide) for r, row in rows.items() if r not in (s, t)]
    above += [(_ZERO,) * (2 + size) + row for row in _units(count)]
    equal = [(*minus(rows[t], rows[s]), _ZERO, *wide)]
    for i, unit in enumerate(_units(size)):
        mean = tuple(points[y][i] for y in labels)
        rest = (_ZERO,) * (count - len(labels))
        equal.append((_ZERO, *(-x for x in unit), -step[i], *mean, *rest))
        if inside:
            equal.append((_ZERO, *(-x for x in unit), _ZERO, *rest, *mean))
        if kind in _AT_HALVES and step[i]:
            equal.append((-_HALF, *unit, _ZERO, *wide))
        if kind in _IN_CUBE:
            above += [(_ZERO, *unit, _ZERO, *wide), (_ONE, *(-x for x in unit), _ZERO, *wide)]
    for start in range(0, count, len(labels)):
        ones = [_ONE if start <= j < start + len(labels) else _ZERO for j in range(count)]
        equal.append((-_ONE, *(_ZERO,) * (size + 1), *ones))
    bounded = (_ONE, *(_ZERO,) * size, -_ONE, *wide)  # ε ≤ 1: there need be no largest
    objective = (*(0,) * size, 1, *(0,) * count)
    best = maximize(objective, [cleared(row) for row in (*above, bounded)], [cleared(row) for row in equal])
    if best is None or best.value <= 0:
        return None
    p = [_ZERO] * len(points)
    for y, x in zip(labels, best.point[size + 1 :], strict=False):
        p[y] = x
    return Touching(tuple(p), best.point[:size], t, s, kind in _AT_HALVES)


def _centred(rows: Costs, proof: EstimateProof) -> Costs:
    free = vanishing(proof.rows)
    return {t: centred(row, free) for t, row in rows.items()}


def _units(size: int) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(_exact(row) for row in unit_rows(size))


def _exact(row: Row) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, row))
