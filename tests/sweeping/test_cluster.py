"""Sweeps on a Dask cluster: the same answers, also when a worker or the scheduler is lost.

The fast tests have a stand-in for Dask; the exhaustive ones start a real cluster of processes.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from joblib import parallel_config

import lossmith as lm
from command import assert_refused, lossmith
from lossmith.answers.cataloguing import catalogue
from lossmith.errors import BadInput, NotAnswered
from lossmith.sweeping import Store, sweep
from lossmith.sweeping.cluster import on_cluster
from ports import free_port
from sweeping import dask_in_threads
from sweeping.asking import deadly, first_raises, slow_square, square, squares

FEW = [lm.losses.zero_one, lm.losses.abstain], [lm.surrogates.crammer_singer, lm.surrogates.softmax]
pytestmark = pytest.mark.filterwarnings("default:::distributed", "default:unclosed:ResourceWarning")


# The stand-in.

SAME = {"tcp://a": None, "tcp://b": None}  # the version of this lossmith


def test_workers_of_a_client_answer_in_the_order_of_the_questions_and_a_store_keeps_the_answers(monkeypatch):
    dask_in_threads.install(monkeypatch, SAME)
    with dask_in_threads.scheduler() as address, on_cluster(address), Store() as store:
        assert list(sweep(math.sqrt, [x * x for x in range(100)], n_jobs=None)) == list(range(100))
        assert [each.value for each in sweep(square, squares(range(9)), n_jobs=None, store=store)] == [
            x**2 for x in range(9)
        ]


def test_a_question_whose_worker_died_is_asked_again(monkeypatch, tmp_path):
    dask_in_threads.install(monkeypatch, SAME)
    ask = partial(first_raises, tmp_path / "died", dask_in_threads.KilledWorker)
    with dask_in_threads.scheduler() as address, on_cluster(address):
        assert list(sweep(ask, range(20), n_jobs=None)) == [-x for x in range(20)]
    assert (tmp_path / "died").exists()


@pytest.mark.parametrize(
    ("error", "quoted"),
    [(dask_in_threads.KilledWorker, ["question 8: 7"]), (dask_in_threads.CommClosedError, [])],
    ids=["worker", "scheduler"],
)
def test_without_a_worker_or_a_scheduler_the_sweep_ends(monkeypatch, error, quoted):
    dask_in_threads.install(monkeypatch, SAME)
    with dask_in_threads.scheduler() as address, on_cluster(address), pytest.raises(NotAnswered) as caught:
        list(sweep(partial(first_raises, None, error), range(20), n_jobs=None))
    assert all(each in str(caught.value) for each in quoted)


def test_what_cannot_be_sent_is_refused_also_where_it_comes_late(monkeypatch):
    dask_in_threads.install(monkeypatch, SAME)
    with (
        dask_in_threads.scheduler() as address,
        on_cluster(address),
        pytest.raises(BadInput, match=r"'_thread\.lock'.*n_jobs"),
    ):
        list(sweep(bool, [*range(300), threading.Lock()], n_jobs=None))


@pytest.mark.parametrize(
    ("versions", "quoted"),
    [
        ({"tcp://a": None, "tcp://b": "0.0"}, ["tcp://b", " 0.0,", lm.__version__]),
        ({"tcp://a": ImportError("No module named 'lossmith'")}, ["tcp://a", "No module named 'lossmith'"]),
        ({}, ["dask worker tcp://127.0.0.1:"]),
    ],
    ids=["another version", "no lossmith", "no workers"],
)
def test_workers_that_answer_otherwise_are_refused(monkeypatch, versions, quoted):
    dask_in_threads.install(monkeypatch, versions)
    with dask_in_threads.scheduler() as address, pytest.raises(BadInput) as caught, on_cluster(address):
        pass
    assert all(each in str(caught.value) for each in quoted)


def test_a_program_that_hangs_up_or_says_nothing_is_no_scheduler(monkeypatch):
    dask_in_threads.install(monkeypatch, SAME)
    monkeypatch.setattr("lossmith.sweeping.cluster.PATIENCE", 0.2)
    with dask_in_threads.scheduler(b"") as address, pytest.raises(BadInput, match=f"'{address}'"), on_cluster(address):
        pass
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(BadInput, match=f"'{address}'"), on_cluster(address):
            pass


def test_an_address_where_nobody_listens_is_refused_in_a_line(monkeypatch):
    dask_in_threads.install(monkeypatch, SAME)
    address = f"tcp://127.0.0.1:{free_port()}"
    assert_refused(lossmith("ranking-table", "--to", "3", "--cluster", address), f"'{address}'")


def test_without_dask_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    answer = lossmith("ranking-table", "--to", "3", "--cluster", "tcp://127.0.0.1:8786")
    assert_refused(answer, "pip install 'lossmith[cluster]'")


def test_jobs_are_here_or_there():
    answer = lossmith("ranking-table", "--jobs", "2", "--cluster", "tcp://127.0.0.1:8786")
    assert_refused(answer, "--jobs", "--cluster")


# A real cluster.


@contextlib.contextmanager
def two_workers():
    """Two workers, each a process with one thread, that only this machine can reach."""
    from distributed import LocalCluster

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1"
    ) as started:
        yield started


@pytest.fixture(scope="module")
def shared():
    with two_workers() as started:
        yield started


@pytest.fixture
def cluster(shared):
    """Both workers are there, also after a test that killed one."""
    wait_for_workers(shared.scheduler_address, 2)
    return shared


def wait_for_workers(address, number):
    from distributed import Client

    with Client(address, set_as_default=False, timeout=60) as client:
        client.wait_for_workers(number, timeout=60)


@pytest.mark.exhaustive
def test_a_cluster_answers_in_the_order_of_the_questions(cluster):
    with on_cluster(cluster.scheduler_address):
        assert list(sweep(math.sqrt, [x * x for x in range(500)], n_jobs=None)) == list(range(500))


@pytest.mark.exhaustive
def test_the_backend_of_joblib_is_enough(cluster):
    from distributed import Client

    with Client(cluster, set_as_default=False) as client, parallel_config(backend="dask", client=client):
        assert list(sweep(math.sqrt, [x * x for x in range(50)], n_jobs=None)) == list(range(50))


@pytest.mark.exhaustive
def test_what_does_not_pickle_is_refused_also_where_it_comes_late(cluster):
    with (
        on_cluster(cluster.scheduler_address),
        pytest.raises(BadInput, match=r"'_thread\.lock'.*n_jobs"),
    ):
        list(sweep(bool, [*range(300), threading.Lock()], n_jobs=None))


@pytest.mark.exhaustive
def test_a_catalogue_is_the_same_bit_for_bit_as_here(cluster):
    with on_cluster(cluster.scheduler_address), Store() as store:
        found = [catalogue(*FEW, n_jobs=None), catalogue(*FEW, n_jobs=None, store=store)]

    assert {each.to_html() for each in found} == {catalogue(*FEW).to_html()}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "command",
    [
        "catalogue --json",
        "census --labels 3 --decisions 4 --entries 0..1 --json",
        "scan crammer-singer abstain:n=3 --pred argmax-gap:tau=? --from 0 --to 2 --json",
        "which zero-one:n=4 --json",
        "design abstain:n=4 --dim 2 --json",
        "ranking-table --to 6 --json",
        "demonstrate crammer-singer zero-one:n=3 --pred argmax --json",
        "reproduce --json",
    ],
)
def test_every_command_prints_the_same_on_a_cluster_and_here(cluster, command, tmp_path):
    here, there, kept = (
        lossmith(*command.split(), *more)
        for more in (
            (),
            ("--cluster", cluster.scheduler_address),
            ("--cluster", cluster.scheduler_address, "--store", str(tmp_path / "store.sqlite")),
        )
    )
    for answer in (there, kept):
        assert answer.stderr == ""
        assert (answer.returncode, answer.stdout) == (here.returncode, here.stdout)


@pytest.mark.exhaustive
def test_a_worker_that_is_killed_in_the_middle_takes_nothing_with_it(cluster, tmp_path):
    ask = partial(slow_square, tmp_path, 0.05)
    with on_cluster(cluster.scheduler_address), Store() as store:
        threading.Timer(1, lambda: os.kill(cluster.workers[0].pid, signal.SIGKILL)).start()
        kept = list(sweep(ask, squares(range(100)), n_jobs=None, store=store))

    assert [each.value for each in kept] == [x**2 for x in range(100)]


@pytest.mark.exhaustive
def test_a_command_goes_on_when_one_of_its_workers_is_killed(cluster, tmp_path, monkeypatch):
    path, command, keep, keys = tmp_path / "store.sqlite", ["ranking-table", "--to", "16", "--json"], Store.keep, []

    def kept(store, question, answer):
        keep(store, question, answer)
        keys.append(question.key)
        if len(keys) == 5:
            os.kill(cluster.workers[1].pid, signal.SIGKILL)

    monkeypatch.setattr(Store, "keep", kept)
    there = lossmith(*command, "--cluster", cluster.scheduler_address, "--store", str(path))

    assert (there.returncode, there.stdout, there.stderr) == (0, lossmith(*command).stdout, "")
    assert len(keys) == len(set(keys)) == 4 * 15


@pytest.mark.exhaustive
def test_a_question_that_ends_every_worker_is_named():
    """Or Dask does not replace so many workers, and there is none left."""
    with two_workers() as own, on_cluster(own.scheduler_address), pytest.raises(NotAnswered) as caught:
        list(sweep(partial(deadly, None), range(34, 38), n_jobs=None))
    assert "question 4: 37" in str(caught.value) or "question" not in str(caught.value)


@pytest.mark.exhaustive
def test_an_address_that_is_none_is_refused_at_once():
    address = f"tcp://127.0.0.1:{free_port()}"  # a name would be asked for elsewhere, by whoever knows names
    run = subprocess.run(
        [sys.executable, "-m", "lossmith", "ranking-table", "--to", "3", "--cluster", address],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 2
    assert run.stderr.startswith("lossmith: ")
    assert f"'{address}'" in run.stderr
    assert run.stderr.count("\n") == 1  # a client of Dask that found nobody left a traceback, after twenty seconds


@pytest.mark.exhaustive
def test_workers_of_another_version_are_refused(cluster, monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda _: "0.0")  # here, not there
    there = on_cluster(cluster.scheduler_address)
    with pytest.raises(BadInput, match=rf"{lm.__version__}\b.* 0\.0;"):
        there.__enter__()


# The scheduler as a process of its own, which can be stopped and started again.


def scheduler_on(port, folder):
    return _dask("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", cwd=folder)


def worker_of(address, folder):
    return _dask("worker", address, "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard", cwd=folder)


def _dask(*arguments, cwd):
    tests = str(Path(__file__).parent.parent)
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": tests},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize("question", ["catalogue -n 6 --json", "ranking-table --to 26 --json"])
def test_when_the_scheduler_stops_the_same_command_goes_on_from_the_store(question, tmp_path):
    port = free_port()
    address, path = f"tcp://127.0.0.1:{port}", tmp_path / "answers.sqlite"
    command = [sys.executable, "-m", "lossmith", *question.split(), "--cluster", address, "--store", str(path)]
    running = [scheduler_on(port, tmp_path), worker_of(address, tmp_path)]
    try:
        wait_for_workers(address, 1)
        first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while first.poll() is None and _size(path) < 40_000:
            time.sleep(0.05)
        running[0].kill()
        printed, complaint = first.communicate(timeout=120)
        assert (first.returncode, printed) == (4, "")
        assert complaint.count("\n") == 1
        with Store(path) as store:
            assert re.search(rf"'{re.escape(str(path))}' \w+ {len(store)} ", complaint)
            assert len(store)

        running += [scheduler_on(port, tmp_path), worker_of(address, tmp_path)]
        wait_for_workers(address, 1)
        again = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (again.returncode, again.stderr) == (0, "")
        assert again.stdout == lossmith(*question.split()).stdout
    finally:
        for process in running:
            process.kill()
            process.wait()


def _size(path):
    return path.stat().st_size if path.exists() else 0
