"""Regrets of smooth surrogates: regret_L ≤ c √regret_ψ, and how much less than c will not do.

One file for each way to know it: `distances`, `spans`, `curvature`; `class_weights` for what has weights on top.
"""

from __future__ import annotations

from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.calibration.estimates import EstimateProof
from lossmith.calibration.verdicts import Calibrated
from lossmith.constructions.roots.bounds import RootRegrets, Touching
from lossmith.constructions.roots.class_weights import by_class_weights
from lossmith.constructions.roots.curvature import by_curvature, by_power
from lossmith.constructions.roots.distances import KAPPA, by_distances
from lossmith.constructions.roots.spans import by_spans, by_targets
from lossmith.exact.vectors import unit_rows
from lossmith.surrogates.families.comp_sum import tau_of
from lossmith.surrogates.families.entmax import alpha_of
from lossmith.surrogates.pred import Decide, Pred
from lossmith.surrogates.smooth import SmoothSurrogate

_OF_MEANS = ("mean", "squares", "told", "proper composite")  # theorems by which u tells the mean of the rows of a proof

__all__ = ["RootRegrets", "Touching", "root_regrets"]


def root_regrets(surrogate: SmoothSurrogate, facts: Facts, verdict: Calibrated) -> RootRegrets | None:
    """What is known of a smooth surrogate that is calibrated for a loss with this pred; None if that is nothing."""
    found = _known(surrogate, facts, verdict)
    if found is None and surrogate.plain is not None:
        return by_class_weights(*surrogate.plain, facts, verdict, root_regrets)
    return found


def _known(surrogate: SmoothSurrogate, facts: Facts, verdict: Calibrated) -> RootRegrets | None:
    """By what is declared: a divergence, a power, a curvature, or a form."""
    form, traits, pred, proof = surrogate.form, surrogate.traits, verdict.pred, verdict.proof
    tau = Fraction(1) if traits.divergence == "Kullback-Leibler" else tau_of(surrogate)
    if tau is not None:
        if isinstance(pred, Decide) and any(row[0] for row in pred.affine if row is not None):
            return None  # what is told may have another sum than 1
        return by_spans(facts, _made(pred, facts), tau, Fraction(1))
    if alpha_of(surrogate) is not None and traits.divergence is None:
        return by_power(facts, _made(pred, facts), alpha_of(surrogate) or Fraction(2))
    means = proof if isinstance(proof, EstimateProof) and proof.theorem in _OF_MEANS else None
    if traits.curved is not None and traits.curved.size == "distance":
        kappa = 1 / traits.curved.above
        return None if means is None else by_distances(means, facts, pred, "curved", kappa=kappa)
    if traits.curved is not None or traits.two_scores is not None:
        return by_curvature(surrogate, facts, _made(pred, facts), pred)
    if form is not None and form.kind == "softmax" and form.rows == tuple(unit_rows(surrogate.n)):
        return by_spans(facts, _made(pred, facts), Fraction(1), form.weights[0]) if len({*form.weights}) == 1 else None
    if means is None:
        return None
    if traits.divergence == "half square":
        return by_distances(means, facts, pred, "projection")
    if form is None or form.rows != means.rows or not _in_proportion(means.scales, form.weights):
        return None  # what is told is not the mean that the form is about
    if form.kind == "softmax":
        return by_targets(means, facts, pred, form)
    return by_distances(means, facts, pred, form.kind, form.weights) if form.kind in KAPPA else None


def _in_proportion(scales: tuple[Fraction, ...] | None, weights: tuple[Fraction, ...]) -> bool:
    """Whether the scales of a mean are the weights, up to one factor."""
    given = scales or (Fraction(1),) * len(weights)
    return len({v / w for v, w in zip(given, weights, strict=True) if w}) == 1 and all(
        w or not v for v, w in zip(given, weights, strict=True)
    )


def _made(pred: object, facts: Facts) -> list[int]:
    """The predictions that the pred makes."""
    if isinstance(pred, Decide):
        return [t for t, row in enumerate(pred.affine) if row is not None]
    if isinstance(pred, Pred):
        return [t for t, region in enumerate(pred.regions) if region]
    return list(range(facts.loss.k))
