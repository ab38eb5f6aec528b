"""Sums of maxima on batches of scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from lossmith.nn.tables import Array, Bent, Pieces, Slots, Sparse, tables_of
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


class SumsOfMaxima:
    """(u, y) ↦ ψ_y(u) for each row of u and its label.

    Where several pieces of a maximum are largest, backward averages their gradients, which is a subgradient.
    """

    def __init__(self, surrogate: PolyhedralSurrogate) -> None:
        tables = tables_of(surrogate)
        kinds: dict[type, Any] = {Pieces: _Pieces, Slots: _Slots, Bent: _Bent}
        self.run = kinds[type(tables)](tables)
        self.onto = _projection(surrogate)

    def __call__(self, u: Tensor, y: Tensor) -> Tensor:
        """ψ_y(u); u is first projected on the equations of the domain."""
        result: Tensor = self.run(self.projected(u), y)
        return result

    def projected(self, u: Tensor) -> Tensor:
        """The nearest point to each row of u that satisfies the equations of the domain."""
        if self.onto is None:
            return u
        constant, rows, back = (like(each, u) for each in self.onto)
        return u - (u @ rows + constant) @ back


class _Pieces:
    def __init__(self, tables: Pieces) -> None:
        self.rows, self.width = _Affine(tables.rows), tables.width

    def __call__(self, u: Tensor, y: Tensor) -> Tensor:
        return self.rows(u, y).unflatten(1, (-1, self.width)).amax(2).sum(1)


class _Slots:
    def __init__(self, tables: Slots) -> None:
        self.base, self.loose, self.shift = _Affine(tables.base), _Affine(tables.loose), _Affine(tables.shift)
        self.hinge_forms, self.peak_forms = _Forms(tables.hinge_forms), _Forms(tables.peak_forms)
        self.hinge = torch.from_numpy(tables.hinge.copy())
        self.weight = None if tables.weight is None else torch.from_numpy(tables.weight.copy())
        n, self.peaks, forms = tables.peak.shape
        self.peak = torch.from_numpy(tables.peak).reshape(n, self.peaks * forms)

    def __call__(self, u: Tensor, y: Tensor) -> Tensor:
        total = self.base(u, y)[:, 0]
        if self.loose.used:
            total = total + self.loose(u, y).clamp(min=0).sum(1)
        if self.hinge.shape[1]:
            heights = self.hinge_forms(u) + _rows(self.hinge, u, y)
            if self.shift.used:
                heights = heights + self.shift(u, y)
            heights = heights.clamp(min=0)
            total = total + (heights if self.weight is None else heights * _rows(self.weight, u, y)).sum(1)
        if self.peaks:
            heights = self.peak_forms(u)
            levels = _rows(self.peak, u, y)
            if self.peaks == 1:
                return total + (heights + levels).amax(1)
            total = total + (heights[:, None] + levels.unflatten(1, (self.peaks, -1))).amax(2).sum(1)
        return total


class _Bent:
    def __init__(self, tables: Bent) -> None:
        self.inner = _Slots(tables.inner)
        self.scale, self.constant = torch.from_numpy(tables.scale.copy()), torch.from_numpy(tables.constant.copy())

    def __call__(self, u: Tensor, y: Tensor) -> Tensor:
        height = self.inner(u, y)[:, None]
        return (_rows(self.scale, u, y) * height + _rows(self.constant, u, y)).amax(1)


class _Affine:
    """Affine functions of u, some for each label."""

    def __init__(self, rows: Sparse) -> None:
        n, self.count, self.most = rows.place.shape
        self.used = bool(rows.value.any() or rows.constant.any())
        self.constant = torch.from_numpy(rows.constant.copy())
        self.place = torch.from_numpy(rows.place.copy()).reshape(n, self.count * self.most)
        self.value = torch.from_numpy(rows.value.copy()).reshape(n, self.count * self.most)

    def __call__(self, u: Tensor, y: Tensor) -> Tensor:
        scores = u.gather(1, self.place.to(u.device).index_select(0, y)) * _rows(self.value, u, y)
        return scores.unflatten(1, (self.count, self.most)).sum(2) + _rows(self.constant, u, y)


class _Forms:
    """Linear functions of u that all labels share: often the scores themselves, or their multiples."""

    def __init__(self, forms: Array) -> None:
        self.matrix = torch.from_numpy(forms.T.copy())
        self.same = forms.shape[0] == forms.shape[1] and bool((forms == np.eye(len(forms))).all())
        self.single = bool((np.count_nonzero(forms, axis=1) <= 1).all())
        if self.single:
            self.place = torch.from_numpy(np.argmax(forms != 0, axis=1))
            self.factor = torch.from_numpy(forms[np.arange(len(forms)), self.place.numpy()])

    def __call__(self, u: Tensor) -> Tensor:
        if self.same:
            return u
        if self.single:
            return u.index_select(1, self.place.to(u.device)) * like(self.factor, u)
        return u @ like(self.matrix, u)


def _rows(table: Tensor, u: Tensor, y: Tensor) -> Tensor:
    return like(table, u).index_select(0, y)


def like(table: Tensor, u: Tensor) -> Tensor:
    """The table in the type and on the device of u."""
    return table.to(u.dtype).to(u.device)  # first the type: not every device has double precision


def _projection(surrogate: PolyhedralSurrogate) -> tuple[Tensor, Tensor, Tensor] | None:
    """(b, A, B) such that u − (uA + b)B is nearest to u among the points with uA + b = 0."""
    if not surrogate.equations:
        return None
    rows = np.array(surrogate.equations, dtype=float)
    arrays = rows[:, 0], rows[:, 1:].T, np.linalg.pinv(rows[:, 1:]).T
    first, second, third = (torch.from_numpy(each.copy()) for each in arrays)
    return first, second, third
