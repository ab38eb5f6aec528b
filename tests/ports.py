"""Ports for programs that must be told one."""

from __future__ import annotations

import random
import socket


def free_port() -> int:
    """A port that nobody has, below those that systems give to whoever asks for any: it is still free when needed."""
    for port in random.sample(range(10_000, 32_000), 100):
        with socket.socket() as each:
            try:
                each.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("none of a hundred ports is free")
