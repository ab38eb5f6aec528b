"""Minima of sums of maxima in floating point, by the weights of their pieces: for programs with very many rows.

min Σ_g c_g max_j (b_j + a_j·u) over the u with rows b + a·u ≥ 0 is, by duality, the largest Σ w_j b_j − Σ λ_i b_i over
weights w ≥ 0 that sum to c_g for each maximum g, multipliers λ ≥ 0 of the rows, and Σ w_j a_j = Σ λ_i a_i. A maximum of
two pieces needs one number between 0 and c_g. So a basis has as many members as u has coordinates and there are larger
maxima, not as many as there are pieces: of Weston and Watkins's surrogate for 150 labels 150, not 44 700.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lossmith.geometry.float_lp import quiet_solver
from lossmith.geometry.linear_program import Sparse

_UNIT = 1000.0  # in which the weights are counted: small differences between costs are meant


class WeightProgram:
    """The same questions as a `WarmProgram`, for variables u and one bound for each maximum, answered by the weights.

    >>> rows = [Sparse(0, ((1, 1),)), Sparse(-2, ((0, 1), (1, 1))), Sparse(1, ((0, 1),))]  # t ≥ 0, t ≥ 2 − u, u ≥ −1
    >>> u, active = WeightProgram(1, 2, rows, []).minimize([0.0, 1.0])
    >>> [round(x, 6) for x in u], active
    ([2.0], [0, 1])
    """

    def __init__(self, dim: int, width: int, inequalities: Sequence[Sparse], equations: Sequence[Sparse]) -> None:
        import highspy

        self._dim, self._firsts = dim, [list[int]() for _ in range(dim, width)]
        pieces = [row for row in inequalities if row.terms and row.terms[-1][0] >= dim]
        for i, row in enumerate(pieces):
            self._firsts[row.terms[-1][0] - dim].append(i)
        self._highs, self._pieces = highspy, len(pieces)
        self._starts = np.zeros((len(self._firsts), dim))  # the gradient of the first piece of each small maximum
        self._columns: list[tuple[int, int]] = []  # the maximum of each number, or −1, and its row
        self._sums = {g: dim + i for i, g in enumerate(g for g, js in enumerate(self._firsts) if len(js) > 2)}
        self._solver = quiet_solver(presolve="off", primal_feasibility_tolerance=1e-10)
        self._solver.passModel(self._model(pieces, [*inequalities[len(pieces) :], *equations], len(equations)))
        boxed = [(j, g) for j, (g, _) in enumerate(self._columns) if g >= 0 and g not in self._sums]
        self._boxed = np.array([j for j, _ in boxed], dtype=np.int32)
        self._users = np.array([g for _, g in boxed], dtype=np.intp)

    def _model(self, pieces: Sequence[Sparse], domain: Sequence[Sparse], equations: int) -> Any:
        columns, costs = list[dict[int, float]](), list[float]()
        for g, rows in enumerate(self._firsts):
            parts = [_piece(pieces[i]) for i in rows]
            base, start = parts[0] if len(rows) < 3 else (0.0, {})
            for j, a in start.items():
                self._starts[g, j] = a
            for i, (b, gradient) in list(zip(rows, parts, strict=True))[len(rows) < 3 :]:
                own = {self._sums[g]: 1.0} if g in self._sums else {}
                steps = {j: gradient.get(j, 0.0) - start.get(j, 0.0) for j in {**start, **gradient}}
                columns.append({**steps, **own})
                costs.append(base - b)
                self._columns.append((g, i))
        for i, row in enumerate(domain):
            columns.append({j: -float(a) for j, a in row.terms})
            costs.append(float(row.constant))
            self._columns.append((-1, len(pieces) + i))
        infinite, model = self._highs.kHighsInf, self._highs.HighsLp()
        model.num_col_, model.num_row_ = len(columns), self._dim + len(self._sums)
        model.col_cost_ = np.array(costs)
        model.col_lower_ = np.where(np.arange(len(columns)) < len(columns) - equations, 0.0, -infinite)
        model.col_upper_ = np.full(len(columns), infinite)
        model.row_lower_ = model.row_upper_ = np.zeros(model.num_row_)
        model.a_matrix_.format_ = self._highs.MatrixFormat.kColwise
        model.a_matrix_.start_ = np.cumsum([0, *map(len, columns)])
        model.a_matrix_.index_ = np.array([j for column in columns for j in column], dtype=np.int32)
        model.a_matrix_.value_ = np.array([a for column in columns for a in column.values()], dtype=float)
        return model

    def minimize(self, costs: Sequence[float]) -> tuple[list[float], list[int]] | None:
        """A likely optimal u, and rows that make up its basis; None if HiGHS finds no optimum."""
        shares = _UNIT * np.array(costs[self._dim :], dtype=float)
        limits = shares[self._users]
        self._solver.changeColsBounds(len(limits), self._boxed, np.zeros(len(limits)), limits)
        for j, total in enumerate(-(shares @ self._starts)):
            self._solver.changeRowBounds(j, float(total), float(total))
        for g, row in self._sums.items():
            self._solver.changeRowBounds(row, float(shares[g]), float(shares[g]))
        self._solver.run()
        if self._solver.getModelStatus() != self._highs.HighsModelStatus.kOptimal:
            return None
        return self._solver.getSolution().row_dual[: self._dim], self._active()

    def _active(self) -> list[int]:
        """The pieces and rows that are equal at the optimum, by the basis."""
        basic, upper = self._highs.HighsBasisStatus.kBasic, self._highs.HighsBasisStatus.kUpper
        found = {rows[0]: True for rows in self._firsts if len(rows) < 3}
        for (g, row), status in zip(self._columns, self._solver.getBasis().col_status, strict=True):
            if status == basic:
                found[row] = True
            elif status == upper:  # the second of two pieces has everything
                found[row] = True
                found.pop(self._firsts[g][0], None)
        return sorted(found)


def _piece(row: Sparse) -> tuple[float, dict[int, float]]:
    """b and a of the piece b + a·u, from the row scale · (t − b − a·u) ≥ 0."""
    *terms, (_, scale) = row.terms
    return -row.constant / scale, {j: -a / scale for j, a in terms}
