"""The linear program of a search, which tells whether some surrogate has its cells at the given points.

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

Floating point only guesses which points will do; λ and w are then found in rationals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from lossmith.constructions.search.cells import CellTask, Points
from lossmith.exact.vectors import Row, cleared, minus, rational_dot
from lossmith.geometry.linear_program import maximize

_DENOMINATORS = (1, 4, 12, 64, 1000, 10**5)
_LARGE = 300  # rows: from here on presolving pays

Piece = tuple[Fraction, ...]
Terms = tuple[tuple[tuple[Piece, ...]], ...]


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

        from lossmith.geometry.float_lp import quiet_solver

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
        # A new one each time: nothing that was solved before may matter.
        solver = quiet_solver(presolve="on" if self.rows > _LARGE else "off")
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


def exact_terms(task: CellTask, program: Program, points: Points) -> Terms | None:
    """The maxima ψ_y for these points, in rationals: for μ that are rounded from a guess, simple ones first."""
    guess = program.ratios(points)
    for most in _DENOMINATORS if guess is not None else ():
        mu = [Fraction(x).limit_denominator(most) for x in guess or ()]
        if all(rational_dot(row, mu) > 0 for row in task.ratios):
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
                rows.append(cleared([values[y][s] - values[y][t], *row]))
        solved = maximize([0] * (len(places) * dim), rows)
        if solved is None:
            return None
        for y, parts in slopes.items():
            w = [sum((c * solved.point[places[z] + j] for z, c in parts), Fraction(0)) for j in range(dim)]
            pieces[y].setdefault((values[y][t] - rational_dot(w, points[t]), *w))
    return tuple((_needed(list(each)),) for each in pieces)


def _needed(pieces: list[Piece]) -> tuple[Piece, ...]:
    """The pieces of a maximum that are the only largest one somewhere; the others change nothing."""
    for piece in list(pieces):
        others = [each for each in pieces if each is not piece]
        ahead = [(*minus(piece, other), Fraction(-1)) for other in others]
        limit = (Fraction(1), *[Fraction(0)] * (len(piece) - 1), Fraction(-1))
        best = maximize([*[0] * (len(piece) - 1), 1], [cleared(row) for row in (*ahead, limit)])
        if others and best is not None and best.value <= 0:
            pieces = others
    return tuple(pieces)
