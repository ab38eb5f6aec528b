"""fig:loss-matrices, copied from the figure."""

from __future__ import annotations

from fractions import Fraction

from lossmith.losses import abstain, hamming, ordinal, zero_one

HALF = Fraction(1, 2)


def test_a_zero_one_loss_on_three_labels():
    assert zero_one(3).entries == (
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 0),
    )


def test_b_ordinal_loss_on_three_labels():
    assert ordinal(3).entries == (
        (0, 1, 2),
        (1, 0, 1),
        (2, 1, 0),
    )


def test_c_hamming_loss_on_two_bits():
    assert hamming(2).entries == (
        (0, 1, 1, 2),
        (1, 0, 2, 1),
        (1, 2, 0, 1),
        (2, 1, 1, 0),
    )


def test_d_abstain_loss_on_three_labels():
    assert abstain(3).entries == (
        (0, 1, 1, HALF),
        (1, 0, 1, HALF),
        (1, 1, 0, HALF),
    )
