"""What several commands share: how losses and surrogates are named, options, the progress bar."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from lossmith.errors import BadInput
from lossmith.families import Family, by_name
from lossmith.geometry.double_description import Progress
from lossmith.losses import FAMILIES
from lossmith.losses.files import STANDARD_INPUT
from lossmith.losses.named import loss_named
from lossmith.losses.sources import is_file
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.text.files import picture_ending, refuse_unwritable
from lossmith.text.names import one_line
from lossmith.text.numbers import as_fractions

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
SOON = 1.0  # seconds before anything is shown

LOSS_HELP = (
    "LOSS is a .csv, .tsv, .json or .xlsx file (rows: truth, columns: decision), - for the standard input, or a family "
    "such as abstain:n=4."
)
SURROGATE_HELP = (
    "SURROGATE is a family such as softmax, with the sizes of the loss unless they are given, softmax:n=3; or "
    "file.py:name (the file is executed), a surrogate or a function of n."
)
_LISTED = "`lossmith families` lists the families."
LOSS_EPILOG, PAIR_EPILOG = f"{LOSS_HELP} {_LISTED}", f"{SURROGATE_HELP}\n\n{LOSS_HELP} {_LISTED}"


def _completing(families: Iterable[Family[..., Any]]) -> Callable[..., list[CompletionItem]]:
    """Names of families that begin so, for the shell; else its own names of files."""
    names = list(by_name(families))

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        known = [CompletionItem(name) for name in names if incomplete and name.startswith(incomplete)]
        return known or [CompletionItem(incomplete, type="file")]

    return complete


gains_option = click.option("--gains", is_flag=True, help="The file says what is gained, not what is lost.")


def loss_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """LOSS, and --gains: the command is called with the loss that they name."""

    @wraps(command)
    def read_and_run(*, loss: str, gains: bool, **others: Any) -> Any:
        surrogate = str(others.get("surrogate", ""))
        if is_file(surrogate) and not surrogate.endswith(".py"):
            raise BadInput(f"{surrogate!r} is a file, not a surrogate; the surrogate comes first, then the loss")
        if loss == others.get("probabilities") == STANDARD_INPUT:
            raise BadInput("costs and probabilities cannot both come from the standard input; name a file for one")
        with reading(loss):
            read = loss_named(loss, gains)
        return command(loss=read, **others)

    return click.argument("loss", shell_complete=_completing(FAMILIES))(gains_option(read_and_run))


surrogate_argument = click.argument("surrogate", shell_complete=_completing(SURROGATES))


class _OutputFile(click.Path):
    """A file to be written; that its folder is there is seen before the work is done."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        refuse_unwritable(str(path))
        return path


class _PictureFile(_OutputFile):
    """A file for a picture, whose ending says of which kind."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        picture_ending(str(path))
        return path


OUTPUT_FILE = _OutputFile(dir_okay=False)
PICTURE_FILE = _PictureFile(dir_okay=False)

exact_option = click.option(
    "--exact",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, wanted: context.with_resource(as_fractions()) if wanted else None,
    help="Print numbers exactly, as fractions.",
)

certificate_option = click.option("--certificate", type=OUTPUT_FILE, help="Write the proof to this JSON file.")


def max_vertices_option(default: int | None, shown: str | bool = True) -> Callable[[F], F]:
    """The option --max-vertices, which refusals for size recommend."""
    return click.option(
        "--max-vertices",
        type=click.IntRange(min=1),
        default=default,
        show_default=shown,
        help="Give up when the cells have more vertices than this.",
    )


corners_option = click.option(
    "--max-vertices",
    type=click.IntRange(min=1),
    default=None,
    show_default="10000, fewer above 100 labels",
    help="Do without the corners of the cells when they are more than this.",
)

_PRED = (
    "The pred that decides: argmax, sign, nearest, cuts:at=0,1,3, sort, votes, argmax-gap:tau=1/2, "
    "argmax-threshold:tau=0, sign-code:tau=1/2, open-tags:tau=1/2, top-k, deepest, reject, decide (least expected "
    "loss), or file.py:name (executed)."
)
pred_option = click.option("--pred", help=f"{_PRED}  [default: whether any pred would do]")
customary_pred_option = click.option("--pred", help=f"{_PRED}  [default: see above]")
within_option = click.option(
    "--within",
    multiple=True,
    help='Only distributions with, e.g., "p[0] >= 3/5, p[1] <= mild"; repeat it for a union.',
)

output_option = click.option("-o", "--output", type=OUTPUT_FILE, help="Write this file.  [default: print]")


def format_option(formats: Mapping[str, str]) -> Callable[[F], F]:
    """The option --format, and --json for one of its values."""
    chosen = click.option(
        "--format", "form", type=click.Choice(list(formats)), help="[default: by the ending of FILE, else the first]"
    )
    as_json = click.option("--json", "form", flag_value="json", help="The same as --format json.")
    return lambda command: chosen(as_json(command))


def format_wanted(form: str | None, output: str | None, formats: Mapping[str, str], default: str) -> str:
    """The format that was asked for, by name or by the ending of the file.

    >>> format_wanted(None, "table.tex", {"text": ".txt", "latex": ".tex"}, "text")
    'latex'
    """
    ending = "" if output is None else Path(output).suffix.lower()
    if form is not None or not ending:
        return form or default
    known = {each: name for name, each in formats.items()}
    if ending not in known:
        *most, last = known
        raise BadInput(f"cannot write {output!r}; the file must end in {', '.join(most)} or {last}")
    return known[ending]


class _Bar:
    """A progress bar that appears only if there is time for it, so that short work does not wait for rich to load."""

    def __init__(self, title: str) -> None:
        self._title, self._last = title, (0, 0)
        self._guard, self._over = threading.Lock(), False
        self._bar: Any = None
        self._timer = threading.Timer(SOON, self._show)  # for work that does not report, too
        self._timer.daemon = True
        self._timer.start()

    def report(self, done: int, total: int) -> None:
        """Note how far the work is."""
        self._last = (done, total)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total or None)

    def close(self) -> None:
        """Leave nothing of it on the terminal."""
        self._timer.cancel()
        with self._guard:
            self._over = True
            if self._bar is not None:
                self._bar.stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with self._guard:
            if self._over:
                return
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            bar.add_task(escape(one_line(self._title)), total=None)
            bar.start()
            self._bar = bar
        self.report(*self._last)


@contextmanager
def progress_bar(title: str) -> Iterator[Progress | None]:
    """Show on the terminal that the work goes on, when it takes a second, and how far it is; nothing when piped."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(title)
    try:
        yield bar.report
    finally:
        bar.close()


def reading(name: str) -> AbstractContextManager[object]:
    """A progress bar while a file is read; none where somebody may be typing."""
    return nullcontext() if name == STANDARD_INPUT else progress_bar(f"reading {name}")


def each_in_time(title: str, made: Callable[[Progress], Iterator[T]]) -> Iterator[T]:
    """The items, with a progress bar over all of them while one is made, and none while it is printed."""
    far, shown = [0, 0], list[Progress]()

    def report(done: int, total: int) -> None:
        far[:] = done, total
        for bar in shown:
            bar(done, total)

    @contextmanager
    def waiting() -> Iterator[None]:
        with progress_bar(title) as bar:
            shown[:] = [] if bar is None else [bar]
            report(*far)
            yield
        shown.clear()

    with waiting():
        items = made(report)  # or what is wrong is said before anything is printed
    return _each(items, waiting)


def _each(items: Iterator[T], waiting: Callable[[], AbstractContextManager[None]]) -> Iterator[T]:
    nothing = object()
    while True:
        with waiting():
            item = next(items, nothing)
        if item is nothing:
            return
        yield item  # type: ignore[misc]
