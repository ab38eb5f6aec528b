"""The losses whose convex calibration dimension is known, or known within bounds; every bound with its proof."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest

import lossmith as lm
from lossmith.losses import abstain, cost_sensitive_binary, hamming, ordinal, top_k, zero_one


def assert_proved(bounds) -> None:
    """Every bound, not only the best, has an accepted certificate of the right claim, for this very loss."""
    for bound in bounds.bounds:
        verification = lm.verify(bound.certificate)
        assert verification.accepted, f"{bound}: {verification.why}"
        content = bound.certificate.content
        assert content["loss"]["entries"] == [[str(x) for x in row] for row in bounds.loss.entries]
        if bound.side == "lower":
            assert content["claim"] == "ccdim at least"
            assert content["value"] == bound.value
            assert verification.given == ()
        else:
            assert content["claim"] == "calibrated"
            assert "within" not in content
            assert dimension(content["surrogate"]) <= max(bound.value, 1)


def dimension(surrogate) -> int:
    """Of the space on which the surrogate, or what is estimated, lives."""
    return surrogate["dim"] if "dim" in surrogate else len(surrogate["estimates"][0])


def assert_dimension(loss, lower: int, upper: int) -> None:
    bounds = lm.ccdim(loss)
    assert (bounds.lower.value, bounds.upper.value) == (lower, upper)
    assert bounds.exact == (lower if lower == upper else None)
    assert bounds.notes == ()
    assert_proved(bounds)


@pytest.mark.parametrize(
    "n", [2, 3, 7, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (4, 5, 6, *range(8, 13)))]
)
def test_zero_one(n):
    assert_dimension(zero_one(n), n - 1, n - 1)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("n", [2, 3, 4, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (7, 12, 20))])
def test_ordinal(n, power):
    assert_dimension(ordinal(n, power), 1, 1)


@pytest.mark.parametrize("r", [1, 2, 3, *(pytest.param(r, marks=pytest.mark.exhaustive) for r in (4, 5, 6))])
def test_hamming(r):
    assert_dimension(hamming(r), r, r)


@pytest.mark.parametrize(
    ("n", "k"),
    [
        *((2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)),
        *(pytest.param(n, k, marks=pytest.mark.exhaustive) for n in (5, 6) for k in range(1, n)),
    ],
)
def test_top_k(n, k):
    assert_dimension(top_k(n, k), n - 1, n - 1)


@pytest.mark.parametrize(
    ("n", "lower", "upper"),
    [
        *((2, 1, 1), (3, 2, 2), (4, 2, 2)),
        *(pytest.param(n, 2, 3, marks=pytest.mark.exhaustive) for n in (5, 6, 7, 8)),
    ],
)
def test_abstain_at_half(n, lower, upper):
    assert_dimension(abstain(n), lower, upper)


@pytest.mark.parametrize(("n", "cost", "value"), [(3, "3/5", 2), (4, "7/10", 3)])
def test_abstain_above_half(n, cost, value):
    assert_dimension(abstain(n, cost), value, value)


@pytest.mark.parametrize(
    ("n", "cost"),
    [
        *((3, "51/100"), (4, "3/5"), (4, "2/3")),
        *(pytest.param(5, cost, marks=pytest.mark.exhaustive) for cost in ("3/5", "2/3", "3/4", "79/100")),
    ],
)
def test_abstain_above_half_from_below(n, cost):
    assert Fraction(1, 2) < Fraction(cost) < Fraction(n - 1, n)
    bounds = lm.ccdim(abstain(n, cost), designs=False)
    assert ceil(1 / (1 - Fraction(cost))) - 1 <= bounds.lower.value <= bounds.upper.value <= n - 1
    assert_proved(bounds)


@pytest.mark.parametrize("n", range(2, 6))
def test_abstain_that_is_too_dear_is_zero_one(n):
    assert_dimension(abstain(n, Fraction(n - 1, n)), n - 1, n - 1)
    assert_dimension(abstain(n, 2), n - 1, n - 1)


@pytest.mark.parametrize("cost", ["1/4", "1/2", "9/10"])
def test_two_predictions_for_two_labels(cost):
    assert_dimension(cost_sensitive_binary(cost), 1, 1)


@pytest.mark.parametrize(
    "rows",
    [
        [[0], [0]],
        [[0, 1], [0, 2]],
        [[3, 3], [1, 1], [2, 2]],
        [[1, 0, 2], [2, 1, 3], [5, 4, 5]],
    ],
    ids=["one prediction", "dominated", "copies", "dominated by the second"],
)
def test_one_prediction_that_is_always_best(rows):
    loss = lm.LossMatrix(rows)
    assert lm.ccdim(loss).exact == 0
    assert_proved(lm.ccdim(loss))


def test_the_paper_has_one_less_from_the_same_distribution():
    """thm:tight: where all predictions are equally good at a p > 0, at least affdim(L) − 1; in truth affdim(L)."""
    for loss in (zero_one(4), hamming(3), top_k(5, 2)):
        lower = [bound for bound in lm.ccdim(loss).bounds if bound.side == "lower"]
        assert [bound.value for bound in lower] == [lm.affdim(loss), lm.affdim(loss) - 1]
        assert "as in the paper" in lower[1].theorem


@pytest.mark.parametrize("n", [3, 4])
def test_abstaining_at_half_branches(n):
    """At every p the feasible subspace bound is at most 1; that the cells are no path gives 2."""
    lower = [bound for bound in lm.ccdim(abstain(n), designs=False).bounds if bound.side == "lower"]
    assert max(bound.value for bound in lower if bound.theorem != "not orderable") <= 1
    assert [bound.value for bound in lower if bound.theorem == "not orderable"] == [2]
