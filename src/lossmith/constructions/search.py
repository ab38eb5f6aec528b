"""Search for a calibrated surrogate in few dimensions: points for the cells, and one linear program for each choice.

Let u_1 … u_k ∈ R^d be points for the cells Q_t of the kept predictions. A polyhedral ψ on R^d with ψ(u_t) = z_t and
N(z_t) = Q_t is calibrated (`thm:condition-sufficient`), so CCdim ≤ d. For fixed points there is one exactly if a linear
program is feasible, which is small for two reasons:

* z_t − z_s = λ_ts (ℓ_t − ℓ_s) with λ_ts > 0 for cells that share a facet, because both vanish on it. So z is known up
  to constants from the λ's, of which few are independent. Conversely such z have N(z_t) = Q_t: p·z_t on Q_t is
  continuous, and concave across each facet, hence concave.
* Let p be a vertex of Q_t. As p·ψ is least at u_t, there are w_y ∈ ∂ψ_y(u_t) with Σ_y p_y w_y = 0. If p is in Q_s too,
  Σ_y p_y (z_ys − z_yt − w_y·(u_s − u_t)) = 0 is a sum of non-negative terms, so the same w_y serve at u_s. Thus one
  w_yp for each p and each y with p_y > 0 is enough: Σ_y p_y w_yp = 0 and z_yt + w_yp·(u_s − u_t) ≤ z_ys for one t with
  p ∈ Q_t and all s; then ψ_y(u) = max_p z_yt + w_yp·(u − u_t) is as wanted. A p with one label has w = 0.

Floating point only guesses which points will do. λ and w are then found in rationals, and what is returned has been
decided by `check`. To give a cell several points, search for a finer loss, one whose cells lie inside those of L.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import lcm
from operator import mul
from typing import Any, ClassVar

from lossmith.analysis.trigger_probabilities import MAX_VERTICES
from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import Calibrated
from lossmith.constructions.configurations import CellTask, Points, cell_task, configurations, doubled, moves, shape
from lossmith.errors import BadInput
from lossmith.exact.rational import scaled
from lossmith.families import at_least
from lossmith.geometry.double_description import Progress, Row
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

BUDGET = 1000
_TOLERANCE = 1e-7
_FIRST_BATCH, _LARGEST_BATCH, _CHUNK = 8, 256, 16
_DENOMINATORS = (1, 4, 12, 64, 1000, 10**5)
_STARTS, _DOUBLINGS = 8, 2
_LARGE, WORTH_SHARING = 300, 10_000  # rows: from here on presolving pays; workers are asked

Piece = tuple[Fraction, ...]
Terms = tuple[tuple[tuple[Piece, ...]], ...]
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
    loss: LossMatrix,
    dim: int,
    *,
    seed: int = 0,
    budget: int = BUDGET,
    seconds: float | None = None,
    n_jobs: int | None = 1,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> Found | NotFoundHere:
    """Look for a calibrated polyhedral surrogate on R^dim with one point for each cell of the loss.

    Up to `budget` configurations are tried, half of them from the families of `configurations`, the others by moving
    the points of those that failed by least, while that helps. The result depends on the loss, `dim`, `seed` and
    `budget` alone, unless `seconds` ends the search early. `n_jobs` workers of joblib solve the programs; None leaves
    their number and kind to `joblib.parallel_config`.

    >>> from lossmith.losses import abstain
    >>> found = search(abstain(4), 2)
    >>> found.points, found.verdict.status
    (((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)), 'calibrated')
    """
    dim, budget = at_least("dim", dim, 1), at_least("budget", budget, 1)
    begun = time.perf_counter()
    task = cell_task(loss, max_vertices)
    most = len(task.kept) - 1
    if dim > most:
        advice = f"ask for dim={most} or less" if most else "there is nothing to learn"
        raise BadInput(f"dim is {dim}, but {loss.name} has {most + 1} cells, so at most {most} is of use; {advice}")
    run = _Run(task, dim, seed, budget, begun + (float("inf") if seconds is None else seconds), n_jobs, progress)
    hit = run.families((budget + 1) // 2) or run.descents() or run.families(budget)
    spent = time.perf_counter() - begun
    if hit is None:
        least, points = min(run.failed)[::2] if run.failed else (None, None)
        return NotFoundHere(loss, dim, least, points, run.tried, run.programs, spent)
    family, points, verdict = hit
    assert isinstance(verdict.surrogate, PolyhedralSurrogate)
    return Found(verdict.surrogate, verdict, points, task.kept, family, run.tried, run.programs, spent)


class Program:
    """The linear program of a task in floating point, prepared for many configurations of its points.

    Columns are μ, then the w's of each vertex p but for the one that Σ_y p_y w_y = 0 gives, then a slack σ_p ≥ 0 for
    each p. Rows are λ ≥ 1, then z_ys − z_yt − w_yp·(u_s − u_t) + σ_p ≥ 0.
    """

    def __init__(self, task: CellTask, dim: int) -> None:
        import numpy as np

        self.free, self.facets = len(task.heights), len(task.ratios)
        unit = max(abs(x) for height in task.heights for row in height for x in row)
        heights = np.array([[[x / unit for x in row] for row in height] for height in task.heights], dtype=float)
        entries = [(e, i, float(x), -1, 0, 0) for e, row in enumerate(task.ratios) for i, x in enumerate(row) if x]
        width, height = self.free, self.facets
        slack = self.free + sum((sum(map(bool, p)) - 1) * dim for p, _ in task.vertices)
        for p, (t, *_) in task.vertices:
            slopes = _slopes(p)
            places = {y: width + i * dim for i, y in enumerate([*slopes][:-1])}
            width += len(places) * dim
            for y, parts in slopes.items():
                for s in range(len(task.kept)):
                    rise = heights[:, y, s] - heights[:, y, t]
                    entries += [(height, i, x, -1, 0, 0) for i, x in enumerate(rise) if x]
                    entries += [(height, places[z] + j, -float(c), j, s, t) for z, c in parts for j in range(dim)]
                    entries.append((height, slack, 1.0, -1, 0, 0))
                    height += 1
            slack += 1
        self.rows, self.columns = height, slack
        rows, index, factors, axes, ends, starts = map(np.array, zip(*entries, strict=True))
        self._start = np.concatenate([[0], np.bincount(rows, minlength=height).cumsum()])
        self._index, self._factors, self._axes, self._ends, self._starts = index, factors, axes, ends, starts
        self._slack_costs = np.repeat([0.0, 1.0], [slack - len(task.vertices), len(task.vertices)])
        self._ratio_costs = np.zeros(slack)
        self._ratio_costs[: self.free] = np.array(task.ratios, dtype=float).sum(axis=0)

    def violation(self, points: Points) -> float:
        """The least Σ_p σ_p: 0, up to rounding, if there is a surrogate with its cells at these points."""
        solved = self._solve(points, self._slack_costs, float("inf"))
        return float("inf") if solved is None else solved[0]

    def ratios(self, points: Points) -> list[float] | None:
        """The μ for which Σ λ is least and no slack is needed; None if HiGHS finds none."""
        solved = self._solve(points, self._ratio_costs, 0.0)
        return None if solved is None else solved[1][: self.free]

    def _solve(self, points: Points, costs: Any, slack: float) -> tuple[float, list[float]] | None:
        import highspy
        import numpy as np

        unit = max(abs(x) for point in points for x in point)
        u = np.array([[x / unit for x in point] for point in points])
        lengths = u[self._ends, self._axes] - u[self._starts, self._axes]
        values = self._factors * np.where(self._axes >= 0, lengths, 1.0)
        present = values != 0
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = self.rows, self.columns
        model.col_cost_ = costs
        model.col_lower_ = np.where(self._slack_costs, 0.0, -np.inf)
        model.col_upper_ = np.where(self._slack_costs, slack, np.inf)
        model.row_lower_ = np.where(np.arange(self.rows) < self.facets, 1.0, 0.0)
        model.row_upper_ = np.full(self.rows, np.inf)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.concatenate([[0], present.cumsum()])[self._start]
        model.a_matrix_.index_, model.a_matrix_.value_ = self._index[present], values[present]
        solver = highspy.Highs()  # a new one each time: nothing that was solved before may matter
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("presolve", "on" if self.rows > _LARGE else "off")
        solver.passModel(model)
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return solver.getInfo().objective_function_value, solver.getSolution().col_value


def _slopes(p: Row) -> dict[int, list[tuple[int, Fraction]]]:
    """w_y for each label y of p as a combination of those of all labels but the likeliest, which comes last."""
    last = p.index(max(p))
    others = [y for y, weight in enumerate(p) if weight and y != last]
    return {**{y: [(y, Fraction(1))] for y in others}, last: [(y, Fraction(-p[y], p[last])) for y in others]}


def _violations(program: Program, chunk: Sequence[Points]) -> list[float]:
    """The violations of a chunk in order, up to the first one that is 0: what follows it need not be known."""
    violations: list[float] = []
    for points in chunk:
        violations.append(program.violation(points))
        if violations[-1] <= _TOLERANCE:
            break
    return violations


class _Run:
    """One search: what was tried, what failed and by how much."""

    def __init__(
        self,
        task: CellTask,
        dim: int,
        seed: int,
        budget: int,
        stop: float,
        n_jobs: int | None,
        progress: Progress | None,
    ) -> None:
        self.task, self.dim, self.program = task, dim, Program(task, dim)
        self.budget, self.stop, self.n_jobs, self.progress = budget, stop, n_jobs, progress
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
        if self.n_jobs == 1 or len(batch) * self.program.rows < WORTH_SHARING:
            return _violations(self.program, batch)
        from joblib import Parallel, delayed  # type: ignore[import-untyped]

        chunks = [batch[i : i + _CHUNK] for i in range(0, len(batch), _CHUNK)]
        violations: list[float] = []
        for part in Parallel(n_jobs=self.n_jobs)(delayed(_violations)(self.program, chunk) for chunk in chunks):
            violations += part
            if part[-1] <= _TOLERANCE:
                break
        return violations

    def _certified(self, points: Points) -> Calibrated | None:
        terms = _exact_terms(self.task, self.program, points)
        if terms is None:
            return None
        name = f"found({self.task.loss.name}, dim={self.dim})"
        verdict = check(PolyhedralSurrogate(terms, self.dim, name=name), self.task.loss)
        return verdict if isinstance(verdict, Calibrated) else None

    def _late(self) -> bool:
        return time.perf_counter() >= self.stop


def _exact_terms(task: CellTask, program: Program, points: Points) -> Terms | None:
    """The maxima ψ_y for these points, in rationals: for μ that are rounded from a guess, simple ones first."""
    guess = program.ratios(points)
    for most in _DENOMINATORS if guess is not None else ():
        mu = [Fraction(x).limit_denominator(most) for x in guess or ()]
        if all(sum(map(mul, row, mu)) > 0 for row in task.ratios):
            terms = _terms(task, task.values(mu), points)
            if terms is not None:
                return terms
    return None


def _terms(task: CellTask, values: Sequence[Sequence[Fraction]], points: Points) -> Terms | None:
    """Given z, find the w's of each vertex by an exact program of its own; None if some vertex has none."""
    dim = len(points[0])
    pieces: list[dict[Piece, None]] = [{(min(row), *[Fraction(0)] * dim): None} for row in values]
    for p, (t, *_) in task.vertices:
        slopes = _slopes(p)
        places = {z: i * dim for i, z in enumerate([*slopes][:-1])}
        rows = []
        for y, parts in slopes.items():
            for s in range(len(points)):
                row = [Fraction(0)] * (len(places) * dim)
                for z, c in parts:
                    row[places[z] : places[z] + dim] = [c * (b - a) for a, b in zip(points[s], points[t], strict=True)]
                rows.append(_cleared([values[y][s] - values[y][t], *row]))
        solved = maximize([0] * (len(places) * dim), rows)
        if solved is None:
            return None
        for y, parts in slopes.items():
            w = [sum((c * solved.point[places[z] + j] for z, c in parts), Fraction(0)) for j in range(dim)]
            pieces[y].setdefault((values[y][t] - sum(map(mul, w, points[t]), Fraction(0)), *w))
    return tuple((_needed(list(each)),) for each in pieces)


def _needed(pieces: list[Piece]) -> tuple[Piece, ...]:
    """The pieces of a maximum that are the only largest one somewhere; the others change nothing."""
    for piece in list(pieces):
        others = [each for each in pieces if each is not piece]
        ahead = [(*(a - b for a, b in zip(piece, other, strict=True)), Fraction(-1)) for other in others]
        limit = (Fraction(1), *[Fraction(0)] * (len(piece) - 1), Fraction(-1))
        best = maximize([*[0] * (len(piece) - 1), 1], [_cleared(row) for row in (*ahead, limit)])
        if others and best is not None and best.value <= 0:
            pieces = others
    return tuple(pieces)


def _cleared(row: Sequence[Fraction]) -> Row:
    return scaled(row, lcm(*(x.denominator for x in row)))


def _tried(result: Found | NotFoundHere) -> str:
    return f"{result.configurations} configurations, {result.programs} programs, {result.seconds:.2f} s"
