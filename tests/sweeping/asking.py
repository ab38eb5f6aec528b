"""What the tests of sweeps ask, where workers can import it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path

from lossmith.errors import TooLarge
from lossmith.sweeping import Answer, Question


def squares(numbers):
    """A question for each number."""
    return [Question("square", number) for number in numbers]


def square(question):
    return Answer(question.inputs**2, {"proof": f"{question.inputs} times {question.inputs}"})


def noted_square(folder, question):
    """The square, after a line in a file of the worker's own that tells which question was asked."""
    with open(Path(folder) / f"{os.getpid()}.txt", "a") as stream:
        stream.write(f"{question.inputs}\n")
    return square(question)


def slow_square(folder, seconds, question):
    time.sleep(seconds)
    return noted_square(folder, question)


def asked(folder):
    """The questions that were asked, in order, and as often as they were."""
    return sorted(int(line) for path in Path(folder).glob("*.txt") for line in path.read_text().split())


def deadly(where, number):
    """−number, unless the number is 37: that ends the worker, the first time only if `where` is a file to note it."""
    if number == 37 and not (where and Path(where).exists()):
        if where:
            Path(where).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return -number


def first_raises(where, error, number):
    """−number, unless the number is 7: that raises the error, the first time only if `where` is a file to note it."""
    if number == 7 and not (where and Path(where).exists()):
        if where:
            Path(where).touch()
        raise error("lost")
    return -number


def raises_at_7(question):
    """The square; 7 ends its worker every time, as far as joblib tells."""
    if question.inputs == 7:
        raise BrokenExecutor
    return square(question)


def process_and_number(number):
    return os.getpid(), number


def deadly_square(folder, question):
    if question.inputs == 37:
        os.kill(os.getpid(), signal.SIGKILL)
    return noted_square(folder, question)


def too_large(question):
    if question.inputs == 7:
        raise TooLarge("7 is too large; ask for less")
    return square(question)


def swallowing(question):
    """The square; an interrupt, which 7 brings, is swallowed, as the bounds of ccdim do, and less is answered."""
    try:
        if question.inputs == 7:
            signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        return Answer(0)
    return square(question)


class Twofold(Exception):
    """An error that cannot be made again of what pickle keeps of it."""

    def __init__(self, number, why):
        super().__init__(f"{number} is {why}")


def twofold(number):
    if number == 7:
        raise Twofold(number, "odd")
    return number


def insatiable(number):
    """The number; 7 asks for more memory than there is."""
    return number if number != 7 else len(bytearray(2**62))


@contextmanager
def as_nobody() -> Iterator[None]:
    """Be somebody who is not root, whom permissions stop."""
    own = os.geteuid()
    if own == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(own)
