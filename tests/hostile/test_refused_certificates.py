"""A certificate that the checker refuses, for its size or else, is written, and the user is told in one line."""

from __future__ import annotations

import pytest
from program import NOT_CALIBRATED, one_line_of

import lossmith_verify


@pytest.fixture
def small_limit(monkeypatch):
    """A checker that takes certificates of up to 200 bytes."""
    whole = lossmith_verify.check

    def check(text: bytes) -> lossmith_verify.Verification:
        if len(text) > 200:
            return lossmith_verify.Verification(False, (), (), "why")
        return whole(text)

    monkeypatch.setattr(lossmith_verify, "check", check)


@pytest.mark.parametrize(
    ("arguments", "code", "written"),
    [
        ((*NOT_CALIBRATED, "--certificate", "proof.json"), 1, "proof.json"),
        ((*NOT_CALIBRATED, "--certificate", "proof.json", "--json"), 1, "proof.json"),
        (("design", "zero-one:n=3", "--certificate", "proof.json"), 0, "proof.json"),
        (
            ("catalogue", "--losses", "zero-one:n=3", "--surrogates", "softmax:n=3", "--certificates", "."),
            0,
            "softmax-n-3--zero_one-n-3.json",
        ),
    ],
)
def test_a_refused_certificate_is_written_and_named(
    tmp_path, monkeypatch, lossmith, small_limit, arguments, code, written
):
    monkeypatch.chdir(tmp_path)
    found, out, complaint = lossmith(*arguments)

    assert found == code
    assert out
    assert one_line_of(complaint.encode()).endswith(f" {written}: why")
    assert [path.name for path in tmp_path.iterdir()] == [written]


@pytest.mark.parametrize(
    "arguments", [("report", "zero-one:n=2"), ("ranking-table", "--to", "2", "--certificates", ".")]
)
def test_several_refused_certificates_are_all_named(tmp_path, monkeypatch, lossmith, small_limit, arguments):
    monkeypatch.chdir(tmp_path)
    code, _, complaint = lossmith(*arguments)

    lines = complaint.splitlines()
    assert code == 0
    assert len(lines) > 1
    assert all(line.endswith(": why") for line in lines)


def test_nothing_is_said_of_certificates_that_are_accepted(tmp_path, lossmith):
    path = str(tmp_path / "proof.json")
    code, out, complaint = lossmith(*NOT_CALIBRATED, "--certificate", path)

    assert (code, complaint) == (1, "")
    assert out.endswith(f" {path}\n")


def test_a_long_check_is_announced(tmp_path, monkeypatch, lossmith):
    monkeypatch.setattr("lossmith.cli.printing.LONG", 1)
    _, _, complaint = lossmith(*NOT_CALIBRATED, "--certificate", str(tmp_path / "proof.json"))

    assert "proof.json" in one_line_of(complaint.encode())


def test_where_the_checker_runs_out_of_memory_the_verdict_stands(tmp_path, monkeypatch, lossmith):
    def failing(_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(lossmith_verify, "check", failing)
    code, out, complaint = lossmith(*NOT_CALIBRATED, "--certificate", str(tmp_path / "proof.json"))

    assert code == 1
    assert out
    assert "proof.json" in one_line_of(complaint.encode())
