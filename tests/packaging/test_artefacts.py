"""What is in the wheel and in the source distribution, and what they say of themselves."""

from __future__ import annotations

import contextlib
import os
import re
import tarfile
import tomllib
from email.message import Message
from email.parser import Parser
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest
from hatchling import build

import lossmith as lm

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
README = (ROOT / "README.md").read_text()
NOISE = ("__pycache__", ".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache", ".venv", ".nox", ".git")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    with contextlib.chdir(ROOT), pytest.MonkeyPatch.context() as patch:
        for name in ("REPOSITORY", "SITE"):
            patch.delenv(f"LOSSMITH_{name}", raising=False)
        return ZipFile(folder / build.build_wheel(str(folder)))


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> list[PurePosixPath]:
    """The paths in the source distribution, without its own folder."""
    folder = tmp_path_factory.mktemp("source")
    with contextlib.chdir(ROOT), tarfile.open(folder / build.build_sdist(str(folder))) as archive:
        return [PurePosixPath(*PurePosixPath(name).parts[1:]) for name in archive.getnames()]


def described(wheel: ZipFile) -> Message:
    return Parser().parsestr(wheel.read(f"lossmith-{lm.__version__}.dist-info/METADATA").decode())


def test_the_wheel_holds_the_library_the_checker_and_their_description_alone(wheel):
    folders = {PurePosixPath(name).parts[0] for name in wheel.namelist()}
    assert folders == {"lossmith", "lossmith_verify", f"lossmith-{lm.__version__}.dist-info"}


def test_every_file_of_the_packages_is_in_the_wheel_and_no_cache(wheel):
    packages = [ROOT / "src" / name for name in ("lossmith", "lossmith_verify")]
    tree = {path for package in packages for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == {path.relative_to(ROOT / "src").as_posix() for path in tree}
    assert {"lossmith/py.typed", "lossmith_verify/py.typed", "lossmith_verify/__main__.py"} <= packed
    assert {PurePosixPath(name).suffix for name in packed} == {".py", ".typed", ".html", ".css", ".js"}


def test_the_wheel_brings_the_licence_and_the_command(wheel):
    about = f"lossmith-{lm.__version__}.dist-info"
    assert wheel.read(f"{about}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert wheel.read(f"{about}/entry_points.txt").decode() == "[console_scripts]\nlossmith = lossmith.cli:main\n"
    assert described(wheel)["License-Expression"] == "BSD-3-Clause"


told_already = pytest.mark.skipif((ROOT / "PKG-INFO").exists(), reason="the source distribution brings its description")


def links(text: str) -> list[str]:
    """Where links and pictures of a description lead, code aside."""
    words = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\]\(([^)]*)\)", words) + re.findall(r'src="([^"]*)"', words)


@told_already
def test_no_link_of_the_description_breaks_where_the_files_are_not(wheel):
    text = described(wheel).get_payload()
    assert links(text) == [each for each in links(README) if each.startswith("#")]
    names = re.findall(r"\[([^\[\]]+)\]\(docs/", README)
    assert names
    assert all(name in text for name in names)
    assert code(text) == code(README)
    assert described(wheel)["Description-Content-Type"] == "text/markdown"
    assert "Project-URL" not in described(wheel)  # nobody said where


@told_already
def test_links_of_the_description_lead_to_the_files_of_this_version_where_the_repository_is_known(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("LOSSMITH_REPOSITORY", "https://example.org/us/lossmith/")
    monkeypatch.setenv("LOSSMITH_SITE", "https://us.example.org")
    with contextlib.chdir(ROOT):
        told = described(ZipFile(tmp_path / build.build_wheel(str(tmp_path))))
    assert told.get_all("Project-URL") == [
        "Documentation, https://us.example.org",
        "Source, https://example.org/us/lossmith",
        "Issues, https://example.org/us/lossmith/issues",
    ]
    start = re.compile(rf"https://example\.org/us/lossmith/(?:blob|raw)/v{re.escape(lm.__version__)}/")
    assert [start.sub("", each) for each in links(told.get_payload())] == links(README)
    assert all(each.startswith("#") or start.match(each) for each in links(told.get_payload()))
    assert code(told.get_payload()) == code(README)


def code(text: str) -> list[str]:
    return re.findall(r"^```.*?^```$", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.skipif("LOSSMITH_RECORD" in os.environ, reason="the page is written when this run has ended")
def test_the_wheel_says_which_pythons_were_tested(wheel):
    classifiers = described(wheel).get_all("Classifier")
    named = [each.split()[-1] for each in classifiers if re.match(r"Programming Language :: Python :: 3\.\d", each)]
    page = (ROOT / "docs" / "tested.md").read_text()
    tested = re.findall(r"^\| tests-([\d.]+) \| \1\.\d+ \|", page, re.MULTILINE)
    assert tested == named
    assert described(wheel)["Requires-Python"] == f">={named[0]}"


def test_the_wheel_installs_nothing_for_developers(wheel):
    needed = [each for each in described(wheel).get_all("Requires-Dist") if "extra ==" not in each]
    assert sorted(needed) == sorted(PROJECT["dependencies"])


@pytest.mark.exhaustive
def test_the_source_distribution_holds_what_the_tests_and_the_site_are_made_of(source):
    top = {path.parts[0] for path in source}
    files = {"pyproject.toml", "PKG-INFO", ".gitignore", "Makefile", "noxfile.py", "LICENSE", "CITATION.cff"}
    pages = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md"}
    assert top == {"src", "tests", "docs", "examples", "benchmarks", *files, *pages}
    assert PurePosixPath("tests/conftest.py") in source
    assert [path for path in source if set(NOISE) & set(path.parts) or path.suffix == ".pyc"] == []


def test_the_version_is_written_in_one_place():
    assert "version" in PROJECT["dynamic"]
    assert "version" not in PROJECT
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited.group(1) == lm.__version__
    latest = re.search(r"^## ([\d.]+) ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert latest.group(1) == lm.__version__
