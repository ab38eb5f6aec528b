"""thm:condition-necessary: each positive normal set of a calibrated surrogate lies in one trigger set."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import lossmith as lm
from lossmith.paper.item import Item, Outcome, equal, holds, outcome, shown

STATEMENT = "If ψ is L-calibrated then for all z ∈ S_ψ there is a t with N(z) ⊆ Q_t."


def _compute() -> Outcome:
    cases = [
        (lm.surrogates.crammer_singer(3), lm.losses.abstain(3), "calibrated"),
        (lm.surrogates.crammer_singer(3), lm.losses.ordinal(3), "calibrated"),
        (lm.surrogates.crammer_singer(3), lm.losses.zero_one(3), "not calibrated"),
        (lm.surrogates.absolute(3), lm.losses.ordinal(3), "calibrated"),
        (lm.surrogates.absolute(3), lm.losses.abstain(3), "not calibrated"),
    ]
    claims = []
    for psi, loss, paper in cases:
        cells = [cell.polytope for cell in lm.trigger_sets(loss)]
        points = _on_the_line() if psi.dim == 1 else _near_zero()
        corners = [lm.positive_normal_set(psi, u).polytope.vertices for u in points]
        fits = [any(all(cell.contains(p) for p in set_) for cell in cells) for set_ in corners]
        what = f"{psi.name}, {loss.name}"
        claims.append(equal(what, paper, lm.check(psi, loss).status))
        if paper == "calibrated":
            claims.append(holds(f"N(ψ(u)) ⊆ some Q_t: {what}", all(fits), f"at {len(points)} points u"))
        else:
            bad = [u for u, fit in zip(points, fits, strict=True) if not fit]
            claims.append(holds(f"some N(ψ(u)) is in no Q_t: {what}", bool(bad), f"u = {shown(bad[0])}" if bad else ""))
    return outcome(
        "five pairs: all sets on a grid lie in trigger sets, or one does not and ψ is not calibrated", *claims
    )


def _on_the_line() -> list[tuple[Fraction, ...]]:
    return [(Fraction(a, 2),) for a in range(-4, 9)]


def _near_zero() -> list[tuple[Fraction, ...]]:
    """Points u = (a, b, 0) on a grid; adding a constant to u changes nothing for Crammer–Singer."""
    return [(Fraction(a, 2), Fraction(b, 2), Fraction(0)) for a, b in product(range(-3, 4), repeat=2)]


ITEM = Item("thm:condition-necessary", "Necessary condition for calibration", STATEMENT, _compute)
