"""Options of the commands that ask many questions: how many processes, which cluster, which store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import click

from lossmith.cli.options import OUTPUT_FILE
from lossmith.errors import BadInput
from lossmith.sweeping.store import Store


def workers_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--jobs and --cluster: the command is called with `n_jobs`, on the cluster if there is one."""

    @wraps(command)
    def run(*, jobs: int | None, cluster: str | None, **others: Any) -> Any:
        if cluster is None:
            return command(n_jobs=jobs or 1, **others)
        if jobs is not None:
            raise BadInput(f"--jobs {jobs} is for this machine, --cluster {cluster!r} for others; give one of the two")
        from lossmith.sweeping.cluster import on_cluster

        with _quiet(), on_cluster(cluster):
            return command(n_jobs=None, **others)

    jobs = click.option("--jobs", type=click.IntRange(min=1), help="Processes that work.  [default: 1]")
    cluster = click.option(
        "--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers do it: tcp://host:8786."
    )
    return jobs(cluster(run))


def store_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """--store: the command is called with the store that it names, or None."""

    @wraps(command)
    def run(*, store: str | None, **others: Any) -> Any:
        if store is None:
            return command(store=None, **others)
        with Store(store) as opened:
            try:
                return command(store=opened, **others)
            except BaseException as error:
                error.add_note(f"{store!r} keeps what was answered, and the same command goes on from there")
                raise

    help_ = "Keep the answers in this file as they come; the same command goes on from there."
    return click.option("--store", type=OUTPUT_FILE, help=help_)(run)


@contextmanager
def _quiet() -> Iterator[None]:
    """Let Dask log nothing: what goes wrong is said in one line."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
