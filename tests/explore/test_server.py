"""Who is let in, what is refused, and what a question that nobody waits for leaves behind: nothing.

The server of the fast tests is a thread of this process, and its workers are forks of it; the exhaustive tests start
the program.
"""

from __future__ import annotations

import http.client
import importlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from multiprocessing import context
from random import Random
from threading import Thread
from urllib.parse import urlsplit

import pytest
import uvicorn
from click.testing import CliRunner

import command
import lossmith as lm
from lossmith.cli import commands
from lossmith.errors import LossmithError
from lossmith.explore.answers import QUESTIONS
from lossmith.explore.examples import examples
from lossmith.explore.server import app
from lossmith.explore.state import fragment_of, state_in, state_of
from lossmith.explore.workers import interrupted_outside_imports

STATE = examples()[0]["state"]
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


class Client:
    """A browser as far as cookies go."""

    def __init__(self, address):
        parts = urlsplit(address)
        self.host, self.query, self.fragment = parts.netloc, parts.query, parts.fragment
        self.cookie = ""

    def send(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection(self.host, timeout=60)
        sent = {"host": self.host, "cookie": self.cookie, **{key.replace("_", "-"): x for key, x in headers.items()}}
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response, content

    def get(self, path, **headers):
        return self.send("GET", path, **headers)

    def enter(self):
        response, _ = self.get(f"/?{self.query}")
        self.cookie = response.getheader("set-cookie").partition(";")[0]
        return response

    def ask(self, question, state=STATE, **more):
        body = json.dumps({"state": state, **more})
        _, content = self.send("POST", f"/api/{question}", body, content_type="application/json")
        return [json.loads(line) for line in content.splitlines()]

    def jobs(self):
        return json.loads(self.get("/api/jobs")[1])


@contextmanager
def program():
    """The client of the program, run as users run it."""
    started = [sys.executable, "-m", "lossmith", "explore", "--no-browser"]
    process = subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    yield Client(process.stdout.readline().strip())
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 0
    assert len(process.stdout.read().splitlines()) == 2
    process.stdout.close()


@contextmanager
def server_in_a_thread():
    """The client of a server in this process; where processes fork, its workers need not load anything.

    A report, which takes seconds, takes for ever.
    """

    def forever(*_):
        time.sleep(600)

    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as listening:
        if sys.platform == "linux":
            patch.setattr(context.SpawnContext, "Process", context.ForkProcess)
        patch.setattr("lossmith.explore.answers.QUESTIONS", {**QUESTIONS, "file": forever})
        port = listening.getsockname()[1]
        settings = uvicorn.Config(app("secret", port), log_level="warning", access_log=False, lifespan="on")
        server = uvicorn.Server(settings)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield Client(f"http://127.0.0.1:{port}/?token=secret{fragment_of(STATE)}")
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture(
    scope="module",
    params=[server_in_a_thread, pytest.param(program, marks=pytest.mark.exhaustive)],
    ids=["thread", "program"],
)
def client(request):
    with request.param() as client:
        client.enter()  # at once: nobody who was told the address is refused
        yield client


def test_the_program_tells_the_address_with_the_token_and_the_state(monkeypatch):
    monkeypatch.setattr(uvicorn.Server, "run", lambda _, sockets: [each.close() for each in sockets])
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    for arguments in ([], ["--no-browser"]):
        run = command.lossmith("explore", *arguments)
        parts = urlsplit(run.stdout.splitlines()[0])
        assert (run.returncode, run.stderr, parts.hostname) == (0, "", "127.0.0.1")
        assert len(parts.query.removeprefix("token=")) > 30
        assert state_in("#" + parts.fragment) == STATE
    assert len(opened) == 1
    assert opened[0].startswith("http://127.0.0.1:")


def test_the_token_is_given_once_and_then_kept_in_a_cookie_that_no_script_reads(client):
    response = Client(f"http://{client.host}/?{client.query}").enter()
    assert response.status == 303
    assert response.getheader("location") == "/"
    assert re.search(r"HttpOnly.*SameSite=strict", response.getheader("set-cookie"), re.IGNORECASE)
    assert state_in("#" + client.fragment) == STATE
    assert "token" not in client.fragment


@pytest.mark.parametrize("path", ["/", "/page/index.html", "/api/start", "/api/jobs"])
def test_without_the_token_nothing_is_served(client, path):
    stranger = Client(f"http://{client.host}/")
    assert stranger.get(path)[0].status == 401
    assert stranger.get("/?token=guessed")[0].status == 401
    stranger.cookie = "lossmith-1=guessed"
    assert stranger.get(path)[0].status == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "localhost"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
    ids=str,
)
def test_other_hosts_and_origins_get_nothing(client, headers):
    response, body = client.get("/api/start", **headers)
    assert response.status == 403
    assert set(json.loads(body)) == {"refused"}
    assert response.getheader("access-control-allow-origin") is None


def test_every_answer_binds_the_browser(client):
    for path in ("/api/start", "/page/nothing.js", "/api/nothing"):
        headers = client.get(path)[0].headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", ["../server.py", "..%2Fserver.py", "%2e%2e/server.py", "nothing.js", "__init__.py"])
def test_files_beside_the_page_are_not_served(client, name):
    assert client.get(f"/page/{name}")[0].status == 404


def test_requests_that_are_none_are_refused(client):
    def status(body, **headers):
        return client.send("POST", "/api/picture", body, **{"content_type": "application/json", **headers})[0].status

    assert status("{}", content_type="text/plain") == 415
    assert status("[1]") == status("{") == status("[" * 100_000) == 400
    assert status(json.dumps({"state": "x" * 2_000_001})) == 413
    assert client.send("POST", "/api/system", "{}", content_type="application/json")[0].status == 404
    assert client.get("/api/picture")[0].status == 405


def test_questions_are_answered_and_bad_cells_named(client):
    (rule,) = client.ask("picture")[-1]["answer"]["rule"]["sentences"]
    parts = ["approve", "P(fraud) ≤ 1/58", "review", "up to 35/48", "decline"]
    assert re.findall(r"approve|review|decline|P\(.*?\) ≤ [\d/]+|up to [\d/]+", rule) == parts
    wrong = {**STATE, "costs": [["0", "5", "x"], ["300", "15", "2"]]}
    (answer,) = client.ask("picture", wrong)
    assert answer["cell"] == [0, 2]
    assert all(quoted in answer["refused"] for quoted in ("'legitimate'", "'decline'", "'x'"))
    assert "labels" in client.ask("picture", {**STATE, "labels": 3})[-1]["refused"]


@pytest.fixture(scope="module")
def large():
    draw = Random(0)
    rows = [[0 if y == t else draw.randint(1, 2000) for t in range(60)] for y in range(60)]
    return state_of(lm.LossMatrix(rows))


def abandoned(client, state):
    """Ask for a report, which takes seconds, and do not wait for it."""
    body = json.dumps({"state": state, "kind": "report"})
    connection = http.client.HTTPConnection(client.host)
    headers = {"content-type": "application/json", "cookie": client.cookie}
    connection.request("POST", "/api/file", body, headers)
    return connection


def reached(client, seconds=15, **wanted):
    """Whether in time so many questions are `running` and `waiting`."""
    until = time.monotonic() + seconds
    while not wanted.items() <= client.jobs().items():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_a_long_question_is_not_in_the_way_and_ends_when_nobody_waits(client, large):
    client.ask("dimension")  # both processes have begun
    workers = client.jobs()["workers"]
    connection = abandoned(client, large)
    assert reached(client, running=1)
    assert "answer" in client.ask("picture")[-1]
    assert client.jobs()["running"] == 1
    connection.close()
    assert reached(client, running=0, waiting=0)
    assert client.jobs()["workers"] == workers  # interrupted, not killed
    assert "answer" in client.ask("dimension")[-1]


def test_an_interrupt_leaves_no_module_half_loaded(tmp_path, monkeypatch):
    (tmp_path / "interrupted.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = signal.signal(signal.SIGINT, interrupted_outside_imports)
    try:
        assert importlib.import_module("interrupted").whole
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_questions_beyond_those_that_may_wait_are_refused(client, large):
    waiting = [abandoned(client, large) for _ in range(12)]
    assert reached(client, running=1, waiting=8)
    assert client.ask("practices")[-1]["refused"].startswith("8 ")
    for connection in waiting:
        connection.close()
    assert reached(client, running=0, waiting=0)


def test_a_process_that_dies_is_replaced(client, large):
    [_, slow] = client.jobs()["workers"]
    connection = abandoned(client, large)
    assert reached(client, running=1)
    os.kill(slow, signal.SIGKILL)
    assert json.loads(connection.getresponse().read().splitlines()[-1]).keys() == {"refused", "cell"}
    connection.close()
    assert "answer" in client.ask("dimension")[-1]
    assert slow not in client.jobs()["workers"]


@pytest.mark.parametrize(
    ("argument", "said"),
    [("#nothing", "'#nothing'"), ("zero-one:n=100", " 100 "), ("zero-on:n=3", "'zero-one'")],
)
def test_what_cannot_be_shown_is_refused_before_anything_is_served(argument, said):
    refused = CliRunner().invoke(commands, ["explore", "--no-browser", argument]).exception
    assert isinstance(refused, LossmithError)
    assert said in str(refused)


def test_a_port_in_use_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = CliRunner().invoke(commands, ["explore", "--no-browser", "--port", str(port)]).exception
    assert isinstance(refused, LossmithError)
    assert f" {port} " in str(refused)
