"""Linear programs in floating point, by HiGHS. The answers are guesses: whoever uses them must prove them exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np

from lossmith.geometry.linear_program import Sparse


@dataclass(frozen=True)
class Guess:
    """A likely optimum: the point, the rows that hold with equality at it, and the variables that are left at 0.

    The latter have no limits; at an optimum nothing depends on them.
    """

    point: tuple[float, ...]
    active: tuple[int, ...]
    free: tuple[int, ...] = ()


def quiet_solver(**options: object) -> Any:
    """A solver in one thread that says nothing, and whose simplex method hears Ctrl-C: it asks between its steps."""
    import highspy

    solver = highspy.Highs()
    for option, value in {"output_flag": False, "threads": 1, **options}.items():
        solver.setOptionValue(option, value)
    solver.setCallback(_listen, None)
    solver.startCallback(highspy.cb.HighsCallbackType.kCallbackSimplexInterrupt)
    return solver


def _listen(*_: object) -> None:
    """Python answers signals between its own steps: this is one, and what they raise ends the solver's run."""


def guess_maximum(
    objective: Sequence[float],
    inequalities: Sequence[Sequence[float] | Sparse],
    equations: Sequence[Sequence[float] | Sparse],
) -> Guess | None:
    """Guess where c·x is largest subject to b + a·x ≥ 0 for rows (b, a) and b + a·x = 0 for equations.

    `active` numbers the inequalities first, then the equations. None if HiGHS finds no optimum.

    >>> guess_maximum([1], [(2, -1), (0, 1)], []).active
    (0,)
    """
    import highspy

    try:
        costs = np.array(objective, dtype=float)
        model = _model(highspy, len(costs), inequalities, equations)
    except OverflowError:
        return None
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = costs / (np.abs(costs).max() or 1)
    solver = quiet_solver()
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    basis, basic = solver.getBasis(), highspy.HighsBasisStatus.kBasic
    active = [i for i, status in enumerate(basis.row_status) if status != basic]
    free = [j for j, status in enumerate(basis.col_status) if status != basic]
    return Guess(tuple(solver.getSolution().col_value), tuple(active), tuple(free))


class WarmProgram:
    """min c·x subject to rows as in `guess_maximum`, solved for one c after another, each from the last basis."""

    def __init__(self, width: int, inequalities: Sequence[Sparse], equations: Sequence[Sparse]) -> None:
        import highspy

        model = _model(highspy, width, inequalities, equations)
        model.col_cost_ = np.zeros(width)
        model.sense_ = highspy.ObjSense.kMinimize
        # Small differences between costs are meant.
        self._solver = quiet_solver(presolve="off", simplex_strategy=4, dual_feasibility_tolerance=1e-10)
        self._solver.passModel(model)
        self._columns = np.arange(width, dtype=np.int32)
        self._optimal, self._basic = highspy.HighsModelStatus.kOptimal, highspy.HighsBasisStatus.kBasic

    def minimize(self, costs: Sequence[float]) -> tuple[list[float], list[int]] | None:
        """A likely optimal point, and the rows that make up its basis; None if HiGHS finds no optimum."""
        self._solver.changeColsCost(len(self._columns), self._columns, np.array(costs, dtype=float))
        self._solver.run()
        if self._solver.getModelStatus() != self._optimal:
            return None
        rows = self._solver.getBasis().row_status
        return self._solver.getSolution().col_value, [i for i, status in enumerate(rows) if status != self._basic]


def largest_shares(points: Sequence[Sequence[float]], Z: Any) -> list[int]:
    """For each row z of Z, which point has the largest share in a mixture Σ α_j points_j ≤ z of least total.

    The rows differ in the right-hand sides of one linear program, so a basis that is optimal for one of them is optimal
    for all where it is feasible: a few programs answer for many rows.

    >>> largest_shares([[0, 1], [1, 0]], np.array([[0.2, 0.9], [0.9, 0.2], [0.8, 0.3]]))
    [0, 1, 1]
    """
    corners = np.array(points, dtype=float)
    size = len(corners)
    Z = Z + 1e-9 * (1 + np.abs(Z).max(axis=1, initial=0, keepdims=True))  # rounded, and may lie below every mixture
    table = np.vstack([-corners.T, np.eye(size), np.ones((1, size))])
    right = np.hstack(
        [-Z, np.zeros((len(Z), size)), np.ones((len(Z), 1))]
    )  # table·α ≥ right, the last row with equality
    found, left = np.empty(len(Z), dtype=np.intp), np.arange(len(Z))
    while len(left):
        rows = np.column_stack([-right[left[0]], table])
        guess = guess_maximum(-corners.sum(axis=1), rows[:-1], rows[-1:])  # type: ignore[arg-type]
        if guess is None:
            raise AssertionError(f"no mixture of the points lies below {Z[left[0]].tolist()}")
        found[left[0]] = int(np.argmax(guess.point))
        active = np.array(guess.active, dtype=np.intp)
        fits = np.zeros(len(left), dtype=bool)
        if len(active) == size and np.linalg.cond(table[active]) < 1e9:
            weights = np.linalg.solve(table[active], right[np.ix_(left, active)].T).T
            fits = (weights @ table.T >= right[left] - 1e-9).all(axis=1)
            found[left[fits]] = weights[fits].argmax(axis=1)
        fits[0] = True
        left = left[~fits]
    return [int(j) for j in found]


class LowestRows:
    """Rows z that are added one by one; guesses which of them are least at p.

    >>> rows = LowestRows(2)
    >>> rows.add([0, 3]), rows.add([2, 1])
    (None, None)
    >>> rows.at([0.5, 0.5]), rows.at([0, 1])
    ([0, 1], [1])
    """

    def __init__(self, width: int) -> None:
        self._rows, self._count = np.empty((64, width)), 0

    def add(self, z: Sequence[Fraction | int]) -> None:
        """Add a row; it gets the next number."""
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[self._count] = [float(x) for x in z]
        self._count += 1

    def at(self, p: Sequence[float]) -> list[int]:
        """The numbers of the rows for which p·z seems to be least."""
        values = self._rows[: self._count] @ np.array(p, dtype=float)
        least = values.min(initial=np.inf)
        numbers: list[int] = np.flatnonzero(values <= least + 1e-9 * abs(least)).tolist()
        return numbers


class LowestOf:
    """Columns z that are added one by one; guesses at which distribution p another column is below all of them.

    The programs max v − p·x subject to v ≤ p·z for all z differ in their objectives, and each starts at the last basis.

    >>> lowest = LowestOf(2)
    >>> lowest.add([0, 3]), lowest.add([2, 1])
    (None, None)
    >>> p, lead = lowest.against([1, 1])
    >>> [round(x, 3) for x in (*p, lead)]
    [0.5, 0.5, 0.5]
    >>> lowest.basis()
    ([0, 1], [0, 1])
    """

    def __init__(self, width: int) -> None:
        import highspy

        self._solver, self._status = quiet_solver(presolve="off"), highspy.HighsBasisStatus
        self._infinity, self._width, self._grown = highspy.kHighsInf, width, False
        for _ in range(width):
            self._solver.addCol(0.0, 0.0, 1.0, 0, [], [])
        self._solver.addCol(1.0, -self._infinity, self._infinity, 0, [], [])
        self._labels = np.arange(width + 1, dtype=np.int32)
        self._solver.addRow(1.0, 1.0, width, self._labels[:width], np.ones(width))
        self._solver.changeObjectiveSense(highspy.ObjSense.kMaximize)

    def add(self, z: Sequence[float]) -> None:
        """Add a column; it gets the next number."""
        self._solver.addRow(0.0, self._infinity, self._width + 1, self._labels, np.array([*z, -1.0]))
        self._grown = True

    def against(self, x: Sequence[float]) -> tuple[list[float], float]:
        """The p at which x seems to be below all columns by the most, and by how much."""
        self._solver.changeColsCost(self._width + 1, self._labels, np.array([*(-each for each in x), 1.0]))
        strategy = 1 if self._grown else 4  # the dual simplex for new rows, the primal one for new costs
        self._solver.setOptionValue("simplex_strategy", strategy)
        self._grown = False
        self._solver.run()
        *p, v = self._solver.getSolution().col_value
        return p, v - sum(map(mul, p, x))

    @contextmanager
    def without(self, i: int) -> Iterator[None]:
        """As if column number i had not been added."""
        self._solver.changeRowBounds(i + 1, -self._infinity, self._infinity)
        yield
        self._solver.changeRowBounds(i + 1, 0.0, self._infinity)
        self._grown = True

    def basis(self) -> tuple[list[int], list[int]]:
        """The numbers of the columns that bind at the last p, and the labels that do not."""
        basis = self._solver.getBasis()
        rows = [i for i, status in enumerate(basis.row_status[1:]) if status != self._status.kBasic]
        labels = [y for y, status in enumerate(basis.col_status[:-1]) if status == self._status.kBasic]
        return rows, labels


class LargestMargins:
    """For columns z_1, …, z_k guesses the p at which one of them is below all others by most: max min_s p·(z_s − z_t).

    >>> [round(x, 3) for x in LargestMargins([(0, 1, 1), (1, 0, 1), (1, 1, 0)]).at(0)]
    [1.0, 0.0, 0.0]
    """

    def __init__(self, columns: Sequence[Sequence[int]]) -> None:
        largest = max(max(map(abs, column)) for column in columns) or 1
        self._columns = [[x / largest for x in column] for column in columns]
        self._lowest = LowestOf(len(columns[0]))
        for column in self._columns:
            self._lowest.add(column)

    def at(self, t: int) -> list[float]:
        """The p for column t."""
        with self._lowest.without(t):
            return self._lowest.against(self._columns[t])[0]


def _model(
    highspy: Any,
    width: int,
    inequalities: Sequence[Sequence[float] | Sparse],
    equations: Sequence[Sequence[float] | Sparse],
) -> Any:
    """The constraints without an objective; each row is scaled to size 1, so that tolerances mean the same for all."""
    constants, counts, indices, values = _entries([*inequalities, *equations])
    sizes = np.abs(constants)
    np.maximum.at(sizes, np.repeat(np.arange(len(counts)), counts), np.abs(values))
    sizes = np.where(sizes > 0, sizes, 1)
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = len(constants), width
    model.col_lower_ = np.full(width, -highspy.kHighsInf)
    model.col_upper_ = np.full(width, highspy.kHighsInf)
    model.row_lower_ = lower = -constants / sizes
    model.row_upper_ = np.where(np.arange(len(lower)) < len(inequalities), highspy.kHighsInf, lower)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.concatenate([[0], counts.cumsum()])
    model.a_matrix_.index_ = indices
    model.a_matrix_.value_ = values / np.repeat(sizes, counts)
    return model


def _entries(rows: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
    """The constants of the rows, and of the rest how many entries are not zero, where they stand, and what they are."""
    if rows and isinstance(rows[0], Sparse):
        terms = [term for row in rows for term in row.terms]
        return (
            np.array([row.constant for row in rows], dtype=float),
            np.array([len(row.terms) for row in rows], dtype=np.intp),
            np.array([j for j, _ in terms], dtype=np.int32),
            np.array([a for _, a in terms], dtype=float),
        )
    table = np.array(rows, dtype=float)
    if not rows:
        return np.zeros(0), np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.int32), np.zeros(0)
    present = table[:, 1:] != 0
    return table[:, 0].copy(), present.sum(axis=1), np.nonzero(present)[1], table[:, 1:][present]
