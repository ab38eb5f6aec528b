"""A polyhedral surrogate as tables of floats, one row for each label, so that a batch is evaluated without a loop.

Written out, the pieces of Crammer–Singer for n labels are n² rows of n numbers. Yet they are nearly the same for all
labels: max_j (u_j + [j ≠ y]) − u_y. So from the pieces of each maximum the commonest coefficient of each score is taken
out; the linear functions that are left, the *forms*, are few, and a label is told by constants alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from lossmith.errors import BadInput
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

Array: TypeAlias = np.ndarray[Any, Any]
Form: TypeAlias = tuple[float, ...]  # the coefficients of a linear function

_SHARED = 4  # a hinge that fewer than one in four labels have is loose


@dataclass(frozen=True)
class Sparse:
    """Rows b + Σ_m value_m u_{place_m}, some for each label; shapes (n, rows, m), and (n, rows) for b."""

    constant: Array
    place: Array
    value: Array

    @classmethod
    def of(cls, rows: Array) -> Sparse:
        """From the rows (b, a) of each label, shape (n, rows, 1 + dim)."""
        linear = rows[..., 1:]
        most = max(int((linear != 0).sum(axis=-1).max(initial=0)), 1)
        place = np.argsort(linear == 0, axis=-1, kind="stable")[..., :most]  # the places that are not 0 come first
        return cls(rows[..., 0], place, np.take_along_axis(linear, place, axis=-1))


@dataclass(frozen=True)
class Slots:
    """ψ_y(u) = base_y + Σ_i (loose_yi)₊ + Σ_k weight_yk (f_k + shift_y + hinge_yk)₊ + Σ_g max_k (f′_k + peak_ygk).

    f and f′ are linear functions of u that labels share: `hinge_forms` and `peak_forms`. base, loose and shift are
    affine in u; loose are the hinges that few labels have. `weight` is None if all weights are 1; what is missing has
    the constant −∞.
    """

    base: Sparse
    loose: Sparse
    shift: Sparse
    hinge_forms: Array
    hinge: Array
    weight: Array | None
    peak_forms: Array
    peak: Array

    @property
    def work(self) -> int:
        """About how many numbers are read for one example."""
        forms = sum(
            len(each) if (np.count_nonzero(each, axis=1) <= 1).all() else each.size
            for each in (self.hinge_forms, self.peak_forms)
        )
        loose = self.loose.place[0].size
        return int(forms + 3 * self.hinge.shape[1] + 2 * self.peak[0].size + 4 * loose)


@dataclass(frozen=True)
class Pieces:
    """ψ_y(u) = Σ_g max_j of the rows of y, `width` rows for each maximum; missing ones have the constant −∞."""

    rows: Sparse
    width: int

    @property
    def work(self) -> int:
        """About how many numbers are read for one example."""
        return 4 * int(self.rows.place[0].size)


@dataclass(frozen=True)
class Bent:
    """ψ_y(u) = max_s (scale_ys M_y(u) + constant_ys), a convex function of one maximum M_y, `inner`."""

    inner: Slots
    scale: Array
    constant: Array

    @property
    def work(self) -> int:
        """About how many numbers are read for one example."""
        return self.inner.work + 2 * int(self.scale.shape[1])


def tables_of(surrogate: PolyhedralSurrogate) -> Slots | Pieces | Bent:
    """The tables that need less work.

    >>> from lossmith.surrogates import crammer_singer
    >>> tables_of(crammer_singer(4)).peak_forms.tolist()     # u_1, …, u_4
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    >>> tables_of(crammer_singer(4)).peak[3].tolist()
    [[1.0, 1.0, 1.0, 0.0]]
    """
    try:
        terms = [
            [np.array([[float(x) if x else 0.0 for x in piece] for piece in maximum]) for maximum in maxima]
            for maxima in surrogate.terms
        ]
    except OverflowError:
        raise BadInput(f"{surrogate.name} has coefficients beyond the range of floats; change the unit") from None
    pieces = _pieces(terms, surrogate.dim)
    found = [pieces, _slots(terms, surrogate.dim, pieces.work), _bent(terms, surrogate.dim, pieces.work)]
    return min((each for each in reversed(found) if each is not None), key=lambda each: each.work)


def _pieces(terms: Sequence[Sequence[Array]], dim: int) -> Pieces:
    most, width = max(map(len, terms)), max(len(maximum) for maxima in terms for maximum in maxima)
    rows = np.zeros((len(terms), most, width, 1 + dim))
    for y, maxima in enumerate(terms):
        for g, maximum in enumerate(maxima):
            rows[y, g, len(maximum) :, 0] = -np.inf
            rows[y, g, : len(maximum)] = maximum
    return Pieces(Sparse.of(rows.reshape(len(terms), most * width, 1 + dim)), width)


def _bent(terms: Sequence[Sequence[Array]], dim: int, most_work: int) -> Bent | None:
    """The tables, if each label has one maximum whose pieces are the same multiples of several linear functions."""
    inner, bends = list[list[Array]](), list[Array]()
    for maxima in terms:
        if len(maxima) != 1:
            return None
        along: dict[Form, set[tuple[float, float]]] = {}  # of each linear function, the multiples and their constants
        for constant, row in zip(maxima[0][:, 0].tolist(), maxima[0][:, 1:], strict=True):
            scale = float(abs(row).max())
            along.setdefault(_form(row / (scale or 1.0)), set()).add((scale, constant))
        flat = along.pop((0.0,) * dim, set())
        if len(along) < 2 or len(set(map(frozenset, along.values()))) > 1:
            return None
        inner.append([np.array([(0.0, *form) for form in along])])
        bends.append(np.array(sorted(flat | next(iter(along.values())))))
    if len({len(each) for each in bends}) > 1:
        return None
    slots, table = _slots(inner, dim, most_work), np.array(bends)
    return None if slots is None else Bent(slots, table[:, :, 0], table[:, :, 1])


def _slots(terms: Sequence[Sequence[Array]], dim: int, most_work: int) -> Slots | None:
    """The tables, or None if labels share so little that they would be larger than they are worth."""
    n, parts = len(terms), [_parted(maxima, dim) for maxima in terms]
    shifts = [_commonest(part.kinks[:, 1:]) for part in parts]
    hinges = [_numbered(part, shift) for part, shift in zip(parts, shifts, strict=True)]
    users = Counter(key for each in hinges for key in each)
    keys = sorted((key for key, count in users.items() if _SHARED * count >= n), reverse=True)
    table = np.array([[each.get(key, (-np.inf, 1.0)) for key in keys] for each in hinges]).reshape(n, len(keys), 2)
    most, zero = max(len(part.peaks) for part in parts), (0.0,) * dim
    padded = [[*part.peaks, *[{zero: 0.0}] * (most - len(part.peaks))] for part in parts]
    forms = sorted({form for peaks in padded for peak in peaks for form in peak}, reverse=True)
    if 2 * most * len(forms) > most_work:
        return None
    peak = np.array([[[each.get(form, -np.inf) for form in forms] for each in peaks] for peaks in padded])
    loose = [
        [
            weight * np.array([constant, *(shift + form)])
            for (form, i), (constant, weight) in each.items()
            if _SHARED * users[form, i] < n
        ]
        for each, shift in zip(hinges, shifts, strict=True)
    ]
    return Slots(
        Sparse.of(np.array([part.base for part in parts])[:, None]),
        Sparse.of(_filled(loose, dim)),
        Sparse.of(np.array([[0.0, *shift] for shift in shifts])[:, None]),
        np.array([form for form, _ in keys]).reshape(-1, dim),
        table[:, :, 0],
        None if (table[:, :, 1] == 1).all() else table[:, :, 1],
        np.array(forms).reshape(-1, dim),
        peak.reshape(n, most, len(forms)),
    )


def _filled(rows: Sequence[Sequence[Array]], dim: int) -> Array:
    """Rows for each label, and zeros where one has fewer than another."""
    filled = np.zeros((len(rows), max(map(len, rows)), 1 + dim))
    for y, each in enumerate(rows):
        filled[y, : len(each)] = np.array(each).reshape(-1, 1 + dim)
    return filled


@dataclass
class _Parts:
    """ψ_y as an affine function, hinges weight · (kink)₊, and larger maxima: for each linear function its constant."""

    base: Array
    kinks: Array
    weights: list[float]
    peaks: list[dict[Form, float]]


def _parted(maxima: Sequence[Array], dim: int) -> _Parts:
    parts = _Parts(np.zeros(1 + dim), np.zeros((0, 1 + dim)), [], [])
    kinks = []
    for maximum in maxima:
        if len(maximum) == 1:
            parts.base += maximum[0]
        elif len(maximum) == 2:  # the simpler piece, and the rise of the other one above it
            low = int(np.count_nonzero(maximum[1, 1:]) < np.count_nonzero(maximum[0, 1:]))
            rise = maximum[1 - low] - maximum[low]
            parts.weights.append(float(abs(rise[1:]).max(initial=0)) or 1.0)
            parts.base += maximum[low]
            kinks.append(rise / parts.weights[-1])
        else:
            common = _commonest(maximum[:, 1:])
            parts.base[1:] += common
            peak: dict[Form, float] = {}
            for constant, row in zip(maximum[:, 0].tolist(), maximum[:, 1:] - common, strict=True):
                peak[_form(row)] = max(constant, peak.get(_form(row), -np.inf))
            parts.peaks.append(peak)
    parts.kinks = np.array(kinks).reshape(-1, 1 + dim)
    return parts


def _numbered(parts: _Parts, shift: Array) -> dict[tuple[Form, int], tuple[float, float]]:
    """(constant, weight) of each hinge, by its form less the shift; several of one form are numbered by constant."""
    by_form: dict[Form, dict[float, float]] = {}
    for (constant, *row), weight in zip(parts.kinks.tolist(), parts.weights, strict=True):
        same = by_form.setdefault(_form(np.array(row) - shift), {})
        same[constant] = same.get(constant, 0.0) + weight
    return {(form, i): pair for form, same in by_form.items() for i, pair in enumerate(sorted(same.items()))}


def _commonest(rows: Array) -> Array:
    """The commonest number of each column; 0 if that is as common, or if there are no rows."""
    best, zeros = np.zeros(rows.shape[1]), (rows == 0).sum(axis=0)
    for i in np.flatnonzero(2 * zeros < len(rows)):  # elsewhere nothing is commoner than 0
        numbers, counts = np.unique(rows[:, i], return_counts=True)
        if counts.max() > zeros[i]:
            best[i] = numbers[counts.argmax()]
    return best


def _form(row: Array) -> Form:
    return tuple((row + 0.0).tolist())  # −0 and 0 are the same number
