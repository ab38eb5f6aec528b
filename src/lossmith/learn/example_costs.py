"""Costs per example: what each kind of surrogate can do with them, in training and in deciding.

Let c_i[y, t] be what t costs in example i when y is true. Best for x is the t of least E[c[y, t] | x].

* A plug-in learns P(y | x), in which costs have no part, and decides for the costs that it is given with the examples.
* Least squares learn the paid costs themselves: the minimiser of E‖u − c[y, ·]‖² is u(x) = E[c[y, ·] | x], whose least
  entry is the best decision. If the mean squared distance from it is ε², deciding by u costs at most √2 ε more than the
  best: u_t ≤ u_s for the t decided and the s that is best, so E c_t − E c_s ≤ (E c_t − u_t) + (u_s − E c_s). No cost
  need be known when it decides.
* Any other surrogate ψ that is calibrated for the loss ℓ serves if the rows are those of ℓ up to scale and shift,
  c_i[y_i, ·] = w_i ℓ[y_i, ·] + v_i with w_i ≥ 0: training with the weights w_i minimises E Σ_y p_y w_y ψ_y(u), as if y
  had the probability p_y w_y / Σ p w, and the best decision for those is the best one for the costs.
  With two labels and two decisions, where the right one costs no more, every row is like that.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import Calibrated
from lossmith.errors import BadInput
from lossmith.learn.choosing import Chosen
from lossmith.learn.scoring import float_costs
from lossmith.losses.example_costs import ExampleCosts
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import square

Array: TypeAlias = np.ndarray[Any, Any]

UNTOLD = "untold"  # costs that came as an array in training, and must come with every example


def rule_of(costs: Any, loss: LossMatrix) -> Any:
    """What can be asked again for other examples: a matrix, a function or columns; else `UNTOLD`, and None for None.

    >>> from lossmith.losses import zero_one
    >>> rule_of([[0, 1], ["amount", 0]], zero_one(2)).columns
    ('amount',)
    """
    if costs is None or callable(costs) or isinstance(costs, (ExampleCosts, LossMatrix)):
        return costs
    if isinstance(costs, (list, tuple)) and all(np.ndim(cell) == 0 for row in costs for cell in row):
        return ExampleCosts(costs, loss.labels, loss.predictions)
    return UNTOLD


def told_again(costs: Any, rule: Any) -> Any:
    """The costs to decide by: those given now, else the rule of training."""
    if costs is None and isinstance(rule, str):
        raise BadInput("it was trained with an array of costs per example; give those of these examples, costs=…")
    return rule if costs is None else costs


def paid_in_squares(chosen: Chosen) -> Chosen:
    """Least squares on what each decision cost: ‖u − c[y, ·]‖², which is square(loss) where all costs are its own.

    >>> from lossmith.learn.choosing import choose
    >>> from lossmith.losses import ordinal
    >>> print(paid_in_squares(choose(ordinal(3), "square")))
    square(ordinal(n=3)) for ordinal(n=3): least squares, 3 functions; what each decision cost is learned
    """
    verdict = check(square(chosen.loss), chosen.loss)
    assert isinstance(verdict, Calibrated)
    return Chosen("square", chosen.loss, "what each decision cost is learned", verdict, verdict.pred)


def refuse_costs(costs: Any, surrogate: str) -> None:
    """Refuse costs that a model is given although it has learned to decide for others."""
    if costs is not None:
        raise BadInput(
            f"costs are given, but {surrogate} decides for those it was trained with; use "
            f'surrogate="plug-in", which decides for any'
        )


def weights_of_rows(costs: Array, truth: Array, loss: LossMatrix, named: str) -> Array:
    """w_i ≥ 0 with c_i[y_i, ·] = w_i ℓ[y_i, ·] + v_i; a refusal where there is none.

    >>> from lossmith.losses import zero_one
    >>> paid = np.array([[[0.0, 2], [30, 1]], [[0, 2], [800, 1]]])
    >>> weights_of_rows(paid, np.array([0, 1]), zero_one(2), "hinge").tolist()
    [2.0, 799.0]
    """
    rows = float_costs(loss)
    rows -= rows.min(axis=1, keepdims=True)
    paid = costs[np.arange(len(truth)), truth]
    paid = paid - paid.min(axis=1, keepdims=True)
    of_loss = rows[truth]
    squares = (of_loss**2).sum(axis=1)
    weights: Array = (paid * of_loss).sum(axis=1) / np.where(squares > 0, squares, 1)
    apart = abs(paid - weights[:, None] * of_loss).max(axis=1) > 1e-9 * (1 + paid.max(axis=1))
    if apart.any():
        i = int(apart.argmax())
        raise BadInput(
            f"{named} takes costs per example only where each row is that of {loss.name}, scaled and shifted, and that "
            f'of example {i} is not; use surrogate="plug-in" or "square"'
        )
    return weights
