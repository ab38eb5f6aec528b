"""A numerical search for distributions that a smooth surrogate cannot tell apart although the loss must. No proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from lossmith.exact.vectors import combined, unit_row
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.pred import AnyPred
from lossmith.surrogates.smooth import SmoothSurrogate

_SEED = 20160101
_RANDOM = 60
_LEAST = 1e-6  # what is smaller may be rounding


@dataclass(frozen=True)
class Suspect:
    """A u that is nearly optimal for several p, and what the best (or the given) decision there costs too much."""

    u: tuple[float, ...]
    distributions: tuple[tuple[float, ...], ...]
    gap: float


def suspects(
    surrogate: SmoothSurrogate,
    loss: LossMatrix,
    pred: AnyPred | None = None,
    within: Sequence[tuple[Sequence[Sequence[int]], Sequence[Sequence[Fraction]]]] = (),
) -> Iterator[Suspect]:
    """For distributions between two decisions and at random: where the risk is least, and what is wrong there.

    N(ψ(u)) is {p : Σ p_y ∇ψ_y(u) = 0} if ψ is convex; from p one can move in every direction that keeps the sum 0. With
    a pred, its decision at u is compared with the best one at p. `within` are polytopes of distributions, as rows a
    with a·p ≥ 0 and vertices, to which the search is confined.
    """
    import numpy as np

    costs = np.array([[float(x) for x in row] for row in loss.entries])
    scale = float(costs.max() - costs.min()) or 1.0
    limits = [np.array(rows, dtype=float) for rows, _ in within]
    for p in _inside([vertices for _, vertices in within]) if within else _starts(loss):
        u = surrogate.minimizer(p)
        start = np.array([float(x) for x in p])
        if pred is not None:
            risks = start @ costs
            gap = float(risks[int(pred.decide([u])[0])] - risks.min())
            yield Suspect(u, (tuple(start.tolist()),), gap if gap > _LEAST * scale else 0.0)
            continue
        slopes = surrogate.gradient([u])[0]
        constraints = np.column_stack([slopes / max(float(np.abs(slopes).max()), 1.0), np.ones(loss.n)])
        left, sizes, _ = np.linalg.svd(
            constraints, full_matrices=surrogate.dim + 1 < loss.n
        )  # all of `left` in any case
        free = left[:, int((sizes > 1e-7).sum()) :]
        points = [start]
        for v in free.T:
            for w in (v, -v):
                down = w < -1e-9
                points.append(start + 0.9 * (start[down] / -w[down]).min() * w if down.any() else start)
        if limits:
            points = [q for q in points if any((rows @ q >= -1e-12 * abs(rows).max()).all() for rows in limits)]
        excess = [point @ costs - (point @ costs).min() for point in points]
        gap = float(np.mean(excess, axis=0).min())
        yield Suspect(u, tuple(tuple(map(float, point)) for point in points), gap if gap > _LEAST * scale else 0.0)


def _starts(loss: LossMatrix) -> Iterator[tuple[Fraction, ...]]:
    """Distributions at which two labels, or all of them, are likeliest; where two decisions tie; and at random."""
    import numpy as np

    n = loss.n
    yield (Fraction(1, n),) * n
    for first, second in combinations(range(min(n, 8)), 2):
        ends = [unit_row(each, n) for each in (first, second)]
        for s, t in combinations(range(min(loss.k, 8)), 2):
            gaps = [loss.entries[y][s] - loss.entries[y][t] for y in (first, second)]
            if gaps[0] * gaps[1] < 0:  # they tie between the two labels; mixed with the uniform p, to be inside
                share = gaps[1] / (gaps[1] - gaps[0])
                yield tuple(
                    (9 * (share * a + (1 - share) * b) + Fraction(1, n)) / 10 for a, b in zip(*ends, strict=True)
                )
    generator = np.random.default_rng(_SEED)
    for row in generator.integers(1, 20, size=(_RANDOM, n)).tolist():
        yield tuple(Fraction(x, sum(row)) for x in row)


def _inside(polytopes: Sequence[Sequence[Sequence[Fraction]]]) -> Iterator[tuple[Fraction, ...]]:
    """Mixtures of the vertices of each polytope: even ones, and at random."""
    import numpy as np

    generator = np.random.default_rng(_SEED)
    for vertices in polytopes:
        shares = [[1] * len(vertices), *generator.integers(1, 20, size=(_RANDOM, len(vertices))).tolist()]
        for row in shares:
            yield combined([Fraction(w, sum(row)) for w in row], vertices)


def worst(found: Sequence[Suspect]) -> Suspect:
    """The one that costs most."""
    return max(found, key=lambda each: each.gap)
