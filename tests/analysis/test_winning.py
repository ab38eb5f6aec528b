"""What is told of cells without their vertices agrees with the vertices, and is exact where it says so."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given

import reference
from lossmith import LossMatrix, trigger_sets
from lossmith.analysis.facts import Facts
from lossmith.analysis.winning import breaks
from lossmith.losses import abstain, hamming, hierarchical, ordinal, top_k, zero_one
from lossmith.losses.sampling import shares
from strategies import generic_rows

LOSSES = [zero_one(4), ordinal(5), hamming(3), abstain(4), abstain(5, "1/3"), top_k(5, 2)]


def random_loss(n: int, k: int, seed: int) -> LossMatrix:
    dice = random.Random(seed)
    return LossMatrix([[0 if y == t else dice.randint(1, 20) for t in range(k)] for y in range(n)])


@pytest.mark.parametrize("loss", [*LOSSES, random_loss(5, 6, 0), random_loss(6, 5, 1)], ids=lambda loss: loss.name)
def test_neighbours_are_those_of_the_cells(loss):
    cells = trigger_sets(loss)
    found = Facts(loss).neighbours
    assert found.open == 0
    assert set(found.pairs) == {(cell.prediction, s) for cell in cells for s in cell.neighbours if cell.prediction < s}
    assert all(found.of(cell.prediction) == cell.neighbours for cell in cells)


@given(generic_rows())
def test_neighbours_of_random_losses_are_those_of_the_cells(rows):
    loss = LossMatrix(rows)
    pairs = {(cell.prediction, s) for cell in trigger_sets(loss) for s in cell.neighbours if cell.prediction < s}
    assert set(Facts(loss).neighbours.pairs) == pairs


@given(generic_rows())
def test_each_kept_prediction_wins_where_it_is_said_to_and_by_so_much(rows):
    loss = LossMatrix(rows)
    found = Facts(loss).winning
    assert tuple(each.prediction for each in found) == reference.kept_predictions(rows)
    for each in found if len(found) > 1 else ():
        assert sum(each.p) == 1
        assert min(each.p) >= 0
        risks = {t: risk for t, risk in enumerate(loss.risk(each.p)) if t in {one.prediction for one in found}}
        own = risks.pop(each.prediction)
        assert each.margin == min(risks.values()) - own > 0


@pytest.mark.parametrize("n", [3, 6])
def test_the_margin_is_nearly_the_largest_there_is(n):
    """For 0-1 loss a label is most ahead where it is certain; abstaining, where all labels are equally likely."""
    assert [each.margin for each in Facts(zero_one(n)).winning] == [1] * n
    last = Facts(abstain(n, "1/4")).winning[-1]
    best = 1 - Fraction(1, n) - Fraction(1, 4)
    assert Fraction(9, 10) * best <= last.margin <= best


def test_at_a_break_both_predictions_are_optimal_and_the_flag_says_if_they_are_alone():
    loss = random_loss(6, 6, 3)
    columns, dice = Facts(loss).columns, random.Random(0)
    seen = 0
    for _ in range(40):
        p, q = ([dice.randint(0, 5) for _ in range(6)] for _ in range(2))
        if any(p) and any(q):
            for point, s, t, alone in breaks(columns, p, q):
                best = loss.optimal_predictions([Fraction(x, sum(point)) for x in point])
                assert {s, t} <= {*best}
                assert alone == (len(best) == 2)
                seen += 1
    assert seen > 20


def test_shares_are_those_of_the_volume_of_the_cells():
    assert shares(zero_one(4)) == pytest.approx([0.25] * 4, abs=0.02)
    assert shares(LossMatrix([[0, 1], [3, 0]])) == pytest.approx([0.25, 0.75], abs=0.02)
    assert shares(abstain(2, "1/2"))[2] == 0


@pytest.mark.parametrize("n", [12, pytest.param(40, marks=pytest.mark.exhaustive)])
def test_larger_matrices_leave_no_pair_open(n):
    facts = Facts(random_loss(n, n, 0))
    assert len(facts.winning) == len(facts.kept)
    assert facts.neighbours.open == 0
    tree = {"root": {f"branch {i}": [f"leaf {i}{j}" for j in range(3)] for i in range(3)}}
    assert Facts(hierarchical(tree)).neighbours.pairs


@pytest.mark.parametrize("seed", range(6))
def test_where_labels_can_be_exchanged_one_of_each_kind_tells_of_all(seed):
    """All images of some random columns under permutations within two blocks, as the cells say."""
    dice, blocks = random.Random(seed), ((0, 1, 2), (3, 4))
    columns = set()
    for _ in range(3):
        column = [dice.randint(0, 3) for _ in range(5)]
        for first, second in product(*map(permutations, blocks)):
            columns.add(tuple(column[y] for y in (*first, *second)))
    loss = LossMatrix(list(zip(*sorted(columns), strict=True)))
    facts, cells = Facts(loss), trigger_sets(loss)
    assert len(facts.kinds) < len(facts.kept)
    expected = {(cell.prediction, s) for cell in cells for s in cell.neighbours if cell.prediction < s}
    assert set(facts.neighbours.pairs) == expected
    for each in facts.winning:
        risks = [risk for t, risk in enumerate(loss.risk(each.p)) if t in facts.kept and t != each.prediction]
        assert min(risks) - loss.risk(each.p)[each.prediction] == each.margin > 0


def test_hundreds_of_labels_of_one_kind():
    facts = Facts(zero_one(200))
    assert facts.kinds == (tuple(range(200)),)
    assert (len(facts.neighbours.pairs), facts.neighbours.open) == (199 * 100, 0)
    assert facts.winning[7].p[7] == 1
