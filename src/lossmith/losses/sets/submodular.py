"""Functions f of sets of tags that are submodular and do not fall, f(∅) = 0, by their 2^r values in binary order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations, permutations
from operator import and_


def why_not(f: Sequence[Fraction]) -> str:
    """Two sets that show that f falls, or is not submodular; nothing if it is and does not fall.

    It is enough to add one tag i, or two, to a set S: f(S + i) ≥ f(S), and f(S + i) + f(S + j) ≥ f(S + i + j) + f(S).

    >>> why_not([Fraction(x) for x in (0, 1, 2, 4)])
    'f(01) + f(10) = 3 is less than f(11) + f(00) = 4'
    >>> why_not([Fraction(x) for x in (0, 1, 2, 3)])
    ''
    """
    r = len(f).bit_length() - 1
    tags = [1 << i for i in range(r)]
    for s in range(len(f)):
        outside = [i for i in tags if not s & i]
        for i in outside:
            if f[s | i] < f[s]:
                return f"{_named(r, s | i)} = {f[s | i]} is less than {_named(r, s)} = {f[s]}"
        for i, j in combinations(outside, 2):
            apart, joined = f[s | i] + f[s | j], f[s | i | j] + f[s]
            if apart < joined:
                pair = f"{_named(r, s | i)} + {_named(r, s | j)} = {apart}"
                return f"{pair} is less than {_named(r, s | i | j)} + {_named(r, s)} = {joined}"
    return ""


def summands(f: Sequence[Fraction]) -> list[list[int]]:
    """The finest division of the tags into parts such that f(S) = Σ f(S ∩ part) for all S; tags are bits, 1, 2, 4, ….

    If f(A) + f(V∖A) = f(V) for all tags V, then f(S) = f(S ∩ A) + f(S∖A): "≤" is submodular, and "≥" adds up
    f(S) + f(A) ≥ f(S ∪ A) + f(S ∩ A) and f(S ∪ A) + f(V∖A) ≥ f(V) + f(S∖A). Such A meet in such sets.

    >>> summands([Fraction(x) for x in (0, 1, 1, 1, 5, 6, 6, 6)])
    [[1, 2], [4]]
    """
    everything = len(f) - 1
    apart = [a for a in range(len(f)) if f[a] + f[everything - a] == f[everything]]
    tags = [1 << i for i in range(len(f).bit_length() - 1)]
    parts = {reduce(and_, (a for a in apart if a & i)): None for i in tags}  # everything is among them
    return [[i for i in tags if part & i] for part in parts]


def corners(f: Sequence[Fraction], tags: Sequence[int]) -> list[tuple[Fraction, ...]]:
    """The corners of {w ≥ 0 : w(S) ≤ f(S)}, for the sets S of these tags.

    They are what f grows by as tags are added, one after the other, some or all of them; others have w = 0 (J. Edmonds,
    Submodular functions, matroids, and certain polyhedra, 1970).

    >>> [[str(x) for x in w] for w in corners([Fraction(x) for x in (0, 1, 1, 1)], [1, 2])]
    [['0', '0'], ['1', '0'], ['0', '1']]
    """
    found: dict[tuple[Fraction, ...], None] = {}
    for size in range(len(tags) + 1):
        for order in permutations(tags, size):
            grown, s = dict.fromkeys(tags, Fraction(0)), 0
            for i in order:
                grown[i] = f[s | i] - f[s]
                s |= i
            found[tuple(grown.values())] = None
    return list(found)


def _named(r: int, s: int) -> str:
    return f"f({s:0{r}b})"
