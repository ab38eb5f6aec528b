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


def test_only_the_job_that_publishes_may_ask_for_an_identity():
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text())
        assert workflow["permissions"] == {"contents": "read"}
        asking = {name for name, job in workflow["jobs"].items() if "id-token" in job.get("permissions", {})}
        assert asking <= {"publish"}
        assert all("run" not in step for name in asking for step in workflow["jobs"][name]["steps"])


def test_the_site_is_told_where_it_will_stand():
    """Else its canonical addresses, its map and its picture for links lead to this machine."""
    steps = jobs(ROOT / ".github" / "workflows" / "docs.yml")["build"]["steps"]
    (building,) = [step for step in steps if step.get("run", "").startswith("make docs")]
    assert building["env"]["LOSSMITH_SITE"].startswith("https://")


def test_what_runs_before_a_commit_is_what_make_lint_runs():
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert local["repo"] == "local"
    assert "make lint" in [hook["entry"] for hook in local["hooks"]]
