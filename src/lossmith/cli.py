"""The command line: every question of the library, for a loss in a file or from a family."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import click

from lossmith import __version__
from lossmith.analysis.trigger_probabilities import MAX_VERTICES
from lossmith.calibration.checking import check
from lossmith.calibration.scanning import scan
from lossmith.calibration.verdicts import Verdict
from lossmith.designing import METHODS, ccdim, design
from lossmith.errors import BadInput, Impossible, LossmithError, NotFound, UnknownName, nearest
from lossmith.exact.rational import as_rationals
from lossmith.families import usage
from lossmith.geometry.double_description import Progress
from lossmith.geometry.simplex import as_distribution
from lossmith.losses import CATALOGUE
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import loss_named
from lossmith.practice import which
from lossmith.study import analyze
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.surrogates.named import pred_named, surrogate_named

_LOSS_HELP = "LOSS is a .csv, .tsv or .json file (rows: truth, columns: decision), or a family:\n\n\b\n" + "\n".join(
    f"  {usage(each)}" for each in CATALOGUE
)


_SURROGATE_HELP = (
    "SURROGATE is a family, or file.py:name (the file is executed), a surrogate or a function of n:\n\n\b\n"
    + "\n".join(f"  {usage(each)}" for each in SURROGATES)
)

_max_vertices = click.option(
    "--max-vertices",
    type=click.IntRange(min=1),
    default=MAX_VERTICES,
    show_default=True,
    help="Give up when the cells have more vertices than this.",
)

_pred = click.option(
    "--pred",
    help="The pred that decides: argmax, sign, nearest, argmax-gap:tau=1/2, argmax-threshold:tau=0, sign-code:tau=1/2, "
    "decide (least expected loss), or file.py:name (executed).  [default: whether any pred would do]",
)
_within = click.option(
    "--within",
    multiple=True,
    help='Only distributions with, e.g., "p[0] >= 3/5, p[1] <= mild"; repeat it for a union.',
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
    lossmith which costs.csv
    lossmith ccdim costs.csv
    lossmith design costs.csv --certificate proof.json
    lossmith scan crammer-singer:n=3 abstain:n=3 --pred argmax-gap:tau=? --from 0 --to 2
    lossmith verify proof.json
    """


@commands.command("analyze", epilog=_LOSS_HELP)
@click.argument("loss")
@click.option("--no-cells", is_flag=True, help="Leave out where each decision is optimal: for large matrices.")
@_max_vertices
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def analyze_command(loss: str, no_cells: bool, max_vertices: int, as_json: bool) -> None:
    """Study a loss matrix: which decisions are never needed, dimensions, where each decision is optimal.

    \b
    lossmith analyze costs.csv
    lossmith analyze abstain:n=4,cost=1/3
    lossmith analyze costs.csv --json
    """
    matrix = loss_named(loss)
    with _progress(f"cells of {matrix.name}") as progress:
        study = analyze(matrix, cells=not no_cells, max_vertices=max_vertices, progress=progress)
    click.echo(study.to_json() if as_json else study)


@commands.command("plot", epilog=_LOSS_HELP)
@click.argument("loss")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="A .png, .svg, .pdf or .pgf file.  [default: NAME.png]"
)
@click.option("--point", "points", multiple=True, help="Mark a distribution: mild=1/2,severe=1/2 or 1/2,0,1/2.")
def plot_command(loss: str, output: str | None, points: Sequence[str]) -> None:
    """Draw where each decision is optimal, for 2, 3 or 4 labels.

    \b
    lossmith plot costs.csv -o costs.svg
    lossmith plot abstain:n=3 --point 1/3,1/3,1/3
    """
    matrix = loss_named(loss)
    marked = {text: _distribution(text, matrix) for text in points}
    from lossmith import plot  # matplotlib loads only where something is drawn

    path = output or re.sub(r"[^\w.-]+", "-", matrix.name).strip("-") + ".png"
    plot.save(plot.trigger_sets(matrix, points=marked), path)
    click.echo(f"wrote {path}")


@commands.command("check", epilog=_SURROGATE_HELP + "\n\n" + _LOSS_HELP)
@click.argument("surrogate")
@click.argument("loss")
@_pred
@_within
@click.option("--certificate", type=click.Path(dir_okay=False), help="Write the proof to this JSON file.")
@click.option("--plot", "picture", type=click.Path(dir_okay=False), help="Draw the verdict, for 2, 3 or 4 labels.")
@_max_vertices
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def check_command(
    surrogate: str,
    loss: str,
    pred: str | None,
    within: Sequence[str],
    certificate: str | None,
    picture: str | None,
    max_vertices: int,
    as_json: bool,
    latex: bool,
) -> int:
    """Decide whether SURROGATE is calibrated for LOSS, with proof: exit 0 if it is, 1 if not, 3 if undecided.

    \b
    lossmith check crammer-singer:n=3 zero-one:n=3
    lossmith check crammer-singer:n=3 abstain:n=3 --pred argmax-gap:tau=1/2
    lossmith check softmax:n=3 costs.csv --pred argmax --plot verdict.svg
    lossmith check crammer-singer:n=2 zero-one:n=2 --within "p[0] >= 3/5" --within "p[1] >= 3/5"
    lossmith check mine.py:psi costs.csv --certificate proof.json
    """
    matrix = loss_named(loss)
    psi = surrogate_named(surrogate, matrix.n)
    with _progress(f"cells of {psi.name}") as progress:
        verdict = check(
            psi,
            matrix,
            pred_named(pred) if pred else None,
            list(within) or None,
            max_vertices=max_vertices,
            progress=progress,
        )
    written = []
    if certificate is not None and verdict.certificate is None:
        click.echo(f"lossmith: undecided, so {certificate} was not written", err=True)
    if certificate is not None and verdict.certificate is not None:
        verdict.certificate.to_json(certificate)
        written.append(certificate)
    if picture is not None and verdict.status != "undecided":
        from lossmith import plot

        plot.save(plot.verdict(verdict), picture)
        written.append(picture)
    if as_json:
        click.echo(json.dumps(verdict.to_dict(), indent=1, ensure_ascii=False))
    else:
        click.echo("\n".join([str(verdict.to_latex() if latex else verdict), *(f"wrote {path}" for path in written)]))
    return {"calibrated": 0, "not calibrated": 1, "undecided": 3}[verdict.status]


@commands.command("scan", epilog=_SURROGATE_HELP + "\n\n" + _LOSS_HELP)
@click.argument("surrogate")
@click.argument("loss")
@_pred
@_within
@click.option("--from", "low", required=True, help="The smallest value.")
@click.option("--to", "high", required=True, help="The largest value.")
@_max_vertices
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def scan_command(
    surrogate: str,
    loss: str,
    pred: str | None,
    within: Sequence[str],
    low: str,
    high: str,
    max_vertices: int,
    as_json: bool,
    latex: bool,
) -> None:
    """Find the values of a parameter, written ?, for which SURROGATE is calibrated for LOSS.

    \b
    lossmith scan crammer-singer:n=3 abstain:n=3 --pred argmax-gap:tau=? --from 0 --to 2
    lossmith scan epsilon-insensitive:n=4,eps=? ordinal:n=4 --from 0 --to 1
    lossmith scan binary-encoded:n=4,cost=? abstain:n=4,cost=? --from 0 --to 1
    """
    texts = [surrogate, loss, pred or "", *within]
    if not any("?" in text for text in texts):
        raise BadInput(f"nothing in {' '.join(filter(None, texts))!r} varies; write ? where the value belongs: tau=?")

    def question(x: Fraction) -> Verdict:
        named = [text.replace("?", str(x)) for text in texts]
        matrix = loss_named(named[1])
        rule = pred_named(named[2]) if pred else None
        psi = surrogate_named(named[0], matrix.n)
        return check(psi, matrix, rule, named[3:] or None, max_vertices=max_vertices)

    with _progress("values") as progress:
        found = scan(question, low, high, progress=progress)
    if as_json:
        click.echo(json.dumps(found.to_dict(), indent=1, ensure_ascii=False))
    else:
        click.echo(found.to_latex() if latex else found)


@commands.command("ccdim", epilog=_LOSS_HELP)
@click.argument("loss")
@click.option("--no-designs", is_flag=True, help="Leave out the search for surrogates in fewer dimensions.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def ccdim_command(loss: str, no_designs: bool, as_json: bool, latex: bool) -> None:
    """Bound the convex calibration dimension of LOSS: how many real-valued functions must be learned.

    \b
    lossmith ccdim costs.csv
    lossmith ccdim abstain:n=6
    """
    matrix = loss_named(loss)
    with _progress(f"bounds for {matrix.name}") as progress:
        bounds = ccdim(matrix, designs=not no_designs, progress=progress)
    if as_json:
        click.echo(json.dumps(bounds.to_dict(), indent=1, ensure_ascii=False))
    else:
        click.echo(bounds.to_latex() if latex else bounds)


@commands.command("design", epilog=_LOSS_HELP)
@click.argument("loss")
@click.option("--dim", type=int, help="The dimension.  [default: the fewest that can be certified]")
@click.option("--method", help=f"One of {', '.join(METHODS)}.")
@click.option("--budget", type=click.IntRange(min=1), default=1000, show_default=True, help="Configurations to search.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--jobs", type=int, default=1, show_default=True, help="Processes that search.")
@click.option("--certificate", type=click.Path(dir_okay=False), help="Write the proof to this JSON file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def design_command(
    loss: str,
    dim: int | None,
    method: str | None,
    budget: int,
    seed: int,
    jobs: int,
    certificate: str | None,
    as_json: bool,
) -> int:
    """Make a surrogate that is calibrated for LOSS: exit 0, 1 if that is impossible, 3 if none was found.

    \b
    lossmith design costs.csv
    lossmith design abstain:n=4 --dim 2 --certificate bep.json
    lossmith design zero-one:n=3 --method max-min-hinge
    """
    matrix = loss_named(loss)
    try:
        with _progress(f"design for {matrix.name}") as progress:
            found = design(matrix, dim, method, seed=seed, budget=budget, n_jobs=jobs, progress=progress)
    except (Impossible, NotFound) as error:
        click.echo(f"lossmith: {error}", err=True)
        return 1 if isinstance(error, Impossible) else 3
    if certificate is not None:
        found.certificate.to_json(certificate)
    if as_json:
        click.echo(json.dumps({**found.to_dict(), "made_by": found.made_by}, indent=1, ensure_ascii=False))
    else:
        click.echo(f"{found}\nMade by {found.made_by}." + (f"\nwrote {certificate}" if certificate else ""))
    return 0


@commands.command("which", epilog=_LOSS_HELP)
@click.argument("loss")
@click.option("--class-weight", help="One weight per label, as given to the estimator: 1,2,5.")
@click.option("--estimator", help="Only estimators whose name contains this.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def which_command(loss: str, class_weight: str | None, estimator: str | None, as_json: bool) -> None:
    """Tell what common estimators train, how they decide, and whether that is calibrated for LOSS.

    \b
    lossmith which costs.csv
    lossmith which zero-one:n=3 --class-weight 1,1,5
    lossmith which ordinal:n=5 --estimator mord
    """
    matrix = loss_named(loss)
    weights = None if class_weight is None else [part.strip() for part in class_weight.split(",")]
    lines = which(matrix, weights, estimator)
    if as_json:
        click.echo(json.dumps([line.to_dict() for line in lines], indent=1, ensure_ascii=False))
        return
    for line in lines:
        click.echo(line)


@commands.command("verify")
@click.argument("certificate")
@click.option("--explain", is_flag=True, help="Say what the certificate proves, step by step.")
def verify_command(certificate: str, explain: bool) -> int:
    """Check a certificate with the separate checker: exit 0 if accepted, 1 if rejected.

    \b
    lossmith verify proof.json
    lossmith verify proof.json --explain
    """
    import lossmith_verify
    from lossmith.certificates.explaining import explain as explained

    try:
        text = Path(certificate).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {certificate!r}: {error.strerror}") from None
    answer = lossmith_verify.check(text)
    click.echo(explained(text) if explain else answer)
    return 0 if answer.accepted else 1


def _distribution(text: str, loss: LossMatrix) -> tuple[Fraction, ...]:
    parts = [part.strip() for part in text.split(",")]
    if "=" not in text:
        return as_distribution(parts, loss.n)
    names = [str(label) for label in loss.labels]
    values = ["0"] * loss.n
    for part in parts:
        name, equals, value = (piece.strip() for piece in part.rpartition("="))
        if not equals:
            raise BadInput(f"--point {text}: {part!r} is not of the form label=probability")
        if name not in names:
            raise UnknownName(f"--point {text}: no label is called {name!r}; {nearest(name, names)}")
        values[names.index(name)] = value
    return as_distribution(as_rationals(values, f"--point {text}"), loss.n)


@contextmanager
def _progress(title: str) -> Iterator[Progress | None]:
    """A progress bar on the terminal for work that takes longer than a moment; nothing when piped."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), transient=True)
    started = time.monotonic()
    task = bar.add_task(title, total=None)

    def report(done: int, total: int) -> None:
        if time.monotonic() - started > 0.5:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        bar.stop()
