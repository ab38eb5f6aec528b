"""Double description: the extreme rays of cones {x : a·x ≥ 0 for rows a}, row by row, and which rows vanish at them.

Each row keeps the rays on its side and makes one new ray per pair of adjacent rays that it separates (Motzkin et al.,
1953). Cones of few rays are lists of Python integers; from there on `many_rays` holds them, and numpy is loaded.

A cone that contains lines is the sum of these and of a pointed cone: that of its points whose coordinates vanish
outside a set of columns on which the rows have the same rank. Its rays are the ones that are meant.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb, log10
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import TooLarge
from lossmith.exact.rank import largest_minor
from lossmith.exact.solve import inverse, primitive_kernel
from lossmith.exact.vectors import Row, dot, primitive
from lossmith.geometry.few_rays import FewRays

if TYPE_CHECKING:
    from lossmith.geometry.many_rays import ManyRays

Progress: TypeAlias = Callable[[int, int], None]

ROOM, LEAST_ROOM = 500, 10**7  # words of 64 bits for each ray of the budget, and in all: for 100,000 rays 400 MB
WORK, LEAST_WORK = 60_000, 10**9  # words that are read for each ray of the budget, and in all: about one in 1 ns
MANY_RAYS = 100_000  # for which there is room and time where no budget is given


@dataclass(frozen=True)
class Described:
    """A cone by its extreme rays; for each of its rows, `tight` has the rays at which it vanishes, as a bit mask."""

    rays: list[Row]
    tight: list[int]


def extreme_rays(
    inequalities: Sequence[Sequence[int]],
    *,
    max_rays: int | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> list[Row]:
    """The extreme rays of the cone {x : a·x ≥ 0 for all rows a}, modulo its lines, as primitive integer rows.

    Raises `TooLarge` before there are more than `max_rays` of them on the way, or after so many seconds.

    >>> sorted(extreme_rays([(1, 0), (-1, 2)]))
    [(0, 1), (2, 1)]
    """
    return described(inequalities, max_rays=max_rays, seconds=seconds, progress=progress).rays


def described(
    inequalities: Sequence[Sequence[int]],
    *,
    max_rays: int | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Described:
    """The same rays, with the sets in which the rows vanish.

    >>> described([(1, 0), (-1, 2), (1, 1)])
    Described(rays=[(0, 1), (2, 1)], tight=[1, 2, 0])
    """
    watch = Watch(max_rays, seconds)
    # Small entries first: a flat row cuts deep, which keeps the cones on the way small (abstain(16): 136 rays, not
    # 65 535). Of the orders tried this one never was far from the best.
    order = sorted(range(len(inequalities)), key=lambda k: tuple(inequalities[k]))
    return enumerated(inequalities, order, watch, progress)


def facets(rays: Sequence[Sequence[int]], *, max_rays: int | None = None) -> list[Row]:
    """The irredundant inequalities a·x ≥ 0 of the cone spanned by these rays.

    They are the extreme rays of its dual. If the cone is not of full dimension, the rows that vanish on it follow:
    a basis of them.

    >>> sorted(facets([(0, 1), (1, 1), (2, 1)]))
    [(-1, 2), (1, 0)]
    >>> facets([(1, 1)])
    [(1, 0), (1, -1)]
    """
    return [*extreme_rays(rays, max_rays=max_rays), *lines(rays)]


def lines(inequalities: Sequence[Sequence[int]]) -> list[Row]:
    """A basis of the lines in the cone {x : a·x ≥ 0 for all rows a}: of the null space of the rows.

    >>> lines([(1, 1), (2, 2)])
    [(1, -1)]
    """
    return primitive_kernel(inequalities) if inequalities else []


class GrowingCone:
    """A cone {x : a·x ≥ 0 for all rows a} to which rows are added; it keeps both descriptions.

    Rows are numbered as they come. A cut that is refused or interrupted leaves the cone as it was.

    >>> cone = GrowingCone([(1, 0), (0, 1)])
    >>> cone.add([(-1, 2)])
    >>> sorted(cone.rays()), cone.tight_sets()
    ([(0, 1), (2, 1)], [1, 0, 2])
    """

    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        *,
        max_rays: int | None = None,
        seconds: float | None = None,
        watch: Watch | None = None,
    ) -> None:
        self._watch = watch or Watch(max_rays, seconds)
        self._rows: list[Sequence[int]] = []
        self._cone: _Cone | None = None
        self.add(rows)

    def add(self, rows: Sequence[Sequence[int]], progress: Progress | None = None) -> None:
        """Cut the cone by further rows, in this order."""
        everything = [*self._rows, *rows]
        if not everything:
            return
        cone, left = self._cone, list(range(len(self._rows), len(everything)))
        if cone is None or len(cone.columns) < len(everything[0]):  # a new row may cut the lines
            cone, left = _first(everything, range(len(everything)))
        self._cone = _cut(cone, everything, left, self._watch, progress)
        self._rows = everything

    def __len__(self) -> int:
        return len(self._cone.rays) if self._cone is not None else 0

    def rays(self) -> list[Row]:
        """The extreme rays."""
        return [] if self._cone is None else _padded(self._cone, self._rows)

    def tight_sets(self) -> list[int]:
        """For each row, the set of rays at which it vanishes, as a bit mask over `rays()`."""
        return [] if self._cone is None else self._cone.rays.tight_sets(len(self._rows))


def lower_envelope(
    domain: Sequence[Sequence[int]],
    functionals: Sequence[Sequence[int]],
    *,
    corners: Sequence[Row],
    max_vertices: int,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> list[Row]:
    """The vertices of the graph of x ↦ min_t f_t·x over the pointed cone {x : a·x ≥ 0 for all rows a of `domain`}.

    They are the extreme rays of {(x, v) : x in the cone, v ≤ f_t·x for all t}, without (0, −1). `corners` are
    the extreme rays of the cone alone.

    >>> sorted(lower_envelope([(1, 0), (0, 1)], [(0, 1), (1, 0)], corners=[(1, 0), (0, 1)], max_vertices=100))
    [(0, 1, 0), (1, 0, 0), (1, 1, 1)]
    """
    return described_envelope(
        domain, functionals, corners=corners, max_vertices=max_vertices, seconds=seconds, progress=progress
    ).rays


def described_envelope(
    domain: Sequence[Sequence[int]],
    functionals: Sequence[Sequence[int]],
    *,
    corners: Sequence[Row],
    max_vertices: int,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Described:
    """The same vertices, with the sets in which the rows of the domain, then the functionals, attain the minimum.

    >>> described_envelope([(1, 0), (0, 1)], [(0, 1), (1, 0)], corners=[(1, 0), (0, 1)], max_vertices=100)
    Described(rays=[(1, 1, 1), (1, 0, 0), (0, 1, 0)], tight=[4, 2, 3, 5])
    """
    first, total = len(domain), len(functionals)
    refuse = partial(_too_many, len(corners), max_vertices)
    hopeless = partial(_is_hopeless, len(corners), max_vertices)
    watch = Watch(on_the_way(max_vertices), seconds, refuse, hopeless, max_vertices)
    rows = [*((*row, 0) for row in domain), *((*f, -1) for f in functionals)]
    # What is low in the middle of the domain cuts deep, and what is never least comes late: it shall not add vertices
    # on the way. Of the orders tried this one was the fastest or near it, with the domain's rows among the others.
    middle = [*map(sum, zip(*corners, strict=True)), 0]
    order = sorted(range(len(rows)), key=lambda k: (dot(rows[k], middle), rows[k]))
    found = _without_downward(enumerated(rows, order, watch, progress, first))
    if len(found.rays) > max_vertices:
        raise refuse(len(found.rays), total, total, len(found.rays))
    return found


def _without_downward(cone: Described) -> Described:
    """Leave out the ray (0, −1)."""
    at = next(i for i, ray in enumerate(cone.rays) if not any(ray[:-1]))
    below = (1 << at) - 1
    return Described(cone.rays[:at] + cone.rays[at + 1 :], [mask & below | mask >> at + 1 << at for mask in cone.tight])


def _digits_expected(corners: int, vertices: int, done: int, total: int, before: int) -> float:
    """Expect that each functional multiplies what the ones before have added as the last one did."""
    factor = (vertices - corners) / (before - corners) if before > corners else vertices / corners / 2
    growth = log10(max(1.15, factor))
    most = log10(comb(corners + total, total))  # one vertex per choice of as many corners as functionals
    return max(log10(vertices), min(log10(vertices) + (total - done) * growth, most))


def _is_hopeless(corners: int, budget: int, vertices: int, done: int, total: int, before: int) -> bool:
    """Whether the budget itself is used up, and of the vertices expected it is less than a part in a million."""
    return vertices > budget and _digits_expected(corners, vertices, done, total, before) > log10(budget) + 6


def _too_many(corners: int, budget: int, vertices: int, done: int, total: int, before: int) -> TooLarge:
    exponent = _digits_expected(corners, vertices, done, total, before)
    expected = f"about 10^{exponent:.0f}" if exponent > 6 else f"about {10**exponent:,.0f}"
    return TooLarge(
        f"the cells have {vertices:,} vertices after {done} of {total} predictions and {expected} are expected "
        f"in all, over the budget of {budget:,}; raise it with max_vertices=… (--max-vertices)"
    )


def on_the_way(vertices: int) -> int:
    """How many rays are admitted where so many vertices are in the end: there may be more before the last cut."""
    return max(vertices, min(4 * vertices, 50_000)) + 1


class Watch:
    """A budget of rays and seconds, from now on; `refuse` words the refusal.

    For each ray of the budget there is room for some words, and time to read some: rays may be long, or many pairs of
    them have to be compared. `asked` is the budget as it was given, where `max_rays` admits more on the way.

    >>> watch = Watch(max_rays=10)
    >>> watch.admit(10, 3, 5, 8)
    >>> watch.admit(11, 3, 5, 8)
    Traceback (most recent call last):
    lossmith.errors.TooLarge: 11 vertices or more after 3 of 5 rows, over the budget of 10; raise it with
    max_vertices=… (--max-vertices)
    """

    def __init__(
        self,
        max_rays: int | None = None,
        seconds: float | None = None,
        refuse: Callable[[int, int, int, int], TooLarge] | None = None,
        hopeless: Callable[[int, int, int, int], bool] | None = None,
        asked: int | None = None,
    ) -> None:
        self._max_rays, self._seconds, self._asked = max_rays, seconds, asked or max_rays
        self._room = max(LEAST_ROOM, ROOM * (max_rays or MANY_RAYS))
        self._work, self._most_work = 0, max(LEAST_WORK, WORK * (max_rays or MANY_RAYS))
        self._end = None if seconds is None else time.monotonic() + seconds
        self._refuse = refuse or self._too_many
        self._hopeless = hopeless

    def admit(self, count: int, done: int, total: int, before: int, size: int = 0, work: int = 0) -> None:
        """Refuse if there are more rays than allowed, or the time is over; the last row found `before` of them.

        A ray has `size` words, and `work` of them are to be read next.
        """
        self._work += work
        if self._work > self._most_work:
            raise self._beyond(f"to compare {before:,} vertices", done, total)
        if count * size > self._room:
            raise self._beyond(f"to store {count:,} vertices of {size:,} words", done, total)
        if self._max_rays is not None and (count > self._max_rays or self._is_hopeless(count, done, total, before)):
            raise self._refuse(count, done, total, before)
        if self._end is not None and time.monotonic() > self._end:
            raise TooLarge(
                f"no more than {done} of {total} rows were applied, to {count:,} rays and more, "
                f"within the budget of {self._seconds:g} seconds; raise it with seconds=…"
            )

    def _is_hopeless(self, count: int, done: int, total: int, before: int) -> bool:
        return self._hopeless is not None and self._hopeless(count, done, total, before)

    def _beyond(self, what: str, done: int, total: int) -> TooLarge:
        if self._asked is None:
            return TooLarge(f"{what} takes too much, after {done} of {total} rows; leave out labels or predictions")
        return TooLarge(
            f"{what} takes more, after {done} of {total} rows, than the budget of {self._asked:,} vertices allows; "
            f"raise it with max_vertices=… (--max-vertices)"
        )

    def _too_many(self, count: int, done: int, total: int, _: int) -> TooLarge:
        return TooLarge(
            f"{count:,} vertices or more after {done} of {total} rows, over the budget of {self._max_rays:,}; raise it "
            f"with max_vertices=… (--max-vertices)"
        )


def enumerated(
    rows: Sequence[Sequence[int]], order: Sequence[int], watch: Watch, progress: Progress | None, uncounted: int = 0
) -> Described:
    """The cone of these rows, which are applied in this order; progress and refusals do not count the first ones."""
    if not rows:
        return Described([], [])
    cone, left = _first(rows, order)
    cone = _cut(cone, rows, left, watch, progress, uncounted)
    return Described(_padded(cone, rows), cone.rays.tight_sets(len(rows)))


@dataclass(frozen=True)
class _Cone:
    """The rays have coordinates in these columns only; the others are 0."""

    columns: tuple[int, ...]
    rays: FewRays | ManyRays


def _first(rows: Sequence[Sequence[int]], order: Sequence[int]) -> tuple[_Cone, list[int]]:
    """The cone of the first independent rows in this order, as many as the rank; and the numbers of the others."""
    chosen, columns = largest_minor([rows[k] for k in order])
    numbers = [order[k] for k in chosen]
    everything = sum(1 << k for k in numbers)
    rays = _edges([[rows[k][j] for j in columns] for k in numbers])
    taken = set(numbers)
    left = [k for k in order if k not in taken]
    return _Cone(columns, FewRays(rays, [everything ^ (1 << k) for k in numbers])), left


def _edges(rows: list[list[int]]) -> list[Row]:
    """The rays of a cone with as many independent rows as coordinates: for each row, where only it does not vanish."""
    return [primitive(column) for column in zip(*inverse(rows)[0], strict=True)] if rows else []


def _cut(
    cone: _Cone,
    rows: Sequence[Sequence[int]],
    numbers: Sequence[int],
    watch: Watch,
    progress: Progress | None,
    uncounted: int = 0,
) -> _Cone:
    rays, total = cone.rays, len(rows) - uncounted
    pointed = len(cone.columns) == len(rows[0])
    done = total - sum(number >= uncounted for number in numbers)
    for number in numbers:
        row = rows[number] if pointed else [rows[number][j] for j in cone.columns]
        watch.admit(len(rays), done, total, len(rays))
        counted = number >= uncounted
        done += counted
        rays = rays.cut(row, number, partial(watch.admit, done=done, total=total, before=len(rays)))
        if counted and progress is not None:
            progress(done, total)
    watch.admit(len(rays), total, total, len(rays))
    return _Cone(cone.columns, rays)


def _padded(cone: _Cone, rows: Sequence[Sequence[int]]) -> list[Row]:
    """The rays, with the coordinates that are 0."""
    rays, width = cone.rays.rays(), len(rows[0])
    if len(cone.columns) == width:
        return rays
    places: dict[int, Any] = {j: i for i, j in enumerate(cone.columns)}
    return [tuple(ray[places[j]] if j in places else 0 for j in range(width)) for ray in rays]
