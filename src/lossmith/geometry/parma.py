"""The Parma Polyhedra Library, with Python's own Ctrl-C.

pplpy brings cysignals, whose Ctrl-C jumps out of PPL wherever it is: out of malloc with its lock held, the process
hangs (seen). With the handler that was there before, an interrupt waits until PPL returns.
"""

import contextlib
import signal

_interrupt = signal.getsignal(signal.SIGINT)

from ppl import (  # noqa: E402
    C_Polyhedron,
    Constraint_System,
    Generator_System,
    Linear_Expression,
    MIP_Problem,
    point,
    ray,
)

with contextlib.suppress(ValueError, TypeError):  # not the main thread, or a handler that Python does not know
    signal.signal(signal.SIGINT, _interrupt)

__all__ = [
    "C_Polyhedron",
    "Constraint_System",
    "Generator_System",
    "Linear_Expression",
    "MIP_Problem",
    "point",
    "ray",
]
