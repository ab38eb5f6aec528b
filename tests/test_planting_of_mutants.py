"""`make mutants`: what is planted, what is refused, and what a limit ends."""

from __future__ import annotations

import ast
import subprocess

import pytest

import mutants
from mutation import conditions, mutations, planted, values

BOTH = (conditions, values)
SOURCE = """
def first(xs, least=0):
    found = [x for x in xs if x > least]
    return min(found) - 1 if found else None
"""


def variants(source: str) -> set[str]:
    tree = ast.parse(source)
    return {planted(tree, each, BOTH) for each in mutations(tree, BOTH)}


def test_every_mutant_is_another_program_with_one_change():
    made = variants(SOURCE)
    assert len(made) == len(mutations(ast.parse(SOURCE), BOTH)) == 8
    plain = ast.unparse(ast.parse(SOURCE))
    for each in made:
        assert sum(a != b for a, b in zip(plain.splitlines(), each.splitlines(), strict=True)) == 1
    assert any("x >= least" in each for each in made)
    assert any("max(found)" in each for each in made)


def test_wording_annotations_and_limits_are_not_mutated():
    lines = ["def f(x: int = 5) -> int:", "    if x > 10_000:", "        raise ValueError(f'{x + 1}')", "    return x"]
    tree = ast.parse("\n".join(lines))
    shown = {each.before for each in mutations(tree, BOTH, mutants.not_mutated(tree))}
    assert shown == {"5", "x > 10000", "if x > 10000:"}


def test_what_is_listed_as_equivalent_is_a_mutant_of_the_source():
    listed = mutants.equivalent()
    there = {mutants.described(each) for path in {key[0] for key in listed} for each in mutants.mutants_of(path)}
    assert set(listed) - there == set()


def test_a_sample_has_the_same_mutants_for_the_same_seed_and_some_of_every_package(monkeypatch):
    population = {"small": mutants.mutants_of("src/lossmith/text/numbers.py")[:5]}
    population["large"] = mutants.mutants_of("src/lossmith/exact/solve.py")
    monkeypatch.setattr(mutants, "all_mutants", lambda: population)
    first, again, other = mutants.sample(20, 1), mutants.sample(20, 1), mutants.sample(20, 2)
    assert first == again != other
    assert sum(each.path.endswith("numbers.py") for each in first) == mutants.LEAST


def test_with_changes_that_are_not_committed_it_refuses(monkeypatch):
    answer = subprocess.CompletedProcess([], 0, stdout=" M src/lossmith/errors.py\n")
    monkeypatch.setattr(mutants.subprocess, "run", lambda *_, **__: answer)
    with pytest.raises(SystemExit) as refused:
        mutants.state_of_the_tree()
    assert refused.value.code not in (0, None)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("body", "killer"),
    [
        ("assert True", ""),
        ("assert False", "test_it.py::test_it"),
        ("while True: pass", "a limit"),
        ("x = [0] * 2**31", "a limit"),
    ],
)
def test_a_mutant_is_killed_by_a_failure_or_a_limit(body, killer, tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "PATIENCE", 10.0)
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "test_it.py").write_text(f"def test_it():\n    {body}\n")
    assert mutants.run_tests(folder, ["test_it.py::test_it"], 0.0, exhaustive=False).startswith(killer)
    assert bool(killer) == bool(mutants.run_tests(folder, ["test_it.py::test_it"], 0.0, exhaustive=False))


def test_a_share_has_the_exact_interval():
    """Of 10 all: the lower end is (0.025)^(1/10)."""
    assert mutants.share(10, 10) == f"100% ({0.025**0.1:.0%} to 100%)"
    assert mutants.share(0, 0) == "–"


def test_for_what_runs_at_import_all_tests_of_the_module_are_tried():
    """The module may be imported in one test, which need not look at what the line is for."""
    path = "src/lossmith/paper/fig_trigger_prob.py"
    inside = next(each for each in mutants.mutants_of(path) if not mutants.runs_at_import(each))
    outside = next(each for each in mutants.mutants_of(path) if mutants.runs_at_import(each))
    lines = {outside.mutation.line: {"a.py::first"}, inside.mutation.line: {"b.py::second"}}
    record = mutants.Record({path: lines}, {"a.py::first": 0.1, "b.py::second": 0.2, "c.py::third": 0.3}, frozenset())
    assert record.tests_of(outside) == ["a.py::first", "b.py::second"]
    assert record.tests_of(inside) == ["b.py::second"]
