"""What the command line takes, recommends, and shows while it works."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lossmith as lm
from command import assert_refused, lossmith, lossmith_in_a_process
from lossmith import cli
from lossmith.cli import COMMANDS, options
from lossmith.losses import FAMILIES
from lossmith.surrogates import CATALOGUE as SURROGATES

SOURCE = Path(__file__).parent.parent / "src" / "lossmith"
COSTS = "truth,wait,treat\nwell,0,1\nill,5,0\n"
GAINS = "truth,wait,treat\nwell,0,-1\nill,-5,0\n"  # the same, as gains
READING = [  # commands that read a loss, with what else they need
    ("analyze", "{}"),
    ("check", "softmax", "{}"),
    ("ccdim", "{}"),
    ("design", "{}"),
    ("which", "{}"),
    ("report", "{}", "--json"),
    ("demonstrate", "one-vs-all-hinge", "{}"),
    ("scan", "softmax", "{}", "--pred", "argmax-threshold:tau=?", "--from", "0", "--to", "1"),
    ("catalogue", "--losses", "{}", "--surrogates", "softmax", "-n", "2"),
    ("plot", "{}", "-o", "picture.svg"),
]


LONG = [command for command in READING if command[0] in ("demonstrate", "plot", "report", "scan")]


def filled(command, loss):
    return [word.format(loss) for word in command]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "costs.csv").write_text(COSTS)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "costs.csv").write_text(GAINS)
    return tmp_path


# What is read.


def by_costs_and_by_gains(folder, command):
    """Return both runs, and what is printed of gains before what is printed of costs."""
    by_costs = lossmith(*filled(command, "costs.csv"), cwd=folder)
    by_gains = lossmith(*filled(command, "costs.csv"), "--gains", cwd=folder / "other")
    printed = by_gains.stdout.replace("LossMatrix.from_gains(", "LossMatrix.from_file(")  # the line that reads them
    assert printed.endswith(by_costs.stdout)
    return by_costs, by_gains, printed.removesuffix(by_costs.stdout)


@pytest.mark.parametrize(
    "command", [pytest.param(each, id=each[0], marks=[pytest.mark.exhaustive] * (each in LONG)) for each in READING]
)
def test_gains_are_read_wherever_a_loss_is(folder, command):
    by_costs, by_gains, before = by_costs_and_by_gains(folder, command)
    assert by_gains.returncode == by_costs.returncode in (0, 1, 2)  # the last of what cannot be asked of this loss
    assert before.count("\n") == (2 if command[0] in ("analyze", "which") else 0)
    if by_costs.returncode < 2:
        assert by_gains.stderr == by_costs.stderr == ""


@pytest.mark.parametrize("command", ["analyze --theory", "sensitivity", "which --estimator Ridge"])
def test_costs_that_were_gains_are_called_so(folder, command):
    verb, *options = command.split()
    _, _, before = by_costs_and_by_gains(folder, (verb, "{}", *options))
    assert before.endswith("\n\n")


@pytest.mark.parametrize("command", ["analyze costs.csv --json", "decide costs.csv cases.csv"])
def test_beside_data_they_are_called_so_in_the_standard_error(folder, command):
    (folder / "other" / "cases.csv").write_text("well,ill\n0.5,0.5\n")
    run = lossmith(*command.split(), "--gains", cwd=folder / "other")
    assert run.stderr.startswith("lossmith: ")
    assert len(run.stderr.splitlines()) == 1
    assert "gain" not in run.stdout


def test_negative_costs_are_refused_with_the_option_that_reads_gains(folder):
    run = lossmith("analyze", "costs.csv", cwd=folder / "other")
    assert_refused(run, "-1", "--gains")


def test_a_family_has_no_gains():
    assert_refused(lossmith("analyze", "zero-one:n=3", "--gains"), "zero-one:n=3", "--gains")


@pytest.mark.parametrize("content", [COSTS, '{"labels": ["well", "ill"], "entries": [[0, 1], [5, 0]]}', "0,1\n5,0\n"])
def test_the_standard_input_is_read(monkeypatch, content):
    stream = io.TextIOWrapper(io.BytesIO(content.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    run = lossmith("ccdim", "-")
    assert (run.returncode, run.stderr) == (0, "")
    assert "CCdim(loss) = 1" in run.stdout


@pytest.mark.exhaustive
def test_a_pipe_is_read_in_a_process_of_its_own():
    command = [sys.executable, "-m", "lossmith", "check", "softmax", "-", "--pred", "argmax"]
    run = subprocess.run(command, input=COSTS.encode(), capture_output=True, timeout=120, check=False)
    assert run.returncode == 1, run.stderr
    assert run.stdout


def test_costs_and_probabilities_cannot_both_be_piped():
    assert_refused(lossmith("decide", "-", "-"))


def test_a_bad_table_in_a_pipe_is_refused_by_name(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"truth,a,b\nx,0,-1\ny,1,0\n")))
    assert_refused(lossmith("analyze", "-"), "'x'", "'b'", "-1")


def test_a_scan_reads_the_standard_input_once(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0,1,2\n1,0,1\n2,1,0\n")))
    scan = ("scan", "epsilon-insensitive:n=3,eps=?")
    run = lossmith(*scan, "-", "--from", "0", "--to", "1")
    named = lossmith(*scan, "ordinal:n=3", "--from", "0", "--to", "1")
    assert run.returncode == named.returncode == 0, run.stderr
    assert run.stdout == named.stdout


def test_a_surrogate_takes_its_size_from_the_loss(folder):
    short, long = (lossmith("check", f"softmax{size}", "costs.csv", cwd=folder) for size in ("", ":n=2"))
    assert (short.returncode, short.stdout) == (long.returncode, long.stdout) == (0, long.stdout)


def test_the_name_of_an_estimator_points_to_which(folder):
    for name in ("LinearSVC", "RandomForestClassifier", "LGBMClassifier"):
        run = lossmith("check", name, "costs.csv", cwd=folder)
        assert_refused(run, f"lossmith which LOSS --estimator {name}")
    assert lossmith("which", "costs.csv", "--estimator", "LinearSVC", cwd=folder).returncode == 0


def test_arguments_in_the_wrong_order_are_told(folder):
    assert_refused(lossmith("check", "costs.csv", "softmax", cwd=folder), "'costs.csv'")


# What is printed on demand.


def test_the_version_has_a_short_option():
    assert lossmith("-V").stdout == lossmith("--version").stdout
    assert lossmith("-V").stdout.split()[-1] == lm.__version__


@pytest.mark.parametrize("command", [each.name for each in COMMANDS])
def test_every_help_fits_a_screen_or_nearly(command):
    lines = lossmith(command, "--help").stdout.splitlines()
    assert len(lines) <= 48
    assert max(map(len, lines)) <= 100


def test_families_are_listed_once_by_a_command_of_their_own():
    families = (*FAMILIES, *SURROGATES)
    listed = lossmith("families").stdout
    for each in families:
        assert listed.count(f"\n  {each.name.replace('_', '-')}:") == 1
    assert max(map(len, listed.splitlines())) <= 112
    for command in COMMANDS:
        shown = lossmith(command.name, "--help").stdout
        assert sum(f"{each.name.replace('_', '-')}:" in shown for each in families) <= 5


def test_a_family_is_told_by_its_name():
    told = lossmith("families", "abstain").stdout
    assert told.startswith("abstain:n=…,cost=1/2\n")
    assert "exmp:loss-abstain" in told
    assert lossmith("families", "abstain:n=3").stdout == told
    assert_refused(lossmith("families", "abstian"), "'abstian'", "'abstain'")
    assert_refused(lossmith("families", "focal-loss:n=3"), "focal ")


# Options that notes and refusals recommend.


def test_every_option_that_a_message_recommends_exists():
    """In every text outside the command line itself, and in its refusals."""
    known = {option for command in COMMANDS for parameter in command.params for option in parameter.opts}
    recommended = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text()
        if path.parent.name != "text":  # style sheets
            recommended |= set(re.findall(r"(?<![\w`-])--[a-z][a-z-]+", text))
    assert {"--max-vertices", "--gains", "--pred", "--estimator", "--normalize", "--json"} <= recommended
    assert recommended - {"--help", "--version"} <= known


@pytest.mark.parametrize(
    "command",
    [
        ("ccdim", "zero-one:n=30", "--max-vertices", "50"),
        ("analyze", "zero-one:n=30", "--max-vertices", "50"),
        ("design", "zero-one:n=7", "--method", "max-min-hinge", "--max-vertices", "50"),
        ("demonstrate", "softmax", "zero-one:n=3", "--max-vertices", "50"),
        ("which", "zero-one:n=4", "--max-vertices", "5"),
        ("check", "lee-lin-wahba", "ordinal:n=5", "--max-vertices", "5"),
        ("report", "zero-one:n=5", "--max-vertices", "5", "--json"),
    ],
    ids=lambda command: command[0],
)
def test_the_budget_of_vertices_can_be_set_wherever_a_refusal_names_it(command):
    run = lossmith(*command)
    assert run.returncode in (0, 1, 2, 3)
    assert "No such option" not in run.stderr


def test_a_larger_budget_helps_where_it_is_recommended():
    small = lossmith("design", "zero-one:n=6", "--method", "max-min-hinge", "--max-vertices", "10")
    assert_refused(small, "--max-vertices")
    assert lossmith("design", "zero-one:n=6", "--method", "max-min-hinge", "--max-vertices", "1000").returncode == 0


# The shell.


COMPLETED = [("lossmith dec", "decide"), ("lossmith analyze abst", "abstain"), ("lossmith check soft", "softmax")]


@pytest.mark.parametrize(("words", "expected"), COMPLETED)
def test_the_shell_completes_commands_and_families(words, expected, monkeypatch, capsys):
    monkeypatch.setenv("_LOSSMITH_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    monkeypatch.setattr(sys, "argv", ["lossmith"])
    assert cli.run() == 0
    printed = capsys.readouterr()
    assert f"plain,{expected}" in printed.out.splitlines()
    assert printed.err == ""


def test_the_shell_is_told_how_to_complete(monkeypatch, capsys):
    monkeypatch.setenv("_LOSSMITH_COMPLETE", "zsh_source")
    monkeypatch.setattr(sys, "argv", ["lossmith"])
    assert cli.run() == 0
    assert capsys.readouterr().out.startswith("#compdef lossmith")


@pytest.mark.exhaustive
@pytest.mark.parametrize(("words", "expected"), COMPLETED[:1])
def test_a_process_of_its_own_completes_the_same(words, expected):
    environment = {**os.environ, "_LOSSMITH_COMPLETE": "bash_complete", "COMP_WORDS": words}
    environment["COMP_CWORD"] = str(len(words.split()) - 1)
    program = "import sys; sys.argv = ['lossmith']; from lossmith.cli import main; main()"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert f"plain,{expected}" in run.stdout.splitlines()


# While it works.


@pytest.fixture
def random(tmp_path):
    """A folder with losses that take about a second."""
    for name, n in (("random", 9), ("larger", 20)):
        lm.LossMatrix(np.random.default_rng(0).integers(0, 1000, size=(n, n))).to_csv(tmp_path / f"{name}.csv")
    return tmp_path


def on_a_terminal(*arguments, cwd, soon=1.0):
    """The exit code, what is printed, and what the program shows on a terminal, its standard error."""
    program = (
        "import rich.console, rich.progress, lossmith.cli.options as options; from lossmith.cli import main;"
        f"options.SOON = {soon}; main()"
    )
    ours, theirs = pytest.importorskip("pty").openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, cwd=cwd, env=environment) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the terminal is closed
                break
            shown += part
            if not part:
                break
        printed = process.stdout.read().decode()
    os.close(ours)
    return process.returncode, printed, shown.decode()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("ccdim", "larger.csv"), "larger"),
        (("design", "random.csv", "--dim", "7", "--budget", "400"), "random"),
        (("which", "larger.csv"), ""),
        (("plot", "random.csv", "--graph", "-o", "picture.png"), "picture.png"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_work_shows_on_a_terminal_that_it_goes_on(random, arguments, name):
    code, printed, shown = on_a_terminal(*arguments, cwd=random, soon=0.01)
    assert code in (0, 3)
    assert name in shown
    assert re.search(r"0:00:0\d", shown)  # the time since it began
    assert not re.search(r"0:00:0\d", printed)


def test_it_is_shown_after_a_second():
    assert options.SOON == 1


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("soon", "shows"), [(0, True), (60, False)])
def test_only_long_work_shows_anything(monkeypatch, soon, shows):
    monkeypatch.setattr(options, "SOON", soon)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with options.progress_bar("costs") as report:
        while shows and "costs" not in sys.stderr.getvalue():  # another thread shows it
            report(1, 2)
    assert ("costs" in sys.stderr.getvalue()) == shows


@pytest.mark.exhaustive
def test_short_work_shows_nothing(tmp_path):
    (tmp_path / "costs.csv").write_text(COSTS)
    code, printed, shown = on_a_terminal("ccdim", "costs.csv", cwd=tmp_path)
    assert (code, shown) == (0, "")
    assert "CCdim(costs) = 1" in printed


def test_nothing_is_shown_where_the_error_stream_is_no_terminal(monkeypatch):
    monkeypatch.setattr(options, "SOON", 0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with options.progress_bar("costs") as report:
        assert report is None
    assert sys.stderr.getvalue() == ""


@pytest.mark.exhaustive
def test_nothing_is_shown_where_the_error_stream_is_piped(random):
    assert lossmith_in_a_process("ccdim", "random.csv", cwd=random).stderr == ""
