"""``python -m lossmith_verify``, and what the package may be made of."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from handmade import hinge_for_zero_one, text

import lossmith_verify
from lossmith_verify.__main__ import main

GOOD = text(hinge_for_zero_one())
SOURCES = sorted(Path(lossmith_verify.__file__).parent.rglob("*.py"))


def run(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "lossmith_verify", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env={**os.environ, **environment}, check=False)


def test_accepted(tmp_path, capsys):
    file = tmp_path / "certificate.json"
    file.write_text(GOOD)
    assert main([str(file)]) == 0
    assert capsys.readouterr().out == 'accepted: calibrated: "hinge" for "zero_one(n=2)": 2 cells, 3 vertices\n'


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{}", GOOD.replace("1/2", "1/3", 1).encode(), b"[" * 10**6])
def test_rejected(tmp_path, capsys, content):
    file = tmp_path / "certificate.json"
    file.write_bytes(content)
    assert main([str(file)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("rejected: ")
    assert out.count("\n") == 1
    assert err == ""


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b", ""])
def test_unreadable_files(tmp_path, capsys, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert main([name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"cannot read {name!a}: ")


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["--unknown", "a"], ["--explain", "a"]])
def test_bad_usage(capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: python -m lossmith_verify" in capsys.readouterr().err


def test_standard_input():
    accepted = run("-", stdin=GOOD.encode())
    assert (accepted.returncode, accepted.stderr) == (0, b"")
    assert accepted.stdout.startswith(b"accepted: calibrated: ")
    rejected = run("-", stdin=b"")
    assert (rejected.returncode, rejected.stderr) == (1, b"")


def test_a_terminal_without_unicode():
    certificate = hinge_for_zero_one()
    certificate["loss"]["name"] = "perte à échelle"
    certificate["surrogate"]["name"] = "\ud800"
    result = run("-", stdin=json.dumps(certificate).encode(), PYTHONIOENCODING="ascii", LC_ALL="C")
    assert (result.returncode, result.stderr) == (0, b"")
    assert b'"perte \\u00e0 \\u00e9chelle"' in result.stdout


def test_a_reader_that_has_gone():
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "lossmith_verify", "-"]
    result = subprocess.run(command, input=GOOD.encode(), stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, b"")


def test_the_smallest_limit_on_digits_changes_nothing():
    certificate = hinge_for_zero_one()
    certificate["loss"]["entries"] = [["0", "1" * 640], ["1" * 640, "0"]]
    result = run("-", stdin=json.dumps(certificate).encode(), PYTHONINTMAXSTRDIGITS="640")
    assert (result.returncode, result.stderr) == (0, b"")


def test_only_the_standard_library_is_imported():
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [str(node.module)]
            assert {name.split(".")[0] for name in names} <= {*sys.stdlib_module_names, "lossmith_verify"}
            if isinstance(node, ast.Call):  # nor behind our back
                assert getattr(node.func, "id", "") not in ("__import__", "exec", "eval")


def test_lossmith_is_not_loaded():
    code = "import sys, lossmith_verify.__main__; print([m for m in sys.modules if m.split('.')[0] == 'lossmith'])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout.strip() == b"[]"


def tokens(source: Path) -> int:
    """Names, numbers, strings and operators; a string with names in it counts as one string."""
    count = inside = 0
    with source.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            kind = tokenize.tok_name[token.type]
            count += not inside and kind in ("NAME", "NUMBER", "STRING", "OP", "FSTRING_START")
            inside += (kind == "FSTRING_START") - (kind == "FSTRING_END")
    return count


def test_a_referee_reads_it_in_an_hour():
    sizes = {source.name: tokens(source) for source in SOURCES}
    print(f"\n{sizes}: {sum(sizes.values())}")
    assert sum(sizes.values()) <= 22_600
    assert max(sizes.values()) <= 1_500
    for source in SOURCES:
        lines = source.read_text().splitlines()
        assert max(map(len, lines), default=0) <= 100, source.name
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.body[0].end_lineno <= 25, node.name  # without its docstring
