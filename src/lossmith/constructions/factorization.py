"""The low-rank form of a loss, L_yt = w_y (r_y + c_t + a_y·b_t): few inner products tell all predictions apart.

p·(ℓ_t − ℓ_s) depends on p only through Σ_y p_y w_y (1, a_y), so that m numbers need be learned when a_y ∈ R^m.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.errors import BadInput
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import row_basis
from lossmith.exact.solve import combination
from lossmith.exact.vectors import cleared, combined, minus, moderate, primitive
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix


@dataclass(frozen=True)
class Factors:
    """L_yt = w_y (r_y + c_t + a_y·b_t) for all labels y and the kept predictions t, with a_y ∈ R^m and m least.

    `rows` are the a_y and `weights` the w_y > 0, integers, or of order one where those were long; `columns` are the
    b_t, `offsets` the r_y and `constants` the c_t. Where the weights are not all 1, and wherever m is less than the
    dimension of the affine hull of the kept columns, `mixture` are numbers x with Σ_t x_t (ℓ_t − ℓ_s) = w for the first
    kept s; else it is None.
    """

    kept: tuple[int, ...]
    rows: tuple[tuple[Fraction | int, ...], ...]
    columns: tuple[tuple[Fraction, ...], ...]
    offsets: tuple[Fraction, ...]
    constants: tuple[Fraction, ...]
    weights: tuple[Fraction | int, ...]
    mixture: tuple[Fraction, ...] | None

    @property
    def dim(self) -> int:
        """m, the number of inner columns."""
        return len(self.rows[0])


def factorize(loss: LossMatrix, kept: Sequence[int], *, weighted: bool = True) -> Factors:
    """Write the columns `kept` of the loss in the low-rank form, exactly.

    Let V be the span of the differences ℓ_t − ℓ_s of kept columns. If V contains some w > 0, rows are divided by w_y,
    so that 1 ∈ V and m = dim V − 1; w = 1 is taken where it is in V. Else, by Gordan's theorem, some p ∈ Δ makes all
    p·ℓ_t equal, all weights are 1, and m = dim V. Without `weighted` all weights are 1: m = rank[ℓ_t − ℓ_s ; 1] − 1.

    >>> from lossmith.losses import ordinal
    >>> factors = factorize(ordinal(3), range(3))
    >>> factors.rows, factors.weights
    (((1, 1), (-1, 0), (-1, -1)), (1, 1, 1))
    >>> factorize(LossMatrix([[0, 1], [5, 0]]), range(2)).rows
    ((1,), (-5,))
    """
    kept = tuple(kept)
    if not kept or len(set(kept)) < len(kept) or not all(0 <= t < loss.k for t in kept):
        raise BadInput(f"the kept predictions are {kept}; give different indices from 0 to {loss.k - 1}, at least one")
    differences = [minus(loss.column(t), loss.column(kept[0])) for t in kept]
    weights, mixture = _weights(differences) if weighted else ((1,) * loss.n, None)
    scaled = [tuple(x / w for x, w in zip(each, weights, strict=True)) for each in differences]
    ones = [1] * loss.n
    chosen = row_basis(integer_matrix([ones, *map(cleared, scaled)]))  # ones come first and so are chosen
    inner = moderate([primitive(cleared(scaled[i - 1])) for i in chosen if i])
    basis = [[Fraction(x) for x in column] for column in (ones, *inner)]
    coordinates = [_coordinates(basis, each) for each in scaled]
    offsets = tuple(x / w for x, w in zip(loss.column(kept[0]), weights, strict=True))
    return Factors(
        kept,
        tuple(tuple(column[y] for column in inner) for y in range(loss.n)),
        tuple(each[1:] for each in coordinates),
        offsets,
        tuple(each[0] for each in coordinates),
        weights,
        mixture,
    )


def kept_predictions(facts: Facts) -> tuple[int, ...]:
    """The predictions that are not redundant, at least two of them: with one there is nothing to learn.

    >>> kept_predictions(Facts(LossMatrix([[0, 2, 4], [4, 2, 0]])))
    (0, 2)
    """
    loss, kept = facts.loss, facts.kept
    if len(kept) < 2:
        raise BadInput(
            f"{loss.name} needs no surrogate: {loss.predictions[kept[0]]} is optimal whatever the label; always decide "
            f"that"
        )
    return kept


def _weights(
    differences: Sequence[Sequence[Fraction]],
) -> tuple[tuple[Fraction | int, ...], tuple[Fraction, ...] | None]:
    """Numbers w > 0 in the span of the differences, and the combination that gives them; if none, ones and None."""
    n = len(differences[0])
    ones = (1,) * n
    mixture = combination(differences, [Fraction(1)] * n)
    if mixture is not None:
        return ones, mixture
    rows = [cleared(each) for each in differences]
    basis = row_basis(integer_matrix(rows))
    spanning = [primitive(rows[i]) for i in basis]
    if not spanning:
        return ones, None
    best = maximize([-sum(each) for each in spanning], [(-1, *column) for column in zip(*spanning, strict=True)])
    if best is None:
        return ones, None
    [weights] = moderate([primitive(cleared(combined(best.point, spanning)))])
    mixture = combination(differences, [Fraction(x) for x in weights])
    assert mixture is not None
    return weights, mixture


def _coordinates(basis: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> tuple[Fraction, ...]:
    found = combination(basis, target)
    assert found is not None  # the basis spans all differences
    return found
