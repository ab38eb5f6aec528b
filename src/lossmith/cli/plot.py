"""lossmith plot: draw where each decision is optimal, or which decisions border on which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import click

from lossmith.cli.options import LOSS_EPILOG, PICTURE_FILE, loss_argument, progress_bar
from lossmith.cli.printing import say_wrote
from lossmith.errors import BadInput, UnknownName, nearest
from lossmith.exact.rational import as_rationals
from lossmith.geometry.simplex import as_distribution
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.protocol import Loss


@click.command("plot", short_help="Draw where each decision is best.", epilog=LOSS_EPILOG)
@loss_argument
@click.option("-o", "--output", type=PICTURE_FILE, help="A .png, .svg, .pdf or .pgf file.  [default: NAME.png]")
@click.option("--labels", help="Draw the cut on these labels: mild,severe or mild,moderate,severe.")
@click.option("--graph", is_flag=True, help="Draw which decisions border on which, for any number of labels.")
@click.option("--point", "points", multiple=True, help="Mark a distribution: mild=1/2,severe=1/2 or 1/2,0,1/2.")
def plot_command(loss: Loss, output: str | None, labels: str | None, graph: bool, points: Sequence[str]) -> None:
    """Draw where each decision is optimal: for 2, 3 or 4 labels, of more on a cut, or as a graph.

    \b
    lossmith plot costs.csv -o costs.svg
    lossmith plot abstain:n=3 --point 1/3,1/3,1/3
    lossmith plot ordinal:n=8 --labels 0,3,7
    lossmith plot ordinal:n=8 --graph
    """
    matrix = loss.matrix()
    if graph and (labels or points):
        raise BadInput("--graph shows all labels and no points; leave out --labels and --point")
    chosen = None if labels is None else [_label(text.strip(), matrix) for text in labels.split(",")]
    marked = {text: _distribution(text, matrix.restrict(labels=chosen)) for text in points}
    path = output or re.sub(r"[^\w.-]+", "-", matrix.name).strip("-") + ".png"
    with progress_bar(f"drawing {path}"):
        from lossmith import plot  # matplotlib loads only where something is drawn

        plot.save(plot.neighbours(matrix) if graph else plot.trigger_sets(matrix, labels=chosen, points=marked), path)
    say_wrote(path)


def _label(text: str, loss: LossMatrix) -> object:
    names = {str(label): label for label in loss.labels}
    if text not in names:
        raise UnknownName(f"--labels: no label is called {text!r}; {nearest(text, names)}")
    return names[text]


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
