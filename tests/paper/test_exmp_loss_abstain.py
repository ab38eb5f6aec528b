"""exmp:loss-abstain: ℓ(y, t) = 1(t ∈ [n]) 1(t ≠ y) + 1/2 · 1(t = n + 1)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lossmith.losses import abstain


@pytest.mark.parametrize("n", [2, 3, 5, 9])
def test_abstain_loss_is_0_1_loss_and_a_half_for_abstaining(n):
    loss = abstain(n)
    assert (loss.n, loss.k) == (n, n + 1)
    for y in range(n):
        for t in range(n):
            assert loss.entries[y][t] == (0 if t == y else 1)
        assert loss.entries[y][n] == Fraction(1, 2)


@pytest.mark.parametrize(("cost", "value"), [("1/3", Fraction(1, 3)), (0.4, Fraction(2, 5)), (0, 0)])
def test_abstaining_may_have_another_price(cost, value):
    assert [row[-1] for row in abstain(4, cost).entries] == [value] * 4
