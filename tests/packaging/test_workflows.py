"""What a public host is told to run is what the Makefile does, on the Pythons that pyproject.toml names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="the source distribution has no workflows")


def jobs(path: Path) -> dict[str, dict]:
    return yaml.safe_load(path.read_text())["jobs"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_command_is_one_target_of_the_makefile(path):
    commands = [step["run"] for job in jobs(path).values() for step in job["steps"] if "run" in step]
    assert commands
    for command in commands:
        target = re.fullmatch(r'make ([\w-]+)(?: [A-Z]+=(?:"[^"]*"|\S+|\$\{\{[^}]*\}\})+)*', command)
        assert target, command
        assert re.search(rf"^{target[1]}:", MAKEFILE, re.MULTILINE), command


def test_the_tests_run_on_three_systems_and_every_python():
    matrix = jobs(ROOT / ".github" / "workflows" / "tests.yml")["wheel"]["strategy"]["matrix"]
    named = [each.split()[-1] for each in PROJECT["classifiers"] if ":: Python :: 3." in each]
    assert matrix["python"] == named
    assert [each.split("-")[0] for each in matrix["os"]] == ["ubuntu", "macos", "windows"]


def test_only_the_job_that_publishes_may_ask_for_an_identity_or_write():
    """Where it asks for an identity it runs nothing of ours; where it writes, the one target that does."""
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text())
        assert workflow["permissions"] == {"contents": "read"}
        asking = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
        assert {*asking} <= {"publish"}
        for name, permissions in asking.items():
            commands = [step["run"] for step in workflow["jobs"][name]["steps"] if "run" in step]
            assert (permissions, commands) in [
                ({"id-token": "write"}, []),
                ({"contents": "write"}, ["make publish-docs"]),
            ]


def test_only_a_tag_publishes():
    """A change on main would replace the pages of the version that was released."""
    assert "startsWith(github.ref, 'refs/tags/v')" in jobs(ROOT / ".github" / "workflows" / "docs.yml")["publish"]["if"]
    when = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text())[True]  # YAML reads on as true
    assert when == {"push": {"tags": ["v*"]}}


def test_no_command_holds_what_others_name():
    """A branch or a tag may be named like a command."""
    commands = [step.get("run", "") for path in WORKFLOWS for job in jobs(path).values() for step in job["steps"]]
    assert [command for command in commands if "github." in command] == []


@pytest.mark.parametrize("name", ["docs", "publish"])
def test_the_site_and_the_wheel_are_told_where_they_will_stand(name):
    """Else canonical addresses, the map and the picture lead to this machine, and links of the README nowhere."""
    told = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())["env"]
    assert told["LOSSMITH_SITE"].startswith("https://")
    assert {*told} == {"LOSSMITH_SITE", *(["LOSSMITH_REPOSITORY"] if name == "publish" else [])}


def test_what_runs_before_a_commit_is_what_make_lint_runs():
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert local["repo"] == "local"
    assert "make lint" in [hook["entry"] for hook in local["hooks"]]
