"""Smooth surrogates on batches of scores: the catalogue's in closed form, others through their numpy functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from lossmith.nn.polyhedral import like
from lossmith.surrogates.forms import Form
from lossmith.surrogates.smooth import SmoothSurrogate


class Smooth:
    """(u, y) ↦ ψ_y(u) for each row of u and its label.

    A surrogate without a form is evaluated by its own functions, in numpy and on the CPU; backward uses
    its gradient, can be taken once, and lies outside what `torch.compile` compiles.
    """

    def __init__(self, surrogate: SmoothSurrogate) -> None:
        self.surrogate, form = surrogate, surrogate.form
        self.run: Any = self._by_hand if form is None else _Closed(form)

    def __call__(self, u: Tensor, y: Tensor) -> Tensor:
        """ψ_y(u)."""
        result: Tensor = self.run(u, y)
        return result

    def projected(self, u: Tensor) -> Tensor:
        """All of R^d is the domain."""
        return u

    @torch.compiler.disable
    def _by_hand(self, u: Tensor, y: Tensor) -> Tensor:
        result: Tensor = _ByHand.apply(u, y, self.surrogate)
        return result


class _Closed:
    def __init__(self, form: Form) -> None:
        self.kind = form.kind
        self.rows = torch.from_numpy(np.array(form.rows, dtype=float))
        self.weights = torch.from_numpy(np.array(form.weights, dtype=float))
        self.weighted = set(form.weights) != {1}
        self.plain = form.kind == "softmax" and torch.equal(self.rows, torch.eye(len(self.rows), dtype=self.rows.dtype))

    def __call__(self, u: Tensor, y: Tensor) -> Tensor:
        values = functional.cross_entropy(u, y, reduction="none") if self.plain else self._sums(u, y)
        return values * like(self.weights, u).index_select(0, y) if self.weighted else values

    def _sums(self, u: Tensor, y: Tensor) -> Tensor:
        rows = like(self.rows, u).index_select(0, y)
        if self.kind == "square":
            return (u - rows).square().sum(1)
        if self.kind == "softmax":
            return functional.cross_entropy(u, rows, reduction="none")
        return _MARGINS[self.kind]((2 * rows - 1) * u).sum(1)


def _modified_huber(margins: Tensor) -> Tensor:
    return torch.where(margins < -1, -4 * margins, (1 - margins.clamp(min=-1)).clamp(min=0).square())


def _smooth_hinge(margins: Tensor) -> Tensor:
    return torch.where(margins < 0, 0.5 - margins, (1 - margins.clamp(min=0)).clamp(min=0).square() / 2)


_MARGINS: dict[str, Callable[[Tensor], Tensor]] = {
    "logistic": lambda margins: -functional.logsigmoid(margins),
    "squared hinge": lambda margins: (1 - margins).clamp(min=0).square(),
    "exponential": lambda margins: torch.exp((-margins).clamp(max=700 if margins.dtype == torch.float64 else 88)),
    "modified huber": _modified_huber,
    "smooth hinge": _smooth_hinge,
}


class _ByHand(torch.autograd.Function):
    """ψ_y by the surrogate's own value and slope."""

    @staticmethod
    def forward(u: Tensor, y: Tensor, surrogate: SmoothSurrogate) -> Tensor:
        """The values."""
        chosen = surrogate.evaluate(_array(u))[np.arange(len(u)), y.numpy(force=True)]
        return torch.from_numpy(chosen).to(u.dtype).to(u.device)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, SmoothSurrogate], output: Tensor) -> None:
        """Keep what backward needs."""
        u, y, ctx.surrogate = inputs
        ctx.save_for_backward(u, y)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None, None]:
        """The gradients, times what comes from above."""
        u, y = ctx.saved_tensors
        slopes = ctx.surrogate.gradient(_array(u))[np.arange(len(u)), y.numpy(force=True)]
        return upstream[:, None] * torch.from_numpy(slopes).to(u.dtype).to(u.device), None, None


def _array(u: Tensor) -> Any:
    return u.detach().to("cpu").double().numpy()
