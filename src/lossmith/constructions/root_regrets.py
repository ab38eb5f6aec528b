"""Regrets of smooth surrogates: regret_L ≤ c √regret_ψ, and how much less than c will not do.

*Above.* The pred takes the least c_t + q·b_t, where q is what is read off u, and with the mean x = Σ p_y a_y
p·(ℓ_t − ℓ_s) = c_t − c_s + x·(b_t − b_s). If it says t and s is optimal, regret_L(p, t) ≤ (x − q)·d for d = b_t − b_s.

* Squares, squared hinges, logistic losses, exponentials, one for each coordinate: regret_ψ ≥ κ ‖x − q‖² with
  κ = 1, 4, 2, 2. (For a bit with the mean x, the squared hinge has the regret 4 (x − q)² for q = (1 + u)/2 in [0, 1],
  and more beyond, and so has modified Huber; the logistic loss has kl(x, q) ≥ 2 (x − q)², Pinsker; the least risk of
  exponentials is 2 √(x(1 − x)), with the second derivative −½ (x(1 − x))^{−3/2} ≤ −4.) So c² = max ‖d‖² / κ.
* Sparsemax: regret_ψ ≥ ½ ‖p − q‖², with equality at u = q. As p − q has the sum 0, d may be taken less its mean.
* Powers of the sum of exponentials (`comp_sum`, 0 ≤ τ ≤ 1, q = softmax((2 − τ)u)), of which softmax is τ = 1:
  c² = 2^τ (2 − τ) max (max d − min d)² / 4, over all t that are made and all s that are needed. It holds for every pred
  that is calibrated, as t is then optimal at q. For τ = 1, regret_ψ = KL(p, q) ≥ ‖p − q‖₁² / 2 (Pinsker), and
  (p − q)·d ≤ ‖p − q‖₁ (max d − min d) / 2. For others, regret_ψ is the Bregman divergence of −H_ψ, whose second
  derivative along h, Σ h_y = 0, is at least 2 (d·h)² / c²: docs/beyond-the-paper.md. What else has a regret of
  KL(p, q) or more, and of no more at some u for each q > 0, has the bounds of softmax.
* Cross-entropy w (log Σ e^{u_j} − a_y·u) with shares a_y, as of smoothed labels: w KL(x, q), q = softmax(u), for the
  mean x of the a_y. With p·(ℓ_t − ℓ_s) = v (c_t − c_s + x·d) likewise c² = v²/w max (max d − min d)² / 2.

*Below.* Let q be where t and s tie, and no other costs less, and let x = q + εd be a mean of the a_y, ε > 0.
* Squares, squared hinges (q in [0, 1]^d for these), sparsemax (q in Δ): regret_L ≥ ε ‖d‖² at regret_ψ = κ ε² ‖d‖². So
  c² ≥ ‖d‖² / κ.
* Logistic losses and exponentials, if q is a mean and q_i = 1/2 wherever d_i ≠ 0: kl(1/2 + h, 1/2) = 2h² + O(h⁴), and
  1 − √(1 − 4h²) likewise, so the same as ε → 0.
* Softmax: at p = q + h q∘d, where q·d = 0, regret_L ≥ p·d = h Σ q_y d_y², and KL(p, q) = h² Σ q_y d_y² / 2 + O(h³). So
  c² ≥ 2 Σ q_y d_y² for every q at which t and s are optimal: a linear program for each pair. No logarithm is computed.
* Targets: the same for means q, with e = d + c_t − c_s in place of d and v²/w, if q + h q∘e is a mean for some h > 0, a
  linear program. Or if the a_y are a basis, and t and s optimal at some p > 0: such p then come as near as one likes.
* For τ < 1: if t and s are optimal where labels a and b have 1/2 each, and d_a = −d_b > 0, then at p = (1 ± h)/2
  regret_L ≥ h d_a, and regret_ψ = h² / (2^τ (2 − τ)) + O(h⁴). So c² ≥ 2^τ (2 − τ) d_a².
Points of the region of t, where it is strictly the best, come as near to q as one likes, if t is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

from lossmith.analysis.facts import Facts
from lossmith.constructions.regret_bounds import squared_constant
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank
from lossmith.exact.vectors import Row, cleared, minus, primitive, rational_dot, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.families.comp_sum import tau_of
from lossmith.surrogates.forms import Form
from lossmith.surrogates.pred import Decide, Pred
from lossmith.surrogates.smooth import SmoothSurrogate

_MOST_PAIRS = 100  # of predictions, for which a linear program is solved
_FACTORS = {"square": 1, "logistic": 2, "exponential": 2, "squared hinge": 4, "modified huber": 4}
_AT_HALVES = ("logistic", "exponential")
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Touching:
    """Where the lower bound is attained: `prediction` is decided at q, or as near as one likes, and s is better at p.

    With `limit`, it is approached as p tends to q.
    """

    p: tuple[Fraction, ...]
    q: tuple[Fraction, ...]
    prediction: int
    better: int
    limit: bool


@dataclass(frozen=True)
class RootRegrets:
    """c² from below, where a pair of predictions is known that needs so much, and from above, both · 2^`doublings`."""

    lower: Fraction | None
    upper: Fraction
    touching: Touching | None
    theorem: str
    doublings: Fraction = _ZERO


_NOTHING_LOST = RootRegrets(_ZERO, _ZERO, None, "one decision is always optimal")


def root_regrets(surrogate: SmoothSurrogate, facts: Facts, pred: object) -> RootRegrets | None:
    """What is known of a smooth surrogate that is calibrated for a loss with this pred; None if that is nothing."""
    form, divergence = surrogate.form, surrogate.traits.divergence
    tau = _ONE if divergence == "Kullback-Leibler" else tau_of(surrogate)
    if tau is not None:
        if isinstance(pred, Decide) and any(row[0] for row in pred.affine if row is not None):
            return None  # what is told may have another sum than 1
        return _by_spans(facts, _made(pred, facts), tau, _ONE)
    if divergence == "half square":
        return _by_projections(facts, _made(pred, facts))
    if form is None or form.kind not in (*_FACTORS, "softmax"):
        return None
    if form.kind == "softmax":
        if len({*form.weights}) > 1:
            return None
        if form.rows == tuple(unit_rows(surrogate.n)):
            return _by_spans(facts, _made(pred, facts), _ONE, form.weights[0])
        return _by_targets(facts, pred, form) if isinstance(pred, Decide) else None
    if isinstance(pred, Pred) and form.kind == "square":
        pred = _as_decide(surrogate, facts.loss, pred, form.rows)
    if not isinstance(pred, Decide):
        return None
    if form.kind == "square":
        upper = squared_constant(pred)
        return None if upper is None else _by_distances(facts, pred, upper, form)
    if len({*form.weights}) > 1:
        return None
    slopes = [row[1:] for row in pred.affine if row is not None]
    return _by_distances(facts, pred, _widest_square(slopes) * _unit(pred, form) / _FACTORS[form.kind], form)


def _unit(pred: Decide, form: Form) -> Fraction:
    """The largest v²/w, for costs v (c + x·b) and weights w."""
    scales = pred.surrogate.traits.scales or (_ONE,) * len(form.weights)
    return max((v * v / w for v, w in zip(scales, form.weights, strict=True) if w), default=_ZERO)


def _widest_square(slopes: Sequence[Sequence[Fraction]]) -> Fraction:
    return max((rational_dot(d, d) for d in (minus(a, b) for a, b in combinations(slopes, 2))), default=_ZERO)


def _as_decide(
    surrogate: SmoothSurrogate, loss: LossMatrix, pred: Pred, points: Sequence[tuple[Fraction, ...]]
) -> Decide | None:
    """A pred by regions, such as argmax, as one of least expected loss, if its rows say so; else None.

    They do if each polyhedron where t is said has, for each other s, a row that is p·(ℓ_s − ℓ_t) ≥ 0 for the mean of p.
    """
    scales = surrogate.traits.scales or (_ONE,) * loss.n
    made = [t for t, region in enumerate(pred.regions) if region]
    affine: list[tuple[Fraction, ...] | None] = [None] * loss.k
    affine[made[0]] = (_ZERO,) * (1 + surrogate.dim)
    for t in made[1:]:
        affine[t] = _row_against(pred, t, made[0], points, _costs(loss, t, made[0], scales))
    for t, s in permutations(made, 2):
        first, second = affine[t], affine[s]
        if first is None or second is None:
            return None
        for piece in pred.regions[t]:
            against = minus(second, first)
            if not any(_same_side(row, against) for row in piece.inequalities):
                return None
    return Decide(surrogate, tuple(affine), "means")


def _costs(loss: LossMatrix, t: int, s: int, scales: Sequence[Fraction]) -> list[Fraction]:
    return [(row[t] - row[s]) / v for row, v in zip(loss.entries, scales, strict=True)]


def _row_against(
    pred: Pred, t: int, s: int, points: Sequence[tuple[Fraction, ...]], costs: Sequence[Fraction]
) -> tuple[Fraction, ...] | None:
    """The row of the region of t, reversed and scaled, that has these values at the points: what t costs over s."""
    for row in pred.regions[t][0].inequalities:
        values = [row[0] + rational_dot(row[1:], a) for a in points]
        ratios = {-cost / x for cost, x in zip(costs, values, strict=True) if x}
        if len(ratios) == 1 and all(x or not cost for cost, x in zip(costs, values, strict=True)):
            (ratio,) = ratios
            if ratio > 0:
                return tuple(-ratio * x for x in row)
    return None


def _same_side(row: Sequence[Fraction], other: Sequence[Fraction]) -> bool:
    """Whether one row is a positive multiple of the other."""
    return primitive(cleared(row)) == primitive(cleared(other))


_THEOREMS = {
    "square": "the regret of squares is a squared distance",
    "logistic": "Pinsker's inequality, coordinate by coordinate",
    "exponential": "the curvature of its least risk",
    "squared hinge": "the regret of squared hinges is at least a squared distance",
    "modified huber": "the regret is at least a squared distance",
    "projection": "the regret is at least half a squared distance",
}


def _by_distances(facts: Facts, pred: Decide, upper: Fraction, form: Form) -> RootRegrets:
    scales = pred.surrogate.traits.scales or (_ONE,) * facts.loss.n
    rows = {t: row for t, row in enumerate(pred.affine) if row is not None}
    width, found = _farthest(facts, rows, form.rows, scales, form.kind)
    lower = width * _unit(pred, form) / _FACTORS[form.kind] if found else None
    return RootRegrets(lower, upper, found, _THEOREMS[form.kind])


def _by_projections(facts: Facts, made: Sequence[int]) -> RootRegrets:
    """On Δ p·ℓ_t is the mean of ℓ_t and p·b_t, for b_t what ℓ_t is above it."""
    loss, rows = facts.loss, {}
    for t in {*made, *facts.kept}:
        column = loss.column(t)
        mean = sum(column, _ZERO) / loss.n
        rows[t] = (mean, *(x - mean for x in column))
    upper = max(_widest_square([rows[t][1:], rows[s][1:]]) for t in made for s in facts.kept)
    if not upper:
        return _NOTHING_LOST
    width, found = _farthest(facts, rows, tuple(map(_exact, unit_rows(loss.n))), (_ONE,) * loss.n, "projection")
    return RootRegrets(2 * width if found else None, 2 * upper, found, _THEOREMS["projection"])


def _farthest(
    facts: Facts,
    rows: dict[int, tuple[Fraction, ...]],
    points: Sequence[tuple[Fraction, ...]],
    scales: Sequence[Fraction],
    kind: str,
) -> tuple[Fraction, Touching | None]:
    """The largest ‖d‖² of a pair that is needed and for which there is a q and a mean q + εd."""
    for t, s in _widest({t: row for t, row in rows.items() if t in facts.kept}):
        touching = _touching(rows, points, scales, t, s, kind)
        if touching is not None:
            return _widest_square([rows[t][1:], rows[s][1:]]), touching
    return _ZERO, None


def _widest(rows: dict[int, tuple[Fraction, ...]]) -> Iterator[tuple[int, int]]:
    """Pairs of predictions, those with the largest ‖b_t − b_s‖ first, and not too many."""

    def apart(pair: tuple[int, int]) -> Fraction:
        step = minus(rows[pair[0]][1:], rows[pair[1]][1:])
        return -rational_dot(step, step)

    yield from sorted(permutations(rows, 2), key=apart)[:_MOST_PAIRS]


def _touching(
    rows: dict[int, tuple[Fraction, ...]],
    points: Sequence[tuple[Fraction, ...]],
    scales: Sequence[Fraction],
    t: int,
    s: int,
    kind: str,
) -> Touching | None:
    """A q where t and s tie, and a mean q + εd of the points whose labels have the largest scale, ε > 0; or None.

    The variables are q, ε, the weights of the mean, and where q must be one those of q.
    """
    inside = kind == "projection" or kind in _AT_HALVES
    step, size = minus(rows[t][1:], rows[s][1:]), len(points[0])
    labels = [y for y, v in enumerate(scales) if v == max(scales)]
    count = len(labels) * (2 if inside else 1)
    wide = (_ZERO,) * count
    above = [(*minus(row, rows[t]), _ZERO, *wide) for r, row in rows.items() if r not in (s, t)]
    above += [(_ZERO,) * (2 + size) + row for row in map(_exact, unit_rows(count))]
    equal = [(*minus(rows[t], rows[s]), _ZERO, *wide)]
    for i, unit in enumerate(map(_exact, unit_rows(size))):
        mean = tuple(points[y][i] for y in labels)
        rest = (_ZERO,) * (count - len(labels))
        equal.append((_ZERO, *(-x for x in unit), -step[i], *mean, *rest))
        if inside:
            equal.append((_ZERO, *(-x for x in unit), _ZERO, *rest, *mean))
        if kind in _AT_HALVES and step[i]:
            equal.append((Fraction(-1, 2), *unit, _ZERO, *wide))
        if kind in ("squared hinge", "modified huber"):
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


def _exact(row: Row) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, row))


def _made(pred: object, facts: Facts) -> list[int]:
    """The predictions that the pred makes."""
    if isinstance(pred, Decide):
        return [t for t, row in enumerate(pred.affine) if row is not None]
    if isinstance(pred, Pred):
        return [t for t, region in enumerate(pred.regions) if region]
    return list(range(facts.loss.k))


def _by_spans(facts: Facts, made: Sequence[int], tau: Fraction, weight: Fraction) -> RootRegrets:
    """Both bounds from the columns: above for those that are made, against those that are needed."""
    columns = [facts.loss.column(t) for t in range(facts.loss.k)]
    width = max(_span(minus(columns[t], columns[s])) ** 2 for t in made for s in facts.kept) / 4
    if not width:
        return _NOTHING_LOST
    factor, doublings = ((2 - tau) / weight, tau) if tau < 1 else (2 / weight, _ZERO)
    costs = {t: columns[t] for t in facts.kept}
    units = tuple(map(_exact, unit_rows(facts.loss.n)))
    variance, found = _at_halves(facts) if tau < 1 else _at_ties(facts, costs, units)
    theorem = "the curvature of its least risk" if tau < 1 else "Pinsker's inequality"
    return RootRegrets(factor * variance if found else None, factor * width, found, theorem, doublings)


def _by_targets(facts: Facts, pred: Decide, form: Form) -> RootRegrets:
    """Both bounds for the means of the targets, whose entries sum to 1: a constant is added to b_t for c_t."""
    costs = {t: tuple(row[0] + x for x in row[1:]) for t, row in enumerate(pred.affine) if row is not None}
    unit = _unit(pred, form)
    width = max((_span(minus(a, b)) ** 2 for a, b in combinations(costs.values(), 2)), default=_ZERO) / 2
    if not width:
        return _NOTHING_LOST
    variance, found = _at_ties(facts, costs, form.rows)
    return RootRegrets(2 * unit * variance if found else None, unit * width, found, "Pinsker's inequality")


def _at_ties(
    facts: Facts, costs: dict[int, tuple[Fraction, ...]], targets: Sequence[tuple[Fraction, ...]]
) -> tuple[Fraction, Touching | None]:
    """The largest Σ q_i d_i², of pairs that are needed, at a mean q of the targets where they are optimal."""
    needed = [t for t in facts.kept if t in costs]
    wide = sorted(permutations(needed, 2), key=lambda pair: -_most(minus(costs[pair[0]], costs[pair[1]])))
    plain = tuple(targets) == tuple(unit_rows(facts.loss.n))
    basis = rank(integer_matrix([cleared(row) for row in targets])) == len(targets[0])
    best, found = _ZERO, None
    for t, s in wide[:_MOST_PAIRS]:
        d = minus(costs[t], costs[s])
        squares = [x * x for x in d]
        if _most(d) <= best:
            break
        p = _likeliest(facts, t, s, [rational_dot(row, squares) for row in targets])
        if p is None:
            continue
        q = tuple(rational_dot(p, column) for column in zip(*targets, strict=True))
        value = rational_dot(q, squares)
        if value > best and (plain or _reached(targets, q, d) or (basis and _tie_inside(facts, t, s))):
            best, found = value, Touching(p, q, t, s, True)
    return best, found


def _reached(targets: Sequence[tuple[Fraction, ...]], q: Sequence[Fraction], d: Sequence[Fraction]) -> bool:
    """Whether q + h q∘d is a mean of the targets, for some h > 0."""
    n = len(targets)
    equal = [cleared((x, x * y, *(-row[i] for row in targets))) for i, (x, y) in enumerate(zip(q, d, strict=True))]
    above = [(0, 0, *row) for row in unit_rows(n)]
    best = maximize([1] + [0] * n, [*above, (1, -1, *[0] * n)], equal)
    return best is not None and best.value > 0


def _at_halves(facts: Facts) -> tuple[Fraction, Touching | None]:
    """The same, at a q with two labels that are equally likely."""
    loss, best, found = facts.loss, _ZERO, None
    for a, b in combinations(range(loss.n), 2):
        q = tuple(Fraction(y in (a, b), 2) for y in range(loss.n))
        for t, s in combinations([t for t in loss.optimal_predictions(q) if t in facts.kept], 2):
            step = loss.entries[a][t] - loss.entries[a][s]  # d_a = −d_b, as t and s tie
            if step**2 > best:
                best, found = step**2, Touching(q, q, t, s, True)
    return best, found


def _span(d: Sequence[Fraction]) -> Fraction:
    return max(d) - min(d)


def _most(d: Sequence[Fraction]) -> Fraction:
    """The largest Σ q_y d_y² with q·d = 0: all weight on the two ends."""
    return -max(d) * min(d)


def _likeliest(facts: Facts, t: int, s: int, values: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """Of the p at which t and s are optimal, one with the largest mean of the values; None if there is none."""
    columns, n = facts.loss.rational.integer_columns(), facts.loss.n
    above = [(0, *minus(columns[r], columns[t])) for r in facts.kept if r not in (s, t)]
    above += [(0, *row) for row in unit_rows(n)]
    best = maximize(cleared(values), above, [(0, *minus(columns[t], columns[s])), (-1, *[1] * n)])
    return None if best is None else best.point


def _tie_inside(facts: Facts, t: int, s: int) -> bool:
    """Whether t and s are both optimal at some p > 0."""
    columns, n = facts.loss.rational.integer_columns(), facts.loss.n
    above = [(0, *minus(columns[r], columns[t]), 0) for r in facts.kept if r not in (s, t)]
    above += [(0, *row, -1) for row in unit_rows(n)]  # p_y ≥ x, the last variable
    best = maximize([0] * n + [1], above, [(0, *minus(columns[t], columns[s]), 0), (-1, *[1] * n, 0)])
    return best is not None and best.value > 0
