"""Adding a family takes one file and one line: those that CONTRIBUTING.md shows, written into a copy of the package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
import types
from pathlib import Path

import pytest

import lossmith
import lossmith_verify
from lossmith.families import families_in
from lossmith.testing import check_loss, check_surrogate

ROOT = Path(__file__).parent.parent.parent
STEP = re.compile(r"`(src/lossmith/\S+\.py)`.*?```python\n(.*?)   ```", re.DOTALL)


def shown() -> dict[str, str]:
    """The files, and the lines for files that exist, that CONTRIBUTING.md shows."""
    found = STEP.findall((ROOT / "CONTRIBUTING.md").read_text())
    return {path: textwrap.dedent(code) for path, code in found}


def module_of(path: str, monkeypatch) -> dict[str, object]:
    """The names of a file that CONTRIBUTING.md shows, run as a module of the package in this process."""
    name = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
    module = types.ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    exec(compile(shown()[path], path, "exec"), vars(module))
    return vars(module)


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """A copy of the package, its checker and its documents with one file and one line more for each family."""
    folder = tmp_path_factory.mktemp("grown")
    for package in (lossmith, lossmith_verify):
        source = Path(package.__file__).parent
        shutil.copytree(source, folder / "src" / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "README.md", folder)
    for path, code in shown().items():
        target = folder / path
        if target.exists():
            text = target.read_text()
            assert code.count("\n") == 1
            target.write_text(text.replace("\n\nCATALOGUE =", f"\n{code.rstrip()}\n\nCATALOGUE =", 1))
            assert target.read_text() != text
        else:
            target.write_text(code)
    return folder


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_there_are_two_files_and_two_lines():
    assert sorted(shown()) == [
        "src/lossmith/losses/__init__.py",
        "src/lossmith/losses/families/too_low.py",
        "src/lossmith/surrogates/__init__.py",
        "src/lossmith/surrogates/families/twice_too_low.py",
    ]


@pytest.mark.parametrize(
    ("kind", "name"), [(lossmith.losses, "too_low"), (lossmith.surrogates, "twice_too_low")], ids=["loss", "surrogate"]
)
def test_the_line_takes_the_family_of_the_file_into_the_catalogue(kind, name, monkeypatch):
    package = f"{kind.__name__}.families"
    folder = f"src/{kind.__name__.replace('.', '/')}"
    if kind is lossmith.surrogates:  # its file imports the new loss
        made = module_of("src/lossmith/losses/families/too_low.py", monkeypatch)["too_low"]
        monkeypatch.setattr(lossmith.losses, "too_low", made, raising=False)
    family = module_of(f"{folder}/families/{name}.py", monkeypatch)[name]
    names: dict[str, object] = {}
    exec(shown()[f"{folder}/__init__.py"], names)
    assert names[name] is family
    found = families_in({**vars(kind), **names}, package)
    assert list(dict.fromkeys(found)) == [*kind.CATALOGUE, family]  # aliases are names of families, too
    {lossmith.losses: check_loss, lossmith.surrogates: check_surrogate}[kind](family)


@pytest.mark.exhaustive
def test_the_new_families_conform(grown):
    program = """
import doctest, sys, lossmith as lm
assert lm.losses.too_low is lm.losses.CATALOGUE[-1]
assert lm.surrogates.twice_too_low is lm.surrogates.CATALOGUE[-1]
lm.testing.check_loss(lm.losses.too_low)
lm.testing.check_surrogate(lm.surrogates.twice_too_low)
for family in (lm.losses.too_low, lm.surrogates.twice_too_low):
    assert doctest.testmod(sys.modules[family.__module__]) == (0, 1)
"""
    run = python(grown, "-c", program)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.exhaustive
def test_the_table_shows_them(grown):
    run = python(grown, "-m", "lossmith", "catalogue", "-n", "2")
    assert run.returncode == 0, run.stderr
    columns = [line.split()[1] for line in run.stdout.splitlines() if line[:2].strip().isdigit()]
    row = next(line.split() for line in run.stdout.splitlines() if line.startswith("twice_too_low"))
    assert dict(zip(columns, row[2:], strict=True))["too_low(n=2)"] == "C"


@pytest.mark.exhaustive
def test_one_command_brings_the_documents_up_to_date(grown):
    run = python(grown, "docs/lists.py")
    assert run.returncode == 0, run.stderr
    for document in ("docs/tour.md", "docs/reference.md", "docs/catalogue.md"):
        text = (grown / document).read_text()
        assert "too_low" in text
        assert "twice_too_low" in text
