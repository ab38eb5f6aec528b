"""What the program says: all of it, or an error that the shell sees; and what the checker thinks of certificates."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import TextIO

import click

from lossmith.certificates.certificate import Certificate
from lossmith.cli.options import progress_bar
from lossmith.errors import NotWritten
from lossmith.sweeping.running import sweep
from lossmith.text.files import replacing
from lossmith.text.names import harmless, one_line

LONG = 500_000  # bytes of certificates; the checker reads more than that in a second


def say(text: object) -> None:
    """Print text; a reader who has left is no error, and the program goes on to its exit code."""
    try:
        click.echo(harmless(str(text)))
    except BrokenPipeError:
        drop(sys.stdout)
    except OSError as error:
        drop(sys.stdout)
        raise NotWritten(f"cannot write to the standard output: {error.strerror or error}") from None


def tell_gains(*, beside: bool = False) -> None:
    """With --gains, say what the costs are: before what is printed, or `beside` data, which are to be read alone."""
    if not click.get_current_context().params["gains"]:
        return
    if beside:
        complain("note: the costs are what is lost against the best gain of each row")
    else:
        say("The gains, as what is lost against the best decision of each row:\n")


def say_json(content: object) -> None:
    """Print plain data as JSON."""
    say(json.dumps(content, indent=1, ensure_ascii=False))


def say_wrote(*paths: object, unless: bool = False) -> None:
    """Name files that were written, unless the output is JSON."""
    for path in () if unless else paths:
        say(f"wrote {one_line(str(path))}")


def say_or_write(text: str, output: str | None) -> None:
    """Print a document, or write it to a file and name that."""
    if output is None:
        say(text.rstrip("\n"))
        return
    with replacing(output) as stream:
        stream.write(text.encode())
    say_wrote(output)


def complain(message: object) -> None:
    """Print one line to the standard error, broken between words on a terminal; nothing where that takes nothing."""
    text = f"lossmith: {one_line(str(message))}"
    if sys.stderr is not None and sys.stderr.isatty():
        width = max(40, shutil.get_terminal_size().columns - 1)
        text = "\n  ".join(textwrap.wrap(text, width - 2, break_long_words=False, break_on_hyphens=False))
    try:
        click.echo(text, err=True)
    except OSError:
        drop(sys.stderr)


def drop(stream: TextIO) -> None:
    """Let a stream lead nowhere, or the interpreter tries again at exit, complains, and changes the exit code."""
    with contextlib.suppress(OSError, ValueError):  # ValueError: it is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_certificate(certificate: Certificate, path: str) -> None:
    """Write a certificate, and say so if the checker refuses it."""
    certificate.to_json(path)
    tell_refused({path: certificate.text})


def tell_refused(certificates: Mapping[str, str], n_jobs: int | None = 1) -> None:
    """Check certificates as their readers will, and name those that the checker refuses, for their size or else."""
    if sum(map(len, certificates.values())) > LONG and not (sys.stderr and sys.stderr.isatty()):
        complain(f"checking {_counted(certificates)}, which may take minutes; Ctrl-C leaves this out")
    with progress_bar(f"checking {_counted(certificates)}") as progress:
        for refusal in sweep(_refusal, certificates.items(), n_jobs=n_jobs, progress=progress):
            if refusal is not None:
                complain(refusal)


def _refusal(certificate: tuple[str, str]) -> str | None:
    """What is to be said of a certificate that is not accepted."""
    import lossmith_verify

    name, text = certificate
    try:
        answer = lossmith_verify.check(text.encode())
    except MemoryError:
        return f"{name} was not checked: out of memory"
    return None if answer.accepted else f"the checker refuses {name}: {answer.why}"


def _counted(certificates: Mapping[str, str]) -> str:
    return f"{len(certificates)} certificates" if len(certificates) > 1 else next(iter(certificates), "")
