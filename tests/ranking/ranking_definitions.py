"""The ranking losses as their definitions say, with positions from 1 as in the paper; no line is shared with lossmith.

σ is a tuple, σ[i] the position of document i from 0; graphs are sets of edges (i, j): i is preferred to j.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import strategies as st

from lossmith.errors import BadInput, TooLarge

F = Fraction
Edge = tuple[int, int]


def place(sigma: Sequence[int], i: int) -> int:
    return sigma[i] + 1


def at_place(sigma: Sequence[int], j: int) -> int:
    """σ^{-1}(j): the document at position j, from 1."""
    return list(sigma).index(j - 1)


def cumulative_gain(y, sigma, discount, gain) -> Fraction:
    return sum((F(gain[y[i]]) * discount[place(sigma, i) - 1] for i in range(len(y))), F(0))


def ideal_gain(y, discount, gain) -> Fraction:
    """The most that any ranking gains, by trying all of them where that is possible."""
    if len(y) <= 5:
        return max(cumulative_gain(y, sigma, discount, gain) for sigma in permutations(range(len(y))))
    pairs = zip(sorted(gain[level] for level in y), sorted(discount), strict=True)
    return sum((F(a) * b for a, b in pairs), F(0))


def ndcg_loss(y, sigma, discount, gain) -> Fraction:
    ideal = ideal_gain(y, discount, gain)
    return 1 - cumulative_gain(y, sigma, discount, gain) / ideal if ideal else F(1)


def dcg_loss(y, sigma, discount, gain) -> Fraction:
    return ideal_gain(y, discount, gain) - cumulative_gain(y, sigma, discount, gain)


def map_loss(y, sigma) -> Fraction:
    """1 − (1/‖y‖₁) Σ_{i: y_i = 1} (1/σ(i)) Σ_{j ≤ σ(i)} y_{σ^{-1}(j)}: the first line of the definition."""
    total = F(0)
    for i in range(len(y)):
        if y[i] == 1:
            relevant = sum(y[at_place(sigma, j)] for j in range(1, place(sigma, i) + 1))
            total += F(relevant, place(sigma, i))
    return 1 - total / sum(y)


def precision_loss(y, shown, q) -> Fraction:
    return F(sum(1 - y[i] for i in shown), q)


def disagreement(graph: Iterable[Edge], sigma) -> int:
    return sum(place(sigma, i) > place(sigma, j) for i, j in graph)


def reciprocal_rank_loss(y, sigma, levels) -> Fraction:
    """1 − Σ_j (1/j) P(the reader stops at position j), from the probability of getting there."""
    stop = [F(2**level - 1, 2 ** (levels - 1)) for level in y]
    total = F(0)
    for j in range(1, len(y) + 1):
        here = F(1)
        for earlier in range(1, j):
            here *= 1 - stop[at_place(sigma, earlier)]
        total += here * stop[at_place(sigma, j)] / j
    return 1 - total


def inversions(pi, sigma) -> int:
    return sum((pi[i] - pi[j]) * (sigma[i] - sigma[j]) < 0 for i, j in combinations(range(len(pi)), 2))


def squared_differences(pi, sigma) -> int:
    return sum((a - b) ** 2 for a, b in zip(pi, sigma, strict=True))


def absolute_differences(pi, sigma) -> int:
    return sum(abs(a - b) for a, b in zip(pi, sigma, strict=True))


def first_to_last(sigma) -> str:
    return ">".join(str(at_place(sigma, j)) for j in range(1, len(sigma) + 1))


def all_dags(r: int) -> Iterator[frozenset[Edge]]:
    """Every set of edges that some order of the documents agrees with: slow, and obviously right."""
    edges = list(permutations(range(r), 2))
    orders = [{(order[a], order[b]) for a, b in combinations(range(r), 2)} for order in permutations(range(r))]
    for mask in range(2 ** len(edges)):
        chosen = frozenset(edge for bit, edge in enumerate(edges) if mask >> bit & 1)
        if any(chosen <= order for order in orders):
            yield chosen


# What hypothesis draws.


def rankings(r: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.permutations(range(r)).map(tuple)


def relevances(r: int, levels: int = 2) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(0, levels - 1)] * r)


@st.composite
def dags(draw, r: int) -> frozenset[Edge]:
    """Some of the preferences of some order."""
    order = draw(rankings(r))
    return frozenset((order[a], order[b]) for a, b in combinations(range(r), 2) if draw(st.booleans()))


@st.composite
def discounts_of(draw, r: int) -> tuple[Fraction, ...]:
    """Decreasing, increasing, tied or zero, but not all the same."""
    return tuple(
        F(x)
        for x in draw(
            st.lists(st.sampled_from([0, 1, 2, F(1, 2), F(1, 3), 3]), min_size=r, max_size=r).filter(
                lambda values: len(set(values)) > 1
            )
        )
    )


def refused(call, *args: object, **kwargs: object) -> str:
    """The message of the refusal: one line, of a class that says whose fault it is, without a second traceback."""
    with pytest.raises((BadInput, TooLarge)) as caught:
        call(*args, **kwargs)
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert len(message) < 600
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message
