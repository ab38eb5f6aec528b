"""exmp:loss-0-1: ℓ(y, t) = 1(t ≠ y)."""

from __future__ import annotations

import pytest

from lossmith.losses import zero_one


@pytest.mark.parametrize("n", [2, 3, 5, 9])
def test_zero_one_loss_is_0_on_the_diagonal_and_1_elsewhere(n):
    loss = zero_one(n)
    assert (loss.n, loss.k) == (n, n)
    for y in range(n):
        for t in range(n):
            assert loss.entries[y][t] == (0 if t == y else 1)
