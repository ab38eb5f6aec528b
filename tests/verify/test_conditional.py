"""What a certificate takes on trust about its ψ makes it conditional; named theorems about the ψ of the file do not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from handmade import ALL, text
from test_kept import KEPT, certificates

import lossmith as lm
from command import lossmith
from lossmith_verify import Verification, check
from lossmith_verify.__main__ import main

FORMAT = Path(__file__).parents[2] / "docs" / "certificate-format.md"


def softmax_called_crammer_singer() -> str:
    """The claim that the paper refutes, by a certificate about softmax with another name."""
    proof = lm.check("softmax", "zero-one:n=3").certificate.text
    return proof.replace("softmax", "crammer_singer")


def test_a_proof_of_another_surrogate_is_conditional():
    verdict = check(softmax_called_crammer_singer())
    assert (verdict.accepted, verdict.conditional, len(verdict.given), verdict.theorems) == (True, True, 1, ())
    first, _, rest = str(verdict).partition(": ")
    assert first == "conditional"
    assert rest.startswith(f"given that {verdict.given[0]}: {verdict.why}")
    assert 'for a surrogate that this file calls "crammer_singer(n=3)"' in verdict.why


def test_the_surrogate_of_the_paper_is_refuted_without_a_condition():
    verdict = lm.verify(lm.check("crammer-singer", "zero-one:n=3").certificate)
    assert (verdict.accepted, verdict.conditional, verdict.given, verdict.theorems) == (True, False, (), ())


def test_a_theorem_whose_hypotheses_are_in_the_file_is_no_condition():
    for name in ("squares", "squares, pred", "theorem: cost-weighted", "theorem: binary relevance, sign"):
        verdict = check(text(ALL[name]))
        assert (verdict.accepted, verdict.conditional, verdict.given, len(verdict.theorems)) == (True, False, (), 1)
        assert str(verdict) == f"accepted: {verdict.why}; by the theorem that {verdict.theorems[0]}"


def test_what_is_rejected_is_given_nothing_and_not_conditional():
    content = json.loads(softmax_called_crammer_singer())
    verdict = check(json.dumps({**content, "claim": "not calibrated"}))
    assert (verdict.accepted, verdict.conditional, verdict.given, verdict.theorems) == (False, False, (), ())


CASES = {
    "accepted": (text(ALL["hinge for zero_one"]), 0, 0),
    "a theorem": (text(ALL["squares"]), 0, 0),
    "conditional": (text(ALL["mean: calibrated"]), 3, 0),
    "rejected": (text({**ALL["mean: calibrated"], "claim": "not calibrated"}), 1, 1),
}


@pytest.mark.parametrize("name", CASES)
def test_exit_codes_of_the_checker(name, tmp_path, capsys):
    certificate, code, allowed = CASES[name]
    (tmp_path / "proof.json").write_text(certificate)
    file = str(tmp_path / "proof.json")
    assert [main([file]), main([file, "--allow-conditions"])] == [code, allowed]
    assert capsys.readouterr().out == f"{check(certificate)}\n" * 2


@pytest.mark.parametrize("name", CASES)
def test_exit_codes_of_lossmith(name, tmp_path):
    certificate, code, allowed = CASES[name]
    (tmp_path / "proof.json").write_text(certificate)
    arguments = ["verify", str(tmp_path / "proof.json"), "--json"]
    answers = [lossmith(*arguments), lossmith(*arguments, "--allow-conditions")]
    assert [answer.returncode for answer in answers] == [code, allowed]
    verdict = check(certificate)
    fields = ("accepted", "conditional", "why")
    expected = {each: getattr(verdict, each) for each in fields}
    expected |= {each: list(getattr(verdict, each)) for each in ("given", "theorems")}
    assert [json.loads(answer.stdout) for answer in answers] == [expected] * 2


@pytest.mark.parametrize(("key", "value"), [("version", 3), ("version", 12), ("version", "2"), ("format", "another")])
def test_a_version_that_is_not_known_is_named(key, value):
    """Even if the file has keys that only the later version knows."""
    verdict = check(text({**ALL["hinge for zero_one"], key: value, "later": {}}))
    assert not verdict.accepted
    assert verdict.why.startswith(f"{key}: ")
    assert verdict.why.endswith(f" not {json.dumps(value)}")


@pytest.mark.parametrize("reason", ["witness", "theorem"])
def test_a_reason_that_is_not_known_is_named(reason):
    certificate = {**ALL["hinge for zero_one"], "version": 2, "evidence": {reason: "by magic"}}
    verdict = check(text(certificate))
    assert not verdict.accepted
    assert (f'"{reason}"' if reason == "witness" else '"by magic"') in verdict.why


def test_a_theorem_about_the_surrogate_that_is_not_known_is_named():
    certificate = ALL["mean: calibrated"]
    verdict = check(text({**certificate, "surrogate": {**certificate["surrogate"], "theorem": "by magic"}}))
    assert not verdict.accepted
    assert '"by magic"' in verdict.why


@cache
def verdicts_on_kept() -> dict[str, list[Verification]]:
    return {path.stem.replace("-", " "): [check(line) for line in certificates(path)] for path in KEPT}


def kinds() -> dict[str, list[int]]:
    """How many kept certificates are proved from the file alone, with named theorems, and on a condition."""
    found = {}
    for version, verdicts in verdicts_on_kept().items():
        conditional = sum(each.conditional for each in verdicts)
        named = sum(bool(each.theorems) and not each.conditional for each in verdicts)
        found[version] = [len(verdicts) - conditional - named, named, conditional]
    return found


def test_the_counts_of_the_page_are_those_of_the_kept_certificates():
    rows = [line.strip("| ").split(" | ") for line in FORMAT.read_text().splitlines() if line.startswith("| version ")]
    counted = {name: [int(x) for x in numbers[:3]] for name, *numbers in rows}
    assert counted == kinds()


def test_every_condition_is_about_the_surrogate():
    """What is given comes from the closed lists, in its words."""
    from lossmith_verify.surrogates import FAR_OUT, TANGENTS, THEOREMS

    known = {*THEOREMS.values(), *TANGENTS.values(), FAR_OUT}
    given = {each for verdicts in verdicts_on_kept().values() for verdict in verdicts for each in verdict.given}
    assert given <= known
    assert len(given) > 8
