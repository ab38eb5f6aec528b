"""``python -m lossmith_verify``, and what the package may be made of."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from handmade import hinge_for_zero_one, text

import lossmith_verify
from lossmith_verify import check
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
    assert capsys.readouterr() == (f"{check(GOOD)}\n", "")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{}", GOOD.replace("1/2", "1/3", 1).encode(), b"[" * 10**5])
def test_rejected(tmp_path, capsys, content):
    file = tmp_path / "certificate.json"
    file.write_bytes(content)
    assert main([str(file)]) == 1
    assert not check(content).accepted
    assert capsys.readouterr() == (f"{check(content)}\n", "")


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b", ""])
def test_unreadable_files(tmp_path, capsys, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert main([name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f" {name!a}: " in err


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["--unknown", "a"], ["--explain", "a"]])
def test_bad_usage(capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "python -m lossmith_verify" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "code"), [(GOOD.encode(), 0), pytest.param(b"", 1, marks=pytest.mark.exhaustive)], ids=["good", "empty"]
)
def test_standard_input(given, code):
    result = run("-", stdin=given)
    assert (result.returncode, result.stderr) == (code, b"")
    assert result.stdout.decode().splitlines() == [str(check(given))]


def test_a_terminal_without_unicode(tmp_path, monkeypatch):
    certificate = hinge_for_zero_one()
    certificate["loss"]["name"] = "perte à échelle"
    certificate["surrogate"]["name"] = "\ud800"
    (tmp_path / "named.json").write_text(json.dumps(certificate))
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main([str(tmp_path / "named.json")]) == 0
    assert b'"perte \\u00e0 \\u00e9chelle"' in terminal.buffer.getvalue()


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
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert check(text(certificate)).accepted
    finally:
        sys.set_int_max_str_digits(before)


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


@pytest.mark.exhaustive
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


def imported(module: str) -> set[str]:
    """The modules of the package that a module of it imports."""
    (source,) = (each for each in SOURCES if each.stem == module)
    nodes = [node for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.ImportFrom)]
    names = {name for node in nodes for name in (str(node.module), *(f"lossmith_verify.{x.name}" for x in node.names))}
    return {name.rpartition(".")[2] for name in names} & {each.stem for each in SOURCES}


def needed(module: str) -> set[str]:
    """What one has to read for this module, with everything that it imports."""
    known, new = set(), {module}
    while new:
        known |= new
        new = {name for each in new for name in imported(each)} - known
    return known


def test_a_referee_reads_it_in_an_hour():
    sizes = {source.stem: tokens(source) for source in SOURCES}
    print(f"\n{sizes}: {sum(sizes.values())}")
    assert sum(sizes.values()) <= 30_000
    assert max(sizes.values()) <= 1_500
    needs = {module: sum(sizes[name] for name in needed(module)) for module in imported("__init__")}
    print(f"{needs}")
    assert max(needs.values()) <= 15_000
    for source in SOURCES:
        lines = source.read_text().splitlines()
        assert max(map(len, lines), default=0) <= 100, source.name
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.body[0].end_lineno <= 25, node.name  # without its docstring
