"""Preds, sets of distributions, critical values and estimators on the command line."""

from __future__ import annotations

import json
import re

import pytest

from command import assert_refused, lossmith


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("lee-lin-wahba:n=3", "zero-one:n=3", "--pred", "argmax"), 0),
        (("crammer-singer:n=3", "ordinal:n=3", "--pred", "argmax"), 1),
        (("softmax:n=3", "zero-one:n=3", "--pred", "argmax"), 0),
        (("softmax:n=3", "ordinal:n=3", "--pred", "decide"), 0),
        (("square:A=ordinal:n=3", "ordinal:n=3"), 0),
        (("one-vs-all-logistic:n=3", "abstain:n=3", "--pred", "argmax-threshold:tau=1"), 3),
        (("crammer-singer:n=3", "zero-one:n=3", "--within", "p[0] >= 3/5", "--within", "p[1] >= 3/5"), 0),
        (("crammer-singer:n=3", "zero-one:n=3", "--within", "p[0] >= 1/2", "--within", "p[1] >= 1/2"), 1),
    ],
)
def test_the_exit_code_is_the_verdict(arguments, code, tmp_path):
    run = lossmith("check", *arguments, "--certificate", "proof.json", cwd=tmp_path)

    assert run.returncode == code
    if code == 3:
        assert re.fullmatch(r"lossmith: .*proof\.json.*\n", run.stderr)
        assert not (tmp_path / "proof.json").exists()
    else:
        assert run.stderr == ""
        explained = lossmith("verify", "proof.json", "--explain", cwd=tmp_path)
        assert explained.returncode == (3 if "softmax" in arguments[0] else 0)  # its certificate is conditional


def test_json_and_latex_tell_of_the_pred_and_the_set():
    arguments = ("check", "crammer-singer:n=3", "zero-one:n=3", "--pred", "argmax", "--within", "p[0] >= 1/2")
    verdict = json.loads(lossmith(*arguments, "--json").stdout)

    assert (verdict["pred"], verdict["status"]) == ("argmax", "not calibrated")
    assert ["1", "0", "0"] in verdict["within"][0]
    latex = lossmith(*arguments, "--latex").stdout
    assert "\\emph{argmax}" in latex
    assert "\\mathrm{conv}" in latex


def test_a_verdict_is_drawn(tmp_path):
    run = lossmith("check", "crammer-singer:n=3", "abstain:n=3", "--plot", "verdict.svg", cwd=tmp_path)

    assert run.stdout.endswith("wrote verdict.svg\n")
    assert "crammer_singer(n=3)" in (tmp_path / "verdict.svg").read_text()


def test_a_pred_of_ones_own_comes_from_a_file(tmp_path):
    (tmp_path / "mine.py").write_text(
        "halves = [lambda u: [u[0] <= '3/2'], lambda u: [u[0] >= '3/2', u[0] <= '5/2'], lambda u: [u[0] >= '5/2']]\n"
        "hole = [lambda u: [u[0] <= 1], None, lambda u: [u[0] >= 2]]\n"
    )

    assert lossmith("check", "absolute:n=3", "ordinal:n=3", "--pred", "mine.py:halves", cwd=tmp_path).returncode == 0
    refused = lossmith("check", "absolute:n=3", "ordinal:n=3", "--pred", "mine.py:hole", cwd=tmp_path)
    assert_refused(refused, "u = (3/2)")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("softmax:n=3", "zero-one:n=3", "--pred", "argmx"), ("'argmx'", "'argmax'")),
        (("crammer-singer:n=3", "abstain:n=3", "--pred", "argmax-gap:tau=-1"), ("tau", "-1")),
        (("crammer-singer:n=3", "abstain:n=3", "--pred", "argmax-gap:t=1"), ("argmax-gap:tau=1/2",)),
        (("crammer-singer:n=3", "zero-one:n=3", "--within", "p[0] >= 2"), ("within", "0, 1, 2")),
        (("crammer-singer:n=3", "zero-one:n=3", "--within", "p[0]*p[1] >= 0"), ("lambda p: [",)),
        (("crammer-singer:n=3", "zero-one:n=3", "--pred", "decide"), ("decide",)),
    ],
)
def test_bad_questions_are_refused_in_one_line(arguments, words):
    assert_refused(lossmith("check", *arguments), *words)


def test_scan_finds_the_critical_values():
    scan = ("scan", "epsilon-insensitive:n=3,eps=?", "ordinal:n=3", "--from", "0", "--to", "1")

    assert "0 ≤ … < 1/2 " in lossmith(*scan).stdout
    stretches = json.loads(lossmith(*scan, "--json").stdout)["stretches"]
    assert [each["status"] for each in stretches] == ["calibrated", "not calibrated"]
    assert "\\begin{tabular}" in lossmith(*scan, "--latex").stdout
    assert_refused(lossmith("scan", "crammer-singer:n=3", "abstain:n=3", "--from", "0", "--to", "2"), "tau=?")
    assert_refused(lossmith("scan", "absolute:n=?", "ordinal:n=3", "--from", "1", "--to", "0"), "1", "0")


def test_which_tells_what_estimators_train():
    run = lossmith("which", "ordinal:n=3", "--estimator", "mord")

    assert run.returncode == 0
    assert "mord LAD" in run.stdout
    assert "LogisticRegression" not in run.stdout
    told = json.loads(lossmith("which", "ordinal:n=3", "--estimator", "mord LAD", "--json").stdout)
    assert [(each["pred"], each["status"]) for each in told["practices"]] == [("nearest", "calibrated")]
    told = json.loads(lossmith("which", "zero-one:n=3", "--class-weight", "1,1,5", "--json").stdout)
    assert told["practices"][0]["status"] == "not calibrated"
    assert_refused(lossmith("which", "zero-one:n=3", "--class-weight", "1,2"), "(1, 2)", "3")
