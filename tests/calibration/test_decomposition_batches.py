"""The pred of the proof, in batches of floats."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from random import Random

import pytest

import lossmith as lm
from lossmith.geometry.linear_program import maximize
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import crammer_singer, lee_lin_wahba


def most_weight(pred, u, t):
    """The largest weight that a mixture below ψ(u) can give to one cell with prediction t."""
    z, size = pred.surrogate(u), len(pred.points)
    scale = lcm(*(x.denominator for x in [*z, *(x for point in pred.points for x in point)]))
    below = [(int(z[y] * scale), *(int(-point[y] * scale) for point in pred.points)) for y in range(len(z))]
    weights = [(0, *(int(i == j) for j in range(size))) for i in range(size)]
    cells = [j for j in range(size) if pred.predictions[j] == t]
    found = [maximize([int(i == j) for i in range(size)], [*below, *weights], [(-1, *[1] * size)]) for j in cells]
    return max(best.value for best in found)


@pytest.mark.parametrize(
    ("family", "loss_of"), [(crammer_singer, abstain), (crammer_singer, ordinal), (lee_lin_wahba, zero_one)]
)
def test_what_a_batch_decides_has_a_large_share_in_a_mixture(family, loss_of):
    surrogate, loss = family(3), loss_of(3)
    pred = lm.check(surrogate, loss).pred
    random = Random(0)
    U = []
    while len(U) < 30:
        u = [Fraction(random.randint(-300, 300), 100) for _ in range(3)]
        if surrogate.equations:
            u[2] = -u[0] - u[1]
        U.append(u)
    decided = pred.decide([[float(x) for x in u] for u in U])
    # Mixtures are not unique; what counts is that the decided cell has a share of at least 1/r in one of them.
    assert all(most_weight(pred, u, t) >= Fraction(1, len(pred.points)) for t, u in zip(decided, U, strict=True))
    corners = [cell.u for cell in lm.check(surrogate, loss).cells]
    assert pred.decide([[float(x) for x in u] for u in corners]) == [pred(u) for u in corners]
