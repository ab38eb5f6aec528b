"""lossmith selftest: whether what is installed works."""

from __future__ import annotations

import platform
from importlib.metadata import version

import click

from lossmith import __version__
from lossmith.cli.options import progress_bar
from lossmith.cli.printing import say

ENGINES = ("python-flint", "highspy", "numpy", "scikit-learn", "matplotlib")


@click.command("selftest", short_help="Try whether all of it works here.")
def selftest_command() -> int:
    """Try the engines, the checker, the paper's tables and learning, in some seconds: exit 1 if anything is wrong."""
    from lossmith.selftest import CHECKS, run

    engines = ", ".join(f"{name} {version(name)}" for name in ENGINES)
    say(f"lossmith {__version__}, {platform.python_implementation()} {platform.python_version()}, {engines}")
    wrong = 0
    for check in CHECKS:
        with progress_bar(check.title):
            outcome = run(check)
        say(outcome)
        wrong += bool(outcome.wrong)
    say(f"{wrong} of {len(CHECKS)} are wrong; please report what is printed here" if wrong else "All of it works.")
    return 1 if wrong else 0
