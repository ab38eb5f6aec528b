"""Sweeps on a real Dask cluster of processes: the same answers, also when a worker or the scheduler is lost."""

from __future__ import annotations

import contextlib
import logging
import math
import os
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
from command import lossmith
from lossmith.answers.cataloguing import catalogue
from lossmith.errors import BadInput, NotAnswered
from lossmith.sweeping import Store, sweep
from lossmith.sweeping.cluster import on_cluster
from ports import free_port
from sweeping.asking import deadly, slow_square, squares

FEW = [lm.losses.zero_one, lm.losses.abstain], [lm.surrogates.crammer_singer, lm.surrogates.softmax]
pytestmark = pytest.mark.filterwarnings("default:::distributed", "default:unclosed:ResourceWarning")


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


def test_a_cluster_answers_in_the_order_of_the_questions(cluster):
    with on_cluster(cluster.scheduler_address):
        assert list(sweep(math.sqrt, [x * x for x in range(500)], n_jobs=None)) == list(range(500))


def test_the_backend_of_joblib_is_enough(cluster):
    from distributed import Client

    with Client(cluster, set_as_default=False) as client, parallel_config(backend="dask", client=client):
        assert list(sweep(math.sqrt, [x * x for x in range(50)], n_jobs=None)) == list(range(50))


def test_what_does_not_pickle_is_refused_also_where_it_comes_late(cluster):
    with (
        on_cluster(cluster.scheduler_address),
        pytest.raises(BadInput, match=r"cannot be sent to other processes \(cannot pickle '_thread\.lock' object\)"),
    ):
        list(sweep(bool, [*range(300), threading.Lock()], n_jobs=None))


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
    said = r"died twice .* question 4: 37|or every worker of it, is gone"  # Dask may not replace so many
    with two_workers() as own, on_cluster(own.scheduler_address), pytest.raises(NotAnswered, match=said):
        list(sweep(partial(deadly, None), range(34, 38), n_jobs=None))


def test_a_port_where_nobody_speaks_is_no_scheduler(monkeypatch):
    monkeypatch.setattr("lossmith.sweeping.cluster.PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        with (
            pytest.raises(BadInput, match=r"no Dask scheduler answers at .* \(timed out\); start one"),
            on_cluster(address),
        ):
            pass


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
    assert run.stderr.startswith(f"lossmith: no Dask scheduler answers at '{address}'")
    assert run.stderr.count("\n") == 1  # a client of Dask that found nobody left a traceback, after twenty seconds


def test_without_dask_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    answer = lossmith("ranking-table", "--to", "3", "--cluster", "tcp://127.0.0.1:8786")

    assert answer.returncode == 2
    assert answer.stderr == "lossmith: a cluster needs dask: pip install 'lossmith[cluster]'\n"


def test_jobs_are_here_or_there():
    answer = lossmith("ranking-table", "--jobs", "2", "--cluster", "tcp://127.0.0.1:8786")

    assert answer.returncode == 2
    assert "give one of the two" in answer.stderr


def test_workers_of_another_version_are_refused(cluster, monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda _: "0.0")  # here, not there
    there = on_cluster(cluster.scheduler_address)
    with pytest.raises(BadInput, match=r"has lossmith .*, here is 0\.0; install the same version there"):
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
        stopped = time.monotonic()
        printed, complaint = first.communicate(timeout=120)
        assert time.monotonic() - stopped < 25  # sooner than one gives up workers that do not come
        assert (first.returncode, printed) == (4, "")
        assert complaint.count("\n") == 1
        assert "the scheduler of the cluster, or every worker of it, is gone; start them again" in complaint
        with Store(path) as store:
            assert f"holds {len(store)} of " in complaint
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
