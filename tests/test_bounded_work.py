"""Questions at the sizes that people have end soon, with an answer or with the reason."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from unittest import mock

import pytest

import lossmith as lm
from lossmith.answers import demonstration

SECONDS = 300  # without a budget, each of them takes hours


def block_costs(n: int, k: int, groups: int) -> lm.LossMatrix:
    """Costs that are the same between two groups; in a group all wrong decisions cost 1."""
    dice = random.Random(0)
    between = [[dice.randint(1, 9) for _ in range(groups)] for _ in range(groups)]

    def cost(y: int, t: int) -> int:
        return between[y % groups][t % groups] if y % groups != t % groups else int(y % k != t)

    return lm.LossMatrix([[cost(y, t) for t in range(k)] for y in range(n)])


def sparse_costs(n: int, k: int, share: float) -> lm.LossMatrix:
    dice = random.Random(1)
    return lm.LossMatrix([[dice.randint(1, 9) if dice.random() < share else 0 for _ in range(k)] for _ in range(n)])


def half_grades(n: int) -> lm.LossMatrix:
    """|y − t/2|: of the decisions those between two grades are never needed."""
    return lm.LossMatrix([[abs(y - Fraction(t, 2)) for t in range(2 * n)] for y in range(n)])


def two_decimals(n: int) -> lm.LossMatrix:
    dice = random.Random(0)
    return lm.LossMatrix([[Fraction(dice.randint(1, 2000), 100) * (y != t) for t in range(n)] for y in range(n)])


def cells(loss: lm.LossMatrix) -> int:
    return len({p for cell in lm.trigger_sets(loss) for p in cell.polytope.vertices})


def demonstrated(loss: lm.LossMatrix) -> bool:
    shown = demonstration.demonstrate(lm.surrogates.crammer_singer(loss.n), loss, repetitions=2)
    return shown.gap[0] > 0


ASKED = {
    "corners of two decimals": lambda: cells(two_decimals(15)) > 10_000,
    "theory of blocks": lambda: "--max-vertices" in lm.analyze(block_costs(35, 17, 5)).theory,
    "which of sparse costs": lambda: len(lm.which(sparse_costs(150, 300, 0.02)).lines) > 5,
    "which of sparser costs": lambda: len(lm.which(sparse_costs(150, 300, 0.05)).lines) > 5,
    "design of half grades": lambda: lm.design(half_grades(200)).surrogate.dim == 1,
    "demonstration": lambda: demonstrated(sparse_costs(150, 300, 0.9)),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ASKED)
def test_a_question_of_a_large_size_ends(name):
    program = f"from test_bounded_work import ASKED; assert ASKED[{name!r}]()"
    run = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parent, timeout=SECONDS, check=False)
    assert run.returncode == 0


def test_blocks_are_refused_by_work_where_the_vertices_are_few(monkeypatch):
    monkeypatch.setattr("lossmith.geometry.double_description.LEAST_WORK", 10**7)
    monkeypatch.setattr("lossmith.geometry.double_description.WORK", 1000)
    study = lm.analyze(block_costs(35, 17, 5))
    assert study.trigger_sets is None
    assert re.search(r"\b10,000\b.* max_vertices=… \(--max-vertices\)$", study.too_large)
    assert study.dimension.lower.value <= study.dimension.upper.value < 17


@pytest.mark.parametrize("n", [3, 8])
def test_half_grades_are_decided_by_one_function(n):
    made = lm.design(half_grades(n))
    assert made.surrogate.dim == 1
    assert sorted({cell.prediction for cell in made.cells}) == list(range(0, 2 * n - 1, 2))


def test_demonstrations_with_one_program_for_all_samples_are_those_with_a_program_for_each():
    pair = lm.surrogates.crammer_singer(3), lm.losses.zero_one(3)
    few = demonstration.demonstrate(*pair, sizes=(1000,), repetitions=3)  # enough for one minimum, whoever finds it
    with mock.patch.object(demonstration, "MANY_PIECES", 0):
        many = demonstration.demonstrate(*pair, sizes=(1000,), repetitions=3)
    assert many.curves == few.curves
