"""Certificates of the past, one a line, that every checker of the future accepts: lines are added, never changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lossmith as lm
from lossmith_verify import check

KEPT = sorted((Path(__file__).parent / "kept").glob("version-*.jsonl"))


def certificates(path):
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_every_certificate_that_was_accepted_is_accepted(path):
    refused = {line: check(line).why for line in certificates(path) if not check(line).accepted}
    assert refused == {}


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_they_are_of_the_version_that_the_file_is_named_by(path):
    versions = {json.loads(line)["version"] for line in certificates(path)}
    assert path.stem == f"version-{versions.pop()}"
    assert not versions


def test_there_are_some_of_every_version_up_to_the_one_that_is_written():
    written = lm.check("crammer-singer", "abstain:n=3").certificate.content["version"]
    assert [path.stem for path in KEPT] == [f"version-{number + 1}" for number in range(written)]
    assert all(len(certificates(path)) > 40 for path in KEPT)


def test_every_kind_of_claim_is_among_them():
    claims = {json.loads(line)["claim"] for path in KEPT for line in certificates(path)}
    assert claims == {
        "calibrated",
        "not calibrated",
        "regret",
        "calibration function",
        "ccdim at least",
        "ccdim at most",
    }


def test_every_theorem_and_tangents_on_the_way_are_among_them():
    surrogates = [json.loads(line).get("surrogate", {}) for path in KEPT for line in certificates(path)]
    theorems = {psi["theorem"] for psi in surrogates if "theorem" in psi}
    assert {"mean", "proper composite", "told", "binary margin", "far out"} < theorems
    assert {"order", "signs", "largest", "smallest", "first 2"} < theorems
    assert any("along" in psi for psi in surrogates)


def test_votes_are_among_them():
    content = [json.loads(line) for path in KEPT for line in certificates(path)]
    claims = [(each["claim"], "theorem" in each["surrogate"]) for each in content if "votes" in each.get("pred", {})]
    assert {*claims} == {(claim, told) for claim in ("calibrated", "not calibrated") for told in (False, True)}


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_claim_that_is_turned_round_is_refused(path):
    """So that what is accepted was looked at."""
    other = {"calibrated": "not calibrated", "not calibrated": "calibrated"}
    content = [json.loads(line) for line in certificates(path)]
    turned = [each | {"claim": other[each["claim"]]} for each in content if each["claim"] in other]
    assert len(turned) > 20
    assert [each for each in turned if check(json.dumps(each)).accepted] == []
