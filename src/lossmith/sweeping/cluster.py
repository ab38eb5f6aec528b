"""Workers of a Dask cluster, as joblib asks for them."""

from __future__ import annotations

import pickle
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from importlib import metadata
from typing import Any

from joblib import parallel_config
from joblib.parallel import AutoBatchingMixin, ParallelBackendBase

from lossmith.errors import BadInput, NotInstalled

PATIENCE = 10  # seconds for a scheduler to answer, and for a first worker
_DESERTED = 30  # seconds without any worker, after which no other is waited for


class ClusterBackend(AutoBatchingMixin, ParallelBackendBase):  # type: ignore[misc]
    """A backend of joblib that hands batches to a Dask client.

    It stands in for joblib's own, which waits for ever when Dask gives a task up because its workers die.
    """

    supports_retrieve_callback = True
    default_n_jobs = -1

    def __init__(self, client: Any) -> None:
        super().__init__()
        self.client, self._sent, self._over = client, set[Any](), threading.Event()

    def effective_n_jobs(self, n_jobs: int) -> int:
        """As many as the cluster has threads; 2 at least, or joblib would do the work here."""
        return max(2, int(sum(self.client.ncores().values())))

    def start_call(self) -> None:
        """Watch whether there are workers: Dask would wait for them for ever."""
        self._over.clear()
        threading.Thread(target=self._watch, daemon=True).start()

    def stop_call(self) -> None:
        """Watch no more."""
        self._over.set()

    def _watch(self) -> None:
        seen = time.monotonic()
        with suppress(Exception):  # of a scheduler that is gone, which cancels everything as well
            while not self._over.wait(1):
                if self.client.ncores():
                    seen = time.monotonic()
                elif time.monotonic() - seen > _DESERTED:
                    self.client.cancel(list(self._sent))
                    return

    def submit(self, func: Any, callback: Any = None) -> Any:
        """Send a batch; `callback` hears when it has come back, whatever became of it."""
        try:
            future = self.client.submit(func, pure=False)
            self._sent.add(future)
            future.add_done_callback(callback)
        except TypeError as error:  # it cannot be sent; raised here, where nobody listens, it would be waited for
            future = Future()
            future.add_done_callback(callback)
            refusal = pickle.PicklingError(_first_line(error.__cause__ or error))
            threading.Thread(target=future.set_exception, args=(refusal,)).start()
        return future

    def retrieve_result_callback(self, out: Any) -> Any:
        """The answers of a batch, or the error that took their place."""
        self._sent.discard(out)
        return out.result()

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Cancel what waits; what a worker is at comes to its end there, and is not listened to."""
        if self.client.status == "running":
            self.client.cancel(list(self._sent))
        self._sent.clear()


@contextmanager
def on_cluster(address: str | None) -> Iterator[None]:
    """Let sweeps with `n_jobs=None` run on the cluster of the Dask scheduler at this address; None: change nothing."""
    if address is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise NotInstalled("a cluster needs dask: pip install 'lossmith[cluster]'") from None
    try:
        _knock(address)
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise BadInput(
            f"no Dask scheduler answers at {address!r} ({_first_line(error)}); start one: dask scheduler"
        ) from None
    with client, parallel_config(backend="dask", client=client):
        _refuse_strangers(client, address)
        yield


def _knock(address: str) -> None:
    """See that a scheduler answers: a client that finds none takes half a minute to go, and Ctrl-C does not hurry it.

    Over tcp a scheduler speaks first; a page of its dashboard, or another program, waits to be asked.
    """
    from distributed.comm import get_address_host_port
    from distributed.comm.addressing import parse_address

    with socket.create_connection(get_address_host_port(address), timeout=PATIENCE) as door:
        if parse_address(address)[0] == "tcp" and not door.recv(1):
            raise ConnectionError("it hung up")


def _refuse_strangers(client: Any, address: str) -> None:
    """See that there are workers, and that they mean the same by a question."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        found = client.run(_version, on_error="return")
    except TimeoutError:
        raise BadInput(f"the scheduler at {address!r} has no workers; start some: dask worker {address}") from None
    for worker, version in found.items():
        if isinstance(version, ImportError):
            raise BadInput(f"{worker} lacks lossmith ({version}); install {_version()} there")
        if isinstance(version, str) and version != _version():  # else it has died since
            raise BadInput(f"{worker} has lossmith {version}, here is {_version()}; install the same version there")


def _version() -> str:
    return metadata.version("lossmith")


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
