"""A surrogate that was made for a loss."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.smooth import SmoothSurrogate

Surrogate: TypeAlias = PolyhedralSurrogate | SmoothSurrogate


@dataclass(frozen=True)
class Construction:
    """A surrogate made for a loss, by which method, and a pred in closed form where one is certified.

    Without a closed form `pred` is None: then the pred of the proof serves, `lm.check(surrogate, loss).pred`. With one,
    `regret` is a c with regret_L(p, pred(u)) ≤ c · regret_ψ(p, u) for all p and u, seldom the least.
    """

    name: str
    surrogate: Surrogate
    pred: Pred | None = None
    regret: Fraction | None = None
