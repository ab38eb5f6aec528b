"""The rule for boosting with abstention, `rejection_exponential`, with "reject": whether r rejects where it should.

At the least risk r ≤ 0 exactly where p_0 p_1 ≥ R = (cβ/α)², that is where p_0 and p_1 are at least m, m(1 − m) = R.
This is not linear in p, and m may be irrational. But r is a second thing that can be read off: some v(h, r) with

    p·ψ(u_i) → inf p·ψ  if and only if  σ(αh_i) → p_0 and v(h_i, r_i) → 0,  and  r ≤ 0  if and only if  v ≤ s(q),

q = (σ(αh), σ(−αh)), s(q) = min(q) − m, or min(q) − 1 if R > 1/4 (docs/beyond-the-paper.md). So u tells a mean of the
rows (1, 0, 0) and (0, 1, 0), and where "reject" says what is a polyhedron. If m is no number at which what is optimal
changes, any other m′ that is not separated from it by such numbers will do: the pred with m′ is right if and only if
that with m is, and m′ is moved towards m until both are wrong where it is shown.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from lossmith.calibration.estimates import EstimateProof, decided_by_regions
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import NotCalibrated, Verdict
from lossmith.exact.vectors import minus
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates import preds
from lossmith.surrogates.families.rejection_exponential import least_product
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds_of_sets import reject
from lossmith.surrogates.smooth import SmoothSurrogate

_ROWS = tuple(tuple(map(Fraction, row)) for row in ((1, 0, 0), (0, 1, 0)))
_WHY = (
    "Where its risk is nearly least, h tells the probabilities, and r is at most 0 only where their product is at "
    "least {}."
)


def by_rejecting(question: Question) -> Verdict | Declined:
    """Decide, or say why this rule does not apply."""
    surrogate, loss = question.surrogate, question.loss
    least = least_product(surrogate) if isinstance(surrogate, SmoothSurrogate) else None
    if least is None or loss.k != 3 or question.rule is preds.decide:
        return Declined()
    asked = question.regions
    if asked is None or asked.regions != reject(surrogate, loss).regions:
        return Declined()
    assert isinstance(surrogate, SmoothSurrogate)
    positive = tuple((Fraction(0), *row) for row in _ROWS)
    told = Polyhedron(3, positive, (tuple(map(Fraction, (-1, 1, 1, 0))),))
    proof = EstimateProof("mean", _ROWS, _WHY.format(least), told)
    low, high = _between(question, least)
    while True:
        share = (low + high) / 2
        found = decided_by_regions(question, proof, _rejecting(share), asked, surrogate.minimizer)
        if low == high or not isinstance(found, NotCalibrated) or _said(found, least):
            return found
        low, high = (share, high) if share * (1 - share) < least else (low, share)


def _between(question: Question, least: Fraction) -> tuple[Fraction, Fraction]:
    """The changes next to m, twice m if it is one; or twice 1, where r > 0 for all p.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.losses import abstain
    >>> from lossmith.surrogates import rejection_exponential
    >>> question = Question(rejection_exponential("1/5"), Facts(abstain(2, "1/5")))
    >>> [[str(x) for x in _between(question, Fraction(x))] for x in ("1/25", "4/25", "1/5", "1/4", "1")]
    [['0', '1/5'], ['1/5', '1/5'], ['1/5', '1/2'], ['1/2', '1/2'], ['1', '1']]
    """
    if 4 * least > 1:
        return Fraction(1), Fraction(1)
    changes = sorted({Fraction(0), Fraction(1, 2), *_changes(question)})  # up to 1/2, where the product rises
    below = [x for x in changes if x * (1 - x) <= least]
    above = [x for x in changes if x * (1 - x) >= least]
    return below[-1], above[0]


def _said(found: NotCalibrated, least: Fraction) -> bool:
    """Whether "reject" itself says there what is not optimal: p may lie between m and m′."""
    first, second = found.distributions[0]
    return (first * second >= least) == (found.prediction == 2)


def _changes(question: Question) -> set[Fraction]:
    """The smaller probabilities at which what is optimal may change, or where the distributions end."""
    columns = question.loss.rational.integer_columns()
    rows = [minus(*pair) for pair in combinations(columns, 2)]
    rows += [row for part in question.within or () for row in part.rows]
    ends = {Fraction(b, b - a) for a, b in rows if a != b}  # a p_0 + b p_1 = 0
    return {min(x, 1 - x) for x in ends if 0 <= x <= 1}


def _rejecting(share: Fraction) -> Pred:
    """Where r ≤ 0, and where r ≥ 0 and h has either sign, as regions of (q_0, q_1, v)."""

    def rows(*given: tuple[Fraction | int, ...]) -> tuple[Polyhedron, ...]:
        return (Polyhedron(3, tuple(tuple(map(Fraction, row)) for row in given)),)

    first = rows((0, 1, -1, 0), (share, 0, -1, 1))
    second = rows((0, -1, 1, 0), (share, -1, 0, 1))
    neither = rows((-share, 1, 0, -1), (-share, 0, 1, -1))
    return Pred(f"reject where both labels have at least {share}", 3, (first, second, neither))
