"""What proves a calibration function, and how it is written in a certificate.

Nothing below it: with all cells of ψ on C, and on every piece of a region, the checker takes the hulls of the plane
that δ is the least of. Nothing above it: for each of its segments a u, its prediction t and another prediction s whose
hull has both ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossmith.analysis.positive_normals import Subdivision
from lossmith.calibration.calibration_function import CalibrationFunction, Segment
from lossmith.calibration.proofs import cover, loss_section, polyhedral, pred_section, sparing, weighted
from lossmith.certificates.certificate import Certificate, vector
from lossmith.exact.vectors import minus, rational_dot
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.closures import point_beyond
from lossmith.surrogates.pred import Pred


def function_certificate(
    loss: LossMatrix,
    pred: Pred,
    delta: CalibrationFunction,
    everywhere: Subdivision,
    parts: Mapping[tuple[int, int], Subdivision],
) -> Certificate:
    """The claim "calibration function": its segments, cells and vertices of ψ, whole and on each piece of a region."""
    surrogate = everywhere.surrogate
    inputs = {
        "loss": loss_section(loss),
        "surrogate": polyhedral(surrogate),
        "pred": pred_section(pred),
        "delta": [vector([each.end, each.at(each.start), each.at(each.end)]) for each in delta.segments],
    }
    evidence = {
        "all": _cells(everywhere),
        "pieces": [[_cells(parts[t, i]) for i in range(len(region))] for t, region in enumerate(pred.regions)],
        "attained": [_attained(loss, pred, surrogate.domain, each) for each in delta.segments],
        "cover": cover(pred, surrogate.domain),
    }
    return Certificate.of("calibration function", inputs, evidence)


def _cells(found: Subdivision) -> dict[str, Any]:
    """Cells, and vertices with their weights."""
    return {
        "cells": [{"u": vector(cell.u)} for cell in sparing(found.cells, found.surrogate.dim)],
        "vertices": [weighted(found.surrogate, p, found.proofs[p]) for p in found.vertices],
    }


def _attained(loss: LossMatrix, pred: Pred, domain: Polyhedron, each: Segment) -> dict[str, Any]:
    """Where δ is attained on a segment: both corners are those of one u, and of one s that is taken instead of t."""
    t, columns = each.prediction, [*zip(*loss.entries, strict=True)]
    pairs = [(corner.p, corner.x) for corner in (each.first, each.last)]
    instead = [s for s in range(loss.k) if all(rational_dot(p, minus(columns[t], columns[s])) == x for p, x in pairs)]
    piece = next(i for i, part in enumerate(pred.regions[t]) if part.contains(each.u))
    return {
        "u": vector(each.u),
        "prediction": t,
        "piece": piece,
        "toward": vector(point_beyond(pred, domain, t, piece, each.u)),
        "instead": instead[0],
    }
