"""What is said where something goes wrong that is no answer, and where something is too large."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from printed import command, messages

import lossmith as lm
import lossmith_verify
from lossmith.cli import terminate

NOT_CALIBRATED = "check crammer-singer:n=3 zero-one:n=3"


def huge() -> lm.LossMatrix:
    return lm.LossMatrix([[0, "1e400", 1], [1, 0, "2e400"], [3, 1, 0]], name="costs")


def a_deep_proof() -> Any:
    """A pred of many pieces, each of which is cut off by one comparison more."""
    hinge = lm.PolyhedralSurrogate.from_function(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1)
    ends = [Fraction(1, 2**i) for i in range(12)]
    steps = [lambda u, a=low, b=high: [u[0] >= a, u[0] <= b] for low, high in pairwise([0, *ends[::-1]])]
    regions = [[*steps, lambda u: [u[0] >= 1]], lambda u: [u[0] <= 0]]
    return lm.check(hinge, lm.losses.zero_one(2), pred=regions).certificate


MESSAGES = {
    "targets beyond floats": lambda: lm.surrogates.square(huge()),
    "a certificate as an object": lambda: lm.verify({}),
    "a certificate as a number": lambda: lm.verify(7),
    "a long number comes up": lambda: lm.losses.zero_one(2).risk((Fraction(1, 10**4001), 1 - Fraction(1, 10**4001))),
    "too many vertices": lambda: lm.trigger_sets(lm.losses.zero_one(12), max_vertices=50),
}


def test_messages(snapshot):
    assert messages(MESSAGES) == snapshot


def test_a_proof_that_is_too_deep(snapshot, monkeypatch):
    monkeypatch.setattr("lossmith.calibration.proofs.DEEPEST", 2)
    assert messages({"too deep": a_deep_proof}) == snapshot


def failing(error: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("error", [MemoryError(), KeyError("lost"), KeyboardInterrupt()], ids=repr)
def test_a_command_that_breaks_down(error, snapshot, tmp_path, monkeypatch):
    monkeypatch.setattr("lossmith.cli.check.check", failing(error))
    assert command(NOT_CALIBRATED, tmp_path) == snapshot


def test_a_command_that_is_terminated(snapshot, tmp_path, monkeypatch):
    monkeypatch.setattr("lossmith.cli.check.check", lambda *_, **__: terminate(15, None))
    assert command(NOT_CALIBRATED, tmp_path) == snapshot


COMMANDS = {
    "a file that exits": "check exits.py:psi zero-one:n=3",
    "a link to itself": "verify loop",
    "no such folder": f"{NOT_CALIBRATED} --certificate no/folder/proof.json",
    "a file in place of a folder": "report zero-one:n=2 -o exits.py/report.html",
    "a table that is too long": "analyze long.csv",
}


# What the operating system says is not ours.
OF_THE_SYSTEM = {os.strerror(each): errno.errorcode[each] for each in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name, snapshot, tmp_path, monkeypatch):
    monkeypatch.setattr("lossmith.losses.files.MOST_BYTES", 1000)
    (tmp_path / "exits.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "long.csv").write_bytes(bytes(1001))
    (tmp_path / "loop").symlink_to("loop")
    assert command(COMMANDS[name], tmp_path, replace=OF_THE_SYSTEM) == snapshot


CHECKERS = {
    "rejected": lambda _: lossmith_verify.Verification(False, (), (), "why"),
    "no memory": failing(MemoryError()),
}


@pytest.mark.parametrize("name", CHECKERS)
def test_a_certificate_that_is_not_accepted(name, snapshot, tmp_path, monkeypatch):
    monkeypatch.setattr("lossmith.cli.printing.LONG", 1)  # so that the check is announced
    monkeypatch.setattr(lossmith_verify, "check", CHECKERS[name])
    said = command(f"{NOT_CALIBRATED} --certificate proof.json", tmp_path)
    assert said[said.index("wrote ") :] == snapshot
