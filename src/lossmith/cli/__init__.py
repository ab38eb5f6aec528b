"""The command line: every question of the library, for a loss in a file or from a family. One file per command."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import warnings

import click

from lossmith import __version__
from lossmith.cli.analyze import analyze_command
from lossmith.cli.atlas import atlas_command
from lossmith.cli.catalogue import catalogue_command
from lossmith.cli.ccdim import ccdim_command
from lossmith.cli.census import census_command
from lossmith.cli.check import check_command
from lossmith.cli.decide import decide_command
from lossmith.cli.demonstrate import demonstrate_command
from lossmith.cli.design import design_command
from lossmith.cli.explore import explore_command
from lossmith.cli.families import families_command
from lossmith.cli.plot import plot_command
from lossmith.cli.printing import complain, drop
from lossmith.cli.ranking_table import ranking_table_command
from lossmith.cli.regret import regret_command
from lossmith.cli.report import report_command
from lossmith.cli.reproduce import reproduce_command
from lossmith.cli.scan import scan_command
from lossmith.cli.selftest import selftest_command
from lossmith.cli.sensitivity import sensitivity_command
from lossmith.cli.verify import verify_command
from lossmith.cli.which import which_command
from lossmith.errors import LossmithError, NotAnswered, NotWritten

COMMANDS: tuple[click.Command, ...] = (
    analyze_command,
    decide_command,
    plot_command,
    check_command,
    regret_command,
    demonstrate_command,
    scan_command,
    ccdim_command,
    design_command,
    which_command,
    sensitivity_command,
    ranking_table_command,
    report_command,
    explore_command,
    families_command,
    catalogue_command,
    atlas_command,
    census_command,
    verify_command,
    reproduce_command,
    selftest_command,
)


def main() -> None:
    """Run the command line, and exit with the code of the verdict, or one that no verdict has.

    2 for bad input, 4 for output not written, workers lost, no memory left or an error of ours, 130 on Ctrl-C, 143 on
    SIGTERM, 141 if the reader of a pipe leaves before there is a verdict.
    """
    _fill_standard_descriptors()
    signal.signal(signal.SIGTERM, terminate)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # some terminals cannot show every name
    if sys.stdout is None:
        sys.exit(_failed("the standard output is closed; write >/dev/null to hear nothing", 4))
    sys.set_int_max_str_digits(0)  # what is read has limits of its own, and what follows from it is printed in full
    warnings.showwarning = lambda message, *_, **__: complain(f"note: {message}")
    code = run()
    for number in (signal.SIGINT, signal.SIGTERM):  # what is left is to let go of workers, which end by themselves
        signal.signal(number, signal.SIG_DFL)
    exec("")  # `python -m` remembers a KeyboardInterrupt that left a text it ran, though caught since, and dies of it
    sys.exit(code)


def run() -> int:
    """Run the command that the arguments name, and return the exit code."""
    try:
        return commands(prog_name="lossmith", standalone_mode=False) or 0
    except (NotAnswered, NotWritten) as error:
        return _failed(error, 4)
    except LossmithError as error:
        return _failed(error, 2)
    except click.ClickException as error:
        return _refused(error)
    except KeyboardInterrupt as error:
        return _failed(_with_notes("interrupted", error), 130)
    except click.Abort as error:  # in place of a KeyboardInterrupt, with which some versions of click end
        return _failed(_with_notes("interrupted", error.__context__ or error), 130)
    except _Terminated as error:
        return _failed(_with_notes("terminated", error), 143)
    except MemoryError:
        return _failed("out of memory; choose a smaller problem, or allow more memory", 4)
    except BrokenPipeError:
        drop(sys.stdout)
        return 141
    except SystemExit as leaving:
        if any(name.endswith("LOSSMITH_COMPLETE") for name in os.environ):  # the shell asks what could follow
            return int(leaving.code or 0)
        # click exits with 1, its stdout wrapped, if the reader of a pipe leaves the help
        drop(sys.stdout)
        return 0 if type(sys.stdout).__name__.endswith("PacifyFlushWrapper") else 4
    except OSError as error:
        drop(sys.stdout)
        return _failed(f"the output was not written: {error}", 4)
    except BaseException as error:
        return _failed(f"internal error: {type(error).__name__}: {error}; please report it", 4)


def _with_notes(message: str, error: BaseException) -> str:
    """A message, with what a command has noted of how to go on."""
    return "; ".join([message, *getattr(error, "__notes__", ())])


def _failed(message: object, code: int) -> int:
    complain(message)
    return code


def _refused(error: click.ClickException) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":  # whose message is the help
        try:
            error.show()
        except OSError:
            drop(sys.stderr)
        return error.exit_code
    said = re.sub(r"\.? Did you mean", "; did you mean", error.format_message().rstrip("."))
    where = getattr(error, "ctx", None)
    path = "lossmith" if where is None else where.command_path
    told = f"{said[:1].lower()}{said[1:]}"
    return _failed(told if told.endswith("?") else f"{told}; see {path} --help", error.exit_code)


class _Terminated(BaseException):
    """SIGTERM: everything is left in order, temporary files are removed."""


def terminate(_: int, __: object) -> None:
    """End the command: the handler of SIGTERM."""
    raise _Terminated


def _fill_standard_descriptors() -> None:
    """Where the shell has closed one, the next file that is opened would take its place, and the output of others."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


_EXIT_CODES = (
    "Exit codes: 0 and 1 are answers, 2 bad input or an unreadable file, 3 undecided or not found, 4 output not "
    "written, workers lost, out of memory or an internal error, 130 Ctrl-C, 143 SIGTERM."
)


@click.group(epilog=_EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="lossmith")
def commands() -> None:
    """Cost matrices in, certified losses out.

    \b
    lossmith analyze costs.csv
    lossmith decide costs.csv probabilities.csv -o decisions.csv
    lossmith which costs.csv
    lossmith check softmax costs.csv --pred argmax
    lossmith sensitivity costs.csv
    lossmith report costs.csv -o report.html
    """


for _command in COMMANDS:
    commands.add_command(_command)
