"""Regrets of large pairs: less work by symmetry is the same answer, and what a budget leaves is told and true."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import inf

import pytest

import lossmith as lm
from command import lossmith
from lossmith import losses, regret, surrogates
from lossmith.analysis.exchanged_regions import ExchangedRegions
from lossmith.analysis.facts import Facts
from lossmith.calibration import points_of_the_plane, regret_budgets, regrets_of_regions
from lossmith.calibration.by_symmetric_regions import symmetry_with_pred
from lossmith.calibration.calibration_function import lowest
from lossmith.calibration.checking import question_of
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.calibration.few_distributions import largest_ratio
from lossmith.calibration.regret_budgets import size_of_program
from lossmith.calibration.regrets_of_regions import RegionRegrets, not_told_apart
from lossmith.errors import TooLarge


def random_costs(n: int) -> lm.LossMatrix:
    dice = random.Random(n)
    return lm.LossMatrix([[0 if t == y else dice.randint(1, 9) for t in range(n)] for y in range(n)])


# One polyhedron of each kind.


@pytest.mark.parametrize(
    ("psi", "loss", "pred"),
    [
        ("crammer-singer", "abstain:n=4", "argmax-gap:tau=1/3"),
        ("one-vs-all-hinge", "abstain:n=4", "argmax-threshold:tau=0"),
        ("lee-lin-wahba", "zero-one:n=5", "argmax"),
        pytest.param("crammer-singer", "abstain:n=6", "argmax-gap:tau=1/3", marks=pytest.mark.exhaustive),
        pytest.param("one-vs-all-hinge", "abstain:n=6", "argmax-threshold:tau=0", marks=pytest.mark.exhaustive),
        pytest.param("lee-lin-wahba", "zero-one:n=7", "argmax", marks=pytest.mark.exhaustive),
    ],
)
def test_one_polyhedron_of_each_kind_is_enough(psi, loss, pred, monkeypatch):
    monkeypatch.setattr(regrets_of_regions, "FEWEST_LABELS", 4)
    few = regret(psi, loss, pred)
    monkeypatch.setattr(RegionRegrets, "over_more", lambda *_: None)
    of_each_kind = regret(psi, loss, pred)
    monkeypatch.setattr(regrets_of_regions, "FEWEST_LABELS", 100)
    all_of_them = regret(psi, loss, pred)
    assert few.regions.symmetry is not None
    assert all_of_them.regions.symmetry is None
    breakpoints = few.calibration_function.breakpoints
    assert of_each_kind.calibration_function.breakpoints == breakpoints
    assert all_of_them.calibration_function.breakpoints == breakpoints


def test_what_a_region_tells_apart():
    """Argmax tells the label that it decides from the others; where it abstains, the two highest from the others."""
    question = question_of(surrogates.crammer_singer(5), Facts(losses.abstain(5)), "argmax-gap:tau=1/2")
    symmetry = symmetry_with_pred(question)
    assert symmetry.blocks == (tuple(range(5)),)
    orbits = ExchangedRegions(question.facts.columns, question.closures).orbits(symmetry)
    for t in range(5):
        parts = not_told_apart(orbits, (t, 0), symmetry.blocks)
        assert sorted(parts) == sorted([(t,), tuple(y for y in range(5) if y != t)])
    kinds = RegionRegrets(question, None, symmetry).kinds
    assert len(kinds) == 2
    assert sorted(place for kind in kinds for place in kind) == sorted(orbits.places)


def test_functions_above_others_are_not_missed(monkeypatch):
    pairs = [
        (surrogates.cost_weighted_hinge(random_costs(3)), random_costs(3), "argmax"),
        (surrogates.crammer_singer(3), losses.abstain(3), "argmax-gap:tau=1/3"),
        (surrogates.all_threshold_hinge(4), losses.ordinal(4), "sign"),
    ]
    least = [regret(*pair).calibration_function.breakpoints for pair in pairs]
    monkeypatch.setattr(points_of_the_plane, "lowest", list)
    assert [regret(*pair).calibration_function.breakpoints for pair in pairs] == least


def test_the_lowest_functions_have_the_least_values():
    def at(corners, x):
        """The value at x > 0, by the definition: the least of all mixtures of two points that are x or more."""
        mixed = [w for a, w in corners if a >= x]
        for a, b in corners:
            mixed += [b + (d - b) * Fraction(x - a, c - a) for c, d in corners if a < x <= c]
        return min(mixed, default=inf)

    dice = random.Random(3)
    for _ in range(50):
        functions = []
        for _ in range(6):
            points = [(dice.randint(-3, 6), dice.randint(0, 9)) for _ in range(5)]
            functions.append([points[i] for i in points_of_the_plane.corners_of(points)])
        functions = [each for each in functions if each[-1][0] > 0]
        kept = lowest(functions)
        for x in range(1, 13):
            half = Fraction(x, 2)
            assert min((at(each, half) for each in kept), default=inf) == min(
                (at(each, half) for each in functions), default=inf
            )


# Budgets.


LARGE = {
    "costs": lambda: ("cost-weighted-hinge", random_costs(4), None),
    "costs, argmax": lambda: ("cost-weighted-hinge", random_costs(4), "argmax"),
    "abstain": lambda: ("crammer-singer", losses.abstain(4), "argmax-gap:tau=1/3"),
    "zero-one": lambda: ("lee-lin-wahba", losses.zero_one(4), "argmax"),
}


@pytest.mark.parametrize(
    "name",
    ["costs", "zero-one", *(pytest.param(x, marks=pytest.mark.exhaustive) for x in ("costs, argmax", "abstain"))],
)
def test_what_the_budget_leaves_is_below_and_the_rest_can_be_had(name, monkeypatch):
    psi, loss, pred = LARGE[name]()
    whole = regret(psi, loss, pred)
    delta = whole.calibration_function
    monkeypatch.setattr(regret_budgets, "MOST_WORK", 3 * loss.n * size_of_program(whole.regions.question))
    part = regret(psi, loss, pred)
    assert part.calibrated
    assert 0 < part.lower.constant <= whole.constant
    assert (part.upper, part.constant, part.exact, part.certificate) == (None, None, False, None)
    assert part.at_most(1000) == max(max(row) - min(row) for row in loss.entries)
    assert re.search(r"max_vertices=(…|[\d,]+) \(--max-vertices\)", part.too_large)
    assert part.to_dict()["note"] == part.too_large
    assert part.lower.written in str(part)
    with pytest.raises(TooLarge, match=re.escape(part.too_large)):
        part.delta(1)
    again = regret(psi, loss, pred, max_vertices=10**8)
    assert again == whole
    assert again.calibration_function.breakpoints == delta.breakpoints


@pytest.mark.parametrize("n", [6, pytest.param(8, marks=pytest.mark.exhaustive)])
def test_as_many_vertices_as_are_recommended_are_enough(n, monkeypatch):
    pair = "crammer-singer", losses.abstain(n), "argmax-gap:tau=1/2"
    whole = regret(*pair)
    needed, size = len(whole.regions.minima), size_of_program(whole.regions.question)
    monkeypatch.setattr(regret_budgets, "MOST_WORK", (needed - 1) * size)
    part = regret(*pair)
    assert re.search(rf"\b{needed}\b.*\b{size}\b", part.too_large)
    recommended = int(re.search(r"max_vertices=([\d,]+)", part.too_large)[1].replace(",", ""))
    assert regret(*pair, max_vertices=recommended) == whole
    assert regret(*pair, max_vertices=recommended - 10).constant is None


def test_where_the_verdict_takes_too_much_as_well_a_bound_from_below_is_told(monkeypatch):
    size = size_of_program(regret("absolute", losses.ordinal(5), "nearest").regions.question)
    monkeypatch.setattr(regret_budgets, "MOST_WORK", 15 * size)
    with pytest.raises(TooLarge, match=r"\b2$"):  # no constant below
        regret("absolute", losses.ordinal(5), "nearest")


def test_budgets_count_work_and_not_seconds(monkeypatch):
    size = size_of_program(regret("cost-weighted-hinge", random_costs(4)).regions.question)
    monkeypatch.setattr(regret_budgets, "MOST_WORK", 12 * size)
    first, second = (regret("cost-weighted-hinge", random_costs(4)) for _ in range(2))
    assert first == second
    assert first.too_large
    assert str(first) == str(second)


def test_programs_that_are_too_large_are_not_begun(monkeypatch):
    monkeypatch.setattr(regret_budgets, "MOST_WORK", 100)
    monkeypatch.setattr(regrets_of_regions, "positive_normal_sets", None)
    part = regret("lee-lin-wahba", losses.zero_one(3))  # a published verdict
    assert (part.calibrated, part.lower, part.upper) == (True, None, None)
    with pytest.raises(TooLarge, match=r" 0\b.* max_vertices=\d"):
        regret("absolute", losses.ordinal(5), "nearest")


def test_polyhedra_that_are_too_many_are_not_compared(monkeypatch):
    """The pred of the proof is taken instead; asked for by name, the one that has so many is refused."""
    monkeypatch.setattr(regret_budgets, "MOST_PIECES", 7)
    found = regret("all-threshold-hinge", losses.ordinal(4))
    assert isinstance(found.pred, DecompositionPred)
    assert not found.exact
    with pytest.raises(TooLarge, match=r"^sign .*\b8\b.*max_vertices=114,286 "):
        regret("all-threshold-hinge", losses.ordinal(4), "sign")
    assert regret("all-threshold-hinge", losses.ordinal(4), "sign", max_vertices=114_286).constant == 1


def test_where_few_labels_are_possible_no_ratio_is_above_the_constant():
    for name in ("costs, argmax", "zero-one"):
        whole = regret(*LARGE[name]())
        assert 0 < largest_ratio(whole.regions.question) <= whole.constant
    wrong = question_of(surrogates.crammer_singer(3), Facts(losses.zero_one(3)), "argmax")
    assert largest_ratio(wrong) == inf


def costs(folder, n: int) -> None:
    rows = [",".join(map(str, row)) for row in random_costs(n).entries]
    (folder / "costs.csv").write_text("\n".join(rows) + "\n")


@pytest.mark.exhaustive
@pytest.mark.parametrize("n", [12, 20, 30])
def test_a_large_pair_is_answered_in_part_with_a_code_of_its_own(tmp_path, n):
    costs(tmp_path, n)
    run = lossmith("regret", "cost-weighted-hinge", "costs.csv", cwd=tmp_path)
    assert run.returncode == 3
    assert "max_vertices=… (--max-vertices)" in " ".join(run.stdout.split())


@pytest.mark.exhaustive
@pytest.mark.parametrize("n", [20, 30])
def test_one_region_of_each_kind_is_soon_looked_at(n):
    found = regret("crammer-singer", losses.abstain(n))
    assert found.calibration_function.breakpoints[1:-1] == ((Fraction(1, 2), *(Fraction(1, 2),) * 2),)
    assert (found.constant, found.calibration_function(1)) == (1, Fraction(3, 2))


@pytest.mark.exhaustive
def test_control_c_ends_it(tmp_path):
    costs(tmp_path, 10)
    (tmp_path / "mine.py").write_text(
        "import lossmith as lm\n"
        "psi = lm.surrogates.cost_weighted_hinge(lm.losses.named.as_loss('costs.csv').matrix())\n"
        "print('ready', flush=True)\n"
    )
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "lossmith",
            *["regret", "mine.py:psi", "costs.csv", "--pred", "argmax", "--max-vertices", "100000000"],
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(1)  # it takes many minutes
        process.send_signal(signal.SIGINT)
        printed, complaint = process.communicate(timeout=60)
    assert (process.returncode, printed) == (130, b"")
    assert len(complaint.strip().splitlines()) == 1
