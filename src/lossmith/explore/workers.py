"""Processes that answer: each one question at a time, within its time, and to be stopped at any moment.

A question that nobody waits for any more is interrupted as by Ctrl-C, to which all of lossmith answers within a moment;
the process stays warm for the next one. One that does not answer is killed and replaced. One process is kept for what
is asked while somebody types, so that no long computation is in the way.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

from lossmith.errors import LossmithError, TooLarge

SECONDS = {True: 20.0, False: 300.0}  # for a quick question, and for another
_GRACE = 5.0  # seconds from the interrupt to the end: imports are not interrupted
_MOST_WAITING = 8  # questions that wait for a process
_CONTEXT = get_context("spawn")
_EVERY, _SLICE = 0.1, 0.2  # seconds between two messages of progress, and between two looks


def _work(connection: Connection) -> None:
    """Answer until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # but while a question is answered
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    from lossmith.explore.answers import QUESTIONS

    with suppress(EOFError, OSError):
        while True:
            question, asked = connection.recv()
            connection.send(_answer(connection, QUESTIONS[question], asked))


def _answer(connection: Connection, question: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
    said = 0.0

    def progress(done: int, total: int | None = None) -> None:
        nonlocal said
        now = time.monotonic()
        if now - said > _EVERY:
            said = now
            connection.send({"progress": [done, total]})

    try:
        signal.signal(signal.SIGINT, interrupted_outside_imports)
        try:
            return {"answer": question(asked, progress)}
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        return {"stopped": True}
    except LossmithError as error:
        return {"refused": str(error), "cell": getattr(error, "cell", None)}
    except MemoryError:
        return {"refused": "out of memory; choose a smaller problem", "cell": None}
    except Exception as error:  # the page goes on
        return {"refused": f"internal error: {type(error).__name__}: {error}; please report it", "cell": None}


def interrupted_outside_imports(_: int, frame: FrameType | None) -> None:
    """Interrupt, but no import: half a module would fail every later question. Who stops a question asks again."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return
        frame = frame.f_back
    raise KeyboardInterrupt


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """A process that starts within does not see Ctrl-C before it can ignore it."""
    if os.name != "posix":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """A process, and the way to talk with it."""

    def __init__(self) -> None:
        self.connection, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_work, args=(theirs,), daemon=True)
        with _interrupts_held_back():
            self.process.start()
        theirs.close()

    async def message(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None if there is none in time."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            # In slices, so that the thread of a question that nobody waits for any more is free again soon.
            if await asyncio.to_thread(self.connection.poll, min(left, _SLICE)):
                return dict(self.connection.recv())
        return None

    async def stop(self) -> bool:
        """End the question that is being answered; whether the process can go on."""
        if os.name != "posix":
            return False
        with suppress(OSError, EOFError):
            until = time.monotonic() + _GRACE
            while time.monotonic() < until:  # again and again: it may not have begun
                os.kill(self.process.pid or 0, signal.SIGINT)
                message = await self.message(_SLICE)
                if message is not None and "progress" not in message:
                    return True
        return False

    def kill(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class Workers:
    """Some processes: the first for quick questions, the others for those that take long."""

    def __init__(self, slow: int = 1) -> None:
        self._free: dict[bool, asyncio.Queue[_Worker]] = {True: asyncio.Queue(), False: asyncio.Queue()}
        self._all: list[_Worker] = []
        self._waiting = self._running = 0
        self._ending: set[asyncio.Task[None]] = set()
        for quick, count in ((True, 1), (False, slow)):
            for _ in range(count):
                self._start(quick)

    @property
    def running(self) -> int:
        """How many questions are being answered."""
        return self._running

    @property
    def waiting(self) -> int:
        """How many questions wait for a process."""
        return self._waiting

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes."""
        return [each.process.pid or 0 for each in self._all]

    def _start(self, quick: bool) -> None:
        worker = _Worker()
        self._all.append(worker)
        self._free[quick].put_nowait(worker)

    async def ask(self, question: str, asked: Mapping[str, Any], *, quick: bool) -> AsyncIterator[dict[str, Any]]:
        """The messages on a question, the last one being its answer; who stops listening stops the work."""
        if self._waiting >= _MOST_WAITING:
            raise TooLarge(f"{self._waiting} questions are waiting already; wait, or stop one")
        self._waiting += 1
        try:
            worker = await self._free[quick].get()
        finally:
            self._waiting -= 1
        self._running += 1
        whole = False
        try:
            worker.connection.send((question, asked))
            until = time.monotonic() + SECONDS[quick]
            while (message := await worker.message(until - time.monotonic())) is not None:
                whole = "progress" not in message
                yield message
                if whole:
                    return
            late = f"no answer within {SECONDS[quick]:.0f} seconds; the command line has no limit"
            yield {"refused": late, "cell": None}
        except (EOFError, OSError):
            yield {"refused": "the computation ended without an answer, perhaps out of memory", "cell": None}
        finally:
            ending = asyncio.create_task(self._put_back(worker, quick, whole))
            self._ending.add(ending)  # who stops listening is cancelled, but not this
            ending.add_done_callback(self._ending.discard)
            await asyncio.shield(ending)

    async def _put_back(self, worker: _Worker, quick: bool, whole: bool) -> None:
        try:
            if whole or await worker.stop():
                self._free[quick].put_nowait(worker)
                return
            self._all.remove(worker)
            await asyncio.to_thread(worker.kill)
            self._start(quick)
        finally:
            self._running -= 1

    def close(self) -> None:
        """End all processes."""
        for worker in self._all:
            worker.kill()
        self._all.clear()
