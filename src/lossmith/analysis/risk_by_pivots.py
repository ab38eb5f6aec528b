"""H_ψ as a vector linear program, whose cells are found by pivots: where few of the pieces are equal at a vertex.

In the variables u and one bound t_g per maximum: minimise all ψ_y = Σ t_g at once, subject to t_g ≥ b + a·u for each
piece of maximum g, for u ∈ C. The weights of its rows are those of the pieces, and the multipliers of the domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING

from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.analysis.weights import Weights
from lossmith.exact.vectors import Row, unit_rows
from lossmith.geometry.double_description import Progress
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

if TYPE_CHECKING:
    from lossmith.geometry.cells_by_pivots import CellsByPivots

_MOST_TIED = 6  # where a larger part of the rows beyond a basis is tied, a cell would fall into too many cones
_FEW_ROWS, _FEW_LABELS = 8, 6  # with fewer rows beyond a basis and fewer labels, cells are soon enumerated


def risk_by_pivots(minimizer: RiskMinimizer, *, most: int, progress: Progress | None = None) -> CellsByPivots | None:
    """The cells of H_ψ, multiplied by the scale of the minimiser; None if another way is better.

    >>> from lossmith.surrogates import crammer_singer, weston_watkins
    >>> len(risk_by_pivots(RiskMinimizer(weston_watkins(4)), most=10_000).vertices)
    99
    >>> risk_by_pivots(RiskMinimizer(crammer_singer(5)), most=10_000) is None
    True
    """
    from lossmith.geometry.cells_by_pivots import cells_by_pivots  # loads numpy
    from lossmith.geometry.dictionaries import VectorProgram

    surrogate, pieces, domain = minimizer.surrogate, minimizer.pieces, minimizer.domain
    guess = minimizer.guess([1 / surrogate.n] * surrogate.n)
    if guess is None:
        return None
    (point, support), units = guess, unit_rows(len(surrogate.maxima))
    beyond = sum(map(len, pieces)) + len(domain) - len(support)
    if beyond < _FEW_ROWS and surrogate.n < _FEW_LABELS:
        return None
    if _MOST_TIED * (_binding(pieces, domain, [1.0, *point[: surrogate.dim]]) - len(support)) > beyond:
        return None
    above = [(*(-x for x in piece), *units[g]) for g, maximum in enumerate(pieces) for piece in maximum]
    rows = [*above, *((*row, *[0] * len(units)) for row in domain)]
    sums = [(*[0] * surrogate.dim, *map(groups.count, range(len(units)))) for groups in surrogate.groups]
    program = VectorProgram(rows, len(surrogate.equations), sums, surrogate.dim)
    return cells_by_pivots(program, support, most=most, progress=progress)


def _binding(pieces: Sequence[Sequence[Row]], domain: Sequence[Row], x: Sequence[float]) -> int:
    """How many pieces seem to be the largest of their maximum at x, and how many rows of the domain to be 0."""
    try:
        values = [[sum(map(mul, piece, x)) for piece in maximum] for maximum in pieces]
        edges = [sum(map(mul, row, x)) for row in domain]
    except OverflowError:
        return 0
    near = 1e-9 * max(1.0, *(abs(max(each)) for each in values))
    largest = [value for each in values for value in each if value >= max(each) - near]
    return len(largest) + len([edge for edge in edges if abs(edge) <= near])


class Weigher:
    """Makes weights of those of rows of the program.

    >>> from lossmith.surrogates import absolute
    >>> Weigher(absolute(3)).weights(Fraction(1), [(1, 2), (3, 2)], 2).pieces
    ((0, 1, Fraction(1, 1)), (1, 1, Fraction(1, 1)))
    """

    def __init__(self, surrogate: PolyhedralSurrogate) -> None:
        self._rows = [(g, j) for g, maximum in enumerate(surrogate.maxima) for j in range(len(maximum))]

    def weights(self, bound: Fraction, weights: Sequence[tuple[int, int]], denominator: int) -> Weights:
        """The proof of this bound by the weights of these rows."""
        rows, size = self._rows, len(self._rows)
        pieces = tuple([(*rows[k], weight) for k, weight in weights if k < size])
        domain = tuple([(k - size, weight) for k, weight in weights if k >= size])
        return Weights(bound, denominator, pieces, domain)
