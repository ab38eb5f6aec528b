"""All costs move at once: what still deciding as now would cost, sampled, and at worst, exactly.

Let every entry be wrong by a factor between 1 − r and 1 + r, and t be the decision at p. Under the true costs the
regret is at most p·((1 + r)ℓ_t − (1 − r)ℓ_s) for some s, and p·ℓ_t ≤ p·ℓ_s, so at most 2r p·ℓ_t = 2r H(p), where H(p)
is the least expected cost. So it is at most 2r V, where V is the largest H(p), found by one linear program; and it is
just that if at this p a second decision is optimal, for the two columns may be wrong in opposite directions. Besides,
the best decision costs at least (1 − r) H(p): the present rule costs at most (1 + r)/(1 − r) times what the best one
does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.analysis.facts import Facts
from lossmith.analysis.redundancy import needed_predictions
from lossmith.analysis.useful_while import UsefulWhile
from lossmith.exact.matrix import RationalMatrix, integer_rows
from lossmith.exact.vectors import cleared, dot, minus, unit_rows
from lossmith.geometry.double_description import Progress
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix

if TYPE_CHECKING:
    import numpy as np

    Floats: TypeAlias = np.ndarray[Any, Any]

SWING = 20  # per cent, by which one cost moves to see how much depends on it
_MANY, _FEW = 2_000, 500  # distributions
_SMALL = 2_500  # entries, up to which there are many
MOST_MATRICES, _ENTRIES = 200, 2_000_000  # how many matrices, and how many entries they may have in all
_SEARCHED = 40_000  # entries of those matrices whose sets of useful decisions are computed anew
_DIGITS = 10**6  # to which guesses are rounded
_MOST_PAIRS = 100  # of decisions that are compared by linear programs


@dataclass(frozen=True)
class Uncertain:
    """What happens if each cost is wrong by up to so many per cent, all independently.

    Sampled: of the first `sets` matrices the share `another_set` needs other decisions; of all pairs of one of the
    `matrices` and one of the `distributions` the share `changed` has another best decision, and there the present one
    costs more: by `mean_price` on average over all pairs, where the best ones cost `mean_cost`, and by `largest_price`
    at most. Exact: it never costs more than `most` above the best one, and just that, if `attained`, at the
    distribution `at`.
    """

    percent: Fraction
    matrices: int
    sets: int
    distributions: int
    another_set: float
    changed: float
    mean_price: Fraction
    mean_cost: Fraction
    largest_price: Fraction
    most: Fraction
    attained: bool
    at: tuple[Fraction, ...]

    @property
    def relative(self) -> float:
        """The mean price as a part of what the best decisions cost on average."""
        return float(self.mean_price / self.mean_cost) if self.mean_cost else 0.0

    @property
    def most_relative(self) -> Fraction | None:
        """By which part of the best cost the present rule can cost more; None if by any."""
        r = self.percent / 100
        return None if r == 1 else 2 * r / (1 - r)


def distributions(n: int, k: int, seed: int) -> Floats:
    """Rows of probabilities, each as likely as any other; for two labels evenly spaced."""
    import numpy as np

    m = _MANY if n * k <= _SMALL else _FEW
    if n == 2:
        second = (np.arange(m) + 0.5) / m
        return np.column_stack([1 - second, second])
    return np.random.default_rng(seed).dirichlet(np.ones(n), m)


def swings(loss: LossMatrix, P: Floats) -> tuple[Floats, Floats]:
    """For each entry the share of distributions whose decision changes if it alone is 20 % higher, and 20 % lower.

    >>> higher, lower = swings(LossMatrix([[0, 1], [1, 0]]), distributions(2, 2, 0))
    >>> [[round(100 * float(x), 1) for x in row] for row in higher]       # P = 1/2 becomes 6/11 or 5/11
    [[0.0, 4.5], [4.5, 0.0]]
    """
    import numpy as np

    costs, _ = _floats(loss)
    risks = P @ costs
    best, least = risks.argmin(axis=1), risks.min(axis=1)
    ahead = np.partition(risks, 1, axis=1)[:, 1] - least if loss.k > 1 else np.full(len(P), np.inf)
    higher, lower, part = np.zeros(costs.shape), np.zeros(costs.shape), SWING / 100
    for t in range(loss.k):
        moved, mine = part * P * costs[:, t], best == t
        higher[:, t] = (moved[mine] > ahead[mine, None]).sum(axis=0)
        lower[:, t] = (moved[~mine] > (risks[:, t] - least)[~mine, None]).sum(axis=0)
    return higher / len(P), lower / len(P)


def uncertain(
    known: UsefulWhile, percents: Sequence[Fraction], P: Floats, seed: int, progress: Progress | None = None
) -> tuple[Uncertain, ...]:
    """Tell for each number of per cent what follows."""
    facts = known.facts
    at, value, attained = _largest_risk(facts)
    same, found = _Same(known), []
    for done, percent in enumerate(percents):
        if progress is not None:
            progress(done, len(percents))
        most, where, exact = 2 * percent / 100 * value, at, attained
        if not attained and len(facts.kept) * facts.loss.k <= _MOST_PAIRS:
            most, where = max(_dearest(facts, percent))
            exact = True
        found.append(_sampled(same, percent, P, seed, (most, exact, where)))
    return tuple(found)


def _sampled(
    same: _Same, percent: Fraction, P: Floats, seed: int, worst: tuple[Fraction, bool, tuple[Fraction, ...]]
) -> Uncertain:
    import numpy as np

    loss = same.facts.loss
    matrices = max(2, min(MOST_MATRICES, _ENTRIES // (loss.n * loss.k)))
    costs, unit = same.costs, same.unit
    now, cases = (P @ costs).argmin(axis=1), np.arange(len(P))
    changed, price, best, largest = 0, 0.0, 0.0, 0.0
    sets, another, left = 0, 0, _SEARCHED
    for factors in _factors(loss, percent, matrices, seed):
        if left > 0:  # else the sets of the others are left out, whatever they are
            quick = same.seen(factors)
            left -= 0 if quick else loss.n * loss.k
            sets, another = sets + 1, another + (not quick and same.needed(factors) != same.facts.kept)
        risks = P @ (costs * factors / 1000)
        least = risks.min(axis=1)
        extra = risks[cases, now] - least
        changed += int((extra > 0).sum())
        price, best, largest = price + extra.mean(), best + least.mean(), max(largest, float(extra.max()))
    mean, cost, largest_price = (Fraction(float(x)) * unit for x in (price / matrices, best / matrices, largest))
    share = changed / (matrices * len(P))
    return Uncertain(percent, matrices, sets, len(P), another / sets, share, mean, cost, largest_price, *worst)


class _Same:
    """Whether a matrix with other costs needs the same decisions: mostly seen where each is best now."""

    def __init__(self, known: UsefulWhile) -> None:
        import numpy as np

        self.facts = known.facts
        loss, kept = known.facts.loss, known.facts.kept
        self.costs, self.unit = _floats(loss)
        points = [(i, p) for i, t in enumerate(kept) for p in known.points(t)]
        if loss.n * loss.k <= _SMALL and len(kept) > 1:
            points += [(i, cleared(each.p)) for i, each in enumerate(known.facts.winning)]
        self._owners = np.array([i for i, _ in points], dtype=int)
        self._points = np.array([[x / sum(p) for x in p] for _, p in points]).reshape(-1, loss.n)
        self._mixtures = np.zeros((loss.k, len(known.facts.redundant)))
        for j, each in enumerate(known.facts.redundant):
            for s, weight in each.mixture:
                self._mixtures[s, j] = float(weight)
        self._dropped = [each.prediction for each in known.facts.redundant]

    def seen(self, factors: Floats) -> bool:
        """Whether each kept decision is clearly best at a point of its own, and its mixture replaces each other one."""
        import numpy as np

        moved, kept = self.costs * factors / 1000, list(self.facts.kept)
        if self._dropped and (moved @ self._mixtures - moved[:, self._dropped]).max() > 0:
            return False
        risks = self._points @ moved[:, kept]
        rows = np.arange(len(risks))
        own = risks[rows, self._owners].copy()
        risks[rows, self._owners] = np.inf
        best = self._owners[own < (1 - 1e-9) * risks.min(axis=1)]  # sums of what is not negative have small errors
        return len(np.unique(best)) == len(kept)

    def needed(self, factors: Floats) -> tuple[int, ...]:
        """The decisions that are needed, exactly."""
        loss = self.facts.loss
        rows = [
            [a * b for a, b in zip(row, by, strict=True)]
            for row, by in zip(integer_rows(loss.rational.numerators), factors.tolist(), strict=True)
        ]
        moved = LossMatrix.from_exact(RationalMatrix.from_rows(rows), loss.labels, loss.predictions, loss.name)
        return needed_predictions(moved)


def _factors(loss: LossMatrix, percent: Fraction, matrices: int, seed: int) -> Iterator[Floats]:
    """Independent factors in thousandths, so that the costs stay short."""
    import numpy as np

    generator, reach = np.random.default_rng(seed), int(10 * percent)
    for _ in range(matrices):
        yield generator.integers(1000 - reach, 1000 + reach, size=(loss.n, loss.k), endpoint=True)


def _floats(loss: LossMatrix) -> tuple[Floats, Fraction]:
    """The costs as parts of the largest, and that one: no cost is too large for a float."""
    import numpy as np

    unit = max(map(max, loss.entries)) or Fraction(1)
    return np.array([[float(x / unit) for x in row] for row in loss.entries]), unit


def _largest_risk(facts: Facts) -> tuple[tuple[Fraction, ...], Fraction, bool]:
    """A p at which the least expected cost is largest, that cost, and whether several decisions have it there.

    Where the program is large, the floats of its solution are rounded: a p that is nearly one, and more than the cost.
    """
    n, columns = facts.loss.n, facts.columns
    largest, unit = max(map(max, columns)) or 1, facts.loss.rational.denominator
    below = [
        (0, *columns[t], -largest) for t in facts.kept
    ]  # parts of the largest cost, lest guesses be off by its digits
    rows = [*below, *((0, *row, 0) for row in unit_rows(n))]
    if n * len(facts.kept) > _SMALL:
        p, mixture = _nearly(facts, largest)
        most = max(dot(mixture, [columns[t][y] for t in facts.kept]) for y in range(n))
        return tuple(Fraction(x, sum(p)) for x in p), Fraction(most, sum(mixture) * unit), False
    best = maximize([0] * n + [1], rows, [(-1, *[1] * n, 0)])
    assert best is not None
    weights = cleared(best.point[:n])
    risks = [dot(weights, column) for column in columns]
    return best.point[:n], best.value * largest / unit, risks.count(min(risks)) > 1


def _nearly(facts: Facts, largest: int) -> tuple[list[int], list[int]]:
    """Weights of labels and of decisions that are nearly best in the game against each other; never all 0.

    Whatever the distribution, the best decision costs no more than any mixture of them does under its dearest label.
    """
    from lossmith.geometry.float_lp import guess_maximum

    def side(table: Sequence[Sequence[float]], sign: int) -> list[int]:
        width = len(table[0])
        rows = [(0.0, *(sign * x for x in row), -sign) for row in table]
        positive = [(0.0, *map(float, row), 0.0) for row in unit_rows(width)]
        guess = guess_maximum([0.0] * width + [sign], [*rows, *positive], [(-1.0, *[1.0] * width, 0.0)])
        weights = [] if guess is None else [round(max(0.0, x) * _DIGITS) for x in guess.point[:width]]
        return weights if any(weights) else [1] * width

    table = [[x / largest for x in facts.columns[t]] for t in facts.kept]
    return side(table, 1), side([*zip(*table, strict=True)], -1)


def _dearest(facts: Facts, percent: Fraction) -> Iterator[tuple[Fraction, tuple[Fraction, ...]]]:
    """For each decision t and rival s the largest p·((1 + r)ℓ_t − (1 − r)ℓ_s) where t is best, and where that is."""
    n, columns, unit = facts.loss.n, facts.columns, facts.loss.rational.denominator
    yield Fraction(0), (Fraction(1, n),) * n
    positive, total = [(0, *row) for row in unit_rows(n)], (-1, *[1] * n)
    up, down = cleared([1 + percent / 100, 1 - percent / 100])
    scale = (1 + percent / 100) / up if up else Fraction(1)
    for t in facts.kept:
        best = [(0, *minus(columns[r], columns[t])) for r in facts.kept if r != t]
        for s in range(facts.loss.k):
            if s != t:
                objective = [up * a - down * b for a, b in zip(columns[t], columns[s], strict=True)]
                found = maximize(objective, [*best, *positive], [total])
                assert found is not None
                yield found.value * scale / unit, found.point
