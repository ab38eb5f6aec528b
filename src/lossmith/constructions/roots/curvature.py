"""Surrogates that meet several scores at once: bounds by how much their least risk is curved, or two scores moved.

* `Curved` surrogates declare c² from above by the size of d = ℓ_t − ℓ_s; the proofs, with chains and their meeting
  times, are in docs/beyond-the-paper.md. Below, labels a and b have (1 ± h)/2, t and s tie for halves, d_a = −d_b > 0,
  and the others are impossible and cost nothing far out: regret_L ≥ h d_a, and regret_ψ = h²/`halves` + o(h²).
* 0-1 loss, and what costs d = λ (e_s − e_t) for every two decisions, where t is decided only if u_t ≥ u_s: it is enough
  to move these two scores. So c² is λ² times what `two_scores` tells.
* `entmax`, a Fenchel–Young loss of Ω = (Σ q^α − 1)/(α(α − 1)): regret_ψ is at least the Bregman divergence of Ω, and
  (d·h)² ≤ Σ q_y^{2−α} (d_y − m)² · Σ q_y^{α−2} h_y² for every m, the last factor being hᵀ∇²Ω h. By Hölder's inequality
  Σ q_y^{2−α} (d_y − m)² ≤ (Σ |d_y − m|^{2/(α−1)})^{α−1}. With m in the middle of d, r = (max d − min d)/2 and
  N = Σ (d_y − m)²/r² ≥ 2 that is at most r² N^{α−1} ≤ 2^{α−1} r² (1 + (α − 1)(N/2 − 1)), as powers below 1 are concave:
  c² = 2^α r² (1 + (α − 1)(N/2 − 1)). Where labels a and b have 1/2 each, regret_ψ = 2^{−α} h² + O(h⁴) at (1 ± h)/2, so
  that c² ≥ 2^α d_a²: the same for 0-1 loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

from lossmith.analysis.facts import Facts
from lossmith.constructions.roots.bounds import NOTHING_LOST, RootRegrets, Touching
from lossmith.constructions.roots.regions import by_costs
from lossmith.constructions.roots.spans import at_halves, widest_span
from lossmith.exact.vectors import minus
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import argmax, sign, votes
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Curved, TwoScores
from lossmith.surrogates.votes import Votes

_ZERO = Fraction(0)
_CURVED = "the curvature of its least risk"


def by_power(facts: Facts, made: Sequence[int], alpha: Fraction) -> RootRegrets:
    """Both bounds for `entmax`, irrational unless α is whole: times 2^(α − 1)."""
    worst = _ZERO
    for d in _differences(facts, made):
        middle, radius = (max(d) + min(d)) / 2, (max(d) - min(d)) / 2
        if radius:
            count = sum((((x - middle) / radius) ** 2 for x in d), _ZERO)
            worst = max(worst, 2 * radius**2 * (1 + (alpha - 1) * (count / 2 - 1)))
    if not worst:
        return NOTHING_LOST
    step, found = at_halves(facts)
    return RootRegrets(2 * step if found else None, worst, found, _CURVED, alpha - 1)


def by_curvature(surrogate: SmoothSurrogate, facts: Facts, made: Sequence[int], pred: object) -> RootRegrets | None:
    """The better of what is known of every loss, and of 0-1 loss."""
    curved, two = surrogate.traits.curved, surrogate.traits.two_scores
    told = by_costs(pred) or (surrogate.traits.proper is not None and surrogate.traits.proper.converse)
    some = _by_size(curved, facts, made) if curved is not None and told else None
    own = None if two is None else _by_two_scores(two, facts, made, pred)
    if some is None or own is None:
        return some or own
    below = max((x for x in (some, own) if x.lower is not None), key=lambda x: x.lower or _ZERO, default=own)
    above = min(some, own, key=lambda x: x.upper)
    return RootRegrets(below.lower, above.upper, below.touching, above.theorem)


def _by_size(curved: Curved, facts: Facts, made: Sequence[int]) -> RootRegrets:
    if curved.size == "span":
        size = widest_span(facts, made)
    else:
        size = max((max(map(abs, d)) for d in _differences(facts, made)), default=_ZERO)
    if not size:
        return NOTHING_LOST
    step, found = (_ZERO, None) if curved.halves is None else at_halves(facts)
    lower = curved.halves * step if curved.halves is not None and found else None
    return RootRegrets(lower, curved.above * size**2, found, _CURVED)


def _by_two_scores(two: TwoScores, facts: Facts, made: Sequence[int], pred: object) -> RootRegrets | None:
    """Where every d is λ (e_s − e_t), and the pred compares the two scores, ties included."""
    rule = {"argmax": argmax, "votes": votes, "sign": sign}[two.pred]
    compared = isinstance(pred, Pred) and pred.rule is rule
    counted = isinstance(pred, Votes) and rule is votes
    if not (compared or counted or (by_costs(pred) and two.strict)):
        return None
    theorem = "scores are moved towards each other"
    if two.costs is not None:
        own = [tuple(row[t] - row[made[0]] for row in two.costs) for t in range(len(two.costs[0]))]
        asked = list(zip(*([x - row[made[0]] for x in row] for row in facts.loss.entries), strict=True))
        return RootRegrets(None, two.above, None, theorem) if own == asked else None
    if by_costs(pred) and not _one_for_each_label(facts, made):
        return None  # what costs least need not be told to be the likeliest
    largest = _ZERO
    for d in _differences(facts, made):
        if sum(d, _ZERO) or len([x for x in d if x]) not in (0, 2):
            return None
        largest = max(largest, *d)
    if not largest:
        return NOTHING_LOST
    found = _touching(facts, largest, two)
    below = two.below * largest**2 if two.below is not None and found else None
    return RootRegrets(below, two.above * largest**2, found, theorem)


def _one_for_each_label(facts: Facts, made: Sequence[int]) -> bool:
    """Whether there is a prediction t for each label a(t), and ℓ_t − ℓ_s = λ (e_{a(s)} − e_{a(t)}) with one λ > 0."""
    labels: dict[int, set[int]] = {t: set() for t in made}
    scales: set[Fraction] = set()
    for t, s in permutations(made, 2):
        d = minus(facts.loss.column(t), facts.loss.column(s))
        if min(d) >= 0 or sum(d, _ZERO) or len([x for x in d if x]) != 2:
            return False
        labels[t].add(d.index(min(d)))
        scales.add(max(d))
    return {*map(len, labels.values()), len(scales)} == {1} and len(set.union(*labels.values())) == facts.loss.n


def _touching(facts: Facts, largest: Fraction, two: TwoScores) -> Touching | None:
    """Return two needed predictions with this λ that are optimal at the q where they need so much."""
    n, where = facts.loss.n, two.where
    for t, s in permutations(facts.kept, 2):
        d = minus(facts.loss.column(t), facts.loss.column(s))
        q = tuple(Fraction(1, n) if where == "even" else Fraction(x != 0, 2) for x in d)
        if max(d) == largest and {t, s} <= {*facts.loss.optimal_predictions(q)}:
            if two.likeliest is not None:
                rest = (1 - two.likeliest) / (n - 2)
                p = tuple(two.likeliest if x > 0 else rest * (x == 0) for x in d)
                return Touching(p, q, t, s, False)
            return Touching(tuple(Fraction(x > 0) for x in d) if where == "sure" else q, q, t, s, where != "sure")
    return None


def _differences(facts: Facts, made: Sequence[int]) -> Iterator[tuple[Fraction, ...]]:
    columns = [facts.loss.column(t) for t in range(facts.loss.k)]
    return (minus(columns[t], columns[s]) for t in made for s in facts.kept if s != t)
