"""What is printed of regrets: bounds with two different ends, and a third decision that is better."""

from __future__ import annotations

import pytest

import lossmith as lm
from lossmith import losses, regret

REGRETS = {
    "constrained exponentials, three labels": lambda: regret("constrained-loss", losses.zero_one(3), "argmax"),
    "constrained exponentials, four labels": lambda: regret("constrained-loss", losses.zero_one(4), "argmax"),
    "a third decision is better": lambda: regret("absolute", [[0, 4, 1], [4, 0, 2], [2, 1, 0]]),
    "a slope at a threshold must be 0": lambda: lm.check(
        lm.SmoothSurrogate.from_squares(
            lambda y, u: [lm.pos(1 - u[0]), lm.pos(u[1] - 3)] if y == 0 else [lm.pos(1 + u[0]), lm.pos(5 - u[1])],
            n=2,
            dim=2,
        ),
        [[0, 1], [0, 0]],
        [lambda u: [u[1] >= 2], lambda u: [u[1] <= 2]],
    ),
}


@pytest.mark.parametrize("name", list(REGRETS))
def test_regrets_in_print(name, snapshot):
    assert str(REGRETS[name]()) == snapshot
