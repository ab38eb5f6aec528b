"""exmp:loss-hamming: ℓ(y, t) = Σ_i 1((t−1)_i ≠ (y−1)_i) over the r bits."""

from __future__ import annotations

import pytest

from lossmith.losses import hamming


def bit(number: int, i: int) -> int:
    return number // 2**i % 2


@pytest.mark.parametrize("r", [1, 2, 3, 5])
def test_hamming_loss_counts_the_bits_that_differ(r):
    loss = hamming(r)
    assert (loss.n, loss.k) == (2**r, 2**r)
    for y in range(2**r):  # y and t are y − 1 and t − 1 of the paper, which counts from 1
        for t in range(2**r):
            assert loss.entries[y][t] == sum(1 for i in range(r) if bit(t, i) != bit(y, i))
