"""A surrogate that was made for a loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from lossmith.analysis.positive_normals import Subdivision
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.surrogate import Surrogate


@dataclass(frozen=True)
class Construction:
    """A surrogate made for a loss, by which method, and a pred in closed form where one is certified.

    Without a closed form `pred` is None: then the pred of the proof serves, `lm.check(surrogate, loss).pred`. With one,
    `regret` is a c with regret_L(p, pred(u)) ≤ c · regret_ψ(p, u) for all p and u, seldom the least. Where a theorem
    tells its cells and why the least risks are what they are, `subdivision` says it, and nothing is enumerated.
    """

    name: str
    surrogate: Surrogate
    pred: Pred | None = None
    regret: Fraction | None = None
    subdivision: Callable[[], Subdivision] | None = None
