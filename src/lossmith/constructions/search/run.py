"""Search for a calibrated surrogate in few dimensions: points for the cells, and one linear program for each choice.

Floating point only guesses which points will do (`program`). What is returned has been decided by `check`. To give a
cell several points, search for a finer loss, one whose cells lie inside those of L.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from math import inf
from typing import ClassVar

from lossmith.analysis.facts import Facts
from lossmith.analysis.trigger_probabilities import MAX_VERTICES
from lossmith.calibration.checking import certify
from lossmith.calibration.proofs import loss_section
from lossmith.calibration.remembering import answer
from lossmith.calibration.verdicts import Calibrated
from lossmith.constructions.search.cells import CellTask, Points, cell_task
from lossmith.constructions.search.configurations import configurations, doubled, moves, shape
from lossmith.constructions.search.program import Program, exact_terms
from lossmith.errors import BadInput
from lossmith.families import at_least
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.sweeping.questions import Answer, Question, installed
from lossmith.sweeping.running import Form, asked_once
from lossmith.sweeping.store import Store

BUDGET = 1000
_TOLERANCE = 1e-7
_FIRST_BATCH, _LARGEST_BATCH, _CHUNK = 8, 256, 16
_STARTS, _DOUBLINGS = 8, 2
WORTH_SHARING = 10_000  # rows: from here on workers are asked
_MEANING = 1  # raise it when other programs are solved, or other points tried

Hit = tuple[str, Points, Calibrated]


@dataclass(frozen=True)
class Found:
    """A calibrated surrogate in `dim` dimensions, with the verdict that proves it and what it took to find it.

    `points[i]` is where ψ has the cell of `predictions[i]`. `configurations` counts the choices of points up to the
    one that worked, `programs` the linear programs in floating point for them: some choices fail without one.
    """

    found: ClassVar[bool] = True
    surrogate: PolyhedralSurrogate
    verdict: Calibrated
    points: Points
    predictions: tuple[int, ...]
    family: str
    configurations: int
    programs: int
    seconds: float = field(compare=False)

    @property
    def dim(self) -> int:
        """The dimension d: CCdim is at most this."""
        return self.surrogate.dim

    def __str__(self) -> str:
        loss = self.verdict.loss
        placed = (
            f"  {loss.predictions[t]} at ({', '.join(map(str, point))})"
            for t, point in zip(self.predictions, self.points, strict=True)
        )
        title = f"{loss.name} has a calibrated surrogate on R^{self.dim} ({self.family}; {_tried(self)}):"
        return "\n".join([title, *placed])


@dataclass(frozen=True)
class NotFoundHere:
    """No surrogate was found with the points that were tried. This proves nothing about other points.

    `least` is the smallest total violation of a linear program, and `points` those that it belongs to; None if no
    program was solved.
    """

    found: ClassVar[bool] = False
    loss: LossMatrix
    dim: int
    least: float | None
    points: Points | None
    configurations: int
    programs: int
    seconds: float = field(compare=False)

    def __str__(self) -> str:
        return f"No surrogate for {self.loss.name} on R^{self.dim} was found; that proves nothing ({_tried(self)})."


def search(
    facts: Facts,
    dim: int,
    *,
    seed: int = 0,
    budget: int = BUDGET,
    seconds: float | None = None,
    n_jobs: int | None = 1,
    store: Store | None = None,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> Found | NotFoundHere:
    """Look for a calibrated polyhedral surrogate on R^dim with one point for each cell of the loss.

    Up to `budget` configurations are tried, half of them from the families of `configurations`, the others by moving
    the points of those that failed by least, while that helps. The result depends on the loss, `dim`, `seed` and
    `budget` alone, unless `seconds` ends the search early. `n_jobs` workers of joblib solve the programs; None leaves
    their number and kind to `joblib.parallel_config`. A `store` keeps what they found, and what is found in the end
    with its certificate: no program is solved again, and only the last surrogate is certified again.

    >>> from lossmith.losses import abstain
    >>> found = search(Facts(abstain(4)), 2)
    >>> found.points, found.verdict.status
    (((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)), 'calibrated')
    """
    dim, budget = at_least("dim", dim, 1), at_least("budget", budget, 1)
    begun = time.perf_counter()
    loss, task = facts.loss, cell_task(facts, max_vertices)
    most = len(task.kept) - 1
    if dim > most:
        advice = f"ask for dim={most} or less" if most else "there is nothing to learn"
        raise BadInput(f"dim is {dim}, but {loss.name} has {most + 1} cells, so at most {most} is of use; {advice}")
    stop = begun + (inf if seconds is None else seconds)
    run = _Run(facts, task, dim, seed, budget, stop, n_jobs, store, progress)
    hit = run.families((budget + 1) // 2) or run.descents() or run.families(budget)
    spent = time.perf_counter() - begun
    if hit is None:
        least, points = min(run.failed)[::2] if run.failed else (None, None)
        return NotFoundHere(loss, dim, least, points, run.tried, run.programs, spent)
    family, points, verdict = hit
    assert isinstance(verdict.surrogate, PolyhedralSurrogate)
    found = Found(verdict.surrogate, verdict, points, task.kept, family, run.tried, run.programs, spent)
    if store is not None:
        name = _named("search", loss, dim, seed=seed, budget=budget, max_vertices=max_vertices)
        if not store.known([name.key]):
            value = {"points": points, "family": family, "tried": run.tried}
            store.keep(name, replace(answer(verdict), value=value))
    return found


def _named(kind: str, loss: LossMatrix, dim: int, **parameters: object) -> Question:
    """A question about a loss for a store; floats are those of a version of HiGHS."""
    inputs = {"loss": loss_section(loss), "dim": dim}
    return Question(kind, inputs, {**parameters, "highspy": installed("highspy")}, _MEANING)


def _violations(program: Program, chunk: Sequence[Points]) -> list[float]:
    """The violations of a chunk in order, up to the first one that is 0: what follows it need not be known."""
    violations: list[float] = []
    for points in chunk:
        violations.append(program.violation(points))
        if violations[-1] <= _TOLERANCE:
            break
    return violations


def _written(violations: list[float]) -> Answer:
    return Answer([None if each == inf else each for each in violations])  # which JSON does not know


def _read(chunk: Sequence[Points], kept: Answer) -> list[float]:
    return [inf if each is None else each for each in kept.value]


class _Run:
    """One search: what was tried, what failed and by how much."""

    def __init__(
        self,
        facts: Facts,
        task: CellTask,
        dim: int,
        seed: int,
        budget: int,
        stop: float,
        n_jobs: int | None,
        store: Store | None,
        progress: Progress | None,
    ) -> None:
        self.facts, self.task, self.dim, self.program = facts, task, dim, Program(task, dim)
        self.budget, self.stop, self.n_jobs, self.store, self.progress = budget, stop, n_jobs, store, progress
        self.stream, self.size = configurations(task, dim, seed), _FIRST_BATCH
        self.tried = self.programs = self.drawn = 0
        self.seen: set[tuple[Fraction, ...]] = set()
        self.failed: list[tuple[float, int, Points]] = []

    def families(self, limit: int) -> Hit | None:
        """Try the families of configurations, from where they were left, until so many were tried in all."""
        # There may be few shapes, so that a limit is needed: d + 1 points in R^d have only one.
        while self.tried < limit and self.drawn < 4 * self.budget + 64 and not self._late():
            hit = self._hit(list(islice(self.stream, self.size)), limit)
            if hit is not None:
                return hit
            self.drawn, self.size = self.drawn + self.size, min(2 * self.size, _LARGEST_BATCH)
        return None

    def descents(self) -> Hit | None:
        """From those that failed by least, go on to the best of the configurations nearby while it is better."""
        for least, _, points in sorted(self.failed)[:_STARTS]:
            for _ in range(1 + _DOUBLINGS):
                better = True
                while better and self.tried < self.budget and not self._late():
                    before = len(self.failed)
                    hit = self._hit([("moved points", near) for near in moves(points)], self.budget)
                    if hit is not None:
                        return hit
                    value, _, near = min(self.failed[before:], default=(least, 0, points))
                    better = value < least - _TOLERANCE
                    if better:
                        least, points = value, near
                points = doubled(points)
        return None

    def _hit(self, named: Sequence[tuple[str, Points]], limit: int) -> Hit | None:
        """Try configurations up to the limit; the first one that works counts, whichever is solved first."""
        left = self._new(named, limit - self.tried)
        while left:
            open_ = [i for i, (_, points) in enumerate(left) if not self.task.refutes(points)]
            violations = self._solved([left[i][1] for i in open_])
            good = bool(violations) and violations[-1] <= _TOLERANCE
            failed = zip(violations[: len(violations) - good], open_, strict=False)
            self.failed += [(value, self.tried + i, left[i][1]) for value, i in failed]
            done = open_[len(violations) - 1] + 1 if good else len(left)
            self.tried, self.programs = self.tried + done, self.programs + len(violations)
            if self.progress is not None:
                self.progress(self.tried, self.budget)
            if good:
                family, points = left[done - 1]
                verdict = self._certified(points)
                if verdict is not None:
                    return family, points, verdict
            left = left[done:]
        return None

    def _new(self, named: Sequence[tuple[str, Points]], most: int) -> list[tuple[str, Points]]:
        """Those whose shape is not known yet, up to a number; the shapes of the others are not remembered."""
        new: list[tuple[str, Points]] = []
        for name, points in named:
            form = shape(points)
            if len(new) < most and form is not None and form not in self.seen:
                self.seen.add(form)
                new.append((name, points))
        return new

    def _solved(self, batch: Sequence[Points]) -> list[float]:
        """The violations in order, up to the first one that is 0."""
        alone = self.n_jobs == 1 or len(batch) * self.program.rows < WORTH_SHARING
        if alone and self.store is None:
            return _violations(self.program, batch)
        chunks = [batch[i : i + _CHUNK] for i in range(0, len(batch), _CHUNK)]
        form = Form(lambda some: _named("programs", self.task.loss, self.dim, points=some), _written, _read)
        ask, jobs = partial(_violations, self.program), 1 if alone else self.n_jobs
        violations: list[float] = []
        for part in list(asked_once(ask, chunks, form, n_jobs=jobs, store=self.store)):
            violations += part
            if part[-1] <= _TOLERANCE:
                break
        return violations

    def _certified(self, points: Points) -> Calibrated | None:
        terms = exact_terms(self.task, self.program, points)
        if terms is None:
            return None
        name = f"found({self.task.loss.name}, dim={self.dim})"
        verdict = certify(PolyhedralSurrogate(terms, self.dim, name=name), self.facts)
        return verdict if isinstance(verdict, Calibrated) else None

    def _late(self) -> bool:
        return time.perf_counter() >= self.stop


def _tried(result: Found | NotFoundHere) -> str:
    return f"{result.configurations} configurations, {result.programs} programs"
