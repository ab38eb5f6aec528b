"""Certificates for a folder are made and checked by the workers, not by the process that writes them."""

from __future__ import annotations

import pytest

from command import lossmith
from lossmith.certificates.certificate import Certificate

FEW = ("catalogue", "--losses", "zero-one", "--surrogates", "crammer-singer", "--surrogates", "softmax", "--json")


def of_folder(path):
    return {each.name: each.read_text() for each in path.iterdir()}


@pytest.mark.parametrize("command", [("ranking-table", "--to", "4", "--json"), FEW], ids=["ranking-table", "catalogue"])
def test_two_workers_make_and_check_the_proofs_of_one(command, tmp_path, monkeypatch):
    def elsewhere(*_):
        raise AssertionError("this is for the workers")

    alone = lossmith(*command, "--certificates", str(tmp_path / "alone"))
    monkeypatch.setattr(Certificate, "of", elsewhere)  # here, not there
    monkeypatch.setattr("lossmith_verify.check", elsewhere)
    together = lossmith(*command, "--certificates", str(tmp_path / "together"), "--jobs", "2")

    assert (alone.returncode, alone.stderr) == (0, "")
    assert (together.returncode, together.stdout, together.stderr) == (0, alone.stdout, "")
    assert of_folder(tmp_path / "together") == of_folder(tmp_path / "alone") != {}
