"""What may be spent on regrets of regions: programs, points of the plane, polyhedra that are compared.

A program takes about as long as its coefficients, and some hundreds more, take to be read. All is counted before it is
begun, so that what is refused is the same on every machine; a larger `max_vertices` than the usual one admits more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lossmith.analysis.chamber import ChamberCells, cells_in_chamber
from lossmith.analysis.positive_normals import MAX_VERTICES, PositiveNormalSet
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.analysis.symmetry import Block
from lossmith.calibration.by_symmetry import SMALLEST_BLOCK
from lossmith.calibration.points_of_the_plane import Plane
from lossmith.calibration.question import Question
from lossmith.errors import TooLarge
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

MOST_POINTS = 3_000_000  # of the plane, of which hulls are taken: some 10 seconds
MOST_WORK = 20_000_000  # coefficients of programs that are read: some 20 seconds
MOST_PIECES = 1_000  # polyhedra of a pred, which are compared in pairs
LEAST_PROGRAM = 250  # coefficients that take as long as the least program does


def admitted(most: int, question: Question) -> int:
    """What is admitted of something with the budget of the question: no less than usually, but more if that is more."""
    return most * max(question.max_vertices, MAX_VERTICES) // MAX_VERTICES


def raised(most: int, needed: int) -> str:
    """How to have so much admitted."""
    return f"raise it with max_vertices={-(-needed * MAX_VERTICES // most):,} (--max-vertices)"


def enough_vertices(coefficients: int) -> str:
    """How to have so much work admitted."""
    return raised(MOST_WORK, coefficients)


def size_of_program(question: Question) -> int:
    """How long a program for a piece of a region takes: its coefficients, and some hundreds."""
    surrogate = question.surrogate
    assert isinstance(surrogate, PolyhedralSurrogate)
    return sum(map(len, surrogate.maxima)) * (surrogate.dim + 1) + LEAST_PROGRAM


def within_budget(question: Question) -> Question:
    """The same question, with no more vertices than there is work for: one program for each polyhedron of the pred.

    Where labels are interchangeable there are few vertices, and fewer programs.
    """
    many = pieces_of(question) if max(map(len, question.facts.blocks)) < SMALLEST_BLOCK else 1
    most = admitted(MOST_WORK, question) // (many * size_of_program(question))
    return replace(question, max_vertices=max(1, min(most, question.max_vertices)))


def pieces_of(question: Question) -> int:
    """How many polyhedra the pred has."""
    assert question.regions is not None
    return max(1, sum(map(len, question.regions.regions)))


def affordable_programs(question: Question) -> int:
    """How many programs are admitted."""
    return admitted(MOST_WORK, question) // size_of_program(question)


def too_large_programs(question: Question) -> str:
    """What to say of a surrogate whose programs leave no time for three at each label; else nothing."""
    size, most = size_of_program(question), admitted(MOST_WORK, question)
    needed = 3 * question.loss.n * size
    if needed <= most:
        return ""
    return (
        f"the programs for {question.surrogate.name} have {size:,} coefficients, of which the budget admits "
        f"{most // size:,}; {raised(MOST_WORK, needed)}"
    )


def too_many_pieces(question: Question) -> str:
    """What to say of a pred of more polyhedra than can be compared, to learn where it decides; else nothing."""
    pieces, most = pieces_of(question), admitted(MOST_PIECES, question)
    if pieces <= most:
        return ""
    assert question.regions is not None
    return (
        f"{question.regions.name} has {pieces:,} polyhedra for {question.surrogate.name}, over the budget of {most:,} "
        f"that are compared; {raised(MOST_PIECES, pieces)}, or ask without a pred"
    )


@dataclass(eq=False)
class Budget:
    """What a calibration function has taken so far, of programs and of points of the plane."""

    question: Question
    coefficients: int = 0
    points: int = 0

    def cells(self, plane: Plane, part: PolyhedralSurrogate) -> tuple[PositiveNormalSet, ...]:
        """The cells of ψ on a piece of a region: a program for each of their vertices, of which there are n or more."""
        try:
            cells = plane.cells(part, self._vertices)
        except TooLarge:
            raise self._refusal from None
        self.coefficients += self._program * len({p for cell in cells for p in cell.polytope.rays})
        return cells

    def chamber(self, surrogate: PolyhedralSurrogate, blocks: Sequence[Block], most: int) -> ChamberCells:
        """The cells of ψ in another chamber, with at most so many vertices."""
        found = cells_in_chamber(RiskMinimizer(surrogate, tuple(blocks)), max_vertices=min(most, self._vertices))
        self.coefficients += self._program * len(found.proofs)
        return found

    def spend_on_points(self, points: int) -> None:
        """Refuse more points than are admitted."""
        self.points += points
        if self.points > admitted(MOST_POINTS, self.question):
            raise self._refusal

    @property
    def _program(self) -> int:
        return size_of_program(self.question)

    @property
    def _vertices(self) -> int:
        """For how many vertices there are programs left."""
        left = (admitted(MOST_WORK, self.question) - self.coefficients) // self._program
        if left < self.question.loss.n:
            raise self._refusal
        return min(left, self.question.max_vertices)

    @property
    def _refusal(self) -> TooLarge:
        question = self.question
        assert question.closures is not None
        return TooLarge(
            f"the calibration function of {question.surrogate.name} with {question.closures.name} is the least of "
            f"hulls of more than {admitted(MOST_POINTS, question):,} points, or takes more than "
            f"{admitted(MOST_WORK, question) // self._program:,} programs; its convex hull, and the constant, are known"
        )
