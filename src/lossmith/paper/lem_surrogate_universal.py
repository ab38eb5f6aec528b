"""lem:surrogate-universal: the surrogate that is calibrated for every loss, and its least risk Σ_j p_j(1 − p_j)."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import lossmith as lm
from lossmith.paper.item import Item, Outcome, equal, holds, outcome

STATEMENT = (
    "ψ_y(u) = 1(y ≠ n)(u_y − 1)² + Σ_{j≠y} u_j² on {u ∈ R₊^{n−1} : Σ u ≤ 1} is calibrated for every L: p·ψ is least at "
    "u = (p_1, …, p_{n−1}) only, where it is Σ_{j<n} p_j(1 − p_j). So CCdim(L) ≤ n − 1."
)


def _psi(y: int, u: tuple[Fraction, ...]) -> Fraction:
    """The formula of the lemma, exactly; labels from 0, the last one n − 1."""
    own = (u[y] - 1) ** 2 if y < len(u) else Fraction(0)
    return own + sum((x**2 for j, x in enumerate(u) if j != y), Fraction(0))


def _compute() -> Outcome:
    chance = Random(5)
    claims = []
    for n in (2, 3, 5):
        family, least, near = lm.surrogates.class_probability(n), True, True
        for _ in range(40):
            counts = [chance.randint(0, 9) for _ in range(n - 1)]
            p = tuple(Fraction(c, 9 * n) for c in (*counts, 9 * n - sum(counts)))
            best = p[: n - 1]
            risk = sum((p[y] * _psi(y, best) for y in range(n)), Fraction(0))
            least = least and risk == sum((x * (1 - x) for x in best), Fraction(0))
            # p·ψ(u) − p·ψ(u*) = Σ (u_j − p_j)²: the minimum is strict.
            u = tuple(Fraction(chance.randint(0, 9), 9 * n) for _ in best)
            excess = sum((p[y] * _psi(y, u) for y in range(n)), Fraction(0)) - risk
            least = least and excess == sum(((a - b) ** 2 for a, b in zip(u, best, strict=True)), Fraction(0))
            near = near and max(abs(a - b) for a, b in zip(family.minimizer(p), best, strict=True)) < 1e-12
        claims.append(holds(f"the least risk is Σ p_j(1 − p_j), n = {n}", least, "exactly, at 40 p drawn at random"))
        claims.append(holds(f"the library's minimiser is (p_1, …, p_{{n−1}}), n = {n}", near, "up to rounding"))
    for loss in (lm.losses.zero_one(4), lm.losses.ordinal(4), lm.losses.abstain(4), lm.losses.hamming(2)):
        verdict = lm.check(lm.surrogates.class_probability(4), loss)
        claims.append(equal(f"ψ for {loss.name}", "calibrated", verdict.status))
        upper = lm.ccdim(loss).upper.value
        claims.append(holds(f"CCdim ≤ n − 1 = 3, {loss.name}", upper <= 3, f"≤ {upper}"))
    return outcome("the least risk is Σ p_j(1 − p_j) at 120 p; calibrated for four losses", *claims)


ITEM = Item("lem:surrogate-universal", "A surrogate calibrated for every loss", STATEMENT, _compute)
