"""What no constant is below: regrets at few distributions, where there are too many vertices to look at."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import inf

from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.calibration.question import Question
from lossmith.calibration.regret_budgets import affordable_programs
from lossmith.exact.vectors import dot, unit_rows
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

_SHARE = 10  # of the budget, of which one part is spent here


def largest_ratio(question: Question) -> Fraction | float:
    """What no constant is below: the largest regret_L / regret_ψ at few distributions, `math.inf` if that is.

    Those of one label, and of equally likely ones: all, all but one, and two, in this order, for a tenth of the work.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.losses import zero_one
    >>> from lossmith.surrogates import lee_lin_wahba
    >>> from lossmith.surrogates.preds import as_named
    >>> str(largest_ratio(Question(lee_lin_wahba(3), Facts(zero_one(3)), as_named("argmax"))))
    '1'
    """
    pred, surrogate, n = question.closures, question.surrogate, question.loss.n
    assert pred is not None
    assert isinstance(surrogate, PolyhedralSurrogate)
    units = unit_rows(n)
    pairs = [tuple(map(sum, zip(*pair, strict=True))) for pair in combinations(units, 2)]
    few = [*units, (1,) * n, *(tuple(1 - x for x in unit) for unit in units), *pairs]
    left = affordable_programs(question) // _SHARE
    columns, unit = question.loss.rational.integer_columns(), question.loss.rational.denominator
    pieces = [(t, piece) for t, region in enumerate(pred.regions) for piece in region]
    parts: dict[int, RiskMinimizer] = {}
    whole, worst = RiskMinimizer(surrogate), Fraction(0)
    for p in few:
        risks = [dot(p, column) for column in columns]
        least = min(risks)
        bound = None
        for i, (t, piece) in enumerate(pieces):
            if risks[t] == least:
                continue
            if left <= 0:
                return worst
            if bound is None:
                bound, left = whole.at(p).weights.bound, left - 1
            if i not in parts:
                parts[i] = RiskMinimizer(surrogate.on(piece, f"{surrogate.name} on region {t}"))
            paid, left = parts[i].at(p).weights.bound - bound, left - 1
            if paid == 0:
                return inf
            worst = max(worst, Fraction(risks[t] - least, unit) / paid)
    return worst
