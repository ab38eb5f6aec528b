"""Surrogates made for a loss: each is calibrated for it by a theorem, and `lm.check` proves the instance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred


@dataclass(frozen=True)
class Construction:
    """A surrogate made for a loss, a pred in closed form where one is certified, and the theorem that says why.

    Without a closed form `pred` is None: then the pred of the proof serves, `lm.check(surrogate, loss).pred`. With one,
    `regret` is a c with regret_L(p, pred(u)) ≤ c · regret_ψ(p, u) for all p and u, seldom the least.
    """

    name: str
    surrogate: PolyhedralSurrogate
    pred: Pred | None
    theorem: str
    regret: Fraction | None = None
