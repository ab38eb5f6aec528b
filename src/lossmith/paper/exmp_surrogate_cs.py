"""exmp:surrogate-CS: the Crammer–Singer surrogate, at points drawn at random."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import lossmith as lm
from lossmith.paper.item import Item, Outcome, holds, outcome

STATEMENT = "ψ_y(u) = max over y′ ≠ y of (1 − (u_y − u_y′))₊ on C = R^n; it is convex."


def _compute() -> Outcome:
    chance = Random(2)
    claims = []
    for n in (2, 3, 5):
        psi = lm.surrogates.crammer_singer(n)
        agree = True
        for _ in range(50):
            u = [Fraction(chance.randint(-30, 30), 10) for _ in range(n)]
            paper = tuple(max(max(0, 1 - (u[y] - u[z])) for z in range(n) if z != y) for y in range(n))
            agree = agree and psi(u) == paper
        claims.append(holds(f"ψ(u), n = {n}", agree, "at 50 points drawn at random"))
        convex = all(len(terms) == 1 for terms in psi.terms)
        claims.append(holds(f"convex, n = {n}", convex, "each ψ_y is one maximum of affine functions"))
    return outcome("the formula at 50 points each, n = 2, 3, 5; maxima of affine functions, so convex", *claims)


ITEM = Item("exmp:surrogate-CS", "Crammer–Singer surrogate", STATEMENT, _compute)
