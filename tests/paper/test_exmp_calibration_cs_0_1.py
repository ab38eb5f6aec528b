"""exmp:calibration-CS-0-1: the Crammer–Singer surrogate is not calibrated for 0-1 loss, because of N(z₄)."""

from __future__ import annotations

from fractions import Fraction

from calibration.evidence import assert_counterexample, assert_only_optimum
from lossmith import trigger_sets
from lossmith.analysis.positive_normals import positive_normal_set
from lossmith.calibration.checking import check
from lossmith.losses import zero_one
from lossmith.surrogates import crammer_singer

HALF = Fraction(1, 2)


def test_the_positive_normal_set_at_zero_lies_in_no_trigger_set():
    vertices = positive_normal_set(crammer_singer(3), [0, 0, 0]).polytope.vertices
    for cell in trigger_sets(zero_one(3)):
        assert not all(cell.polytope.contains(p) for p in vertices)


def test_the_other_three_positive_normal_sets_each_lie_in_one_trigger_set():
    cells = {cell.prediction: cell.polytope for cell in trigger_sets(zero_one(3))}
    for y in range(3):
        vertices = positive_normal_set(crammer_singer(3), [int(y == j) for j in range(3)]).polytope.vertices
        assert [t for t in cells if all(cells[t].contains(p) for p in vertices)] == [y]


def test_crammer_singer_is_not_calibrated_for_zero_one_loss_and_fails_at_z4():
    verdict = check(crammer_singer(3), zero_one(3))
    assert verdict.status == "not calibrated"
    assert crammer_singer(3)(verdict.u) == (1, 1, 1)  # z₄; the others lie in trigger sets
    assert all(max(p) < HALF for p in verdict.distributions)  # the inside of N(z₄)
    assert_counterexample(verdict)
    assert_only_optimum(verdict)
