"""Exponentials of margins, weighted by what the mistake costs: guess-averse losses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.families import Published, family
from lossmith.losses import ordinal, zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.surrogates.chains import stationary
from lossmith.surrogates.margins import exponential, power_of_two
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.square_losses import labels_and_labels, with_zero_diagonal, zero_diagonal
from lossmith.surrogates.traits import Curved, ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_FORMS = ("exponential", "logistic")


def _form(form: str) -> str:
    if form not in _FORMS:
        raise BadInput(f"form is {form!r}; choose {' or '.join(_FORMS)}")
    return form


def _positive(loss: LossMatrix) -> bool:
    """Whether every mistake costs something."""
    return all(x > 0 for y, row in enumerate(loss.entries) for j, x in enumerate(row) if j != y)


def _size(loss: LossLike, form: str = "exponential") -> tuple[int, int]:
    _form(form)
    return labels_and_labels(as_loss(loss))


@family(
    cite="O. Beijbom, M. Saberian, D. Kriegman, N. Vasconcelos, Guess-averse loss functions for cost-sensitive "
    "multiclass boosting, ICML 2014",
    latex=r"\psi_y(u) = \sum_j L_{yj} e^{u_j - u_y} \text{ or } \log\left(1 + \sum_j L_{yj} e^{u_j - u_y}\right)",
    preds=("decide", "argmax"),
    small=({"loss": "zero-one:n=2"}, {"loss": "ordinal:n=3"}, {"loss": "ordinal:n=3", "form": "logistic"}),
    size=_size,
    fits=lambda loss: {"loss": loss} if zero_diagonal(loss) and _positive(loss) else None,
    verdicts=(
        Published(zero_one, "CCC", "Mao, Mohri, Zhong, ICML 2023"),
        Published(ordinal, "CCC", "docs/findings.md, 2026"),
        Published(ordinal, "·NN", "docs/findings.md, 2026", pred="argmax"),
    ),
    formless="each score meets each other one, so that the curvature is a full matrix",
)
def guess_averse(loss: LossLike, form: str = "exponential") -> SmoothSurrogate:
    """Σ_j L_yj e^{u_j − u_y} on R^n, or the logarithm of 1 plus that, for L with L_yy = 0.

    If every mistake costs something it is strictly proper composite: where the risk is least, p is the stationary law
    of a chain (docs/beyond-the-paper.md). For 0-1 loss these are `comp_sum` with τ = 0 and 1. For grades argmax, which
    the authors use, is wrong: at equal scores all grades are equally likely, and the one in the middle is best.

    >>> guess_averse("ordinal:n=3")([0, 0, 0])
    (3.0, 2.0, 3.0)
    """
    read, chosen = with_zero_diagonal(loss, "guess_averse"), _form(form)
    costs = tuple(tuple(map(Fraction, row)) for row in read.entries)
    name = f"guess_averse({read.name}, form={chosen})"
    value, slope, at_zero = _Value(costs, chosen), _Slope(costs, chosen), _Even(costs, chosen)
    mistakes = [{x for j, x in enumerate(row) if j != y} for y, row in enumerate(costs)]
    weighted = chosen == "exponential" and all(len(row) == 1 for row in mistakes)  # a weight w_y times that of 0-1 loss
    same = len(set.union(*mistakes)) == 1
    weights = tuple(max(row) for row in costs) if weighted and not same else None
    proper = ProperComposite(_Stationary(costs, chosen), monotone=same or weighted, weights=weights)
    traits = Traits(proper=proper, curved=_curved(read, chosen)) if _positive(read) else Traits()
    at_logs = _AtLogs(costs, chosen)
    return SmoothSurrogate(name, read.n, read.n, value, slope, traits, subgradients=at_zero, at_logs=at_logs)


def _curved(loss: LossMatrix, form: str) -> Curved:
    """c² = 1/m times the span of d, with m the least rate at which two of its chains meet: docs/beyond-the-paper.md."""
    mistakes = [x for y, row in enumerate(loss.entries) for j, x in enumerate(row) if j != y]
    if form == "exponential":
        return Curved("span", 1 / (2 * min(mistakes)), 2 / max(mistakes))
    return Curved("span", (1 + (loss.n - 1) * max(mistakes)) / min(mistakes))


@dataclass(frozen=True)
class _Costs:
    costs: tuple[tuple[Fraction, ...], ...]
    form: str

    def terms(self, U: Array) -> Array:
        """L_yj e^{u_j − u_y}."""
        import numpy as np

        costs = np.array([[float(x) for x in row] for row in self.costs])
        result: Array = costs * exponential(U[:, :, None] - U[:, None, :])
        return result


class _Value(_Costs):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        total = self.terms(U).sum(axis=2)
        result: Array = total if self.form == "exponential" else np.log1p(total)
        return result


class _Slope(_Costs):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        terms = self.terms(U)
        total = terms.sum(axis=2)[:, :, None]
        result: Array = terms - total * np.eye(U.shape[1])
        return result if self.form == "exponential" else result / (1 + total)


class _Stationary(_Costs):
    """The law of the chain with the rates L_ai e^{u_i − u_a}, less the larger ψ_a is in the logistic form."""

    def __call__(self, U: Array) -> Array:
        import numpy as np

        costs = np.array([[float(x) for x in row] for row in self.costs])
        order = np.argsort(-U, axis=1)
        weights = np.exp(np.take_along_axis(U, order, axis=1) - U.max(axis=1, keepdims=True))
        rates = costs[order[:, :, None], order[:, None, :]] * weights[:, None, :]
        if self.form == "exponential":  # rows of rates may be scaled, if the law is scaled back
            law = stationary(rates) * weights
        else:
            law = stationary(rates / (weights + rates.sum(axis=2))[:, :, None])
        found: Array = np.empty_like(law)
        np.put_along_axis(found, order, law / law.sum(axis=1, keepdims=True), axis=1)
        return found


class _AtLogs(_Costs):
    """The gradients at u = s log 2, for integers s."""

    def __call__(self, s: tuple[Fraction, ...]) -> list[list[list[Fraction]]] | None:
        powers = [x for x in map(power_of_two, s) if x is not None]
        if len(powers) < len(s):
            return None
        found = []
        for y, row in enumerate(self.costs):
            terms = [x * power / powers[y] for x, power in zip(row, powers, strict=True)]
            total = sum(terms, Fraction(0))
            share = 1 if self.form == "exponential" else 1 + total
            found.append([[(x - total * (j == y)) / share for j, x in enumerate(terms)]])
        return found


class _Even(_AtLogs):
    """The gradients at u = 0."""

    def __call__(self, u: tuple[Fraction, ...]) -> list[list[list[Fraction]]] | None:
        return None if any(u) else super().__call__(u)
