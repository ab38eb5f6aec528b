"""The tests against the built wheel, on every Python that pyproject.toml names: `make check-pythons`.

Of the tree only the tests and documents are used. What was found is written to build/tested, for docs/tested.py.
"""

from __future__ import annotations

from pathlib import Path

import nox
from nox.command import CommandFailed

PYTHONS = nox.project.python_versions(nox.project.load_toml("pyproject.toml"))
DIST, RECORDS = Path("dist").resolve(), Path("build", "tested").resolve()
BYTE_CODE = {"PYTHONDONTWRITEBYTECODE": None}  # it is kept, whatever the machine's habit, as pip keeps it

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv"
nox.options.error_on_missing_interpreters = True


@nox.session(python=PYTHONS[0])
def empty(session: nox.Session) -> None:
    """The wheel in an environment that has nothing else: costs on the standard input, and `lossmith selftest`."""
    session.install(str(wheel(session)))
    arguments = (str(wheel(session)), str(record(session)))
    session.run("python", "tests/packaging/installed.py", *arguments, env=BYTE_CODE)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The README's tests, against the wheel."""
    session.install(f"{wheel(session)}[dev]")
    run_tests(session)


@nox.session(python=PYTHONS[0])
def lowest(session: nox.Session) -> None:
    """The same with the lowest versions that pyproject.toml allows."""
    bounds = record(session).with_suffix(".txt")
    how = ["--quiet", "--resolution=lowest-direct", f"--python-version={session.python}", "--extra=dev"]
    session.run("uv", "pip", "compile", *how, "pyproject.toml", f"--output-file={bounds}", external=True, silent=True)
    session.install(f"{wheel(session)}[dev]", f"--constraint={bounds}")
    run_tests(session, "-W", "ignore::DeprecationWarning")  # old versions of others are told so by new ones


@nox.session(python=PYTHONS[-1])
def prereleases(session: nox.Session) -> None:
    """The same with pre-releases of everything, which show what will break: they may fail."""
    try:
        session.install("--prerelease=allow", f"{wheel(session)}[dev]")
        run_tests(session)
    except CommandFailed:
        session.warn("pre-releases fail, which is allowed")


def run_tests(session: nox.Session, *options: str) -> None:
    """What `make test` runs, with the package where the wheel was installed."""
    packages = ("--pyargs", "lossmith", "lossmith_verify")
    environment = {"LOSSMITH_WHEEL": "1", "LOSSMITH_RECORD": str(record(session)), **BYTE_CODE}
    session.run("pytest", "-n", "2", "--dist", "worksteal", *options, "tests", *packages, env=environment)


def wheel(session: nox.Session) -> Path:
    """What `make dist` has built."""
    found = list(DIST.glob("lossmith-*.whl"))
    if len(found) != 1:
        session.error(f"there are {len(found)} wheels in dist, not one; run make dist")
    return found[0]


def record(session: nox.Session) -> Path:
    """Where the session writes what it found."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    return RECORDS / f"{session.name}.json"
