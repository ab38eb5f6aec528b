"""The command line: every question of the library, for a loss in a file or from a family. One file per command."""

from __future__ import annotations

import os
import sys
import warnings

import click

from lossmith import __version__
from lossmith.cli.analyze import analyze_command
from lossmith.cli.catalogue import catalogue_command
from lossmith.cli.ccdim import ccdim_command
from lossmith.cli.check import check_command
from lossmith.cli.demonstrate import demonstrate_command
from lossmith.cli.design import design_command
from lossmith.cli.plot import plot_command
from lossmith.cli.ranking_table import ranking_table_command
from lossmith.cli.report import report_command
from lossmith.cli.reproduce import reproduce_command
from lossmith.cli.scan import scan_command
from lossmith.cli.verify import verify_command
from lossmith.cli.which import which_command
from lossmith.errors import LossmithError

COMMANDS: tuple[click.Command, ...] = (
    analyze_command,
    plot_command,
    check_command,
    demonstrate_command,
    scan_command,
    ccdim_command,
    design_command,
    which_command,
    ranking_table_command,
    report_command,
    catalogue_command,
    verify_command,
    reproduce_command,
)


def main() -> None:
    """Run the command line; exit 2 on bad input, 130 on Ctrl-C, and quietly when the reader of a pipe has left."""
    warnings.showwarning = lambda message, *_, **__: click.echo(f"lossmith: note: {message}", err=True)
    try:
        code = commands(standalone_mode=False)
        sys.stdout.flush()
    except LossmithError as error:
        click.echo(f"lossmith: {error}", err=True)
        code = 2
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("lossmith: interrupted", err=True)
        code = 130
    except SystemExit as leaving:  # click exits with 1, its stdout wrapped, if the reader of a pipe leaves in mid-print
        code = 0 if type(sys.stdout).__name__.endswith("PacifyFlushWrapper") else leaving.code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains at exit
        code = 0
    sys.exit(code)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="lossmith")
def commands() -> None:
    """Cost matrices in, certified losses out.

    \b
    lossmith analyze costs.csv
    lossmith plot costs.csv -o costs.svg
    lossmith check crammer-singer:n=3 costs.csv --certificate proof.json
    lossmith check softmax:n=3 costs.csv --pred argmax
    lossmith demonstrate softmax:n=3 costs.csv --pred argmax
    lossmith which costs.csv
    lossmith ccdim costs.csv
    lossmith design costs.csv --certificate proof.json
    lossmith ranking-table
    lossmith scan crammer-singer:n=3 abstain:n=3 --pred argmax-gap:tau=? --from 0 --to 2
    lossmith report costs.csv -o report.html
    lossmith catalogue
    lossmith verify proof.json
    lossmith reproduce paper/
    """


for _command in COMMANDS:
    commands.add_command(_command)
