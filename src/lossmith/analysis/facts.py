"""What is known of a loss, computed once: theorems, constructions and questions pass it on to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from lossmith.analysis.redundancy import Redundant, needed_predictions, redundant_predictions
from lossmith.analysis.sections import Sections, full_sections, order_by_a_row
from lossmith.analysis.symmetry import Block, interchangeable_labels
from lossmith.analysis.trigger_probabilities import MAX_VERTICES, TriggerSet, cells_of
from lossmith.analysis.winning import Neighbours, Winning, neighbours, winning
from lossmith.errors import TooLarge
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank, row_basis
from lossmith.exact.solve import combination, solve
from lossmith.exact.vectors import Row, combined, minus, unit_row, unit_rows
from lossmith.geometry.double_description import Progress
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix


@dataclass(frozen=True, eq=False)
class Facts:
    """A loss and what follows from its entries alone, each fact computed when it is first asked for.

    >>> from lossmith.losses import abstain
    >>> facts = Facts(abstain(3, cost="3/4"))
    >>> facts.kept, facts.order, len(facts.cells())
    ((0, 1, 2), None, 3)
    """

    loss: LossMatrix
    progress: Progress | None = field(default=None, repr=False)
    _cells: list[tuple[TriggerSet, ...]] = field(default_factory=list, init=False, repr=False)
    _refused: dict[bool | None, tuple[int, TooLarge]] = field(default_factory=dict, init=False, repr=False)

    def __reduce__(self) -> tuple[type[Facts], tuple[LossMatrix]]:
        return Facts, (self.loss,)  # what was computed can be computed again

    @cached_property
    def columns(self) -> tuple[Row, ...]:
        """The columns of the loss as integers, up to one positive factor."""
        return self.loss.rational.integer_columns()

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """The predictions that are not redundant, of equal columns the first; no verdict depends on the others."""
        if self._cells:
            return tuple(cell.prediction for cell in self._cells[0])
        return needed_predictions(self.loss, progress=self.progress)

    @cached_property
    def redundant(self) -> tuple[Redundant, ...]:
        """The other predictions, each with the reason."""
        return redundant_predictions(self.loss, self.kept, progress=self.progress)

    def cells(self, max_vertices: int = MAX_VERTICES, *, reduced: bool | None = None) -> tuple[TriggerSet, ...]:
        """The trigger sets of the kept predictions; what was enumerated, or refused for its size, is not tried again.

        `reduced=False` asks for cells in the simplex; else they may be in reduced coordinates.
        """
        for known in self._cells:
            if reduced is None or known[0].coordinates is None:
                _fits(known, max_vertices)
                return known
        if reduced in self._refused and max_vertices <= self._refused[reduced][0]:
            raise self._refused[reduced][1]
        try:
            found = cells_of(
                self.columns, lambda: self.kept, reduced=reduced, max_vertices=max_vertices, progress=self.progress
            )
        except TooLarge as refusal:
            self._refused[reduced] = (max_vertices, refusal)
            raise
        self._cells.append(found)
        return found

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of interchangeable labels."""
        return interchangeable_labels(self.columns)

    @cached_property
    def kept_blocks(self) -> tuple[Block, ...]:
        """The blocks of labels that are interchangeable for the kept predictions alone."""
        return interchangeable_labels([self.columns[t] for t in self.kept])

    @cached_property
    def kinds(self) -> tuple[tuple[int, ...], ...]:
        """The kept predictions, those together that are images of each other when labels of a block are exchanged."""
        kinds: dict[object, list[int]] = {}
        for t in self.kept:
            column = self.columns[t]
            kinds.setdefault(tuple(tuple(sorted(column[y] for y in block)) for block in self.blocks), []).append(t)
        return tuple(map(tuple, kinds.values()))

    @cached_property
    def winning(self) -> tuple[Winning, ...]:
        """For each kept prediction a distribution at which it wins, by about as much as can be."""
        return winning(self)

    @cached_property
    def neighbours(self) -> Neighbours:
        """Which cells share a facet; found without their vertices, unless those are known."""
        if self._cells:
            beside = ((cell.prediction, s) for cell in self._cells[0] for s in cell.neighbours)
            return Neighbours(tuple(sorted((t, s) for t, s in beside if t < s)))
        return neighbours(self)

    @cached_property
    def sections(self) -> Sections:
        """For each kept prediction, those whose cells meet its cell in a full section of the simplex."""
        return full_sections(self.columns, self.kept)

    @cached_property
    def order(self) -> tuple[int, ...] | None:
        """The kept predictions, ordered so that consecutive cells meet in full sections; None if there is no order."""
        return order_by_a_row(self.columns, self.kept)

    @cached_property
    def differences(self) -> list[Row]:
        """The columns ℓ_t − ℓ_0 of the kept predictions, 0 standing for the first, up to one positive factor."""
        first = self.columns[self.kept[0]]
        return [minus(self.columns[t], first) for t in self.kept]

    @cached_property
    def basis(self) -> tuple[int, ...]:
        """Which of the differences are a basis of all."""
        if len(self.kept) == 1:
            return ()
        return tuple(i + 1 for i in row_basis(integer_matrix(self.differences[1:])))

    @cached_property
    def rank(self) -> int:
        """The rank of the kept columns."""
        return rank(integer_matrix([self.columns[t] for t in self.kept]))

    @cached_property
    def balance(self) -> tuple[Fraction, ...] | None:
        """The only p with Σ p = 1 and the same p·ℓ_t for all kept t, of any signs, if the basis has n − 1 columns.

        None if there is no such p, as 1 lies in the span of the differences, or if the basis is smaller or larger.
        """
        n = self.loss.n
        if len(self.basis) != n - 1:
            return None
        solved = solve([*(self.differences[b] for b in self.basis), [1] * n], [*[0] * (n - 1), 1])
        return None if solved is None else tuple(solved)

    @cached_property
    def positive(self) -> tuple[Fraction, ...] | None:
        """A positive vector in the span of the differences, 1 if it is there; None if there is none."""
        n, columns = self.loss.n, [self.differences[b] for b in self.basis]
        if not columns:
            return None
        ones = (Fraction(1),) * n
        if len(columns) == n:  # they span everything
            return ones
        if len(columns) == n - 1:
            if self.balance is None:  # 1 lies in the span
                return ones
            up, down = (sum((abs(x) for x in self.balance if x * sign > 0), Fraction(0)) for sign in (1, -1))
            if not down:
                return None
            # The balance annihilates it.
            return tuple(down if x > 0 else up if x < 0 else Fraction(1) for x in self.balance)
        if combination([[Fraction(x) for x in column] for column in columns], ones) is not None:
            return ones
        best = maximize([0] * len(columns), [(-1, *row) for row in zip(*columns, strict=True)])
        if best is None:
            return None
        return combined(best.point, columns)

    @cached_property
    def nonnegative(self) -> tuple[Fraction, ...] | None:
        """A vector w ≥ 0, w ≠ 0, in the span of the differences, positive if one is; None if there is none.

        By Stiemke's theorem there is none exactly if some p > 0 has the same p·ℓ_t for all kept t.
        """
        if self.positive is not None or not self.basis:
            return self.positive
        if self.balance is not None:  # it annihilates just the span, and is not negative, or there were a positive one
            return tuple(Fraction(not x) for x in self.balance) if 0 in self.balance else None
        columns = [self.differences[b] for b in self.basis]
        rows = list(zip(*columns, strict=True))
        total = [sum(column) for column in columns]
        best = maximize(total, [*((0, *row) for row in rows), (1, *(-x for x in total))])
        assert best is not None
        return combined(best.point, columns) if best.value else None

    @cached_property
    def tie(self) -> tuple[Fraction, ...]:
        """A distribution at which two kept predictions are optimal that differ there; with one kept, the uniform one.

        It lies between two distributions without a common optimal prediction, where the optimum first changes.
        """
        n = self.loss.n
        if len(self.kept) == 1:
            return (Fraction(1, n),) * n
        columns = [self.columns[t] for t in self.kept]
        least = [min(row) for row in zip(*columns, strict=True)]
        best = [{i for i, column in enumerate(columns) if column[y] == least[y]} for y in range(n)]
        pair = next(((y, z) for y in range(n) for z in range(y) if not best[y] & best[z]), None)
        if pair is not None:
            ends = [list(map(Fraction, unit_row(y, n))) for y in pair]
        else:
            ends = [list(self.alone(t)) for t in self.kept[:2]]
        used = [y for y in range(n) if ends[0][y] or ends[1][y]]
        start, end = ([sum((p[y] * column[y] for y in used), Fraction(0)) for column in columns] for p in ends)
        first = min(range(len(columns)), key=lambda i: (start[i], end[i]))
        lead = [(start[i] - start[first], end[first] - end[i]) for i in range(len(columns))]
        share = min(ahead / (ahead + behind) for ahead, behind in lead if behind > 0)
        return tuple(a + share * (b - a) for a, b in zip(*ends, strict=True))

    def alone(self, t: int) -> tuple[Fraction, ...]:
        """A distribution at which t is better than every prediction with another column."""
        n, own = self.loss.n, self.columns[t]
        margins = [(0, *minus(column, own), -1) for column in sorted({*self.columns} - {own})]
        positive = [(0, *row, 0) for row in unit_rows(n)]
        best = maximize([0] * n + [1], [*margins, *positive, (1, *[0] * n, -1)], [(-1, *[1] * n, 0)])
        assert best is not None
        return best.point[:n]


def _fits(cells: tuple[TriggerSet, ...], most: int) -> None:
    """Refuse cells that are known to be more than was asked for, so that no answer depends on what was asked before."""
    vertices = {ray for cell in cells for ray in cell.polytope.rays}
    if len(vertices) > most:
        raise TooLarge(f"the cells have {len(vertices):,} vertices, more than {most:,}; raise max_vertices")
