"""Stand-ins for the modules of Dask that lossmith uses: they answer in threads of this process."""

from __future__ import annotations

import pickle
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import ModuleType

from joblib.parallel import BACKENDS, ThreadingBackend


class KilledWorker(Exception):
    """What Dask raises where a question ended its workers."""


class CommClosedError(Exception):
    """What Dask raises where its scheduler is gone."""


class Client:
    """A client whose workers are two threads; `versions` are those of lossmith, by the names of the workers."""

    status = "running"

    def __init__(self, versions):
        self.versions, self.cancelled, self.threads = versions, [], ThreadPoolExecutor(2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.threads.shutdown()

    def ncores(self):
        return dict.fromkeys(self.versions, 1)

    def wait_for_workers(self, number, timeout):
        if len(self.versions) < number:
            raise TimeoutError

    def run(self, function, on_error):
        return {worker: function() if version is None else version for worker, version in self.versions.items()}

    def submit(self, batch, pure):
        try:
            sent = pickle.dumps(batch)
        except Exception as error:
            raise TypeError("could not serialize object") from error
        return self.threads.submit(pickle.loads(sent))

    def cancel(self, futures):
        self.cancelled += futures


class Backend(ThreadingBackend):
    """What joblib makes of `backend="dask"`: it knows the client."""

    def __init__(self, client=None, **named):
        super().__init__(**named)
        self.client = client


@contextmanager
def scheduler(says=b"hello"):
    """The address of a program that speaks first, or hangs up if it has nothing to say."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            while True:
                try:
                    guest, _ = server.accept()
                except OSError:  # it was closed
                    return
                with guest:
                    guest.sendall(says)

        threading.Thread(target=answer, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def install(monkeypatch, versions):
    """Let `import distributed` find the stand-ins, with a client whose workers have these versions."""
    module, comm, addressing = (ModuleType(f"distributed{name}") for name in ("", ".comm", ".comm.addressing"))
    module.Client, module.KilledWorker = (lambda address, **_: Client(versions)), KilledWorker
    comm.CommClosedError = CommClosedError
    comm.get_address_host_port = lambda address: (address.split(":")[1].strip("/"), int(address.split(":")[2]))
    addressing.parse_address = lambda address: address.split("://")
    for each in (module, comm, addressing):
        monkeypatch.setitem(sys.modules, each.__name__, each)
    monkeypatch.setitem(BACKENDS, "dask", Backend)
