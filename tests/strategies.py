"""Hypothesis strategies for the objects of the paper. Matrices are plain rows of fractions, made without lossmith."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from reference import normalised

Rows = tuple[tuple[Fraction, ...], ...]


def examples(usual: int) -> settings:
    """So many examples, where each takes its time or many are needed; eight times as many in the long run."""
    long = settings.get_current_profile_name() == "thorough"
    return settings(max_examples=8 * usual if long else usual)


def rationals(least: int = 0, most: int = 4, denominators: int = 6) -> st.SearchStrategy[Fraction]:
    return st.fractions(least, most, max_denominator=denominators)


# Small integers make ties, zeros and degenerate vertices; fractions make denominators.
_entries = st.integers(0, 3).map(Fraction) | rationals()


@st.composite
def distributions(draw, n: int) -> tuple[Fraction, ...]:
    """Rational points of the simplex, on its boundary as often as inside."""
    weights = draw(st.lists(st.integers(0, 6), min_size=n, max_size=n).filter(any))
    return normalised(weights)


@st.composite
def mixtures(draw, points) -> tuple[Fraction, ...]:
    """Rational convex combinations of a few of these points."""
    chosen = draw(st.lists(st.sampled_from(list(points)), min_size=1, max_size=4))
    weights = draw(distributions(len(chosen)))
    return tuple(sum((w * x for w, x in zip(weights, column)), Fraction(0)) for column in zip(*chosen))


@st.composite
def competing_columns(draw, n: int, k: int) -> list[tuple[Fraction, ...]]:
    """Columns most of which are optimal somewhere: each is cheap under a label of its own, the others hedge."""
    homes = draw(st.permutations(range(n)))
    wrong, hedge = st.integers(1, 4).map(Fraction), st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(1)])
    columns = [tuple(Fraction(0) if y == home else draw(wrong) for y in range(n)) for home in homes[:k]]
    return columns + [tuple(draw(hedge) for _ in range(n)) for _ in range(k - len(columns))]


@st.composite
def free_columns(draw, n: int, k: int) -> list[tuple[Fraction, ...]]:
    """Any columns; often one of them beats all others."""
    return [tuple(draw(_entries) for _ in range(n)) for _ in range(k)]


@st.composite
def redundant_column(draw, columns: list[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
    """A column that the given ones make superfluous: a copy, a dominated one, a mixture, or a mixture made dearer."""
    base, other = draw(st.sampled_from(columns)), draw(st.sampled_from(columns))
    kind = draw(st.sampled_from(["copy", "dominated", "mixture", "dearer mixture"]))
    if "mixture" in kind:
        weight = draw(st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(3, 4)]))
        base = tuple(weight * a + (1 - weight) * b for a, b in zip(base, other))
    if kind in ("dominated", "dearer mixture"):
        base = tuple(a + draw(st.integers(0, 2)) for a in base)
    return base


@st.composite
def generic_rows(draw, max_n: int = 4, max_k: int = 5) -> Rows:
    """Columns that compete or are free, and up to two redundant ones among them, in any order."""
    n, k = draw(_mostly_large(2, max_n)), draw(_mostly_large(1, max_k))
    superfluous = draw(st.integers(0, min(2, k - 1)))
    kind = draw(st.sampled_from([competing_columns, competing_columns, free_columns]))
    columns = draw(kind(n, k - superfluous))
    for _ in range(superfluous):
        columns.append(draw(redundant_column(columns)))
    return tuple(zip(*draw(st.permutations(columns))))


@st.composite
def low_rank_rows(draw, max_n: int = 6, max_k: int = 5, max_m: int = 2) -> Rows:
    """L = r1ᵀ + 1cᵀ + AB with m inner columns, few compared to the labels.

    With c_t half the squared length of the column −b_t of B, prediction t is optimal where Aᵀp is near −b_t.
    """
    n, k, m = draw(_mostly_large(2, max_n)), draw(_mostly_large(2, max_k)), draw(_mostly_large(0, max_m))
    A = [[draw(st.integers(-3, 3)) for _ in range(m)] for _ in range(n)]
    B = [[draw(st.integers(-2, 2)) for _ in range(k)] for _ in range(m)]
    near = draw(st.booleans())
    c = [Fraction(sum(b[t] ** 2 for b in B), 2) if near else draw(st.integers(0, 2)) for t in range(k)]
    rows = [[c[t] + sum(A[y][i] * B[i][t] for i in range(m)) for t in range(k)] for y in range(n)]
    return tuple(tuple(Fraction(entry - min(row)) for entry in row) for row in rows)


def _mostly_large(least: int, most: int) -> st.SearchStrategy[int]:
    """Sizes; a larger one is likelier, because small matrices have little to tell."""
    return st.sampled_from([size for size in range(least, most + 1) for _ in range(size - least + 1)])


def loss_rows(max_n: int = 4, max_k: int = 5) -> st.SearchStrategy[Rows]:
    """Loss matrices with ties, zeros, copies, dominated columns and low rank on purpose; two labels at least."""
    return generic_rows(max_n, max_k) | low_rank_rows(max_n, max_k)


def row_factors(n: int) -> st.SearchStrategy[tuple[Fraction, ...]]:
    """One positive factor per row."""
    return st.lists(rationals(0, 5).filter(bool), min_size=n, max_size=n).map(tuple)


def row_offsets(n: int) -> st.SearchStrategy[tuple[Fraction, ...]]:
    return st.lists(rationals(0, 5), min_size=n, max_size=n).map(tuple)


def permutations(size: int) -> st.SearchStrategy[list[int]]:
    return st.permutations(range(size))


@st.composite
def integer_rows(draw, entries=None, min_height: int = 1, max_height: int = 6, max_width: int = 5) -> list[list[int]]:
    """Integer matrices; half of them products through few columns, so that their rank is low."""
    entries = st.integers(-4, 4) if entries is None else entries
    height, width = draw(st.integers(min_height, max_height)), draw(st.integers(1, max_width))
    if draw(st.booleans()):
        return [[draw(entries) for _ in range(width)] for _ in range(height)]
    inner = draw(st.integers(0, 2))
    left = [[draw(st.integers(-3, 3)) for _ in range(inner)] for _ in range(height)]
    right = [[draw(entries) for _ in range(width)] for _ in range(inner)]
    return [[sum(left[i][m] * right[m][j] for m in range(inner)) for j in range(width)] for i in range(height)]


@st.composite
def programs(draw, max_size: int = 3, max_rows: int = 4):
    """Linear programs in a box, so that they are bounded: objective, inequalities (b, a), equations (b, a).

    Rows repeat and meet in corners of the box, so many programs are degenerate, and many have no solution.
    """
    size = draw(st.integers(1, max_size))
    number = st.integers(-3, 3)
    row = st.tuples(*[number] * (size + 1))
    box = [(2, *(-int(i == j) for j in range(size))) for i in range(size)]
    floor = [(0, *(int(i == j) for j in range(size))) for i in range(size)]
    inequalities = [*draw(st.lists(row, max_size=max_rows)), *box, *floor]
    if draw(st.booleans()):
        inequalities.append(draw(st.sampled_from(inequalities)))
    equations = draw(st.lists(row, max_size=2))
    return draw(st.lists(number, min_size=size, max_size=size)), draw(st.permutations(inequalities)), equations
