"""The rule for polyhedral surrogates with a given pred, where labels are interchangeable for the pred, too.

Let W be the permutations within blocks of labels that the surrogate and the loss do not tell apart, and let the maps of
u that exchange neighbours exchange the polyhedra of cl R_t, the closures of where the pred decides, as well
(`analysis.exchanged_regions`). *(ψ, pred) is L-calibrated if and only if at every vertex p of the subdivision of ψ in
the chamber K, and for every polyhedron P of a t that is not optimal at p, min_{u ∈ P} p·ψ(u) > H_ψ(p).* *Proof.* If it
is not calibrated, then at some p a P of a t that is not optimal attains H_ψ(p) at some u (`calibration.by_regions`).
Let gp ∈ K for a g ∈ W. What g makes of t is not optimal at gp, as columns are permuted; and one of its polyhedra
contains the image of u, whose risk at gp is that of u at p: H_ψ(p) = H_ψ(gp). With z = ψ of that image,
{q ∈ K : q·z = H_ψ(q)} is a face, the hull of vertices of the subdivision in K, and at one of these the prediction is
not optimal, but its polyhedron attains H_ψ. The converse needs no symmetry. ∎

At p it is enough to look at one P of those that exchanges of labels with equal p_y take to each other.

How ties are broken does not respect the symmetry; their closures may. Regions as they are given must be exchanged, too,
so that what is said about ties is found in K.
"""

from __future__ import annotations

from lossmith.analysis.chamber import cells_in_chamber
from lossmith.analysis.exchanged_regions import ExchangedRegions
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.analysis.symmetry import Moves, Symmetry, shared_symmetry
from lossmith.calibration.by_regions import RegionsTest, refuted, rests_on_ties, spoiled_by_ties
from lossmith.calibration.by_symmetry import FEWEST_LABELS, SMALLEST_BLOCK
from lossmith.calibration.proofs import Apart, ChambersApart
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, Cell, Verdict
from lossmith.exact.vectors import Row
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


def by_symmetric_regions(question: Question) -> Verdict | Declined:
    """Decide whether a polyhedral surrogate with this pred is calibrated, where many labels are interchangeable."""
    surrogate = question.surrogate
    if not isinstance(surrogate, PolyhedralSurrogate) or question.pred is None or question.within is not None:
        return Declined()
    if question.loss.n < FEWEST_LABELS or max(map(len, question.facts.blocks)) < SMALLEST_BLOCK:
        return Declined()
    symmetry = symmetry_with_pred(question)
    if max(map(len, symmetry.blocks)) < SMALLEST_BLOCK:
        return Declined()
    return decided_with_pred(question, symmetry)


def symmetry_with_pred(question: Question) -> Symmetry:
    """The blocks of labels that surrogate, loss and pred share."""
    pred, said, columns = question.regions, question.closures, question.facts.columns
    assert pred is not None
    assert said is not None
    assert isinstance(question.surrogate, PolyhedralSurrogate)
    kinds = [ExchangedRegions(columns, each) for each in ((said,) if said.regions == pred.regions else (said, pred))]

    def shares(x: int, y: int, moves: Moves) -> bool:
        return all(each.by(x, y, moves) is not None for each in kinds)

    return shared_symmetry(question.surrogate, question.facts.blocks, shares)


def decided_with_pred(question: Question, symmetry: Symmetry) -> Verdict:
    """The verdict for a pair and a pred with this symmetry, however small."""
    surrogate, loss, pred, said = question.surrogate, question.loss, question.regions, question.closures
    assert isinstance(surrogate, PolyhedralSurrogate)
    assert pred is not None
    assert said is not None
    minimizer = RiskMinimizer(surrogate, symmetry.blocks)
    found = cells_in_chamber(minimizer, max_vertices=question.max_vertices, progress=question.progress)
    test = RegionsTest(loss, found, [tuple(sorted(found.proofs))], question.progress)
    orbits = ExchangedRegions(question.facts.columns, said).orbits(symmetry)
    apart: dict[tuple[Row, int, int], Apart] = {}
    wrong = test.first_wrong(said, apart, orbits.representatives)
    if wrong is not None:
        ties = rests_on_ties(pred, said, surrogate.domain, test)
        return refuted(minimizer, loss, said, None, wrong, ties)
    cells = tuple(
        Cell(cell.u, cell.z, cell.polytope, pred(cell.u), alike=found.chamber.alike(cell.z)) for cell in found.cells
    )
    proof = ChambersApart(found, symmetry, tuple(apart.values()))
    return Calibrated(surrogate, loss, cells, proof, said, ties=spoiled_by_ties(pred, said, surrogate.domain, test))
