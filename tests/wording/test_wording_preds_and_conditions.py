"""How a pred without a decision for some scores is refused, a declaration that contradicts another; conditions."""

from __future__ import annotations

import numpy as np
from printed import messages

import lossmith as lm

S, L = lm.surrogates, lm.losses
PAIRS = lm.LossMatrix([[0, 1], [0, 1], [1, 0], [1, 0]], labels=["a", "b", "c", "d"], predictions=["a, b", "c, d"])


def clipped():
    psi = S.softmax(3)
    return lm.SmoothSurrogate(
        "clipped",
        3,
        3,
        lambda U: psi.value(np.clip(U, -9, 9)),
        lambda U: psi.slope(np.clip(U, -9, 9)) * (abs(U) < 9)[:, None, :],
        lm.surrogates.smooth.Traits(proper=psi.traits.proper, convex=False),
    )


REFUSED = {
    "top-k": lambda: lm.check("softmax", PAIRS, pred="top-k"),
    "top-k with scores that sum to 0": lambda: lm.check("lee-lin-wahba", PAIRS, pred="top-k"),
    "a region is missing": lambda: lm.check("softmax", L.zero_one(2), pred=[lambda u: [u[0] >= u[1]], None]),
    "regions with a gap": lambda: lm.check("softmax", PAIRS, [lambda u: [u[0] >= 1], lambda u: [u[0] <= 0]]),
    "proper and not convex": clipped,
}


def squares(**known):
    return lm.SmoothSurrogate(
        "squares",
        2,
        1,
        lambda U: (U - [0, 1]) ** 2,
        lambda U: 2 * (U - [0, 1])[:, :, None],
        **known,
    )


def declared():
    mean = squares(traits=S.smooth.Traits(mean=[[0], [1]]))
    sloped = squares(exact_slope=lambda u: [[2 * u[0]], [2 * (u[0] - 1)]])
    halves = [lambda u: [u[0] <= "1/2"], lambda u: [u[0] >= "1/2"]]
    yield lm.check(mean, L.zero_one(2))
    yield lm.check(sloped, L.zero_one(2), halves)
    for surrogate, loss, pred in (
        ("label-smoothing", "zero-one:n=3", "argmax"),
        ("all-threshold-logistic", "ordinal:n=3", "sign"),
        ("one-vs-one-logistic", "zero-one:n=3", "votes"),
        ("constrained-loss", "zero-one:n=3", "argmax"),
        ("top-k-entropy:n=3,k=2", "zero-one:n=3", "argmax"),
        ("squared-crammer-singer", "abstain:n=3", None),
        ("rejection-exponential", "abstain:n=2,cost=1/4", "reject"),
    ):
        yield lm.check(surrogate, loss, pred)


def test_refusals(snapshot):
    assert messages(REFUSED) == snapshot


def test_conditions(snapshot):
    shown = [
        f"{verdict.surrogate.name}: {verdict.status}\n  " + "\n  ".join(verdict.conditions) for verdict in declared()
    ]
    assert "\n".join(shown) == snapshot


def test_a_verdict_with_a_condition(snapshot):
    verdict = next(declared())
    assert "\n".join([str(verdict), verdict.to_latex()]) == snapshot
