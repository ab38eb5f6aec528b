"""The regrets that `attained` states are those of its distribution, prediction and u, by definition."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import lossmith as lm
from lossmith import losses, surrogates
from lossmith.errors import BadInput, Impossible, NotFound, TooLarge
from lossmith.surrogates.members import fitting_surrogate

COSTS = lm.LossMatrix([[0, 4, 1], [4, 0, 2], [2, 1, 0]])
NAMES = ("argmax", "nearest", "sign", "votes", "argmax-gap:tau=1/2", "argmax-threshold:tau=0")


def assert_attained(found: lm.Regret, times: int = 6) -> int:
    """Compare the regrets with sums over the labels; return how often more than ε is lost."""
    delta, psi, more = found.calibration_function, found.surrogate, 0
    ends = [end for end, _, _ in delta.breakpoints if end > 0]
    for epsilon in [*ends, *(Fraction(i, times) * delta.largest for i in range(1, times) if delta.largest)]:
        at = found.attained(epsilon)
        risks = [sum(x * row[t] for x, row in zip(at.p, found.loss.entries, strict=True)) for t in range(found.loss.k)]
        paid = sum(x * value for x, value in zip(at.p, psi(at.u), strict=True)) - psi.bayes_risk(at.p)
        assert (at.loss_regret, at.surrogate_regret) == (risks[at.prediction] - min(risks), paid), (psi.name, epsilon)
        assert at.loss_regret >= epsilon
        assert paid == found.delta(epsilon)
        more += at.loss_regret > epsilon
    return more


def some_losses(n: int, drawn: int) -> list[lm.LossMatrix]:
    draw = Random(n)
    random = [lm.LossMatrix([[draw.randint(0, 5) for _ in range(n)] for _ in range(n)]) for _ in range(drawn)]
    return [losses.zero_one(n), losses.ordinal(n), losses.abstain(n, "1/3"), *random]


def pairs(n: int, drawn: int):
    """Yield what is known of all pairs of the catalogue with this many labels, with each pred that fits."""
    for loss, family in product(some_losses(n, drawn), surrogates.CATALOGUE):
        with suppress(BadInput, TooLarge):
            psi = fitting_surrogate(family, loss)
            if isinstance(psi, lm.PolyhedralSurrogate):
                for pred in NAMES:
                    with suppress(BadInput, Impossible, NotFound, TooLarge):
                        yield lm.regret(psi, loss, pred)


def test_a_third_prediction_may_be_better():
    """The risks of the three predictions are 1, 5/2 and 1/2."""
    found = lm.regret("absolute", COSTS)
    at = found.attained(1)
    assert (at.p, at.prediction, at.loss_regret) == ((Fraction(1, 2), 0, Fraction(1, 2)), 1, 2)
    assert assert_attained(found) > 0


@pytest.mark.parametrize(
    ("name", "loss"),
    [("crammer-singer", losses.zero_one(3)), ("absolute", losses.ordinal(3)), ("one-vs-all-hinge", COSTS)],
    ids=lambda each: getattr(each, "name", each),
)
def test_attained_regrets_of_some_pairs(name, loss):
    assert_attained(lm.regret(name, loss, "nearest" if name == "absolute" else "argmax"), 3)


@pytest.mark.exhaustive
@pytest.mark.parametrize("n", [2, 3])
def test_attained_regrets_of_the_catalogue(n):
    found = [assert_attained(each) for each in pairs(n, 12 if n == 2 else 5)]
    assert len(found) > 100
    assert n == 2 or sum(map(bool, found)) > 5
