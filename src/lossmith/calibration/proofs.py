"""What a verdict rests on, and how it is written in a certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from lossmith.analysis.chamber import ChamberCells
from lossmith.analysis.exchanged_regions import scores_of_labels
from lossmith.analysis.positive_normals import Subdivision
from lossmith.analysis.symmetry import Symmetry
from lossmith.analysis.weights import Weights
from lossmith.calibration.calibration_function import Attained, Hull
from lossmith.calibration.within import Distributions
from lossmith.certificates.certificate import Certificate, vector, weights
from lossmith.errors import TooLarge
from lossmith.exact.vectors import Row, minus
from lossmith.geometry.covering import Branch, Combination, Covering, Node, Thin, covering
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.closures import point_beyond
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.votes import Votes

if TYPE_CHECKING:
    from lossmith.calibration.verdicts import Calibrated, NotCalibrated


@dataclass(frozen=True)
class Apart:
    """A proof that a piece of the region of a prediction stays above the least risk at p, where it is not optimal."""

    prediction: int
    piece: int
    p: Row
    weights: Weights

    def written(self, surrogate: PolyhedralSurrogate, pred: Pred) -> dict[str, Any]:
        """The reason *apart*: weights, for a piece of a region."""
        piece = pred.regions[self.prediction][self.piece]
        return {
            "prediction": self.prediction,
            "piece": self.piece,
            **weighted(surrogate, self.p, self.weights, piece),
        }


@dataclass(frozen=True)
class Cover:
    """The cells of a polyhedral surrogate cover the simplex; with a given pred, what keeps its regions apart."""

    subdivision: Subdivision
    apart: tuple[Apart, ...] = ()

    def certificate(self, verdict: Calibrated) -> Certificate:
        """The reason *cover*, a prediction per cell, or the reasons *apart*."""
        surrogate, pred = self.subdivision.surrogate, regions_asked(verdict)
        evidence = self.evidence(pred, verdict.cells)
        return certificate(verdict.status, verdict.loss, polyhedral(surrogate), evidence, pred, verdict.within)

    def evidence(self, pred: Pred | None, cells: Sequence[Any]) -> dict[str, Any]:
        """Cells, each with its prediction if there is no pred, vertices with their weights, and what a pred needs."""
        surrogate = self.subdivision.surrogate
        evidence: dict[str, Any] = {
            "cells": [
                {"u": vector(cell.u)} if pred else {"u": vector(cell.u), "prediction": cell.prediction}
                for cell in sparing(cells, surrogate.dim)
            ],
            "vertices": [weighted(surrogate, p, self.subdivision.proofs[p]) for p in self.subdivision.vertices],
        }
        if pred is not None:
            evidence["apart"] = [each.written(surrogate, pred) for each in self.apart]
            evidence["cover"] = cover(pred, surrogate.domain)
        return evidence


def sparing(cells: Sequence[Any], dim: int) -> list[Any]:
    """The flattest z first, which keeps the checker's double description small on the way.

    On a line every other cell comes before those in between: half as many edges to cross (measured, ordinal losses).
    """
    flattest = sorted(cells, key=lambda cell: (max(cell.z) - min(cell.z), cell.z))
    if dim > 1:
        return flattest
    later = {cell.u for cell in sorted(cells, key=lambda cell: cell.u)[1::2]}
    return sorted(flattest, key=lambda cell: cell.u in later)


@dataclass(frozen=True)
class Chambers:
    """The cells of a polyhedral surrogate in a chamber cover it, and by symmetry their images cover the simplex."""

    found: ChamberCells
    symmetry: Symmetry

    def certificate(self, verdict: Calibrated) -> Certificate:
        """Blocks of interchangeable labels with the maps of u, and the reason *cover* in the chamber."""
        surrogate = self.found.surrogate
        cells = sorted(verdict.cells, key=lambda cell: (max(cell.z) - min(cell.z), cell.z))
        evidence: dict[str, Any] = {
            "blocks": _blocks(self.symmetry),
            "cells": [{"u": vector(cell.u), "prediction": cell.prediction} for cell in cells],
            "vertices": [weighted(surrogate, p, proof) for p, proof in sorted(self.found.proofs.items())],
        }
        return certificate(verdict.status, verdict.loss, polyhedral(surrogate), evidence, None, None)


@dataclass(frozen=True)
class ChambersApart:
    """The same with a given pred, and what keeps one of each kind of its regions apart."""

    found: ChamberCells
    symmetry: Symmetry
    apart: tuple[Apart, ...]

    def certificate(self, verdict: Calibrated) -> Certificate:
        """Blocks and cells as without a pred; the reasons *apart*, and *cover* where scores of labels fall."""
        surrogate, pred = self.found.surrogate, regions_asked(verdict)
        assert pred is not None
        evidence = self.evidence(pred, verdict.cells)
        return certificate(verdict.status, verdict.loss, polyhedral(surrogate), evidence, pred, None)

    def evidence(self, pred: Pred, cells: Sequence[Any]) -> dict[str, Any]:
        """Blocks and cells, vertices with their weights, what keeps regions apart, and that they cover."""
        surrogate = self.found.surrogate
        scores = scores_of_labels(self.symmetry, surrogate.dim)
        steps = [minus(scores[x], scores[y]) for block in self.symmetry.blocks for x, y in pairwise(block)]
        falling = Polyhedron(surrogate.dim, tuple(step for step in steps if any(step)))
        flattest = sorted(cells, key=lambda cell: (max(cell.z) - min(cell.z), cell.z))
        return {
            "blocks": _blocks(self.symmetry),
            "cells": [{"u": vector(cell.u)} for cell in flattest],
            "vertices": [weighted(surrogate, p, proof) for p, proof in sorted(self.found.proofs.items())],
            "apart": [each.written(surrogate, pred) for each in self.apart],
            "scores": [vector(score) for score in scores],
            "cover": cover(pred, surrogate.domain.meet(falling)),
        }


def _blocks(symmetry: Symmetry) -> list[dict[str, Any]]:
    return [
        {"labels": list(labels), "maps": [[[i, j, str(sign)] for i, j, sign in moves] for moves in maps]}
        for labels, maps in zip(symmetry.blocks, symmetry.maps, strict=True)
    ]


@dataclass(frozen=True)
class Counterexample:
    """Points of one N(ψ(u)) that no single prediction serves, or one that the prediction of a given pred does not."""

    points: tuple[tuple[Row, Weights], ...]
    piece: tuple[int, int] | None = None

    def certificate(self, verdict: NotCalibrated) -> Certificate:
        """The reasons *weights* and *better*; with a given pred, the piece of a region that holds u."""
        surrogate, loss, pred = verdict.surrogate, verdict.loss, regions_asked(verdict)
        assert isinstance(surrogate, PolyhedralSurrogate)
        evidence: dict[str, Any] = {
            "u": vector(map(Fraction, map(str, verdict.u))),
            "points": [weighted(surrogate, p, proof) for p, proof in self.points],
        }
        if self.piece is None or pred is None:
            evidence["better"] = better(verdict)
        else:
            evidence |= reached(verdict, pred, surrogate.domain, self.piece, verdict.u)
        return certificate(verdict.status, loss, polyhedral(surrogate), evidence, pred, verdict.within)


def regions_asked(verdict: Calibrated | NotCalibrated) -> Pred | None:
    """The pred that was asked about, if it is given by regions of u."""
    return verdict.asked if isinstance(verdict.asked, Pred) else None


def reached(
    verdict: NotCalibrated, pred: Pred, domain: Polyhedron, place: tuple[int, int], u: Sequence[Fraction | float]
) -> dict[str, Any]:
    """The reason *toward*: points near u at which a tight pred makes a prediction, and one that is better."""
    t, i = place
    toward = point_beyond(pred, domain, t, i, [Fraction(x) for x in u])
    best = verdict.loss.optimal_predictions(verdict.distributions[0])[0]
    return {"prediction": t, "piece": i, "toward": vector(toward), "better": best}


def cover(pred: Pred, domain: Polyhedron) -> dict[str, Any]:
    """The reason *cover*: the regions of the pred leave nothing of the domain."""
    places = [(t, i) for t, region in enumerate(pred.regions) for i in range(len(region))]
    found = covering(domain, [pred.regions[t][i] for t, i in places])
    assert isinstance(found, Covering), f"{pred.name} says nothing at u = {found.point}"
    if _depth(found.tree) > DEEPEST:
        raise TooLarge(
            f"the proof that the regions of {pred.name} cover has more than {DEEPEST} comparisons one below the "
            f"other, which the checker does not read; use fewer pieces"
        )
    return {"point": vector(found.point), "tree": _tree(found.tree, places)}


def _depth(node: Node) -> int:
    return 1 + max(map(_depth, node.parts)) if isinstance(node, Branch) else 0


DEEPEST = 95  # two levels of JSON for each, of 200


def _tree(node: Node, places: Sequence[tuple[int, int]]) -> dict[str, Any]:
    if isinstance(node, Branch):
        return {"by": [vector(row) for row in node.by], "parts": [_tree(part, places) for part in node.parts]}
    if isinstance(node, Thin):
        return {"thin": _combination(node.combination)}
    t, i = places[node.part]
    return {"prediction": t, "piece": i, "rows": [_combination(each) for each in node.rows]}


def _combination(each: Combination) -> dict[str, Any]:
    kinds = {"path": each.path, "inequalities": each.inequalities, "equations": each.equations}
    return {kind: [[i, str(w)] for i, w in multipliers] for kind, multipliers in kinds.items()}


def regret_certificate(
    loss: LossMatrix,
    surrogate: PolyhedralSurrogate,
    pred: Pred,
    hull: Hull,
    attained: Sequence[tuple[Attained, Row, int]],
    proofs: Mapping[Row, Weights],
    evidence: dict[str, Any],
) -> Certificate:
    """The claim "regret": the corners of a hull, each attained in a piece of the region of a prediction."""
    places = [
        {
            **weighted(surrogate, p, proofs[p]),
            "u": vector(each.u),
            "prediction": each.prediction,
            "piece": i,
            "toward": vector(point_beyond(pred, surrogate.domain, each.prediction, i, each.u)),
        }
        for each, p, i in attained
    ]
    inputs = {
        "loss": loss_section(loss),
        "surrogate": polyhedral(surrogate),
        "pred": pred_section(pred),
        "hull": [vector(point) for point in hull.points[1:]],
    }
    return Certificate.of("regret", inputs, {"attained": places, "above": evidence})


def certificate(
    claim: str,
    loss: LossMatrix,
    surrogate: dict[str, Any],
    evidence: dict[str, Any],
    pred: Pred | Votes | None,
    within: tuple[Distributions, ...] | None,
) -> Certificate:
    """The claim with its inputs and its evidence."""
    inputs: dict[str, Any] = {
        "loss": loss_section(loss),
        "surrogate": surrogate,
    }
    if pred is not None:
        inputs["pred"] = pred_section(pred)
    if within is not None:
        inputs["within"] = within_section(within)
    return Certificate.of(claim, inputs, evidence)


def within_section(within: Sequence[Distributions]) -> list[dict[str, Any]]:
    """A union of sets of distributions: their rows."""
    return [_rows(region) for region in within]


def pred_section(pred: Pred | Votes) -> dict[str, Any]:
    """A pred by regions: their rows, and its name; or that it is by votes."""
    if isinstance(pred, Votes):
        return {"votes": True, "name": pred.name}
    return {"regions": [[_rows(piece) for piece in region] for region in pred.regions], "name": pred.name}


def loss_section(loss: LossMatrix) -> dict[str, Any]:
    """A loss: its entries and names."""
    return {
        "entries": [vector(row) for row in loss.entries],
        "labels": [plain(name) for name in loss.labels],
        "predictions": [plain(name) for name in loss.predictions],
        "name": loss.name,
    }


def polyhedral(surrogate: PolyhedralSurrogate) -> dict[str, Any]:
    """A polyhedral surrogate: its pieces and its domain."""
    return {
        "dim": surrogate.dim,
        "terms": [[[vector(piece) for piece in maximum] for maximum in terms] for terms in surrogate.terms],
        "inequalities": [vector(row) for row in surrogate.inequalities],
        "equations": [vector(row) for row in surrogate.equations],
        "name": surrogate.name,
    }


def weighted(surrogate: PolyhedralSurrogate, p: Row, proof: Weights, piece: Polyhedron | None = None) -> dict[str, Any]:
    """The reason *weights*; those on maxima that labels share are split among these labels in proportion to p.

    With a piece of a region, the rows of the piece follow those of the domain.
    """
    total = sum(p)
    shares = [0] * len(surrogate.maxima)
    for y, groups in enumerate(surrogate.groups):
        for g in groups:
            shares[g] += p[y]
    pieces = sorted(
        (y, position, j, w * p[y] / (shares[g] * total))
        for g, j, w in proof.pieces
        for y, groups in enumerate(surrogate.groups)
        for position, used in enumerate(groups)
        if p[y] and used == g
    )
    rows = len(surrogate.inequalities) + (len(piece.inequalities) if piece else 0)
    return weights(
        [Fraction(x, total) for x in p],
        pieces,
        [(i, w / total) for i, w in proof.domain if i < rows],
        [(i - rows, w / total) for i, w in proof.domain if i >= rows],
    )


def better(verdict: NotCalibrated) -> list[list[int]]:
    """The reason *better*: for each prediction a distribution, and a prediction that beats it there."""
    found = []
    for t in range(verdict.loss.k):
        i = next(i for i, out in enumerate(verdict.ruled_out) if t in out)
        found.append([t, i, verdict.loss.optimal_predictions(verdict.distributions[i])[0]])
    return found


def plain(name: object) -> str | int:
    """A name as JSON holds it."""
    return name if type(name) in (str, int) else str(name)  # type: ignore[return-value]


def _rows(constraints: Polyhedron | Distributions) -> dict[str, Any]:
    return {
        "inequalities": [vector(row) for row in constraints.inequalities],
        "equations": [vector(row) for row in constraints.equations],
    }
