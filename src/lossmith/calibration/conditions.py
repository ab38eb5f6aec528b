"""What a verdict takes on trust about its surrogate: what was declared of it, and neither derived nor proved.

Polyhedral surrogates, sums of squares that are traced, and squared distances to points are known by their numbers: a
verdict on them rests on nothing else. Of other smooth surrogates it rests on traits, or on slopes, that are declared
with it: by whoever made it, or in the catalogue for its members. Samples must agree with them (`surrogates.agreement`),
which proves nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.class_weights import WeightedSubgradients, WeightedValue
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.smooth import SmoothSurrogate, Traits
from lossmith.surrogates.squared_maxima import Squares, SubgradientsOfSquares, of_single_scores
from lossmith.surrogates.squares import weights_of_squares

if TYPE_CHECKING:
    from lossmith.calibration.verdicts import Calibrated, NotCalibrated

_ORDERS = {
    "order": "where its risk is nearly least, its scores are in the order of the means that it states",
    "signs": "where its risk is nearly least, its scores have the signs of the means that it states",
    "largest": "where its risk is nearly least, its largest score belongs to the largest mean that it states",
    "smallest": "where its risk is nearly least, its smallest score belongs to the smallest mean that it states",
    "first": "where its risk is nearly least, its largest scores belong to the largest means that it states",
}
_CONVEX = "the surrogate is convex"
_SLOPES = "its slopes at these scores are the rational numbers that it states"
_PROPER = "the surrogate is strictly proper composite"
_MARGIN = "the surrogate is (φ(u), φ(−u)) for a convex φ with the slope at 0 that it states"


def conditions_of(verdict: Calibrated | NotCalibrated) -> tuple[str, ...]:
    """Return a sentence for each thing that is declared of the surrogate, with who declares it.

    >>> from lossmith import check
    >>> check("softmax", "zero-one:n=3").conditions
    ('the surrogate is strictly proper composite, as the catalogue of lossmith states.',)
    >>> check("square:A=zero-one:n=3", "zero-one:n=3").conditions, check("lee-lin-wahba", "zero-one:n=3").conditions
    ((), ())
    """
    surrogate = verdict.surrogate
    if not isinstance(surrogate, SmoothSurrogate):
        return ()
    by = "as the catalogue of lossmith states" if surrogate.made_by in CATALOGUE else "as declared by you"
    return tuple([f"{each}, {by}." for each in _trusted(surrogate, verdict)])


def _trusted(surrogate: SmoothSurrogate, verdict: Calibrated | NotCalibrated) -> tuple[str, ...]:
    """Return what the proof needs that is declared: a trait, or convexity and slopes."""
    proof: Any = verdict.proof
    theorem = "far out" if hasattr(proof, "together") else proof.theorem
    if theorem == "far out":
        labels = ", ".join(map(str, proof.together.labels))
        return (f"its components y = {labels} tend to their infima at once, along its `together`",)
    if theorem == "binary margin":
        return (_MARGIN,)
    if theorem in ("squares", "mean", "told", "proper composite"):
        regions = proof.regions if isinstance(verdict.asked, Pred) else None
        return (*_of_estimates(surrogate, proof, theorem), *_of_readings(surrogate, regions))
    if theorem in ("tangents", "along"):
        segment = ("it is quadratic on the segment that ends there",) * (theorem == "along")
        return () if _is_traced(surrogate) else (_CONVEX, _SLOPES, *segment)
    return _of_scores(surrogate, proof)


def _of_estimates(surrogate: SmoothSurrogate, proof: Any, theorem: str) -> tuple[str, ...]:
    """Return what tells the probabilities, or a mean; squared distances tell the mean of their centres."""
    if theorem == "squares" or _squares_about(surrogate, proof):
        return ()
    if theorem == "mean" and (surrogate.traits.mean is not None or len(proof.rows[0]) != surrogate.n):
        return ("its risk is nearly least only where its scores give the mean of the a_y",)
    return (_MARGIN, "φ is differentiable everywhere") if surrogate.traits.proper is None else (_PROPER,)


def _of_readings(surrogate: SmoothSurrogate, regions: Pred | None) -> tuple[str, ...]:
    """Return what a pred by scores needs where it is decided as one by what these tell."""
    proper, reading = surrogate.traits.proper, surrogate.traits.reading
    if regions is None or regions.dim != surrogate.dim or (reading is None and surrogate.traits.mean is not None):
        return ()
    if any(row[0] for region in regions.regions for piece in region for row in piece.rows):
        return ("a threshold of a score corresponds to the stated threshold of a probability or a mean",)
    weighted = "weighted " * (proper is not None and (proper.weights is not None or not proper.monotone))
    given = "means" if proper is None else f"{weighted}probabilities"
    return (f"its scores are in the order of the {given} that they give",)


def _of_scores(surrogate: SmoothSurrogate, proof: Any) -> tuple[str, ...]:
    """Return what tells an order, or on which side of thresholds scores are; means that are all 0 say nothing."""
    traits = surrogate.traits
    if not any(map(any, proof.rows)):
        return ()
    if traits.order is not None:
        return (_ORDERS[traits.order.kind],)
    if traits.proper is not None and proof.theorem == "order":
        return (_PROPER, *_of_readings(surrogate, proof.regions))
    separate = ("it is a sum of functions of single scores",) * (surrogate.dim > 1)
    return () if _is_traced(surrogate) else (_CONVEX, _SLOPES, *separate)


def _unweighted(function: object) -> object:
    """Return the function that a surrogate computes, without class weights."""
    while isinstance(function, WeightedValue | WeightedSubgradients):
        function = function.base
    return function


def _is_traced(surrogate: SmoothSurrogate) -> bool:
    """Return whether the surrogate is made of traced squares, and all that is known of it is derived from them."""
    value, below = _unweighted(surrogate.value), _unweighted(surrogate.subgradients)
    if not isinstance(value, Squares) or not isinstance(below, SubgradientsOfSquares):
        return False
    return surrogate.traits == Traits(separate=of_single_scores(value.terms)) and value.terms == below.terms


def _squares_about(surrogate: SmoothSurrogate, proof: Any) -> bool:
    """Return whether ψ_y is made as w_y ‖u − a_y‖² for the a_y of the proof, with weights in its proportion."""
    centres, weights = getattr(_unweighted(surrogate.value), "centres", None), weights_of_squares(surrogate)
    if weights is None or getattr(centres, "rows", None) != proof.rows:
        return False
    shares = proof.scales or (1,) * surrogate.n
    return all(w * shares[0] == x * weights[0] for w, x in zip(weights, shares, strict=True))
