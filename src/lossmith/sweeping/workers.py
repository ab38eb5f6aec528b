"""Answers as they come from the workers of joblib, whoever they are; those who die are replaced."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, nullcontext
from math import ceil
from typing import Any, TypeVar

from lossmith.errors import BadInput, NotAnswered
from lossmith.text.names import cut

Q = TypeVar("Q")
A = TypeVar("A")

_WATCH = "lossmith watches the parent"
_GROUPS = 8  # into which suspects are divided
_ROUND = 1.0  # seconds of work that are sent at once to workers who answer all at once


def answers(ask: Callable[[Q], A], questions: Sequence[Q], n_jobs: int | None) -> Iterator[tuple[int, A]]:
    """The answers with the numbers of their questions, in any order.

    When a worker dies, the questions that were with the workers are asked again, a few at a time, so that the one that
    ends its worker is soon alone; when it ends one alone, it is named.

    >>> sorted(answers(abs, [-3, 1, -2], 1))
    [(0, 3), (1, 1), (2, 2)]
    """
    if n_jobs == 1:
        yield from (_answered(ask, i, question) for i, question in enumerate(questions))
        return
    groups, suspected = [list(enumerate(questions))], set[int]()
    while groups:
        group = groups.pop()
        left, sent = dict(group), set[int]()
        try:
            for i, answer in _parallel(ask, group, n_jobs, sent):
                del left[i]
                yield i, answer
        except pickle.PicklingError as error:
            said = f"what is asked cannot be sent to other processes ({_first_cause(error)}); let n_jobs be 1"
            raise BadInput(said) from None
        except _lost() as error:
            _refuse_lost_cluster(error)
            if len(group) == 1 and group[0][0] in suspected:
                number, question = group[0]
                said = f"the worker died twice (out of memory?) at question {number + 1}: {cut(question, 200)}"
                raise NotAnswered(said) from None
            away = sent & left.keys() or set(left)  # what joblib had taken
            rest = [each for each in left.items() if each[0] not in away]
            suspects = [each for each in left.items() if each[0] in away]
            share = max(1, ceil(len(suspects) / _GROUPS))
            groups += [rest] * bool(rest) + [suspects[k : k + share] for k in range(0, len(suspects), share)]
            suspected |= away


def _first_cause(error: BaseException) -> BaseException:
    while error.__context__ is not None:
        error = error.__context__
    return error


def _parallel(
    ask: Callable[[Q], A], questions: Sequence[tuple[int, Q]], n_jobs: int | None, sent: set[int]
) -> Iterator[tuple[int, A]]:
    """What joblib's workers answer; `sent` are the numbers of the questions that it has taken so far."""
    from joblib import Parallel, delayed, effective_n_jobs
    from joblib.parallel import LokyBackend, get_active_backend

    home = os.getpid()

    def tasks(some: Sequence[tuple[int, Q]]) -> Iterator[Any]:
        for i, question in some:
            sent.add(i)
            yield delayed(_answered_by_child)(home, ask, i, question)

    backend, _ = get_active_backend()
    client = getattr(backend, "client", None)  # of Dask
    if client is None and effective_n_jobs(n_jobs) == 1:
        yield from (_answered(ask, i, question) for i, question in questions)
        return
    if client is None and not backend.supports_return_generator:
        yield from _in_rounds(lambda some: Parallel(n_jobs=n_jobs)(tasks(some)), questions)
        return
    how: dict[str, Any] = {"n_jobs": n_jobs}
    if isinstance(backend, LokyBackend) and "initializer" not in backend.backend_kwargs:
        how |= {"initializer": _watch, "initargs": (home,)}
    if client is not None:
        from lossmith.sweeping.cluster import ClusterBackend

        how = {"n_jobs": -1, "backend": ClusterBackend(client)}
    with nullcontext() if client is not None else _interrupts_held_back():
        found = Parallel(**how, return_as="generator_unordered")(tasks(questions))  # which starts the workers
    try:
        for each in found:  # noqa: UP028 (to close this generator would close that one first)
            yield each
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that what nobody waits for any more is cancelled
            found.close()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let processes that start here not hear of Ctrl-C, which a terminal sends to all; they are ended by this one."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as trackers_of_loky

    for tracker in (resource_tracker, trackers_of_loky):  # to start one lets interrupts through again
        tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_rounds(
    answered: Callable[[Sequence[Any]], list[tuple[int, A]]], questions: Sequence[Any]
) -> Iterator[tuple[int, A]]:
    """For backends that answer all at once, as Ray's does: rounds that grow until one takes a second."""
    begin, size = 0, 16
    while begin < len(questions):
        started = time.perf_counter()
        yield from answered(questions[begin : begin + size])
        begin += size
        if time.perf_counter() - started < _ROUND:
            size *= 2


def _answered_by_child(home: int, ask: Callable[[Q], A], i: int, question: Q) -> tuple[int, A]:
    """The answer of a worker, which ends itself if the process `home` is killed and cannot end it."""
    if os.getppid() == home:
        _watch(home)
    try:
        return _answered(ask, i, question)
    except MemoryError:
        raise NotAnswered(f"out of memory at question {i + 1}: {cut(question, 200)}") from None
    except Exception as error:
        if os.getpid() != home and not _travels(error):  # what does not would be taken for the death of the worker
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise


def _travels(error: Exception) -> bool:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return False
    return True


def _watch(parent: int) -> None:
    """Begin to watch the parent, if it is not watched yet."""
    if not any(each.name == _WATCH for each in threading.enumerate()):
        threading.Thread(target=_end_with, args=(parent,), name=_WATCH, daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _answered(ask: Callable[[Q], A], i: int, question: Q) -> tuple[int, A]:
    """The answer; what an interrupt has cut short is none, even where `ask` makes the best of an interrupt."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        return i, ask(question)  # where an interrupt is ignored, or never heard of
    seen: list[int] = []

    def notice(number: int, frame: Any) -> None:
        seen.append(number)
        before(number, frame)

    signal.signal(signal.SIGINT, notice)
    try:
        answer = ask(question)
    finally:
        signal.signal(signal.SIGINT, before)
    if seen:
        raise KeyboardInterrupt
    return i, answer


def _lost() -> tuple[type[BaseException], ...]:
    """How joblib tells that a worker died; the words of Dask and of Ray only where they were loaded."""
    found: tuple[type[BaseException], ...] = (BrokenExecutor,)
    if "distributed" in sys.modules:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker
        from distributed.comm import CommClosedError

        found += (KilledWorker, CancelledError, CommClosedError)
    if "ray" in sys.modules:
        found += (sys.modules["ray"].exceptions.RayActorError,)
    return found


def _refuse_lost_cluster(error: BaseException) -> None:
    """When not a worker is lost, but all of them or the one who knows of them, there is nobody to ask again."""
    one = {"BrokenExecutor", "KilledWorker", "RayActorError"}
    if one.isdisjoint(kind.__name__ for kind in type(error).__mro__):
        raise NotAnswered("the scheduler of the cluster, or every worker of it, is gone; start them again") from None
