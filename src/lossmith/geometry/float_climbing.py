"""Vertices of the Bayes polyhedron with many labels, in floating point: guesses, to be proved by whoever uses them.

{(p, v) : p ∈ Δ, v ≤ p·ℓ_t for all t} has a vertex where p_y = 0 but for labels S, and v = p·ℓ_t for as many t ∈ T. On
the edge along which a label y ∉ S enters, either a new t becomes optimal first, and S and T have grown; or some p_i
reaches 0, and a label was exchanged. On the edge along which a t ∈ T is given up, another may take its place.

An ascent starts where v − Σ λ_t p·ℓ_t is largest, for random λ near the uniform one: many t are optimal there. It grows
while it can, and goes to vertices of the same size, at random and never twice, for a while where it cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lossmith.exact.vectors import Row
from lossmith.geometry.double_description import Progress
from lossmith.geometry.float_lp import quiet_solver

Floats: TypeAlias = NDArray[Any]
Numbers: TypeAlias = NDArray[np.intp]

_NOTHING, _ROUNDING = 1e-11, 1e-9  # slopes and steps, probabilities and slacks that are thought to be 0
_PIVOTS = 200  # of the simplex method between two looks at the clock, and at Ctrl-C
_MOST_ENTRIES = 300_000  # of the program for a start
_CONCENTRATION = 10.0  # of the weights λ (Dirichlet)


class Basis(NamedTuple):
    """Labels, and as many columns: p is the distribution on these labels at which these columns have equal risks."""

    labels: tuple[int, ...]
    columns: tuple[int, ...]


def ascents(
    columns: Sequence[Row], steps: int, seed: int = 0, progress: Progress | None = None
) -> Iterator[tuple[int, Basis]]:
    """The largest vertex of each ascent, as the number of its labels and a basis, until so many steps were taken.

    >>> size, basis = next(ascents([(0, 1, 1), (1, 0, 1), (1, 1, 0)], 10))
    >>> size, basis.labels
    (3, (0, 1, 2))
    """
    table, rng = _scaled(columns), np.random.default_rng(seed)
    starts, done, weights = _Starts(table), 0, np.full(len(columns), 1 / len(columns))
    while done < steps:
        if progress is not None:
            progress(done, steps)
        largest: tuple[int, Basis] | None = None
        for size, basis in _ascent(table, starts.best_for(table @ weights, progress), rng):
            if largest is None or size > largest[0]:
                largest = size, basis
            done += 1
            if progress is not None:
                progress(min(done, steps), steps)
            if done >= steps:
                break
        else:
            done += 1  # so that starts alone come to an end, too
        if largest is not None:
            yield largest
        weights = rng.dirichlet(np.full(len(columns), _CONCENTRATION))


def _ascent(table: Floats, basis: Basis | None, rng: np.random.Generator) -> Iterator[tuple[int, Basis]]:
    """The vertices of one ascent."""
    patience, seen = 2 * len(table), set[bytes]()
    waited = 0
    while basis is not None and waited <= patience:
        try:
            vertex = _Vertex(table, basis)
        except np.linalg.LinAlgError:
            return
        if not vertex.feasible:
            return
        yield vertex.size, basis
        seen.add(_key(table, basis))
        larger, exchanged = vertex.entering()
        if larger:
            basis, waited = larger[rng.integers(len(larger))], 0
            continue
        beside = [*exchanged, *vertex.leaving()]
        waited += 1
        basis = next((beside[i] for i in rng.permutation(len(beside)) if _key(table, beside[i]) not in seen), None)


def _key(table: Floats, basis: Basis) -> bytes:
    used = np.zeros(sum(table.shape), dtype=bool)
    used[list(basis.labels)] = True
    used[[len(table) + t for t in basis.columns]] = True
    return np.packbits(used).tobytes()


class _Vertex:
    """Where columns have equal risks, and the edges from there."""

    def __init__(self, table: Floats, basis: Basis) -> None:
        labels, columns = (np.array(each, dtype=np.intp) for each in basis)
        m = len(labels)
        system = np.zeros((m + 1, m + 1))  # p·ℓ_t − v = 0 for the columns, Σ p = 1
        system[:m, :m], system[:m, m], system[m, :m] = table[np.ix_(labels, columns)].T, -1, 1
        self._inverse = np.linalg.inv(system)
        self._p = self._inverse[:m, m]
        self._slack = self._p @ table[labels] - self._inverse[m, m]
        self._slack[columns] = np.inf
        self._table, self._basis, self._labels, self._columns = table, basis, labels, columns

    @property
    def size(self) -> int:
        """How many labels have positive probability."""
        return int((self._p > _ROUNDING).sum())

    @property
    def feasible(self) -> bool:
        """Whether it is a vertex, up to rounding: where it is not, rounding has prevailed."""
        return bool(self._p.min() > -_ROUNDING and self._slack.min() > -_ROUNDING)

    def entering(self) -> tuple[list[Basis], list[Basis]]:
        """Where a further label leads: to vertices with one label more, and to vertices with another label."""
        table, m = self._table, len(self._labels)
        absent = np.ones(len(table), dtype=bool)
        absent[self._labels] = False
        entering = np.flatnonzero(absent)
        right = np.vstack([table[np.ix_(entering, self._columns)].T, np.ones(len(entering))])
        moves = -(self._inverse @ right).T
        slopes = moves[:, :m] @ table[self._labels] + table[entering] - moves[:, m:]
        tie, until_tie = _first(self._slack, slopes)
        gone, until_gone = _first(self._p, moves[:, :m])
        labels, columns = self._basis
        larger, exchanged = list[Basis](), list[Basis]()
        for i, y in enumerate(entering.tolist()):
            if _NOTHING < until_tie[i] < until_gone[i]:
                larger.append(Basis((*labels, y), (*columns, int(tie[i]))))
            elif until_gone[i] <= until_tie[i] and np.isfinite(until_gone[i]):
                exchanged.append(Basis(_replaced(labels, int(gone[i]), y), columns))
        return larger, exchanged

    def leaving(self) -> list[Basis]:
        """Where it leads to give up a column: to vertices with another column."""
        m = len(self._labels)
        moves = self._inverse[:, :m].T
        slopes = moves[:, :m] @ self._table[self._labels] - moves[:, m:]
        tie, until_tie = _first(self._slack, slopes)
        _, until_gone = _first(self._p, moves[:, :m])
        labels, columns = self._basis
        others = np.flatnonzero(until_tie < until_gone).tolist()
        return [Basis(labels, _replaced(columns, j, int(tie[j]))) for j in others]


def _first(values: Floats, slopes: Floats) -> tuple[Numbers, Floats]:
    """For each row of slopes, which value reaches 0 first, and when."""
    falling = slopes < -_NOTHING
    when = np.where(falling, np.maximum(values, 0) / np.where(falling, -slopes, 1), np.inf)
    first = when.argmin(axis=1)
    return first, when[np.arange(len(when)), first]


def _replaced(members: tuple[int, ...], place: int, other: int) -> tuple[int, ...]:
    return (*members[:place], *members[place + 1 :], other)


class _Starts:
    """The programs max v − p·c over the Bayes polyhedron, each solved from the basis of the last.

    Where there are many labels, only some of them may have positive probabilities.
    """

    def __init__(self, table: Floats) -> None:
        import highspy

        self._highs, k = highspy, table.shape[1]
        self._labels = np.arange(0, len(table), 1 + table.size // _MOST_ENTRIES)
        n = len(self._labels)
        model = highspy.HighsLp()
        model.num_col_, model.num_row_, model.sense_ = n + 1, k + 1, highspy.ObjSense.kMaximize
        infinite = np.full(max(n, k) + 1, highspy.kHighsInf)
        model.col_cost_, model.col_lower_ = np.zeros(n + 1), np.append(np.zeros(n), -highspy.kHighsInf)
        model.col_upper_ = infinite[: n + 1]
        model.row_lower_, model.row_upper_ = np.append(np.zeros(k), 1.0), np.append(infinite[:k], 1.0)
        rows = np.vstack([np.column_stack([table[self._labels].T, np.full(k, -1.0)]), [*[1.0] * n, 0.0]])
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.arange(0, rows.size + 1, n + 1)
        model.a_matrix_.index_, model.a_matrix_.value_ = np.tile(np.arange(n + 1), k + 1), rows.ravel()
        self._solver = quiet_solver(presolve="off", simplex_strategy=4, simplex_iteration_limit=_PIVOTS)
        self._solver.passModel(model)
        self._all = np.arange(n + 1, dtype=np.int32)

    def best_for(self, c: Floats, progress: Progress | None) -> Basis | None:
        """The basis of the best vertex; None if HiGHS finds none."""
        status = self._highs.HighsModelStatus
        self._solver.changeColsCost(len(self._all), self._all, np.append(-c[self._labels], 1.0))
        self._solver.run()
        while self._solver.getModelStatus() == status.kIterationLimit:
            if progress is not None:
                progress(0, 1)
            self._solver.run()
        if self._solver.getModelStatus() != status.kOptimal:
            return None
        basis, basic = self._solver.getBasis(), self._highs.HighsBasisStatus.kBasic
        labels = [int(y) for y, each in zip(self._labels, basis.col_status, strict=False) if each == basic]
        columns = [t for t, each in enumerate(basis.row_status[:-1]) if each != basic]
        return Basis(tuple(labels), tuple(columns)) if len(labels) == len(columns) else None


def _scaled(columns: Sequence[Row]) -> Floats:
    """A row for each label, shifted and scaled to between 0 and 1, which changes no set of labels or of columns."""
    rows = []
    for row in zip(*columns, strict=True):
        low, width = min(row), max(1, max(row) - min(row))
        rows.append([(x - low) / width for x in row])
    return np.array(rows)
