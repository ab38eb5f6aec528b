"""CCdim(L) = n − 1 for top-k with costs on n labels, except where it may pay to guess all of them.

CCdim(L) ≤ n − 1 always (`lem:surrogate-universal`). At p_y ∝ 1/c_y all sets of a size have the same risk. If a size
s < n is optimal, all s-sets tie; exchanging i for j changes L by c_i at i and −c_j at j, so they span n − 1 dimensions
(`thm:ccdim-lower-bound`). If only all n labels together are optimal there, let q be the largest (λ_n − λ_s)/(n − s):
with p_y = q/c_y for all labels but one, which has the rest, n and such sizes s tie. For 1 < s < n the sets of s labels
with that one span n − 2 dimensions, and one more with the set of all. Else labels of little cost may tie by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Any

from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound
from lossmith.errors import TooLarge
from lossmith.losses.families.sets.top_k_costs import TopKCosts

MAX_BITS = 19_000  # of a common denominator, of which the checker takes 20,000

Weights = tuple[Fraction, ...]


@dataclass(frozen=True)
class Guesses:
    """The loss, and for a bound from below a distribution of its labels."""

    loss: TopKCosts
    weights: Weights = ()

    def certificate(self, bound: Bound) -> Certificate:
        """From above the labels are enough; from below the distribution."""
        loss = self.loss
        inputs = {"value": bound.value, "loss": {"family": loss.family, **loss.parameters, "name": loss.name}}
        if bound.side == "upper":
            return Certificate.of("ccdim at most", inputs, {})
        if lcm(*(w.denominator for w in self.weights)).bit_length() > MAX_BITS:
            raise TooLarge(
                f"the costs of {loss.name} have too many digits in all for the checker; take the bound without a "
                f"certificate, or round them"
            )
        evidence: dict[str, Any] = {"weights": [str(w) for w in self.weights]}
        return Certificate.of("ccdim at least", inputs, evidence)


def eq_labels_of_guesses(loss: TopKCosts) -> list[Bound]:
    """Both bounds.

    >>> from lossmith.losses import top_k_costs
    >>> [f"{each.side} {each.value}" for each in eq_labels_of_guesses(top_k_costs(range(1, 301), k=5))]
    ['upper 299', 'lower 299']
    """
    why = f"{loss.n} labels"
    upper = Bound("upper", loss.n - 1, "labels − 1 (lem:surrogate-universal)", why, loss, Guesses(loss))
    best, most = next(_candidates(loss)), -1
    for weights in _candidates(loss):
        found = tied(loss, weights)
        if found > most:
            best, most = weights, found
        if most == loss.n - 1:
            break
    words = f"at some p sets of one size tie, of affine dimension {most}"
    theorem = "feasible subspace (thm:ccdim-lower-bound)"
    return [upper, Bound("lower", most, theorem, words, loss, Guesses(loss, best))]


def _candidates(loss: TopKCosts) -> Iterator[Weights]:
    """Distributions at which many sets may tie, the best first."""
    inverses = tuple(1 / c for c in loss.costs)
    yield inverses
    slopes = ((loss.penalties[-1] - x) / (loss.last - s) for s, x in enumerate(loss.penalties[:-1], loss.first))
    q = max(slopes, default=Fraction(0))
    if q > 0:
        yield (1 - q * sum(inverses[1:]), *(q * x for x in inverses[1:]))
    cheap = sorted(range(loss.n), key=loss.costs.__getitem__)
    for size in range(loss.n - 1, 0, -1):
        chosen = set(cheap[:size])
        yield tuple(x if y in chosen else Fraction(0) for y, x in enumerate(inverses))


def tied(loss: TopKCosts, weights: Weights) -> int:
    """The dimension that sets of the largest optimal size below n, and of others, span at this distribution.

    >>> from lossmith.losses import top_k_costs
    >>> tied(top_k_costs([1, 1, 1], k=1), (Fraction(1), Fraction(1), Fraction(0)))
    1
    """
    x = sorted((c * w for c, w in zip(loss.costs, weights, strict=True)), reverse=True)
    gained, total = [Fraction(0), *accumulate(x)], sum(weights, Fraction(0))
    risks = {s: total * penalty - gained[s] for s, penalty in enumerate(loss.penalties, loss.first)}
    least = min(risks.values())
    optimal = [s for s, risk in risks.items() if risk == least]
    s = max((each for each in optimal if each < loss.n), default=0)
    if not s or not x[s - 1] or x[s] != x[s - 1]:
        return 0
    return x.count(x[s]) - 1 + int(x[0] > x[s] and len(optimal) > 1)
