"""Hypothesis strategies for small polyhedral surrogates: hinges and distances, around a home for each label."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from lossmith import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from strategies import loss_rows
from surrogates import second_opinion

slopes = st.integers(-2, 2)
offsets = st.integers(-2, 2) | st.sampled_from([Fraction(1, 2), Fraction(-3, 2), Fraction(1, 3)])


@st.composite
def affine(draw, home: tuple[Fraction, ...] | None, dim: int) -> tuple[Fraction, ...]:
    """b + a·u, not constant; a·(u − home) or one more than that, if the label has a home."""
    gradient = draw(st.tuples(*[slopes.map(Fraction)] * dim).filter(any))
    if home is None:
        return (Fraction(draw(offsets)), *gradient)
    return (draw(st.integers(0, 1)) - sum(a * h for a, h in zip(gradient, home)), *gradient)


@st.composite
def maxima(draw, home: tuple[Fraction, ...] | None, dim: int) -> tuple[tuple[Fraction, ...], ...]:
    """A maximum that is never negative: a hinge, a distance, or the largest of two terms and a constant."""
    first = draw(affine(home, dim))
    zero = (Fraction(0),) * (dim + 1)
    kind = draw(st.sampled_from(["hinge", "distance", "distance", "two", *(["constant"] if home is None else [])]))
    if kind == "hinge":
        return (zero, first)
    if kind == "distance":
        return (first, tuple(-x for x in first))
    if kind == "two":
        return tuple(dict.fromkeys([zero, first, draw(affine(home, dim))]))
    return ((draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2)])), *zero[1:]),)


@st.composite
def terms(draw, n: int, dim: int, max_maxima: int):
    """Sums of maxima for n labels. Most surrogates give every label a home of its own, so that labels compete."""
    homes = [None] * n
    if draw(st.integers(0, 3)):
        homes = draw(st.lists(st.tuples(*[slopes.map(Fraction)] * dim), min_size=n, max_size=n, unique=True))
    fewest = 1 if homes[0] is None else max_maxima
    return tuple(
        tuple(draw(st.lists(maxima(home, dim), min_size=fewest, max_size=max_maxima, unique=True))) for home in homes
    )


@st.composite
def domain_rows(draw, dim: int) -> tuple[tuple, tuple]:
    """Inequalities that the origin satisfies, some of them tight there; with two dimensions sometimes an equation."""
    least = st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2)])
    gradient = st.tuples(*[slopes.map(Fraction)] * dim).filter(any)
    inequalities = draw(st.lists(st.tuples(least, gradient).map(lambda row: (row[0], *row[1])), max_size=2))
    equations = []
    if dim > 1 and draw(st.booleans()):
        equations = [(Fraction(0), *draw(gradient))]
    return tuple(inequalities), tuple(equations)


@st.composite
def surrogates(draw, n: int | None = None, max_dim: int = 2, max_maxima: int = 2, with_domain: bool | None = None):
    """A surrogate on two or three labels (or n) and one or two dimensions, on a domain half of the time."""
    n = draw(st.sampled_from([2, 3, 3])) if n is None else n
    dim = draw(st.integers(1, max_dim))
    restricted = draw(st.booleans()) if with_domain is None else with_domain
    rows = draw(domain_rows(dim)) if restricted else ((), ())
    return PolyhedralSurrogate(draw(terms(n, dim, max_maxima)), dim, *rows, name="random")


@st.composite
def points_of(draw, surrogate) -> tuple[Fraction, ...]:
    """Points of C: corners, and mixtures of two of them, where pieces tie."""
    corners = second_opinion.corners(surrogate)
    first, second = draw(st.sampled_from(corners)), draw(st.sampled_from(corners))
    share = draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(1)]))
    return tuple(share * a + (1 - share) * b for a, b in zip(first, second))


@st.composite
def pairs(draw, n: int | None = None, max_dim: int = 2, max_maxima: int = 2):
    """A surrogate and a loss on the same labels; every other loss is made so that the surrogate is calibrated for it.

    That loss has the values of the surrogate's cells as columns, and others beside them that are never better.
    """
    surrogate = draw(surrogates(n, max_dim, max_maxima))
    size = len(surrogate.terms)
    columns = list(second_opinion.cells(surrogate))
    if draw(st.booleans()) and len(columns) <= 8:
        dearer = draw(st.lists(st.sampled_from(columns), max_size=1))
        columns += [tuple(x + draw(st.integers(0, 1)) for x in column) for column in dearer]
        if draw(st.integers(0, 3)) == 0:  # and sometimes not quite
            at, by = draw(st.integers(0, len(columns) - 1)), draw(st.integers(0, size - 1))
            columns[at] = tuple(x + Fraction(int(y == by), 4) for y, x in enumerate(columns[at]))
        rows = second_opinion.matrix_of(draw(st.permutations(columns)))
    else:
        rows = draw(loss_rows(max_n=size, max_k=3).filter(lambda rows: len(rows) == size))
    return surrogate, LossMatrix(rows)
