"""Messages of sweeps, of their stores and of clusters."""

from __future__ import annotations

import contextlib
import math
import sqlite3
import sys
import threading
from concurrent.futures import BrokenExecutor
from functools import partial

import pytest
from joblib import parallel_config
from printed import command, message, messages

import lossmith as lm
from lossmith.answers.cataloguing import catalogue
from lossmith.sweeping import Answer, Question, Store, sweep
from lossmith.sweeping.cluster import on_cluster
from sweeping import dask_in_threads
from sweeping.asking import first_raises, insatiable, raises_at_7, square, squares


def in_threads(ask, questions, **how):
    with parallel_config(backend="threading", n_jobs=2):
        return list(sweep(ask, questions, n_jobs=None, **how))


def with_store(call):
    with Store() as store:
        return call(store)


def scan_with_store(store):
    return lm.scan(lambda eps: lm.check(lm.surrogates.epsilon_insensitive(2, eps), "ordinal:n=2"), 0, 1, store=store)


def surrogate_without_a_name(store):
    own = lm.SmoothSurrogate("mine", 2, 1, lambda U: (U - [0, 1]) ** 2, lambda U: 2 * (U - [0, 1])[:, :, None])
    return catalogue([lm.losses.zero_one], [own], 2, store=store)


MESSAGES = {
    "a name in place of a store": lambda: lm.which("zero-one:n=2", store="x.sqlite"),
    "a number in place of a question": lambda: with_store(lambda store: sweep(square, [7], store=store)),
    "no number of processes": lambda: sweep(math.sqrt, [4], n_jobs=0),
    "a question that ends its worker": lambda: in_threads(partial(first_raises, None, BrokenExecutor), range(9)),
    "a question that takes all memory": lambda: in_threads(insatiable, [2, 7]),
    "a function with a store": lambda: with_store(scan_with_store),
    "a surrogate that a store does not know": lambda: with_store(surrogate_without_a_name),
    "a store without a name": lambda: Store(""),
}


def test_messages(snapshot):
    assert messages(MESSAGES) == snapshot


def test_messages_of_a_cluster(snapshot, monkeypatch):
    def entered(versions, ask=math.sqrt, questions=()):
        dask_in_threads.install(monkeypatch, versions)
        with on_cluster(address):
            return list(sweep(ask, questions, n_jobs=None))

    same = {"tcp://a": None}
    monkeypatch.setattr("importlib.metadata.version", lambda _: "1.2.3")
    with dask_in_threads.scheduler() as address:
        killed, gone = (
            partial(first_raises, None, error)
            for error in (dask_in_threads.KilledWorker, dask_in_threads.CommClosedError)
        )
        calls = {
            "another version": lambda: entered({"tcp://a": "0.0"}),
            "no lossmith": lambda: entered({"tcp://a": ImportError("No module named 'lossmith'")}),
            "no workers": lambda: entered({}),
            "what cannot be sent": lambda: entered(same, bool, [threading.Lock()]),
            "a question that ends its worker": lambda: entered(same, killed, range(9)),
            "a scheduler that is gone": lambda: entered(same, gone, range(9)),
        }
        told = messages(calls).replace(address, "ADDRESS")
    with dask_in_threads.scheduler(b"") as address:
        told += "\n" + messages({"a program that hangs up": lambda: entered(same)}).replace(address, "ADDRESS")
    monkeypatch.setitem(sys.modules, "distributed", None)
    told += "\n" + messages({"no Dask": lambda: on_cluster("tcp://127.0.0.1:8786").__enter__()})
    assert told == snapshot


def test_what_a_command_says_of_a_store_and_of_workers(snapshot, tmp_path, monkeypatch):
    (tmp_path / "costs.csv").write_text("a,b\n0,1\n1,0\n" * 100)
    for name, statement in {
        "other.sqlite": "CREATE TABLE answers (x)",
        "later.sqlite": "PRAGMA user_version = 99",
        "edited.sqlite": "UPDATE answers SET answer = '2'",
    }.items():
        if name != "other.sqlite":
            with Store(tmp_path / name) as store:
                store.keep(Question("any", 1), square(Question("any", 1)))
        with contextlib.closing(sqlite3.connect(tmp_path / name)) as edited, edited:
            edited.execute(statement)
    told = [
        command(f"ranking-table --to 3 --store {name}", tmp_path)
        for name in ("costs.csv", "other.sqlite", "later.sqlite", "none/store.sqlite")
    ]
    with Store(tmp_path / "held.sqlite"):
        told.append(command("ranking-table --to 3 --store held.sqlite", tmp_path))
    with Store(tmp_path / "edited.sqlite") as store:
        told.append(message(lambda: list(store)).replace(str(tmp_path), "FOLDER"))
    told.append(command("ranking-table --jobs 2 --cluster tcp://127.0.0.1:8786", tmp_path))

    keep = Store.keep

    def interrupted(store, question, answer):
        keep(store, question, answer)
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "keep", interrupted)
    told.append(command("ranking-table --to 3 --store new.sqlite", tmp_path))
    assert "\n".join(told) == snapshot


def test_what_is_kept_when_a_sweep_ends_early(snapshot, tmp_path):
    def full(*given, **how):
        opened = connect(*given, **how)
        opened.execute("PRAGMA max_page_count = 20")
        return opened

    connect = sqlite3.connect
    with Store(tmp_path / "kept.sqlite") as store:
        told = [message(lambda: in_threads(raises_at_7, squares([7]), store=store))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", full)
        with contextlib.closing(Store(tmp_path / "full.sqlite")) as store:
            told.append(message(lambda: store.keep(Question("any", 1), Answer("x" * 100_000))))
    assert "\n".join(told).replace(str(tmp_path), "FOLDER").replace(lm.__version__, "VERSION") == snapshot
