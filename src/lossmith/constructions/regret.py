"""How much of the surrogate's regret becomes regret of the loss: constants c with regret_L ≤ c · regret_ψ.

regret_L(p, t) = p·ℓ_t − H_L(p) and regret_ψ(p, u) = p·ψ(u) − H_ψ(p); taking means over instances, a bound for every p
holds for every distribution of instances and every model.
"""

from __future__ import annotations

from fractions import Fraction
from operator import mul

from lossmith.analysis.positive_normals import MAX_VERTICES, Point, positive_normal_sets
from lossmith.analysis.weights import RiskMinimizer
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.calibration.verdicts import Calibrated
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.preds import as_pred
from lossmith.surrogates.regions import domain_of


def regret_constant(verdict: Calibrated) -> Fraction | None:
    """A c with regret_L(p, pred(u)) ≤ c · regret_ψ(p, u) for all p and u, for the pred of the proof; None if unknown.

    Let the r cells of ψ have the points z_j and the predictions t_j, and let z_j − z_i = b (ℓ_{t_j} − ℓ_{t_i}) for one
    b > 0 and all i, j. The pred writes ψ(u) ≥ Σ α_j z_j with α ≥ 0, Σ α_j = 1, and takes a largest α_j, so α_j ≥ 1/r
    and regret_ψ(p, u) ≥ α_j (p·z_j − H_ψ(p)) = α_j b regret_L(p, t_j). Of all such α it takes a vertex of those for
    which the entries of Σ α_j z_j have the least total. At most n of its entries are positive: at most n + 1 are,
    since only n rows can be tight, and if n + 1 are, their z_j are affinely independent and ψ(u) = Σ α_j z_j lies
    inside their hull, so that the total could be less. So c = min(r, n)/b.

    Unknown are verdicts with a given pred (see `worst_ratio`), on some distributions only, or without such a b.

    >>> from lossmith.calibration.checking import check
    >>> from lossmith.losses import ordinal, zero_one
    >>> from lossmith.surrogates import absolute, lee_lin_wahba
    >>> regret_constant(check(absolute(3), ordinal(3)))
    Fraction(3, 1)
    >>> regret_constant(check(lee_lin_wahba(3), zero_one(3)))
    Fraction(1, 1)
    """
    if verdict.within is not None or not isinstance(verdict.surrogate, PolyhedralSurrogate):
        return None
    if not isinstance(verdict.pred, DecompositionPred):
        return None
    factor = _common_factor(verdict)
    if factor is None:
        return None
    return Fraction(min(len(verdict.cells), verdict.loss.n)) / factor if factor else Fraction(0)


def worst_ratio(
    surrogate: PolyhedralSurrogate,
    loss: LossMatrix,
    pred: object,
    *,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> Fraction | None:
    """The least c with regret_L(p, pred(u)) ≤ c · regret_ψ(p, u) for all p and u, exactly; None if there is none.

    There is none exactly if the surrogate with this pred is not calibrated for the loss.

    Let P be a closed polyhedron on which the pred says t. F(p) = min_{u ∈ P} p·ψ(u) is concave. On a cell of ψ with
    the point z, where H_ψ(p) = p·z, and for each s, p ↦ c (F(p) − p·z) − p·(ℓ_t − ℓ_s) is concave too: if it is at
    least 0 at the vertices of the cell, it is so on the cell. The largest over s of p·(ℓ_t − ℓ_s) is regret_L(p, t),
    and the cells cover Δ. So the least c is the largest regret_L(p, t) / (F(p) − H_ψ(p)) over the vertices p of the
    subdivision and all P, 0/0 counting as 0; F(p) is attained, and P is in the closure of {u : pred(u) = t}, so that no
    smaller c will do.

    >>> from lossmith.losses import ordinal
    >>> from lossmith.surrogates import absolute
    >>> worst_ratio(absolute(3), ordinal(3), "nearest")
    Fraction(2, 1)
    """
    read = as_pred(pred, surrogate, loss)
    subdivision = positive_normal_sets(surrogate, max_vertices=max_vertices, progress=progress)
    domain, worst = domain_of(surrogate), Fraction(0)
    minima = {p: subdivision.proofs[p].bound for p in subdivision.vertices}
    excess = {p: _excess(loss, p) for p in minima}
    for t, region in enumerate(read.regions):
        for piece in region:
            whole = domain.meet(piece)
            if whole.empty:
                continue
            part = RiskMinimizer(
                PolyhedralSurrogate(surrogate.terms, surrogate.dim, whole.inequalities, whole.equations, surrogate.name)
            )
            for p, least in minima.items():
                if excess[p][t]:
                    paid = part.at(p).weights.bound - least
                    if paid == 0:
                        return None
                    worst = max(worst, excess[p][t] / paid)
    return worst


def _excess(loss: LossMatrix, p: tuple[int, ...]) -> list[Fraction]:
    """p·ℓ_t − min_s p·ℓ_s for every t; p need not be normalised."""
    risks = [sum(map(mul, p, column), Fraction(0)) for column in zip(*loss.entries, strict=True)]
    return [risk - min(risks) for risk in risks]


def _common_factor(verdict: Calibrated) -> Fraction | None:
    """The b > 0 with z_j − z_0 = b (ℓ_{t_j} − ℓ_{t_0}) for all cells; 0 if there is one cell, None if there is no b."""
    first, *others = verdict.cells
    factor = Fraction(0)
    for cell in others:
        ours = _minus(cell.z, first.z)
        theirs = _minus(verdict.loss.column(cell.prediction), verdict.loss.column(first.prediction))
        if not factor:
            factor = next((a / b for a, b in zip(ours, theirs, strict=True) if b), Fraction(0))
        if factor <= 0 or any(a != factor * b for a, b in zip(ours, theirs, strict=True)):
            return None
    return factor


def _minus(first: Point, second: Point) -> Point:
    return tuple(a - b for a, b in zip(first, second, strict=True))
