"""A surrogate as a loss of PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Surrogate, Undecided
from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_rationals
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.protocol import Loss
from lossmith.nn.polyhedral import SumsOfMaxima
from lossmith.nn.smooth import Smooth
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate

_REDUCTIONS = ("mean", "sum", "none")
_EXACT = (torch.float32, torch.float64)  # shorter floats are computed in float32


class SurrogateLoss(torch.nn.Module):
    """ψ_y(u), averaged over a batch of scores u, one row of `dim` numbers for each example, and labels y = 0 … n−1.

    The labels are the numbers of the rows of the loss: of names, `[loss.labels.index(name) for name in names]`.
    Give a surrogate; or what `lm.design(loss)` or `lm.check(surrogate, loss)` returned; or a surrogate and a loss,
    which must be calibrated. With a loss, `pred(u)` tells the decisions.

    `weight` has one positive number for each label and works as in torch's `CrossEntropyLoss`: ψ_y is multiplied by
    w_y, and the mean is taken over the weights. What is minimised is then the expected w_y L(y, t), with the same pred.

    If the surrogate is defined where equations such as Σ u = 0 hold, u is projected there first.

    >>> import torch, lossmith as lm
    >>> criterion = lm.nn.SurrogateLoss(lm.design(lm.losses.abstain(4)))
    >>> u = torch.zeros(5, criterion.dim, requires_grad=True)
    >>> criterion(u, torch.tensor([0, 1, 2, 3, 0])).backward()
    >>> u.grad.shape, criterion.pred(u).tolist(), criterion.decide(u)[0]
    (torch.Size([5, 2]), [4, 4, 4, 4, 4], 'abstain')
    """

    def __init__(
        self,
        surrogate: Surrogate | Calibrated,
        loss: Loss | None = None,
        pred: object = None,
        *,
        weight: Sequence[RationalLike] | Tensor | None = None,
        reduction: Literal["mean", "sum", "none"] = "mean",
    ) -> None:
        super().__init__()
        self.verdict = _verdict(surrogate, loss, pred)
        self.surrogate: Surrogate = _surrogate(surrogate)
        if reduction not in _REDUCTIONS:
            raise BadInput(f"reduction is {reduction!r}; choose one of {', '.join(map(repr, _REDUCTIONS))}")
        self.reduction = reduction
        self.weight = None if weight is None else _weights(weight, self.surrogate)
        self._psi: SumsOfMaxima | Smooth
        if isinstance(self.surrogate, PolyhedralSurrogate):
            self._psi = SumsOfMaxima(self.surrogate)
        else:
            self._psi = Smooth(self.surrogate)

    @property
    def dim(self) -> int:
        """The number of scores: the outputs that the network needs."""
        return self.surrogate.dim

    @property
    def n(self) -> int:
        """The number of labels."""
        return self.surrogate.n

    @property
    def loss(self) -> LossMatrix | None:
        """The loss for which the surrogate is calibrated, if one was given."""
        return None if self.verdict is None else self.verdict.loss

    def forward(self, u: Tensor, y: Tensor) -> Tensor:
        """The mean of ψ_y(u) over the batch, its sum, or with reduction "none" each value."""
        self._check_scores(u)
        self._check_labels(u, y)
        y = y.to(device=u.device, dtype=torch.int64)
        scores = u if u.dtype in _EXACT else u.float()
        values = self._psi(scores, y)
        count: Tensor | int = len(u)
        if self.weight is not None:
            weights = self.weight.to(scores.dtype).to(u.device).index_select(0, y)
            values, count = values * weights, weights.sum()
        if self.reduction == "mean":
            if len(u) == 0:
                raise BadInput('the batch is empty, so it has no mean; skip it, or use reduction="sum"')
            values = values.sum() / count
        elif self.reduction == "sum":
            values = values.sum()
        return values.to(u.dtype)

    def pred(self, u: Tensor) -> Tensor:
        """The index of the decision for each row of u.

        It is computed on the CPU in double precision, by the pred of the verdict: for polyhedral designs without a pred
        of their own this solves one small linear program for each row.
        """
        self._check_scores(u)
        if self.verdict is None:
            raise BadInput(
                f"{self.surrogate.name} alone does not say what to decide; write SurrogateLoss(surrogate, loss=loss) "
                f"or SurrogateLoss(lm.design(loss))"
            )
        if len(u) == 0:
            return torch.zeros(0, dtype=torch.int64, device=u.device)
        points = self._psi.projected(u.detach().to("cpu").double()).numpy()
        return torch.from_numpy(np.asarray(self.verdict.pred.decide(points), dtype=np.int64)).to(u.device)

    def decide(self, u: Tensor) -> list[Any]:
        """The decision for each row of u, by name."""
        chosen = self.pred(u).tolist()
        assert self.verdict is not None
        return [self.verdict.loss.predictions[t] for t in chosen]

    def extra_repr(self) -> str:
        """What `print` shows in the brackets."""
        loss = "" if self.verdict is None else f", loss={self.verdict.loss.name}"
        return f"{self.surrogate.name}{loss}, reduction={self.reduction!r}"

    def _check_scores(self, u: Tensor) -> None:
        if not isinstance(u, Tensor):
            raise BadInput(f"u is a {type(u).__name__}; give a tensor, such as torch.as_tensor(u)")
        if u.ndim != 2 or u.shape[1] != self.dim:
            raise BadInput(
                f"u has shape {tuple(u.shape)}; it needs one column for each of the {self.dim} scores of "
                f"{self.surrogate.name}"
            )
        if not u.is_floating_point():
            raise BadInput(f"u has the type {u.dtype}; scores are floating-point numbers: write u.float()")

    def _check_labels(self, u: Tensor, y: Tensor) -> None:
        if not isinstance(y, Tensor):
            raise BadInput(f"y is a {type(y).__name__}; give a tensor, such as torch.as_tensor(y)")
        if y.shape != u.shape[:1]:
            raise BadInput(f"y has shape {tuple(y.shape)}; it needs one label for each of the {len(u)} rows of u")
        if y.is_floating_point() or y.is_complex() or y.dtype == torch.bool:
            raise BadInput(f"y has the type {y.dtype}; labels are integers from 0 to {self.n - 1}: write y.long()")
        # Elsewhere the device itself stops at a label out of range; asking it here would make every step wait.
        if y.device.type == "cpu" and len(y) and not torch.compiler.is_compiling():
            least, most = (int(x) for x in y.aminmax())
            if least < 0 or most >= self.n:
                wrong = least if least < 0 else most
                raise BadInput(f"y contains {wrong}; {self.surrogate.name} has the labels 0 to {self.n - 1}")


def _verdict(given: object, loss: Loss | None, pred: object) -> Calibrated | None:
    if isinstance(given, (NotCalibrated, Undecided)):
        found: object = given
    elif isinstance(given, Calibrated):
        if loss is not None or pred is not None:
            raise BadInput(f"the verdict on {given.surrogate.name} has its loss and pred; leave out loss= and pred=")
        return given
    elif loss is None:
        if pred is not None:
            raise BadInput(f"pred is {pred!r} but there is no loss for which to decide; give loss= as well")
        return None
    else:
        found = check(_surrogate(given), loss, pred)
    if isinstance(found, Calibrated):
        return found
    assert isinstance(found, (NotCalibrated, Undecided))
    raise BadInput(
        f"{found.surrogate.name} is {found.status} for {found.loss.name}; print(lm.check(…)) says why; SurrogateLoss("
        f"lm.surrogates.softmax({found.loss.n}), loss=loss) trains probabilities, and decides by expected cost"
    )


def _surrogate(given: object) -> Surrogate:
    surrogate = given.surrogate if isinstance(given, Calibrated) else given
    if not isinstance(surrogate, (PolyhedralSurrogate, SmoothSurrogate)):
        if hasattr(surrogate, "targets"):
            raise BadInput(
                "squares of factors are least squares: train with torch.nn.MSELoss on best.targets(labels), weighted "
                "by best.weights(labels)"
            )
        raise BadInput(f"the surrogate is {surrogate!r}; give one such as lm.surrogates.softmax(3), or lm.design(loss)")
    if isinstance(surrogate, PolyhedralSurrogate) and surrogate.inequalities:
        raise BadInput(
            f"{surrogate.name} is defined only where {len(surrogate.inequalities)} inequalities hold, but the outputs "
            f"of a network are free; write u in free parameters, and trace ψ as a function of those"
        )
    return surrogate


def _weights(given: Sequence[RationalLike] | Tensor, surrogate: Surrogate) -> Tensor:
    numbers = given.tolist() if isinstance(given, Tensor) else [float(x) for x in as_rationals(given, "weight")]
    weights = torch.as_tensor(numbers, dtype=torch.float64)
    if weights.shape != (surrogate.n,) or not bool((weights > 0).all() and weights.isfinite().all()):
        raise BadInput(f"weight is {numbers}; give one positive number for each of the {surrogate.n} labels")
    return weights
