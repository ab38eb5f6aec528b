"""exmp:calibration-CS-abstain-ord: with three labels Crammer–Singer is calibrated for abstain and ordinal loss."""

from __future__ import annotations

from lossmith import trigger_sets
from lossmith.analysis.positive_normals import positive_normal_set
from lossmith.calibration.checking import check
from lossmith.losses import abstain, ordinal
from lossmith.surrogates import crammer_singer

POINTS = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)]


def test_the_positive_normal_sets_are_the_trigger_sets_of_abstain():
    cells = trigger_sets(abstain(3), reduced=False)
    for u, cell in zip(POINTS, cells, strict=True):
        normals = positive_normal_set(crammer_singer(3), u)
        assert normals.polytope.vertices == cell.polytope.vertices
        assert normals.polytope.inequalities == cell.polytope.inequalities


def test_each_positive_normal_set_lies_in_a_trigger_set_of_ordinal_loss():
    cells = [cell.polytope for cell in trigger_sets(ordinal(3), reduced=False)]
    for u, t in zip(POINTS, (0, 1, 2, 1), strict=True):
        vertices = positive_normal_set(crammer_singer(3), u).polytope.vertices
        assert all(cells[t].contains(p) for p in vertices)


def test_crammer_singer_is_calibrated_for_abstain_and_decides_as_it_should():
    verdict = check(crammer_singer(3), abstain(3))
    assert verdict.status == "calibrated"
    assert {cell.z: cell.prediction for cell in verdict.cells} == {
        (0, 2, 2): 0,
        (2, 0, 2): 1,
        (2, 2, 0): 2,
        (1, 1, 1): 3,
    }


def test_crammer_singer_is_calibrated_for_ordinal_loss_and_decides_for_the_middle_grade_when_in_doubt():
    verdict = check(crammer_singer(3), ordinal(3))
    assert verdict.status == "calibrated"
    assert {cell.z: cell.prediction for cell in verdict.cells} == {
        (0, 2, 2): 0,
        (2, 0, 2): 1,
        (2, 2, 0): 2,
        (1, 1, 1): 1,
    }
