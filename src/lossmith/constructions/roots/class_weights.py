"""Class weights w: the surrogate w_y ψ_y at p is ψ at p′ ∝ w∘p, and the loss is that with the rows ℓ_y/w_y.

With W = Σ w_y p_y = 1/Σ (p′_y/w_y) both regrets are W times those at p′. So regret_L ≤ c √regret_ψ for
c² = max w · c′², c′ being that of ψ and the loss with its rows divided; if c′ is attained at p′, c² ≥ W c′², and in any
case c² ≥ min w · c′².
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import Calibrated
from lossmith.constructions.roots.bounds import RootRegrets, Touching
from lossmith.constructions.roots.regions import by_costs
from lossmith.exact.vectors import unit_rows
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.smooth import SmoothSurrogate


def by_class_weights(
    plain: SmoothSurrogate,
    weights: tuple[Fraction, ...],
    facts: Facts,
    verdict: Calibrated,
    bounds: Callable[[SmoothSurrogate, Facts, Calibrated], RootRegrets | None],
) -> RootRegrets | None:
    """What `bounds` tells of the surrogate without weights, for the loss with its rows divided by them."""
    loss, given = facts.loss.scale_rows([1 / w for w in weights]), isinstance(verdict.pred, Pred)
    if not given and not by_costs(verdict.pred) and plain.traits.divergence != "Kullback-Leibler":
        return None  # a logarithm bounds whatever is calibrated, such as the label told likeliest
    same = check(plain, loss, verdict.pred if given else None)
    found = bounds(plain, Facts(loss), same) if isinstance(same, Calibrated) else None
    if found is None:
        return None
    lower, touching = found.lower, found.touching
    if lower is not None:
        lower *= min(weights) if touching is None else _total(_labels(touching, plain), weights)
    return replace(found, lower=lower, upper=max(weights) * found.upper, touching=_moved(touching, plain, weights))


def _labels(touching: Touching, plain: SmoothSurrogate) -> tuple[Fraction, ...]:
    """The probabilities of the labels where c′ is attained, or what they tend to: q, if it is of labels."""
    told = plain.traits.mean in (None, tuple(unit_rows(plain.n)))
    return touching.q if touching.limit and told else touching.p


def _total(p: tuple[Fraction, ...], weights: tuple[Fraction, ...]) -> Fraction:
    """W, for the p′ with these weights."""
    return 1 / sum((x / w for x, w in zip(p, weights, strict=True)), Fraction(0))


def _moved(touching: Touching | None, plain: SmoothSurrogate, weights: tuple[Fraction, ...]) -> Touching | None:
    """The same place, with probabilities as they are before the weights."""
    if touching is None:
        return None

    def before(p: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        shares = [x / w for x, w in zip(p, weights, strict=True)]
        return tuple(x / sum(shares) for x in shares)

    if touching.limit and _labels(touching, plain) == touching.q:
        return replace(touching, p=before(touching.p), q=before(touching.q))
    return replace(touching, p=before(touching.p))
