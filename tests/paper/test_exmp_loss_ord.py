"""exmp:loss-ord: ℓ(y, t) = |t − y|."""

from __future__ import annotations

import pytest

from lossmith.losses import ordinal


@pytest.mark.parametrize("n", [2, 3, 5, 9])
def test_ordinal_loss_is_the_distance(n):
    loss = ordinal(n)
    assert (loss.n, loss.k) == (n, n)
    for y in range(n):
        for t in range(n):
            assert loss.entries[y][t] == (t - y if t >= y else y - t)
