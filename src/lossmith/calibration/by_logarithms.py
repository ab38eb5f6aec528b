"""The rule for exponentials and logistic losses: where scores are multiples of log 2 their gradients are rational.

At u = s log 2 a convex ψ is optimal for the p of a polytope, as at rational u. If no prediction serves all of it, or
that of the pred does not, ψ is not calibrated (`thm:condition-necessary`). To measure scores in units of log 2 changes
no verdict; nor does it change a pred whose regions are cones, and others are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from math import log

from lossmith.calibration.by_tangents import Tangents, not_calibrated_at
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.surrogates.preds import decide
from lossmith.surrogates.smooth import SmoothSurrogate

_MOST = 500  # points that are tried
_DIMENSIONS = 8


def by_logarithms(question: Question) -> NotCalibrated | Declined:
    """Refute by the gradients at multiples of log 2, or say why this rule does not apply."""
    surrogate = question.surrogate
    if not isinstance(surrogate, SmoothSurrogate) or question.rule is decide:
        return Declined()
    at_logs = surrogate.at_logs
    if at_logs is None or not surrogate.traits.convex or surrogate.dim > _DIMENSIONS:
        return Declined()
    regions = question.regions
    if regions and any(row[0] for region in regions.regions for piece in region for row in piece.rows):
        return Declined(f"{regions.name} compares scores with fractions, and gradients are known at multiples of log 2")
    asked = replace(question, pred=regions)
    for s in islice(_points(surrogate.dim), _MOST):
        slopes = at_logs(s)
        found = None if slopes is None else not_calibrated_at(asked, s, slopes)
        if found is not None:
            assert isinstance(found.proof, Tangents)
            if not any(s):
                return found
            return replace(found, u=tuple(float(x) * log(2) for x in s), proof=replace(found.proof, in_logs=s))
    return Declined("at the multiples of log 2 that were tried it is optimal only for what one decision serves")


def _points(dim: int) -> Iterator[tuple[Fraction, ...]]:
    """Small integers, first those with few that are not 0."""
    corners = sorted(product((0, 1, -1), repeat=dim), key=lambda each: sum(map(abs, each)))
    return (tuple(Fraction(size * x) for x in corner) for corner in corners for size in (1, 2))
