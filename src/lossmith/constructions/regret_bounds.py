"""How much of the surrogate's regret becomes regret of the loss: regret_L ≤ c · regret_ψ, or ≤ c √regret_ψ.

regret_L(p, t) = p·ℓ_t − H_L(p) and regret_ψ(p, u) = p·ψ(u) − H_ψ(p); taking means over instances, a bound for every p
holds for every distribution of instances and every model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, isqrt

from lossmith.analysis.chamber import ChamberCells
from lossmith.analysis.positive_normals import Subdivision
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.calibration.proofs import ChambersApart, Cover
from lossmith.calibration.verdicts import Calibrated
from lossmith.errors import Impossible
from lossmith.exact.matrix import integer_matrix, integer_rows
from lossmith.exact.vectors import Row, dot, rows_over_common_denominator
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.closures import tight
from lossmith.surrogates.pred import Decide, Pred
from lossmith.surrogates.squares import weights_of_squares

_LONGEST = 9  # characters of a fraction that is printed as it is
_DIGITS = 4
_BITS = 64  # of a power of two that is irrational
_FEW_POINTS = 500  # whose distances are all measured


@dataclass(frozen=True)
class RegretBound:
    """regret_L ≤ `constant` · regret_ψ; with `root`, regret_L² ≤ `constant` · regret_ψ.

    The constant is `factor` · 2^`doublings`, 0 ≤ doublings < 1: irrational where that is not 0, so that equal bounds
    are equal constants. It is printed as it is if that is short, else rounded up to four digits.

    >>> print(RegretBound(Fraction(808, 45)))
    regret_L ≤ 808/45 regret_ψ
    >>> print(RegretBound(Fraction(100_003, 99_999)))
    regret_L ≤ 1.001 regret_ψ
    >>> print(RegretBound(Fraction(9, 4), root=True))
    regret_L ≤ 3/2 √regret_ψ
    >>> print(RegretBound(Fraction(2), root=True))
    regret_L ≤ √2 √regret_ψ
    >>> bound = RegretBound(Fraction(3, 2), root=True, doublings=Fraction(1, 2))
    >>> print(bound, round(float(bound.above), 9))
    regret_L ≤ √(3/2 · 2^(1/2)) √regret_ψ 2.121320344
    >>> bound.constant
    Traceback (most recent call last):
    lossmith.errors.Impossible: the constant 3/2 · 2^(1/2) is no fraction; read factor and doublings, or above
    """

    factor: Fraction
    root: bool = False
    doublings: Fraction = Fraction(0)

    def __str__(self) -> str:
        return f"regret_L ≤ {self.written} {'√' * self.root}regret_ψ"

    @property
    def constant(self) -> Fraction:
        """The constant, if it is a fraction; else `Impossible`."""
        if self.doublings:
            raise Impossible(f"the constant {self.exactly} is no fraction; read factor and doublings, or above")
        return self.factor

    @property
    def above(self) -> Fraction:
        """The constant, or if it is irrational a fraction that is larger by less than 10^−18 of it."""
        return self.factor * _power_of_two_above(self.doublings)

    @property
    def exactly(self) -> str:
        """The constant in full, as text."""
        return f"{self.factor} · 2^({self.doublings})" if self.doublings else str(self.factor)

    @property
    def written(self) -> str:
        """The constant, or its upper bound of four digits."""
        square = self.above if self.root else self.above**2
        if self.doublings:
            short = max(len(str(self.factor)), len(str(self.doublings))) <= _LONGEST
            return f"{'√' * self.root}({self.exactly})" if short else rounded_up(square)
        roots = Fraction(isqrt(square.numerator), isqrt(square.denominator))
        whole = roots**2 == square
        shown = roots if whole else square
        if len(str(shown)) > _LONGEST:
            return rounded_up(square)
        return str(shown) if whole else f"√{shown}" if shown.denominator == 1 else f"√({shown})"


def regret_bound(verdict: Calibrated, at_most: Fraction | None = None) -> RegretBound | None:
    """What is known of the regrets of the surrogate and the pred of a verdict; None if that is nothing.

    Exactly (`worst_ratio`) for a pred by regions, of which `at_most` may be known already; by `mixture_constant` for
    the pred of the proof, for squares by `squared_constant`. Nothing is known on some distributions only, nor of other
    smooth surrogates.

    >>> from lossmith.calibration.checking import check
    >>> from lossmith.losses import ordinal
    >>> from lossmith.surrogates import absolute
    >>> print(regret_bound(check(absolute(3), ordinal(3))))
    regret_L ≤ 3 regret_ψ
    >>> print(regret_bound(check(absolute(3), ordinal(3), pred="nearest")))
    regret_L ≤ 2 regret_ψ
    """
    if verdict.within is not None:
        return None
    pred = verdict.pred
    if isinstance(pred, Decide):
        square = squared_constant(pred)
        return None if square is None else RegretBound(square, root=True)
    if isinstance(verdict.proof, ChambersApart):
        assert isinstance(pred, Pred)
        ratio = worst_ratio(verdict.proof.found, verdict.loss, pred, at_most)
        return None if ratio is None else RegretBound(ratio)
    if not isinstance(verdict.proof, Cover):
        return None
    if isinstance(pred, DecompositionPred):
        return RegretBound(mixture_constant(verdict.proof.subdivision, verdict.loss, pred))
    assert isinstance(pred, Pred)
    ratio = worst_ratio(verdict.proof.subdivision, verdict.loss, pred, at_most)
    return None if ratio is None else RegretBound(ratio)


def mixture_constant(subdivision: Subdivision, loss: LossMatrix, pred: DecompositionPred) -> Fraction:
    """The c of `mixture_bounds` that will do."""
    return mixture_bounds(subdivision, loss, pred)[1]


def mixture_bounds(subdivision: Subdivision, loss: LossMatrix, pred: DecompositionPred) -> tuple[Fraction, Fraction]:
    """κ and c with regret_L(p, pred(u)) ≤ c · regret_ψ(p, u) for all p and u, for the pred of a proof, not for c < κ.

    Let the r cells of ψ have the points z_j and the predictions t_j. The pred writes ψ(u) ≥ Σ α_j z_j with α ≥ 0,
    Σ α_j = 1, and takes a largest α_j. Of all such α it takes a vertex of those for which the entries of Σ α_j z_j have
    the least total. At most n of its entries are positive: at most n + 1 are, since only n rows can be tight, and if
    n + 1 are, their z_j are affinely independent and ψ(u) = Σ α_j z_j lies inside their hull, so that the total could
    be less. So α_j ≥ 1/min(r, n), and regret_ψ(p, u) ≥ α_j (p·z_j − H_ψ(p)).

    Let κ be the largest regret_L(p, t_j) / (p·z_j − H_ψ(p)) over all j and the vertices p of the subdivision, 0/0
    counting as 0. On a cell H_ψ is linear and regret_L(·, t_j) convex, so regret_L(p, t_j) ≤ κ (p·z_j − H_ψ(p)) holds
    for all p. Where it is 0 on the right, p ∈ N(z_j) ⊆ Q_{t_j}, and κ is finite. So c = min(r, n) κ; κ = 1/b if
    z_j − z_i = b (ℓ_{t_j} − ℓ_{t_i}) for one b and all i, j. Less than κ will not do: at the u of cell j the pred says
    t_j, as z_j is a mixture of no others.
    """
    points, unit = rows_over_common_denominator(pred.points)
    excesses = _excesses(loss, subdivision)
    risks = integer_rows(integer_matrix(list(excesses)) * integer_matrix(points).transpose())
    lost, paid = 0, 1
    for excess, line in zip(excesses.values(), risks, strict=True):
        least = min(line)  # H_ψ(p), as some cell has p as a vertex
        for t, risk in zip(pred.predictions, line, strict=True):
            if excess[t] * paid > lost * (risk - least):
                lost, paid = excess[t], risk - least
    least_ratio = Fraction(lost * unit, paid * loss.rational.denominator)
    return least_ratio, min(len(pred.points), loss.n) * least_ratio


def squared_constant(pred: Decide) -> Fraction | None:
    """c² with regret_L ≤ c √regret_ψ for ψ_y(u) = w_y ‖u − a_y‖² and this pred; None if ψ is not known as such.

    The pred takes the least c_t + u·b_t, where ℓ_ty − ℓ_sy = v_y (c_t − c_s + a_y·(b_t − b_s)) for all t and s that it
    makes, one of which is optimal; w = λv with the scales v. With V = Σ v_y p_y and the estimate x = Σ v_y p_y a_y / V,
    p·(ℓ_t − ℓ_s) = V (c_t − c_s + x·(b_t − b_s)) and regret_ψ(p, u) = λV ‖u − x‖². If the pred says t at u and s is
    optimal, regret_L(p, t) ≤ V (x − u)·(b_t − b_s) ≤ √(V/λ) ‖b_t − b_s‖ √regret_ψ(p, u); V/λ is at most max v_y²/w_y.

    >>> from lossmith.calibration.checking import check
    >>> from lossmith.losses import zero_one
    >>> from lossmith.surrogates import class_probability
    >>> squared_constant(check(class_probability(2), zero_one(2)).pred)
    Fraction(4, 1)
    """
    weights = weights_of_squares(pred.surrogate)
    if weights is None or pred.reads != "means":
        return None
    slopes = [row[1:] for row in pred.affine if row is not None]
    scales = pred.surrogate.traits.scales or (Fraction(1),) * len(weights)
    return widest_square(slopes) * max(v * v / w for v, w in zip(scales, weights, strict=True))


def widest_square(slopes: Sequence[Sequence[Fraction]]) -> Fraction:
    """The largest ‖b_t − b_s‖²; for many points the square of twice the distance from their mean, which is no less."""
    points, unit = rows_over_common_denominator(slopes)
    return _width(points) / unit**2


def _width(points: Sequence[Row]) -> Fraction:
    size = len(points)
    if size > _FEW_POINTS:
        total = [sum(column) for column in zip(*points, strict=True)]
        # ‖size · b − total‖², without squaring each difference
        farthest = max(size**2 * dot(point, point) - 2 * size * dot(point, total) for point in points)
        return Fraction(4 * (farthest + dot(total, total)), size**2)
    table = integer_matrix(points)
    products = integer_rows(table * table.transpose())
    own = [line[t] for t, line in enumerate(products)]
    return Fraction(max(own[s] + own[t] - 2 * x for s, line in enumerate(products) for t, x in enumerate(line)))


def worst_ratio(
    subdivision: Subdivision | ChamberCells, loss: LossMatrix, pred: Pred, at_most: Fraction | None = None
) -> Fraction | None:
    """The least c with regret_L(p, pred(u)) ≤ c · regret_ψ(p, u) for all p and u, exactly; None if there is none.

    There is none exactly if the surrogate with this pred is not calibrated for the loss.

    Let P be one of the polyhedra whose union is the closure of where the pred says t. F(p) = min_{u ∈ P} p·ψ(u) is
    concave. On a cell of ψ with the point z, where H_ψ(p) = p·z, and for each s, p ↦ c (F(p) − p·z) − p·(ℓ_t − ℓ_s) is
    concave too: if it is at least 0 at the vertices of the cell, it is so on the cell. The largest over s of
    p·(ℓ_t − ℓ_s) is regret_L(p, t), and the cells cover Δ. So the least c is the largest
    regret_L(p, t) / (F(p) − H_ψ(p)) over the vertices p of the subdivision and all P, 0/0 counting as 0; F(p) is
    attained, so that no smaller c will do. Where the pred does not tell labels apart, either, the vertices in the
    chamber are enough: regrets at p are those at its images, of images of t and P. Where it is known to be at most so
    much, nothing more is computed once that is reached.

    >>> from lossmith.analysis.positive_normals import positive_normal_sets
    >>> from lossmith.losses import ordinal
    >>> from lossmith.surrogates import absolute
    >>> from lossmith.surrogates.preds import nearest
    >>> psi, loss = absolute(3), ordinal(3)
    >>> worst_ratio(positive_normal_sets(psi), loss, nearest(psi, loss))
    Fraction(2, 1)
    """
    surrogate, worst = subdivision.surrogate, Fraction(0)
    excesses = _excesses(loss, subdivision)
    regions = tight(pred, surrogate.domain).regions
    for t, piece in ((t, piece) for t, region in enumerate(regions) for piece in region):
        minimizer = RiskMinimizer(surrogate.on(piece, f"{surrogate.name} on region {t}"))
        for p, excess in excesses.items():
            if excess[t]:
                paid = minimizer.at(p).weights.bound - subdivision.proofs[p].bound
                if paid == 0:
                    return None
                worst = max(worst, Fraction(excess[t], loss.rational.denominator) / paid)
                if worst == at_most:
                    return worst
    return worst


def _excesses(loss: LossMatrix, subdivision: Subdivision | ChamberCells) -> dict[Row, list[int]]:
    """p·ℓ_t − min_s p·ℓ_s for every t, at every vertex p of the subdivision, neither normalised nor divided."""
    vertices = list(subdivision.proofs)
    risks = integer_rows(integer_matrix(vertices) * loss.rational.numerators)
    return {
        p: [risk - least for risk in line] for p, line in zip(vertices, risks, strict=True) for least in (min(line),)
    }


def rounded_up(square: Fraction) -> str:
    """The least decimal of four digits that is not below the root of a positive number."""
    place = (len(str(square.numerator)) - len(str(square.denominator))) // 2 - _DIGITS
    while square > 10 ** (2 * _DIGITS) * Fraction(10) ** (2 * place):
        place += 1
    scaled = square / Fraction(10) ** (2 * place)
    digits = isqrt(ceil(scaled) - 1) + 1
    return f"{Decimal(digits).scaleb(place).normalize():f}"


def _power_of_two_above(exponent: Fraction) -> Fraction:
    """A fraction that is not below 2^x, 0 ≤ x < 1: with the binary digits of x, √(2^b₁ √(2^b₂ …)), all rounded up."""
    digits, unit = ceil(exponent * 2**_BITS), 2**_BITS
    root = unit
    for place in range(_BITS):
        root = isqrt((root << (digits >> place & 1)) * unit - 1) + 1
    return Fraction(root << (digits >> _BITS), unit)
