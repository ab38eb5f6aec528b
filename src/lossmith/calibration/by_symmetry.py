"""The rule for polyhedral surrogates and losses with interchangeable labels: one cell of each kind is enough.

Let W be the permutations within blocks of labels that neither the surrogate nor the loss tells apart, and K the
chamber (`analysis.chamber`). *ψ is L-calibrated if and only if for every cell N(z) that meets the interior of K there
is a t such that at every corner v of N(z) ∩ K all images of t under the g ∈ W that fix z are optimal.* *Proof.* By the
lemma N(z) lies in Q_t if and only if g(N(z) ∩ K) does for each of these g, that is if N(z) ∩ K lies in the trigger set
of the prediction g⁻¹t. Every cell is an image of one that meets the interior of K, and lies in the same image of its
trigger set. ∎ Among the images of t the one that falls where z is constant costs most at v, so that it is enough to
look at this one. Where it is not optimal, t is not optimal at an image of v that lies in N(z): the counterexample needs
no symmetry any more.
"""

from __future__ import annotations

from operator import mul

from lossmith.analysis.chamber import ChamberCells, against, cells_in_chamber, highest
from lossmith.analysis.positive_normals import PositiveNormalSet
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.analysis.symmetry import Symmetry, shared_symmetry
from lossmith.calibration.by_positive_normals import counterexample
from lossmith.calibration.counterexamples import interior
from lossmith.calibration.decomposition import SortingPred
from lossmith.calibration.proofs import Chambers
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, Cell, Verdict
from lossmith.exact.vectors import Row
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

FEWEST_LABELS = 6  # with fewer, all cells are soon listed
SMALLEST_BLOCK = 3


def by_symmetry(question: Question) -> Verdict | Declined:
    """Decide whether some pred makes a polyhedral surrogate calibrated, where many labels are interchangeable."""
    surrogate, loss = question.surrogate, question.loss
    if not isinstance(surrogate, PolyhedralSurrogate) or question.pred is not None or question.within is not None:
        return Declined()
    if loss.n < FEWEST_LABELS:
        return Declined()
    blocks = question.facts.blocks
    if max(map(len, blocks)) < SMALLEST_BLOCK:
        return Declined()
    symmetry = shared_symmetry(surrogate, blocks)
    if max(map(len, symmetry.blocks)) < SMALLEST_BLOCK:
        return Declined()
    return decided(question, symmetry)


def decided(question: Question, symmetry: Symmetry) -> Verdict:
    """The verdict for a pair with this symmetry, however small."""
    surrogate, loss = question.surrogate, question.loss
    assert isinstance(surrogate, PolyhedralSurrogate)
    minimizer = RiskMinimizer(surrogate, symmetry.blocks)
    found = cells_in_chamber(minimizer, max_vertices=question.max_vertices, progress=question.progress)
    columns = list(dict.fromkeys(question.facts.columns))
    least = {v: min(sum(map(mul, v, column)) for column in columns) for v in found.proofs}
    cells = []
    for cell in found.cells:
        column = _optimal(found, cell, columns, least)
        if column is None:
            points = _against_all(found, cell, columns, least)
            middle = interior(minimizer, cell.z, cell.polytope.rays, tries=None)
            assert middle is not None
            return counterexample(minimizer, loss, cell.u, None, [(points, middle)])
        t = question.facts.columns.index(column)
        cells.append(Cell(cell.u, cell.z, cell.polytope, t, alike=found.chamber.alike(cell.z)))
    pred = SortingPred(
        surrogate, loss, found.chamber, tuple(cell.z for cell in cells), tuple(cell.prediction for cell in cells)
    )
    return Calibrated(surrogate, loss, tuple(cells), Chambers(found, symmetry), found_pred=pred)


def _optimal(found: ChamberCells, cell: PositiveNormalSet, columns: list[Row], least: dict[Row, int]) -> Row | None:
    """The first column all of whose images are optimal at all corners of the cell."""
    levels, tried = found.chamber.levels(cell.z), dict[Row, bool]()
    for column in columns:
        row = highest(column, levels)
        if row not in tried:
            tried[row] = all(sum(map(mul, v, row)) == least[v] for v in cell.polytope.rays)
        if tried[row]:
            return column
    return None


def _against_all(
    found: ChamberCells, cell: PositiveNormalSet, columns: list[Row], least: dict[Row, int]
) -> tuple[Row, ...]:
    """For every column a point of the cell at which it is not optimal, and costs most."""
    levels, points = found.chamber.levels(cell.z), dict[Row, None]()
    for column in columns:
        row = highest(column, levels)
        worst = max(cell.polytope.rays, key=lambda v: (sum(map(mul, v, row)) - least[v]) / sum(v))
        points[against(worst, column, levels)] = None
    return tuple(points)
