"""Certificates for a folder are made and checked by the workers, not by the process that writes them."""

from __future__ import annotations

import pytest
from joblib import parallel_config

from command import lossmith
from lossmith.certificates.certificate import Certificate
from lossmith.sweeping import Store

FEW = ("catalogue", "--losses", "zero-one", "--surrogates", "crammer-singer", "--surrogates", "softmax", "--json")


def of_folder(path):
    return {each.name: each.read_text() for each in path.iterdir()}


each_command = pytest.mark.parametrize(
    "command", [("ranking-table", "--to", "4", "--json"), FEW], ids=["ranking-table", "catalogue"]
)


@each_command
def test_two_threads_make_the_proofs_of_one(command, tmp_path):
    alone = lossmith(*command, "--certificates", str(tmp_path / "alone"))
    with parallel_config(backend="threading"):
        together = lossmith(*command, "--certificates", str(tmp_path / "together"), "--jobs", "2")

    assert (alone.returncode, alone.stderr) == (0, "")
    assert (together.returncode, together.stdout, together.stderr) == (0, alone.stdout, "")
    assert of_folder(tmp_path / "together") == of_folder(tmp_path / "alone") != {}


@pytest.mark.exhaustive
@each_command
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


@pytest.mark.parametrize("command", ["ranking-table --to 3", "census --labels 2 --decisions 2 --entries 0..1"])
def test_the_store_between_them_is_closed(command, tmp_path, monkeypatch):
    left = set()
    opened, closed = Store.__init__, Store.close
    monkeypatch.setattr(
        Store, "__init__", lambda self, *args, **named: (left.add(self), opened(self, *args, **named))[1]
    )
    monkeypatch.setattr(Store, "close", lambda self: (left.discard(self), closed(self))[1])
    done = lossmith(*command.split(), "--certificates", str(tmp_path / "proofs"))

    assert done.returncode == 0
    assert of_folder(tmp_path / "proofs") != {}
    assert left == set()
