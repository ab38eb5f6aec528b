"""lem:pred-pred': a pred on S_ψ = conv ψ(C), made by linear programs, at points drawn at random."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import lossmith as lm
from lossmith.analysis.positive_normals import Point
from lossmith.exact.vectors import combined, rational_dot
from lossmith.paper.item import Item, Outcome, holds, outcome
from lossmith.paper.lem_condition_sufficient import Z, mixture_below

STATEMENT = (
    "ψ is calibrated iff some pred′ : S_ψ → [k] has, for all p, a greater infimum of p·z over the z with pred′(z) not "
    "optimal than over all z ∈ S_ψ."
)
NOTE = (
    "In the last step but two of the proof, the sum over j ≥ 2 of the infima, times 1 − α_1, should be one infimum: "
    "the α_j with j ≥ 2 sum to 1 − α_1."
)
DRAWN = 60


def _compute() -> Outcome:
    chance = Random(3)
    psi, loss = lm.surrogates.crammer_singer(3), lm.losses.abstain(3)
    points = [_in_hull(psi, chance) for _ in range(DRAWN)]
    pred = [_pred(z) for z in points]
    gaps = []
    for _ in range(DRAWN):
        weights = [chance.randint(0, 20) for _ in range(2)]
        p = tuple(Fraction(w, 60) for w in (*weights, 60 - sum(weights)))
        best, least = loss.optimal_predictions(p), psi.bayes_risk(p)
        # thm:condition-sufficient: a wrong prediction has α_j ≥ 1/4 at a z_j that is not optimal for p.
        margin = min((rational_dot(p, z) - least for z in Z if rational_dot(p, z) > least), default=Fraction(0)) / 4
        gaps += [rational_dot(p, z) - least - margin for z, t in zip(points, pred, strict=True) if t not in best]
    back = [lm.check(psi, loss).pred(u) for u in ([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0])]
    return outcome(
        f"pred′ by linear programs: {len(gaps)} wrong predictions, all with regret at least ¼ min_j (p·z_j − H(p)) > 0",
        holds("wrong at p ⇒ p·z exceeds the infimum by a margin that depends on p only", min(gaps) >= 0),
        holds(
            "some predictions were wrong, so that there was something to test", len(gaps) > 0, f"{len(gaps)} of them"
        ),
        holds("pred(u) = pred′(ψ(u)) at the four points", back == [0, 1, 2, 3]),
    )


def _in_hull(psi: lm.PolyhedralSurrogate, chance: Random) -> Point:
    """A mixture of ψ at three points drawn at random: a point of S_ψ that need not be a ψ(u)."""
    parts = [psi([Fraction(chance.randint(-15, 15), 10) for _ in range(3)]) for _ in range(3)]
    shares = [Fraction(chance.randint(1, 9)) for _ in parts]
    return tuple(x / sum(shares) for x in combined(shares, parts))


def _pred(z: Point) -> int:
    """The prediction of the largest α_j in z ≥ Σ α_j z_j; N(z_j) is the trigger set of prediction j."""
    alpha = mixture_below(z)
    assert alpha is not None
    return max(range(len(Z)), key=alpha.__getitem__)


ITEM = Item("lem:pred-pred'", "Calibration by a pred on S_ψ", STATEMENT, _compute, NOTE)
