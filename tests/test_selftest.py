"""`lossmith selftest`: silent where all is well, and not where an engine answers wrongly."""

from __future__ import annotations

import dataclasses
import re

import pytest

import lossmith as lm
import lossmith_verify
from command import lossmith
from lossmith import selftest

BROKEN = {  # what is replaced, by what, and what the checks compute that must notice
    "solve": (lambda rows, right: [0] * len(rows), "hilbert"),
    "guessed_and_proved": (lambda *_: None, "path"),
    "trigger_sets": (lambda loss: [], "corners"),
    "check": (lambda *_: lm.check("softmax", "zero-one:n=2"), "verdicts"),
    "ccdim": (lambda loss: lm.ccdim("zero-one:n=2"), "dimensions"),
}


def computing(*names):
    """Return the checks that compute these functions of the module."""
    functions = [(each, each.compute) for each in selftest.CHECKS]
    return [check for check, f in functions if {f.__name__, *f.__code__.co_names} & set(names)]


def test_it_names_the_versions_and_all_of_it_works():
    run = lossmith("selftest")
    first, *checks, last = run.stdout.splitlines()
    assert first.startswith(f"lossmith {lm.__version__}, CPython 3.")
    assert [line[0] for line in checks] == ["✓"] * len(selftest.CHECKS)
    assert last[0] not in "✓✗"
    assert (run.stderr, run.returncode) == ("", 0)


def test_what_is_wrong_is_told_and_the_exit_code_is_1(monkeypatch):
    wrong = dataclasses.replace(selftest.CHECKS[0], compute=lambda: None, expected=1)
    monkeypatch.setattr(selftest, "CHECKS", (selftest.CHECKS[1], wrong))
    run = lossmith("selftest")
    assert run.returncode == 1
    assert run.stdout.splitlines()[1].startswith("✓  HiGHS")
    told, last = run.stdout.splitlines()[2:]
    assert re.fullmatch(rf"✗  {re.escape(wrong.title)}: .*None.*\b1", told)
    assert re.search(r"\b1\b.*\b2\b", last)


@pytest.mark.parametrize("name", BROKEN)
def test_an_engine_that_is_broken_is_noticed(monkeypatch, name):
    replaced, computed = BROKEN[name]
    noticing = computing(computed)
    monkeypatch.setattr(selftest, name, replaced)
    assert noticing
    for each in noticing:
        wrong = selftest.run(each).wrong
        assert wrong
        assert "Error" not in wrong  # it is the answer that is wrong


@pytest.mark.parametrize(("accepts", "noticing"), [(True, "forgeries"), (False, "proofs")])
def test_a_checker_that_says_always_the_same_is_noticed(monkeypatch, accepts, noticing):
    proof = lm.check("crammer-singer", "zero-one:n=3").certificate.text
    answer = lossmith_verify.check(proof if accepts else "{}")
    monkeypatch.setattr(lossmith_verify, "check", lambda text: answer)
    wrong = [each for each in computing("forgeries", "proofs") if selftest.run(each).wrong]
    assert wrong == computing(noticing)
