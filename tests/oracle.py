"""The Parma Polyhedra Library as an oracle: other people's double description and exact simplex.

pplpy brings cysignals, whose Ctrl-C jumps out of PPL wherever it is; the handler that was there before is put back.
PPL rounds floats upwards, and some builds of pplpy leave it so for all the process; that is put back, too.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
from fractions import Fraction

import pytest

if sys.platform == "win32":
    pytest.skip("the Parma Polyhedra Library has no wheels for Windows", allow_module_level=True)

_interrupt = signal.getsignal(signal.SIGINT)
_mathematics = ctypes.CDLL(None)
_rounding = _mathematics.fegetround()

from ppl import (  # noqa: E402
    C_Polyhedron,
    Constraint_System,
    Generator_System,
    Linear_Expression,
    MIP_Problem,
    line,
    point,
    ray,
)
from ppl import Variable as Variable  # noqa: E402

with contextlib.suppress(ValueError, TypeError):  # not the main thread, or a handler that Python does not know
    signal.signal(signal.SIGINT, _interrupt)
_mathematics.fesetround(_rounding)


def cone(rows) -> C_Polyhedron:
    """{x : a·x ≥ 0 for all rows a}."""
    system = Constraint_System()
    for row in rows:
        system.insert(Linear_Expression(list(row), 0) >= 0)
    polyhedron = C_Polyhedron(len(rows[0]))
    polyhedron.add_constraints(system)
    return polyhedron


def spanned(rays, lines, size: int) -> C_Polyhedron:
    """The cone that these rays and lines span in R^size."""
    generators = Generator_System(point(Linear_Expression([0] * size, 0)))
    for each in rays:
        generators.insert(ray(Linear_Expression(list(each), 0)))
    for each in lines:
        generators.insert(line(Linear_Expression(list(each), 0)))
    return C_Polyhedron(generators)


def rays_and_lines(polyhedron: C_Polyhedron) -> tuple[set[tuple[int, ...]], int]:
    """The extreme rays of a cone, and how many lines it has."""
    generators = list(polyhedron.minimized_generators())
    rays = {tuple(map(int, each.coefficients())) for each in generators if each.is_ray()}
    return rays, sum(each.is_line() for each in generators)


def maximum(objective, inequalities, equations=()) -> Fraction | str:
    """The largest c·x subject to b + a·x ≥ 0 and b + a·x = 0, or "infeasible", or "unbounded"."""
    system = Constraint_System()
    for row in inequalities:
        system.insert(Linear_Expression(list(row[1:]), row[0]) >= 0)
    for row in equations:
        system.insert(Linear_Expression(list(row[1:]), row[0]) == 0)
    program = MIP_Problem(len(objective), system, Linear_Expression(list(objective), 0))
    if not program.is_satisfiable():
        return "infeasible"
    try:
        found = program.optimal_value()
    except ValueError:  # satisfiable, so this can only mean unbounded
        return "unbounded"
    return Fraction(int(found.numerator), int(found.denominator))
