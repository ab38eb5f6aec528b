"""What a verdict shows, checked from the definitions without lossmith."""

from __future__ import annotations

from fractions import Fraction

import reference
from reference import dot
from surrogates import second_opinion


def bound_of(surrogate, weights) -> Fraction:
    """β of a *weights* object of the certificate format, after conditions 1 and 2, by plain multiplication.

    With conditions 1 and 2 every u′ ∈ C has p·ψ(u′) ≥ β.
    """
    p = [Fraction(x) for x in weights["p"]]
    assert min(p) >= 0
    assert sum(p) == 1
    pieces = [(y, g, j, Fraction(w)) for y, g, j, w in weights["pieces"]]
    rows = [(surrogate.inequalities[i], Fraction(w)) for i, w in weights["inequalities"]]
    assert all(w > 0 for _, w in rows)
    rows += [(surrogate.equations[i], Fraction(w)) for i, w in weights["equations"]]
    assert all(w > 0 for _, _, _, w in pieces)
    assert all(w != 0 for _, w in rows)
    for name, width in (("pieces", 3), ("inequalities", 1), ("equations", 1)):
        indices = [tuple(entry[:width]) for entry in weights[name]]
        assert len(set(indices)) == len(indices)
    for y, maxima in enumerate(surrogate.terms):
        for g in range(len(maxima)):
            assert sum(w for of, maximum, _, w in pieces if (of, maximum) == (y, g)) == p[y]
    chosen = [(surrogate.terms[y][g][j], w) for y, g, j, w in pieces]
    for i in range(1, surrogate.dim + 1):
        assert sum(w * piece[i] for piece, w in chosen) == sum(w * row[i] for row, w in rows)
    return sum((w * piece[0] for piece, w in chosen), Fraction(0)) - sum((w * row[0] for row, w in rows), Fraction(0))


def assert_counterexample(verdict) -> None:
    """u ∈ C; every distribution is in N(ψ(u)) by its weights; together they rule out every prediction; the price."""
    surrogate, rows = verdict.surrogate, verdict.loss.entries
    assert second_opinion.contains(surrogate, verdict.u)
    z = second_opinion.psi(surrogate, verdict.u)
    points = verdict.certificate.content["evidence"]["points"]
    assert [tuple(map(Fraction, each["p"])) for each in points] == list(verdict.distributions)
    for p, weights in zip(verdict.distributions, points):
        assert len(p) == len(rows)
        assert bound_of(surrogate, weights) == dot(p, z)
    risks = [reference.risks(rows, p) for p in verdict.distributions]
    for t in range(len(rows[0])):
        assert any(values[t] > min(values) for values in risks)
    assert verdict.ruled_out == tuple(
        tuple(t for t, value in enumerate(values) if value > min(values)) for values in risks
    )
    regrets = [sum(values[t] - min(values) for values in risks) for t in range(len(rows[0]))]
    assert verdict.price == min(regrets) / len(risks)
    assert verdict.price > 0


def assert_only_optimum(verdict) -> None:
    """ψ(u) is the only optimal value at every distribution, among all corners; small surrogates only."""
    surrogate = verdict.surrogate
    z = second_opinion.psi(surrogate, verdict.u)
    for p in verdict.distributions:
        assert min(p) > 0  # a label of probability 0 would leave its coordinate of ψ(u) free
        assert second_opinion.bayes_risk(surrogate, p) == dot(p, z)
        assert all(dot(p, other) > dot(p, z) for other in second_opinion.values(surrogate) if other != z)


def assert_cells(verdict) -> None:
    """The cells are those of the definition, and each one's prediction is optimal at all its vertices; small only."""
    cells = {cell.z: cell.polytope.vertices for cell in verdict.cells}
    assert len(cells) == len(verdict.cells)
    assert cells == second_opinion.cells(verdict.surrogate)
    for cell in verdict.cells:
        assert second_opinion.contains(verdict.surrogate, cell.u)
        assert second_opinion.psi(verdict.surrogate, cell.u) == cell.z
        assert cell.prediction in second_opinion.common_predictions(verdict.loss.entries, cell.polytope.vertices)
