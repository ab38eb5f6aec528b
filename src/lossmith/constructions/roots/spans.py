"""Surrogates whose regret is at least that of a logarithm, or of a power: bounds by max d − min d.

*Above.* Let t be decided where it is optimal for q, and s be optimal at p: regret_L(p, t) ≤ (p − q)·d, d = ℓ_t − ℓ_s.

* Powers of the sum of exponentials (`comp_sum`, 0 ≤ τ ≤ 1, q = softmax((2 − τ)u)), of which softmax is τ = 1:
  c² = 2^τ (2 − τ) max (max d − min d)² / 4, over all t that are made and all s that are needed. It holds for every pred
  that is calibrated, as t is then optimal at q. For τ = 1, regret_ψ = KL(p, q) ≥ ‖p − q‖₁² / 2 (Pinsker), and
  (p − q)·d ≤ ‖p − q‖₁ (max d − min d) / 2. For others, regret_ψ is the Bregman divergence of −H_ψ, whose second
  derivative along h, Σ h_y = 0, is at least 2 (d·h)² / c²: docs/beyond-the-paper.md. What else has a regret of
  KL(p, q) or more, and of no more at some u for each q > 0, has the bounds of softmax.
* Cross-entropy w (log Σ e^{u_j} − a_y·u) with shares a_y, as of smoothed labels: w KL(x, q), q = softmax(u), for the
  mean x of the a_y. With p·(ℓ_t − ℓ_s) = v (c_t − c_s + x·d) likewise c² = v²/w max (max d − min d)² / 2.

*Below.* Let q be where t and s tie, and no other costs less.
* Softmax: at p = q + h q∘d, where q·d = 0, regret_L ≥ p·d = h Σ q_y d_y², and KL(p, q) = h² Σ q_y d_y² / 2 + O(h³). So
  c² ≥ 2 Σ q_y d_y² for every q at which t and s are optimal: a linear program for each pair. No logarithm is computed.
* Targets: the same for means q, with e = d + c_t − c_s in place of d and v²/w, if q + h q∘e is a mean for some h > 0, a
  linear program. Or if the a_y are a basis, and t and s optimal at some p > 0: such p then come as near as one likes.
  Where v²/w differs from label to label, the least of them counts, for the loss with its rows divided by v.
* For τ < 1: if t and s are optimal where labels a and b have 1/2 each, and d_a = −d_b > 0, then at p = (1 ± h)/2
  regret_L ≥ h d_a, and regret_ψ = h² / (2^τ (2 − τ)) + O(h⁴). So c² ≥ 2^τ (2 − τ) d_a².
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations

from lossmith.analysis.facts import Facts
from lossmith.calibration.estimates import EstimateProof
from lossmith.constructions.roots.bounds import NOTHING_LOST, RootRegrets, Touching
from lossmith.constructions.roots.distances import largest_unit
from lossmith.constructions.roots.regions import Costs, by_costs, costs_of, said, told
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank
from lossmith.exact.vectors import cleared, minus, rational_dot, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.surrogates.forms import Form

_MOST_PAIRS = 100  # of predictions, for which a linear program is solved
_MOST_PIECES = 400
_ZERO, _ONE = Fraction(0), Fraction(1)


def by_spans(facts: Facts, made: Sequence[int], tau: Fraction, weight: Fraction) -> RootRegrets:
    """Both bounds from the columns: above for those that are made, against those that are needed."""
    width = widest_span(facts, made) ** 2 / 4
    if not width:
        return NOTHING_LOST
    if tau < 1:
        variance, found = at_halves(facts)
        factor, doublings, theorem = (2 - tau) / weight, tau, "the curvature of its least risk"
    else:
        costs = {t: facts.loss.column(t) for t in facts.kept}
        units = tuple(tuple(map(Fraction, row)) for row in unit_rows(facts.loss.n))
        variance, found = _at_ties(facts, costs, units)
        factor, doublings, theorem = 2 / weight, _ZERO, "Pinsker's inequality"
    return RootRegrets(factor * variance if found else None, factor * width, found, theorem, doublings)


def widest_span(facts: Facts, made: Sequence[int]) -> Fraction:
    """The largest max d − min d, for predictions that are made against those that are needed."""
    columns = [facts.loss.column(t) for t in range(facts.loss.k)]
    return max(_span(minus(columns[t], columns[s])) for t in made for s in facts.kept)


def by_targets(proof: EstimateProof, facts: Facts, pred: object, form: Form) -> RootRegrets | None:
    """Both bounds for the means of the targets, whose entries sum to 1: a constant is added to b_t for c_t."""
    rows = costs_of(proof, facts, pred)
    squares = None if rows is None else _squares(proof, facts, pred, rows)
    if rows is None or squares is None:
        return None
    costs = {t: tuple(row[0] + x for x in row[1:]) for t, row in rows.items()}
    scales = proof.scales or (_ONE,) * facts.loss.n
    unit, width = largest_unit(scales, form.weights), squares / 2
    if not width:
        return NOTHING_LOST
    if len({*scales}) > 1:
        if not all(scales):
            return RootRegrets(None, unit * width, None, "Pinsker's inequality")
        facts = Facts(facts.loss.scale_rows([1 / v for v in scales]))
    least = min((v * v / w for v, w in zip(scales, form.weights, strict=True) if w), default=_ZERO)
    variance, found = _at_ties(facts, costs, form.rows)
    return RootRegrets(2 * least * variance if found else None, unit * width, found, "Pinsker's inequality")


def _squares(proof: EstimateProof, facts: Facts, pred: object, rows: Costs) -> Fraction | None:
    """The largest (max d − min d)²; None if where t is decided does not tell that c + x̂·d ≤ 0."""
    if by_costs(pred):
        return max((_span(minus(a[1:], b[1:])) ** 2 for a, b in combinations(rows.values(), 2)), default=_ZERO)
    pieces = [(t, piece) for t, region in said(proof, pred).items() for piece in region]
    if not pieces or len(pieces) * len(facts.kept) > _MOST_PIECES:
        return None
    worst = _ZERO
    for t, piece in pieces:
        for s in facts.kept:
            row = told(piece, minus(rows[t], rows[s]), proof.rows) if s != t else None
            if s != t and row is None:
                return None
            worst = worst if row is None else max(worst, _span(row[1:]) ** 2)
    return worst


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


def at_halves(facts: Facts) -> tuple[Fraction, Touching | None]:
    """The largest d_a² = d_b² of needed pairs, at a q with two labels that are equally likely, where they tie."""
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
