"""Many questions, however many workers: the answers in order, none lost with a worker, none made of an interrupt.

Workers of the fast tests are threads, and once two processes.
"""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from functools import partial
from types import SimpleNamespace

import pytest
from joblib import parallel_config
from joblib.parallel import ThreadingBackend

import lossmith as lm
from lossmith.answers.cataloguing import catalogue
from lossmith.errors import BadInput, NotAnswered, TooLarge
from lossmith.sweeping import Store, sweep
from sweeping.asking import (
    asked,
    deadly,
    deadly_square,
    first_raises,
    insatiable,
    noted_square,
    process_and_number,
    raises_at_7,
    square,
    squares,
    swallowing,
    too_large,
    twofold,
)

MANY = pytest.param(2, marks=pytest.mark.exhaustive)
FEW = [lm.losses.zero_one, lm.losses.abstain], [lm.surrogates.crammer_singer, lm.surrogates.softmax]


class AllAtOnce(ThreadingBackend):
    """A backend that answers all at once, as Ray's does."""

    supports_return_generator = False


def in_threads():
    """Let `n_jobs=2` mean two threads of this process."""
    return parallel_config(backend="threading", n_jobs=2)


@pytest.mark.parametrize("jobs", [1, MANY])
def test_the_answers_come_in_the_order_of_the_questions(jobs):
    assert list(sweep(math.sqrt, [x * x for x in range(500)], n_jobs=jobs)) == list(range(500))


def test_nothing_is_asked_of_nobody():
    assert list(sweep(math.sqrt, [], n_jobs=2)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_over_the_whole_sweep(jobs):
    seen = []
    with in_threads():
        list(sweep(abs, range(40), n_jobs=jobs, progress=lambda *far: seen.append(far)))

    assert seen == [(done, 40) for done in range(1, 41)]


def test_progress_counts_what_the_store_held():
    seen = []
    with Store() as store:
        list(sweep(square, squares([1, 2]), store=store))
        list(sweep(square, squares([1, 2, 3, 3]), store=store, progress=lambda *far: seen.append(far)))

    assert seen == [(2, 3), (3, 3)]


def test_what_is_no_store_or_no_question_for_it_is_refused():
    with pytest.raises(BadInput, match=r"'x\.sqlite'.*lossmith\.sweeping\.Store\('x\.sqlite'\)"):
        lm.which("zero-one:n=2", store="x.sqlite")
    with Store() as store, pytest.raises(BadInput, match=r"Question, .* 7; .*named="):
        sweep(square, [7], store=store)


@pytest.mark.parametrize("jobs", [0, "2", 2.5])
def test_what_is_no_number_of_processes_is_refused(jobs):
    with pytest.raises(BadInput, match=rf"n_jobs \w+ {jobs!r};"):
        sweep(math.sqrt, [4], n_jobs=jobs)


def test_none_leaves_the_workers_to_joblib():
    with in_threads():
        assert list(sweep(math.sqrt, [x * x for x in range(50)], n_jobs=None)) == list(range(50))


@pytest.mark.parametrize(
    "backend",
    [AllAtOnce(), pytest.param("multiprocessing", marks=pytest.mark.exhaustive)],
    ids=["threads", "processes"],
)
def test_workers_that_answer_all_at_once_are_asked_in_rounds(tmp_path, backend):
    with parallel_config(backend=backend, n_jobs=2), Store() as store:
        kept = list(sweep(partial(noted_square, tmp_path), squares(range(40)), n_jobs=None, store=store))

    assert [each.value for each in kept] == [x**2 for x in range(40)]
    assert asked(tmp_path) == list(range(40))


def test_two_processes_answer_in_the_order_of_the_questions():
    """Started by a fork of this process, which is much sooner done than to start two that load what they need."""
    with parallel_config(backend="multiprocessing", n_jobs=2):
        found = list(sweep(process_and_number, range(12), n_jobs=None))

    assert [number for _, number in found] == list(range(12))
    assert os.getpid() not in {process for process, _ in found}


@pytest.mark.exhaustive
def test_a_worker_that_dies_is_replaced_and_nothing_is_lost(tmp_path):
    assert list(sweep(partial(deadly, tmp_path / "died"), range(60), n_jobs=2)) == [-x for x in range(60)]
    assert (tmp_path / "died").exists()


def test_a_worker_of_ray_that_dies_is_replaced_as_well(monkeypatch):
    class RayActorError(Exception):
        """What Ray raises where a worker died."""

    def ask(number):
        if number == 7 and number not in died:
            died.append(number)
            raise RayActorError
        return -number

    died = []
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(exceptions=SimpleNamespace(RayActorError=RayActorError)))
    with in_threads():
        assert list(sweep(ask, range(20), n_jobs=None)) == [-x for x in range(20)]
    assert died == [7]


def test_a_question_whose_worker_dies_is_asked_once_more_and_then_named(tmp_path):
    with in_threads():
        again = sweep(partial(first_raises, tmp_path / "died", BrokenExecutor), range(60), n_jobs=None)
        assert list(again) == [-x for x in range(60)]
        with Store(tmp_path / "kept.sqlite") as store, pytest.raises(NotAnswered) as caught:
            sweep(raises_at_7, squares(range(60)), n_jobs=None, store=store)
        with Store(tmp_path / "kept.sqlite") as store:
            kept = {question.inputs: answer.value for question, answer in store}

    assert kept == {number: number**2 for number in kept}
    assert 7 not in kept
    assert re.search(rf"question 8: .*; '{re.escape(str(tmp_path))}.* {len(kept)} \w+ 60 ", str(caught.value))


@pytest.mark.exhaustive
def test_a_question_that_ends_its_worker_every_time_is_named_and_the_others_are_kept(tmp_path):
    store = tmp_path / "squares.sqlite"
    with (
        Store(store) as opened,
        pytest.raises(NotAnswered, match=r'question 38: \["square",1,37,\{\},".+"\]; .* \d+ \w+ 60 '),
    ):
        sweep(partial(deadly_square, tmp_path), squares(range(60)), n_jobs=2, store=opened)

    with Store(store) as opened:
        before = {question.inputs for question, _ in opened}
        (folder := tmp_path / "later").mkdir()
        kept = list(sweep(partial(noted_square, folder), squares(range(60)), store=opened))
    assert before
    assert asked(folder) == sorted(set(range(60)) - before)
    assert [each.value for each in kept] == [x**2 for x in range(60)]


@pytest.mark.parametrize("jobs", [1, MANY])
def test_an_error_ends_the_sweep_and_what_was_answered_is_kept(jobs):
    with Store() as store:
        with pytest.raises(TooLarge, match=r"^7 "):
            sweep(too_large, squares(range(50)), n_jobs=jobs, store=store)
        kept = {question.inputs: answer.value for question, answer in store}

    assert 7 not in kept
    assert all(value == number**2 for number, value in kept.items())
    assert jobs == 2 or sorted(kept) == list(range(7))


@pytest.mark.exhaustive
def test_what_does_not_pickle_stays_here():
    lock = threading.Lock()
    said = r"'_thread\.lock'.*n_jobs"
    with pytest.raises(BadInput, match=said):
        list(sweep(lambda number: bool(lock) and number, range(3), n_jobs=2))
    with pytest.raises(BadInput, match=said):
        list(sweep(bool, [*range(100), lock], n_jobs=2))

    assert list(sweep(lambda number: bool(lock) and number, range(3), n_jobs=1)) == [0, 1, 2]


@pytest.mark.exhaustive
def test_an_error_that_does_not_pickle_is_not_taken_for_the_end_of_a_worker():
    with pytest.raises(RuntimeError, match=r"^Twofold: 7 is odd$"):
        list(sweep(twofold, [2, 7], n_jobs=2))


@pytest.mark.parametrize("backend", ["threading", pytest.param("loky", marks=pytest.mark.exhaustive)])
def test_a_question_that_takes_all_memory_is_named(backend):
    with parallel_config(backend=backend), pytest.raises(NotAnswered, match=r"question 2: 7$"):
        list(sweep(insatiable, [2, 7], n_jobs=2))


def test_what_an_interrupt_has_cut_short_is_no_answer():
    before = signal.getsignal(signal.SIGINT)
    with Store() as store:
        with pytest.raises(KeyboardInterrupt):
            sweep(swallowing, squares(range(10)), store=store)
        assert all(kept.value == question.inputs**2 for question, kept in store)
        assert 7 not in {question.inputs for question, _ in store}
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.exhaustive
def test_a_sweep_may_be_left_early():
    found = sweep(abs, range(1000), n_jobs=2)

    assert next(found) == 0
    found.close()


def test_a_catalogue_says_the_same_out_of_a_store(tmp_path):
    plain = catalogue(*FEW)
    with Store(tmp_path / "verdicts.sqlite") as store:
        kept = [catalogue(*FEW, store=store) for _ in range(2)]

    for each in kept:
        assert each.to_dict() == plain.to_dict()
        assert each.to_html() == plain.to_html()
        assert [entry.certificate for entry in each.found] == [entry.certificate for entry in plain.found]


@pytest.mark.exhaustive
def test_a_catalogue_is_the_same_bit_for_bit_with_one_two_and_four_workers():
    found = [catalogue(n=3, n_jobs=jobs) for jobs in (1, 2, 4)]
    with Store() as store:
        found.append(catalogue(n=3, n_jobs=2, store=store))

    assert len({each.to_html() for each in found}) == 1


SLOW = """
import sys
from functools import partial
from lossmith.sweeping import Store, sweep
from sweeping.asking import slow_square, squares
folder, path, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Store(path) as store:
    print("begun", flush=True)
    sweep(partial(slow_square, folder, float(sys.argv[5])), squares(range(int(sys.argv[4]))), n_jobs=jobs, store=store)
"""


def started(folder, path, jobs, questions=120, seconds=0.05):
    """A sweep of questions that take so many seconds each, in a session of its own, when it has begun."""
    tests = os.path.dirname(os.path.dirname(__file__))
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, folder, path, str(jobs), str(questions), str(seconds)],
        env={**os.environ, "PYTHONPATH": tests},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout.readline() == "begun\n"
    return process


def session(leader):
    """The processes of a session that are alive."""
    listed = subprocess.run(["ps", "-s", str(leader), "-o", "stat="], capture_output=True, text=True, check=False)
    return [state for state in listed.stdout.split() if not state.startswith("Z")]


def until(happened, seconds):
    """Whether it happens in time."""
    end = time.monotonic() + seconds
    while not happened() and time.monotonic() < end:
        time.sleep(0.05)
    return happened()


@pytest.mark.exhaustive
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_sweep_goes_on_and_what_was_kept_is_not_asked_again(tmp_path, jobs):
    (first := tmp_path / "first").mkdir()
    (second := tmp_path / "second").mkdir()
    path = tmp_path / "squares.sqlite"
    process = started(first, path, jobs)
    assert until(lambda: len(asked(first)) >= 40 * jobs, 60)
    process.kill()
    process.communicate()

    with Store(path) as store:
        kept = {question.inputs for question, _ in store}
        again = sweep(partial(noted_square, second), squares(range(120)), store=store)
        assert [each.value for each in again] == [x**2 for x in range(120)]
    assert kept
    assert kept <= set(asked(first))
    assert asked(second) == sorted(set(range(120)) - kept)
    assert until(lambda: not session(process.pid), 30)


@pytest.mark.exhaustive
def test_a_worker_that_was_asked_nothing_yet_ends_with_a_sweep_that_is_killed(tmp_path):
    process = started(tmp_path, tmp_path / "squares.sqlite", 2, questions=1, seconds=600)
    assert until(lambda: commands(process.pid).count("LokyProcess") == 2, 60)
    process.kill()
    process.communicate(timeout=60)  # which workers would keep open

    assert until(lambda: not session(process.pid), 30)


def commands(leader):
    """What the processes of a session were started as."""
    asked_ = ["ps", "-ww", "-s", str(leader), "-o", "args="]
    return subprocess.run(asked_, capture_output=True, text=True, check=False).stdout


@pytest.mark.exhaustive
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_sweep_in_the_middle_and_leaves_no_process(tmp_path, sign):
    """Its workers say nothing, and of 2,000 questions, which take 100 seconds, only a few more are asked."""
    process = started(tmp_path, tmp_path / "squares.sqlite", 2, questions=2000)
    assert until(lambda: len(asked(tmp_path)) >= 10, 60)
    os.killpg(process.pid, sign)
    _, complaints = process.communicate(timeout=60)

    assert complaints.count("Traceback") == (sign == signal.SIGINT)  # of the sweep
    assert until(lambda: not session(process.pid), 30)
    assert len(asked(tmp_path)) < 1000
