"""Plant small mistakes in the source, one at a time, and report how many of them the tests notice.

    python tests/mutants.py --count 100 --seed 0

The tests that execute a changed line are known from a run with coverage, which is recorded once for each state of the
sources and tests. They run fastest first, up to the first failure. What the fast tests miss is tried with the
exhaustive ones. A mutant that only these kill shows a mistake in how the tests are divided: the exit code is 1.

A mutant that hangs or eats memory is ended by a limit and counts as killed. Mutants that change nothing anybody could
observe are listed in `equivalent_mutants.toml` with the reason, and are not counted.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from coverage import CoverageData
from scipy.stats import binomtest

from mutation import Mutation, conditions, mutations, planted, values

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "mutants"
EQUIVALENT = Path(__file__).parent / "equivalent_mutants.toml"
VARIATIONS = (conditions, values)
MEMORY = 8 * 2**30  # bytes of address space
PATIENCE = 60.0  # seconds, and ten times what the tests usually take, after which a mutant hangs
FIRST = 3.0  # seconds of the tests that run in a first process
LARGE = 100  # numbers above are limits of work and of sizes, which no test should fix
LEAST = 2  # mutants of each package
COVERAGE = """[run]
{measured}
data_file = {data}
parallel = True
context = ${{PYTEST_CURRENT_TEST-}}
sigterm = True
disable_warnings = no-data-collected, module-not-imported, module-not-measured
"""


class Mutant(NamedTuple):
    """A mutation of a file of the package."""

    path: str
    mutation: Mutation

    @property
    def package(self) -> str:
        """The folder that the report counts it under."""
        parts = Path(self.path).parts
        return parts[2] if parts[1] == "lossmith" and len(parts) > 3 else parts[1]

    def __str__(self) -> str:
        before, after = (text if len(text) <= 90 else f"{text[:87]}…" for text in self.mutation[3:])
        return f"{self.path}:{self.mutation.line}: {before}  →  {after}"


class Outcome(NamedTuple):
    """How a mutant ended: "fast", "exhaustive", "survived" or "equivalent", and by what."""

    how: str
    by: str


# The mutants.


@cache
def parsed(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text())


def not_mutated(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield annotations, what is raised (its wording is not behaviour), what types alone see, and large numbers."""
    for node in ast.walk(tree):
        inside: list[ast.AST | None] = []
        if isinstance(node, ast.Raise):
            inside = [node.exc]
        elif isinstance(node, ast.AnnAssign | ast.arg):
            inside = [node.annotation]
        elif isinstance(node, ast.FunctionDef):
            inside = [node.returns]
        elif (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)) or (
            isinstance(node, ast.Constant) and isinstance(node.value, int | float) and abs(node.value) > LARGE
        ):
            inside = [node]
        for each in inside:
            yield from () if each is None else ast.walk(each)


def all_mutants() -> dict[str, list[Mutant]]:
    """Return every mutant of every package."""
    found: dict[str, list[Mutant]] = defaultdict(list)
    for file in sorted((ROOT / "src").rglob("*.py")):
        for mutant in mutants_of(file.relative_to(ROOT).as_posix()):
            found[mutant.package].append(mutant)
    return found


def mutants_of(path: str) -> list[Mutant]:
    """Return every mutant of a file."""
    tree = parsed(path)
    return [Mutant(path, mutation) for mutation in mutations(tree, VARIATIONS, not_mutated(tree))]


def sample(count: int, seed: int) -> list[Mutant]:
    """Return a sample in which packages have shares as in the source, each at least a few."""
    population, chance = all_mutants(), random.Random(seed)
    total = sum(map(len, population.values()))
    sizes = {package: max(LEAST, round(count * len(each) / total)) for package, each in population.items()}
    return [mutant for package, each in sorted(population.items()) for mutant in chance.sample(each, sizes[package])]


def equivalent() -> dict[tuple[str, ...], str]:
    """Return the mutants that nobody can tell from the source, with the reasons."""
    entries = tomllib.loads(EQUIVALENT.read_text())["mutant"]
    return {tuple(each[key] for key in ("path", "line", "before", "after")): each["reason"] for each in entries}


def described(mutant: Mutant) -> tuple[str, ...]:
    """Return what the list of equivalent mutants knows a mutant by: the text of its line, which moves less often."""
    lines = (ROOT / mutant.path).read_text().splitlines()
    line = lines[mutant.mutation.line - 1].strip() if mutant.mutation.line else ""
    return mutant.path, line, mutant.mutation.before, mutant.mutation.after


# What the tests execute.


@dataclass(frozen=True)
class Record:
    """For each file and line the tests that execute it, the seconds that each takes, and those that fail anyway."""

    lines: dict[str, dict[int, set[str]]]
    seconds: dict[str, float]
    failing: frozenset[str]

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute the line, the fastest first; then others of the same files.

        What is executed once for many tests is recorded for the first of them, so the other tests of its file follow.
        What is executed at import is recorded for one test or for none: all tests that execute the module are taken.
        """
        lines = self.lines.get(mutant.path, {})
        contexts = set().union(*(lines.get(line, ()) for line in lines_of_statement(mutant)))
        if contexts and runs_at_import(mutant):
            return self._sorted(set().union(*lines.values()))
        at_once = self._sorted(contexts)
        files = {test.split("::")[0] for test in at_once}
        others = {test for test in self.seconds if test.split("::")[0] in files}
        return at_once + self._sorted(others.difference(at_once))

    def _sorted(self, tests: Iterable[str]) -> list[str]:
        usable = (test for test in tests if test in self.seconds and test not in self.failing)
        return sorted(usable, key=self.seconds.__getitem__)


def lines_of_statement(mutant: Mutant) -> range:
    """Return the lines of the innermost statement that the mutation is in, without the statements inside this one."""
    line = mutant.mutation.line
    found = range(line, line + 1)
    for node in ast.walk(parsed(mutant.path)):  # the outer before the inner
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            inner = [each.lineno for each in ast.walk(node) if isinstance(each, ast.stmt) and each is not node]
            end = min((first for first in inner if first > line), default=(node.end_lineno or 0) + 1)
            found = range(node.lineno, end)
    return found


def runs_at_import(mutant: Mutant) -> bool:
    """Return whether the line is outside the bodies of all functions."""
    functions = (node for node in ast.walk(parsed(mutant.path)) if isinstance(node, ast.FunctionDef))
    return not any(node.body[0].lineno <= mutant.mutation.line <= (node.end_lineno or 0) for node in functions)


def state_of_the_tree() -> str:
    """Return a name for the sources and the tests as they are committed; refuse where something is not."""
    git = ["git", "-C", str(ROOT)]
    if subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True).stdout.strip():
        sys.exit("mutants: there are changes that are not committed; commit them first (mutants are planted in clones)")
    trees = [f"HEAD:{folder}" for folder in ("src", "tests")]
    found = subprocess.run([*git, "rev-parse", *trees], capture_output=True, text=True, check=True).stdout.split()
    return "-".join(each[:12] for each in found)


def clone(number: int) -> Path:
    """Return a fresh clone of the committed tree, in which mutants are planted."""
    folder = BUILD / f"tree-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    collect = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-qq",
    ]  # writes byte code, which saves most of the time
    variables = environment(folder, PYTHONDONTWRITEBYTECODE="")
    subprocess.run(collect, cwd=folder, env=variables, stdout=subprocess.DEVNULL, check=True)
    return folder


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the variables for tests of the package in a clone."""
    paths = os.pathsep.join([str(folder / "src"), str(folder / "tests")])
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return {**os.environ, **one, "PYTHONPATH": paths, "LOSSMITH_EXHAUSTIVE": "", "LOSSMITH_SAMPLE": "", **more}


def limited(command: list[str]) -> list[str]:
    """Return the command with a limit on the memory of its process and of what that starts."""
    return ["sh", "-c", 'ulimit -v "$0" && exec "$@"', str(MEMORY // 1024), *command]


def recorded(folder: Path, state: str, kind: str, jobs: int, paths: Iterable[str] = ()) -> Record:
    """Return what the fast or the exhaustive tests execute: from an earlier run in the same state, or run them.

    Few paths, if any are given, are measured much faster than the whole source.
    """
    files = sorted({str(folder / path) for path in paths})
    name, measured = f"{kind}-{state}", f"source = {folder / 'src'}"
    if files:
        name += f"-{hashlib.sha256(' '.join(files).encode()).hexdigest()[:12]}"
        measured = "".join(["include =", *(f"\n    {file}" for file in files)])
    kept = BUILD / name
    if not (kept / "done").exists():
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        (kept / "coveragerc").write_text(COVERAGE.format(measured=measured, data=kept / "coverage"))
        print(f"recording which lines the {kind} tests execute …", flush=True)
        variables = environment(
            folder,
            COVERAGE_PROCESS_START=str(kept / "coveragerc"),
            LOSSMITH_TESTS=str(kept / "tests"),
            LOSSMITH_FAILED=str(kept / "failed"),
            LOSSMITH_EXHAUSTIVE="1" if kind == "exhaustive" else "",
            PYTHONDONTWRITEBYTECODE="",
        )
        command = [sys.executable, "-m", "pytest", "-q", "-p", "recording", "-n", str(jobs), "--dist", "worksteal"]
        marks = ["-m", "exhaustive and not browser"] if kind == "exhaustive" else []
        with (kept / "output").open("w") as output:
            run = subprocess.run(
                limited([*command, *marks]), cwd=folder, env=variables, stdout=output, stderr=output, check=False
            )
        if run.returncode not in (0, 1):
            sys.exit(f"mutants: the {kind} tests did not run; see {kept / 'output'}")
        combined = CoverageData(basename=str(kept / "coverage"))
        for part in kept.glob("coverage.*"):
            data = CoverageData(basename=str(part))
            data.read()
            combined.update(data)
            part.unlink()
        combined.write()
        (kept / "done").touch()
    return read_record(kept)


def read_record(kept: Path) -> Record:
    """Read what a run has recorded."""
    data = CoverageData(basename=str(kept / "coverage"))
    data.read()
    lines: dict[str, dict[int, set[str]]] = {}
    for file in data.measured_files():
        path = file.partition("/src/")[2]
        contexts = data.contexts_by_lineno(file)
        lines[f"src/{path}"] = {line: {name_of_test(each) for each in tests} for line, tests in contexts.items()}
    told = [json.loads(line) for part in kept.glob("tests.*") for line in part.read_text().splitlines()]
    failed = (kept / "failed").read_text().splitlines() if (kept / "failed").exists() else []
    return Record(lines, {test: seconds for test, seconds, _ in told}, frozenset(map(json.loads, failed)))


def name_of_test(context: str) -> str:
    """Return the test of a context: a process that a test starts adds the phase."""
    return re.sub(r" \((setup|call|teardown)\)$", "", context)


# A mutant is tried.


def killed_by(folder: Path, tests: list[str], record: Record, exhaustive: bool) -> str:
    """Return the first test that fails, what limit was reached, or nothing."""
    within = 0.0
    first = [test for test in tests[:100] if (within := within + record.seconds[test]) <= FIRST]
    for part in (first, tests[len(first) :]):
        killer = run_tests(folder, part, sum(map(record.seconds.__getitem__, part)), exhaustive) if part else ""
        if killer:
            return killer
    return ""


def run_tests(folder: Path, tests: list[str], seconds: float, exhaustive: bool) -> str:
    """Run these tests in the clone up to the first failure, and return what fails."""
    listed = folder.with_suffix(".tests")
    listed.write_text("\n".join(tests) + "\n")
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider"]
    # No byte code is written: that of a mutant could be taken for that of the next.
    variables = environment(folder, LOSSMITH_EXHAUSTIVE="1" if exhaustive else "", PYTHONDONTWRITEBYTECODE="1")
    with subprocess.Popen(
        limited([*pytest, f"@{listed}"]),
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=PATIENCE + 10 * seconds)
        except subprocess.TimeoutExpired:
            return f"a limit: more than {PATIENCE + 10 * seconds:.0f} seconds"
        finally:
            stop(process)
    if process.returncode == 0:
        return ""
    failure = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - (.*))?$", output, re.MULTILINE)
    if process.returncode == 4:
        if "found no collectors" in output or "while loading conftest" in output:
            return "an import that fails"
        if "not found: " not in output:
            raise RuntimeError(f"pytest refuses its arguments:\n{output}")
        files = sorted({test.split("::")[0] for test in tests})  # a parameter has another name: run the whole files
        return run_tests(folder, files, seconds, exhaustive)
    if process.returncode == 5:  # the tests that are to run are not there any more
        return "a test that is gone"
    reason = (failure[2] or "") if failure else ""
    if process.returncode < 0 or "MemoryError" in reason:
        return f"a limit: {'memory' if 'MemoryError' in reason else f'signal {-process.returncode}'}"
    return failure[1] if failure else f"exit code {process.returncode} of pytest"


def stop(process: subprocess.Popen[str]) -> None:
    """End a process and all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


class Trial:
    """Everything that trying a mutant needs; the exhaustive tests are recorded when a mutant first needs them."""

    def __init__(self, state: str, jobs: int) -> None:
        self.state, self.jobs, self.lock = state, jobs, threading.Lock()
        self.clones: SimpleQueue[Path] = SimpleQueue()
        with ThreadPoolExecutor(jobs) as pool:
            for folder in pool.map(clone, range(jobs)):
                self.clones.put(folder)
        self.listed = equivalent()
        self.fast = recorded(BUILD / "tree-0", state, "fast", jobs)

    def outcome(self, mutant: Mutant) -> Outcome:
        """Plant the mutant and try it with the fast tests."""
        reason = self.listed.get(described(mutant))
        if reason is not None:
            return Outcome("equivalent", reason)
        killer = self.tried(mutant, self.fast, exhaustive=False)
        return Outcome("fast", killer) if killer else Outcome("survived", "")

    def outcome_of_survivor(self, mutant: Mutant, record: Record) -> Outcome:
        """Plant a mutant that the fast tests miss and try it with the exhaustive tests."""
        killer = self.tried(mutant, record, exhaustive=True)
        return Outcome("exhaustive", killer) if killer else Outcome("survived", "")

    def tried(self, mutant: Mutant, record: Record, exhaustive: bool) -> str:
        """Return what kills the mutant, if anything."""
        tests = record.tests_of(mutant)
        if not tests:
            return ""
        folder = self.clones.get()
        target = folder / mutant.path
        before, times = target.read_bytes(), target.stat()
        try:
            target.write_text(planted(parsed(mutant.path), mutant.mutation, VARIATIONS))
            return killed_by(folder, tests, record, exhaustive)
        finally:
            target.write_bytes(before)
            os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))  # so that its byte code is good again
            self.clones.put(folder)


# The report.


def report(outcomes: dict[Mutant, Outcome], seed: int) -> str:
    """Return the table of packages, and the mutants that were not killed by the fast tests."""
    lines = [f"{len(outcomes)} mutants, seed {seed}", "", HEADER]
    packages = sorted({mutant.package for mutant in outcomes})
    for package in [*packages, ""]:
        counts = Counter(o.how for mutant, o in outcomes.items() if package in (mutant.package, ""))
        total = counts.total() - counts["equivalent"]
        row = [package or "all", counts.total(), *(counts[how] for how in KINDS), share(counts["fast"], total)]
        lines.append("{:22}{:>8}{:>6}{:>12}{:>10}{:>12}   {}".format(*row))
    limits = sum(o.by.startswith("a limit") for o in outcomes.values())
    lines += ["", f"killed by a limit of time or memory, among those killed: {limits}"]
    for how, title in TITLES.items():
        each = [f"  {mutant}" + f"\n    {o.by}" * bool(o.by) for mutant, o in outcomes.items() if o.how == how]
        lines += ["", f"{title}: {len(each)}", *each]
    return "\n".join(lines)


KINDS = ("fast", "exhaustive", "survived", "equivalent")
HEADER = "{:22}{:>8}{:>6}{:>12}{:>10}{:>12}   {}".format("package", "planted", *KINDS, "killed by the fast tests")
TITLES = {
    "exhaustive": "Killed by an exhaustive test only (a fast test must kill each of these)",
    "survived": "Survived",
    "equivalent": "Equivalent",
}


def share(killed: int, total: int) -> str:
    """Return a share with its exact 95 % interval, by Clopper and Pearson."""
    if not total:
        return "–"
    interval = binomtest(killed, total).proportion_ci(0.95)
    return f"{killed / total:.0%} ({interval.low:.0%} to {interval.high:.0%})"


def main() -> int:
    """Plant the sample and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="how many mutants to plant (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the sample (default 0)")
    parser.add_argument("--jobs", type=int, default=2, help="how many to try at a time (default 2)")
    arguments = parser.parse_args()
    state = state_of_the_tree()
    BUILD.mkdir(parents=True, exist_ok=True)
    trial, chosen = Trial(state, arguments.jobs), sample(arguments.count, arguments.seed)
    outcomes = dict.fromkeys(chosen, Outcome("survived", "not tried"))

    def try_all(mutants: list[Mutant], how: object) -> None:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for i, (mutant, outcome) in enumerate(zip(mutants, pool.map(how, mutants)), 1):
                outcomes[mutant] = outcome
                print(f"{i}/{len(mutants)} {outcome.how:10} {mutant}  {outcome.by}", flush=True)

    try_all(chosen, trial.outcome)
    survivors = [mutant for mutant, outcome in outcomes.items() if outcome.how == "survived"]
    if survivors:
        paths = [mutant.path for mutant in survivors]
        record = recorded(BUILD / "tree-0", state, "exhaustive", arguments.jobs, paths)
        try_all(survivors, lambda mutant: trial.outcome_of_survivor(mutant, record))
    text = report(outcomes, arguments.seed)
    (BUILD / "report.txt").write_text(text + "\n")
    print(f"\n{text}")
    return 1 if any(outcome.how == "exhaustive" for outcome in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
