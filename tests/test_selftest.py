"""`lossmith selftest`: silent where all is well, and not where an engine answers wrongly."""

from __future__ import annotations

import dataclasses

import pytest

import lossmith as lm
import lossmith_verify
from command import lossmith
from lossmith import selftest

BROKEN = {  # what is replaced, by what, and how the checks begin that must notice
    "solve": (lambda rows, right: [0] * len(rows), "python-flint"),
    "guessed_and_proved": (lambda *_: None, "HiGHS"),
    "trigger_sets": (lambda loss: [], "double description"),
    "check": (lambda *_: lm.check("softmax", "zero-one:n=2"), "the paper's verdicts"),
    "ccdim": (lambda loss: lm.ccdim("zero-one:n=2"), "the paper's dimensions"),
}


def test_it_names_the_versions_and_all_of_it_works():
    run = lossmith("selftest")
    first, *checks, last = run.stdout.splitlines()
    assert first.startswith(f"lossmith {lm.__version__}, CPython 3.")
    assert [line[0] for line in checks] == ["✓"] * len(selftest.CHECKS)
    assert (last, run.stderr, run.returncode) == ("All of it works.", "", 0)


def test_what_is_wrong_is_told_and_the_exit_code_is_1(monkeypatch):
    wrong = dataclasses.replace(selftest.CHECKS[0], compute=lambda: None, expected=1)
    monkeypatch.setattr(selftest, "CHECKS", (selftest.CHECKS[1], wrong))
    run = lossmith("selftest")
    assert run.returncode == 1
    assert run.stdout.splitlines()[1].startswith("✓  HiGHS")
    assert run.stdout.splitlines()[2:] == [
        f"✗  {wrong.title}: found None, expected 1",
        "1 of 2 are wrong; please report what is printed here",
    ]


@pytest.mark.parametrize("name", BROKEN)
def test_an_engine_that_is_broken_is_noticed(monkeypatch, name):
    replaced, beginning = BROKEN[name]
    noticing = [each for each in selftest.CHECKS if each.title.startswith(beginning)]
    monkeypatch.setattr(selftest, name, replaced)
    assert noticing
    assert all(selftest.run(each).wrong.startswith("found ") for each in noticing)


@pytest.mark.parametrize(("accepts", "noticing"), [(True, "the checker rejects"), (False, "the checker accepts")])
def test_a_checker_that_says_always_the_same_is_noticed(monkeypatch, accepts, noticing):
    proof = lm.check("crammer-singer", "zero-one:n=3").certificate.text
    answer = lossmith_verify.check(proof if accepts else "{}")
    monkeypatch.setattr(lossmith_verify, "check", lambda text: answer)
    (wrong,) = [each for each in selftest.CHECKS if "checker" in each.title and selftest.run(each).wrong]
    assert wrong.title.startswith(noticing)
