"""Corners, cells and faces that are found in the chamber are those that are found without it."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

import lossmith as lm
from lossmith.analysis.corners import corners_in_chamber, count_of_images, images, is_corner
from lossmith.analysis.facts import Facts
from lossmith.analysis.trigger_probabilities import trigger_sets
from lossmith.dimension.ge_feasible_subspace import ge_feasible_subspace, ge_feasible_subspace_in_chamber

BLOCKS = {
    "3": ((0, 1, 2),),
    "2+1": ((0, 2), (1,)),
    "2+2": ((0, 3), (1, 2)),
    "3+1": ((1, 2, 3), (0,)),
    "1+1+1": ((0,), (1,), (2,)),
}
LARGER = {
    "6": (tuple(range(6)),),
    "4+2": ((0, 1, 3, 5), (2, 4)),
    "3+3": ((0, 2, 4), (1, 3, 5)),
    "4+1+1": ((1, 2, 4, 5), (0,), (3,)),
}


def symmetric_loss(random, blocks, kinds, most):
    """The images of a few random columns under all permutations within blocks."""
    n = sum(map(len, blocks))
    columns = set()
    for _ in range(kinds):
        column = [random.randint(0, most) for _ in range(n)]
        for parts in product(*(permutations([column[y] for y in block]) for block in blocks)):
            image = [0] * n
            for block, part in zip(blocks, parts, strict=True):
                for y, x in zip(block, part, strict=True):
                    image[y] = x
            columns.add(tuple(image))
    return lm.LossMatrix(list(zip(*sorted(columns), strict=True)))


def lopsided(loss):
    """The same with a decision that is never needed, and tells all labels apart: no symmetry is found any more."""
    largest = max(map(max, loss.entries))
    return lm.LossMatrix([[*row, largest + 1 + y] for y, row in enumerate(loss.entries)])


def losses(name, blocks, count, most=3):
    random = Random(name)
    for _ in range(count):
        yield symmetric_loss(random, blocks, random.randint(1, 3), most)


@pytest.mark.parametrize("name", BLOCKS)
def test_images_of_the_corners_in_the_chamber_are_all_corners(name):
    blocks = BLOCKS[name]
    for loss in losses(name, blocks, 15):
        columns = Facts(loss).columns
        found = [p for p in corners_in_chamber(columns, blocks, max_vertices=10**4) if is_corner(columns, p)]
        listed = [image for p in found for image in images(p, blocks)]
        assert len(listed) == len({*listed}) == sum(count_of_images(p, blocks) for p in found)
        assert {*listed} == {ray for cell in trigger_sets(loss) for ray in cell.polytope.rays}


@pytest.mark.parametrize("name", LARGER)
def test_cells_are_those_that_are_found_without_symmetry(name):
    for loss in losses(name, LARGER[name], 3, most=2):
        if loss.k <= 60:
            fast, slow = trigger_sets(loss), trigger_sets(lopsided(loss))
            assert [cell.prediction for cell in fast] == [cell.prediction for cell in slow]
            for one, other in zip(fast, slow, strict=True):
                assert one.polytope.vertices == other.polytope.vertices
                assert one.polytope.inequalities == other.polytope.inequalities
                assert one.neighbours == other.neighbours


@pytest.mark.parametrize("name", [*BLOCKS, *LARGER])
def test_faces_in_the_chamber_give_the_same_bound(name):
    blocks = {**BLOCKS, **LARGER}[name]
    for loss in losses(name, blocks, 8 if name in BLOCKS else 2, most=3 if name in BLOCKS else 2):
        facts = Facts(loss)
        if loss.k <= 60:
            whole = ge_feasible_subspace(facts, trigger_sets(lopsided(loss)), loss.n)
            there = ge_feasible_subspace_in_chamber(facts, loss.n, max_vertices=10**4)
            assert there.value == whole.value
            assert lm.verify(there.certificate).accepted


def test_decisions_that_are_not_needed_do_not_hide_a_symmetry_from_the_faces():
    facts = Facts(lopsided(lm.losses.abstain(7, cost="3/4")))
    assert facts.blocks == tuple((y,) for y in range(7))
    assert facts.kept_blocks == (tuple(range(7)),)


@pytest.mark.parametrize(("n", "cost", "least"), [(12, "3/4", 3), (16, "3/4", 3), (24, "7/8", 7), (40, "9/10", 9)])
def test_abstaining_at_a_high_cost_takes_as_many_dimensions_as_labels_tie_with_it(n, cost, least):
    """At p uniform on 1/(1 − c) labels these and to abstain are optimal; their losses there span one dimension less."""
    bounds = lm.ccdim(lm.losses.abstain(n, cost=cost), designs=False)
    assert bounds.lower.value == least
    assert bounds.notes == ()
    assert lm.verify(bounds.lower.certificate).accepted


def test_so_many_vertices_are_counted_before_they_are_made():
    with pytest.raises(lm.errors.TooLarge, match=r"1,048,575 .* 100,000"):
        lm.trigger_sets(lm.losses.zero_one(20))  # 2^20 − 1, uniform on a set of labels
    with pytest.raises(lm.errors.TooLarge, match="4,500,250"):
        lm.trigger_sets(lm.losses.zero_one(300))  # with up to three labels


def test_cells_of_many_decisions_of_one_kind():
    cells = lm.trigger_sets(lm.losses.top_k(8, 3))
    assert len(cells) == 56
    assert len({len(cell.polytope.rays) for cell in cells}) == 1
